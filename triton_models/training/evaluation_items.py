"""Labelled statements with the facts they were judged by, for `fit_combiner`.

    python -m training.evaluation_items --results ITEMS.jsonl... --corpus FILE... > rows.jsonl

`--results` are item files of a `chartproof evaluate` run on development texts: what retrieval
really shows. A proposition has the worst label of the spans that it overlaps. `--corpus` are
training items; every sixth, which the model was not trained on, is taken.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LABELS = ("not_supported", "not_addressed", "supported")
"""The worst first."""
DEVELOPMENT = 6
CORPUS_WEIGHT = 0.5
SHOWN = 12


def of_results(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.open(encoding="utf-8"):
        item = json.loads(line)
        for each in item.get("propositions", ()):
            labels = {
                span["label"]
                for span in item["spans"]
                if span["start"] < each["end"] and each["start"] < span["end"]
            }
            label = next((label for label in LABELS if label in labels), None)
            if label is None or not each["shown"]:
                continue
            yield {
                "statement": each["text"],
                "section": each["section"],
                "as_of": item["as_of"],
                "facts": [_fact(fact) for fact in each["shown"]],
                "label": label,
                "group": item["group"],
                "role": item["role"],
                "weight": 1.0,
            }


def _fact(shown: dict[str, Any]) -> dict[str, Any]:
    named = {"id": "fact_id", "text": "text", "section": "section", "note_type": "note_type"}
    row = {ours: shown[theirs] for ours, theirs in named.items()}
    return row | {"time": shown["note_time"], "score": shown["score"]}


def of_corpus(path: Path, rng: random.Random) -> Iterator[dict[str, Any]]:
    items = [json.loads(line) for line in path.open(encoding="utf-8")]
    for item in items[::DEVELOPMENT]:
        as_of = max((str(fact.get("time") or "") for fact in item["facts"]), default="") or None
        for claim in item["claims"]:
            if claim["label"] not in LABELS:
                continue
            keys = [k for k in claim.get("facts", []) if isinstance(k, int)]
            order = sorted(range(len(item["facts"])), key=lambda i: (i not in keys, rng.random()))
            facts = [
                {
                    "id": str(i),
                    "text": item["facts"][i]["text"],
                    "section": item["facts"][i].get("section"),
                    "note_type": item["facts"][i].get("note"),
                    "time": item["facts"][i].get("time"),
                    "score": 1 - n / 100,
                }
                for n, i in enumerate(order[:SHOWN])
            ]
            yield {
                "statement": claim["text"],
                "section": None,
                "as_of": as_of,
                "facts": facts,
                "label": claim["label"],
                "group": item["id"],
                "role": "corpus",
                "weight": CORPUS_WEIGHT,
            }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", nargs="*", type=Path, default=[])
    parser.add_argument("--corpus", nargs="*", type=Path, default=[])
    given = parser.parse_args()
    rng = random.Random(0)
    rows = [row for path in given.results for row in of_results(path)]
    rows += [row for path in given.corpus for row in of_corpus(path, rng)]
    for row in rows:
        sys.stdout.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
