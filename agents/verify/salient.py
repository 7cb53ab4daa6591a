"""The chart's salient facts: what a summary of an encounter should not leave out.

Allergies, medications changed, problems, procedures, results flagged abnormal, follow-up. Searches
bring the chart's facts, `salience` tells what matters in each, and what is said of one thing in many
notes is one salient fact: the latest word on it, with all its places. Bounded, and ordered by how
much a reader would miss it: a list that a clinician reads, not a count of all that a chart holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType

from agents.ports import Embedder, FactIndex, FactQuery, ScoredFact
from agents.verify.collapse import Piece
from agents.verify.salience import Atom, atoms, is_heading, lead_of
from agents.verify.salience_words import SPEAKER
from schemas.completeness import Salience
from schemas.notes import Fact
from schemas.texts import TextGenerated

SEARCHED = 400
"""Facts that one search brings. A chart with no more is read whole."""
OF_A_KIND = 20
"""Salient facts of a kind held against the text."""
STILL_OPEN = timedelta(days=3)
"""Follow-up said longer than this before the last word on any is taken for done or said again."""
SAME_WORDS = 0.75
"""Shared words of two things without a name, of the shorter one's, that make them one."""

_TURNS, _TURNS_SHARE = 3, 0.2
_EMPTY_LINE = 2
"""Characters between two paragraphs; between items there is a list mark too."""

_QUERIES = MappingProxyType(
    {
        Salience.ALLERGY: "allergies and adverse reactions to drugs",
        Salience.MEDICATION_CHANGE: "medication started, stopped, increased, decreased, held",
        Salience.PROBLEM: "diagnoses, active problems, past medical history",
        Salience.PROCEDURE: "underwent a procedure, surgery or operation",
        Salience.FOLLOW_UP: "follow-up appointment, pending results, repeat laboratory tests",
        Salience.ABNORMAL_RESULT: "abnormal result, elevated, low, positive, critical value",
    }
)
"""In order of how much is lost where a summary lacks it: harm comes first from a drug that must not
be given, then from one that is not as it was, then from what nobody knows or does any more."""
_SORTS: Mapping[Salience, str] = MappingProxyType(
    {Salience.PROBLEM: "thing", Salience.ABNORMAL_RESULT: "thing"}
)
"""A finding and the problem of its name are one."""


@dataclass(frozen=True)
class SalientFact:
    """`piece.sources`: all that is said of it, the latest first, each cut to the words that do."""

    salience: Salience
    key: frozenset[str]
    named: bool
    piece: Piece
    lead: str | None = None
    """What the heading over the latest one says, such as `stopped`."""

    @property
    def says(self) -> str:
        """What is held against the text: the words, with the heading that gives them their sense."""
        text = self.piece.fact.text
        return f"{self.lead.capitalize()}: {text}" if self.lead else text


@dataclass(frozen=True)
class Salient:
    """`more`: salient facts beyond `OF_A_KIND`. `cut`: the chart has facts that nobody looked at."""

    facts: tuple[SalientFact, ...] = ()
    more: int = 0
    cut: bool = False


@dataclass(frozen=True)
class _Found:
    atom: Atom
    fact: Fact
    lead: str | None


async def salient_facts(text: TextGenerated, index: FactIndex, embedder: Embedder) -> Salient:
    """At most `OF_A_KIND` of each kind, those first that matter most.

    Of the text's encounter where it names one, else of the record. The same exclusions as for
    evidence: nothing later than the text, nothing AI-authored, not the text's own document.
    """
    hits, cut = await _search(text, index, embedder)
    merged = [_merged(group) for group in _groups(_found(hits))]
    kept: list[SalientFact] = []
    for salience in _QUERIES:
        of_kind = [each for each in merged if each.salience == salience]
        kept += sorted(of_kind, key=_weight)[:OF_A_KIND]
    more = len(merged) - len(kept)
    return Salient(tuple(kept), more, cut)


async def _search(
    text: TextGenerated, index: FactIndex, embedder: Embedder
) -> tuple[list[Fact], bool]:
    hits: dict[str, ScoredFact] = {}
    cut = False
    for embedding in await embedder.embed(list(_QUERIES.values())):
        query = FactQuery(
            patient_id=text.patient_id,
            embedding=embedding,
            limit=SEARCHED,
            as_of=text.evidence_until,
            encounter_id=text.encounter_id,
            exclude_documents=frozenset([text.document_id] if text.document_id else []),
            include_ai_authored=text.settings.include_ai_authored,
        )
        found = await index.search(query)
        cut = cut or len(found) >= SEARCHED
        hits |= {hit.fact.fact_id: hit for hit in found}
    return [hit.fact for hit in hits.values()], cut


def _found(facts: Sequence[Fact]) -> list[_Found]:
    """The atoms of all facts, each document read in order, for the lines that head others."""
    documents: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        documents[fact.document_id].append(fact)
    found = [
        _Found(atom, fact, lead)
        for document in documents.values()
        if not _is_transcript(document)
        for fact, lead in _with_leads(sorted(document, key=lambda fact: fact.ordinal))
        for atom in atoms(fact, lead)
    ]
    plans = [each.fact.note_time for each in found if each.atom.salience == Salience.FOLLOW_UP]
    return [each for each in found if not _is_past(each, max(plans, default=None))]


def _is_transcript(document: Sequence[Fact]) -> bool:
    """What is spoken at a visit is salient where the note of the visit has it."""
    turns = sum(bool(SPEAKER.search(fact.text)) for fact in document)
    return turns >= max(_TURNS, len(document) * _TURNS_SHARE)


def _is_past(found: _Found, last: datetime | None) -> bool:
    plan = found.atom.salience == Salience.FOLLOW_UP
    return plan and last is not None and found.fact.note_time < last - STILL_OPEN


def _with_leads(facts: Iterable[Fact]) -> Iterable[tuple[Fact, str | None]]:
    """A heading holds to the next one, or to where its list ends."""
    lead, before = None, None
    for fact in facts:
        if before and not _goes_on(before, fact):
            lead = None
        first, newline, _ = fact.text.partition("\n")
        if is_heading(first) and (newline or is_heading(fact.text)):
            lead = lead_of(first)
        yield fact, lead or _lead_of_section(fact.section or "")
        before = fact


def _goes_on(before: Fact, fact: Fact) -> bool:
    """Whether a list may go on: the next fact of the section, without an empty line between."""
    follows = fact.ordinal <= before.ordinal + 1 and fact.section == before.section
    return follows and fact.start - before.end != _EMPTY_LINE


def _lead_of_section(title: str) -> str | None:
    """A section may say itself what became of the drugs in it: "Stopped medications"."""
    said = title.casefold()
    is_list = ("medication" in said and "reconciliation" not in said) or "procedures" in said
    return lead_of(title) if is_list else None


def _groups(found: Sequence[_Found]) -> list[list[_Found]]:
    """What is said of one thing, together: by its name, or by most of its words."""
    named: dict[tuple[str, frozenset[str]], list[_Found]] = defaultdict(list)
    worded: list[list[_Found]] = []
    for each in found:
        if each.atom.named:
            named[_sort(each.atom), each.atom.key].append(each)
            continue
        near = next((group for group in worded if _is_near(group[0].atom, each.atom)), None)
        if near is None:
            worded.append([each])
        else:
            near.append(each)
    return [*named.values(), *worded]


def _sort(atom: Atom) -> str:
    return _SORTS.get(atom.salience, atom.salience.value)


def _is_near(one: Atom, other: Atom) -> bool:
    shared = len(one.key & other.key)
    shorter = min(len(one.key), len(other.key))
    return _sort(one) == _sort(other) and shorter > 0 and shared / shorter >= SAME_WORDS


def _merged(group: Sequence[_Found]) -> SalientFact:
    """The latest word on it; of one note, the last."""
    latest = sorted(group, key=lambda e: (-e.fact.note_time.timestamp(), -e.fact.start))
    kinds = {each.atom.salience for each in group}
    salience = next(each for each in _QUERIES if each in kinds)
    sources = {each.fact.fact_id: _cut(each) for each in reversed(latest)}
    first = latest[0]
    return SalientFact(
        salience=salience,
        key=first.atom.key,
        named=first.atom.named,
        piece=Piece(tuple(reversed(sources.values())), 0.0),
        lead=first.lead if salience == Salience.MEDICATION_CHANGE else None,
    )


def _cut(found: _Found) -> Fact:
    """The fact with only the words of the atom, where its text is the note's own."""
    fact, atom = found.fact, found.atom
    if len(fact.text) != fact.end - fact.start:
        return fact
    return fact.model_copy(
        update={
            "text": fact.text[atom.start : atom.end],
            "start": fact.start + atom.start,
            "end": fact.start + atom.end,
        }
    )


def _weight(fact: SalientFact) -> tuple[int, float, str]:
    """What many notes say first, then the latest."""
    notes = len({source.document_id for source in fact.piece.sources})
    return (-notes, -fact.piece.fact.note_time.timestamp(), fact.piece.fact.fact_id)
