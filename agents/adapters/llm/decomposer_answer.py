"""The shapes of a decomposer's answers, and the reading of them into spans of the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from agents.adapters.llm.alignment import borne_out, place
from agents.adapters.llm.errors import BadAnswer
from agents.ports import Span
from schemas.propositions import Flag, Pattern, SourceSpan

_FLAGS = ("imperative", "interrogative", "incomplete", "vague")
_TOGETHER, _ALONE = ("A", "B", "C"), ("D", "E", "F")
CLAIM_CHARACTERS = 400


class _Claim(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")
    sentence: str
    claim: str
    words: str


class _Flagged(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")
    sentence: str
    flag: Flag


class _Claims(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")
    claims: list[_Claim]
    flagged: list[_Flagged] = []


class _Group(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")
    pattern: Literal["A", "B", "C", "D", "E", "F"]
    units: list[str]


class _Groups(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")
    groups: list[_Group]


_CLAIMS, _GROUPS = TypeAdapter(_Claims), TypeAdapter(_Groups)


def label(n: int) -> str:
    return f"S{n + 1}"


def claims_schema(sentences: int) -> dict[str, Any]:
    sentence = {"type": "string", "enum": [label(n) for n in range(sentences)]}
    text = {"type": "string", "maxLength": CLAIM_CHARACTERS}
    flag = {"type": "string", "enum": list(_FLAGS)}
    return _object(
        claims=_list(_object(sentence=sentence, claim=text, words=text), sentences * 12),
        flagged=_list(_object(sentence=sentence, flag=flag), sentences),
    )


def groups_schema(units: int) -> dict[str, Any]:
    unit = {"type": "string", "enum": [label(n) for n in range(units)]}
    pattern = {"type": "string", "enum": [*_TOGETHER, *_ALONE]}
    return _object(groups=_list(_object(pattern=pattern, units=_list(unit, units)), units))


def _object(**fields: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON Schema
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _list(items: dict[str, Any], most: int) -> dict[str, Any]:
    return {"type": "array", "items": items, "maxItems": most}


def read_claims(answer: str, text: str, sentences: Sequence[Span]) -> list[Span]:
    """Claims and flagged sentences, by `start`. Raises `BadAnswer`, also when a sentence is in none
    of them or a claim is not of its sentence."""
    given = _validated(_CLAIMS, answer)
    by_label = {label(n): span for n, span in enumerate(sentences)}
    flags = {each.sentence: each.flag for each in given.flagged}
    if not by_label.keys() >= {*flags, *(each.sentence for each in given.claims)}:
        raise BadAnswer("It names ids that are not among the sentences.")
    result = [_claim(each, text, by_label[each.sentence]) for each in given.claims]
    known = {each.sentence for each in given.claims}
    for name, span in by_label.items():
        if name in known:
            continue
        if name not in flags:
            raise BadAnswer("Each sentence needs a claim or a flag.")
        result.append(replace(span, flag=flags[name], pattern=None))
    counts = {span.start: 0 for span in sentences}
    for each in result:
        if each.flag is None:
            counts[each.sources[0].start] += 1
    patterned = [_alone(each, counts) for each in result]
    return sorted(patterned, key=lambda span: (span.start, span.end))


def _claim(given: _Claim, text: str, sentence: Span) -> Span:
    if not borne_out(given.claim, [text[sentence.start : sentence.end]]):
        raise BadAnswer("A claim must say what its sentence says, in its words and numbers.")
    start, end = place(given.words, text, sentence.start, sentence.end)
    source = SourceSpan(start=sentence.start, end=sentence.end)
    content = " ".join(given.claim.split())
    return replace(
        sentence, content=content, start=start, end=end, sources=(source,), flag=None, words=()
    )


def _alone(span: Span, counts: dict[int, int]) -> Span:
    if span.flag is not None:
        return span
    several = counts[span.sources[0].start] > 1
    return replace(span, pattern="F" if several else "D")


def read_groups(answer: str, units: Sequence[Span]) -> list[tuple[Pattern, list[Span]]]:
    """Units that follow each other, with their pattern; each unit once. Raises `BadAnswer`."""
    given = _validated(_GROUPS, answer)
    places = {label(n): n for n in range(len(units))}
    order: list[int] = []
    result: list[tuple[Pattern, list[Span]]] = []
    for group in given.groups:
        if not set(group.units) <= places.keys() or not group.units:
            raise BadAnswer("It names ids that are not among the units.")
        numbers = sorted(places[name] for name in group.units)
        if group.pattern in _ALONE and len(numbers) > 1:
            raise BadAnswer("A group of D, E or F has one unit.")
        if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            raise BadAnswer("The units of a group follow each other.")
        order += numbers
        result.append((group.pattern, [units[n] for n in numbers]))
    if sorted(order) != list(range(len(units))):
        raise BadAnswer("Each unit must be in exactly one group.")
    return result


def _validated(shape: TypeAdapter[Any], answer: str) -> Any:  # noqa: ANN401
    start, end = answer.find("{"), answer.rfind("}")
    try:
        return shape.validate_json(answer[start : end + 1] if 0 <= start < end else answer)
    except ValidationError:
        raise BadAnswer("It is not the JSON object that was asked for.") from None
