"""The judge: JSON in, JSON out. One bad request never fails its neighbours.

CONTEXT: `facts`, the `section` of the proposition, and `surroundings`, the text around it. Only
facts are evidence; the surroundings say what a reference in the proposition stands for
(`antecedents`). The contract's optional `true_in_general` is left out, that is None: rules that
compare a statement with a chart know nothing of medicine at large.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from .antecedents import BEFORE, Read, before, understood
from .compound import combine, sentences, statements
from .confidence import KINDS
from .decide import decide
from .evidence import Fact
from .lexicon import Lexicon
from .noted import day_of, noted
from .series import series
from .statement import Statement, parse
from .verdict import Verdict
from .when import When
from .words import MAX_CHARS

VERSION = "chartproof-judge-cpu-3"
CACHED_STATEMENTS = 4_096
"""Parsed statements kept; a fact is shown to many propositions. About 8 KB a sentence."""
CACHED_CHARS = 2_000
"""Longer texts are parsed anew each time, so that the cache stays bounded in bytes too."""
MAX_FACTS = 500
MAX_STATEMENTS = 1_500
"""Sentences of facts that are read one by one; of further facts all sentences are read as one."""


class BadRequest(Exception):
    """`code` is what the caller reads in `{"error": code}`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Judge:
    """Deterministic and safe to share between threads."""

    version = VERSION
    kinds = KINDS
    """Of evidence, each with a curve of its own."""

    def __init__(self, lexicon: Lexicon) -> None:
        def read(text: str, section: str) -> Statement:
            return parse(text, section, lexicon)

        self._lexicon = lexicon
        self._read = read
        self._read_cached: Callable[[str, str], Statement] = lru_cache(CACHED_STATEMENTS)(read)

    def judge(self, requests: Sequence[tuple[str, str, str]]) -> list[str]:
        """Verdicts as JSON, in order, of (proposition, context JSON, options JSON)."""
        return [self._one(*request) for request in requests]

    def _one(self, proposition: str, context_json: str, options_json: str) -> str:
        try:
            context = _object(context_json, "invalid_context")
            options = _object(options_json or "{}", "invalid_options")
            floor = options.get("abstain_below", 0.0)
            if isinstance(floor, bool) or not isinstance(floor, int | float):
                raise BadRequest("invalid_options")
            verdict = self.verdict(proposition, context)
        except BadRequest as bad:
            return json.dumps({"error": bad.code})
        except Exception:  # the contract: an error of one request, never of the batch
            return json.dumps({"error": "internal"})
        sure = verdict.confidence.probability
        label = "abstained" if sure < floor else verdict.verdict
        return json.dumps(
            {
                "verdict": label,
                "confidence": round(sure, 4),
                "reason": verdict.reason,
                "cited": list(verdict.cited),
                "checks": list(verdict.checks),
            }
        )

    def verdict(self, proposition: str, context: Mapping[str, Any]) -> Verdict:
        """Judge one proposition. Raises `BadRequest` when the context breaks its contract."""
        given = context.get("facts", [])
        if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
            raise BadRequest("invalid_context")
        section = context.get("section")
        heading = section if isinstance(section, str) else ""
        around = context.get("surroundings")
        facts = self._facts(given[:MAX_FACTS], context.get("as_of"))
        said = self._understood(proposition[:MAX_CHARS], around if isinstance(around, str) else "")
        parts = [(self._parse(each.text, heading), each) for each in said]
        spoken = [part for part in parts if part[0].terms or part[0].quantities] or parts[:1]
        return combine([_named(self._decide(part, facts), each) for part, each in spoken])

    def _decide(self, part: Statement, facts: Sequence[Fact]) -> Verdict:
        return decide(part, [*facts, *series(part, facts, self._parse)])

    def _understood(self, proposition: str, surroundings: str) -> list[Read]:
        """The sentences, each with what it refers to, from those before it and from the text."""
        earlier = before(proposition, surroundings[:MAX_CHARS])
        found: list[Read] = []
        for sentence in sentences(proposition):
            found.append(understood(sentence, earlier, self._lexicon))
            earlier = f"{earlier} {found[-1].text}"[-BEFORE:]
        return found

    def _parse(self, text: str, section: str) -> Statement:
        short = len(text) + len(section) <= CACHED_CHARS
        return self._read_cached(text, section) if short else self._read(text, section)

    def _facts(self, given: Sequence[Mapping[str, Any]], as_of: object) -> list[Fact]:
        times = [noted(item, as_of) for item in given]
        order = {at: place for place, at in enumerate(sorted({time.instant for time in times}))}
        text = day_of(as_of)
        found: list[Fact] = []
        for item, time in zip(given, times, strict=True):
            id_, said, section, score = _row(item)
            when, place = When(text, time.day), order[time.instant]
            for piece in statements(said) if len(found) < MAX_STATEMENTS else (said,):
                parsed = self._parse(piece, section)
                found.append(Fact(id_, piece, time.said, score, place, parsed, when))
        return found


def load() -> Judge:
    """Build the lexicon (about 0.2 s, nearly all of it pint's units) and a judge on it."""
    return Judge(Lexicon())


def _named(verdict: Verdict, said: Read) -> Verdict:
    """A verdict that says what the reference was taken to mean."""
    if not said.meant:
        return verdict
    reason = f'{verdict.reason} "{said.word.capitalize()}" is read as {said.meant}.'
    return verdict._replace(reason=reason, checks=(*verdict.checks, "reference"))


def _object(text: str, code: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadRequest(code) from error
    if not isinstance(value, dict):
        raise BadRequest(code)
    return value


def _row(item: Mapping[str, Any]) -> tuple[str, str, str, float]:
    """id, text, section and score of a fact; what is missing or odd is empty or 0."""
    said = (item.get(name) for name in ("id", "text", "section"))
    id_, text, section = (value if isinstance(value, str) else "" for value in said)
    try:
        score = float(item.get("score") or 0.0)
    except (TypeError, ValueError, OverflowError):
        score = 0.0
    return id_, text, section, score if math.isfinite(score) else 0.0
