"""Notes into an index in memory, as a worker would make it, for what is not run by `running`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from agents.adapters.index.memory import MemoryIndex
from agents.adapters.models import Models
from agents.evaluation.claim_charts import WRITTEN
from agents.indexing.document_indexer import DocumentIndexer
from agents.ports import Clock
from schemas.events import Event, Position
from schemas.notes import NoteChanged

AT = Position(topic="evaluation", partition=0, offset=0)


class Still(Clock):
    """It is always `WRITTEN`: what is measured has no time of its own."""

    def now(self) -> datetime:
        return WRITTEN


async def indexed(models: Models, notes: Iterable[NoteChanged]) -> MemoryIndex:
    index = MemoryIndex()
    indexer = DocumentIndexer(index, models.embedder, models.decomposer, Still())
    for note in notes:
        await indexer.apply(note, AT, _ignore)
    return index


async def _ignore(_: Event) -> None:
    """Nobody listens."""
