"""Play scenario cards for one invented patient: dated facts, and candidate claims with labels."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from .card_deck import Card, Sentence
from .card_slots import Filling, can_flip, contradicts, fill
from .card_writer import Writer

SUPPORTED, CONTRADICTED, UNADDRESSED = "supported", "not_supported", "not_addressed"
# kind of patient: share of items, youngest, oldest, sex and noun (drawn where empty)
PATIENTS: dict[str, tuple[float, int, int, str, str]] = {
    "am": (0.24, 19, 64, "M", "man"),
    "af": (0.24, 19, 64, "F", "woman"),
    "om": (0.17, 66, 91, "M", "man"),
    "of": (0.17, 66, 91, "F", "woman"),
    "pg": (0.08, 19, 42, "F", "woman"),
    "ch": (0.09, 2, 14, "", ""),
    "nb": (0.01, 0, 0, "", ""),
}


@dataclass(frozen=True)
class Fact:
    """One line of a note, with the place where it stands in the chart."""

    note: str
    time: datetime
    section: str
    text: str


@dataclass(frozen=True)
class Claim:
    """A sentence about the patient, its label, and the facts that decide it."""

    text: str
    label: str
    kind: str
    facts: tuple[Fact, ...]
    cards: frozenset[str]


@dataclass
class Patient:
    """An invented patient: words for the person, day of admission, nights in hospital."""

    words: dict[str, str]
    admitted: datetime
    nights: int
    american: bool


def invent_patient(kind: str, rng: random.Random) -> Patient:
    """Invent a patient of one kind."""
    _, low, high, sex, noun = PATIENTS[kind]
    sex = sex or rng.choice("MF")
    noun = noun or ({"M": "boy", "F": "girl"}[sex])
    he, his, him = ("he", "his", "him") if sex == "M" else ("she", "her", "her")
    words = {
        "he": he,
        "his": his,
        "him": him,
        "He": he.title(),
        "His": his.title(),
        "Him": him.title(),
    }
    words |= {
        "man": noun,
        "Man": noun.title(),
        "sex": sex,
        "age": str(rng.randint(low, high)),
        "self": f"{him}self",
    }
    admitted = datetime(
        rng.randint(2024, 2025),
        rng.randint(1, 12),
        rng.randint(1, 28),
        rng.randint(0, 23),
        rng.randint(0, 59),
    )
    return Patient(words, admitted, rng.randint(3, 9), rng.random() < 0.45)


def _anchor(card: Card, patient: Patient, rng: random.Random) -> datetime:
    """Choose the day on which the card's first note is written."""
    last = max(0, patient.nights - int(max(card.days)))
    day = {"adm": 0, "dc": last}.get(card.when, rng.randint(0, last))
    hour = rng.randint(0, 3) if day == 0 else rng.randint(-4, 8)
    return patient.admitted + timedelta(days=day, hours=hour, minutes=rng.randint(1, 59))


class Play:
    """One card played for one patient: its facts and the claims it offers."""

    def __init__(self, card: Card, patient: Patient, rng: random.Random) -> None:
        """Fill the card's slots, choose the state it is in, and write its notes."""
        self.card, self.rng = card, rng
        self.filling = fill(card.slots, rng)
        self.swapped = bool(card.alt) and rng.random() < 0.4
        start = _anchor(card, patient, rng)
        self.writer = Writer(self.filling, start, patient.words, patient.american)
        choice = rng.randrange(len(card.alt if self.swapped else card.notes))
        source = card.sources[choice % len(card.sources)]
        parts = (card.alt if self.swapped else card.notes)[choice].split("||")
        self.facts = [
            Fact(
                source,
                start + timedelta(days=day),
                card.section,
                self.writer.write(part.strip(), rng),
            )
            for part, day in zip(parts, card.days, strict=True)
        ]
        self.added: dict[str, Fact] = {}
        self.extra: Fact | None = None
        if card.extra and rng.random() < 0.6:
            self.extra = self._note(rng.choice(card.extra))
        settled = [sentence for sentence in card.near if sentence.settled_by]
        if settled and rng.random() < 0.55:
            sentence = rng.choice(settled)
            self.added[sentence.text] = self._note(sentence.settled_by)

    def _note(self, template: str) -> Fact:
        """Write one more line near the card's own notes."""
        time = self.facts[0].time + timedelta(minutes=self.rng.randint(15, 600))
        return Fact(
            self.rng.choice(("Nursing note", "Progress note", "Clerking", "Review")),
            time,
            self.card.section,
            self.writer.write(template, self.rng),
        )

    def all_facts(self) -> list[Fact]:
        """List the card's notes with those added."""
        return [*self.facts, *([self.extra] if self.extra else []), *self.added.values()]

    def _claim(
        self, sentence: Sentence, label: str, kind: str = "", filling: Filling | None = None
    ) -> Claim:
        """Write one claim of this card."""
        writer = replace(self.writer, filling=filling) if filling else self.writer
        deciding = tuple(self.facts)
        if sentence.mark == "+" and self.extra:
            deciding = (*deciding, self.extra)
        if sentence.text in self.added:
            deciding = (self.added[sentence.text],)
        return Claim(
            writer.write(sentence.text, self.rng),
            label,
            kind or sentence.kind,
            () if label == UNADDRESSED else deciding,
            frozenset((self.card.id,)),
        )

    def _usable(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Keep the sentences whose label is known in this state of the card."""
        if self.swapped:
            return [sentence for sentence in sentences if sentence.mark == "*"]
        return [sentence for sentence in sentences if sentence.mark != "+" or self.extra]

    def claims(self) -> list[Claim]:
        """Offer every claim whose label this card decides, or that its notes leave open."""
        true, false = (
            (self.card.contra, self.card.says)
            if self.swapped
            else (self.card.says, self.card.contra)
        )
        offered = [self._claim(sentence, SUPPORTED) for sentence in self._usable(true)]
        offered += [self._claim(sentence, CONTRADICTED) for sentence in self._usable(false)]
        for sentence in self.card.near:
            offered.append(
                self._claim(sentence, SUPPORTED if sentence.text in self.added else UNADDRESSED)
            )
        flips = [name for name, spec in self.card.slots.items() if can_flip(spec)]
        for sentence in self._usable(true) if flips else ():
            other = fill(self.card.slots, self.rng, self.rng.choice(flips), self.filling)
            if contradicts(sentence.text, self.card.slots, self.filling, other):
                offered.append(self._claim(sentence, CONTRADICTED, "flipped_value", other))
        return offered

    def stray_claims(self) -> list[Claim]:
        """Offer this card's sentences as claims of a patient in whose chart it does not stand."""
        sentences = [s for s in (*self.card.says, *self.card.contra) if s.mark != "+"]
        return [self._claim(sentence, UNADDRESSED, "other_topic") for sentence in sentences]
