"""A chart into an index in memory, note by note as time goes on, through intake and indexer."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from agents.adapters.index.memory import MemoryIndex
from agents.errors import InvalidEvent
from agents.evaluation.dataset import ChartNote, EvaluationChart
from agents.evaluation.running.cost import INDEXING, INTAKE
from agents.evaluation.running.engine import Engine
from agents.evaluation.running.notes_as_fhir import as_fhir, fhir_id
from agents.indexing.document_indexer import DocumentIndexer
from agents.intake.receive import Intake
from agents.ports import Record
from schemas.events import Event, Position
from schemas.notes import NoteChanged, NoteRetracted
from schemas.outcomes import OutcomeRecorded

TOPIC = "evaluation"


class ChartReader:
    """Reads the notes of one chart up to a time, and further when asked again."""

    def __init__(self, engine: Engine, chart: EvaluationChart) -> None:
        models = engine.models
        self.index = MemoryIndex()
        self.outcomes: Counter[str] = Counter()
        self._engine = engine
        self._chart = chart
        self._intake = Intake(engine.clock)
        self._indexer = DocumentIndexer(
            self.index,
            models.embedder,
            models.decomposer,
            engine.clock,
            engine.configuration.fact_unit,
        )
        self._applied = 0
        self._unread = list(enumerate(chart.notes))
        self.note_of = {fhir_id(note.note_id): note.note_id for note in chart.notes}

    async def read_until(self, as_of: datetime | None) -> None:
        """All notes written by then, in their order; all that are left when None.

        A resource of its own says its time only to intake, so it is read at once: the search
        leaves out what is later.
        """
        now = [(n, note) for n, note in self._unread if _is_there(note, as_of)]
        self._unread = [(n, note) for n, note in self._unread if not _is_there(note, as_of)]
        for n, note in now:
            await self._read(n, note)

    async def _read(self, n: int, note: ChartNote) -> None:
        record = Record(TOPIC, 0, n, None, as_fhir(note, fhir_id(self._chart.group)))
        events: list[Event] = []

        async def keep(event: Event) -> None:
            events.append(event)

        with self._engine.meter.during(INTAKE):
            try:
                await self._intake.documents(record, keep)
            except InvalidEvent as error:
                self.outcomes[f"dead letter ({error.reason})"] += 1
        with self._engine.meter.during(INDEXING):
            for event in events:
                # In the order of reading: what the index has of a later position stays.
                position = Position(topic=TOPIC, partition=0, offset=self._applied)
                self._applied += 1
                await self._follow(event, position)

    async def _follow(self, event: Event, position: Position) -> None:
        if isinstance(event, NoteChanged | NoteRetracted):
            await self._indexer.apply(event, position, _ignore)
            retracted = isinstance(event, NoteRetracted)
            self.outcomes["retracted" if retracted else "indexed"] += 1
        elif isinstance(event, OutcomeRecorded):
            self.outcomes[f"{event.outcome.value} ({event.reason})"] += 1


def _is_there(note: ChartNote, as_of: datetime | None) -> bool:
    return as_of is None or note.resource is not None or note.time <= as_of


async def _ignore(_: Event) -> None:
    """Nobody listens."""
