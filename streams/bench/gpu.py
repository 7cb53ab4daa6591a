"""Embedder and reranker of the gpu profile: sentences and pairs a second, through the same classes
that Triton serves. Runs in minutes; needs the extra `gpu` and weights.

`model` and the rest are the parameters in each model's `config.pbtxt`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from agents.adapters.models.in_process import load_model

BATCHES = (1, 16, 64, 256)
ROUNDS = 5
SENTENCE = (
    "Potassium was {n}.{m} mmol/L on day {n} and the patient remained on furosemide 40 mg daily."
)


async def bench_gpu(repository: Path, console: Console) -> int:
    """Medians for each size of batch. Raises `DependencyUnavailable` without weights."""
    table = Table(title="gpu profile, medians", title_justify="left")
    for column in ("model", "batch", "ms a batch", "rows a second"):
        table.add_column(column, justify="right")
    for name in ("embedder", "reranker"):
        served = await asyncio.to_thread(load_model, repository, name)
        console.print(f"{name}: {served.model.version}")
        for size in BATCHES:
            seconds = await asyncio.to_thread(_median, _work(name, served, size))
            table.add_row(name, str(size), f"{seconds * 1000:.1f}", f"{size / seconds:,.0f}")
    console.print(table)
    return 0


def _work(name: str, served: Any, size: int) -> Callable[[], object]:  # noqa: ANN401 - a model
    sentences = [SENTENCE.format(n=n % 7, m=n) for n in range(size)]
    rows = [(each,) if name == "embedder" else (sentences[0], each) for each in sentences]
    return lambda: served.answer(rows)


def _median(work: Callable[[], object]) -> float:
    work()
    return median(_seconds(work) for _ in range(ROUNDS))


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
