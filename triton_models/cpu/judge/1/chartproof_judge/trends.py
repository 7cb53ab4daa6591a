"""Changes of a measured value in one statement: Hgb 11 -> 8 says that it fell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .quantities import Quantity
from .vocabulary.tables import word_list
from .words import stem

UP = word_list("rose increased risen rising climbed uptrended uptrending")
DOWN = word_list("fell decreased fallen dropped declined reduced downtrended downtrending")
BETTER = word_list("improved improving better recovered")
WORSE = word_list("worsened worsening worse deteriorated")
_BETTER_LOW = frozenset(
    ("creatinine", "blood urea nitrogen", "troponin", "lactate", "c reactive protein",
     "brain natriuretic peptide", "hemoglobin a1c", "bilirubin", "lipase",
     "alanine aminotransferase", "aspartate aminotransferase", "erythrocyte sedimentation rate",
     "low density lipoprotein", "triglyceride", "cholesterol", "prostate specific antigen")
)  # fmt: skip
_BETTER_HIGH = frozenset(
    ("oxygen saturation", "ejection fraction", "glomerular filtration rate", "hemoglobin",
     "hematocrit", "high density lipoprotein", "albumin")
)  # fmt: skip
"""Measures of which less, or more, is as a rule the better; of the rest no change says which."""
_SAID = frozenset(stem(word) for word in UP + DOWN + BETTER + WORSE)


def implied(quantities: Sequence[Quantity]) -> list[str]:
    """Words that a statement says by a change of a value: 11 -> 8 that it fell."""
    found: list[str] = []
    for before, after in changes(quantities):
        found.append("initially")
        if before.low == after.low:
            continue
        rose = after.low > before.low
        found += UP if rose else DOWN
        if after.anchor in _BETTER_LOW:
            found += WORSE if rose else BETTER
        elif after.anchor in _BETTER_HIGH:
            found += BETTER if rose else WORSE
    return found


def changes(quantities: Sequence[Quantity]) -> list[tuple[Quantity, Quantity]]:
    """Each value that is said to have become another, with that."""
    return [
        (before, after)
        for at, before in enumerate(quantities)
        for after in quantities[at + 1 : at + 2]
        if before.outdated
        and (before.kind, before.anchor, before.dimension)
        == (after.kind, after.anchor, after.dimension)
    ]


def moving(
    quantities: Sequence[Quantity], words: Iterable[str], measures: Iterable[str]
) -> set[str]:
    """Which of the measures that a statement names it says to have changed."""
    found = {after.anchor for _, after in changes(quantities) if after.anchor}
    if _SAID & {stem(word) for word in words}:
        found |= set(measures)
    return found
