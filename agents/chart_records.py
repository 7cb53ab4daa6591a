"""What the index keeps beside facts: documents, how they relate, and how patients are linked.

Every row says at which position of the `chart` topic it was written. Of two rows for one thing the
one at the later position counts, whichever was written last: a worker that has lost its partition
and does not know it yet may still write, and must not undo what its successor did.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from schemas.events import PatientId
from schemas.notes import DocumentVersion, Relation

LOG_RESTART_MS = 60_000
"""Of one partition the higher offset is later, unless the clock contradicts it by more than this:
then the topic was made anew and counts from zero again. The broker stamps the times of `chart`."""


@dataclass(frozen=True)
class WritePosition:
    """The record of the `chart` topic that was handled when a row was written."""

    partition: int
    offset: int
    time_ms: int = 0
    """The record's timestamp, in milliseconds since 1970."""

    def is_after(self, other: WritePosition) -> bool:
        """Whether this record comes later in the patient's order than `other`."""
        elapsed = self.time_ms - other.time_ms
        if self.partition != other.partition:
            # More partitions were added, and the patient's records go to another one now.
            return (elapsed, self.partition) > (0, other.partition)
        if abs(elapsed) > LOG_RESTART_MS and (elapsed > 0) != (self.offset > other.offset):
            return elapsed > 0
        return self.offset > other.offset

    def __str__(self) -> str:
        return f"{self.partition}:{self.offset}:{self.time_ms}"

    @classmethod
    def parse(cls, value: str) -> WritePosition:
        return cls(*map(int, value.split(":")))


NOT_WRITTEN = WritePosition(-1, -1, -1)


class DocumentStatus(StrEnum):
    """What a document counts for; `agents.indexing.document_status` has the rules."""

    CURRENT = "current"
    """Its facts are evidence."""
    REPLACED = "replaced"
    OTHER_FORM = "other_form"
    DUPLICATE = "duplicate"
    RETRACTED = "retracted"
    """It has no facts. Its row stays, so that a late older version does not bring it back."""

    @property
    def is_suppressed(self) -> bool:
        """Another document counts in its place. Its facts are stored and are not evidence."""
        return self in _SUPPRESSED


_SUPPRESSED = {DocumentStatus.REPLACED, DocumentStatus.OTHER_FORM, DocumentStatus.DUPLICATE}


@dataclass(frozen=True)
class Lineage:
    """How a document relates to others of its patient, and where it comes from."""

    relations: tuple[Relation, ...] = ()
    identifiers: tuple[str, ...] = ()
    text_hash: str = ""
    has_own_time: bool = True
    """Whether the note says its own time."""
    encounter_id: str | None = None
    ai_authored: bool = False
    resource_type: str = "DocumentReference"
    superseded_by: str | None = None
    """The document that counts in place of this one."""
    former_patient_ids: tuple[PatientId, ...] = ()
    """Patient ids it came under before merges, the first one first."""
    transferred_from: str = ""
    """Names the other patient's row that a chart transfer has copied here."""
    previous_names: tuple[str, ...] = ()
    """Names that its version before had: a crash may come before the others are updated."""


@dataclass(frozen=True)
class DocumentHead:
    """A document without its facts."""

    patient_id: str
    document_id: str
    version: DocumentVersion
    status: DocumentStatus
    note_time: datetime
    updated_at: datetime
    lineage: Lineage

    @property
    def own_names(self) -> frozenset[str]:
        """Words for its id, its identifiers, its text and the documents that it names."""
        lineage = self.lineage
        targets = (each.target for each in lineage.relations)
        names = {self.document_id, *lineage.identifiers, *targets}
        if lineage.text_hash:
            names.add(f"text {lineage.text_hash}")
        return frozenset(map(name_word, names))

    @property
    def names(self) -> frozenset[str]:
        """One document can only matter to another, directly or through others, where they have a
        name in common."""
        return self.own_names.union(self.lineage.previous_names)


def name_word(name: str) -> str:
    """16 hexadecimal digits: as short for an index to look for as names are long."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class DocumentRecord:
    """What the index knows of one document. Its row decides which rows of facts count."""

    patient_id: str
    document_id: str
    version: DocumentVersion
    status: DocumentStatus
    fact_ids: tuple[str, ...]
    """All facts of this version, also while the document is suppressed."""
    note_time: datetime
    updated_at: datetime
    """`occurred_at` of the event that wrote the facts."""
    lineage: Lineage = Lineage()
    written_at: WritePosition = field(default=NOT_WRITTEN, compare=False)
    """Set by the index."""
    facts_written_at: WritePosition = field(default=NOT_WRITTEN, compare=False)
    """Set by the index: a change of status writes the document's row and leaves the facts' rows."""

    @property
    def evidence_ids(self) -> tuple[str, ...]:
        """The facts that texts are judged by."""
        return self.fact_ids if self.status is DocumentStatus.CURRENT else ()

    @property
    def head(self) -> DocumentHead:
        return DocumentHead(
            self.patient_id,
            self.document_id,
            self.version,
            self.status,
            self.note_time,
            self.updated_at,
            self.lineage,
        )


class MergeState(StrEnum):
    """Where a patient's chart is; `agents.merging.patient_merges` has the transitions."""

    NEVER_MERGED = "never_merged"
    MERGED = "merged"
    """Another patient has the chart: `PatientLinks.merged_into`."""
    SEPARATE = "separate"
    """It was another patient's and has come back."""


@dataclass(frozen=True)
class PatientLinks:
    """What a Patient resource says of merges. Written for every Patient that is seen, or an unmerge
    that comes before its merge would be forgotten."""

    patient_id: str
    state: MergeState
    merged_into: str | None
    formerly_merged_into: str | None
    """Whose chart held this patient's before the last statement, and may hold some of it yet."""
    replaces: tuple[str, ...]
    """The patients that this one says it stands for."""
    version: DocumentVersion
    """Of the Patient resource that says so."""
    stated_at: datetime
    """`occurred_at` of the statement that moved the chart last."""
