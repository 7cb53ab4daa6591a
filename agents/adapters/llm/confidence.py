"""How sure a language model is of a verdict: by its tokens' log-probabilities, else by samples.

A verdict's value is written token by token; at each, what counts is the probability of the token
among those that could still have become one of the labels ("not_supported" and "not_addressed"
begin alike). The product is the probability of the label, given that it had to be one. What that is
worth is a matter of calibration (`Curves`), fitted by `chartproof calibrate`.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from agents.errors import ChartproofError
from agents.ports import Token

_VALUE = re.compile(rb'"verdict"\s*:\s*"')
Curve = tuple[tuple[float, float], ...]
"""(evidence, probability), evidence rising."""


def label_probabilities(tokens: Sequence[Token], labels: Sequence[str]) -> list[float]:
    """The probability of each `"verdict"` of an answer, in order; empty where it cannot be said."""
    answer = b"".join(token.token for token in tokens)
    ends = np.cumsum([len(token.token) for token in tokens])
    result = []
    for match in _VALUE.finditer(answer):
        first = int(np.searchsorted(ends, match.end(), side="right"))
        before = answer[match.end() - _overhang(match.end(), first, ends, tokens) : match.end()]
        result.append(_label(tokens[first:], before, [label.encode() for label in labels]))
    return result


def _overhang(at: int, first: int, ends: NDArray[np.int_], tokens: Sequence[Token]) -> int:
    """Bytes of the value's first token that stand before the value: ` "` in ` "supp`."""
    if first >= len(tokens):
        return 0
    return at - (int(ends[first]) - len(tokens[first].token))


def _label(tokens: Sequence[Token], lead: bytes, labels: Sequence[bytes]) -> float:
    values = [lead + label + b'"' for label in labels]
    given, log = b"", 0.0
    for token in tokens:
        likeliest = dict(token.likeliest) | {token.token: token.logprob}
        possible = [
            logprob for other, logprob in likeliest.items() if _may_become(given + other, values)
        ]
        if possible:
            log += token.logprob - float(np.logaddexp.reduce(possible))
        given += token.token
        if any(given.startswith(value) for value in values):
            break
    return min(max(math.exp(min(log, 0.0)), 0.0), 1.0)


def _may_become(given: bytes, values: Sequence[bytes]) -> bool:
    return bool(given) and any(
        value.startswith(given) or given.startswith(value) for value in values
    )


def majority(verdicts: Sequence[str]) -> tuple[str, float]:
    """The commonest of several samples, the earliest of equals, and its share."""
    verdict, votes = Counter(verdicts).most_common(1)[0]
    return verdict, votes / len(verdicts)


class Curves:
    """Evidence -> the share of verdicts that was right, a curve a label; without a file, itself."""

    def __init__(self, curves: Mapping[str, Curve] | None = None) -> None:
        self._curves: Mapping[str, Curve] = MappingProxyType(dict(curves or {}))

    @classmethod
    def read(cls, path: Path, judge: str) -> Curves:
        """The file that `chartproof calibrate` writes, for the judge of this version.

        Raises `ChartproofError` when it is another judge's or cannot be read.
        """
        try:
            given = json.loads(path.read_text("utf-8"))
            curves = {kind: tuple(map(tuple, points)) for kind, points in given["curves"].items()}
            owner = given["judge"]
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ChartproofError(
                f"CHARTPROOF_LLM_CALIBRATION: {path}: {type(error).__name__}"
            ) from None
        if owner != judge:
            raise ChartproofError(
                f"CHARTPROOF_LLM_CALIBRATION: {path} is for {owner}, and the judge is {judge}: "
                "calibrate it anew"
            )
        return cls(curves)

    def probability(self, kind: str, evidence: float) -> float:
        curve = self._curves.get(kind)
        if not curve:
            return evidence
        known, probabilities = zip(*curve, strict=True)
        return float(np.interp(evidence, known, probabilities))
