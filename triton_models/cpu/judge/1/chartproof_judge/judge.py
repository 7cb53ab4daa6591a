"""The judge: JSON in, JSON out. One bad request never fails its neighbours."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from chartproof_vocabulary import Expanded, expand

from .combiner import Combiner, features, read_combiner
from .entailment import Entailment, FactText, Probabilities, Reading
from .findings import findings
from .reading import Dated, read
from .request import BadRequest, Fact, Request, parse
from .statement import Statement, statement_of
from .verdict import Judged, document

VERSION = "chartproof-judge-cpu-4"


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
            return [document(each) for each in self.judged(requests)]
        except Exception:  # the contract: an error of one request, never of the batch
            if len(requests) == 1:
                return [json.dumps({"error": "internal"})]
            return [answer for each in requests for answer in self._answers([each])]

    def judged(self, requests: Sequence[Request]) -> list[Judged]:
        """All of a batch through the model in one go."""
        statements = [statement_of(request) for request in requests]
        expanded = [expand(statement.text) for statement in statements]
        readings = self._entailment.read_all(
            [
                (one.text, [_shown(fact) for fact in request.facts], request.as_of)
                for one, request in zip(expanded, requests, strict=True)
            ]
        )
        return [
            self._combined(*each)
            for each in zip(requests, statements, expanded, readings, strict=True)
        ]

    def _combined(
        self, request: Request, statement: Statement, expanded: Expanded, reading: Reading
    ) -> Judged:
        mine = Dated(read(expanded.text), request.as_of)
        theirs = [Dated(read(expand(fact.text).text), fact.time) for fact in request.facts]
        checked = tuple(findings(mine, theirs))
        words = mine.read.content()
        known = frozenset().union(*(fact.read.content() for fact in theirs))
        coverage = len(words & known) / max(1, len(words))
        row = features(reading, checked, coverage)
        objected = any(each.signal.outcome == "conflict" for each in checked)
        repeated = any(each.check == "wording" for each in checked) and not objected
        label = self._combiner.probabilities(row, repeated=repeated)
        if not request.facts or not words:
            label = Probabilities(0.01, 0.01, 0.98)
        return Judged(request, statement, expanded, reading, checked, row, label)


def load(folder: Path | None = None) -> Judge:
    """The judge with the weights beside this file."""
    folder = folder or Path(__file__).with_name("weights")
    return Judge(Entailment(folder), read_combiner(folder / "combiner.json"))


def _shown(fact: Fact) -> FactText:
    return FactText(expand(fact.text).text, fact.note_type, fact.section, fact.time, fact.author)
