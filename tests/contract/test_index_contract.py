"""What every `FactIndex` does: one suite, run against the index in memory and Milvus Lite."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest

from agents.adapters.index.memory import MemoryIndex
from agents.adapters.index.milvus import MilvusIndex
from agents.chart_records import (
    DocumentRecord,
    DocumentStatus,
    Lineage,
    MergeState,
    PatientLinks,
    WritePosition,
    name_word,
)
from agents.errors import InvalidEvent
from agents.ports import EmbeddedFact, Embedding, FactQuery
from schemas.notes import AuthorCategory, DocumentVersion, Fact, Quote, Relation, RelationKind
from streams.local.milvus import MilvusLite

DIM = 8
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOSTILE_IDS = [
    "plain",
    'with "quotes"',
    "with 'single'",
    "back\\slash",
    "trailing\\",
    'x" or patient_id != "',
    '\\" or 1 == 1 or patient_id == \\"',
    "new\nline",
    "carriage\rreturn\ttab",
    "läkare-患者-🩺",
    "{template}",
    "%like_",
    "null\x00byte",
    "x" * 512,
    "🩺" * 512,
    "plain ",
    "PLAIN",
]
Index = MemoryIndex | MilvusIndex
_prefixes = itertools.count()
_offsets = itertools.count()


def next_position() -> WritePosition:
    return WritePosition(0, next(_offsets))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MilvusLite]:
    folder = tmp_path_factory.mktemp("milvus")
    lite = MilvusLite(folder / "data", folder).start()
    yield lite
    lite.stop()


@pytest.fixture(params=["memory", "milvus"])
async def index(request: pytest.FixtureRequest) -> AsyncIterator[Index]:
    if request.param == "memory":
        yield MemoryIndex()
        return
    lite: MilvusLite = request.getfixturevalue("server")
    # Two collections only, so that patients share them.
    milvus = await MilvusIndex.connect(
        lite.uri, prefix=f"t{next(_prefixes)}_", spread=2, dim=DIM, timeout_s=20
    )
    yield milvus
    await milvus.close()


def vector(seed: int) -> np.ndarray:
    drawn = np.random.default_rng(seed).normal(size=DIM).astype(np.float32)
    return drawn / np.linalg.norm(drawn)


def leaning(angle: float) -> np.ndarray:
    """A unit vector whose cosine with `leaning(0)` is cos(angle)."""
    made = np.zeros(DIM, dtype=np.float32)
    made[:2] = np.cos(angle), np.sin(angle)
    return made


def fact(
    fact_id: str,
    patient: str = "p",
    document: str = "d",
    dense: np.ndarray | None = None,
    sparse: dict[int, float] | None = None,
    **changes: object,
) -> EmbeddedFact:
    values = {
        "fact_id": fact_id,
        "patient_id": patient,
        "document_id": document,
        "text": f"Fact {fact_id}",
        "start": 0,
        "end": 6,
        "ordinal": 0,
        "note_time": NOON,
        **changes,
    }
    dense = vector(len(fact_id)) if dense is None else dense
    return EmbeddedFact(Fact(**values), Embedding(dense, {1: 1.0} if sparse is None else sparse))


def record(*fact_ids: str, patient: str = "p", document: str = "d", **changes: object):
    values = {
        "patient_id": patient,
        "document_id": document,
        "version": DocumentVersion(version_id="1", last_updated=NOON, content_hash="ab" * 32),
        "status": DocumentStatus.CURRENT,
        "fact_ids": fact_ids,
        "note_time": NOON,
        "updated_at": NOON,
        **changes,
    }
    return DocumentRecord(**values)


async def put(index: Index, *facts: EmbeddedFact) -> None:
    """Write facts of one document."""
    first = facts[0].fact
    ids = [each.fact.fact_id for each in facts]
    document = record(*ids, patient=first.patient_id, document=first.document_id)
    await index.write(document, facts, next_position())


async def stored(index: Index, *fact_ids: str, patient: str = "p") -> list[EmbeddedFact]:
    """Those facts of the patient's document `d`, in the order that they are kept in."""
    document = await index.document(patient, "d")
    facts = await index.facts(document) if document else []
    return [each for each in facts if each.fact.fact_id in fact_ids]


def query(patient: str = "p", **changes: object) -> FactQuery:
    values = {"embedding": Embedding(leaning(0), {1: 1.0}), "mode": "dense", **changes}
    return FactQuery(patient_id=patient, **values)


async def found(index: Index, asked: FactQuery) -> list[str]:
    return [hit.fact.fact_id for hit in await index.search(asked)]


class TestWriting:
    async def test_an_empty_index_answers_with_nothing(self, index: Index):
        await index.check()
        assert await index.document("p", "d") is None
        assert await index.facts(record("a")) == []
        assert await index.facts(record()) == []
        assert await index.patient_links("p") is None
        assert await index.count("p") == 0
        for mode in ("dense", "sparse", "hybrid"):
            assert await index.search(query(mode=mode)) == []

    async def test_what_is_written_can_be_read_at_once(self, index: Index):
        await put(index, fact("a"), fact("b"))
        assert await index.count("p") == 2
        assert sorted(await found(index, query())) == ["a", "b"]
        assert await index.document("p", "d") == record("a", "b")

    async def test_a_fact_comes_back_as_it_was(self, index: Index):
        written = fact(
            "f",
            dense=vector(1),
            sparse={0: 0.5, 30_000: 2.25, 2**32 - 3: 0.125},
            text='BP 120/80 "stable" \\ på natten\n\t患者 🩺',
            section="Hospital course",
            note_time=datetime(1931, 5, 4, 3, 2, 1, 123456, tzinfo=timezone(timedelta(hours=2))),
            note_type="Discharge summary",
            encounter_id='e"1',
            author_category=AuthorCategory.CLINICIAN,
            start=17,
            end=99,
            quotes=(
                Quote(start=2, end=9, quote="Fälle:\r\n"),
                Quote(start=17, end=99, quote='"🩺"\x00'),
            ),
            ordinal=3,
        )
        await put(index, written)
        (read,) = await stored(index, "f")
        assert read.fact == written.fact
        assert read.embedding.dense.dtype == np.float32
        np.testing.assert_array_equal(read.embedding.dense, written.embedding.dense)
        assert read.embedding.sparse == written.embedding.sparse
        (hit,) = await index.search(query())
        assert hit.fact == written.fact

    async def test_absent_values_stay_absent(self, index: Index):
        await put(index, fact("f", sparse={}))
        (read,) = await stored(index, "f")
        assert read.embedding.sparse == {}
        assert (read.fact.section, read.fact.note_type, read.fact.encounter_id) == (None,) * 3

    async def test_facts_come_in_the_order_of_the_document(self, index: Index):
        facts = [fact(name) for name in "dacb"]
        await index.write(record("d", "nowhere", "a", "c", "b"), facts, next_position())
        document = await index.document("p", "d")
        assert document is not None
        assert [each.fact.fact_id for each in await index.facts(document)] == ["d", "a", "c", "b"]

    async def test_a_repeat_changes_nothing(self, index: Index):
        position = next_position()
        for _ in range(3):
            await index.write(record("b"), [fact("b")], position)
        assert await index.count("p") == 1
        assert await found(index, query()) == ["b"]
        assert await index.document("p", "d") == record("b")

    async def test_a_repeat_that_gives_other_facts_leaves_those_alone(self, index: Index):
        """Another version of a model may have split the note the first time."""
        position = next_position()
        await index.write(record("a", "b"), [fact("a"), fact("b")], position)
        await index.write(record("b", "c"), [fact("b"), fact("c")], position)
        assert sorted(await found(index, query())) == ["b", "c"]

    async def test_whether_all_facts_of_a_document_are_there(self, index: Index):
        await index.write(record("a", "b"), [fact("a"), fact("b")], next_position())
        await index.write(
            record("a", "b", document="e"), [fact("a", document="e")], next_position()
        )
        for document, complete in (("d", True), ("e", False)):
            read = await index.document("p", document)
            assert read is not None
            assert await index.is_complete(read) == complete

    async def test_a_write_replaces_all_facts_of_the_document(self, index: Index):
        await put(index, fact("stays"), fact("goes"))
        await put(index, fact("stays", dense=vector(7)), fact("comes"))
        assert sorted(await found(index, query())) == ["comes", "stays"]
        (kept,) = await stored(index, "stays")
        np.testing.assert_array_equal(kept.embedding.dense, vector(7))
        assert await stored(index, "goes") == []

    async def test_a_write_without_facts_leaves_them_as_they_are(self, index: Index):
        await put(index, fact("a"), fact("b"))
        document = await index.document("p", "d")
        assert document is not None
        later = replace(document, version=DocumentVersion(version_id="2", content_hash="c"))
        await index.write(later, None, next_position())
        assert await index.document("p", "d") == later
        assert sorted(await found(index, query())) == ["a", "b"]

    @pytest.mark.parametrize("mode", ["dense", "sparse", "hybrid"])
    async def test_suppressed_facts_are_stored_and_are_no_evidence(self, index: Index, mode: str):
        await put(index, *(fact(f"hidden{n}") for n in range(30)))
        await put(index, fact("shown", document="other", dense=vector(5)))
        hidden = await index.document("p", "d")
        assert hidden is not None
        for status in DocumentStatus:
            await index.write(replace(hidden, status=status), None, next_position())
            asked = query(mode=mode, limit=2 if status.is_suppressed else 100)
            hits = await found(index, asked)
            if status is DocumentStatus.CURRENT:
                assert len(hits) == await index.count("p") == 31
            else:
                assert (hits, await index.count("p")) == (["shown"], 1)
            assert len(await stored(index, *hidden.fact_ids)) == 30

    async def test_an_upsert_replaces_the_whole_fact(self, index: Index):
        await put(index, fact("a", text="Old", section="Plan", sparse={1: 1.0, 2: 1.0}))
        await put(index, fact("a", text="New", dense=vector(3), sparse={3: 1.0}))
        (read,) = await stored(index, "a")
        assert (read.fact.text, read.fact.section) == ("New", None)
        assert read.embedding.sparse == {3: 1.0}
        np.testing.assert_array_equal(read.embedding.dense, vector(3))
        assert await index.count("p") == 1
        assert await found(index, query(mode="sparse")) == []

    async def test_a_retracted_document_is_remembered(self, index: Index):
        await put(index, fact("a"), fact("b"))
        gone = record(status=DocumentStatus.RETRACTED)
        await index.write(gone, [], next_position())
        assert await index.count("p") == 0
        assert await found(index, query()) == []
        assert await index.document("p", "d") == gone

    async def test_a_document_with_hardly_any_values(self, index: Index):
        bare = record(version=DocumentVersion(version_id=None, last_updated=None, content_hash=""))
        await index.write(bare, [], next_position())
        assert await index.document("p", "d") == bare

    async def test_versions_keep_their_microseconds(self, index: Index):
        last_updated = datetime(2026, 1, 1, microsecond=123457, tzinfo=UTC)
        version = DocumentVersion(version_id="7", last_updated=last_updated, content_hash="c")
        await index.write(record(version=version), [], next_position())
        read = await index.document("p", "d")
        assert read is not None
        assert read.version == version

    async def test_a_document_with_thousands_of_facts(self, index: Index):
        many = [f"{number:036d}" for number in range(4_000)]
        for ids in (many, many[:2_500], many[:1]):
            await index.write(record(*ids), [], next_position())
            assert await index.document("p", "d") == record(*ids)

    async def test_a_write_in_many_batches(self, index: Index):
        ids = [f"f{number}" for number in range(1_203)]
        await put(index, *(fact(each) for each in ids))
        assert await index.count("p") == 1_203
        assert [e.fact.fact_id for e in await stored(index, *ids)] == ids
        await put(index, fact(ids[0]))
        assert await index.count("p") == 1

    async def test_a_fact_of_another_patient_is_refused(self, index: Index):
        with pytest.raises(ValueError, match="one patient"):
            await index.write(record("a"), [fact("a", patient="other")], next_position())


LINEAGE = Lineage(
    relations=(Relation(kind=RelationKind.REPLACES, target='urn:x|"7"'),),
    identifiers=("urn:x|8", "urn:y|läkare"),
    text_hash="cd" * 32,
    has_own_time=False,
    encounter_id="e",
    ai_authored=True,
    resource_type="DiagnosticReport",
    superseded_by="other",
    former_patient_ids=("p-old", "p-older"),
    transferred_from="chart/3/17",
    previous_names=(name_word("old"), name_word("older")),
)


class TestDocuments:
    async def test_a_lineage_comes_back_as_it_was(self, index: Index):
        for lineage in (LINEAGE, Lineage()):
            await index.write(record(lineage=lineage), [], next_position())
            assert await index.document("p", "d") == record(lineage=lineage)

    async def test_all_documents_of_a_patient_by_id(self, index: Index):
        many = [f"{number:036d}" for number in range(4_000)]
        records = [
            record(document="b", status="retracted"),
            record(*many, document="a", lineage=LINEAGE),
            record(document="c"),
        ]
        for each in [*records, record(document="a", patient="q")]:
            await index.write(each, [], next_position())
        assert await index.documents("nobody") == []
        heads = [each.head for each in records]
        assert await index.documents("p") == [heads[1], heads[0], heads[2]]
        assert [head.document_id for head in await index.documents("q")] == ["a"]

    async def test_documents_that_have_a_name(self, index: Index):
        related = Lineage(
            relations=(Relation(kind=RelationKind.APPENDS, target="urn:x|50%"),), text_hash="ab"
        )
        await index.write(record(document="a", lineage=related), [], next_position())
        await index.write(
            record(document="b", lineage=Lineage(identifiers=("urn:x|50%",))), [], next_position()
        )
        await index.write(
            record(document='c"%', lineage=Lineage(text_hash="ab")), [], next_position()
        )
        await index.write(record(document="a", patient="q"), [], next_position())
        for names, ids in (
            ([], []),
            (["a"], ["a"]),
            (['c"%'], ['c"%']),
            (["urn:x|50%"], ["a", "b"]),
            (["text ab", "nobody"], ["a", 'c"%']),
            (["urn:x|5", "text"], []),
        ):
            heads = await index.documents("p", [name_word(name) for name in names])
            assert [head.document_id for head in heads] == ids

    async def test_a_document_is_found_by_id_whoever_has_it(self, index: Index):
        for patient, document in (("p1", "d"), ("p2", "d"), ("p3", "other"), ("p9", 'x" or "')):
            await index.write(record(patient=patient, document=document), [], next_position())
        assert await index.find_documents("d") == ["p1", "p2"]
        assert await index.find_documents('x" or "') == ["p9"]
        assert await index.find_documents("nowhere") == []

    async def test_a_deleted_document_leaves_nothing(self, index: Index):
        many = [f"{number:036d}" for number in range(4_000)]
        await index.write(record(*many), [], next_position())
        await put(index, fact("a"), fact("b"))
        await put(index, fact("c", document="stays"))
        position = next_position()
        for _ in range(2):
            await index.delete("p", "d", position)
            assert await index.document("p", "d") is None
            assert [head.document_id for head in await index.documents("p")] == ["stays"]
            assert await index.documents("p", [name_word("d")]) == []
            assert await index.find_documents("d") == []
            assert await found(index, query()) == ["c"]
            assert await index.count("p") == 1
        await index.write(record(*many), [], next_position())
        assert await index.document("p", "d") == record(*many)

    async def test_a_name_that_a_document_no_longer_has(self, index: Index):
        await index.write(record(lineage=Lineage(identifiers=("old",))), [], next_position())
        await index.write(record(lineage=Lineage(identifiers=("new",))), [], next_position())
        for name, ids in (("old", []), ("new", ["d"])):
            heads = await index.documents("p", [name_word(name)])
            assert [head.document_id for head in heads] == ids


class TestPatients:
    async def test_links_come_back_as_they_were(self, index: Index):
        links = PatientLinks(
            patient_id="p",
            state=MergeState.MERGED,
            merged_into='q"',
            formerly_merged_into=None,
            replaces=("r", "s"),
            version=DocumentVersion(version_id="2", last_updated=NOON, content_hash="h"),
            stated_at=NOON,
        )
        separate = replace(
            links, state=MergeState.SEPARATE, merged_into=None, formerly_merged_into='q"'
        )
        for each in (links, separate):
            await index.write_patient_links(each, next_position())
            assert await index.patient_links("p") == each
        assert await index.patient_links("q") is None
        assert await index.documents("p") == []


class TestLongText:
    @pytest.mark.parametrize("text", ["x" * 10_000, "ö" * 10_000, "🩺" * 16_383, "x" * 65_535])
    async def test_long_text_is_kept_whole(self, index: Index, text: str):
        await put(index, fact("a", text=text))
        (read,) = await stored(index, "a")
        assert read.fact.text == text

    @pytest.mark.parametrize("text", ["x" * 65_536, "🩺" * 16_384])
    async def test_text_over_the_limit_is_refused_before_anything_is_written(
        self, index: Index, text: str
    ):
        await put(index, fact("a"))
        broken = [fact("b"), fact("c", text=text)]
        with pytest.raises(InvalidEvent, match="text is longer than the 65535 bytes") as refused:
            await index.write(record("b"), broken, next_position())
        assert refused.value.reason == "value_too_long"
        assert await index.count("p") == 1
        assert await index.document("p", "d") == record("a")


class TestOnePatient:
    async def test_patients_with_hostile_ids_never_see_each_other(self, index: Index):
        for number, patient in enumerate(HOSTILE_IDS):
            # The same fact and document ids everywhere, and the same vectors.
            await put(index, fact("a", patient, ordinal=number), fact(f"own{number}", patient))
        for number, patient in enumerate(HOSTILE_IDS):
            assert await index.count(patient) == 2
            for mode in ("dense", "sparse", "hybrid"):
                hits = await index.search(query(patient, mode=mode, limit=100))
                assert {hit.fact.patient_id for hit in hits} == {patient}
                assert {hit.fact.fact_id for hit in hits} == {"a", f"own{number}"}
            (read,) = await stored(index, "a", f"own{number + 1}", patient=patient)
            assert (read.fact.patient_id, read.fact.ordinal) == (patient, number)
        await index.write(record(patient="plain"), [], next_position())
        assert [await index.count(patient) for patient in HOSTILE_IDS] == [0] + [2] * 16

    async def test_hostile_ids_of_documents_and_encounters(self, index: Index):
        for hostile in HOSTILE_IDS:
            await put(index, fact(f"of {hostile}"[:500], document=hostile, encounter_id=hostile))
        for hostile in HOSTILE_IDS:
            assert (await index.document("p", hostile)) is not None
            (hit,) = await index.search(query(encounter_id=hostile))
            assert hit.fact.encounter_id == hostile
            hits = await index.search(query(exclude_documents=frozenset({hostile})))
            assert {hit.fact.document_id for hit in hits} == {*HOSTILE_IDS} - {hostile}
        assert await index.search(query(exclude_documents=frozenset(HOSTILE_IDS))) == []

    async def test_random_writes_and_deletes_of_many_patients(self, index: Index):
        drawn = random.Random(7)
        patients = [f"{name}{number}" for name in ('a"', "b\\", "c") for number in range(4)]
        wanted: dict[str, set[str]] = {patient: set() for patient in patients}
        for step in range(60):
            patient = drawn.choice(patients)
            kept = {f"f{drawn.randrange(8)}" for _ in range(3)}
            facts = [fact(each, patient, dense=vector(step)) for each in sorted(kept)]
            await index.write(record(*sorted(kept), patient=patient), facts, next_position())
            wanted[patient] = kept
        for patient in patients:
            hits = await index.search(query(patient, limit=100))
            assert {hit.fact.fact_id for hit in hits} == wanted[patient]
            assert {hit.fact.patient_id for hit in hits} <= {patient}
            assert await index.count(patient) == len(wanted[patient])


class TestSearch:
    async def test_dense_scores_are_cosines_best_first(self, index: Index):
        await put(index, *(fact(f"f{n}", dense=leaning(n)) for n in range(4)))
        hits = await index.search(query())
        assert [hit.fact.fact_id for hit in hits] == ["f0", "f1", "f2", "f3"]
        assert [hit.score for hit in hits] == pytest.approx(np.cos([0, 1, 2, 3]), abs=1e-5)

    async def test_sparse_scores_are_inner_products_of_facts_that_share_a_term(self, index: Index):
        await put(
            index,
            fact("one", sparse={1: 1.0, 9: 5.0}),
            fact("both", sparse={1: 0.5, 2: 2.0}),
            fact("neither", sparse={3: 9.0}),
            fact("empty", sparse={}),
        )
        asked = query(mode="sparse", embedding=Embedding(leaning(0), {1: 1.0, 2: 0.5}))
        hits = await index.search(asked)
        assert [(hit.fact.fact_id, hit.score) for hit in hits] == [("both", 1.5), ("one", 1.0)]

    async def test_hybrid_scores_are_reciprocal_ranks(self, index: Index):
        await put(
            index,
            fact("dense first", dense=leaning(0.0), sparse={}),
            fact("dense second", dense=leaning(0.5), sparse={1: 1.0}),
            fact("dense third", dense=leaning(1.0), sparse={1: 3.0}),
        )
        hits = await index.search(query(mode="hybrid"))
        assert [hit.fact.fact_id for hit in hits] == ["dense third", "dense second", "dense first"]
        scores = [1 / 63 + 1 / 61, 1 / 62 + 1 / 62, 1 / 61]
        assert [hit.score for hit in hits] == pytest.approx(scores, abs=1e-6)

    async def test_an_empty_sparse_query(self, index: Index):
        await put(index, fact("a", sparse={}), fact("b"))
        nothing = Embedding(leaning(0), {})
        assert await index.search(query(mode="sparse", embedding=nothing)) == []
        assert len(await index.search(query(mode="hybrid", embedding=nothing))) == 2

    @pytest.mark.parametrize("mode", ["dense", "sparse", "hybrid"])
    async def test_the_limit_holds_in_every_mode(self, index: Index, mode: str):
        await put(index, *(fact(f"f{n}", dense=leaning(n / 9)) for n in range(9)))
        assert len(await index.search(query(mode=mode, limit=4))) == 4
        assert len(await index.search(query(mode=mode, limit=5_000))) == 9

    @pytest.mark.parametrize("mode", ["dense", "sparse", "hybrid"])
    async def test_ties_go_by_fact_id_even_at_the_limit(self, index: Index, mode: str):
        ids = [f"{n:03d}" for n in range(120)]
        shuffled = random.Random(1).sample(ids, len(ids))
        for start in range(0, len(ids), 40):
            some = shuffled[start : start + 40]
            await put(index, *(fact(f, document=f"d{start}", dense=leaning(1)) for f in some))
        for limit in (1, 7, 50):
            assert await found(index, query(mode=mode, limit=limit)) == ids[:limit]

    async def test_as_of_includes_its_instant(self, index: Index):
        tick = timedelta(microseconds=1)
        times = {"before": NOON - tick, "at": NOON, "after": NOON + tick}
        await put(index, *(fact(name, note_time=time) for name, time in times.items()))
        elsewhere = NOON.astimezone(timezone(timedelta(hours=-5)))
        for mode in ("dense", "sparse", "hybrid"):
            assert sorted(await found(index, query(mode=mode, as_of=elsewhere))) == ["at", "before"]
        assert await found(index, query(as_of=datetime(1969, 1, 1, tzinfo=UTC))) == []

    async def test_an_encounter_only(self, index: Index):
        await put(index, fact("a", encounter_id="e1"), fact("b", encounter_id="e2"), fact("c"))
        for mode in ("dense", "sparse", "hybrid"):
            assert await found(index, query(mode=mode, encounter_id="e1")) == ["a"]
        assert await found(index, query(encounter_id="e3")) == []

    async def test_excluded_documents_are_left_out(self, index: Index):
        for document in ("d1", "d2", "d3"):
            await put(index, fact(f"of {document}", document=document))
        asked = query(mode="hybrid", exclude_documents=frozenset({"d1", "d3", "unknown"}))
        assert await found(index, asked) == ["of d2"]

    async def test_ai_authored_facts_are_evidence_only_when_asked_for(self, index: Index):
        await put(index, *(fact(str(each), author_category=each) for each in AuthorCategory))
        everybody = {str(each) for each in AuthorCategory}
        for mode in ("dense", "sparse", "hybrid"):
            assert {*await found(index, query(mode=mode))} == everybody - {"ai"}
            assert {*await found(index, query(mode=mode, include_ai_authored=True))} == everybody

    async def test_filters_work_together(self, index: Index):
        await put(index, fact("a", encounter_id="e"), fact("ai", encounter_id="e",
                  author_category="ai"), fact("later", encounter_id="e",
                  note_time=NOON + timedelta(days=1)), fact("elsewhere"))  # fmt: skip
        await put(index, fact("own", document="own", encounter_id="e"))
        asked = query(
            mode="hybrid", as_of=NOON, encounter_id="e", exclude_documents=frozenset({"own"})
        )
        assert await found(index, asked) == ["a"]


class TestConcurrency:
    async def test_writers_of_many_patients_and_readers_between_them(self, index: Index):
        async def life(patient: str) -> None:
            for version in range(4):
                kept = [f"{patient}-{version}-{n}" for n in range(5)]
                facts = [fact(each, patient) for each in kept]
                await index.write(record(*kept, patient=patient), facts, next_position())
                assert sorted(await found(index, query(patient))) == kept

        await asyncio.gather(*(life(f"p{number}") for number in range(12)))
        for number in range(12):
            assert await index.count(f"p{number}") == 5

    async def test_writers_of_one_patient_do_not_mix(self, index: Index):
        async def replace(version: int) -> None:
            mine = [f"{version}-{n}" for n in range(3)]
            await index.write(record(*mine), [fact(each) for each in mine], next_position())

        await asyncio.gather(*map(replace, range(6)))
        document = await index.document("p", "d")
        assert document is not None
        assert sorted(await found(index, query())) == sorted(document.fact_ids)
        assert len(document.fact_ids) == 3

    async def test_the_event_loop_runs_on_meanwhile(self, index: Index):
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0)
                ticks += 1

        ticking = asyncio.create_task(tick())
        await put(index, *(fact(f"f{n}") for n in range(1_100)))
        if isinstance(index, MilvusIndex):
            assert ticks > 10
        ticking.cancel()


STEPS = ("_put_facts", "_put_document", "_remove_outdated")


class TestCrash:
    """A worker that dies inside a write leaves a part; the redelivery repeats the write."""

    @pytest.mark.parametrize("step", STEPS)
    async def test_a_repeat_completes_a_write_that_broke_off(
        self, index: Index, step: str, monkeypatch: pytest.MonkeyPatch
    ):
        await put(index, fact("old"), fact("stays"))
        before = await index.document("p", "d")
        after = record("stays", "new", updated_at=NOON + timedelta(1))
        facts, position = [fact("stays"), fact("new")], next_position()

        async def crash(*_: object) -> None:
            raise ConnectionError("crash")

        with monkeypatch.context() as patch:
            patch.setattr(index, step, crash)
            with pytest.raises(ConnectionError):
                await index.write(after, facts, position)
        is_written = step == "_remove_outdated"
        assert await index.document("p", "d") == (after if is_written else before)
        there = ["new", "stays"] if is_written else ["old", "stays"]
        assert sorted(await found(index, query())) == there, (
            "as it was or as it is, nothing between"
        )
        await index.write(after, facts, position)
        assert sorted(await found(index, query())) == ["new", "stays"]
        assert await index.document("p", "d") == after


class TestExpelledWriter:
    """A worker that has lost its partition and does not know it writes after its successor."""

    @pytest.mark.parametrize("step", STEPS)
    @pytest.mark.parametrize("successor", ["retraction", "version", "status", "deletion"])
    async def test_it_changes_nothing_wherever_it_was_held(
        self, index: Index, step: str, successor: str, monkeypatch: pytest.MonkeyPatch
    ):
        """Its write is held at each step while the successor repeats its record and goes on."""
        await put(index, fact("stays", text="first"), fact("first"))
        expelled = record("stays", "second", updated_at=NOON + timedelta(1))
        facts = [fact("stays", text="second"), fact("second")]
        position, later = next_position(), next_position()
        held, resumed = asyncio.Event(), asyncio.Event()
        original = getattr(index, step)

        async def hold(*arguments: object) -> None:
            if asyncio.current_task() is writing:
                held.set()
                await resumed.wait()
            await original(*arguments)

        monkeypatch.setattr(index, step, hold)
        # Another process has locks of its own.
        monkeypatch.setattr(index, "_lock", lambda _: asyncio.Lock(), raising=False)
        writing = asyncio.create_task(index.write(expelled, facts, position))
        await held.wait()
        await index.write(expelled, facts, position)
        await self._succeed(index, successor, later)
        before = await self._state(index)
        resumed.set()
        await writing
        assert await self._state(index) == before
        documents = await self._rows(index, "_documents", "documents")
        assert len(documents) == 1, "left-overs are removed"
        for row in await self._rows(index, "_facts", "facts"):
            assert row["written_at"] == documents[0]["facts_written_at"]

    @staticmethod
    async def _succeed(index: Index, successor: str, at: WritePosition) -> None:
        if successor == "retraction":
            await index.write(record(status=DocumentStatus.RETRACTED), [], at)
        elif successor == "version":
            await index.write(record("stays", "third"), [fact("stays"), fact("third")], at)
        elif successor == "deletion":
            await index.delete("p", "d", at)
        else:
            document = await index.document("p", "d")
            assert document is not None
            await index.write(replace(document, status=DocumentStatus.REPLACED), None, at)

    @staticmethod
    async def _state(index: Index) -> object:
        document = await index.document("p", "d")
        facts = await index.facts(document) if document else []
        hits = sorted(await found(index, query()))
        texts = [(each.fact.fact_id, each.fact.text) for each in facts]
        return document, texts, hits, await index.count("p"), await index.documents("p")

    @staticmethod
    async def _rows(index: Index, attribute: str, kind: str) -> list[dict[str, Any]]:
        if isinstance(index, MemoryIndex):
            return list(getattr(index, attribute)["p"].values())
        columns = ["written_at", *(["facts_written_at"] if kind == "documents" else [])]
        return await index.query(kind, "p", 'patient_id == "p"', columns)

    async def test_links_of_an_earlier_position_change_nothing(self, index: Index):
        early, late = next_position(), next_position()
        version = DocumentVersion(content_hash="h")
        links = PatientLinks("p", MergeState.MERGED, "q", None, (), version, NOON)
        apart = replace(links, state=MergeState.SEPARATE, merged_into=None)
        await index.write_patient_links(apart, late)
        await index.write_patient_links(links, early)
        assert await index.patient_links("p") == apart

    @pytest.mark.parametrize(
        ("earlier", "later"),
        [
            (WritePosition(0, 9, 1_000), WritePosition(0, 10, 900)),
            # More partitions were added, and the patient's records go to another one.
            (WritePosition(0, 900, 1_000), WritePosition(5, 2, 2_000)),
            # The topic was made anew.
            (WritePosition(0, 900, 1_000), WritePosition(0, 2, 9_000_000)),
        ],
    )
    async def test_which_of_two_positions_is_later(
        self, index: Index, earlier: WritePosition, later: WritePosition
    ):
        for order in ((earlier, later), (later, earlier)):
            document = f"d{order[0] is later}"
            for position in order:
                name = "late" if position is later else "early"
                facts = [fact(f"{document} {name}", document=document)]
                ids = [facts[0].fact.fact_id]
                await index.write(record(*ids, document=document), facts, position)
            kept = await index.document("p", document)
            assert kept is not None
            assert kept.fact_ids == (f"{document} late",)
        assert await index.count("p") == 2
