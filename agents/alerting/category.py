"""What a judged proposition is about: the checks that decided say it, else its words.

"side" is a contradicted side, not every mention of a leg.
"""

from __future__ import annotations

from agents.topic import about, is_allergy
from schemas.alerts import Category
from schemas.verdicts import JudgedProposition

_CHECKS = {
    "side": Category.SIDE,
    "drugs": Category.DOSE,
    "demographics": Category.DEMOGRAPHIC,
    "procedures": Category.PROCEDURE,
    "attempts": Category.PROCEDURE,
    "family_history": Category.DIAGNOSIS,
    "relatives": Category.DIAGNOSIS,
    "allergies": Category.ALLERGY,
    "disposition": Category.FOLLOW_UP,
}
"""A check that decided -> what it is about."""


def category_of(judged: JudgedProposition) -> Category:
    """What the proposition is about; `other` when no rule fits."""
    text, section = judged.proposition.text, judged.proposition.section or ""
    if is_allergy(text, section):
        return Category.ALLERGY
    for check in judged.checks:
        if check in _CHECKS:
            return _CHECKS[check]
    return about(text, section)
