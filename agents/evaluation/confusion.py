"""A confusion table: how often each label got each verdict.

Abstentions and failures are columns of their own and count as not right: nothing is left out of
the denominator. A label of which there is nothing has no share, not 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from schemas.verdicts import Verdict

WORST_FIRST = (
    Verdict.FAILED,
    Verdict.NOT_SUPPORTED,
    Verdict.NOT_ADDRESSED,
    Verdict.ABSTAINED,
    Verdict.SUPPORTED,
)
"""A statement of several propositions is as good as its worst."""


@dataclass(frozen=True)
class Confusion:
    counts: Mapping[tuple[str, Verdict], int]

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, Verdict]]) -> Self:
        """Count pairs of a statement's label and its verdict."""
        return cls(Counter((str(label), verdict) for label, verdict in pairs))

    def count(self, label: str, verdict: Verdict) -> int:
        return self.counts.get((label, verdict), 0)

    def total(self, label: str) -> int:
        return sum(self.count(label, verdict) for verdict in Verdict)

    def share(self, label: str, verdict: Verdict) -> float | None:
        """The share of `label` that got `verdict`; None when there is no such statement."""
        total = self.total(label)
        return self.count(label, verdict) / total if total else None


def markdown(confusion: Confusion, expected: Mapping[str, Verdict]) -> str:
    """The table, one row a label in the order of `expected`, with the share that is right."""
    verdicts = list(Verdict)
    header = ["label", *(verdict.value for verdict in verdicts), "all", "right"]
    rows = [header, ["---", *("---:" for _ in header[1:])]]
    for label, right in expected.items():
        share = confusion.share(label, right)
        cells = [str(confusion.count(label, verdict)) for verdict in verdicts]
        total = str(confusion.total(label))
        rows.append([str(label), *cells, total, "n/a" if share is None else f"{share:.1%}"])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
