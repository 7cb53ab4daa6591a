"""From the model's probabilities and the checks' findings to three calibrated probabilities.

A multinomial logistic regression over the features below; `combiner.json` has its weights, with
what they were fitted on. A check whose weights are zero has not earned its place.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .checks import CHECKS
from .entailment import Probabilities, Reading
from .findings import Finding

WEIGHED = tuple(check for check in CHECKS if check != "wording")
LABELS = ("supported", "not_supported", "not_addressed")
FLOOR = 1e-4
REPEATED = 3.0
"""Added to the score of `supported` where a fact repeats the statement and no check objects: the
texts that the weights are fitted on hardly ever repeat the chart, and medication lists do."""


def feature_names() -> list[str]:
    names = [f"model_{label}" for label in LABELS]
    names += ["best_fact_supports", "best_fact_conflicts", "coverage"]
    for check in WEIGHED:
        names += [f"{check}_agree", f"{check}_conflict", f"{check}_unknown"]
    return names


def features(reading: Reading, found: Sequence[Finding], coverage: float) -> NDArray[np.float64]:
    """One row, in the order of `feature_names`; `coverage` in 0..1."""
    logs = [math.log(max(p, FLOOR)) for p in reading.label]
    known = [p for p in reading.facts if p is not None]
    best = [math.log(max((p[i] for p in known), default=FLOOR) + FLOOR) for i in (0, 1)]
    row = [*logs, *best, coverage]
    for check in WEIGHED:
        mine = [each.signal for each in found if each.check == check]
        for outcome in ("agree", "conflict", "unknown"):
            amount = sum(s.strength for s in mine if s.outcome == outcome)
            row.append(amount / max(1, len(mine)))
    return np.array(row)


@dataclass(frozen=True)
class Combiner:
    """`weights`: (3, features); `bias`: (3,)."""

    weights: NDArray[np.float64]
    bias: NDArray[np.float64]
    version: str

    def probabilities(self, row: NDArray[np.float64], *, repeated: bool = False) -> Probabilities:
        """`repeated`: a fact says it in the statement's own words (`checks.wording`)."""
        scores = self.weights @ row + self.bias
        scores[0] += REPEATED * repeated
        scores = np.exp(scores - scores.max())
        return Probabilities(*(scores / scores.sum()).tolist())


def model_alone() -> Combiner:
    """The model's own probabilities: where fitting starts from."""
    return Combiner(np.eye(len(LABELS), len(feature_names())), np.zeros(len(LABELS)), "model alone")


def read_combiner(path: Path) -> Combiner:
    """Raises `ValueError` when the file's features are not those of this code."""
    content: Mapping[str, object] = json.loads(path.read_text("utf-8"))
    if content["features"] != feature_names():
        raise ValueError(f"{path.name} was fitted to other features: fit it anew")
    return Combiner(
        np.array(content["weights"], dtype=float),
        np.array(content["bias"], dtype=float),
        str(content["version"]),
    )
