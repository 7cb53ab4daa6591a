"""Medications started, stopped, held, resumed or changed: one atom for each drug."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from agents.omissions.salience.atom import NEGATED, Atom, content
from agents.omissions.salience.names import Kind, Mention, mentions
from agents.topic import about
from schemas.completeness import Salience
from schemas.verdicts import Category

ACTIONS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        name: re.compile(rf"(?<![\w/])(?:{words})(?!\w)", re.IGNORECASE)
        for name, words in (
            ("resumed", r"resum\w+|re-?start\w*"),
            ("stopped", r"stop(?:s|ped|ping)?|discontinu\w+|d/c(?:'?d)?|off|no longer"
                        r"|not to (?:be )?restart\w*"),
            ("held", r"held|hold(?:ing)?|on hold|withheld|paus\w+|suspend\w*"),
            ("started", r"start(?:s|ed|ing)?|initiat\w+|began|begun|new(?:ly)?|add(?:ed|ing)?"
                        r"|prescri\w+|rx"),
            ("increased", r"increas\w+|up-?titrat\w+|titrat\w+|rais\w+|doubl\w+"),
            ("decreased", r"decreas\w+|reduc\w+|lower(?:ed|ing)|taper\w*|wean\w*|halv\w+"),
            ("switched", r"switch\w*|chang(?:e|ed|ing)|replac\w+|transition\w*|convert\w*"),
        )
    }
)  # fmt: skip
"""What was done to a drug -> words that say so."""
_ARROW = re.compile(
    r"\d\s*(?:mg|mcg|g|units?)?\s*(?:->|\u2192|=>)|->\s*\d|\(was \d|\bfrom \d.*\bto \d|->\s*PO"
)
_HYPOTHETICAL = re.compile(
    r"\b(?:if|consider\w*|may|offered|vs|no|not|as|never|avoid)\b[^.]*$", re.IGNORECASE
)
_BULLET = 4
"""Characters before the first word of an item."""


def actions(text: str) -> frozenset[str]:
    """What `text` says was done, to whatever."""
    return frozenset(name for name, pattern in ACTIONS.items() if pattern.search(text))


def changes(text: str, lead: str | None) -> Iterator[Atom]:
    """By the heading over the fact where it says what was done, else by the fact's own words."""
    drugs = [m for m in mentions(text) if m.kind == Kind.DRUG]
    if lead in ACTIONS and not NEGATED.search(text.partition(". ")[0]):
        yield from _listed(text, drugs)
        return
    matches = [m for each in (*ACTIONS.values(), _ARROW) if (m := each.search(text))]
    moved = min(matches, key=lambda m: m.start(), default=None)
    if moved is None or _HYPOTHETICAL.search(text[: moved.start()]):
        return
    for drug in drugs:
        key = frozenset([drug.concept])
        yield Atom(Salience.MEDICATION_CHANGE, key, _sentence(text, drug), len(text))


def _listed(text: str, drugs: list[Mention]) -> Iterator[Atom]:
    """An item of a list of drugs begins with one or has a dose."""
    dosed = about(text, "") == Category.DOSE
    if drugs and (dosed or drugs[0].start <= _BULLET):
        yield Atom(Salience.MEDICATION_CHANGE, frozenset([drugs[0].concept]), 0, len(text))
    elif dosed:
        yield Atom(Salience.MEDICATION_CHANGE, content(text), 0, len(text), named=False)


def _sentence(text: str, at: Mention) -> int:
    return max((m.end() for m in re.finditer(r"\n\W*|\.\s", text[: at.start])), default=0)
