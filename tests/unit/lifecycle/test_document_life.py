"""The life of a note among others: one test a line of the field list, named after its kind.

Every rule that has two orders of arrival is tried in both.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from agents.adapters.index.memory import MemoryIndex
from agents.adapters.models import Models
from agents.errors import InvalidEvent
from schemas.notes import AuthorCategory, DocumentDeleted, DocumentVersion, NoteChanged
from schemas.outcomes import Outcome
from tests.chart_events import SOURCE, note, retraction
from tests.chart_topic import NOW, ChartTopic, Memory, later

pytestmark = pytest.mark.asyncio(loop_scope="session")

BOTH_ORDERS = pytest.mark.parametrize("order", [1, -1], ids=["in order", "out of order"])
TIME = later(-3600)

OID = "urn:ietf:rfc3986|urn:oid:1.2.3.7"


@BOTH_ORDERS
async def test_a_replacement_takes_its_target_out(chart: ChartTopic, order: int) -> None:
    events = [note("old", "Gout."), note("new", "No gout.", replaces="old", at=1)]
    outcomes = await chart.apply(*events[::order])
    assert await chart.said() == ["No gout."]
    assert await chart.statuses() == {"old": "replaced", "new": "current"}
    if order == 1:
        assert [each.outcome for each in outcomes] == [Outcome.INDEXED] * 2
    else:
        last = outcomes[-1]
        assert (last.outcome, last.reason, last.facts) == (Outcome.SKIPPED, "replaced", 0)
        assert last.detail == "Another document replaces it: new."


async def test_what_a_replacement_takes_away_is_announced(chart: ChartTopic) -> None:
    await chart.apply(note("old", "Gout."), note("new", "Asthma.", replaces="old", at=1))
    old, new, gone = chart.changes
    assert (gone.document_id, gone.removed, gone.added) == ("old", old.added, ())
    assert len({change.event_id for change in (old, new, gone)}) == 3


@BOTH_ORDERS
async def test_a_new_version_of_what_was_replaced_stays_out(chart: ChartTopic, order: int) -> None:
    await chart.apply(note("old", "Gout."), note("new", "No gout.", replaces="old", at=1))
    versions = [note("old", "Gout, left foot.", "2", at=2), note("old", "Gout.", "3", at=3)]
    outcomes = await chart.apply(*versions[::order])
    assert {each.outcome for each in outcomes} <= {Outcome.SKIPPED, Outcome.STALE}
    assert await chart.said() == ["No gout."]
    await chart.apply(retraction("new"))
    assert await chart.said() == ["Gout."]


async def test_a_replacement_in_error_brings_the_original_back(chart: ChartTopic) -> None:
    """Its facts are kept, so nothing has to be sent again."""
    await chart.apply(note("old", "Gout. Asthma."))
    before = await chart.facts()
    await chart.apply(note("new", "No gout.", replaces="old", at=1))
    asked = chart.embedder.asked
    [outcome] = await chart.apply(retraction("new"))
    assert (outcome.outcome, outcome.reason) == (Outcome.RETRACTED, "entered_in_error")
    assert await chart.statuses() == {"old": "current", "new": "retracted"}
    after = await chart.facts()
    assert {key: each.fact for key, each in after.items()} == {
        key: each.fact for key, each in before.items()
    }
    assert chart.embedder.asked == asked


async def test_a_chain_of_replacements_leaves_the_last(chart: ChartTopic) -> None:
    notes = [
        note("a", "Gout."),
        note("b", "Asthma.", replaces="a", at=1),
        note("c", "Fever.", replaces="b", at=2),
    ]
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]):
        await chart.apply(*(notes[n] for n in order))
        assert await chart.said() == ["Fever."]
        # The successor of a wrong correction still replaces the original.
        await chart.apply(retraction("b", replaces="a"))
        assert await chart.said() == ["Fever."]
        assert (await chart.statuses())["a"] == "replaced"


async def test_documents_that_replace_each_other_stay_both(chart: ChartTopic) -> None:
    await chart.apply(
        note("a", "Gout.", replaces="b"), note("b", "Asthma.", replaces="a"), note("c", "Fever.",
        replaces="c"),
    )  # fmt: skip
    assert await chart.said() == ["Asthma.", "Fever.", "Gout."]


async def test_a_target_named_by_its_business_identifier(chart: ChartTopic) -> None:
    old = note("old", "Gout.", identifiers=("urn:site|7",))
    await chart.apply(note("new", "No gout.", replaces="urn:site|7"), old)
    assert await chart.said() == ["No gout."]


@BOTH_ORDERS
async def test_an_addendum_leaves_the_original(chart: ChartTopic, order: int) -> None:
    events = [note("note", "Gout."), note("addendum", "Uric acid 9.1.", appends="note", at=1)]
    await chart.apply(*events[::order])
    assert await chart.said() == ["Gout.", "Uric acid 9.1."]


@BOTH_ORDERS
async def test_an_addendum_that_contains_its_original_is_a_document_of_its_own(
    chart: ChartTopic, order: int
) -> None:
    """Both documents say it, and retrieval makes one piece of evidence of equal sentences."""
    addendum = note("addendum", "Gout. Uric acid 9.1.", appends="note", at=1)
    await chart.apply(*[note("note", "Gout."), addendum][::order])
    assert await chart.said() == ["Gout.", "Gout.", "Uric acid 9.1."]
    await chart.apply(retraction("note"))
    assert await chart.said() == ["Gout.", "Uric acid 9.1."]


@BOTH_ORDERS
async def test_of_two_forms_the_original_counts(chart: ChartTopic, order: int) -> None:
    events = [note("text", "Gout."), note("pdf", "Gout. Page 1.", transforms="text", at=1)]
    outcomes = await chart.apply(*events[::order])
    assert await chart.said() == ["Gout."]
    assert await chart.statuses() == {"text": "current", "pdf": "other_form"}
    if order == 1:
        assert (outcomes[-1].outcome, outcomes[-1].reason) == (Outcome.SKIPPED, "other_form")


async def test_another_form_of_what_never_came_counts(chart: ChartTopic) -> None:
    await chart.apply(note("pdf", "Gout.", transforms="text"))
    assert await chart.said() == ["Gout."]


@BOTH_ORDERS
async def test_another_form_of_what_was_in_error_goes_with_it(
    chart: ChartTopic, order: int
) -> None:
    await chart.apply(*[note("pdf", "Gout.", transforms="text"), retraction("text")][::order])
    assert await chart.said() == []


async def test_what_replaces_and_transforms_its_target_counts(chart: ChartTopic) -> None:
    await chart.apply(note("a", "Gout."), note("b", "Gout.\n", replaces="a", transforms="a"))
    assert await chart.statuses() == {"a": "replaced", "b": "current"}


@BOTH_ORDERS
async def test_the_same_note_under_two_ids_is_one(chart: ChartTopic, order: int) -> None:
    """Evidence goes on citing the first, the later id is remembered as another name of it."""
    events = [note("a", "Gout.", time=TIME), note("b", "Gout.", time=TIME, at=1)]
    [_, outcome] = await chart.apply(*events)
    assert (outcome.outcome, outcome.reason) == (Outcome.SKIPPED, "duplicate")
    assert outcome.detail == "The same note is in the chart as a."
    assert [each.fact.document_id for each in (await chart.facts()).values()] == ["a"]
    await chart.apply(*events[::order])
    await chart.apply(retraction("a", reason="deleted"))
    assert [each.fact.document_id for each in (await chart.facts()).values()] == ["b"]


async def test_equal_words_at_another_time_are_another_note(chart: ChartTopic) -> None:
    times = (TIME, TIME + timedelta(days=1))
    await chart.apply(*(note(f"d{n}", "Gout.", time=time) for n, time in enumerate(times)))
    assert await chart.said() == ["Gout.", "Gout."]


async def test_equal_words_of_another_encounter_or_of_a_machine_are_another_note(
    chart: ChartTopic,
) -> None:
    await chart.apply(
        note("a", "Gout.", time=TIME, encounter="e1"),
        note("b", "Gout.", time=TIME, encounter="e2"),
        note("c", "Gout.", time=TIME, encounter="e1", author=AuthorCategory.AI),
    )
    assert len(await chart.said()) == 3


@BOTH_ORDERS
async def test_reports_of_one_order_or_visit_are_notes_of_their_own(
    chart: ChartTopic, order: int
) -> None:
    """Accession and visit numbers come untyped; a duplicate has the same text."""
    events = [
        note("a", "K 5.9.", identifiers=("urn:visit|7",), time=TIME, updated=0),
        note("b", "K 4.1.", identifiers=("urn:visit|7",), time=TIME, updated=10, at=1),
    ]
    await chart.apply(*events[::order])
    assert await chart.statuses() == {"a": "current", "b": "current"}


@BOTH_ORDERS
async def test_one_business_identifier_is_one_note_and_its_newest_text_counts(
    chart: ChartTopic, order: int
) -> None:
    """Upstream processed the note again, under a new id and with a better text."""
    events = [
        note("a", "Gout?", identifiers=(OID,), time=TIME, updated=0),
        note("b", "Gout.", identifiers=(OID,), time=TIME, updated=10, at=1),
    ]
    await chart.apply(*events[::order])
    assert await chart.said() == ["Gout."]
    assert await chart.statuses() == {"a": "duplicate", "b": "current"}


async def test_an_identifier_without_a_system_or_of_an_addendum_joins_nothing(
    chart: ChartTopic,
) -> None:
    await chart.apply(
        note("a", "Gout.", identifiers=("|7", "urn:site|8")),
        note("b", "Asthma.", identifiers=("|7",)),
        note("c", "Fever.", identifiers=("urn:site|8",), appends="a"),
    )
    assert await chart.said() == ["Asthma.", "Fever.", "Gout."]


@BOTH_ORDERS
async def test_a_report_as_both_resources_is_one_note(chart: ChartTopic, order: int) -> None:
    """They name times of their own: when it was issued, and when it was filed."""
    filed = note("report", "No pneumonia.", time=TIME, encounter="e1")
    report = note(
        "DiagnosticReport/report",
        "No  pneumonia.\n",
        time=TIME + timedelta(hours=2),
        resource_type="DiagnosticReport",
        at=1,
    )
    await chart.apply(*[filed, report][::order])
    assert await chart.said() == ["No pneumonia."]
    next_day = note("next", "No pneumonia.", time=TIME + timedelta(days=2), encounter="e1", at=2)
    await chart.apply(next_day)
    assert len(await chart.said()) == 2


async def test_a_copy_of_what_was_replaced_is_replaced_too(chart: ChartTopic) -> None:
    await chart.apply(
        note("a", "Gout.", time=TIME),
        note("new", "No gout.", replaces="a"),
        note("b", "Gout.", time=TIME),
    )
    assert await chart.said() == ["No gout."]
    assert (await chart.statuses())["b"] == "replaced"


@BOTH_ORDERS
async def test_relations_that_a_later_version_takes_back(chart: ChartTopic, order: int) -> None:
    versions = [note("new", "Asthma.", "1", replaces="old"), note("new", "Asthma.", "2", at=1)]
    await chart.apply(note("old", "Gout."), *versions[::order])
    assert await chart.said() == ["Asthma.", "Gout."]


async def test_a_deletion_that_names_no_patient(chart: ChartTopic) -> None:
    await chart.apply(note("a", "Gout."), note("b", "Asthma.", patient="q"))
    deletion = DocumentDeleted(
        occurred_at=later(5),
        document_id="b",
        version=DocumentVersion(content_hash="deleted"),
        reason="deleted",
        source=SOURCE,
        item=1,
        items=2,
    )
    [outcome] = await chart.apply(deletion)
    assert (outcome.outcome, outcome.reason) == (Outcome.RETRACTED, "deleted")
    assert (outcome.patient_id, outcome.item, outcome.items) == ("q", 1, 2)
    assert (await chart.said(), await chart.said("q")) == (["Gout."], [])
    assert await chart.nowhere("Asthma.")


@pytest.mark.parametrize("holders", [0, 2])
async def test_a_deletion_of_what_nobody_or_two_have_is_a_dead_letter(
    chart: ChartTopic, holders: int
) -> None:
    for patient in ("q", "r")[:holders]:
        await chart.apply(note("b", "Asthma.", patient=patient))
    version = DocumentVersion(content_hash="deleted")
    chart.publish(
        DocumentDeleted(
            occurred_at=NOW, document_id="b", version=version, reason="deleted", source=SOURCE
        )
    )
    with pytest.raises(InvalidEvent) as refused:
        await chart.run()
    assert refused.value.reason == "deletion"


async def test_what_is_retracted_is_nowhere_before_the_offset_is_committed(
    chart: ChartTopic,
) -> None:
    """An offset is committed when the handler has ended; suppressed facts are no hiding place."""
    await chart.apply(
        note("old", "Gout."),
        note("new", "Asthma.", replaces="old"),
        note("pdf", "Gout. Page 1.", transforms="old"),
    )
    assert not await chart.nowhere("Gout.")
    chart.publish(retraction("old"))
    [record] = chart.lanes.pop("p")
    await chart.agent.handle(record, chart._emit)
    # Only the other form, which says so itself, is still stored, and is no evidence.
    assert {each.fact.document_id for each in (await chart.facts()).values()} == {"new"}
    await chart.apply(retraction("pdf"))
    assert await chart.nowhere("Gout.", "Page 1.")


@pytest.mark.parametrize("successor", ["retracts", "updates"])
@pytest.mark.parametrize("held", ["embed", "write"])
async def test_a_worker_that_was_expelled_and_writes_late_changes_nothing(
    models: Models, held: str, successor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for the embedder or for the index while another takes its records over."""
    expelled = ChartTopic(models)
    other = ChartTopic(models, MemoryIndex())
    # One index behind both workers.
    other.index._facts, other.index._documents = expelled.index._facts, expelled.index._documents
    first, second = note("a", "Gout.", None), note("a", "Gout. Asthma.", None, at=1)
    third = retraction("a", None, at=2) if successor == "retracts" else note(
        "a", "Gout. Fever.", None, at=2
    )  # fmt: skip
    await expelled.apply(first)
    other.offset = 1

    waiting, resumed = asyncio.Event(), asyncio.Event()
    part = expelled.embedder if held == "embed" else expelled.index
    original = getattr(part, held)

    async def hold(*arguments: object) -> object:
        waiting.set()
        await resumed.wait()
        return await original(*arguments)

    monkeypatch.setattr(part, held, hold)
    expelled.publish(second)
    handling = asyncio.create_task(expelled.agent.handle(expelled.lanes["p"][0], expelled._emit))
    await waiting.wait()
    await other.apply(second, third)
    before = await other.state()
    resumed.set()
    await handling
    assert await other.state() == before
    assert await other.said() == ([] if successor == "retracts" else ["Fever.", "Gout."])
    assert await other.nowhere("Asthma."), "what the late one wrote is removed again"


async def test_a_no_op_update_asks_no_model(chart: ChartTopic) -> None:
    await chart.apply(note("a", "Gout.", "1"))
    asked = chart.embedder.asked
    [outcome] = await chart.apply(note("a", "Gout.", "2", at=1))
    assert outcome.outcome is Outcome.UNCHANGED
    assert chart.embedder.asked == asked


@pytest.mark.parametrize("dies_at", range(14))
async def test_a_crash_at_any_step_of_a_replacement_is_repaired(
    models: Models, dies_at: int
) -> None:
    memory = Memory()
    whole, crashed = ChartTopic(models, memory=memory), ChartTopic(models, memory=memory)
    events: list[NoteChanged] = [
        note("old", "Gout. Asthma."),
        note("new", "No gout.", replaces="old", at=1),
        note("old", "Gout.", "2", at=2),
    ]
    await whole.apply(*events, retraction("new"))
    for event in (*events, retraction("new")):
        crashed.until_crash = dies_at
        await crashed.apply(event)
    assert await crashed.state() == await whole.state()
    outcomes = {each.event_id: each for each in crashed.emitted}
    assert outcomes == {each.event_id: each for each in whole.emitted}
