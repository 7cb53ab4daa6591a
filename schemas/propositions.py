"""A proposition: one verifiable unit of a generated text, with where it stands in it."""

from __future__ import annotations

from pydantic import Field

from schemas.events import Frozen
from schemas.texts import Unit


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
