"""How fast the models alone are: the denominators of `chartproof bench`.

Each figure keeps one model as busy as its client may, with sentences of a chart's usual length
that no earlier call or run has sent, so no cache answers for a model (`reranked_again` is the
exception, on purpose: facts come again for every proposition of a text).
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from agents.adapters.models import Models
from agents.concurrency import map_bounded
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


def this_run() -> int:
    """Sets the sentences of this run apart from those of others: models keep what they computed."""
    return time.time_ns() // 10**9 % 10**5


def sentences(count: int, run: int, *, batch: int = 0) -> list[str]:
    """Invented chart sentences of 10 to 35 word pieces, all different, also from other batches."""
    templates = (
        "Started {drug} {dose} mg PO BID on day {n} for blood pressure and rate control.",
        "Reports {finding} since {n} days, worse at night, better after {drug} {dose} mg.",
        "Creatinine {low} mg/dL, potassium {high} mmol/L on repeat sample {n}.",
        "Denies {finding} on round {n}.",
        "Plan {n}: continue {drug}, repeat labs in {dose} hours, call if {finding} returns.",
    )
    return [
        templates[n % len(templates)].format(
            n=(run * 1000 + batch) * 1000 + n,
            drug=_DRUGS[n % len(_DRUGS)],
            finding=_FINDINGS[n % len(_FINDINGS)],
            dose=5 * (n % 19 + 1),
            low=1 + n % 23 / 10,
            high=3 + n % 27 / 10,
        )
        for n in range(count)
    ]


async def embedded(models: Models, run: int, texts: int = 512) -> Throughput:
    """Sentences embedded a second."""
    given = sentences(texts, run, batch=1)
    return await _measured("embedder", "texts", texts, models.embedder.embed(given))


async def reranked(models: Models, run: int, queries: int = 4) -> Throughput:
    """Pairs scored a second, facts that the reranker has not met before."""
    facts = [sentences(PASSAGES, run, batch=100 + n) for n in range(queries)]
    return await _rerank("reranker, new facts", models, sentences(queries, run, batch=2), facts)


async def reranked_again(models: Models, run: int, queries: int = 32) -> Throughput:
    """Pairs scored a second, the same facts for every query."""
    facts = sentences(PASSAGES, run, batch=3)
    await models.reranker.score("No fever today.", facts)
    given = sentences(queries, run, batch=4)
    return await _rerank("reranker, known facts", models, given, [facts] * queries)


async def judged(models: Models, run: int, propositions: int = 128) -> Throughput:
    """Propositions judged a second, `SHOWN` facts each."""
    facts = _facts(sentences(SHOWN, run, batch=5))
    given = sentences(propositions, run, batch=6)
    work = map_bounded(lambda one: models.judge.judge(one, facts), given, CONCURRENT)
    return await _measured("judge", "propositions", propositions, work)


async def decomposed(models: Models, run: int, texts: int = 32) -> Throughput:
    """Sentences of texts decomposed a second, twenty to a text."""
    given = [" ".join(sentences(20, run, batch=200 + n)) for n in range(texts)]
    work = map_bounded(lambda text: models.decomposer.decompose(text, "claim"), given, CONCURRENT)
    return await _measured("decomposer", "sentences", 20 * texts, work)


async def measure_models(models: Models) -> list[Throughput]:
    """All of the above, one after the other."""
    run = this_run()
    figures = (embedded, reranked, reranked_again, judged, decomposed)
    return [await figure(models, run) for figure in figures]


async def _rerank(
    name: str, models: Models, given: Sequence[str], facts: Sequence[Sequence[str]]
) -> Throughput:
    pairs = list(zip(given, facts, strict=True))
    work = map_bounded(lambda pair: models.reranker.score(*pair), pairs, CONCURRENT)
    return await _measured(name, "pairs", sum(map(len, facts)), work)


async def _measured(name: str, unit: str, items: int, work: Awaitable[object]) -> Throughput:
    started = time.perf_counter()
    await work
    return Throughput(name, unit, items, time.perf_counter() - started)


def _facts(texts: Sequence[str]) -> list[ShownFact]:
    when = datetime(2031, 1, 1, tzinfo=UTC)
    return [
        ShownFact(f"f{n}", text, None, when, "Progress note", "d1", 0.5)
        for n, text in enumerate(texts)
    ]
