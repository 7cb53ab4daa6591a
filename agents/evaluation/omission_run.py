"""Summaries with known omissions through the finder of omissions, in this process, and the table.

Recall: of the facts that were left out, how many are listed. Precision: of what is listed and is in
the gold, how much was left out. What is listed and in no gold is in a column of its own: of the
sample and of Synthea it need not be said, of labelled claims nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.adapters.models import Models
from agents.evaluation.charts_in_memory import indexed
from agents.evaluation.omission_cases import Summary, SummaryCase
from agents.omissions.finder import OmissionFinder
from agents.verification.verifier import proposition_of
from schemas.completeness import Omissions, Salience
from schemas.texts import TextGenerated, VerificationSettings

Mark = Literal["left_out", "said", "not_in_gold"]
"""What a listed fact is by the gold."""
_HEADER = ("kind", "left out", "of them listed", "recall", "listed", "left out", "said",
           "not in gold", "precision")  # fmt: skip


@dataclass(frozen=True)
class Listed:
    """What was listed of one summary. `marks`: one for each omission, in order."""

    summary: Summary
    found: Omissions
    marks: tuple[Mark, ...]
    hit: frozenset[int]
    """Indices of the facts left out that are listed."""


async def list_omissions(
    models: Models,
    cases: Sequence[SummaryCase],
    summaries: Sequence[Summary],
    progress: Callable[[int], None] = lambda _: None,
) -> list[Listed]:
    """What the finder lists of each summary, in order. `progress` is told how many are done."""
    notes = {note.event_id: note for case in cases for note in case.notes}
    index = await indexed(models, notes.values())
    finder = OmissionFinder(index, models.embedder, models.reranker, models.judge)
    listed = []
    for n, summary in enumerate(summaries):
        text = _text(summary)
        settings = text.settings
        result = await models.decomposer.propositions(
            text.text, settings.unit, settings.decomposition
        )
        given = [proposition_of(text, at, span) for at, span in enumerate(result.units)]
        listed.append(marked(summary, await finder.find(text, given)))
        progress(n + 1)
    return listed


def marked(summary: Summary, result: Omissions) -> Listed:
    """The omissions of a summary held against what was left out of it."""
    facts = summary.case.facts
    marks: list[Mark] = []
    hit: set[int] = set()
    for omission in result.omissions:
        about = {n for n, fact in enumerate(facts) if fact.is_about(omission.evidence.quote)}
        gone = about & summary.left_out
        hit |= gone
        marks.append("left_out" if gone else "said" if about else "not_in_gold")
    return Listed(summary, result, tuple(marks), frozenset(hit))


def omission_table(listed: Sequence[Listed]) -> str:
    """Markdown: per kind and for all, recall and precision with what they are made of."""
    lines = [_line(_HEADER), _line("---" for _ in _HEADER)]
    lines += [_line(_row(kind.value.replace("_", " "), listed, {kind})) for kind in Salience]
    lines.append(_line(_row("all", listed, set(Salience))))
    return "\n".join(lines)


def _row(name: str, listed: Sequence[Listed], kinds: set[Salience]) -> list[str]:
    gone = [(n, each) for each in listed for n in each.summary.left_out
            if each.summary.case.facts[n].kind in kinds]  # fmt: skip
    hit = sum(n in each.hit for n, each in gone)
    marks = [
        mark
        for each in listed
        for omission, mark in zip(each.found.omissions, each.marks, strict=True)
        if omission.salience in kinds
    ]
    right, given = marks.count("left_out"), marks.count("said")
    return [name, str(len(gone)), str(hit), _share(hit, len(gone)), str(len(marks)), str(right),
            str(given), str(marks.count("not_in_gold")), _share(right, right + given)]  # fmt: skip


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "n/a"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(summary: Summary) -> TextGenerated:
    case = summary.case
    return TextGenerated(
        occurred_at=case.as_of,
        text_id="summary",
        patient_id=case.patient_id,
        text=summary.text,
        encounter_id=case.encounter_id,
        settings=VerificationSettings(omissions=True),
    )
