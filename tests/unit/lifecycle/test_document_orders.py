"""Property: whatever order, repeats and crashes, the index is that of the ordered run.

The events are those of one patient's documents: created, updated, replaced, appended to, turned
into other forms, retracted and brought back. Versions are numbered, so what is newest is known;
what cannot be known (which of two unnumbered versions is newer) is not asked here.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.adapters.models import Models
from agents.chart_records import DocumentStatus
from schemas.notes import NoteChanged, NoteRetracted, RelationKind
from tests.chart_events import note, retraction
from tests.chart_topic import ChartTopic, Memory, later

pytestmark = pytest.mark.asyncio(loop_scope="session")

DOCUMENTS = "abcd"
SENTENCES = ("Fever.", "No cough.", "Gout.", "Asthma since childhood.", "HPI: Well.")
MEMORY = Memory()
CHECKS = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
Happening = NoteChanged | NoteRetracted


@st.composite
def lives(draw: st.DrawFn, *, copies: bool = False) -> list[Happening]:
    """Up to ten events. With `copies`, documents share times, texts and identifiers."""
    events: list[Happening] = []
    versions = dict.fromkeys(DOCUMENTS, 0)
    for at in range(draw(st.integers(2, 10))):
        document = draw(st.sampled_from(DOCUMENTS))
        versions[document] += 1
        version = str(versions[document])
        targets = st.lists(st.sampled_from(DOCUMENTS), max_size=2).map(" ".join)
        kinds = draw(st.sets(st.sampled_from([kind.value for kind in RelationKind]), max_size=2))
        said = {kind: draw(targets) for kind in sorted(kinds)}
        if draw(st.integers(0, 4)) == 0:
            events.append(retraction(document, version, at=at, **said))
            continue
        words = draw(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=1 + 2 * copies))
        own = DOCUMENTS.index(document)
        time = later(-3600 * (draw(st.integers(1, 2)) if copies else 1 + own))
        names = draw(st.sets(st.sampled_from(["urn:x|1", "urn:x|2"]), max_size=1)) if copies else ()
        text = " ".join(words)
        events.append(
            note(document, text, version, at=at, time=time, identifiers=tuple(names), **said)
        )
    return events


@st.composite
def arrivals(draw: st.DrawFn, **what: bool) -> tuple[list[Happening], list[Happening], int]:
    """Events in their order, the same in any order with some again, and a seed for crashes."""
    events = draw(lives(**what))
    again = draw(st.lists(st.sampled_from(events), max_size=6))
    return events, draw(st.permutations([*events, *again])), draw(st.integers(0, 2**16))


async def lived(models: Models, events: list[Happening], seed: int | None = None) -> ChartTopic:
    chart = ChartTopic(models, memory=MEMORY)
    for event in events:
        chart.publish(event)
    await chart.run(None if seed is None else random.Random(seed), crash=0.3)
    return chart


@given(arrivals())
@CHECKS
async def test_any_order_repetition_and_crash_gives_the_same_index(
    models: Models, drawn: tuple[list[Happening], list[Happening], int]
) -> None:
    events, arrived, seed = drawn
    ordered = await lived(models, events)
    shuffled = await lived(models, arrived, seed)
    assert await shuffled.state() == await ordered.state()


@given(arrivals())
@CHECKS
async def test_what_was_lost_and_comes_again_later_is_made_up_for(
    models: Models, drawn: tuple[list[Happening], list[Happening], int]
) -> None:
    """Half of the events are lost at first; then all come again, as a replay of the topic does."""
    events, arrived, seed = drawn
    ordered = await lived(models, events)
    shuffled = await lived(models, arrived[::2] + events, seed)
    assert await shuffled.state() == await ordered.state()


@given(arrivals(copies=True))
@CHECKS
async def test_copies_in_any_order_leave_the_same_words(
    models: Models, drawn: tuple[list[Happening], list[Happening], int]
) -> None:
    """Which of two copies is cited may depend on which came first; what is said does not."""
    events, arrived, seed = drawn
    ordered = await lived(models, events)
    shuffled = await lived(models, arrived, seed)
    assert await shuffled.said() == await ordered.said()
    for chart in (ordered, shuffled):
        statuses = await chart.statuses()
        if not any(isinstance(event, NoteRetracted) for event in events):
            current = DocumentStatus.CURRENT in statuses.values()
            assert current, "documents never all suppress each other"
