"""Numbers in figures and in words: 12000, twenty-five, a dozen, half a tablet, one and a half."""

from __future__ import annotations

from .units import Units
from .vocabulary.tables import word_list

_SMALL = word_list(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen"""
)
_TENS = word_list("twenty thirty forty fifty sixty seventy eighty ninety")
NUMBER_WORDS = {word: value for value, word in enumerate(_SMALL)} | {
    word: 10 * (value + 2) for value, word in enumerate(_TENS)
}
_FACTORS = {"dozen": 12, "hundred": 100, "thousand": 1_000, "million": 1_000_000}
_MULTIPLES = {"single": 1, "double": 2, "triple": 3}
"""Numbers before a unit only: single-vessel, triple dose."""
_ARTICLES = ("a", "an")
STARTS = frozenset(("half", *_ARTICLES, *NUMBER_WORDS, *_MULTIPLES))
"""Words with which a number in words may begin."""
_LONGEST = 15
"""Digits read of one number: more says nothing, and would lose precision."""

Value = tuple[float, int]
"""A number, and one past its tokens."""


def value(words: list[str], at: int, units: Units) -> Value | None:
    """The number at `words[at]` (lower case), or None."""
    if at >= len(words):
        return None
    word = words[at]
    if word == "half":
        return _half(words, at, units)
    if word in _ARTICLES:
        return (12.0, at + 2) if words[at + 1 : at + 2] == ["dozen"] else None
    if word in _MULTIPLES:
        unit = units.at(words, at + 1 + (words[at + 1 : at + 2] == ["-"]))
        return (float(_MULTIPLES[word]), at + 1) if unit else None
    read = figures(word, at) if word[0].isdecimal() else _in_words(words, at)
    if read is None:
        return None
    number, end = read
    factor = _FACTORS.get(words[end]) if end < len(words) else None
    if factor:
        number, end = number * factor, end + 1
    more = _and_a_part(words, end, units)
    return (number + more[0], more[1]) if more and number % 1 == 0 else (number, end)


def figures(word: str, at: int) -> Value | None:
    """A number in figures; `at` is where it stands."""
    if not word.isascii() or len(word) > _LONGEST:
        return None
    try:
        return float(word), at + 1
    except ValueError:
        return None


def _in_words(words: list[str], at: int) -> Value | None:
    number = NUMBER_WORDS.get(words[at])
    if number is None or (words[at] == "one" and words[at + 1 : at + 2] in (["of"], ["or"])):
        return None
    end = at + 1
    if number >= 20:
        step = end + (words[end : end + 1] == ["-"])
        ones = NUMBER_WORDS.get(words[step], 0) if step < len(words) else 0
        if 0 < ones < 10:
            return float(number + ones), step + 1
    return float(number), end


def _half(words: list[str], at: int, units: Units) -> Value | None:
    """`half a tablet`, `half tablet`, `half of a tablet`, `half a dozen`: of something counted."""
    end = at + 1
    while end < len(words) and end < at + 3 and words[end] in ("of", *_ARTICLES):
        end += 1
    if words[end : end + 1] == ["dozen"]:
        return 6.0, end + 1
    return (0.5, end) if units.at(words, end) else None


def _and_a_part(words: list[str], at: int, units: Units) -> Value | None:
    """`... and a half`, `... 1/2 tablet`: the rest of a mixed number."""
    if words[at : at + 3] == ["and", "a", "half"]:
        return 0.5, at + 3
    start = at + (words[at : at + 1] == ["and"])
    if words[start : start + 3] == ["1", "/", "2"] and units.at(words, start + 3):
        return 0.5, start + 3
    return None
