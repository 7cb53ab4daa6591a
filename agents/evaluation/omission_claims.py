"""Summaries of visits out of labelled claims (`claim_charts`): the claims are the statements.

Which claims are salient, and of which kind, is told by plain words of the claim and the part of the
visit that it is of; the other claims are in every summary. The note has facts that no claim states,
so what is listed and is in no claim is counted apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.evaluation.claim_charts import WRITTEN, ClaimChart
from agents.evaluation.omission_cases import Stated, SummaryCase
from schemas.completeness import Salience

_DENIED = re.compile(
    r"\b(?:no|not|denies|denied|without|negative|normal|never|if|unremarkable|may|can|could"
    r"|reviewed|risks|continue\w*|stable|refill\w*|as prescribed|present for|here for|candidate"
    r"|wishes|mother|father|brother|sister|spouse|advised|referred by|exam)\b",
    re.IGNORECASE,
)
_DRUG = r"\d+ ?(?:mg|mcg|g|%|units|ml)\b|prescri|medication|antibiotic|steroid|insulin|\binhaler"
_KINDS = (
    (Salience.ALLERGY, r"\ballergic to\b|\ballergy to\b"),
    (
        Salience.FOLLOW_UP,
        r"\b(?:follow(?:s|ed)?[- ]up|referred|referral|will return|should return|will be ordered"
        r"|(?:was|were) ordered|repeat \w+|will be obtained)\b",
    ),
    (
        Salience.MEDICATION_CHANGE,
        rf"\b(?:start|increase|decrease|stop|discontinue|switch|prescribe|add)\w*\b.*(?:{_DRUG})"
        rf"|(?:{_DRUG}).*\b(?:start|increase|decrease|stopp|discontinu|switch|prescribe)\w*"
        r"|\bprescri(?:bed|ption)\b",
    ),
    (Salience.PROCEDURE, r"\b(?:underwent|\w+ectomy|\w+plasty|surgery (?:in|for)|debridement)\b"),
    (
        Salience.ABNORMAL_RESULT,
        r"^(?=.*(?:level|x-ray|mri|ct|scan|echo|a1c|monitor|count)).*"
        r"\b(?:elevated|high|low|positive|abnormal|decreased|increased|reveals?|demonstrate[sd]?)\b",
    ),
)  # fmt: skip
_STEM = 7
"""Letters by which `hypothyroid` and `hypothyroidism` are one."""
_HAS = re.compile(
    r"^the patient(?: appears to|'s diagnosis is)?\b.*\b(?:has|have|had|diagnos\w+)\b(?! been)",
    re.IGNORECASE,
)
_ILL = re.compile(
    r"\b(?:\w+(?:itis|osis|emia|opathy|thyroidism)|hypertension|diabetes|disease|infection"
    r"|fracture|sprain|strain|depression|anxiety|asthma|gerd|reflux|cancer|heart failure"
    r"|fibrillation|ulcer|eczema|acne|kidney stones?|migraines?)\b",
    re.IGNORECASE,
)


def claim_summaries(charts: Sequence[ClaimChart]) -> list[SummaryCase]:
    """One case a chart."""
    return [_case(chart) for chart in charts]


def kind_of(claim: str) -> Salience | None:
    """None: a summary need not have it."""
    if _DENIED.search(claim):
        return None
    for kind, words in _KINDS:
        if re.search(words, claim, re.IGNORECASE):
            return kind
    return Salience.PROBLEM if _HAS.search(claim) and len(_ill(claim)) == 1 else None


def _case(chart: ClaimChart) -> SummaryCase:
    kinds = [(kind_of(claim), claim) for claim in chart.claims]
    return SummaryCase(
        source="claims",
        patient_id=chart.patient_id,
        encounter_id=None,
        as_of=WRITTEN,
        notes=tuple(chart.notes()),
        facts=tuple(_stated(kind, claim) for kind, claim in kinds if kind is not None),
        also=tuple(claim for kind, claim in kinds if kind is None),
    )


def _stated(kind: Salience, claim: str) -> Stated:
    """A problem is told by its name: other claims say of it what they say."""
    known = (tuple(word[:_STEM] for word in _ill(claim)),) if kind == Salience.PROBLEM else ()
    return Stated(kind, claim, known)


def _ill(claim: str) -> set[str]:
    return {result.casefold() for result in _ILL.findall(claim)}
