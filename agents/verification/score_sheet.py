"""The score sheet: counts, shares and a sentence per label over a text's judged propositions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from schemas.verdicts import JudgedProposition, Verdict

_DESCRIPTIONS = {
    Verdict.SUPPORTED: "supported by the chart",
    Verdict.NOT_SUPPORTED: "contradicted by the chart or supported only in part",
    Verdict.NOT_ADDRESSED: "not in the chart",
    Verdict.ABSTAINED: "left open: the judge is not sure enough",
    Verdict.FAILED: "not judged: an error",
}


def counts(judged: Sequence[JudgedProposition]) -> dict[Verdict, int]:
    """How many propositions have each label; every label is there."""
    by_verdict = Counter(row.verdict for row in judged)
    return {label: by_verdict[label] for label in Verdict}


def shares(judged: Sequence[JudgedProposition]) -> dict[Verdict, float]:
    """Each label's share of all propositions, 0 to 1; all 0.0 when there are none."""
    total = len(judged)
    return {label: n / total if total else 0.0 for label, n in counts(judged).items()}


def summaries(judged: Sequence[JudgedProposition]) -> dict[Verdict, str]:
    """One sentence for each label that occurs: how many, and in which sections of the text."""
    return {
        label: _summary(label, [row for row in judged if row.verdict == label], len(judged))
        for label, n in counts(judged).items()
        if n
    }


def _summary(label: Verdict, rows: Sequence[JudgedProposition], total: int) -> str:
    noun = "proposition is" if total == 1 else "propositions are"
    sentence = f"{len(rows)} of {total} {noun} {_DESCRIPTIONS[label]}"
    if label == Verdict.SUPPORTED:
        notes = {cited.document_id for row in rows for cited in row.evidence}
        return f"{sentence}, by {len(notes)} {'note' if len(notes) == 1 else 'notes'}."
    sections = Counter(row.proposition.section for row in rows if row.proposition.section)
    if not sections:
        return f"{sentence}."
    return f"{sentence}: " + ", ".join(f"{name} {n}" for name, n in sections.most_common()) + "."
