"""What is asserted of each token: affirmed, negated, possible, hypothetical, someone else's, …

Scopes after ConText (Harkema and others, J Biomed Inform 2009; NegEx, Chapman and others 2001):
a trigger opens a scope forwards or backwards, which ends at a boundary. The word lists are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntFlag

from .vocabulary.tables import word_set


class Status(IntFlag):
    """What holds of a token, as bits; 0 is affirmed, present, of the patient."""

    NEGATED = 1
    POSSIBLE = 2
    HYPOTHETICAL = 4
    FAMILY = 8
    RESOLVED = 16
    PLANNED = 32
    NOT_DONE = 64
    STOPPED = 128
    SUBJECT = 256
    """Stands before a `not`: what is spoken of, neither affirmed nor denied."""


N, P, H, F, R, L, U, S, _ = Status
_FORWARD: dict[str, Status] = {
    "no": N, "denies": N, "denied": N, "deny": N, "denying": N, "without": N, "not": N,
    "cannot": N, "never": N, "negative for": N, "absence of": N, "absent": N, "free of": N,
    "lack of": N, "lacks": N, "lacking": N, "neither": N, "nor": N, "none": N, "non": N,
    "ruled out for": N, "rules out": N, "unremarkable for": N, "declines any": N, "rather than": N,
    "no longer": N | S, "negative": N, "unable to": N, "failed to": N, "fails to": N, "fail to": N,
    "inability to": N, "did not": N,
    "possible": P, "possibly": P, "probable": P, "probably": P, "likely": P, "suspected": P,
    "suspicion for": P, "suspicious for": P, "concern for": P, "concerning for": P, "may have": P,
    "may be": P, "might be": P, "might have": P, "could be": P, "rule out": P, "question of": P,
    "questionable": P, "presumed": P, "cannot exclude": P, "versus": P, "suspect": P,
    "worrisome for": P, "differential includes": P, "suggestive of": P,
    "if": H, "should she": H, "should he": H, "should the patient": H, "return for": H,
    "return if": H, "call if": H, "in case of": H, "in the event of": H, "monitor for": H,
    "watch for": H, "risk of": H, "risk for": H, "at risk": H, "unless": H, "precautions for": H,
    "resolved": R, "resolution of": R,
    "will": L, "plan to": L, "plan for": L, "planned": L, "plans to": L, "scheduled for": L,
    "scheduled to": L, "recommend": L, "recommended": L, "recommends": L, "consider": L,
    "considering": L, "would benefit from": L, "referred for": L, "refer to": L, "awaiting": L,
    "pending": L, "to undergo": L, "going to": L, "offered": L, "ordered": L, "needs": L,
    "refused": U, "refuses": U, "declined": U, "declines": U, "cancelled": U, "canceled": U,
    "deferred": U, "unable to obtain": U, "unable to tolerate": U, "opted against": U,
    "decided against": U, "did not undergo": U, "held off on": U,
    "stop": S, "stopped": S, "stopping": S, "discontinue": S, "discontinued": S, "hold": S,
    "held": S, "holding": S, "off of": S, "quit": S, "discontinuing": S, "ceased": S,
}  # fmt: skip
_BACKWARD: dict[str, Status] = {
    "ruled out": N, "was negative": N, "is negative": N, "are negative": N, "were negative": N,
    "negative": N, "denied": N, "absent": N, "not present": N, "not seen": N, "not noted": N,
    "not appreciated": N, "not identified": N, "not detected": N, "not found": N, "unlikely": N,
    "not evident": N, "not visualized": N, "excluded": N, "not elicited": N, "nonreactive": N,
    "suspected": P, "possible": P, "likely": P, "cannot be excluded": P, "not excluded": P,
    "in question": P, "?": P,
    "resolved": R, "has resolved": R, "in remission": R, "subsided": R, "gone": R,
    "scheduled": L, "planned": L, "pending": L, "recommended": L, "ordered": L, "considered": L,
    "refused": U, "declined": U, "cancelled": U, "canceled": U, "deferred": U, "not done": U,
    "not performed": U, "not obtained": U, "aborted": U, "postponed": U,
    "stopped": S, "discontinued": S, "held": S, "on hold": S, "not taken": S,
}  # fmt: skip
_PSEUDO = (
    "not only", "no increase", "no change", "no significant change", "no interval change",
    "not certain", "not necessarily", "gram negative", "no further", "not limited to", "without difficulty",
    "no doubt", "not drain", "no cause for", "no wonder", "not to mention", "no other",
)  # fmt: skip
"""Look like a negation and negate nothing of the patient."""
_SUBJECT_BEFORE = word_set("not never cannot")
_PURPOSE = word_set("for because due after")
"""Where the reach of a denied verb ends: not helpful | for her pain."""
_CLAUSE_ENDS = word_set(". ; , : but and who which that because although while")
_FAMILY = word_set(
    """family mother father brother sister parents sibling siblings grandmother grandfather aunt uncle son
    daughter cousin mom dad maternal paternal grandparents relatives niece nephew"""
)
_BOUNDARY = word_set(
    """but however except although though which who because secondary yet presents presented
    reports reported endorses endorsed states stated complains admits has had was is are were
    developed underwent and/or started remains showed shows reveals revealed . ; : | positive
    aside apart besides ( ) then will since"""
)
_LIST_BREAKERS = word_set(
    """normal clear intact stable regular positive soft well unremarkable present alert oriented
    symmetric equal reactive supple benign nontender may can could would might must will should is are was were has had have"""
)


def statuses(words: Sequence[str], section: str = "") -> list[Status]:
    """The status of every lower-case token; `section` may say that all is family history."""
    found = [Status(0)] * len(words)
    blocked = _blocked(words)
    for at in range(len(words)):
        if at in blocked:
            continue
        size, status = _trigger(words, at, _FORWARD)
        if size:
            _forward(words, at + size, status, found)
            if words[at] in _SUBJECT_BEFORE:
                _subject(words, at, found)
        size, status = _trigger(words, at, _BACKWARD)
        if size:
            _backward(words, at, status, found)
    _family(words, section, found)
    return found


def _blocked(words: Sequence[str]) -> set[int]:
    """Tokens of phrases that only look like negations."""
    blocked: set[int] = set()
    joined = " ".join(words)
    for phrase in _PSEUDO:
        if phrase in joined:
            parts = phrase.split()
            for at in range(len(words) - len(parts) + 1):
                if list(words[at : at + len(parts)]) == parts:
                    blocked.update(range(at, at + len(parts)))
    return blocked


def _trigger(words: Sequence[str], at: int, table: dict[str, Status]) -> tuple[int, Status]:
    for size in (4, 3, 2, 1):
        if at + size <= len(words):
            status = table.get(" ".join(words[at : at + size]))
            if status is not None:
                return size, status
    return 0, Status(0)


def _forward(words: Sequence[str], start: int, status: Status, found: list[Status]) -> None:
    if words[start - 1] == "negative":  # an adjective reaches its noun only
        end = min(start + 3, len(words))
    else:
        end = len(words)
    if start > 1 and words[start - 2] == "ruled":
        return
    verb = words[start - 1] in _SUBJECT_BEFORE
    for at in range(start, end):
        word = words[at]
        if verb and word in _PURPOSE and at > start + 1:
            return
        if word in _BOUNDARY and at > start:
            return
        if word in (".", ";"):
            return
        if word == "," and status & N and _list_ends(words, at):
            return
        found[at] |= status


def _subject(words: Sequence[str], at: int, found: list[Status]) -> None:
    for back in range(at - 1, max(-1, at - 14), -1):
        if words[back] in _CLAUSE_ENDS:
            return
        found[back] |= Status.SUBJECT


def _list_ends(words: Sequence[str], comma: int) -> bool:
    """Whether what follows this comma is a new statement rather than the next item of a list."""
    for word in words[comma + 1 : comma + 9]:
        if word in (",", ".", ";", "but", "however", "except"):
            return False
        if word in _LIST_BREAKERS or word in _BOUNDARY:
            return True
    return False


def _backward(words: Sequence[str], at: int, status: Status, found: list[Status]) -> None:
    """Reach back over the subject, to the clause's beginning."""
    if words[at] in ("negative", "resolved", "suspected", "possible", "likely", "absent"):
        follows = words[at + 1] if at + 1 < len(words) else "."
        if follows not in (".", ",", ";", ")", "and", "on", "at", "in", "today", "by", "since"):
            return  # an adjective or verb of what follows
    if words[at] in ("stopped", "discontinued", "held", "refused", "declined", "denied", "deferred",
                     "cancelled", "ordered", "recommended") and not _passive(words, at):  # fmt: skip
        return
    for back in range(at - 1, max(-1, at - 12), -1):
        word = words[back]
        if word in (".", ";", ",") or (word in ("but", "and", "however") and at - back > 1):
            return
        found[back] |= status


_PERSONS = word_set("he she they i we patient pt who it")


def _passive(words: Sequence[str], at: int) -> bool:
    """Whether what stands before a verb is its object: "was held", or telegraphic "EGD deferred"."""
    if at == 0:
        return False
    if words[at - 1] in ("was", "were", "is", "been", "be", "are", ":", "then", "temporarily"):
        return True
    for back in range(at - 1, max(-1, at - 8), -1):
        if words[back] in _CLAUSE_ENDS:
            break
        if words[back] in _PERSONS:
            return False
    return words[at - 1] not in _CLAUSE_ENDS


def _family(words: Sequence[str], section: str, found: list[Status]) -> None:
    whole = "family" in section.lower() and "social" not in section.lower()
    if whole:
        for at in range(len(words)):
            found[at] |= F
        return
    for at, word in enumerate(words):
        history = word == "family" and at + 1 < len(words) and words[at + 1] in ("history", "hx")
        if not history and (word not in _FAMILY or _companion(words, at)):
            continue
        for ahead in range(at, len(words)):
            if ahead > at and words[ahead] in (".", ";", "but", "she", "he", "patient"):
                break
            found[ahead] |= F
        if history:  # "… in the family history", "no family history of"
            for back in range(max(0, at - 1), at):
                found[back] |= F


def _companion(words: Sequence[str], at: int) -> bool:
    """`accompanied by her mother`, `lives with her son`: the relative is no bearer of a disease."""
    before = words[max(0, at - 3) : at]
    if words[at] == "family" and " ".join(words[at + 1 : at + 2]) not in ("has", "is", "had"):
        return True
    return any(word in ("by", "with", "to", "from", "for", "help") for word in before)
