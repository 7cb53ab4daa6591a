"""The lexicon: finds concepts in tokens, and says what kind a word is and how much it weighs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .units import Units
from .vocabulary import classes, concepts, drugs, plain
from .vocabulary.tables import rows, word_set
from .words import stem, tokens

WEIGHTS = {
    "problem": 1.5, "drug": 1.6, "procedure": 1.4, "organism": 1.5, "finding": 1.3, "measure": 1.0,
    "anatomy": 1.0, "class": 1.3, "word": 1.0, "plain": 0.5, "side": 0.8, "generic": 0.12,
}  # fmt: skip
"""Weight of a term by kind: what a wrong one of this kind changes for the patient."""
SHORT = 3
SIDE_WORDS = word_set(
    "left right upper lower middle medial lateral anterior posterior proximal distal lt rt"
)
ENTITY_KINDS = frozenset({"problem", "drug", "procedure", "organism", "finding", "class"})

_SUFFIX_KINDS = (
    ("procedure", ("ectomy", "oscopy", "plasty", "otomy", "ostomy", "graphy", "centesis", "desis")),
    ("problem", ("itis", "emia", "osis", "oma", "opathy", "algia", "plegia", "penia", "megaly",
                 "rrhage", "ectasia", "paresis", "iasis")),
    ("finding", ("pnea", "uria", "rrhea", "phagia", "esthesia", "phasia")),
    ("organism", ("coccus", "bacter", "bacillus", "ella", "plasma", "virus", "coccal")),
)  # fmt: skip
_NOT_BY_SUFFIX = frozenset(
    ["diploma", "aroma", "coma", "umbrella", "plasma", "diagnosis", "prognosis", "basis"]
)


class Term(NamedTuple):
    """A concept or word at `tokens[start:end]`; `parts` are stems of its canonical name."""

    key: str
    kind: str
    weight: float
    start: int
    end: int
    parts: tuple[str, ...]
    surface: str


def name(term: Term) -> str:
    """A term as written, in lower case unless it is an abbreviation."""
    written = term.surface
    return written if any(letter.isupper() for letter in written[1:]) else written.lower()


class _Entry(NamedTuple):
    stems: tuple[str, ...]
    written: str | None
    short: str
    """A name of at most `SHORT` letters: no inflected word is one (ruled is not RUL)."""
    key: str
    kind: str
    parts: tuple[str, ...]


class Lexicon:
    """Concept tables as one index by first stem, and the units. Immutable after construction."""

    def __init__(self) -> None:
        self.units = Units()
        self._entries: dict[str, list[_Entry]] = {}
        self.generic = frozenset(stem(word) for word in plain.GENERIC)
        tables = (
            ("plain", concepts.PLAIN), ("problem", concepts.PROBLEMS),
            ("finding", concepts.FINDINGS), ("procedure", concepts.PROCEDURES),
            ("anatomy", concepts.ANATOMY), ("measure", concepts.MEASURES),
            ("class", classes.CLASS_NAMES),
            ("organism", concepts.ORGANISMS), ("drug", drugs.DRUGS),
        )  # fmt: skip
        for kind, table in tables:
            for line in rows(table):
                self._add(kind, [name.strip() for name in line.split("|")])
        self.wider: dict[str, tuple[str, ...]] = {}
        """Concept -> the classes it is one of."""
        for row in rows(classes.CLASSES):
            name, _, members = row.partition(":")
            for member in members.replace(" |", ",").split(","):
                key = member.strip()
                self.wider[key] = (*self.wider.get(key, ()), name, stem(name))
        for entries in self._entries.values():
            entries.sort(key=lambda entry: (-len(entry.stems), entry.written is None))

    def _add(self, kind: str, names: list[str]) -> None:
        key = names[0]
        parts = tuple(stem(token) for token in tokens(key) if token not in plain.STOP)
        for name in names:
            written = name[1:] if name.startswith("^") else None
            words = [token.lower() for token in tokens(written or name)]
            stems = tuple(stem(word) for word in words if word[0].isalnum())
            short = words[0] if len(words) == 1 and len(words[0]) <= SHORT else ""
            entry = _Entry(stems, written, short, key, kind, parts)
            self._entries.setdefault(stems[0], []).append(entry)

    def terms(self, raw: Sequence[str]) -> list[Term]:
        """Content terms of a token list, in order; stop words, numbers and punctuation left out."""
        places = [at for at, token in enumerate(raw) if token[0].isalnum()]
        stems = [stem(raw[at].lower()) for at in places]
        found: list[Term] = []
        at = 0
        while at < len(places):
            term, used = self._phrase(raw, places, stems, at) or (None, 1)
            if term is None:
                term = self._word(raw[places[at]], stems[at], places[at])
            if term is not None and term.key != "patient":
                found.append(term)
            at += used
        return found

    def _phrase(
        self, raw: Sequence[str], places: Sequence[int], stems: Sequence[str], at: int
    ) -> tuple[Term, int] | None:
        for entry in self._entries.get(stems[at], ()):
            size = len(entry.stems)
            if tuple(stems[at : at + size]) != entry.stems:
                continue
            start, end = places[at], places[at + size - 1] + 1
            if any(sign not in "-/" for sign in raw[start:end] if not sign[0].isalnum()):
                continue
            if size == 1 and not entry.written and raw[start].lower() in plain.STOP:
                continue
            if entry.short and raw[start].lower().removesuffix("s") != entry.short.removesuffix(
                "s"
            ):
                continue
            if entry.written and raw[start] != entry.written:
                continue
            kind = entry.kind
            if kind == "plain" and stem(entry.key) in self.generic:
                kind = "generic"
            surface = " ".join(raw[start:end])
            return Term(entry.key, kind, WEIGHTS[kind], start, end, entry.parts, surface), size
        return None

    def _word(self, surface: str, root: str, at: int) -> Term | None:
        word = surface.lower()
        if word[0].isdigit() or word in plain.STOP or (len(word) == 1 and word == surface):
            return None
        kind = "generic" if root in self.generic else self.kind_by_form(word)
        if word in SIDE_WORDS:
            kind = "side"
        return Term(root, kind, WEIGHTS[kind], at, at + 1, (root,), surface)

    @staticmethod
    def kind_by_form(word: str) -> str:
        """Kind of a word that no table holds, by its ending; `word` when that says nothing."""
        if word in _NOT_BY_SUFFIX:
            return "word"
        for suffix in drugs.SUFFIXES:
            if word.endswith(suffix) and len(word) > len(suffix) + 1:
                return "drug"
        if word.startswith(drugs.PREFIXES) and len(word) > 6:
            return "drug"
        for kind, suffixes in _SUFFIX_KINDS:
            if word.endswith(suffixes) and len(word) > 6:
                return kind
        return "word"
