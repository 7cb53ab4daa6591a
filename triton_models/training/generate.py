"""Write training items for clinical entailment from scenario cards.

Run from the folder above: ``python -m corpus.generate --cards corpus/cards --out items.jsonl --items 2000``.
The same seed and cards give the same items.
"""

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .card_deal import deal, rehearse
from .card_deck import Card, always_capital, read_deck
from .card_items import PATIENTS, Claim, Play, invent_patient
from .card_pick import SHARES, Chooser, overlap, words_of_facts
from .card_slots import CardError

LABELS = tuple(SHARES)
Item = dict[str, Any]


def _labels(count: int, rng: random.Random) -> list[str]:
    """Draw labels for an item, in the wanted shares and in random order."""
    return rng.choices(LABELS, [SHARES[label] for label in LABELS], k=count)


def make_item(
    deck: Sequence[Card], name: str, capitals: frozenset[str], rng: random.Random
) -> Item:
    """Make one item: a patient, the facts of four to eight cards, and ten to sixteen claims."""
    kinds = [kind for kind in PATIENTS if sum(kind in card.who for card in deck) >= 8]
    kind = rng.choices(kinds, [PATIENTS[one][0] for one in kinds])[0]
    patient = invent_patient(kind, rng)
    plays, absent = deal(deck, kind, rng, patient)
    facts = sorted(
        (fact for play in plays for fact in play.all_facts()), key=lambda fact: fact.time
    )
    place = {id(fact): number for number, fact in enumerate(facts)}
    offered = [claim for play in plays for claim in play.claims()]
    for card in rng.sample(absent, min(4, len(absent))):
        strays = Play(card, patient, rng).stray_claims()
        offered += rng.sample(strays, min(2, len(strays)))
    chooser = Chooser(offered, words_of_facts(fact.text for fact in facts), capitals, rng)
    wanted = _labels(rng.randint(10, 16), rng)
    claims = [claim for label in wanted if (claim := chooser.choose(label))]
    return {
        "id": name,
        "specialty": Counter(play.card.area for play in plays).most_common(1)[0][0],
        "facts": [
            {
                "note": f.note,
                "time": f.time.strftime("%Y-%m-%dT%H:%M"),
                "section": f.section,
                "text": f.text,
            }
            for f in facts
        ],
        "claims": [_as_json(claim, place) for claim in claims],
        "cards": [play.card.id for play in plays],
    }


def _as_json(claim: Claim, place: dict[int, int]) -> Item:
    """Write a claim with the numbers of the facts that decide it."""
    numbers = sorted(place[id(fact)] for fact in claim.facts)
    return {"text": claim.text, "label": claim.label, "kind": claim.kind, "facts": numbers}


def check_item(item: Item) -> None:
    """Refuse an item with open braces or marks, wrong fact numbers, or claims that appear twice."""
    facts, claims = item["facts"], item["claims"]
    texts = [fact["text"] for fact in facts] + [claim["text"] for claim in claims]
    faults = [
        text for text in texts if re.search(r"[{}*]|\|\||##|\s\s|\bnan\b", text) or not text.strip()
    ]
    if faults:
        raise CardError(f"{item['id']}: {faults[:3]}")
    if not 6 <= len(facts) <= 12 or not 10 <= len(claims) <= 16:
        raise CardError(f"{item['id']}: {len(facts)} facts, {len(claims)} claims")
    if len({claim["text"] for claim in claims}) < len(claims):
        raise CardError(f"{item['id']}: a claim twice")
    for claim in claims:
        inside = all(0 <= number < len(facts) for number in claim["facts"])
        if not inside or bool(claim["facts"]) == (claim["label"] == "not_addressed"):
            raise CardError(f"{item['id']}: facts of {claim}")


def make_items(deck: Sequence[Card], count: int, seed: int, prefix: str) -> list[Item]:
    """Make items until enough have ten claims or more."""
    rng = random.Random(seed)
    capitals = always_capital(deck)
    items: list[Item] = []
    while len(items) < count:
        item = make_item(deck, f"{prefix}-{len(items) + 1:05d}", capitals, rng)
        if len(item["claims"]) >= 10:
            check_item(item)
            items.append(item)
    return items


def report(items: Sequence[Item]) -> str:
    """Describe label shares, joined claims and word overlap by label."""
    shares: dict[str, list[float]] = {label: [] for label in LABELS}
    joined: Counter[str] = Counter()
    lengths: Counter[str] = Counter()
    for item in items:
        words = words_of_facts(fact["text"] for fact in item["facts"])
        for claim in item["claims"]:
            shares[claim["label"]].append(overlap(claim["text"], words))
            joined[claim["label"]] += claim["kind"].startswith("joined_")
            lengths[claim["label"]] += len(claim["text"].split())
    total = sum(len(values) for values in shares.values())
    lines = [f"{len(items)} items, {total} claims"]
    for label, values in shares.items():
        count = max(1, len(values))
        middle = sorted(values)[len(values) // 2] if values else 0.0
        lines.append(
            f"{label:14} {count / total:.3f} of claims; overlap mean {sum(values) / count:.3f} median {middle:.3f}; "
            f"joined {joined[label] / count:.2f}; words {lengths[label] / count:.1f}"
        )
    return "\n".join(lines)


def show(items: Sequence[Item], count: int, seed: int) -> str:
    """Write random claims with the facts of their item, for reading."""
    rng = random.Random(seed)
    lines: list[str] = []
    for item in rng.sample(list(items), min(len(items), max(1, count // 4))):
        lines.append(f"== {item['id']} {item['specialty']}")
        for number, fact in enumerate(item["facts"]):
            lines.append(
                f"  {number} {fact['time']} {fact['note']}/{fact['section']}: {fact['text']}"
            )
        for claim in rng.sample(item["claims"], min(4, len(item["claims"]))):
            lines.append(
                f"    {claim['label'].upper()} {claim['kind']} {claim['facts']}: {claim['text']}"
            )
    return "\n".join(lines)


def main() -> None:
    """Read the cards, make and check the items, write them, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=Path, default=Path(__file__).parent / "cards")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--items", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--prefix", default="G")
    parser.add_argument(
        "--show", type=int, default=0, help="print this many random claims with their facts"
    )
    given = parser.parse_args()
    deck = read_deck(given.cards)
    for card in deck:
        rehearse(card, random.Random(given.seed))
    items = make_items(deck, given.items, given.seed, given.prefix)
    lines = (json.dumps(item, ensure_ascii=False) for item in items)
    given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(deck)} cards; {report(items)}")
    if given.show:
        print(show(items, given.show, given.seed))


if __name__ == "__main__":
    main()
