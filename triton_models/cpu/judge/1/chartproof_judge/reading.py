"""A statement or a fact as the checks read it: tokens with their places, and its time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)?|[^\w\s]", re.UNICODE)
_CLAUSE = frozenset(".;!?\n")
_STOP = word_set(
    "a an and are as at be been being but by did do does for from had has have he her hers "
    "him his i in into is it its may of on or over she than that the their them there these "
    "they this those through to under until up was we were which while who will with within "
    "patient patient's also after before during then now about noted reported day days date "
    "time"
)
MAX_CHARS = 20_000


@dataclass(frozen=True)
class Token:
    text: str
    """Lower case."""
    start: int
    end: int
    clause: int
    """Counts the sentences and halves of sentences before it."""

    @property
    def is_word(self) -> bool:
        return self.text[0].isalpha()

    @property
    def is_number(self) -> bool:
        return self.text[0].isdecimal()


@dataclass(frozen=True)
class Text:
    text: str
    tokens: tuple[Token, ...]

    def near(self, at: int, reach: int) -> range:
        """Places of tokens of the same clause, at most `reach` away from `at`."""
        clause = self.tokens[at].clause
        first, last = max(0, at - reach), min(len(self.tokens), at + reach + 1)
        while self.tokens[first].clause != clause:
            first += 1
        while self.tokens[last - 1].clause != clause:
            last -= 1
        return range(first, last)

    def content(self) -> frozenset[str]:
        return frozenset(stem(token.text) for token in self.tokens if is_content(token))


@dataclass(frozen=True)
class Dated:
    """A text with the time it was written (a fact) or is meant for (a statement)."""

    read: Text
    time: datetime | None = None


@lru_cache(8192)
def read(text: str) -> Text:
    """Tokens of the first `MAX_CHARS` characters."""
    clause, at, tokens = 0, 0, []
    for match in _TOKEN.finditer(text[:MAX_CHARS]):
        between = text[at : match.start()]
        clause += "\n" in between
        word = match[0].lower()
        tokens.append(Token(word, match.start(), match.end(), clause))
        at = match.end()
        clause += word in _CLAUSE
    return Text(text, tuple(tokens))


def is_content(token: Token) -> bool:
    return token.is_word and len(token.text) > 1 and token.text not in _STOP


def stem(word: str) -> str:
    """Enough to meet plural, past and -ing forms: the first letters."""
    for ending in ("ations", "ation", "ings", "ing", "ies", "ed", "es", "s", "al", "ic"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
