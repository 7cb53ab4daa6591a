"""From what was read to the VERDICT document: label, citations, reason, unsupported spans."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np
from chartproof_vocabulary import Expanded, expand
from numpy.typing import NDArray

from . import reason
from .combiner import LABELS
from .entailment import Probabilities, Reading
from .findings import Finding
from .reading import is_content, read, stem
from .request import Fact, Request
from .statement import Statement

CITED = 3
"""Facts cited at most for support."""
SUPPORTS = 0.3
"""Probability from which a further fact is cited as supporting."""
MOST_SPANS = 8


class Judged(NamedTuple):
    """What the judge makes of one request; `row` are the combiner's features."""

    request: Request
    statement: Statement
    expanded: Expanded
    reading: Reading
    findings: tuple[Finding, ...]
    row: NDArray[np.float64]
    probabilities: Probabilities


def document(judged: Judged) -> str:
    """VERDICT, as the contract has it."""
    request, label = judged.request, judged.probabilities
    best = int(np.argmax(label))
    confidence = round(label[best], 4)
    verdict = LABELS[best]
    cited, conflict = _evidence(judged, verdict)
    spans = [] if verdict == "supported" else _unsupported(judged, verdict)
    if verdict == "supported":
        words = reason.supported(cited) if cited else ""
    elif verdict == "not_supported":
        at = judged.expanded.original(*conflict.signal.span) if conflict else (0, 0)
        at = _within(judged, *at)
        words = reason.contradicted(cited, conflict, request.statement[slice(*at)])
    else:
        words = reason.silent(request.statement[slice(*spans[0])] if spans else "")
    checks = ["entailment", *dict.fromkeys(_weighty(judged, verdict))]
    if judged.statement.referent:
        words += f" It is read of {judged.statement.referent}."
        checks.append("reference")
    answer: dict[str, Any] = {
        "verdict": "abstained" if confidence < request.abstain_below else verdict,
        "confidence": confidence,
        "reason": words,
        "cited": [fact.id for fact in cited],
        "checks": checks,
        "unsupported_spans": spans,
        "probabilities": dict(zip(LABELS, (round(p, 4) for p in label), strict=True)),
    }
    return json.dumps(answer)


def _within(judged: Judged, start: int, end: int) -> tuple[int, int]:
    """Offsets into what was read, as offsets into the proposition."""
    shift, length = judged.statement.shift, len(judged.request.statement)
    return min(length, max(0, start - shift)), min(length, max(0, end - shift))


def _weighty(judged: Judged, verdict: str) -> list[str]:
    outcome = "agree" if verdict == "supported" else "conflict"
    return [each.check for each in judged.findings if each.signal.outcome == outcome]


def _evidence(judged: Judged, verdict: str) -> tuple[list[Fact], Finding | None]:
    """Facts to cite, the deciding one first, and the check that names the conflict."""
    facts, effects = judged.request.facts, judged.reading.facts
    if verdict == "supported":
        known = {i: p.supported for i, p in enumerate(effects) if p is not None}
        ranked = sorted(known, key=lambda i: -known[i])[:CITED]
        kept = ranked[:1] + [i for i in ranked[1:] if known[i] >= SUPPORTS]
        return [facts[i] for i in kept], None
    if verdict == "not_supported":
        conflicts = [
            f for f in judged.findings if f.signal.outcome == "conflict" and f.signal.theirs
        ]
        conflict = max(conflicts, key=lambda f: f.signal.strength, default=None)
        worst = judged.reading.best("not_supported")
        chosen = conflict.fact if conflict is not None else worst
        order = [i for i in (chosen, worst) if i is not None]
        return [facts[i] for i in dict.fromkeys(order)], conflict
    return [], None


def _unsupported(judged: Judged, verdict: str) -> list[list[int]]:
    """Spans of the statement that the chart does not support, as character offsets into it."""
    unknown = [f.signal.span for f in judged.findings if f.signal.outcome == "conflict"]
    if not unknown:
        known = frozenset().union(
            *(read(expand(fact.text).text).content() for fact in judged.request.facts)
        )
        tokens = read(judged.expanded.text).tokens
        unknown = [(t.start, t.end) for t in tokens if is_content(t) and stem(t.text) not in known]
    length = len(judged.request.statement)
    spans = set()
    for span in unknown[:MOST_SPANS]:
        start, end = _within(judged, *judged.expanded.original(*span))
        if start < end and not (start == 0 and end == length and verdict != "not_supported"):
            spans.add((start, end))
    return [list(span) for span in sorted(spans)]
