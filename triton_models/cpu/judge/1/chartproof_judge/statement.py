"""What is read in the place of a proposition: under its heading, without its opening pronoun."""

from __future__ import annotations

from typing import NamedTuple

from .antecedent import resolved
from .reading import word_set
from .request import Request

_DECIDING = word_set(
    "stop stopped stopping discontinued discontinue changed new start started continue "
    "continued allergies allergy family hold held pending planned plan declined"
)
"""Headings with one of these change what a bullet says: "Aspirin 81 mg" under "Stopped"."""


class Statement(NamedTuple):
    text: str
    shift: int
    """Characters that stand in `text` before a place and not in the proposition."""
    referent: str
    """What its opening pronoun was taken for; empty where it has none."""


def statement_of(request: Request) -> Statement:
    text, referent = resolved(request.statement, request.surroundings)
    shift = len(text) - len(request.statement)
    if any(word in _DECIDING for word in request.section.lower().split()):
        return Statement(f"{request.section}: {text}", shift + len(request.section) + 2, referent)
    return Statement(text, shift, referent)
