"""What facts of different times say together: Cr 1.0 on Monday, Cr 2.1 on Wednesday, so it rose.

Each of them alone contradicts half of `creatinine rose from 1.0 to 2.1`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .compare import comparable, relate
from .evidence import Fact
from .numbers_read import ARROW
from .quantities import Quantity
from .statement import Statement
from .trends import changes, moving

MAX_VALUES = 40
"""Values of one measure that are looked at, the latest ones: the work stays bounded."""

Told = tuple[Fact, Quantity]


def series(
    proposition: Statement, facts: Sequence[Fact], parse: Callable[[str, str], Statement]
) -> list[Fact]:
    """A fact for each measure that the proposition says to have changed: its change in the chart.

    It has the id of the earlier value's fact, and in `more` that of the later one's.
    """
    measures = {term.key for term in proposition.terms if term.kind == "measure"}
    found = []
    for anchor in sorted(moving(proposition.quantities, proposition.words, measures)):
        told = [
            (fact, value)
            for fact in sorted(facts, key=lambda fact: (fact.order, fact.id))
            for value in fact.statement.quantities
            if (value.anchor, value.kind) == (anchor, "value") and not value.outdated
        ]
        pair = _pair(proposition, anchor, told[-MAX_VALUES:])
        if pair:
            (first, before), (last, after) = pair
            text = f"{anchor} {before.written} {ARROW} {after.written}"
            fact = Fact(
                first.id, text, last.time, last.score, last.order, parse(text, ""), last.when,
                more=(last.id,),
            )  # fmt: skip
            found.append(fact)
    return found


def _pair(proposition: Statement, anchor: str, told: Sequence[Told]) -> tuple[Told, Told] | None:
    """The two values that the proposition names, in its order; else the first and the last."""
    if not told or told[0][0].order == told[-1][0].order:
        return None
    for before, after in changes(proposition.quantities):
        if after.anchor == anchor:
            for at, (first, value) in enumerate(told):
                for last, later in told[at + 1 :]:
                    if first.order < last.order and _is(before, value) and _is(after, later):
                        return (first, value), (last, later)
    return told[0], told[-1]


def _is(wanted: Quantity, value: Quantity) -> bool:
    return comparable(wanted, value) and relate(wanted, value) == "agree"
