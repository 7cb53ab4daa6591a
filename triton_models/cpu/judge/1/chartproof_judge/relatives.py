"""Whose it is: which tokens speak of a relative rather than of the patient, and of which one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from .vocabulary.kin import SIDES, persons
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
_OWNERS = word_set("his her the a an their maternal paternal patient s")
_CLAUSE = word_set(". ; , : but with and")
_AFTER = word_set(". , ; ) and at age aged who died ( in when deceased")
"""What may follow `in her mother` where it names whose disease it was."""
REACH = 8
LISTED = 8
"""Relatives that are listed together at most."""


class Kin(NamedTuple):
    """A relative as named: `word`, who that may be, and on which side of the family."""

    word: str
    persons: frozenset[str]
    side: str = ""

    def may_be(self, other: Kin) -> bool:
        """Whether both may name one person."""
        apart = self.side and other.side and self.side != other.side
        return bool(self.persons & other.persons) and not apart


def of_relatives(words: Sequence[str], section: str = "") -> set[int]:
    """Places of lower-case tokens that are about a relative; all of a family history section."""
    heading = section.lower()
    if "family" in heading and "social" not in heading:
        return set(range(len(words)))
    found: set[int] = set()
    reached = 0
    for at, word in enumerate(words):
        if word in FAMILY and _bore(words, at):
            found.update(_before(words, at))
            continue
        history = word == "family" and bool(_HISTORY & set(words[at + 1 : at + 3]))
        if not history and (word not in FAMILY or not _bears(words, at)):
            continue
        found.update(range(max(0, at - 1), at) if history else ())
        for ahead in range(max(at, reached), len(words)):
            if ahead > at and words[ahead] in _ENDS:
                break
            found.add(ahead)
            reached = ahead + 1
    return found


def relatives(words: Sequence[str]) -> list[tuple[int, Kin]]:
    """Every relative named, with its place."""
    found = []
    for at, word in enumerate(words):
        who = persons(word)
        if who:
            side = words[at - 1] if at and words[at - 1] in SIDES else ""
            found.append((at, Kin(f"{side} {word}".strip(), who, side)))
    return found


def whose(named: Sequence[tuple[int, Kin]], words: Sequence[str], at: int) -> Kin | None:
    """The relative whom the token at `at` is about, given that it is about one: the nearest before.

    `diabetes in her father` names him after. Several that are listed together are one.
    """
    after = bisect_right(named, at, key=itemgetter(0))
    for place, kin in named[after : after + REACH]:
        if place - at <= REACH and _bore(words, place):
            return kin
    until = bisect_left(named, at, key=itemgetter(0))
    before = list(named[max(0, until - LISTED) : until])
    if not before:
        return None
    place, kin = before.pop()
    while before and set(words[before[-1][0] + 1 : place]) <= {"and", ",", "or", *_OWNERS}:
        place, other = before.pop()
        kin = Kin(f"{other.word} and {kin.word}", kin.persons | other.persons)
    return kin


def _bore(words: Sequence[str], at: int) -> bool:
    """Whether it is named behind its disease: colon cancer in her father, colon cancer (father)."""
    start = at
    while start and words[start - 1] in _OWNERS:
        start -= 1
    before = words[start - 1] if start else ""
    after = words[at + 1] if at + 1 < len(words) else "."
    return (before == "in" and after in _AFTER) or (before == "(" and after in (")", ","))


def _before(words: Sequence[str], at: int) -> range:
    start = at
    while start > max(0, at - REACH) and words[start - 1] not in _CLAUSE:
        start -= 1
    return range(start, at + 1)


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
