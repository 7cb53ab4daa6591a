"""The cpu judge as its tests ask it."""

import json
from typing import Any

from chartproof_judge import load

JUDGE = load()


def fact(text: str, fact_id: str = "f1", **more: Any) -> dict[str, Any]:
    return {"id": fact_id, "text": text, "section": None, "note_type": "Progress note", **more}


def ask(proposition: str, *facts: str | dict[str, Any], **options: Any) -> dict[str, Any]:
    """The verdict on a proposition by these facts, best evidence first."""
    rows = [fact(f, f"f{n}") if isinstance(f, str) else f for n, f in enumerate(facts, 1)]
    rows = [{"score": 1 - n / 100, **row} for n, row in enumerate(rows)]
    around = {
        name: options.pop(name) for name in ("section", "as_of", "surroundings") if name in options
    }
    (answer,) = JUDGE.judge(
        [(proposition, json.dumps({"facts": rows, **around}), json.dumps(options))]
    )
    result: dict[str, Any] = json.loads(answer)
    return result
