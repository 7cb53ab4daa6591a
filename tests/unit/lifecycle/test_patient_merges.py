"""Merges: the chart moves, what follows is re-keyed, an unmerge restores; in any interleaving."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.adapters.models import Models
from agents.chart_records import MergeState, PatientLinks, WritePosition
from agents.merging.patient_merges import rerouted
from schemas.events import Event
from schemas.notes import DocumentDeleted, DocumentVersion, NoteChanged
from schemas.outcomes import Outcome
from schemas.texts import TextGenerated
from schemas.verdicts import ScoreSheetIssued
from tests.chart_events import SOURCE, merged, note, retraction
from tests.chart_topic import ChartTopic, Memory, later

pytestmark = pytest.mark.asyncio(loop_scope="session")

MEMORY = Memory()


def text(patient: str, said: str) -> TextGenerated:
    return TextGenerated(
        occurred_at=later(90), text_id="t", patient_id=patient, text=said, source=SOURCE
    )


@pytest.fixture
def chart(models: Models) -> ChartTopic:
    return ChartTopic(models, memory=MEMORY)


NOTES: list[NoteChanged] = [
    note("d1", "Gout.", patient="old", time=later(-60)),
    note("d2", "Asthma.", patient="old", time=later(-30)),
    note("d3", "No cough.", patient="old", replaces="d2", time=later(-20)),
    note("d4", "Fever.", patient="new", time=later(-10)),
]


async def test_a_merge_moves_the_facts(chart: ChartTopic) -> None:
    await chart.apply(*NOTES)
    before, asked = await chart.facts("old"), chart.embedder.asked
    [outcome] = await chart.apply(merged("old", "new", "2"))
    assert (outcome.outcome, outcome.patient_id) == (Outcome.MERGED, "old")
    assert await chart.index.documents("old") == []
    assert await chart.facts("old") == {}
    assert await chart.said("new") == ["Fever.", "Gout.", "No cough."]
    moved = await chart.facts("new")
    assert before.keys() < moved.keys(), "ids stay, so what cited them still does"
    assert (await chart.statuses("new"))["d2"] == "replaced"
    assert chart.embedder.asked == asked, "vectors move along"
    removed = [each for each in chart.changes if each.patient_id == "old" and each.removed]
    assert {fact for each in removed for fact in each.removed} >= before.keys()


async def test_what_comes_under_the_old_id_lands_in_the_new_chart(chart: ChartTopic) -> None:
    await chart.apply(*NOTES, merged("old", "new", "2"))
    [outcome] = await chart.apply(note("d1", "Gout, left foot.", "2", patient="old", at=70))
    assert (outcome.outcome, outcome.patient_id) == (Outcome.INDEXED, "new")
    [outcome] = await chart.apply(note("d1", "Gout.", "1", patient="old", at=71))
    assert outcome.outcome is Outcome.STALE
    await chart.apply(retraction("d3", patient="old", at=72))
    assert await chart.said("new") == ["Asthma.", "Fever.", "Gout, left foot."]
    assert await chart.index.count("old") == 0


async def test_a_text_under_the_old_id_is_verified_against_the_new_chart(
    chart: ChartTopic,
) -> None:
    await chart.apply(*NOTES, merged("old", "new", "2"))
    [outcome] = await chart.apply(text("old", "The patient has fever. The patient has gout."))
    assert (outcome.outcome, outcome.patient_id) == (Outcome.VERIFIED, "new")
    [sheet] = [each for each in chart.emitted if isinstance(each, ScoreSheetIssued)]
    assert (sheet.patient_id, sheet.facts_in_chart) == ("new", 3)


async def test_an_unmerge_restores_both_charts(models: Models) -> None:
    """Also what came meanwhile, under either id, is where it would be without the merge."""
    meanwhile = [
        note("d1", "Gout, left foot.", "2", patient="old", at=70),
        note("d5", "Dizzy.", patient="old", at=71, time=later(-5)),
        note("d6", "Nausea.", patient="new", at=72, time=later(-4)),
        retraction("d3", "2", patient="old", at=73),
    ]
    never, chart = ChartTopic(models, memory=MEMORY), ChartTopic(models, memory=MEMORY)
    await never.apply(*NOTES, *meanwhile)
    await chart.apply(*NOTES, merged("old", "new", "2"), *meanwhile)
    assert await chart.index.count("old") == 0
    [outcome] = await chart.apply(merged("old", None, "3", at=80))
    assert outcome.outcome is Outcome.UNMERGED
    for patient in ("old", "new"):
        assert await chart.state(patient) == await never.state(patient)
    # And again, as a doubtful merge goes to and fro.
    await chart.apply(merged("old", "new", "4", at=81), merged("old", None, "5", at=82))
    for patient in ("old", "new"):
        assert await chart.state(patient) == await never.state(patient)


@pytest.mark.parametrize("seed", range(24))
async def test_after_an_unmerge_the_newest_text_of_an_unversioned_note_stays(
    models: Models, seed: int
) -> None:
    """It comes under the old id while the old text is still on its way home."""
    chart = ChartTopic(models, memory=MEMORY)
    await chart.apply(note("d1", "Gout.", None, patient="old", at=0))
    chart.publish(
        merged("old", "new", "2", at=60),
        merged("old", None, "3", at=61),
        note("d1", "No gout.", None, patient="old", at=62),
    )
    await chart.run(random.Random(seed))
    assert await chart.said("old") == ["No gout."]
    assert await chart.said("new") == []


async def test_after_an_unmerge_what_comes_stays_with_its_own_id(chart: ChartTopic) -> None:
    await chart.apply(*NOTES, merged("old", "new", "2"), merged("old", None, "3", at=61))
    await chart.apply(note("d5", "Dizzy.", patient="old", at=70, time=later(-5)))
    assert await chart.said("old") == ["Dizzy.", "Gout.", "No cough."]
    assert await chart.said("new") == ["Fever."]


@pytest.mark.parametrize("steps", range(8))
async def test_a_worker_dies_with_a_document_halfway_home(chart: ChartTopic, steps: int) -> None:
    """What is given on must be said before the donor may forget: the step that comes again reads it
    from there."""
    await chart.apply(
        *(note(f"of-{p}", f"{p.upper()} has gout.", patient=p) for p in "abc"),
        merged("b", "a", "2"), merged("a", "c", "2", at=61),
    )  # fmt: skip
    assert [await chart.index.count(p) for p in "abc"] == [0, 0, 3]
    chart.publish(merged("a", None, "3", at=80), merged("b", None, "3", at=81))
    # B asks A in vain, which is split off and has nothing yet; then A gets both from C.
    for lane in "ababc":
        await chart.step(lane)
    await chart.step("a", dies_after=steps)
    while chart.lanes["c"]:
        await chart.step("c")
    await chart.run()
    assert [await chart.said(p) for p in "abc"] == [[f"{p} has gout."] for p in "ABC"]


@pytest.mark.parametrize("steps", range(8))
async def test_a_worker_dies_while_a_document_goes_round(chart: ChartTopic, steps: int) -> None:
    """B's note comes home from A and goes on by C to A; then what B did comes again."""
    await chart.apply(
        note("of-b", "B has gout.", patient="b"),
        merged("b", "a", "2"), merged("c", "a", "2", at=61),
    )  # fmt: skip
    chart.publish(merged("b", "c", "3", at=80))
    for lane in "bac":
        await chart.step(lane)
    await chart.step("b", dies_after=steps)
    for lane in "ca":
        while chart.lanes[lane]:
            await chart.step(lane)
    await chart.run()
    assert [await chart.index.count(p) for p in "abc"] == [1, 0, 0]
    await chart.apply(merged("c", None, "3", at=90), merged("b", None, "4", at=91))
    assert [await chart.index.count(p) for p in "abc"] == [0, 1, 0]


@pytest.mark.parametrize("steps", range(8))
async def test_a_worker_dies_while_it_takes_again(chart: ChartTopic, steps: int) -> None:
    """A is asked once and gives twice; B has what C took first when C takes it again."""
    await chart.apply(
        note("of-b", "B has gout.", patient="b"),
        merged("b", "c", "2"), merged("c", "a", "2", at=61),
    )  # fmt: skip
    chart.publish(merged("c", None, "3", at=80), merged("b", None, "3", at=81))
    for lane in "cbcb":
        await chart.step(lane)
    await chart.step("a", dies_after=99)
    for lane in "acb":
        await chart.step(lane)
    await chart.step("c", dies_after=steps)
    while chart.lanes["a"]:
        await chart.step("a")
    await chart.run()
    assert [await chart.index.count(p) for p in "abc"] == [0, 1, 0]


@pytest.mark.parametrize("first", ["b", "a"])
async def test_a_chain_of_merges_ends_at_its_end(chart: ChartTopic, first: str) -> None:
    notes = [note(f"of-{p}", f"{p.upper()} has gout.", patient=p) for p in "abc"]
    merges = [merged("a", "b", "2"), merged("b", "c", "2", at=61)]
    await chart.apply(*notes, *(merges if first == "a" else merges[::-1]))
    await chart.apply(note("late", "Late note.", patient="a", at=70, time=later(-5)))
    assert [await chart.index.count(p) for p in "abc"] == [0, 0, 4]
    # The middle one is split off again, with what it had, and it takes along what came by it.
    await chart.apply(merged("b", None, "3", at=80))
    assert [await chart.index.count(p) for p in "abc"] == [0, 3, 1]
    await chart.apply(merged("a", None, "3", at=81))
    assert [await chart.index.count(p) for p in "abc"] == [2, 1, 1]
    assert await chart.said("a") == ["A has gout.", "Late note."]


async def test_the_first_of_a_chain_goes_home_from_its_end(chart: ChartTopic) -> None:
    await chart.apply(
        *(note(f"of-{p}", f"{p.upper()} has gout.", patient=p) for p in "abc"),
        merged("a", "b", "2"), merged("b", "c", "2", at=61), merged("a", None, "3", at=62),
    )  # fmt: skip
    assert [await chart.index.count(p) for p in "abc"] == [1, 0, 2]


async def test_a_merge_that_is_corrected_to_another_patient(chart: ChartTopic) -> None:
    await chart.apply(*NOTES, merged("old", "new", "2"), merged("old", "other", "3", at=61))
    assert await chart.said("new") == ["Fever."]
    assert await chart.said("other") == ["Gout.", "No cough."]
    assert await chart.index.count("old") == 0


async def test_a_circle_of_merges_is_refused(chart: ChartTopic) -> None:
    await chart.apply(*NOTES, merged("old", "new", "2"))
    [outcome] = await chart.apply(merged("new", "old", "2", at=61))
    assert (outcome.outcome, outcome.reason) == (Outcome.SKIPPED, "merge_circle")
    [outcome] = await chart.apply(merged("old", "old", "3", at=62))
    assert outcome.reason == "merge_circle"
    assert await chart.said("new") == ["Fever.", "Gout.", "No cough."]


@pytest.mark.parametrize("seed", range(12))
async def test_a_circle_that_arises_at_once_ends(models: Models, seed: int) -> None:
    chart = ChartTopic(models, memory=MEMORY)
    notes = [note(f"of-{p}", f"{p.upper()} has gout.", patient=p) for p in "abc"]
    chart.publish(*notes, *(merged(p, q, "2") for p, q in ("ab", "bc", "ca")))
    chart.publish(*(note(f"late-{p}", f"Late {p}.", patient=p, at=70) for p in "abc"))
    await chart.run(random.Random(seed))
    assert sum([await chart.index.count(p) for p in "abc"]) == 6


async def test_two_merges_into_each_other_send_an_event_round_once(chart: ChartTopic) -> None:
    """As two workers leave it that looked for a circle at the same moment."""
    for one, other in (("old", "new"), ("new", "old")):
        links = PatientLinks(
            patient_id=one,
            state=MergeState.MERGED,
            merged_into=other,
            formerly_merged_into=None,
            replaces=(),
            version=DocumentVersion(version_id="2", content_hash="h"),
            stated_at=later(0),
        )
        await chart.index.write_patient_links(links, WritePosition(0, 1))
    there = await rerouted(chart.index, NOTES[0])
    assert there is not None
    assert (there.patient_id, there.former_patient_ids) == ("new", ("old",))
    assert await rerouted(chart.index, there) is None


async def test_a_link_on_the_surviving_side_alone(chart: ChartTopic) -> None:
    await chart.apply(*NOTES)
    outcomes = await chart.apply(merged("new", None, "2", replaces=("old",)))
    assert [each.patient_id for each in outcomes] == ["new"], "one outcome for one resource"
    assert await chart.said("new") == ["Fever.", "Gout.", "No cough."]
    await chart.apply(merged("new", None, "3", at=61))
    assert await chart.said("new") == ["Fever."]
    assert await chart.said("old") == ["Gout.", "No cough."]


async def test_both_sides_of_a_link_move_the_chart_once(chart: ChartTopic) -> None:
    both = [merged("old", "new", "2"), merged("new", None, "2", replaces=("old",))]
    await chart.apply(*NOTES, *both, *both)
    assert await chart.said("new") == ["Fever.", "Gout.", "No cough."]


async def test_a_patient_without_links_is_a_skip(chart: ChartTopic) -> None:
    outcomes = await chart.apply(merged("old", None, "1"), merged("old", None, "2", at=61))
    assert {(each.outcome, each.reason) for each in outcomes} == {(Outcome.SKIPPED, "no_merge")}


async def test_a_late_older_merge_changes_nothing(chart: ChartTopic) -> None:
    await chart.apply(*NOTES, merged("old", None, "3"))
    [outcome] = await chart.apply(merged("old", "new", "2", at=61))
    assert outcome.outcome is Outcome.STALE
    assert await chart.said("new") == ["Fever."]


async def test_a_newer_version_in_the_new_chart_is_not_overwritten(chart: ChartTopic) -> None:
    """The server has changed the subject of the document before the merge is known here."""
    await chart.apply(*NOTES, note("d1", "Gout, left foot.", "2", patient="new", at=50))
    await chart.apply(merged("old", "new", "2"))
    assert await chart.said("new") == ["Fever.", "Gout, left foot.", "No cough."]


async def test_a_deletion_of_a_document_that_moved(chart: ChartTopic) -> None:
    await chart.apply(*NOTES, merged("old", "new", "2"))
    await chart.apply(
        DocumentDeleted(
            occurred_at=later(70),
            document_id="d1",
            version=DocumentVersion(content_hash="deleted"),
            reason="deleted",
            source=SOURCE,
        )
    )
    assert await chart.said("new") == ["Fever.", "No cough."]
    await chart.apply(merged("old", None, "3", at=80))
    assert (await chart.statuses("old"))["d1"] == "retracted"
    assert await chart.nowhere("Gout.")


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[Event], int]:
    """Notes of three patients between merges and unmerges, the last of which frees them all."""
    events: list[Event] = []
    versions: dict[str, int] = {}

    def version(name: str) -> str:
        versions[name] = versions.get(name, 0) + 1
        return str(versions[name])

    for at in range(draw(st.integers(3, 10))):
        patient = draw(st.sampled_from("abc"))
        if draw(st.booleans()):
            document = f"{patient}{draw(st.integers(1, 2))}"
            words = draw(st.sampled_from(["Gout.", "Asthma.", "Fever. No cough."]))
            target = {"replaces": f"{patient}1"} if draw(st.booleans()) else {}
            time = later(-3600 * (1 + "abc".index(patient) * 2 + int(document[1])))
            events.append(
                note(document, words, version(document), patient=patient, at=at, time=time,
                     **target)
            )  # fmt: skip
        else:
            into = draw(st.sampled_from([None, *({"a", "b", "c"} - {patient})]))
            events.append(merged(patient, into, version(patient), at=at))
    return events, draw(st.integers(0, 2**16))


@given(histories())
@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_merges_to_and_fro_lose_and_mix_nothing(
    models: Models, drawn: tuple[list[Event], int]
) -> None:
    """When all are apart again, each chart is what it would be had nobody merged anybody.

    Lanes interleave as they like, workers die and records come again.
    """
    events, seed = drawn
    apart = [merged(p, None, "99", at=100 + n) for n, p in enumerate("abc")]
    never, moved = ChartTopic(models, memory=MEMORY), ChartTopic(models, memory=MEMORY)
    never.publish(*(event for event in events if isinstance(event, NoteChanged)))
    await never.run()
    moved.publish(*events)
    mixer = random.Random(seed)
    await moved.run(mixer, crash=0.2)
    documents = [h.document_id for p in "abc" for h in await moved.index.documents(p)]
    assert len(documents) == len(set(documents)), "no document under two patients"
    moved.publish(*apart)
    await moved.run(mixer, crash=0.2)
    for patient in "abc":
        assert await moved.state(patient) == await never.state(patient)
