"""A control of the evaluation itself: with labels shuffled, nothing may do better than chance."""

from __future__ import annotations

import random
from collections.abc import Sequence

from agents.evaluation.dataset import NOT_VERIFIABLE
from agents.evaluation.running.results import ItemResult


def with_shuffled_labels(results: Sequence[ItemResult], seed: int) -> list[ItemResult]:
    """The labels that can be right or wrong, dealt anew among the spans of their set."""
    labels: dict[str, list[str]] = {}
    for item in results:
        for span in item.spans:
            if span.label is not None and span.label != NOT_VERIFIABLE:
                labels.setdefault(item.dataset, []).append(span.label)
    for dealt in labels.values():
        random.Random(seed).shuffle(dealt)  # noqa: S311 - no secret
    return [
        item.model_copy(
            update={
                "spans": tuple(
                    span
                    if span.label is None or span.label == NOT_VERIFIABLE
                    else span.model_copy(update={"label": labels[item.dataset].pop()})
                    for span in item.spans
                )
            }
        )
        for item in results
    ]
