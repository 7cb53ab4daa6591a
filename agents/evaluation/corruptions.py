"""Wrong claims from right ones: one change each, of a kind that matters, by a seed.

A right claim with another number, unit, side, drug, time or relative, or with its negation turned,
is no longer borne out by the chart that bears the right one out. The generator knows nothing of any
data set and of no judge; it changes one place and leaves the rest, so that a judge that answers by
the words in common is wrong. A changed claim may by chance be true elsewhere in a chart: use many.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, get_args

from agents.evaluation.corruption_tables import (
    DRUGS,
    NEGATIONS,
    RELATIVES,
    SIDES,
    TIMES,
    UNITS,
)

Kind = Literal["number", "unit", "side", "negation", "drug", "time", "family_member"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_NUMBER = re.compile(
    r"(?<![\w.,/\-])(?<!type )(?<!stage )(?<!grade )(?<!class )\d{1,4}(?:\.\d{1,2})?(?![\w,]*[\w])"
    r"(?!\.\d)",
    re.IGNORECASE,
)
_CONTENT = re.compile(r"[a-z]{4,}")
COMMON = 0.5
"""A foreign claim of which more than this share of the words stands in the chart is left out."""


@dataclass(frozen=True)
class Corruption:
    """`claim` is `original` with one place changed; `[start:end]` of `claim` is what is wrong."""

    kind: Kind
    original: str
    claim: str
    start: int
    end: int


def corruptions(claim: str, seed: int) -> list[Corruption]:
    """One wrong claim of each kind that the claim has a place for, in the order of `KINDS`."""
    result = (corrupted(claim, kind, seed) for kind in KINDS)
    return [each for each in result if each is not None]


def corrupted(claim: str, kind: Kind, seed: int) -> Corruption | None:
    """The claim with one place changed; None when it has none of this kind. Same seed, same one."""
    random = Random(f"{seed}|{kind}|{claim}")  # noqa: S311 - a sample, not a secret
    if kind == "number":
        places = [(m.start(), m.end(), _other_number(m[0], random)) for m in _numbers(claim)]
    else:
        places = _places(claim, _CHOICES[kind], random)
    if not places:
        return None
    start, end, new = random.choice(places)
    changed = claim[:start] + new + claim[end:]
    return Corruption(kind, claim, changed, start, start + len(new))


def foreign(
    claims: Mapping[str, Sequence[str]], patient: str, chart: str, n: int, seed: int
) -> list[str]:
    """`n` claims of other patients of which this patient's `chart` has few words (`COMMON`)."""
    given = set(_CONTENT.findall(chart.lower()))
    others = [
        claim
        for other, theirs in sorted(claims.items())
        if other != patient
        for claim in theirs
        if _share(claim, given) <= COMMON
    ]
    random = Random(f"{seed}|{patient}")  # noqa: S311 - a sample, not a secret
    return random.sample(others, min(n, len(others)))


def _share(claim: str, given: set[str]) -> float:
    words = set(_CONTENT.findall(claim.lower())) - {"patient"}
    return len(words & given) / len(words) if words else 1.0


def _numbers(claim: str) -> list[re.Match[str]]:
    return [m for m in _NUMBER.finditer(claim) if float(m[0]) > 0]


def _other_number(given: str, random: Random) -> str:
    """Far enough to be another value: half, double, half as much again, or a digit less or more."""
    digits = len(given.partition(".")[2])
    value = float(given)
    is_year = digits == 0 and 1900 <= value <= 2100
    values = [value - 7, value + 6] if is_year else [value / 2, value * 2, value * 1.5, value + 3]
    texts = {f"{each:.{digits}f}" for each in values} - {given, "0", "0.0", "0.00"}
    return random.choice(sorted(texts))


def _places(
    claim: str, choices: Mapping[str, tuple[str, ...]], random: Random
) -> list[tuple[int, int, str]]:
    """Where a phrase of the table stands, the longest one at each place, with another for it."""
    phrases = sorted(choices, key=len, reverse=True)
    pattern = "|".join(re.escape(phrase) for phrase in phrases)
    result = re.finditer(rf"(?<![\w-])(?:{pattern})(?![\w-])", claim, re.IGNORECASE)
    return [
        (m.start(), m.end(), _cased(m[0], random.choice(choices[m[0].lower()]))) for m in result
    ]


def _cased(old: str, new: str) -> str:
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


_CHOICES: dict[Kind, Mapping[str, tuple[str, ...]]] = {
    "unit": UNITS,
    "side": SIDES,
    "negation": NEGATIONS,
    "drug": DRUGS,
    "time": TIMES,
    "family_member": RELATIVES,
}
