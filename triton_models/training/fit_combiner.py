"""Fits the judge's combiner to labelled statements with the facts that they are judged by.

    python -m training.fit_combiner JSONL... --out combiner.json

Each line: `statement`, `section`, `as_of`, `facts` (as the judge's CONTEXT has them), `label`,
`group` (patient or item: folds never divide one), `weight`. The regression starts from the model
alone; each check is added only when it lowers the log loss on folds that it was not fitted on.

Statements weigh so that `--even` of them are supported, claims and sentences alike: confidence says
what the evidence says, and nothing of how good the writer is. The length of a statement is no
feature: it helps on sets whose writers made wrong sentences short, and means nothing.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import chartproof_judge
import numpy as np
from chartproof_judge.combiner import LABELS, feature_names, model_alone
from chartproof_judge.entailment import Entailment
from chartproof_judge.judge import Judge
from chartproof_judge.request import parse
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import GroupKFold

Rows = NDArray[np.float64]
WEIGHTS = Path(chartproof_judge.__file__).with_name("weights")
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


def even(y: Rows, roles: Rows, share: float) -> Rows:
    """Weights that bring the share of supported statements of each role to `share`."""
    weight = np.ones(len(y))
    for role in set(roles.tolist()):
        mine = roles == role
        right = mine & (y == 0)
        wrong = mine & (y != 0)
        weight[right] = share * mine.sum() / max(1, right.sum())
        weight[wrong] = (1 - share) * mine.sum() / max(1, wrong.sum())
    return weight


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


def report(role: str, p: Rows, y: Rows) -> None:
    """Figures of the folds that were not fitted on."""
    wrong, called = y != 0, p.argmax(1) != 0
    print(
        f"{role}: AUROC {roc_auc_score(wrong, 1 - p[:, 0]):.3f},",
        f"3-way {(p.argmax(1) == y).mean():.3f}, false alarm {called[~wrong].mean():.3f},",
        f"false support {(~called)[wrong].mean():.3f}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--version", default="1")
    parser.add_argument("--even", type=float, default=0.5, help="share of supported statements")
    parser.add_argument("--strength", type=float, default=0.1)
    given = parser.parse_args()
    items = [json.loads(line) for file in given.files for line in file.open(encoding="utf-8")]
    y = np.array([LABELS.index(item["label"]) for item in items])
    roles = np.array([item["role"] for item in items])
    weight = even(y, roles, given.even)
    groups = np.array([item["group"] for item in items])
    cache = given.out.with_suffix(".rows.npy")
    x = np.load(cache) if cache.exists() else rows(Judge(Entailment(WEIGHTS), model_alone()), items)
    np.save(cache, x)
    names = feature_names()
    kept = [i for i, name in enumerate(names) if name.startswith(("model_", "best_"))]
    best = loss(held_out(x[:, kept], y, weight, groups, given.strength), y, weight)
    print(f"\nmodel alone: log loss {best:.4f}")
    for family in ["coverage", *dict.fromkeys(n.rsplit("_", 1)[0] for n in names[6:])]:
        more = kept + [
            i for i, n in enumerate(names) if n == family or n.rsplit("_", 1)[0] == family
        ]
        now = loss(held_out(x[:, more], y, weight, groups, given.strength), y, weight)
        print(f"with {family}: {now:.4f}", "kept" if now < best - 5e-4 else "left out")
        if now < best - 5e-4:
            kept, best = more, now
    p = held_out(x[:, kept], y, weight, groups, given.strength)
    for role in sorted(set(roles.tolist())):
        report(role, p[roles == role], y[roles == role])
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
                "fitted_on": {
                    "statements": len(items),
                    "groups": len(set(groups.tolist())),
                    "supported_share": given.even,
                },
            },
            indent=1,
        )
        + "\n"
    )


if __name__ == "__main__":
    main()
