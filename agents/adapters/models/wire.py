"""The JSON documents of decomposer and judge, written and read strictly.

A model's answer is data from outside: it is checked here, field by field, and whatever breaks the
contract is a `ModelError` that says what is wrong without repeating the text it is wrong about.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, Literal, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, TypeAdapter, ValidationError

from agents.errors import ModelError
from agents.ports import Judgement, ShownFact, Span
from schemas.propositions import Flag, Pattern, SharedContext, SourceSpan
from schemas.texts import Decomposition, Unit
from schemas.verdicts import Verdict

T = TypeVar("T")


class _Refused(BaseModel):
    """A row that the model would not answer."""

    model_config = ConfigDict(strict=True, extra="ignore")
    error: str


class _Context(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")
    age: str | None = None
    sex: Literal["female", "male"] | None = None
    problem: str | None = None
    encounter: str | None = None


class _Proposition(BaseModel):
    """A unit, or with `flag` a sentence that is none."""

    model_config = ConfigDict(strict=True, extra="ignore")
    text: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    section: str | None = None
    sources: list[tuple[int, int]] = []
    pattern: Pattern | None = None
    context: _Context | None = None
    flag: Flag | None = None
    reworded: bool = False
    """In words of the text, but not as they stand there: a form, a table, markup."""
    words: list[tuple[int, int]] = []


class _Verdict(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")
    verdict: Literal["supported", "not_supported", "not_addressed", "abstained"]
    confidence: float = Field(ge=0.0, le=1.0, allow_inf_nan=False)
    reason: Annotated[str, Field(min_length=1)]
    cited: list[str] = []
    checks: list[str] = []
    true_in_general: bool | None = None
    unsupported_spans: list[tuple[NonNegativeInt, NonNegativeInt]] = []
    probabilities: dict[str, Annotated[float, Field(ge=0.0, le=1.0)]] = {}


_PROPOSITIONS: TypeAdapter[list[_Proposition] | _Refused] = TypeAdapter(
    list[_Proposition] | _Refused
)
_VERDICT: TypeAdapter[_Verdict | _Refused] = TypeAdapter(_Verdict | _Refused)
_SPARSE: TypeAdapter[dict[int, Annotated[float, Field(gt=0, allow_inf_nan=False)]]] = TypeAdapter(
    dict[int, Annotated[float, Field(gt=0, allow_inf_nan=False)]]
)


def encodable(text: str) -> str:
    """`text` as UTF-8 can say it: a lone surrogate becomes `?`, one character, so offsets stay."""
    return text.encode("utf-8", "replace").decode()


def judge_context(
    facts: Sequence[ShownFact],
    section: str | None,
    as_of: datetime | None,
    surroundings: str | None = None,
) -> str:
    """The judge's CONTEXT: what the chart shows, as data; of each fact only what is known of it."""
    context = {
        "section": section and encodable(section),
        "as_of": as_of,
        "facts": [_shown(fact) for fact in facts],
    }
    if surroundings is not None:
        context["surroundings"] = encodable(surroundings)
    return _dump(context)


def _shown(fact: ShownFact) -> dict[str, object]:
    given: dict[str, object] = {
        "id": fact.fact_id,
        "text": encodable(fact.text),
        "section": fact.section and encodable(fact.section),
        "note_type": fact.note_type and encodable(fact.note_type),
        "document_id": fact.document_id,
    }
    optional = {
        "time": fact.note_time,
        "first_time": fact.first_time,
        "relative_time": None if fact.age is None else relative_time(fact.age),
        "score": fact.score,
        "author_category": fact.author_category,
        "notes": fact.notes if fact.notes > 1 else None,
    }
    return given | {name: value for name, value in optional.items() if value is not None}


def relative_time(age: timedelta) -> str:
    """`2 days 5 hours before the text`; `after` where it is later; whole hours, towards zero."""
    hours = int(abs(age).total_seconds() // 3600)
    counted = ((hours // 24, "day"), (hours % 24, "hour"))
    parts = [f"{n} {unit}{'' if n == 1 else 's'}" for n, unit in counted if n]
    side = "after" if age < timedelta(0) else "before"
    return f"{' '.join(parts) or 'less than 1 hour'} {side} the text"


def judge_options(abstain_below: float) -> str:
    return _dump({"abstain_below": abstain_below})


def read_judgement(document: bytes, facts: Sequence[ShownFact]) -> Judgement:
    """The judge's VERDICT. Raises `ModelError`, also when it cites a fact it was not shown."""
    given = _read("judge", _VERDICT, document)
    shown = {fact.fact_id for fact in facts}
    if not shown.issuperset(given.cited):
        raise ModelError("judge", "the judge cites facts that it was not shown")
    return Judgement(
        verdict=Verdict(given.verdict),
        confidence=given.confidence,
        reason=given.reason,
        cited=tuple(dict.fromkeys(given.cited)),
        checks=tuple(given.checks),
        true_in_general=given.true_in_general,
        unsupported_spans=tuple(given.unsupported_spans),
        probability_supported=given.probabilities.get("supported"),
    )


def decomposition_context(mode: Decomposition | None) -> str:
    """The decomposer's CONTEXT: with a mode, the text is one to verify; without, it is a note."""
    return _dump({} if mode is None else {"mode": mode})


def read_spans(document: bytes, text: str, unit: Unit) -> list[Span]:
    """The decomposer's PROPOSITIONS, by `start`, those flagged among them.

    Raises `ModelError` when offsets are wrong, or words are not the text's that must be.
    """
    rows = _read("decomposer", _PROPOSITIONS, document)
    rows.sort(key=lambda given: (given.start, given.end))
    for given in rows:
        inside = [(given.start, given.end), *given.sources, *given.words]
        if not all(0 <= start < end <= len(text) for start, end in inside):
            raise ModelError("decomposer", "the decomposer gave offsets outside the text")
        if given.words and (given.start, given.end) not in given.words:
            raise ModelError("decomposer", "the decomposer gave words without the unit's own")
        own = given.text == text[given.start : given.end] or (
            given.reworded and _is_of(given.text, text)
        )
        if unit == "sentence" and not own:
            raise ModelError("decomposer", "the decomposer gave a sentence that is not the text's")
        if not own and (given.flag or (unit == "snippet" and _sentences(given) > 1)):
            raise ModelError("decomposer", "the decomposer gave words that are not the text's")
    return [_span(given) for given in rows]


_GIVEN = frozenset(["yes", "no"])
"""What a box that is ticked says (`forms`)."""


def _is_of(words: str, text: str) -> bool:
    """Whether `words` are the text's own: of a form, a table or markup they are put together anew,
    and a model must not make up what is judged, or kept as a fact."""
    joined = "".join(filter(str.isalnum, html.unescape(text).casefold()))
    parts = re.findall(r"\w+", words.casefold().replace("_", " "))
    return all(part in joined or part in _GIVEN for part in parts)


def _sentences(given: _Proposition) -> int:
    """How many sentences of the text are within a unit; a lead-in stands before it."""
    return sum(given.start <= start and end <= given.end for start, end in given.sources)


def _span(given: _Proposition) -> Span:
    return Span(
        content=given.text,
        start=given.start,
        end=given.end,
        section=given.section,
        sources=_spans(given.sources),
        pattern=given.pattern,
        context=SharedContext(**given.context.model_dump()) if given.context else None,
        flag=given.flag,
        words=_spans(given.words),
    )


def _spans(pairs: Sequence[tuple[int, int]]) -> tuple[SourceSpan, ...]:
    return tuple(SourceSpan(start=start, end=end) for start, end in pairs)


def read_sparse(document: bytes) -> dict[int, float]:
    """The embedder's SPARSE: term id -> weight > 0."""
    return _validated("embedder", _SPARSE, document)


def _read(model: str, shape: TypeAdapter[T | _Refused], document: bytes) -> T:
    given = _validated(model, shape, document)
    if isinstance(given, _Refused):
        raise ModelError(model, f"the {model} refused its input: {given.error[:80]}")
    return given


def _validated(model: str, shape: TypeAdapter[T], document: bytes) -> T:
    try:
        return shape.validate_json(document)
    except ValidationError as error:
        # `from None`: pydantic's own message repeats the input.
        wrong = {f"{'.'.join(map(str, e['loc']))}: {e['type']}" for e in error.errors()}
        result = "; ".join(sorted(wrong)[:4])
        raise ModelError(model, f"the {model}'s answer breaks its contract: {result}") from None


def _dump(value: object) -> str:
    return orjson.dumps(value, option=orjson.OPT_UTC_Z).decode()
