"""The fact says it in the statement's own words: all of them, in their order, and nothing between
that turns them (a denial, a relative, a plan, a doubt, an end)."""

from __future__ import annotations

from ..reading import Dated, Text, is_content, stem, word_set
from .quantities import UNITS
from .signal import Signal

TURNING = word_set(
    "no not denies denied denying without never none negative absent nor neither mother "
    "father brother sister son daughter aunt uncle grandmother grandfather cousin maternal "
    "paternal family plan planned will scheduled consider considering pending awaiting "
    "recommend if possible possibly probable probably likely suspected unlikely rule "
    "cancelled canceled declined declines refused held hold stopped stop discontinued "
    "deferred left right bilateral"
)
LEAST = 2
"""Words that a statement needs to be told from a chance."""


def words(text: Text) -> list[str]:
    """Stems of its content words, its numbers, and its words that turn others; in order.

    Units are left to `numbers`, which finds another one in conflict.
    """
    return [
        token.text.replace(",", "") if token.is_number else stem(token.text)
        for token in text.tokens
        if token.is_number
        or token.text in TURNING
        or (is_content(token) and token.text not in UNITS and token.text != "dl")
    ]


def check(statement: Dated, fact: Dated) -> list[Signal]:
    """One signal, for the whole statement, where the fact repeats it."""
    mine, theirs = words(statement.read), words(fact.read)
    whole = (0, len(statement.read.text))
    if len(mine) < LEAST or not _within(mine, theirs):
        return []
    turned = {stem(word) for word in TURNING}
    if (set(theirs) & turned) - set(mine):
        return []
    return [Signal("agree", whole)]


def _within(mine: list[str], theirs: list[str]) -> bool:
    rest = iter(theirs)
    return all(word in rest for word in mine)
