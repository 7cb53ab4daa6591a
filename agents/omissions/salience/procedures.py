"""Procedures that were done; not what is planned, was declined, or is done to everybody."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agents.omissions.salience.atom import NEGATED, Atom, content, is_affirmed, item_of, items
from agents.omissions.salience.names import Kind, concepts, mentions
from schemas.completeness import Salience

_TITLE = re.compile(
    r"\W*(?:procedure|operative|operation)(?: note| report)?s?(?: performed)?:", re.IGNORECASE
)
_SURGICAL = re.compile(r"surgical|procedures?\b(?! note)", re.IGNORECASE)
_DONE = re.compile(
    r"\b\w+(?:ectomy|ectomies|otomy|ostomy|plasty|oscopy|centesis|graphy|pexy|desis)\b"
    r"|\bunderwent\b|\bs/p\b|\bstatus post\b|\b(?:surgery|operation) (?:on|in|for|was|to)\b"
    r"|\bhad \w+ surgery\b|\b(?:was|were) (?:drained|resected|repaired|excised|sutured|stented"
    r"|amputated)\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:if|will|would|tomorrow|plan(?:s|ned)?|consider\w*|favou?r|recommend\w*|schedul\w+"
    r"|pending|candidate|eval(?:uation)? for|may|offered|consent\w*|vs|versus)\b",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(
    r"^\W*no\b|\bnot (?:done|performed)\b|\b(?:cancel|declin|refus|defer|abort)\w+", re.IGNORECASE
)
_ROUTINE = re.compile(
    r"\b(?:assessments?|screening|reconciliation|examination|review|education|counsel+ing"
    r"|guidance|teaching|questionnaire|care plan|identification test|self-care|surveillance)\b",
    re.IGNORECASE,
)


def procedures(text: str, section: str, *, listed: bool) -> Iterator[Atom]:
    """`listed`: a heading says that it is one. A surgical history parts them by commas."""
    title = _TITLE.match(text)
    begin = title.end() if title else 0
    if listed:
        yield from _listed(text, [(begin, len(text))])
    elif _SURGICAL.search(section):
        yield from _listed(text, items(text, begin, len(text)))
    elif not _PLANNED.search(text):
        done = [m for m in mentions(text) if m.kind == Kind.PROCEDURE and is_affirmed(text, m)]
        for each in done:
            start, end = item_of(text, each, begin)
            yield Atom(Salience.PROCEDURE, frozenset([each.concept]), start, end)
        if not done and _DONE.search(text) and not NEGATED.search(text):
            yield Atom(Salience.PROCEDURE, content(text), begin, len(text), named=False)


def _listed(text: str, places: Iterable[tuple[int, int]]) -> Iterator[Atom]:
    for start, end in places:
        item = text[start:end]
        if content(item) and not (_NOT_DONE.search(item) or _ROUTINE.search(item)):
            known = concepts(item, Kind.PROCEDURE)
            yield Atom(Salience.PROCEDURE, known or content(item), start, end, named=bool(known))
