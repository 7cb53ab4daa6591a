"""Claims through the engine, in this process: charts into an index in memory, then verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from agents.adapters.index.memory import MemoryIndex
from agents.adapters.models import Models
from agents.evaluation.claim_charts import AS_GIVEN, LABELS, WRITTEN, ClaimCase, ClaimChart
from agents.evaluation.confusion import WORST_FIRST, Confusion
from agents.indexing.document_indexer import FactKeeper
from agents.ports import Clock
from agents.verification.verifier import Verifier
from schemas.events import Event, Position
from schemas.notes import NoteChanged
from schemas.texts import TextGenerated, VerificationSettings
from schemas.verdicts import ScoreSheetIssued, Verdict

AT = Position(topic="evaluation", partition=0, offset=0)


class Still(Clock):
    """It is always `WRITTEN`: what is measured has no time of its own."""

    def now(self) -> datetime:
        return WRITTEN


@dataclass(frozen=True)
class Judged:
    case: ClaimCase
    verdict: Verdict
    confidence: float
    rounds: int
    judge_calls: int


async def judge_claims(
    models: Models,
    charts: Sequence[ClaimChart],
    cases: Sequence[ClaimCase],
    settings: VerificationSettings,
    progress: Callable[[int], None] = lambda _: None,
) -> list[Judged]:
    """The verdict on each case, in order. `progress` is told how many are done."""
    index = await indexed(models, (note for chart in charts for note in chart.notes()))
    verifier = Verifier(
        index, models.embedder, models.reranker, models.decomposer, models.judge, Still()
    )
    judged = []
    for n, case in enumerate(cases):
        judged.append(await _judge(verifier, case, settings))
        progress(n + 1)
    return judged


async def indexed(models: Models, notes: Iterable[NoteChanged]) -> MemoryIndex:
    """An index of the notes, as a worker would make it."""
    index = MemoryIndex()
    keeper = FactKeeper(index, models.embedder, models.decomposer, Still())
    for note in notes:
        await keeper.apply(note, AT, ignore)
    return index


async def _judge(verifier: Verifier, case: ClaimCase, settings: VerificationSettings) -> Judged:
    sheets: list[ScoreSheetIssued] = []

    async def emit(event: Event) -> None:
        if isinstance(event, ScoreSheetIssued):
            sheets.append(event)

    text = TextGenerated(
        occurred_at=WRITTEN,
        text_id="claim",
        patient_id=case.patient_id,
        text=case.claim,
        settings=settings,
    )
    await verifier.verify(text, AT, emit)
    rows = sorted(sheets[0].judged, key=lambda row: WORST_FIRST.index(row.verdict))
    return Judged(
        case,
        rows[0].verdict if rows else Verdict.FAILED,
        rows[0].confidence if rows else 0.0,
        sum(row.rounds for row in rows),
        sum(row.judge_calls for row in rows),
    )


def claim_table(judged: Sequence[Judged]) -> str:
    """Markdown: per label the verdicts and the share that is right.

    Right is `supported` for a claim as given, and `not_supported` or `not_addressed` for a wrong
    one; to abstain or to fail is never right.
    """
    confusion = Confusion.of((each.case.label, each.verdict) for each in judged)
    verdicts = [verdict.value for verdict in Verdict]
    lines = [
        f"| label | {' | '.join(verdicts)} | all | right |",
        "|---" * (len(verdicts) + 3) + "|",
    ]
    for label in LABELS:
        total = confusion.total(label)
        right = sum(confusion.count(label, verdict) for verdict in _right(label))
        share = f"{right / total:.1%}" if total else "n/a"
        counts = [str(confusion.count(label, verdict)) for verdict in Verdict]
        lines.append(f"| {label} | {' | '.join(counts)} | {total} | {share} |")
    return "\n".join(lines)


def _right(label: str) -> tuple[Verdict, ...]:
    wrong = (Verdict.NOT_SUPPORTED, Verdict.NOT_ADDRESSED)
    return (Verdict.SUPPORTED,) if label == AS_GIVEN else wrong


async def ignore(_: Event) -> None:
    """Nobody listens."""
