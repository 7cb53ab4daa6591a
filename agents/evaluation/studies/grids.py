"""Which configurations a study runs.

- VeriFact: Chung et al. 2025, "VeriFact: Verifying facts in LLM-generated clinical text with
  electronic health records": facts shown, how they are found, how they are told, and where from.
- MedSNIP: the unit that is judged, with or without the text around it, and rounds of search.
- Ablation: the pipeline as it is, and without one part at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from agents.evaluation.running.engine import Configuration

Values = Mapping[str, Sequence[Mapping[str, Any]]]
"""Factor -> its levels, each as the settings that it changes."""

TOP_N = (5, 10, 25, 50, 75, 100, 125, 150)
SEARCHES: Mapping[str, Mapping[str, Any]] = {
    "dense": {"retrieval": "dense", "rerank": False},
    "sparse": {"retrieval": "sparse", "rerank": False},
    "hybrid": {"retrieval": "hybrid", "rerank": False},
    "rerank": {"retrieval": "hybrid", "rerank": True},
}
FORMATS = ("relevance", "absolute_time", "relative_time")
UNITS: Mapping[str, Mapping[str, Any]] = {
    "sentence": {"unit": "sentence"},
    "claim": {"unit": "claim"},
    "snippet": {"unit": "snippet", "decomposition": "direct"},
    "grouped snippet": {"unit": "snippet", "decomposition": "group"},
}
BUDGET = 200_000
"""Tokens: with the default one, facts past the sixtieth or so would be found and not shown."""
PARTS: Mapping[str, Mapping[str, Any]] = {
    "without reranking": {"rerank": False},
    "without sparse search": {"retrieval": "dense"},
    "without dense search": {"retrieval": "sparse"},
    "without a second round": {"max_rounds": 1},
    "without claims (sentences)": {"unit": "sentence"},
    "without times and scores of facts": {"reference_format": "relevance"},
    "with the text around": {"judging": "full_context"},
}


@dataclass(frozen=True)
class Cell:
    """One configuration and where it stands in the study's table."""

    levels: tuple[str, ...]
    configuration: Configuration


@dataclass(frozen=True)
class Grid:
    factors: tuple[str, ...]
    cells: tuple[Cell, ...]


def verifact(*, encounters: bool, top_n: Iterable[int] = TOP_N) -> Grid:
    """`encounters`: whether the data name them; without, the scope is the record."""
    scopes = ("record", "encounter") if encounters else ("record",)
    cells = [
        _cell(
            (str(n), search, form, scope),
            {
                "top_n": n,
                "candidates": max(60, 2 * n),
                **SEARCHES[search],
                "reference_format": form,
                "scope": scope,
                "token_budget": BUDGET,
                "max_rounds": 1,
            },
        )
        for n, search, form, scope in product(top_n, SEARCHES, FORMATS, scopes)
    ]
    return Grid(("facts shown", "search", "told as", "scope"), tuple(cells))


def medsnip(rounds: Iterable[int] = range(1, 6)) -> Grid:
    cells = [
        _cell((unit, mode, str(n)), {**UNITS[unit], "judging": mode, "max_rounds": n})
        for unit, mode, n in product(UNITS, ("claim_only", "full_context"), rounds)
    ]
    return Grid(("unit", "mode", "rounds"), tuple(cells))


def ablation(judge_parts: Iterable[str] = ()) -> Grid:
    """The whole first. `judge_parts`: what the judge can go without, where it says so."""
    cells = [_cell(("whole",), {})]
    cells += [_cell((name,), settings) for name, settings in PARTS.items()]
    for part in judge_parts:
        name = f"judge without {part}"
        cells.append(Cell((name,), Configuration(name=name, judge_without=(part,))))
    return Grid(("configuration",), tuple(cells))


def _cell(levels: tuple[str, ...], settings: Mapping[str, Any]) -> Cell:
    fields = {"name": ", ".join(levels), "settings": settings}
    return Cell(levels, Configuration.model_validate(fields))
