"""The chart agent: all that happens to one patient, in one order.

It is the only writer of a patient's facts, and verifies texts in the same order, so a text
published after a note is judged against an index that has the note.
"""

from __future__ import annotations

from dataclasses import dataclass

from agents.events import read_event
from agents.facts.follow import FactKeeper
from agents.ports import Emit, Record
from agents.verify.verifier import Verifier
from schemas.notes import NoteChanged, NoteRetracted
from schemas.texts import TextGenerated
from schemas.topics import CHART


@dataclass(frozen=True)
class ChartAgent:
    keeper: FactKeeper
    verifier: Verifier

    async def handle(self, record: Record, emit: Emit) -> None:
        """One record of the `chart` topic. Raises `InvalidEvent` for what does not belong there."""
        event = read_event(CHART, record.value)
        match event:
            case NoteChanged() | NoteRetracted():
                await self.keeper.apply(event, record.position, emit)
            case TextGenerated():
                await self.verifier.verify(event, record.position, emit)
