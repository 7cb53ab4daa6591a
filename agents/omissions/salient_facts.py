"""The chart's salient facts: what a summary of an encounter should not leave out.

Searches bring the chart's facts, `salience` finds what matters in each, `consolidation` makes one
of what is in many notes. Bounded, and ordered by how much a reader would miss it: a list that a
clinician reads, not a count of all that a chart holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from agents.omissions.consolidation import ORDER, SalientFact, merged
from agents.ports import Embedder, FactIndex, FactQuery
from schemas.completeness import Salience
from schemas.notes import Fact
from schemas.texts import Scope, TextGenerated

SEARCHED = 400
"""Facts that one search brings. A chart with no more is read whole."""
OF_A_KIND = 20
"""Salient facts of a kind held against the text."""

_QUERIES: Mapping[Salience, str] = MappingProxyType(
    {
        Salience.ALLERGY: "allergies and adverse reactions to drugs",
        Salience.MEDICATION_CHANGE: "medication started, stopped, increased, decreased, held",
        Salience.PROBLEM: "diagnoses, active problems, past medical history",
        Salience.PROCEDURE: "underwent a procedure, surgery or operation",
        Salience.FOLLOW_UP: "follow-up appointment, pending results, repeat laboratory tests",
        Salience.ABNORMAL_RESULT: "abnormal result, elevated, low, positive, critical value",
    }
)


@dataclass(frozen=True)
class Salient:
    """`more`: salient facts beyond `OF_A_KIND`. `cut`: there are facts that no search brought.

    `scope`: `encounter` where they are of the text's encounter only.
    """

    facts: tuple[SalientFact, ...]
    more: int
    cut: bool
    scope: Scope


async def salient_facts(text: TextGenerated, index: FactIndex, embedder: Embedder) -> Salient:
    """At most `OF_A_KIND` of each kind, those first that matter most.

    Of the text's encounter, or of the record where it names none, or one of which the chart has
    nothing: an empty list would say that nothing is left out. The same exclusions as for evidence:
    nothing later than the text, nothing AI-authored, not the text's own document.
    """
    scope: Scope = "encounter" if text.encounter_id else "record"
    facts, cut = await _search(text, text.encounter_id, index, embedder)
    if not facts and text.encounter_id:
        scope = "record"
        facts, cut = await _search(text, None, index, embedder)
    salient = merged(facts)
    kept = tuple(
        fact
        for salience in ORDER
        for fact in sorted((e for e in salient if e.salience == salience), key=_weight)[:OF_A_KIND]
    )
    return Salient(kept, len(salient) - len(kept), cut, scope)


async def _search(
    text: TextGenerated, encounter_id: str | None, index: FactIndex, embedder: Embedder
) -> tuple[list[Fact], bool]:
    """What the searches bring, and whether one of them had more to bring."""
    facts: dict[str, Fact] = {}
    cut = False
    for embedding in await embedder.embed(list(_QUERIES.values())):
        query = FactQuery(
            patient_id=text.patient_id,
            embedding=embedding,
            limit=SEARCHED,
            as_of=text.evidence_until,
            encounter_id=encounter_id,
            exclude_documents=frozenset([text.document_id] if text.document_id else []),
            include_ai_authored=text.settings.include_ai_authored,
        )
        hits = await index.search(query)
        cut = cut or len(hits) >= SEARCHED
        facts |= {hit.fact.fact_id: hit.fact for hit in hits}
    return list(facts.values()), cut


def _weight(fact: SalientFact) -> tuple[int, float, str]:
    """What many notes say first, then the latest."""
    notes = len({source.document_id for source in fact.evidence.sources})
    return (-notes, -fact.evidence.fact.note_time.timestamp(), fact.evidence.fact.fact_id)
