"""The chart's salient facts: what a summary of an encounter should not leave out.

Allergies, procedures, medications changed, problems, results flagged abnormal, follow-up: found by
one search each and told by section and words. Coarse on purpose, and bounded: a list that a
clinician reads, not a count of everything that a chart holds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agents.about import about, is_allergy
from agents.ports import Embedder, FactIndex, FactQuery, ScoredFact
from agents.verify.collapse import Piece, collapse
from schemas.alerts import Category
from schemas.completeness import Salience
from schemas.notes import Fact
from schemas.texts import TextGenerated

SEARCHED = 200
"""Facts that one search brings."""
OF_A_KIND = 12
"""Salient facts of a kind held against the text, the latest first."""

_QUERIES = {
    Salience.ALLERGY: "allergies and adverse reactions to drugs",
    Salience.PROCEDURE: "underwent a procedure, surgery or operation",
    Salience.MEDICATION_CHANGE: "medication started, stopped, increased, decreased, held, resumed",
    Salience.PROBLEM: "diagnoses and active problems",
    Salience.ABNORMAL_RESULT: "abnormal result, elevated, low, positive, critical value",
    Salience.FOLLOW_UP: "follow-up appointment, pending results, repeat laboratory tests",
}
_NEGATED = re.compile(
    r"\b(?:no|not|denie[sd]|without|negative|never|ruled out|cancel\w+|declin\w+|refus\w+)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:start(?:ed|ing)?|initiated|began|begun|new(?:ly)?|stop(?:ped)?|discontinued?|held|hold"
    r"|holding|resumed?|increased?|decreased?|reduced?|titrated|switch(?:ed)?|changed?|added"
    r"|d/c'?d)\b",
    re.IGNORECASE,
)
_ABNORMAL = re.compile(
    r"(?i:\b(?:elevated|abnormal|critical|positive|high|low|decreased|increased|peaked|grew)\b)"
    r"|[\u2191\u2193]|\d\s*(?:\([HL]{1,2}\)|H\b)"  # a bare L is a litre as a rule
)
_VALUE = re.compile(r"\d|\bculture|\bx-?ray|\bCT\b|\bMRI\b|\bscan\b", re.IGNORECASE)
_PROBLEMS = re.compile(r"diagnos|problem|assessment|impression|past medical", re.IGNORECASE)
_LISTED = re.compile(r"problem list|discharge diagnos|past medical", re.IGNORECASE)
_FOLLOW_UP = re.compile(r"follow|appointment|pending", re.IGNORECASE)
_SIGNATURE = re.compile(r"\b(?:MD|DO|RN|NP|PA-C|PharmD|PT|DPT)\b\.?$")
_HISTORY = re.compile(r"family|social|surgical history", re.IGNORECASE)


@dataclass(frozen=True)
class SalientFact:
    salience: Salience
    piece: Piece


def salience_of(fact: Fact) -> Salience | None:
    """Why a summary should say it; None: it need not."""
    text, section = fact.text, fact.section or ""
    said = text.rstrip()
    if _HISTORY.search(section) or said.endswith(("?", ":")) or _SIGNATURE.search(said):
        return None
    category = about(text, section)
    affirmed = not _NEGATED.search(text)
    other = affirmed and category != Category.DOSE
    named = about(text, "") == Category.DIAGNOSIS and _PROBLEMS.search(section)
    rules = (
        (is_allergy(text, section), Salience.ALLERGY),
        (category == Category.FOLLOW_UP or _FOLLOW_UP.search(section), Salience.FOLLOW_UP),
        (affirmed and category == Category.PROCEDURE, Salience.PROCEDURE),
        (affirmed and not other and _CHANGED.search(text), Salience.MEDICATION_CHANGE),
        (other and _ABNORMAL.search(text) and _VALUE.search(text), Salience.ABNORMAL_RESULT),
        (other and (_LISTED.search(section) or named), Salience.PROBLEM),
    )
    return next((salience for holds, salience in rules if holds), None)


async def salient_facts(
    text: TextGenerated, index: FactIndex, embedder: Embedder
) -> tuple[list[SalientFact], int]:
    """At most `OF_A_KIND` of each kind, and how many more there are.

    Of the text's encounter where it names one, else of the record. The same exclusions as for
    evidence: nothing later than the text, nothing AI-authored, not the text's own document.
    """
    embeddings = await embedder.embed(list(_QUERIES.values()))
    hits: dict[str, ScoredFact] = {}
    for embedding in embeddings:
        query = FactQuery(
            patient_id=text.patient_id,
            embedding=embedding,
            limit=SEARCHED,
            as_of=text.evidence_until,
            encounter_id=text.encounter_id,
            exclude_documents=frozenset([text.document_id] if text.document_id else []),
            include_ai_authored=text.settings.include_ai_authored,
        )
        hits |= {hit.fact.fact_id: hit for hit in await index.search(query)}
    found: dict[Salience, list[Piece]] = {salience: [] for salience in _QUERIES}
    for piece in collapse(list(hits.values())):
        if salience := salience_of(piece.fact):
            found[salience].append(piece)
    for pieces in found.values():
        pieces.sort(key=lambda piece: (-piece.fact.note_time.timestamp(), piece.key))
    kept = [
        SalientFact(salience, piece)
        for salience, pieces in found.items()
        for piece in pieces[:OF_A_KIND]
    ]
    return kept, sum(map(len, found.values())) - len(kept)
