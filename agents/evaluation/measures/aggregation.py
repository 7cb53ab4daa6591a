"""From the statements of a text to the text: by which rule it is called false, and how well.

MedSNIP and FactScore-like measures differ only here: a text is false when any statement is
(`or_false`), when all are (`and_false`), when more than half are (`majority`), or when at least `k`
are (`threshold`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sklearn.metrics import f1_score

Rule = Literal["or_false", "and_false", "majority", "threshold"]


def is_false(statements: Sequence[bool], rule: Rule, k: int = 1) -> bool:
    """`statements`: whether each is false. A text without any is not false."""
    false = sum(statements)
    match rule:
        case "or_false":
            return false > 0
        case "and_false":
            return bool(statements) and false == len(statements)
        case "majority":
            return 2 * false > len(statements)
        case "threshold":
            return bool(statements) and false >= k


def f1_false(gold: Sequence[bool], called: Sequence[bool]) -> float | None:
    """F1 of the false class; None where none is false and none is called so."""
    if not any(gold) and not any(called):
        return None
    return float(f1_score(list(gold), list(called), pos_label=True, zero_division=0.0))
