"""A proposition: one verifiable unit of a generated text, with where it stands in it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.events import Frozen
from schemas.texts import Unit

Pattern = Literal["A", "B", "C", "D", "E", "F"]
"""Judged together: A an enumeration of properties of one subject, B a causal or conditional chain,
C a conclusion with its premises. Judged alone: D standalone, E a shift of topic, F distinct facts.
"""
Flag = Literal[
    "imperative", "interrogative", "incomplete", "vague", "placeholder", "chatter", "unfilled"
]


class SourceSpan(Frozen):
    """A sentence of the text, or the lead-in of a list."""

    start: int = Field(ge=0, description="Character offset into the text")
    end: int = Field(ge=0)


class SharedContext(Frozen):
    """What the text says once and means of this proposition too; null: it does not say."""

    age: str | None = Field(None, description='Of the patient, with its unit: "74 years"')
    sex: Literal["female", "male"] | None = None
    problem: str | None = Field(None, description="Problem or topic that it stands under")
    encounter: str | None = Field(None, description='In the text\'s words: "admitted to the ward"')


class FlaggedSpan(Frozen):
    """A sentence of the text that states nothing to be verified; reported, not judged."""

    start: int = Field(ge=0, description="Character offset into the text")
    end: int = Field(ge=0)
    text: str
    flag: Flag
    section: str | None = None


class Proposition(Frozen):
    proposition_id: str
    ordinal: int = Field(ge=0)
    unit: Unit
    text: str = Field(description="As judged; a claim may repeat its sentence's subject")
    start: int = Field(
        ge=0, description="Character offset into the text, of the words it comes from"
    )
    end: int = Field(ge=0)
    section: str | None = None
    sources: tuple[SourceSpan, ...] = Field(
        (), description="The sentences that it comes from, with the lead-in of its list"
    )
    pattern: Pattern | None = Field(
        None,
        description="A enumeration, B chain, C conclusion, D standalone, E topic shift, F one of"
        " several facts; null: the decomposer does not say",
    )
    context: SharedContext | None = Field(None, description="What it shares with the whole text")
