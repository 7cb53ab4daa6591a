"""The status of a patient's documents: which are evidence, and which are suppressed by which other.

A pure function of all the documents' rows, so the answer does not depend on the order in which they
came, nor on what came twice. The rules, first that decides:

1. `replaced`: a document that is not retracted replaces it, directly or along a chain; so does
   whatever replaces another copy of it. What is retracted replaces nothing, but a chain runs on
   through it: the successor of a wrong correction still replaces the original.
2. `other_form`: it transforms a document that is known. Of two forms the original is evidence. A
   form of a retracted original stays out with it: it would bring the error back.
3. `duplicate`: the same note under two ids. Equal text of equal time, encounter and kind of author
   is the same note; a DiagnosticReport and a DocumentReference may name times within a day of each
   other, for one says when it was issued and the other when it was filed. The same business
   identifier is the same note whatever its text, and the newest text counts. Of equal ones the
   first to come stays, so evidence goes on citing it.

`appends` and the status `superseded` move nothing. Relations in a circle say nothing and count for
nothing. Sources: FHIR R4 DocumentReference.relatesTo, US Core clinical notes guidance.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import pairwise
from typing import NamedTuple

from agents.chart_records import DocumentHead, DocumentStatus
from schemas.notes import RelationKind

CURRENT, RETRACTED = DocumentStatus.CURRENT, DocumentStatus.RETRACTED
REPLACED, OTHER_FORM = DocumentStatus.REPLACED, DocumentStatus.OTHER_FORM
DUPLICATE = DocumentStatus.DUPLICATE

SAME_REPORT = timedelta(days=1)
Heads = Mapping[str, DocumentHead]
Links = Mapping[str, frozenset[str]]


class StatusOf(NamedTuple):
    """`superseded_by` is the document that counts in place of this one."""

    status: DocumentStatus
    superseded_by: str | None = None


def document_statuses(heads: Iterable[DocumentHead]) -> dict[str, StatusOf]:
    """Each document's status by its id. `heads` are all documents of one patient."""
    known = {head.document_id: head for head in heads}
    live = {name: head for name, head in sorted(known.items()) if head.status != RETRACTED}
    statuses = {name: StatusOf(RETRACTED) for name in known.keys() - live.keys()}
    statuses |= _replaced(known, live)
    statuses |= _other_forms(known, live, statuses)
    left = [head for name, head in live.items() if name not in statuses]
    for group in _groups(left, (*_equal_pairs(left), *_named_pairs(left))):
        kept = _kept(group)
        statuses |= {head.document_id: StatusOf(DUPLICATE, kept) for head in group}
        statuses[kept] = StatusOf(CURRENT)
    return statuses


def text_hash(text: str) -> str:
    """Equal for texts that differ in white space only: formats wrap the same note differently."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()


def _replaced(known: Heads, live: Heads) -> dict[str, StatusOf]:
    """By live documents. All copies of a document are replaced with it, so copies are one node."""
    groups = _groups(list(live.values()), _equal_pairs(live.values()))
    node = {one.document_id: group[0].document_id for group in groups for one in group}
    members = {group[0].document_id: [one.document_id for one in group] for group in groups}
    links = _links(known, RelationKind.REPLACES)
    between: dict[str, frozenset[str]] = {}
    for name, targets in links.items():
        here = node.get(name, name)
        there = frozenset(node.get(target, target) for target in targets) - {here}
        between[here] = between.get(here, frozenset()) | there
    replaced: dict[str, StatusOf] = {}
    for successor in live:
        here = node[successor]
        gone = {name for each in _below(here, between) for name in members.get(each, ())}
        gone |= {name for name in _below(successor, links) if node.get(name) == here}
        for name in gone:
            replaced.setdefault(name, StatusOf(REPLACED, successor))
    return replaced


def _other_forms(known: Heads, live: Heads, decided: Mapping[str, StatusOf]) -> dict[str, StatusOf]:
    links = _links(known, RelationKind.TRANSFORMS)
    below = {name: _below(name, links) for name in live.keys() & links.keys() - decided.keys()}
    forms: dict[str, StatusOf] = {}

    def leads(name: str | None, end: str) -> bool:
        while name is not None and name != end:
            status = forms.get(name) or decided.get(name)
            name = status.superseded_by if status else None
        return name == end

    # Originals before their forms, so that no two of them suppress each other.
    for name in sorted(below, key=lambda each: (len(below[each]), each)):
        originals = [each for each in below[name] if not leads(each, name)]
        if originals:
            forms[name] = StatusOf(OTHER_FORM, min(originals))
    return forms


def _links(known: Heads, kind: RelationKind) -> Links:
    """Which documents each one names in relations of `kind`; a target goes by id or identifier."""
    names: dict[str, set[str]] = defaultdict(set)
    for name, head in known.items():
        for alias in (name, *head.lineage.identifiers):
            names[alias].add(name)
    links: dict[str, frozenset[str]] = {}
    for name, head in known.items():
        targets = [each.target for each in head.lineage.relations if each.kind is kind]
        # An identifier that both carry names the other one.
        linked = frozenset(one for target in targets for one in names[target]) - {name}
        if linked:
            links[name] = linked
    return links


def _below(name: str, links: Links) -> frozenset[str]:
    """What `name` links to, directly or through others, and what does not link back."""
    return frozenset(each for each in _reach(name, links) if name not in _reach(each, links))


def _reach(start: str, links: Links) -> frozenset[str]:
    reached: set[str] = set()
    ahead = [start]
    while ahead:
        new = links.get(ahead.pop(), frozenset()) - reached
        reached |= new
        ahead += new
    return frozenset(reached)


def _kept(group: Sequence[DocumentHead]) -> str:
    """The newest text; of equal ones the first to come."""
    newest = max(
        group, key=lambda one: (one.version.last_updated or one.updated_at, one.document_id)
    )
    equal = [one for one in group if one.lineage.text_hash == newest.lineage.text_hash]
    return min(equal, key=lambda one: (one.updated_at, one.document_id)).document_id


Pair = tuple[str, str]


def _equal_pairs(live: Iterable[DocumentHead]) -> list[Pair]:
    """Neighbours among documents of equal text."""
    texts: dict[tuple[str, bool], list[DocumentHead]] = defaultdict(list)
    for head in live:
        if head.lineage.text_hash:
            texts[head.lineage.text_hash, head.lineage.ai_authored].append(head)
    pairs: list[Pair] = []
    for equal in texts.values():
        same: dict[object, DocumentHead] = {}
        for head in equal:
            first = same.setdefault(_circumstances(head), head)
            pairs.append((first.document_id, head.document_id))
        equal.sort(key=lambda head: (head.note_time, head.document_id))
        for one, other in pairwise(equal):
            kinds = {one.lineage.resource_type, other.lineage.resource_type}
            if len(kinds) > 1 and other.note_time - one.note_time <= SAME_REPORT:
                pairs.append((one.document_id, other.document_id))
    return pairs


def _circumstances(head: DocumentHead) -> object:
    lineage = head.lineage
    time = head.note_time if lineage.has_own_time else None
    return lineage.resource_type, lineage.encounter_id, time


def _named_pairs(live: Sequence[DocumentHead]) -> list[Pair]:
    """Documents with a business identifier in common: one without a system says nothing.

    An addendum is never the same note as another: some sources number a report and its addenda
    alike.
    """
    carriers: dict[tuple[str, str], list[str]] = defaultdict(list)
    for head in live:
        lineage = head.lineage
        if any(each.kind is RelationKind.APPENDS for each in lineage.relations):
            continue
        for identifier in lineage.identifiers:
            if not identifier.startswith("|"):
                carriers[lineage.resource_type, identifier].append(head.document_id)
    return [(names[0], name) for names in carriers.values() for name in names[1:]]


def _groups(live: Sequence[DocumentHead], pairs: Iterable[Pair]) -> list[list[DocumentHead]]:
    """The documents that pairs join, directly or through others; alone where none does."""
    parent = {head.document_id: head.document_id for head in live}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = name = parent[parent[name]]
        return name

    for one, other in pairs:
        parent[root(other)] = root(one)
    groups: dict[str, list[DocumentHead]] = defaultdict(list)
    for head in live:
        groups[root(head.document_id)].append(head)
    return list(groups.values())
