"""CONTEXT and OPTIONS, read strictly: what the judge may know of a statement."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

MAX_FACTS = 500
MAX_CHARS = 20_000


class BadRequest(Exception):
    """`code` is what the caller reads in `{"error": code}`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Fact:
    id: str
    text: str
    note_type: str
    section: str
    author: str
    time: datetime | None
    time_words: str
    """The time as a reason says it; empty when the judge is not told."""
    score: float


@dataclass(frozen=True)
class Request:
    statement: str
    section: str
    surroundings: str
    facts: tuple[Fact, ...]
    """Best evidence first."""
    as_of: datetime | None
    abstain_below: float


def parse(proposition: str, context_json: str, options_json: str) -> Request:
    """Raises `BadRequest` when a document breaks its contract."""
    context = _object(context_json, "invalid_context")
    options = _object(options_json or "{}", "invalid_options")
    floor = options.get("abstain_below", 0.0)
    if isinstance(floor, bool) or not isinstance(floor, int | float):
        raise BadRequest("invalid_options")
    given = context.get("facts", [])
    if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
        raise BadRequest("invalid_context")
    facts = sorted((_fact(item) for item in given[:MAX_FACTS]), key=lambda fact: -fact.score)
    return Request(
        proposition[:MAX_CHARS],
        _text(context, "section"),
        _text(context, "surroundings")[:MAX_CHARS],
        tuple(facts),
        _time(context.get("as_of")),
        float(floor),
    )


def _object(text: str, code: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadRequest(code) from error
    if not isinstance(value, dict):
        raise BadRequest(code)
    return value


def _fact(item: Mapping[str, Any]) -> Fact:
    """What is missing or odd is empty or 0."""
    time, relative = _time(item.get("time")), _text(item, "relative_time")
    try:
        score = float(item.get("score") or 0.0)
    except (TypeError, ValueError, OverflowError):
        score = 0.0
    return Fact(
        id=_text(item, "id"),
        text=_text(item, "text")[:MAX_CHARS],
        note_type=_text(item, "note_type"),
        section=_text(item, "section"),
        author=_text(item, "author_category"),
        time=time,
        time_words=f"{time:%Y-%m-%d %H:%M}" if time else relative,
        score=score if math.isfinite(score) else 0.0,
    )


def _text(item: Mapping[str, Any], name: str) -> str:
    value = item.get(name)
    return value if isinstance(value, str) else ""


def _time(value: object) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
