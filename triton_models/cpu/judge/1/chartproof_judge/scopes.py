"""How far a trigger reaches, forwards over its object or backwards over its subject."""

from __future__ import annotations

from collections.abc import Sequence

from .vocabulary.events import NO_OBJECT
from .vocabulary.tables import word_set
from .vocabulary.triggers import (
    BOUNDARY,
    CLAUSE_ENDS,
    DENYING,
    LIST_BREAKERS,
    MODIFIES,
    PURPOSE,
    SUBJECT_BEFORE,
    Status,
)

IS = word_set("was is were are been be being :")
_TO_COME = word_set("going gon na to be yet currently")
_ADJECTIVES = {"negative": 3, "non": 2, "off": 3}
"""They reach their noun only; a hyphen is a token."""
_ANEW = word_set(
    """continue continued continues continuing start started begin began resume resumed restarted
    increase increased give gave given add added switch switched status underwent"""
)
"""Where what is stopped, or planned, ends."""
_SPEAKERS = word_set("i we")
"""Begin a clause of their own, where speech has no punctuation."""
_JOINTS = word_set("but and however ,")
_SAYS = word_set("persists continues improves worsens occurs denies takes")
_CHANGES = word_set("switched changed transitioned")
_FORMS = word_set("oral po iv daily bid tid nightly prn extended long short once twice an a the")
_PERSONS = word_set("he she they i we patient pt who it")
_VERBS = word_set(
    """stopped discontinued held refused declined denied deferred cancelled canceled ordered
    recommended scheduled"""
)
REACH = 40
"""Tokens that a scope spans at most; sentences are shorter, and odd input stays linear."""
ITEM = 4
"""Tokens of an item of a list at most."""


def forward(words: Sequence[str], start: int, status: Status, found: list[Status]) -> None:
    """Reach over the object, to a boundary. `start` is behind the trigger."""
    end = min(start + _ADJECTIVES.get(words[start - 1], REACH), len(words))
    if "ruled" in words[max(0, start - 2) : start] and _ruled_out_before(words, start):
        return
    if words[start - 1] in DENYING and _modifies(words, start):
        return
    verb = words[start - 1] in SUBJECT_BEFORE or bool(status & Status.INSTRUCTED)
    for at in range(start, end):
        word = words[at]
        if ((verb and word in PURPOSE) or word in _SPEAKERS) and at > start + 1:
            return
        if word in (".", ";") or (word in BOUNDARY and at > start):
            return
        if word in _ANEW and at > start and status in (Status.STOPPED, Status.PLANNED):
            return
        if word == "," and status & Status.NEGATED and _list_ends(words, at, verb):
            return
        found[at] |= status


def _ruled_out_before(words: Sequence[str], start: int) -> bool:
    """Whether `ruled out` is of what stands before it: PE was ruled out, PE ruled out by CTA."""
    if start > 2 and words[start - 3] in IS:
        return True
    follows = words[start] if start < len(words) else "."
    return not follows[0].isalpha() or follows in NO_OBJECT


def _modifies(words: Sequence[str], start: int) -> bool:
    """Whether it is a change that is denied: not going to change your amlodipine."""
    ahead = [word for word in words[start : start + 4] if word not in _TO_COME]
    return bool(ahead) and ahead[0] in MODIFIES


def subject(words: Sequence[str], at: int, found: list[Status]) -> None:
    for back in range(at - 1, max(-1, at - 14), -1):
        if words[back] in CLAUSE_ENDS:
            return
        found[back] |= Status.SUBJECT


def _list_ends(words: Sequence[str], comma: int, verb: bool) -> bool:
    """Whether what follows this comma is a new statement rather than the next item of a list."""
    for word in words[comma + 1 : comma + 9]:
        if word in (",", ".", ";", "but", "however", "except"):
            return False
        if word in ("or", "nor") and not verb:  # no rash, hives or itch is seen
            return False
        if word in LIST_BREAKERS or word in BOUNDARY:
            return True
    return False


def backward(words: Sequence[str], at: int, status: Status, found: list[Status]) -> None:
    """Reach back over the subject, to the clause's beginning."""
    if words[at] in ("negative", "resolved", "suspected", "possible", "likely", "absent"):
        follows = words[at + 1] if at + 1 < len(words) else "."
        if follows not in (".", ",", ";", ")", "and", "on", "at", "in", "today", "by", "since"):
            return  # an adjective or verb of what follows
    if words[at] == "ruled" and not _ruled_out_before(words, at + 2):
        return
    if words[at] in _CHANGES and words[at + 2 : at + 3] and _not_a_drug(words[at + 2]):
        return  # changed to 50 mg: the same drug goes on
    start = at - 1
    if words[at] in _VERBS and not _passive(words, at):
        if not _refusal(words, at):
            return
        while start > 0 and words[start] not in (",", "-", ";"):  # EGD offered, pt declined
            start -= 1
        start -= 1
    many = _of_many(words, at)
    for back in range(start, max(-1, at - 12), -1):
        word = words[back]
        ends = word in (".", ";") or (word in _JOINTS and at - back > 1)
        if ends and not (many and word in ("and", ",") and _listed(words, back)):
            return
        found[back] |= status


def _of_many(words: Sequence[str], at: int) -> bool:
    """Whether the verb is of several things: PE and DVT were ruled out."""
    return bool({"were", "are", "both"} & set(words[max(0, at - 2) : at]))


def _listed(words: Sequence[str], joint: int) -> bool:
    """Whether an item of a list stands before a comma or an `and`: a few words and no verb."""
    start = joint
    while start > 0 and words[start - 1] not in (",", "and", "or", ".", ";"):
        start -= 1
    item = words[start:joint]
    return len(item) <= ITEM and not any(
        word in BOUNDARY or word in _SAYS or word in LIST_BREAKERS or word.endswith("ed")
        for word in item
    )


def _not_a_drug(word: str) -> bool:
    return word[0].isdigit() or word in _FORMS


def _refusal(words: Sequence[str], at: int) -> bool:
    """Whether a refusal names no object of its own, so that it is of what stands before."""
    after = words[at + 1] if at + 1 < len(words) else "."
    return words[at] in ("declined", "refused") and not after[0].isalnum()


def _passive(words: Sequence[str], at: int) -> bool:
    """Whether what stands before a verb is its object: "was held", "EGD deferred"."""
    if at == 0:
        return False
    if words[at - 1] in ("was", "were", "is", "been", "be", "are", ":", "then", "temporarily"):
        return True
    for back in range(at - 1, max(-1, at - 8), -1):
        if words[back] in CLAUSE_ENDS:
            break
        if words[back] in _PERSONS:
            return False
    return words[at - 1] not in CLAUSE_ENDS
