"""The judge: JSON in, JSON out. One bad request never fails its neighbours."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from chartproof_vocabulary import Expanded, expand
from numpy.typing import NDArray

from . import reason
from .combiner import LABELS, Combiner, features, read_combiner
from .entailment import Entailment, FactText, Probabilities, Reading
from .findings import Finding, findings
from .reading import Dated, is_content, read, stem, word_set
from .request import BadRequest, Fact, Request, parse

VERSION = "chartproof-judge-cpu-4"
CITED = 3
"""Facts cited at most for support."""
SUPPORTS = 0.3
"""Probability from which a further fact is cited as supporting."""


class Judged(NamedTuple):
    """What the judge makes of one request; `row` are the combiner's features."""

    request: Request
    expanded: Expanded
    reading: Reading
    found: tuple[Finding, ...]
    row: NDArray[np.float64]
    probabilities: Probabilities


class Judge:
    """Deterministic and safe to share between threads."""

    def __init__(self, entailment: Entailment, combiner: Combiner) -> None:
        self._entailment = entailment
        self._combiner = combiner
        self.version = f"{VERSION}+{combiner.version}"

    def judge(self, requests: Sequence[tuple[str, str, str]]) -> list[str]:
        """Verdicts as JSON, in order, of (proposition, context JSON, options JSON)."""
        parsed: list[Request | str] = []
        for request in requests:
            try:
                parsed.append(parse(*request))
            except BadRequest as bad:
                parsed.append(bad.code)
        good = [each for each in parsed if isinstance(each, Request)]
        answers = iter(self._answers(good))
        return [
            json.dumps({"error": each}) if isinstance(each, str) else next(answers)
            for each in parsed
        ]

    def _answers(self, requests: Sequence[Request]) -> list[str]:
        try:
            return [_document(each) for each in self.judged(requests)]
        except Exception:  # the contract: an error of one request, never of the batch
            if len(requests) == 1:
                return [json.dumps({"error": "internal"})]
            return [answer for each in requests for answer in self._answers([each])]

    def judged(self, requests: Sequence[Request]) -> list[Judged]:
        """All of a batch through the model in one go."""
        statements = [expand(_statement(request)) for request in requests]
        readings = self._entailment.read_all(
            [
                (statement.text, [_shown(fact) for fact in request.facts], request.as_of)
                for statement, request in zip(statements, requests, strict=True)
            ]
        )
        return [self._combined(*each) for each in zip(requests, statements, readings, strict=True)]

    def _combined(self, request: Request, statement: Expanded, reading: Reading) -> Judged:
        mine = Dated(read(statement.text), request.as_of)
        theirs = [Dated(read(expand(fact.text).text), fact.time) for fact in request.facts]
        found = tuple(findings(mine, theirs))
        words = mine.read.content()
        known = frozenset().union(*(fact.read.content() for fact in theirs))
        coverage = len(words & known) / max(1, len(words))
        row = features(reading, found, coverage)
        label = self._combiner.probabilities(row)
        if not request.facts or not words:
            label = Probabilities(0.01, 0.01, 0.98)
        return Judged(request, statement, reading, found, row, label)


def load(folder: Path | None = None) -> Judge:
    """The judge with the weights beside this file."""
    folder = folder or Path(__file__).with_name("weights")
    return Judge(Entailment(folder), read_combiner(folder / "combiner.json"))


def _statement(request: Request) -> str:
    """A bullet under a heading says what the heading makes of it."""
    return (
        f"{request.section}: {request.statement}"
        if _decides(request.section)
        else request.statement
    )


_DECIDING = word_set(
    "stop stopped stopping discontinued discontinue changed new start started continue "
    "continued allergies allergy family hold held pending planned plan declined"
)


def _decides(section: str) -> bool:
    return any(word in _DECIDING for word in section.lower().split())


def _shown(fact: Fact) -> FactText:
    return FactText(expand(fact.text).text, fact.note_type, fact.section, fact.time, fact.author)


def _document(judged: Judged) -> str:
    request, label = judged.request, judged.probabilities
    best = int(np.argmax(label))
    confidence = label[best]
    verdict = LABELS[best]
    cited, conflict = _evidence(judged, verdict)
    spans = [] if verdict == "supported" else _unsupported(judged, verdict)
    if verdict == "supported":
        words = reason.supported(cited) if cited else ""
    elif verdict == "not_supported":
        at = judged.expanded.original(*conflict.signal.span) if conflict else (0, 0)
        at = (max(0, at[0] - _lead(request)), max(0, at[1] - _lead(request)))
        words = reason.contradicted(cited, conflict, request.statement[slice(*at)])
    else:
        words = reason.silent(request.statement[slice(*spans[0])] if spans else "")
    checks = ["entailment", *dict.fromkeys(_weighty(judged, verdict))]
    answer: dict[str, Any] = {
        "verdict": "abstained" if confidence < request.abstain_below else verdict,
        "confidence": round(confidence, 4),
        "reason": words,
        "cited": [fact.id for fact in cited],
        "checks": checks,
        "unsupported_spans": spans,
        "probabilities": dict(zip(LABELS, (round(p, 4) for p in label), strict=True)),
    }
    return json.dumps(answer)


def _lead(request: Request) -> int:
    return len(request.section) + 2 if _decides(request.section) else 0


def _weighty(judged: Judged, verdict: str) -> list[str]:
    outcome = "agree" if verdict == "supported" else "conflict"
    return [each.check for each in judged.found if each.signal.outcome == outcome]


def _evidence(judged: Judged, verdict: str) -> tuple[list[Fact], Finding | None]:
    """Facts to cite, the deciding one first, and the check that names the conflict."""
    facts, effects = judged.request.facts, judged.reading.facts
    if verdict == "supported":
        known = {i: p.supported for i, p in enumerate(effects) if p is not None}
        ranked = sorted(known, key=lambda i: -known[i])[:CITED]
        kept = ranked[:1] + [i for i in ranked[1:] if known[i] >= SUPPORTS]
        return [facts[i] for i in kept], None
    if verdict == "not_supported":
        conflicts = [f for f in judged.found if f.signal.outcome == "conflict" and f.signal.theirs]
        conflict = max(conflicts, key=lambda f: f.signal.strength, default=None)
        worst = judged.reading.best("not_supported")
        chosen = conflict.fact if conflict is not None else worst
        order = [i for i in (chosen, worst) if i is not None]
        return [facts[i] for i in dict.fromkeys(order)], conflict
    return [], None


def _unsupported(judged: Judged, verdict: str) -> list[list[int]]:
    """Spans of the statement that the chart does not bear out, as character offsets into it."""
    found = [f.signal.span for f in judged.found if f.signal.outcome == "conflict"]
    if not found:
        known = frozenset().union(
            *(read(expand(fact.text).text).content() for fact in judged.request.facts)
        )
        tokens = read(judged.expanded.text).tokens
        found = [(t.start, t.end) for t in tokens if is_content(t) and stem(t.text) not in known]
    lead, length = _lead(judged.request), len(judged.request.statement)
    spans = set()
    for span in found[:8]:
        start, end = judged.expanded.original(*span)
        start, end = max(0, start - lead), min(length, end - lead)
        if start < end and not (start == 0 and end == length and verdict != "not_supported"):
            spans.add((start, end))
    return [list(span) for span in sorted(spans)]
