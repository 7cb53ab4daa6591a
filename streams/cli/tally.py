"""Outcomes counted by the position of their record, in about a byte of memory a record."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from schemas.events import Position
from schemas.outcomes import Outcome, OutcomeRecorded

SENT, SETTLED = 1, 2


@dataclass
class _Partition:
    """What is known of one partition's records, from the first that we published on."""

    base: int | None = None
    states: bytearray = field(default_factory=bytearray)
    """SENT, then SETTLED, by offset - base; 0 is somebody else's record."""
    partial: dict[int, dict[int, OutcomeRecorded]] = field(default_factory=dict)
    """Outcomes by offset and item, of records that lack some, or that we may yet hear are ours."""

    def state(self, offset: int) -> int:
        at = -1 if self.base is None else offset - self.base
        return self.states[at] if 0 <= at < len(self.states) else 0

    def mark(self, offset: int, state: int) -> None:
        if self.base is None:
            self.base = offset
        at = offset - self.base
        if at >= len(self.states):
            self.states.extend(bytes(at + 1 - len(self.states)))
        self.states[at] = state


class Tally:
    """Outcomes of the records that we published to one topic; repeats count once.

    An outcome may come before we know our record's position. Acknowledgements of a partition come
    by offset, so what lies before the newest of them and is not ours is somebody else's.
    """

    def __init__(self, topic: str) -> None:
        self.outcomes: Counter[tuple[Outcome, str | None]] = Counter()
        self.facts = 0
        self.open = 0
        self.settled = 0
        """Records with all their outcomes."""
        self._topic = topic
        self._partitions: defaultdict[int, _Partition] = defaultdict(_Partition)
        self._all_sent = False
        self._news = asyncio.Event()

    @property
    def held(self) -> int:
        """Records whose outcomes are in memory: some items are missing, or it may not be ours."""
        return sum(len(partition.partial) for partition in self._partitions.values())

    def expect(self, position: Position) -> None:
        """We published the record at `position`."""
        partition, offset = self._partitions[position.partition], position.offset
        partition.mark(offset, SENT)
        self.open += 1
        for early in [each for each in partition.partial if each <= offset]:
            if partition.state(early) == SENT:
                self._settle(partition, early)
            else:
                del partition.partial[early]

    def take(self, event: OutcomeRecorded) -> None:
        if event.source.topic != self._topic:
            return
        partition, offset = self._partitions[event.source.partition], event.source.offset
        if not self._may_be_ours(partition, offset):
            return
        partition.partial.setdefault(offset, {}).setdefault(event.item, event)
        if partition.state(offset) == SENT:
            self._settle(partition, offset)

    def _may_be_ours(self, partition: _Partition, offset: int) -> bool:
        """It is ours and open, or so new that its acknowledgement may still be on its way."""
        if partition.base is not None and offset < partition.base + len(partition.states):
            return partition.state(offset) == SENT
        return not self._all_sent

    def _settle(self, partition: _Partition, offset: int) -> None:
        """Count a record's outcomes once all its items have one."""
        outcomes = partition.partial[offset]
        if len(outcomes) < max(event.items for event in outcomes.values()):
            return
        del partition.partial[offset]
        partition.mark(offset, SETTLED)
        for event in outcomes.values():
            self.outcomes[event.outcome, event.reason] += 1
            self.facts += event.facts
        self.open -= 1
        self.settled += 1
        self._news.set()

    async def done(self, stall_s: float) -> None:
        """Everything is sent: return when nothing is open any more, or no record was settled for
        `stall_s` seconds."""
        self._all_sent = True
        while self.open:
            self._news.clear()
            try:
                async with asyncio.timeout(stall_s):
                    await self._news.wait()
            except TimeoutError:
                return
