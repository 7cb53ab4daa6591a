"""Whose it is: the patient's, or a relative's or donor's (NegEx/ConText's "experiencer",
Harkema et al. 2009)."""

from __future__ import annotations

from ..reading import Dated, word_set
from .cues import compared
from .signal import Signal

CUES = word_set(
    "mother father brother sister son daughter aunt uncle grandmother grandfather "
    "grandparent cousin niece nephew parent parents sibling siblings maternal paternal wife "
    "husband spouse partner donor family familial mum mom dad mother's father's brother's "
    "sister's fhx"
)


def check(statement: Dated, fact: Dated) -> list[Signal]:
    return compared(statement, fact, CUES)
