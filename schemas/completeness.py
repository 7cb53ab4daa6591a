"""A score sheet's findings on a text as a whole: what it leaves out, whether its citations hold."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from schemas.events import Frozen
from schemas.evidence import Evidence


class Salience(StrEnum):
    """Why a summary of an encounter should say it."""

    ALLERGY = "allergy"
    PROCEDURE = "procedure"
    MEDICATION_CHANGE = "medication_change"
    PROBLEM = "problem"
    ABNORMAL_RESULT = "abnormal_result"
    FOLLOW_UP = "follow_up"


class Omission(Frozen):
    """A salient fact of the chart that the text does not say."""

    salience: Salience
    coverage: Literal["left_out", "otherwise"] = Field(
        description="`left_out`: the text is silent; `otherwise`: it states something else or part"
    )
    propositions: tuple[str, ...] = Field(
        (), description="Ids of the text's propositions that say it otherwise or in part"
    )
    evidence: Evidence


class Omissions(Frozen):
    """Claim recall: how many of the chart's salient facts the text entails."""

    checked: int = Field(ge=0, description="Salient facts held against the text")
    covered: int = Field(ge=0, description="Those that the text states")
    undecided: int = Field(0, ge=0, description="Those the judge abstained from or failed on")
    not_checked: int = Field(0, ge=0, description="Salient facts beyond the bound")
    cut: bool = Field(
        False,
        description="The chart holds more than was looked at or held against the text, so the list"
        " may lack some",
    )
    scope: Literal["record", "encounter"] = Field(
        "record",
        description="What was looked at: `record` too where the chart has nothing of the encounter",
    )
    recall: float | None = Field(description="covered / checked; null when nothing was checked")
    omissions: tuple[Omission, ...] = ()


class CitedSentence(Frozen):
    """A sentence of the text and what it cites."""

    start: int = Field(ge=0, description="Character offset into the text")
    end: int = Field(ge=0)
    documents: tuple[str, ...] = Field((), description="Documents cited, in order")
    unknown: tuple[str, ...] = Field((), description="Markers that name no document of the chart")
    supported: bool = Field(description="The documents cited support the sentence together")
    needed: tuple[str, ...] = Field(
        (), description="Those that support it alone, or without which the others do not"
    )


class Citations(Frozen):
    """Citation recall and precision (Gao et al. 2023, "Enabling LLMs to generate text with
    citations", section 4)."""

    recall: float | None = Field(
        description="Share of sentences that what they cite supports; null without sentences"
    )
    precision: float | None = Field(
        description="Share of citations that are needed; null without citations"
    )
    sentences: tuple[CitedSentence, ...] = ()
