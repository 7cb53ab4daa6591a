"""The shape of a judge's answer, and the reading of it: labels in prompts are not ids of facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from agents.adapters.llm.errors import BadAnswer
from agents.adapters.llm.quoting import bounded, known, quoted
from agents.adapters.models.wire import relative_time
from agents.ports import ShownFact

LABELS = ("supported", "not_supported", "not_addressed", "abstained")
REASON_CHARACTERS = 600
QUERY_CHARACTERS = 200
MOST_CITED = 8
"""A small model would cite for ever."""


@dataclass(frozen=True)
class Modes:
    """What the judge is asked for, after the papers: NLI with or without reasoning and with
    examples, a label of general truth beside that of the patient, searches of its own wording."""

    reasoning: bool = True
    few_shot: bool = True
    dual_label: bool = False
    own_queries: bool = False

    @property
    def prompts(self) -> tuple[str, ...]:
        """Names of the prompt files behind `judge`."""
        chosen = {
            "reasoning": self.reasoning,
            "dual_label": self.dual_label,
            "iterative": self.own_queries,
            "few_shot": self.few_shot,
        }
        return tuple(name for name, wanted in chosen.items() if wanted)


class Said(BaseModel):
    """What the model says of one statement."""

    model_config = ConfigDict(strict=True, extra="ignore")
    verdict: Literal["supported", "not_supported", "not_addressed", "abstained"]
    cited: list[str] = []
    reason: str = ""
    unsupported: str = ""
    true_in_general: bool | None = None
    query: str = ""


_ANSWER: TypeAdapter[dict[str, Said]] = TypeAdapter(dict[str, Said])


def statement_label(n: int) -> str:
    return f"S{n + 1}"


def fact_label(n: int) -> str:
    return f"F{n + 1}"


def schema(statements: int, facts: int, modes: Modes) -> dict[str, Any]:
    """JSON Schema: an object with an answer under each statement's label.

    Reasons come before verdicts, so that a verdict follows from its reason and not the reverse.
    """
    text = {"type": "string", "maxLength": REASON_CHARACTERS}
    fields: dict[str, Any] = {"reason": text} if modes.reasoning else {}
    labels = [fact_label(n) for n in range(facts)]
    fields["verdict"] = {"type": "string", "enum": list(LABELS)}
    cited = {"type": "string", "enum": labels} if labels else {"type": "string"}
    fields["cited"] = {"type": "array", "items": cited, "maxItems": min(facts, MOST_CITED)}
    fields["unsupported"] = {"type": "string", "maxLength": QUERY_CHARACTERS}
    if modes.dual_label:
        fields["true_in_general"] = {"type": "boolean"}
    if modes.own_queries:
        fields["query"] = {"type": "string", "maxLength": QUERY_CHARACTERS}
    one = _object(fields)
    return _object({statement_label(n): one for n in range(statements)})


def _object(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def read(text: str, statements: int, facts: int) -> list[Said]:
    """One answer a statement, in order. Raises `BadAnswer`, also for labels that were not shown."""
    try:
        result = _ANSWER.validate_json(_json_of(text))
    except ValidationError:
        raise BadAnswer("It is not the JSON object that was asked for.") from None
    labels = [statement_label(n) for n in range(statements)]
    if not result.keys() >= set(labels):
        raise BadAnswer("It does not answer each statement under its id.")
    shown = {fact_label(n) for n in range(facts)}
    answers = [result[label] for label in labels]
    if not all(shown.issuperset(given.cited) for given in answers):
        raise BadAnswer("It cites ids that are not in the evidence.")
    return answers


def _json_of(text: str) -> str:
    """The object, without the fences and words that models put around it where nothing holds them
    to a schema."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text


def shown_evidence(facts: Sequence[ShownFact]) -> list[dict[str, Any]]:
    """The facts as the prompt has them; of each only what is known of it."""
    return [
        known(
            {
                "id": fact_label(n),
                "text": bounded(fact.text),
                "section": fact.section and bounded(fact.section),
                "note_type": fact.note_type and bounded(fact.note_type),
                "author": fact.author_category,
                "time": fact.note_time,
                "first_time": fact.first_time,
                "relative_time": None if fact.age is None else relative_time(fact.age),
                "score": None if fact.score is None else round(fact.score, 3),
                "notes": fact.notes if fact.notes > 1 else None,
            }
        )
        for n, fact in enumerate(facts)
    ]


def user_message(
    statements: Sequence[Mapping[str, Any]], facts: Sequence[ShownFact], as_of: object
) -> str:
    """Evidence first: what a server keeps of a prompt's beginning serves later calls too."""
    data = known(
        {
            "evidence": shown_evidence(facts),
            "text_time": as_of,
            "statements": [
                {"id": statement_label(n), **given} for n, given in enumerate(statements)
            ],
        }
    )
    return quoted(data)
