"""Read scenario cards and check that each is complete.

A card is one line of JSON: ``id``, ``area``, ``topics`` (all that its sentences touch: two cards that share
a topic never meet in one item), ``who`` (patients it fits), ``sec`` and ``src`` (section and note type),
``when`` (``adm``, ``dc`` or any day), ``t`` (days of the parts of its notes, which ``||`` parts), ``slots``,
``notes``, ``says``, ``contra``, ``near``, ``extra`` (a relative's or an older version, added at times) and
``alt`` (notes of the opposite state). A sentence may begin with a mark and a kind, ``*kind|text``:
``*`` swaps its label when the ``alt`` notes are used; ``+`` is used with the ``extra`` note only.
A neighbour may carry after ``##`` a note that settles it.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .card_slots import CardError
from .card_words import TABLES

MARKED = re.compile(r"^([*+]?)(?:([a-z_]+)\|)?(.*)$", re.DOTALL)
GROUPS = {
    "adult": "af am of om",
    "women": "af of",
    "men": "am om",
    "old": "of om",
    "any": "af am of om pg",
    "all": "af am of om pg ch",
    "young": "af am",
    "yw": "af",
    "pg": "pg",
    "ch": "ch",
    "nb": "nb",
    "kids": "ch nb",
}
STYLES = ("Progress note", "Nursing note", "Consult letter", "Nursing flowsheet")


@dataclass(frozen=True)
class Sentence:
    """One sentence of a card: its mark, its kind, its text, and for neighbours a note that settles it."""

    mark: str
    kind: str
    text: str
    settled_by: str = ""


@dataclass(frozen=True)
class Card:
    """One clinical event or state, ways to note it, and sentences about it."""

    id: str
    area: str
    topics: frozenset[str]
    who: frozenset[str]
    section: str
    sources: tuple[str, ...]
    when: str
    days: tuple[float, ...]
    slots: dict[str, str]
    notes: tuple[str, ...]
    says: tuple[Sentence, ...]
    contra: tuple[Sentence, ...]
    near: tuple[Sentence, ...]
    extra: tuple[str, ...]
    alt: tuple[str, ...]


def _sentences(texts: Iterable[str], kind: str) -> tuple[Sentence, ...]:
    """Part the marks, kinds and settling notes from the texts."""
    result = []
    for text in texts:
        body, _, settled_by = text.partition("##")
        match = MARKED.match(body.strip())
        if match is None:
            raise CardError(f"cannot read {text!r}")
        result.append(
            Sentence(
                match.group(1), match.group(2) or kind, match.group(3).strip(), settled_by.strip()
            )
        )
    return tuple(result)


def read_card(line: str) -> Card:
    """Read one card from its line, and refuse it when it is incomplete."""
    raw = json.loads(line)
    source = raw.get("src", STYLES)
    card = Card(
        id=raw["id"],
        area=raw["area"],
        topics=frozenset(raw["topics"].split()),
        who=frozenset(" ".join(GROUPS[group] for group in raw.get("who", "adult").split()).split()),
        section=raw["sec"],
        sources=(source,) if isinstance(source, str) else tuple(source),
        when=raw.get("when", ""),
        days=tuple(raw.get("t", [0])),
        slots=raw.get("slots", {}),
        notes=tuple(raw["notes"]),
        says=_sentences(raw["says"], "paraphrase"),
        contra=_sentences(raw["contra"], "contradiction"),
        near=_sentences(raw["near"], "unstated_detail"),
        extra=tuple(raw.get("extra", [])),
        alt=tuple(raw.get("alt", [])),
    )
    _check(card)
    return card


def _check(card: Card) -> None:
    """Refuse a card with too few sentences or with marks that nothing answers."""
    sizes = (len(card.notes), len(card.says), len(card.contra), len(card.near))
    if any(size < least for size, least in zip(sizes, (4, 6, 4, 3), strict=True)):
        raise CardError(f"{card.id}: too few sentences {sizes}")
    marks = {sentence.mark for sentence in (*card.says, *card.contra)}
    if ("*" in marks) != bool(card.alt) or ("+" in marks and not card.extra):
        raise CardError(f"{card.id}: marks without notes, or alt notes without marks")
    if any(len(note.split("||")) != len(card.days) for note in (*card.notes, *card.alt)):
        raise CardError(f"{card.id}: parts of notes and days differ")


def read_deck(folder: Path) -> list[Card]:
    """Read all cards of a folder; a card's name must be its own."""
    deck: list[Card] = []
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                try:
                    deck.append(read_card(line))
                except (KeyError, ValueError) as error:
                    raise CardError(f"{path.name}:{number}: {error!r}") from error
    names = [card.id for card in deck]
    if len(set(names)) != len(names):
        raise CardError(
            f"names used twice: {sorted({name for name in names if names.count(name) > 1})}"
        )
    return deck


def always_capital(deck: Iterable[Card]) -> frozenset[str]:
    """Collect words that stand with a capital inside sentences, so that joining keeps them so."""
    cells = (cell for table in TABLES.values() for row in table.rows for cell in row)
    words = {word for cell in cells for word in re.findall(r"[A-Z][\w-]*", cell)} | {
        "Sunday",
        "Saturday",
    }
    for card in deck:
        for sentence in (*card.says, *card.contra, *card.near):
            words.update(re.findall(r"(?<=[a-z,] )[A-Z][\w-]*", sentence.text))
    return frozenset(word for word in words if len(word) > 1)
