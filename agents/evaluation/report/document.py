"""The report as a dictionary: of each run and data set the figures, of two runs the differences.

It is made of results alone and is deterministic: the same results give the same report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.evaluation.measures.bootstrap import RESAMPLES, SEED, paired
from agents.evaluation.running.results import ChartResult, ItemResult
from agents.evaluation.running.store import Manifest
from agents.evaluation.scoring import raters, whole_texts
from agents.evaluation.scoring.breakdowns import (
    by,
    evidence_of,
    evidence_recall,
    kind_of,
    overlap_of,
)
from agents.evaluation.scoring.cost_table import cost
from agents.evaluation.scoring.curves import curves
from agents.evaluation.scoring.figures import HEADLINES, Judged, figures
from agents.evaluation.scoring.statements import Statement, not_verifiable, statements
from agents.evaluation.scoring.systems import OURS, Kept, ours, systems

UNITS = {"claim": "single claims", "text": "sentences of generated texts"}


@dataclass(frozen=True)
class RunResults:
    manifest: Manifest
    items: Sequence[ItemResult]
    charts: Sequence[ChartResult]

    @property
    def name(self) -> str:
        return self.manifest.configuration.name


@dataclass(frozen=True)
class Resampling:
    seed: int = SEED
    resamples: int = RESAMPLES
    """0: no intervals."""


def report(
    runs: Sequence[RunResults],
    how: Resampling | None = None,
    kept: Mapping[str, Kept] | None = None,
) -> dict[str, Any]:
    """Of one run, or of several over the same items, which are compared with the first.

    `kept`: data set -> answers of other systems.
    """
    resampling = how or Resampling()
    first = runs[0].manifest
    return {
        "datasets": [each.model_dump(mode="json") for each in first.datasets],
        "versions": first.versions,
        "seed": first.seed,
        "bootstrap": {"seed": resampling.seed, "resamples": resampling.resamples},
        "runs": [_run(each, resampling, kept or {}) for each in runs],
        "comparisons": [_compared(runs[0], each, resampling) for each in runs[1:]],
    }


def _run(run: RunResults, how: Resampling, kept: Mapping[str, Kept]) -> dict[str, Any]:
    names = [each.name for each in run.manifest.datasets]
    return {
        "name": run.name,
        "configuration": run.manifest.configuration.model_dump(mode="json"),
        "models": run.manifest.models,
        "cost": cost(run.items, run.charts),
        "promises": {
            "citations_of_other_charts": sum(each.foreign_citations for each in run.items),
            "citations_after_as_of": sum(each.later_citations for each in run.items),
        },
        "failed_items": sum(each.error is not None for each in run.items),
        "sets": {
            name: _set([each for each in run.items if each.dataset == name], how, kept.get(name))
            for name in names
        },
    }


def _set(results: Sequence[ItemResult], how: Resampling, kept: Kept | None) -> dict[str, Any]:
    figures_of_set: dict[str, Any] = {
        "items": len(results),
        "failed": sum(each.error is not None for each in results),
        "without_label": sum(span.label is None for each in results for span in each.spans),
        "not_verifiable": not_verifiable(results),
        "units": {},
        "raters": raters.agreement(results),
        "references": whole_texts.references(results),
        "citations": whole_texts.citations(results),
        "people": whole_texts.beside_people(results),
    }
    for role, unit in UNITS.items():
        labelled = statements([each for each in results if each.role == role])
        if labelled:
            figures_of_set["units"][unit] = _unit(labelled, how, kept, texts=role == "text")
    return figures_of_set


def _unit(
    labelled: Sequence[Statement], how: Resampling, kept: Kept | None, *, texts: bool
) -> dict[str, Any]:
    answers = systems(labelled, kept)
    mine = answers[OURS]
    return {
        "systems": {
            name: figures(Judged.of(labelled, given), seed=how.seed, resamples=how.resamples)
            for name, given in answers.items()
        },
        "by_kind": by(labelled, mine, kind_of),
        "by_overlap": by(labelled, mine, overlap_of),
        "by_evidence": by(labelled, mine, evidence_of),
        "evidence_recall": evidence_recall(labelled),
        "curves": curves(Judged.of(labelled, mine)),
        "text_f1": whole_texts.text_f1(labelled, mine) if texts else None,
    }


def _compared(first: RunResults, second: RunResults, how: Resampling) -> dict[str, Any]:
    """Differences of the second run from the first, on the statements that both have."""
    return {
        "first": first.name,
        "second": second.name,
        "sets": {
            each.name: {
                unit: _differences(first, second, (each.name, role), how)
                for role, unit in UNITS.items()
            }
            for each in first.manifest.datasets
        },
    }


def _differences(
    first: RunResults, second: RunResults, of: tuple[str, str], how: Resampling
) -> Mapping[str, Any]:
    one, two = (
        {
            (each.item_id, each.span_id): each
            for each in statements([r for r in run.items if (r.dataset, r.role) == of])
        }
        for run in (first, second)
    )
    both = [key for key in one if key in two]
    a = Judged.of([one[key] for key in both], [ours(one[key]) for key in both])
    b = Judged.of([two[key] for key in both], [ours(two[key]) for key in both])
    differences: dict[str, Any] = {"n": len(both)}
    for name, value in HEADLINES.items():
        difference = paired(
            a.groups,
            lambda rows, value=value: value(a.at(rows)),  # type: ignore[misc]
            lambda rows, value=value: value(b.at(rows)),  # type: ignore[misc]
            resamples=how.resamples,
            seed=how.seed,
        )
        differences[name] = difference and {
            "difference": difference.difference,
            "interval": list(difference.interval),
            "p_value": difference.p_value,
        }
    return differences
