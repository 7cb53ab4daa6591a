"""How fast the models alone are: the denominators of `chartproof bench`.

Each figure keeps one model as busy as its client may, with sentences of a chart's usual length
that repeat nowhere, so no cache answers for a model (`reranked_again` is the exception, on
purpose: facts come again for every proposition of a text).
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from agents.concurrency import map_bounded
from agents.models import Models
from agents.ports import ShownFact

CONCURRENT = 16
"""Calls at a time, where the port takes one item a call."""
PASSAGES = 60
"""Facts reranked for one proposition: the default of `VerificationSettings.candidates`."""
SHOWN = 12
"""Facts shown to the judge: the default of `VerificationSettings.top_n`."""

_DRUGS = ("metoprolol", "furosemide", "lisinopril", "apixaban", "metformin", "atorvastatin")
_FINDINGS = ("lower leg edema", "shortness of breath", "chest pain", "a dry cough", "dizziness")


@dataclass(frozen=True)
class Throughput:
    """`items` in `seconds`, all calls together."""

    name: str
    unit: str
    items: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.items / self.seconds


def sentences(count: int, *, batch: int = 0) -> list[str]:
    """Invented chart sentences of 10 to 30 word pieces, all different; `batch` sets them apart."""
    templates = (
        "Started {drug} {dose} mg PO BID on day {n} for blood pressure and rate control.",
        "Reports {finding} since {n} days, worse at night, better after {drug} {dose} mg.",
        "Creatinine {low} mg/dL, potassium {high} mmol/L on repeat sample {n}.",
        "Denies {finding} on round {n}.",
        "Plan {n}: continue {drug}, repeat labs in {dose} hours, call if {finding} returns.",
    )
    return [
        templates[n % len(templates)].format(
            n=n + 100_000 * batch,
            drug=_DRUGS[n % len(_DRUGS)],
            finding=_FINDINGS[n % len(_FINDINGS)],
            dose=5 * (n % 19 + 1),
            low=1 + n % 23 / 10,
            high=3 + n % 27 / 10,
        )
        for n in range(count)
    ]


async def embedded(models: Models, texts: int = 512) -> Throughput:
    """Sentences embedded a second."""

    async def work() -> None:
        await models.embedder.embed(sentences(texts, batch=1))

    return await _measured("embedder", "texts", texts, work)


async def reranked(models: Models, queries: int = 4) -> Throughput:
    """Pairs scored a second, facts that the reranker has not met before."""
    return await _rerank(models, queries, first_batch=100, name="reranker, new facts")


async def reranked_again(models: Models, queries: int = 32) -> Throughput:
    """Pairs scored a second, the same facts for every query."""
    await models.reranker.score("warm", sentences(PASSAGES, batch=2))
    return await _rerank(models, queries, first_batch=None, name="reranker, known facts")


async def judged(models: Models, propositions: int = 128) -> Throughput:
    """Propositions judged a second, `SHOWN` facts each."""
    facts = _facts(sentences(SHOWN, batch=3))

    async def work() -> None:
        await map_bounded(
            lambda said: models.judge.judge(said, facts),
            sentences(propositions, batch=4),
            CONCURRENT,
        )

    return await _measured("judge", "propositions", propositions, work)


async def decomposed(models: Models, texts: int = 32) -> Throughput:
    """Sentences of texts decomposed a second, twenty to a text."""

    async def work() -> None:
        await map_bounded(
            lambda n: models.decomposer.decompose(" ".join(sentences(20, batch=n)), "claim"),
            range(texts),
            CONCURRENT,
        )

    return await _measured("decomposer", "sentences", 20 * texts, work)


async def measure_models(models: Models) -> list[Throughput]:
    """All of the above, one after the other."""
    figures = (embedded, reranked, reranked_again, judged, decomposed)
    return [await figure(models) for figure in figures]


async def _rerank(
    models: Models, queries: int, *, first_batch: int | None, name: str
) -> Throughput:
    said = sentences(queries, batch=5 if first_batch is None else 6)

    async def one(n: int) -> Sequence[float]:
        batch = 2 if first_batch is None else first_batch + n
        return await models.reranker.score(said[n], sentences(PASSAGES, batch=batch))

    async def work() -> None:
        await map_bounded(one, range(queries), CONCURRENT)

    return await _measured(name, "pairs", queries * PASSAGES, work)


async def _measured(
    name: str, unit: str, items: int, work: Callable[[], Awaitable[None]]
) -> Throughput:
    started = time.perf_counter()
    await work()
    return Throughput(name, unit, items, time.perf_counter() - started)


def _facts(texts: Sequence[str]) -> list[ShownFact]:
    when = datetime(2031, 1, 1, tzinfo=UTC)
    return [
        ShownFact(f"f{n}", text, None, when, "Progress note", "d1", 0.5)
        for n, text in enumerate(texts)
    ]
