"""Deal scenario cards to a patient, and rehearse each card so that faults show before items are made."""

import random
from collections.abc import Sequence

from .card_deck import Card
from .card_items import Patient, Play, invent_patient
from .card_slots import CardError


def rehearse(card: Card, rng: random.Random, times: int = 40) -> None:
    """Write every sentence of a card many times, so that a faulty slot is found before items are made."""
    for _ in range(times):
        patient = invent_patient(rng.choice(sorted(card.who)), rng)
        play = Play(card, patient, rng)
        sentences = (
            *card.notes,
            *card.alt,
            *card.extra,
            *(s.text for s in (*card.says, *card.contra, *card.near)),
        )
        written = [play.writer.write(text, rng) for text in sentences]
        written += [claim.text for claim in play.claims()]
        faults = [text for text in written if "{" in text or "}" in text or "  " in text]
        if faults:
            raise CardError(f"{card.id}: {faults[0]!r}")


def deal(
    deck: Sequence[Card], patient_kind: str, rng: random.Random, patient: Patient
) -> tuple[list[Play], list[Card]]:
    """Choose four to eight cards without a common topic, six to twelve facts; return also cards left out."""
    fitting = [card for card in deck if patient_kind in card.who]
    for _ in range(200):
        wanted, most = rng.randint(4, 8), rng.randint(8, 12)
        plays: list[Play] = []
        topics: set[str] = set()
        own = [card for card in fitting if len(card.who) <= 2]
        order = rng.sample(own, len(own))[:4] if patient_kind in ("pg", "ch", "nb") else []
        for card in order + rng.sample(fitting, len(fitting)):
            if topics & card.topics or len(plays) >= wanted:
                continue
            play = Play(card, patient, rng)
            if sum(len(one.all_facts()) for one in (*plays, play)) <= most:
                plays.append(play)
                topics |= card.topics
        facts = sum(len(play.all_facts()) for play in plays)
        if len(plays) >= 4 and 6 <= facts <= 12:
            return plays, [card for card in fitting if not topics & card.topics]
    raise CardError(f"cannot deal an item for {patient_kind}: {len(fitting)} cards fit")
