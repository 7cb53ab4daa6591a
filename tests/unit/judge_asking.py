"""What the judge's tests share: a judge, and a short way to ask it."""

from __future__ import annotations

import json
from typing import Any

from chartproof_judge import load
from chartproof_judge.lexicon import Lexicon
from chartproof_judge.statement import Statement, parse

JUDGE = load()
LEXICON = Lexicon()


def statement(text: str, section: str = "") -> Statement:
    return parse(text, section, LEXICON)


def fact(text: str, at: int = 0, **fields: Any) -> dict[str, Any]:
    """A fact of the context; `at` is its day, and gives it its id."""
    found = {
        "id": f"fact-{at}",
        "text": text,
        "section": None,
        "time": f"2024-03-{at + 1:02}T08:00:00Z",
        "note_type": "Progress note",
        "document_id": f"note-{at}",
        "score": 0.8,
    }
    return found | fields


def ask(
    proposition: str,
    *facts: str | dict[str, Any],
    section: str | None = None,
    abstain_below: float = 0.0,
    as_of: str | None = None,
) -> dict[str, Any]:
    """The verdict on a proposition by facts; plain strings are a day apart, oldest first."""
    given = [fact(f, at) if isinstance(f, str) else f for at, f in enumerate(facts)]
    context = {"section": section, "as_of": as_of, "facts": given}
    options = {"abstain_below": abstain_below}
    (answer,) = JUDGE.judge([(proposition, json.dumps(context), json.dumps(options))])
    found: dict[str, Any] = json.loads(answer)
    return found


def verdict(proposition: str, *facts: str | dict[str, Any], section: str | None = None) -> str:
    return str(ask(proposition, *facts, section=section)["verdict"])
