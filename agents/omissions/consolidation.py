"""All statements of one thing in many notes as one salient fact, worded as in the latest.

Facts are read in the order of their note, because a heading gives the items under it their meaning:
under STOP a drug is stopped.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType

from agents.omissions.salience.atom import Atom
from agents.omissions.salience.reading import atoms, is_heading, lead_of, lead_of_section
from agents.verification.evidence_groups import EvidenceGroup
from schemas.completeness import Salience
from schemas.notes import Fact

ORDER = (
    Salience.ALLERGY,
    Salience.MEDICATION_CHANGE,
    Salience.PROBLEM,
    Salience.PROCEDURE,
    Salience.FOLLOW_UP,
    Salience.ABNORMAL_RESULT,
)
"""By how much is lost where a summary lacks it: harm comes first from a drug that must not be
given, then from one that is not as it was, then from what nobody knows or does any more."""
STILL_OPEN = timedelta(days=3)
"""Follow-up planned longer than this before the latest plan counts as done or planned again."""
SAME_WORDS = 0.8
"""Of the words of the shorter of two things without a name, those in common that make them one."""
_EMPTY_LINE = 2
"""Characters between two paragraphs; between items there is a list mark too."""
_TURNS, _TURNS_SHARE = 3, 0.2
_SPEAKER = re.compile(
    r"^\W*(?:\[\d+\]\W*)?\[?(?:doctor|patient|dr|pt|speaker \w)[\w ]*\s*[\]:]", re.IGNORECASE
)
"""At the start of a turn of a conversation."""
_SORTS: Mapping[Salience, str] = MappingProxyType(
    {Salience.PROBLEM: "thing", Salience.ABNORMAL_RESULT: "thing"}
)
"""A finding and the problem of its name are one."""


@dataclass(frozen=True)
class SalientFact:
    """`evidence.sources`: every statement of it, the latest first, each cut to its own words.

    `lead`: what was done to a drug by the heading over the latest one.
    """

    salience: Salience
    key: frozenset[str]
    named: bool
    evidence: EvidenceGroup
    lead: str | None = None

    @property
    def statement(self) -> str:
        """What is held against the text: the words, with the heading that gives them sense."""
        text = self.evidence.fact.text
        return f"{self.lead.capitalize()}: {text}" if self.lead else text


@dataclass(frozen=True)
class _Occurrence:
    atom: Atom
    fact: Fact
    """Cut to the atom."""
    lead: str | None


def merged(facts: Sequence[Fact]) -> list[SalientFact]:
    """The salient things of these facts, each once, in no particular order."""
    documents: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        documents[fact.document_id].append(fact)
    occurrences = [each for document in documents.values() for each in _occurrences(document)]
    plans = [
        each.fact.note_time for each in occurrences if each.atom.salience == Salience.FOLLOW_UP
    ]
    last = max(plans, default=None)
    return [_one(group) for group in _groups([e for e in occurrences if not _is_past(e, last)])]


def _occurrences(document: Sequence[Fact]) -> Iterator[_Occurrence]:
    turns = sum(bool(_SPEAKER.search(fact.text)) for fact in document)
    if turns >= max(_TURNS, len(document) * _TURNS_SHARE):
        return  # What is spoken at a visit is salient where the note of the visit has it.
    for fact, lead in _with_leads(sorted(document, key=lambda fact: fact.ordinal)):
        for atom in atoms(fact, lead):
            yield _Occurrence(atom, _cut(fact, atom.start, atom.end), lead)


def _is_past(occurrence: _Occurrence, last: datetime | None) -> bool:
    plan = occurrence.atom.salience == Salience.FOLLOW_UP
    return plan and last is not None and occurrence.fact.note_time < last - STILL_OPEN


def _with_leads(facts: Sequence[Fact]) -> Iterator[tuple[Fact, str | None]]:
    """A heading holds to the next one, or to where its list ends."""
    lead, before = None, None
    for fact in facts:
        if before and not _goes_on(before, fact):
            lead = None
        before = fact
        for line in _lines(fact):
            if is_heading(line.text):
                lead = lead_of(line.text)
            yield line, lead or lead_of_section(fact.section or "")


def _lines(fact: Fact) -> Iterator[Fact]:
    """The lines of a fact that is a heading with its list; any other fact as it is."""
    first = fact.text.partition("\n")[0]
    if first == fact.text or not is_heading(first) or len(fact.text) != fact.end - fact.start:
        yield fact
        return
    for line in re.finditer(r"[^\n]+", fact.text):
        mark = re.match(r"\W*", line[0])
        yield _cut(fact, line.start() + (mark.end() if mark else 0), line.end())


def _goes_on(before: Fact, fact: Fact) -> bool:
    """Whether a list may go on: the next fact of the section, without an empty line between."""
    follows = fact.ordinal <= before.ordinal + 1 and fact.section == before.section
    return follows and fact.start - before.end != _EMPTY_LINE


def _groups(occurrences: Sequence[_Occurrence]) -> list[list[_Occurrence]]:
    """The statements of one thing, together: by its name, or by most of its words."""
    named: dict[tuple[str, frozenset[str]], list[_Occurrence]] = defaultdict(list)
    worded: list[list[_Occurrence]] = []
    for each in occurrences:
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
    shorter = min(len(one.key), len(other.key))
    shared = len(one.key & other.key)
    return _sort(one) == _sort(other) and shorter > 0 and shared >= SAME_WORDS * shorter


def _one(group: Sequence[_Occurrence]) -> SalientFact:
    """The latest word on it; of one note, the last one on a drug and the shortest on a thing."""
    kinds = {each.atom.salience for each in group}
    salience = next(each for each in ORDER if each in kinds)
    is_drug = salience == Salience.MEDICATION_CHANGE
    latest = sorted(
        group,
        key=lambda each: (
            -each.fact.note_time.timestamp(),
            -each.fact.start if is_drug else len(each.fact.text),
            each.fact.fact_id,
        ),
    )
    places: dict[str, Fact] = {}
    for each in latest:
        places.setdefault(each.fact.fact_id, each.fact)
    evidence = EvidenceGroup(tuple(places.values()), 0.0)
    first = latest[0]
    lead = first.lead if is_drug else None
    return SalientFact(salience, first.atom.key, first.atom.named, evidence, lead)


def _cut(fact: Fact, start: int, end: int) -> Fact:
    """The fact with only these of its words, where its text is the note's own."""
    if len(fact.text) != fact.end - fact.start:
        return fact
    return fact.model_copy(
        update={
            "text": fact.text[start:end],
            "start": fact.start + start,
            "end": fact.start + end,
        }
    )
