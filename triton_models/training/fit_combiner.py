"""Fits the judge's combiner to labelled statements with the facts that they are judged by.

    python -m training.fit_combiner JSONL... --out combiner.json

Each line: `statement`, `section`, `as_of`, `facts` (as the judge's CONTEXT has them), `label`,
`group` (patient or item: folds never divide one), `weight`. The regression starts from the model
alone; each check is added only when it lowers the log loss on folds that it was not fitted on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from chartproof_judge.combiner import LABELS, feature_names
from chartproof_judge.judge import Judge, load
from chartproof_judge.request import parse
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import GroupKFold

Rows = NDArray[np.float64]
BATCH = 32


def rows(judge: Judge, items: Sequence[dict[str, object]]) -> Rows:
    """Features of every item, shape (items, features)."""
    made: list[Rows] = []
    for start in range(0, len(items), BATCH):
        requests = [
            parse(
                str(item["statement"]),
                json.dumps({k: item.get(k) for k in ("facts", "section", "as_of")}),
                "{}",
            )
            for item in items[start : start + BATCH]
        ]
        made += [judged.row for judged in judge.judged(requests)]
        print(f"{len(made)} of {len(items)}", end="\r", flush=True)
    return np.array(made)


def fitted(x: Rows, y: Rows, weight: Rows, strength: float) -> LogisticRegression:
    return LogisticRegression(C=strength, max_iter=2000).fit(x, y, sample_weight=weight)


def held_out(x: Rows, y: Rows, weight: Rows, groups: Rows, strength: float) -> Rows:
    """Probabilities of each item from a fit that has not seen its group."""
    p = np.zeros((len(y), len(LABELS)))
    for train, test in GroupKFold(8).split(x, y, groups):
        p[test] = fitted(x[train], y[train], weight[train], strength).predict_proba(x[test])
    return p


def loss(p: Rows, y: Rows, weight: Rows) -> float:
    return float(log_loss(y, p, sample_weight=weight, labels=range(len(LABELS))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--version", default="1")
    parser.add_argument("--strength", type=float, default=0.1)
    given = parser.parse_args()
    items = [json.loads(line) for file in given.files for line in file.open(encoding="utf-8")]
    y = np.array([LABELS.index(item["label"]) for item in items])
    weight = np.array([item.get("weight", 1.0) for item in items])
    groups = np.array([item["group"] for item in items])
    cache = given.out.with_suffix(".rows.npy")
    x = np.load(cache) if cache.exists() else rows(load(), items)
    np.save(cache, x)
    names = feature_names()
    kept = [i for i, name in enumerate(names) if name.startswith(("model_", "best_"))]
    best = loss(held_out(x[:, kept], y, weight, groups, given.strength), y, weight)
    print(f"\nmodel alone: log loss {best:.4f}")
    for family in ["coverage", "long", *dict.fromkeys(n.rsplit("_", 1)[0] for n in names[7:])]:
        more = kept + [
            i for i, n in enumerate(names) if n == family or n.rsplit("_", 1)[0] == family
        ]
        now = loss(held_out(x[:, more], y, weight, groups, given.strength), y, weight)
        print(f"with {family}: {now:.4f}", "kept" if now < best - 5e-4 else "left out")
        if now < best - 5e-4:
            kept, best = more, now
    p = held_out(x[:, kept], y, weight, groups, given.strength)
    wrong = y != 0
    print("AUROC of unsupported", round(roc_auc_score(wrong, 1 - p[:, 0]), 4))
    called = p.argmax(1) != 0
    print(
        "accuracy",
        round(float((p.argmax(1) == y).mean()), 4),
        "false alarm",
        round(float(called[~wrong].mean()), 4),
        "false support",
        round(float((~called)[wrong].mean()), 4),
    )
    model = fitted(x[:, kept], y, weight, given.strength)
    weights = np.zeros((len(LABELS), len(names)))
    weights[:, kept] = model.coef_
    given.out.write_text(
        json.dumps(
            {
                "version": given.version,
                "features": names,
                "weights": np.round(weights, 5).tolist(),
                "bias": np.round(model.intercept_, 5).tolist(),
                "fitted_on": {"statements": len(items), "groups": len(set(groups.tolist()))},
            },
            indent=1,
        )
        + "\n"
    )


if __name__ == "__main__":
    main()
