"""Fits how the views are pooled, checked across items, and writes `config.json`.

python -m training.pool FEATURES.npz OUT_FOLDER
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from .encoding import FACT_TOKENS, STATEMENT_TOKENS
from .evaluate import FOCUS, SHOWN, figures

Array = npt.NDArray[np.float64]
COLUMNS: dict[str, list[int]] = {
    "all": [0, 1, 2],
    "all, facts": [0, 1, 2, 6, 7, 8],
    "focus": [3, 4, 5],
    "both": [0, 1, 2, 3, 4, 5],
    "both, facts": [0, 1, 2, 3, 4, 5, 6, 7, 8],
}
"""Which features each way of pooling uses."""


def fitted(x: Array, y: Array, columns: list[int], strength: float = 0.1) -> tuple[Array, Array]:
    """Weights (by label, over all features) and bias."""
    model = LogisticRegression(C=strength, max_iter=2000).fit(x[:, columns], y)
    weights = np.zeros((3, x.shape[1]))
    weights[:, columns] = model.coef_
    return weights, model.intercept_


def probabilities(x: Array, weights: Array, bias: Array) -> Array:
    scores = x @ weights.T + bias
    scores = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(scores / scores.sum(1, keepdims=True))


def across(x: Array, y: Array, groups: Array, columns: list[int]) -> Array:
    """Probabilities of each claim from weights fitted on other items."""
    result = np.zeros((len(y), 3))
    for train, test in GroupKFold(6).split(x, y, groups):
        result[test] = probabilities(x[test], *fitted(x[train], y[train], columns))
    return result


def calibration(scores: Array, y: Array, bins: int = 10) -> float:
    """How far the confidence in the label is from how often it is right, on average."""
    top, right = scores.max(1), scores.argmax(1) == y
    place = np.minimum((top * bins).astype(int), bins - 1)
    return round(
        float(
            sum(
                (place == b).mean() * abs(top[place == b].mean() - right[place == b].mean())
                for b in range(bins)
                if (place == b).any()
            )
        ),
        3,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("features", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--way", default="all, facts", choices=list(COLUMNS))
    parser.add_argument("--limit", type=int, default=384)
    given = parser.parse_args()
    kept = np.load(given.features)
    x, y, groups = kept["x"], kept["y"], kept["item"]
    draft = np.array([name[0] in "DE" for name in groups])
    hard = np.array([name[0] == "C" for name in groups])
    report: dict[str, Any] = {}
    for way, columns in COLUMNS.items():
        scores = across(x, y, groups, columns)
        report[way] = {
            "drafts": figures(scores[draft], y[draft]),
            "hard": figures(scores[hard], y[hard]),
            "calibration error": calibration(scores, y),
        }
        print(way, json.dumps(report[way]))
    weights, bias = fitted(x, y, COLUMNS[given.way])
    config = {
        "labels": ["supported", "not_supported", "not_addressed"],
        "limit": given.limit,
        "statement_tokens": STATEMENT_TOKENS,
        "fact_tokens": FACT_TOKENS,
        "facts": SHOWN,
        "focus": FOCUS if "both" in given.way or "focus" in given.way else 0,
        "batch_tokens": 2048,
        "pool": {
            "way": given.way,
            "weights": np.round(weights, 4).tolist(),
            "bias": np.round(bias, 4).tolist(),
        },
    }
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    (given.out / "figures.json").write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
