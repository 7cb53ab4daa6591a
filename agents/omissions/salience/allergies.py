"""Allergies and intolerances: one atom for each allergen; none where one is denied."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agents.omissions.salience.atom import LINES, NEGATED, Atom, content, items
from agents.omissions.salience.names import Kind, mentions
from schemas.completeness import Salience

_ALLERGIC_TO = re.compile(
    r"\ballergic to\b|\ballerg(?:y|ies) (?:to|include)|\ballerg[^:.]{0,30}:|\bintoleran"
    r"|\b(?!(?:seasonal|food|an?|the|any|no|his|her|of|for)\b)\w+ allergy\b"
    r"|\banaphyla\w+ (?:to|with|from)|\badverse reaction to\b"
    r"|\bcause[sd] (?:hives|a? ?rash|anaphylaxis|angioedema)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"[^:]{0,40}?(?:allerg|intoleran)[^:]{0,30}:\s*", re.IGNORECASE)
_ABOUT = re.compile(
    r"\b(?:allerg\w*|intoleran\w*|causes?|reaction|to|anaphyla\w*|history|has|had)\b", re.IGNORECASE
)
_REACTION_AFTER = re.compile(r"[:(]|->|\s[-\u2013]\s|\bcauses?\b")
_LONGEST = 6
"""Words of what is still an allergen and no story."""
_NO_ALLERGEN = frozenset(
    [
        "drug",
        "medication",
        "food",
        "environmental",
        "seasonal",
        "past",
        "medical",
        "known",
        "multiple",
        "documented",
    ]
)


def are_told(text: str, section: str) -> bool:
    """Under allergies every statement is about one, whatever its words."""
    return "allerg" in section.casefold() or bool(_ALLERGIC_TO.search(text))


def allergies(text: str, section: str) -> Iterator[Atom]:
    """By the drug's name where it has one, else by what precedes the reaction."""
    label = _LABEL.match(text)
    begin = label.end() if label else 0
    drugs = [m for m in mentions(text) if m.kind == Kind.DRUG]
    listed = "allerg" in section.casefold() or begin > 0 or not drugs
    for start, end in items(text, begin, len(text), LINES):
        item = text[start:end]
        if NEGATED.search(text[begin:start].rpartition(";")[2] + item):
            continue
        named = [drug for drug in drugs if start <= drug.start < end]
        if named:  # "ACE-I (lisinopril)": the drug comes after its class
            yield Atom(Salience.ALLERGY, frozenset([named[-1].concept]), start, end)
        elif listed and (key := _allergen(item)):
            yield Atom(Salience.ALLERGY, key, start, end, named=False)


def _allergen(item: str) -> frozenset[str]:
    key = content(_ABOUT.sub(" ", _REACTION_AFTER.split(item)[0]))
    return frozenset() if key <= _NO_ALLERGEN or len(key) > _LONGEST else key
