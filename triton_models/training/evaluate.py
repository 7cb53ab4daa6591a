"""Figures of a reader on the development part, by source, and the features a combiner may use.

python -m training.evaluate STATE --tokenizer T --items FILES --features OUT.npz
"""

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from tokenizers import Tokenizer

from . import shorthand
from .encoding import Encoded, EvidenceEncoder, Expand, FactText
from .items import Claim, Item, read_items
from .reader import EvidenceReader
from .sampling import likeness

Array = npt.NDArray[np.float64]
FOCUS = 4
"""How many facts the second view shows: those that the first view found to matter most."""
SHOWN = 14


@dataclass(frozen=True)
class Reading:
    """Log-probabilities of one claim, by view (all, focus) and by fact (by its rank)."""

    item: Item
    claim: Claim
    views: tuple[Array, ...]
    facts: dict[int, Array]
    order: tuple[int, ...]


def run(
    reader: EvidenceReader, inputs: Sequence[Encoded]
) -> tuple[list[Array], list[dict[int, Array]]]:
    """Log-probabilities of each input and of its facts, by rank."""
    order = sorted(range(len(inputs)), key=lambda i: len(inputs[i].ids))
    labels: dict[int, Array] = {}
    facts: dict[int, dict[int, Array]] = {}
    at = 0
    while at < len(order):
        size = max(1, min(32, 6144 // len(inputs[order[min(at + 16, len(order) - 1)]].ids)))
        part = order[at : at + size]
        at += size
        grid = torch.zeros(3, len(part), len(inputs[part[-1]].ids), dtype=torch.long)
        for row, i in enumerate(part):
            width = len(inputs[i].ids)
            grid[0, row, :width] = torch.tensor(inputs[i].ids)
            grid[1, row, :width] = 1
            grid[2, row, :width] = torch.tensor(inputs[i].types)
        with torch.no_grad():
            label, fact = reader(grid[0], grid[1], grid[2])
        for row, i in enumerate(part):
            labels[i] = label[row].double().log_softmax(-1).numpy()
            facts[i] = {
                rank: fact[row, place].double().log_softmax(-1).numpy()
                for rank, place in inputs[i].markers.items()
            }
    return [labels[i] for i in range(len(inputs))], [facts[i] for i in range(len(inputs))]


def read_claims(
    reader: EvidenceReader,
    encoder: EvidenceEncoder,
    items: Sequence[Item],
    expand: Expand,
    *,
    most: int = 100_000,
    alone: bool = False,
) -> list[Reading]:
    """Read the claims of the items, at most so many of each kind of source."""
    chosen: list[tuple[Item, Claim]] = []
    for letter in sorted({item.source[:1] for item in items}):
        every = [(i, c) for i in items if i.source[:1] == letter for c in i.claims]
        chosen += random.Random(5).sample(every, min(most, len(every)))
    orders: list[tuple[int, ...]] = []
    given: list[tuple[FactText, ...]] = []
    for item, claim in chosen:
        scores = likeness(claim.text, item.facts)
        order = sorted(range(len(item.facts)), key=lambda i: -scores[i])[:SHOWN]
        orders.append(tuple(order))
        known = [item.facts[i] for i in order] if not alone else []
        given.append(tuple(replace(fact, text=expand(fact.text)) for fact in known))
    texts = [expand(claim.text) for _, claim in chosen]
    as_of = [item.as_of for item, _ in chosen]
    whole, facts = run(
        reader, [encoder.encode(*one) for one in zip(texts, given, as_of, strict=True)]
    )
    focus = [
        tuple(shown[i] for i in sorted(by, key=lambda i: by[i][2])[:FOCUS])
        for shown, by in zip(given, facts, strict=True)
    ]
    close, _ = run(reader, [encoder.encode(*one) for one in zip(texts, focus, as_of, strict=True)])
    return [
        Reading(item, claim, (whole[at], close[at]), facts[at], orders[at])
        for at, (item, claim) in enumerate(chosen)
    ]


def features(reading: Reading) -> Array:
    """What a combiner may use: both views, and the most telling facts."""
    facts = np.exp(np.array(list(reading.facts.values()))) if reading.facts else np.eye(3)[2:]
    far = np.log(np.clip(facts, 1e-4, 1))
    return np.concatenate([*reading.views, [far[:, 0].max(), far[:, 1].max(), far[:, 2].min()]])


def figures(scores: Array, labels: npt.NDArray[np.int64]) -> dict[str, float]:
    """The figures the issue asks for; `scores` are probabilities."""
    given = scores.argmax(1)
    good = labels == 0
    return {
        "claims": len(labels),
        "accuracy": round(float((given == labels).mean()), 3),
        "balanced": round(float(balanced_accuracy_score(labels, given)), 3),
        "auroc": round(float(roc_auc_score(~good, 1 - scores[:, 0])), 3),
        "false_support": round(float((given[~good] == 0).mean()), 3),
        "false_alarm": round(float((given[good] != 0).mean()), 3),
    }


def evidence_recall(readings: Sequence[Reading], most: int) -> tuple[float, float]:
    """Part of the deciding facts among the first `most`: by words, and by the reader."""
    by_words, by_reader = [], []
    for reading in readings:
        keys = set(reading.claim.keys)
        if not keys or reading.claim.label == 2 or len(reading.item.facts) <= most:
            continue
        ranked = [
            reading.order[i] for i in sorted(reading.facts, key=lambda i: reading.facts[i][2])
        ]
        ranked += [i for i in reading.order if i not in ranked]
        by_words.append(len(keys & set(reading.order[:most])) / len(keys))
        by_reader.append(len(keys & set(ranked[:most])) / len(keys))
    return round(float(np.mean(by_words)), 3), round(float(np.mean(by_reader)), 3)


def report(readings: Sequence[Reading]) -> dict[str, Any]:
    """Figures by source and view; `mean`: both views."""
    by: dict[str, list[Reading]] = defaultdict(list)
    for reading in readings:
        letter = reading.item.source[:1]
        by[{"C": "hard", "D": "draft", "E": "draft"}.get(letter, "card")].append(reading)
        if letter in "DE":
            by[f"draft {letter}"].append(reading)
    result = {}
    for name, own in by.items():
        labels = np.array([r.claim.label for r in own])
        views = np.exp(np.array([r.views for r in own]))
        result[f"{name}, all"] = figures(views[:, 0], labels)
        result[f"{name}, focus"] = figures(views[:, 1], labels)
        result[f"{name}, mean"] = figures(views.mean(1), labels)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("state", type=Path)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--items", type=Path, nargs="+", required=True)
    parser.add_argument("--most", type=int, default=100_000)
    parser.add_argument("--limit", type=int, default=384)
    parser.add_argument("--alone", action="store_true", help="show the statement only")
    parser.add_argument("--features", type=Path)
    parser.add_argument("--expand", default="")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    reader = EvidenceReader()
    reader.load_state_dict(torch.load(given.state))
    reader.eval().bfloat16()
    encoder = EvidenceEncoder(Tokenizer.from_file(str(given.tokenizer)), given.limit)
    items = [item for item, development in read_items(given.items) if development]
    readings = read_claims(
        reader, encoder, items, shorthand.load(given.expand), most=given.most, alone=given.alone
    )
    for name, row in report(readings).items():
        print(name, json.dumps(row))
    if not given.alone:
        print("recall at 5 (words, reader):", evidence_recall(readings, 5))
    if given.features:
        np.savez(
            given.features,
            x=np.array([features(r) for r in readings]),
            y=np.array([r.claim.label for r in readings]),
            item=np.array([f"{r.item.source}/{r.item.name}" for r in readings]),
            kind=np.array([r.claim.kind for r in readings]),
            text=np.array([r.claim.text for r in readings]),
        )


if __name__ == "__main__":
    main()
