"""What the reader is given: a statement and facts, as token ids.

    [CLS] statement [SEP] * apr 2 -1 ward round, labs: fact * fact * exam: fact * apr 3 0 nursing: ...

`*` is the marker before each fact. Which facts are shown follows their rank, as far as they fit;
they stand in the order of their times, so that the order in which they were found changes
nothing. Times are told as a day and as days before the text's own time; what the fact before has already said
of time, note and section is not said again.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from tokenizers import Tokenizer

Expand = Callable[[str], str]
"""Writes clinical shorthand out; see `shorthand`."""

MARKER = 2
"""Token id of `[unused1]`, which no text contains."""
CLS, SEP = 101, 102
STATEMENT_TOKENS = 96
FACT_TOKENS = 128


@dataclass(frozen=True)
class FactText:
    """A fact as the reader sees it; `author` is an author category, empty when not known."""

    text: str
    note: str = ""
    section: str = ""
    time: datetime | None = None
    author: str = ""


@dataclass(frozen=True)
class Encoded:
    """Token ids of one input; `markers` has the place of each fact shown, by its rank."""

    ids: list[int]
    types: list[int]
    markers: dict[int, int]


MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]


def when(time: datetime | None, as_of: datetime | None) -> str:
    """The day a fact was written and its distance from the text; empty when not known."""
    if time is None:
        return ""
    day = f"{MONTHS[time.month - 1]} {time.day}"
    if as_of is None:
        return f"{day} {time.year}"
    year = "" if time.year == as_of.year else f" {time.year}"
    return f"{day}{year} {(time.date() - as_of.date()).days}"


def _origin(fact: FactText, as_of: datetime | None) -> tuple[str, str]:
    """When, by whom and in what note; and in which section."""
    author = fact.author if fact.author in ("patient", "device") else ""
    return " ".join(p for p in (when(fact.time, as_of), author, fact.note) if p), fact.section


def _heading(fact: tuple[str, str], before: tuple[str, str] | None) -> str:
    """What is to be said of a fact's origin after the fact before it."""
    if fact == before:
        return ""
    origin, section = fact
    if before is not None and origin == before[0] and section:
        return f"{section}:"
    known = ", ".join(part for part in (origin, section) if part)
    return f"{known}:" if known else ""


def _place(fact: FactText) -> tuple[datetime, str, str, str, str]:
    time = fact.time.replace(tzinfo=None) if fact.time else datetime.min
    return time, fact.note, fact.author, fact.section, fact.text


class EvidenceEncoder:
    """Turns statements and facts into token ids; remembers what it has tokenised."""

    def __init__(self, tokenizer: Tokenizer, limit: int = 384, remember: int = 200_000) -> None:
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        self._limit = limit
        self._remember = remember
        self._seen: dict[str, list[int]] = {}

    def _tokens(self, text: str) -> list[int]:
        known = self._seen.get(text)
        if known is None:
            if len(self._seen) >= self._remember:
                self._seen.clear()
            clean = re.sub(r"\s+", " ", text).strip()
            known = self._tokenizer.encode(clean, add_special_tokens=False).ids
            self._seen[text] = known
        return known

    def encode(
        self, statement: str, facts: Sequence[FactText], as_of: datetime | None = None
    ) -> Encoded:
        """Ids of a statement and of the facts that fit; these come best first."""
        head = [CLS, *self._tokens(statement)[:STATEMENT_TOKENS], SEP]
        origins = [_origin(fact, as_of) for fact in facts]
        order = sorted(range(len(facts)), key=lambda i: _place(facts[i]))
        chosen = set(range(len(facts)))
        while True:
            ids, markers = list(head), {}
            before = None
            for i in order:
                if i in chosen:
                    heading = self._tokens(_heading(origins[i], before))
                    markers[i] = len(ids)
                    ids += [MARKER, *heading, *self._tokens(facts[i].text)[:FACT_TOKENS]]
                    before = origins[i]
            ids.append(SEP)
            over = len(ids) - self._limit
            if over <= 0 or len(chosen) == 1:
                break
            while over > 0 and len(chosen) > 1:
                worst = max(chosen)
                chosen.remove(worst)
                over -= 1 + min(len(self._tokens(facts[worst].text)), FACT_TOKENS)
        types = [0] * len(head) + [1] * (len(ids) - len(head))
        return Encoded(ids[:510], types[:510], {i: at for i, at in markers.items() if at < 510})
