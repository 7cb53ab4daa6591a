"""Whose it is: which tokens speak of a relative rather than of the patient."""

from __future__ import annotations

from collections.abc import Sequence

from .vocabulary.tables import word_set
from .vocabulary.triggers import FAMILY

_COMPANY = word_set("by with to from for help")
"""Accompanied by her mother, lives with his son: the relative bears no disease."""
_INFORMS = word_set(
    """notes noted reports reported states stated says said denies denied thinks believes brought
    brings called calls worries asks asked describes described confirms endorses helps"""
)
"""Mother reports that …: what follows is of the patient."""
_HISTORY = word_set("history hx")
_ENDS = word_set(". ; but she he patient pt")


def of_relatives(words: Sequence[str], section: str = "") -> set[int]:
    """Places of lower-case tokens that are about a relative; all of a family history section."""
    heading = section.lower()
    if "family" in heading and "social" not in heading:
        return set(range(len(words)))
    found: set[int] = set()
    for at, word in enumerate(words):
        history = word == "family" and bool(_HISTORY & set(words[at + 1 : at + 3]))
        if not history and (word not in FAMILY or not _bears(words, at)):
            continue
        found.update(range(max(0, at - 1), at) if history else ())
        for ahead in range(at, len(words)):
            if ahead > at and words[ahead] in _ENDS:
                break
            found.add(ahead)
    return found


def _bears(words: Sequence[str], at: int) -> bool:
    """Whether the relative at `at` is the one who has what follows."""
    after = words[at + 1] if at + 1 < len(words) else ""
    if words[at] == "family" and after not in ("has", "is", "had"):
        return False
    if after in _INFORMS:
        return False
    for back in range(at - 1, max(-1, at - 9), -1):
        if words[back] in _COMPANY:
            return False
        if words[back] not in FAMILY and words[back] not in (",", "and", "her", "his", "the", "a"):
            break
    return True
