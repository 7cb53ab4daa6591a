"""Minimal pairs by rule: a true statement with one number, side or direction changed.

Kept under a tenth of the training examples: alone they teach that only small changes make a
statement wrong.
"""

import random
import re
from collections.abc import Sequence

_NUMBER = re.compile(r"(?<![\w.,/])\d+(?:,\d{3})*(?:\.\d+)?(?![\w,/]|\.\d)")

_OPPOSITES = (
    ("left", "right"),
    ("increased", "decreased"),
    ("increase", "decrease"),
    ("rose", "fell"),
    ("rising", "falling"),
    ("higher", "lower"),
    ("improved", "worsened"),
    ("improving", "worsening"),
    ("started", "stopped"),
    ("positive", "negative"),
    ("reports", "denies"),
    ("reported", "denied"),
    ("with", "without"),
    ("mild", "severe"),
    ("mildly", "severely"),
    ("once", "twice"),
    ("before", "after"),
    ("upper", "lower"),
    ("mother", "father"),
    ("normal", "abnormal"),
    ("acute", "chronic"),
    ("bilateral", "unilateral"),
    ("elevated", "low"),
    ("daily", "weekly"),
    ("continued", "discontinued"),
    ("intravenous", "oral"),
    ("small", "large"),
)
_OTHER = dict(_OPPOSITES) | {b: a for a, b in _OPPOSITES}
_WORD = re.compile(r"\b(" + "|".join(_OTHER) + r")\b", re.IGNORECASE)


def _replaced(text: str, result: re.Match[str], new: str) -> str:
    return text[: result.start()] + new + text[result.end() :]


def _other_number(value: str, facts: Sequence[str], rng: random.Random) -> str:
    """Another value of the same chart that looks alike, or one nearby."""
    plain = value.replace(",", "")
    decimals = len(plain.partition(".")[2])
    number = float(plain)
    if rng.random() < 0.5:
        alike = sorted(
            {
                other
                for fact in facts
                for other in _NUMBER.findall(fact)
                if len(other.replace(",", "").partition(".")[2]) == decimals
                and float(other.replace(",", "")) != number
                and 0.4 * number <= float(other.replace(",", "")) <= 2.5 * number
            }
        )
        if alike:
            return str(rng.choice(alike))
    changed = number * rng.choice((0.5, 0.7, 0.8, 0.9, 1.1, 1.2, 1.3, 1.5, 2))
    if decimals == 0:
        changed = max(1.0, round(changed))
        if changed == number:
            changed += 1
    result = f"{changed:.{decimals}f}"
    return result if float(result) != number else f"{number + 10**-decimals:.{decimals}f}"


def corrupted(
    text: str, keys: Sequence[str], facts: Sequence[str], rng: random.Random
) -> str | None:
    """The statement made wrong against the facts that bear it out; None: no safe change."""
    known = " ".join(keys)
    numbers = [
        m
        for m in _NUMBER.finditer(text)
        if re.search(rf"(?<![\d.]){re.escape(m.group())}(?![\d]|\.\d)", known)
    ]
    words = list(_WORD.finditer(text))
    if numbers and (not words or rng.random() < 0.7):
        result = rng.choice(numbers)
        return _replaced(text, result, _other_number(result.group(), facts, rng))
    if words:
        result = rng.choice(words)
        new = _OTHER[result.group().lower()]
        return _replaced(text, result, new.capitalize() if result.group()[0].isupper() else new)
    return None
