"""The judge's `calibration.json`: the curves that it reads, and what says where they come from.

`reliability_report` puts the file into words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypedDict

import orjson

from agents.evaluation.calibration import POPULATION, Curve, fit, split, weighed
from agents.evaluation.graded import Graded
from agents.evaluation.labelled import LabelledSet
from agents.evaluation.reliability import Reliability, calibrated, reliability, uncalibrated
from agents.evaluation.splits import Spread, spread

_POINT = re.compile(r"\[\s+([\d.]+),\s+([\d.]+)\s+\]")


class SetUsed(TypedDict):
    """Charts and claims: fitted, held out."""

    name: str
    sha256: str
    charts: tuple[int, int]
    claims: tuple[int, int]


class Calibration(TypedDict):
    command: str
    judge: str
    seed: int
    population: Mapping[str, float]
    sets: list[SetUsed]
    fitted: Mapping[str, int]
    """Verdicts to which the curve of each kind was fitted."""
    curves: Mapping[str, Curve]
    held_out: Mapping[str, Reliability]
    """`uncalibrated` and `calibrated`."""
    other_splits: list[Spread]


def calibrate(
    sets: Sequence[LabelledSet],
    graded: Sequence[Graded],
    *,
    judge_version: str,
    kinds: Sequence[str],
    seed: int,
) -> Calibration:
    """Fit the curves of `kinds` and measure them on the charts held out. Raises `ValueError`."""
    fitting, held = split(graded, seed)
    curves = fit(weighed(fitting), kinds)
    measuring = weighed(held)
    fitted = Counter(each.kind for each in fitting)
    return Calibration(
        command=f"chartproof calibrate {' '.join(each.name for each in sets)} --seed {seed}",
        judge=judge_version,
        seed=seed,
        population={truth.value: share for truth, share in POPULATION.items()},
        sets=[
            SetUsed(
                name=each.name,
                sha256=each.sha256,
                charts=(_charts(fitting, each.name), _charts(held, each.name)),
                claims=(_claims(fitting, each.name), _claims(held, each.name)),
            )
            for each in sets
        ],
        fitted={kind: fitted[kind] for kind in kinds},
        curves=curves,
        held_out={
            "uncalibrated": reliability(measuring, uncalibrated),
            "calibrated": reliability(measuring, calibrated(curves)),
        },
        other_splits=spread(graded, kinds, seed),
    )


def to_json(calibration: Calibration) -> bytes:
    """Indented, with a point of a curve to a line."""
    text = orjson.dumps(calibration, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    return _POINT.sub(r"[\1, \2]", text.decode()).encode()


def _charts(graded: Sequence[Graded], dataset: str) -> int:
    return len({each.claim.chart_id for each in graded if each.claim.dataset == dataset})


def _claims(graded: Sequence[Graded], dataset: str) -> int:
    return sum(each.claim.dataset == dataset for each in graded)
