"""The index and its server: away, hung, killed, restarted, of another shape."""

from __future__ import annotations

import asyncio
import itertools
import logging
import signal
import traceback
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import psutil
import pytest

from agents.adapters.index.document_rows import document_rows
from agents.adapters.index.filters import of_patient
from agents.adapters.index.milvus import MilvusIndex
from agents.adapters.index.reindex import Reindexer
from agents.adapters.index.schema import PLACEHOLDER
from agents.chart_records import (
    DocumentRecord,
    DocumentStatus,
    MergeState,
    PatientLinks,
    WritePosition,
)
from agents.errors import ChartproofError, DeadlineExceeded, DependencyUnavailable, PermanentError
from agents.ports import EmbeddedFact, Embedding, FactQuery
from schemas.notes import DocumentVersion, Fact
from streams.local.milvus import MilvusLite
from streams.local.ports import LOOPBACK, free_port, listening
from streams.local.process import ServiceFailed

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PATIENT = "patient-4711"
OFFSETS = itertools.count()
EMBEDDING = Embedding(np.array([1, 0, 0, 0], dtype=np.float32), {1: 1.0})


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MilvusLite]:
    """A server that tests leave running."""
    folder = tmp_path_factory.mktemp("milvus")
    lite = MilvusLite(folder / "data", folder).start()
    yield lite
    lite.stop()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[MilvusLite]:
    """A server that a test may kill."""
    lite = MilvusLite(tmp_path / "data", tmp_path).start()
    yield lite
    lite.stop()


@asynccontextmanager
async def connected(lite: MilvusLite, **options: object) -> AsyncIterator[MilvusIndex]:
    index = await MilvusIndex.connect(lite.uri, **{"spread": 2, "dim": 4, **options})
    try:
        yield index
    finally:
        await index.close()


async def put(index: MilvusIndex, *fact_ids: str) -> None:
    facts = [
        EmbeddedFact(
            Fact(fact_id=fact_id, patient_id=PATIENT, document_id="d", text="Cough.", start=0,
                 end=6, ordinal=0, note_time=NOON),
            EMBEDDING,
        )
        for fact_id in fact_ids
    ]  # fmt: skip
    await index.write(document(*fact_ids), facts, WritePosition(0, next(OFFSETS)))


def document(*fact_ids: str) -> DocumentRecord:
    version = DocumentVersion(version_id="1", last_updated=None, content_hash="c")
    return DocumentRecord(PATIENT, "d", version, DocumentStatus.CURRENT, fact_ids, NOON, NOON)


async def found(index: MilvusIndex) -> list[str]:
    hits = await index.search(FactQuery(PATIENT, EMBEDDING))
    return [hit.fact.fact_id for hit in hits]


class TestAway:
    async def test_connecting_to_nothing_says_what_to_do(self):
        place = f"{LOOPBACK}:{free_port()}"
        with pytest.raises(DependencyUnavailable, match="chartproof up") as failed:
            await MilvusIndex.connect(f"http://user:secret@{place}", token="t0ken")
        assert failed.value.dependency == "milvus"
        assert place in str(failed.value)
        assert "secret" not in str(failed.value)
        assert "t0ken" not in str(failed.value)

    @pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
    async def test_it_comes_back_with_its_data_and_the_client_goes_on(
        self, own: MilvusLite, number: signal.Signals
    ):
        async with connected(own) as index:
            await put(index, "a", "b")
            own.process.send_signal(number)
            own.process.wait(20)
            for call in (index.check(), index.count(PATIENT), found(index), put(index, "c")):
                with pytest.raises(DependencyUnavailable):
                    await call
            own.start()
            await index.check()
            assert await found(index) == ["a", "b"]
            assert await index.document(PATIENT, "d") == document("a", "b")
            await put(index, "a", "b", "c")
            assert await index.count(PATIENT) == 3

    async def test_many_callers_while_it_is_away_and_after(self, own: MilvusLite):
        async with connected(own) as index:
            await put(index, "a")
            own.process.kill()
            calls = [found(index) for _ in range(20)]
            outcomes = await asyncio.gather(*calls, return_exceptions=True)
            assert {type(outcome) for outcome in outcomes} == {DependencyUnavailable}
            own.start()
            outcomes = await asyncio.gather(*(found(index) for _ in range(20)))
            assert outcomes == [["a"]] * 20

    async def test_one_that_comes_back_empty_is_filled_again(self, own: MilvusLite, tmp_path: Path):
        async with connected(own) as index:
            await put(index, "a")
            own.stop()
            empty = MilvusLite(tmp_path / "empty", tmp_path, port=own.port).start()
            try:
                assert await found(index) == []
                await put(index, "b")
                assert await found(index) == ["b"]
            finally:
                empty.stop()

    async def test_a_write_broken_off_by_a_kill_is_mended_by_a_repeat(self, own: MilvusLite):
        names = [f"f{number:04d}" for number in range(3_000)]
        async with connected(own) as index, connected(own) as watcher:
            writing = asyncio.create_task(put(index, *names))
            while not await watcher.query("facts", PATIENT, of_patient(PATIENT), ["fact_id"]):
                pass
            own.process.kill()
            with pytest.raises(DependencyUnavailable):
                await writing
            own.start()
            assert await index.document(PATIENT, "d") is None
            await put(index, *names)
            assert await index.count(PATIENT) == len(names)
            assert await index.document(PATIENT, "d") == document(*names)


class TestHung:
    async def test_every_call_has_a_deadline(self, own: MilvusLite):
        async with connected(own) as patient_one, connected(own, timeout_s=1.5) as index:
            await put(patient_one, "a")
            assert await index.count(PATIENT) == 1
            own.process.send_signal(signal.SIGSTOP)
            for call in (index.check(), index.count(PATIENT), found(index), put(index, "b")):
                with pytest.raises(DeadlineExceeded, match=r"within 1\.5 s"):
                    await call
            own.process.send_signal(signal.SIGCONT)
            await patient_one.check()
            assert await patient_one.count(PATIENT) >= 1

    async def test_a_cancelled_caller_is_cancelled(self, own: MilvusLite):
        async with connected(own) as index:
            await put(index, "a")
            own.process.send_signal(signal.SIGSTOP)
            searching = asyncio.create_task(found(index))
            await asyncio.sleep(0.05)
            searching.cancel()
            with pytest.raises(asyncio.CancelledError):
                await searching
            own.process.send_signal(signal.SIGCONT)
            assert await found(index) == ["a"]


class TestShape:
    async def test_an_index_of_another_spread_is_refused(self, shared: MilvusLite):
        async with connected(shared, prefix="s_") as index:
            await put(index, "a")
        for spread in (1, 3):
            with pytest.raises(PermanentError, match="SPREAD=2") as refused:
                await MilvusIndex.connect(shared.uri, spread=spread, prefix="s_", dim=4)
            assert refused.value.reason == "index_spread"
        async with connected(shared, prefix="s_") as index:
            assert await found(index) == ["a"]

    async def test_an_index_of_another_dimension_is_refused(self, shared: MilvusLite):
        async with connected(shared, prefix="dim_") as index:
            await put(index, "a")
        with pytest.raises(PermanentError, match="4 dimensions and the embedder gives 5") as said:
            await MilvusIndex.connect(shared.uri, spread=2, prefix="dim_", dim=5)
        assert "CHARTPROOF_MILVUS_PREFIX" in str(said.value)
        looked = await MilvusIndex.connect(shared.uri, spread=2, prefix="dim_", dim=None)
        await looked.check()
        await looked.close()

    async def test_a_worker_of_another_dimension_that_came_first_waits(self, shared: MilvusLite):
        """Both found an empty index; no event is to blame, so none is lost."""
        async with connected(shared, prefix="both_", dim=5) as other:
            async with connected(shared, prefix="both_") as index:
                await put(index, "a")
            with pytest.raises(DependencyUnavailable, match="the embedder gives 5"):
                await found(other)

    async def test_a_single_collection_as_on_a_cluster(self, shared: MilvusLite):
        async with connected(shared, prefix="one_", spread=1) as index:
            await put(index, "a", "b")
            assert await found(index) == ["a", "b"]

    async def test_workers_that_make_the_collections_at_once(self, shared: MilvusLite):
        async with (
            connected(shared, prefix="race_") as one,
            connected(shared, prefix="race_") as two,
        ):
            await asyncio.gather(put(one, "a"), put(two, "b"), found(one), found(two))
            assert await found(one) == ["b"], "the write at the later position"


class StandInEmbedder:
    """Gives each text the vector that it was made with."""

    dim = 4
    version = "stand-in 1"

    def __init__(self, embedding: Embedding = EMBEDDING) -> None:
        self.embedding = embedding

    async def check(self) -> None:
        """Always well."""

    async def embed(self, texts: Sequence[str]) -> list[Embedding]:
        return [self.embedding for _ in texts]


class TestEmbedder:
    async def test_the_embedder_that_made_the_index_is_taken_again(self, shared: MilvusLite):
        nearly = Embedding(np.array([1, 1e-4, 0, 0], dtype=np.float32), {1: 1.0})
        async with connected(shared, prefix="same_") as index:
            for embedding in (EMBEDDING, EMBEDDING, nearly):
                await index.require_embedder(StandInEmbedder(embedding))

    @pytest.mark.parametrize(
        "other",
        [
            Embedding(np.array([0, 1, 0, 0], dtype=np.float32), {1: 1.0}),
            Embedding(np.array([1, 0, 0, 0], dtype=np.float32), {2: 1.0}),
        ],
        ids=["dense", "sparse"],
    )
    async def test_another_of_equal_dimension_and_version_is_refused(
        self, own: MilvusLite, other: Embedding
    ):
        async with connected(own) as index:
            await index.require_embedder(StandInEmbedder())
        async with connected(own) as index:
            with pytest.raises(PermanentError, match="CHARTPROOF_MILVUS_PREFIX") as refused:
                await index.require_embedder(StandInEmbedder(other))
            assert refused.value.reason == "index_embedder"


class TestReindex:
    async def test_all_is_copied_and_later_writes_in_the_target_stay(self, own: MilvusLite):
        links = PatientLinks("q", MergeState.MERGED, PATIENT, None, (), document().version, NOON)
        changed = Embedding(np.array([0, 0, 1, 0, 0], dtype=np.float32), {5: 1.0})
        other = StandInEmbedder(changed)
        async with (
            connected(own, prefix="one_") as old,
            connected(own, prefix="two_", dim=5) as new,
        ):
            await put(old, "a", "b")
            await old.write_patient_links(links, WritePosition(0, next(OFFSETS)))
            gone = replace(document(), document_id="gone")
            await old.write(gone, [], WritePosition(0, next(OFFSETS)))
            done = await Reindexer(old, new, other).run()
            assert (done.documents, done.facts, done.unchanged, done.patients) == (2, 2, 0, 1)
            copied = await new.document(PATIENT, "d")
            assert copied == document("a", "b")
            assert [e.embedding.dense.tolist() for e in await new.facts(copied)] == [
                changed.dense.tolist()
            ] * 2
            assert await new.patient_links("q") == links

            # The old one goes on, then workers change over, then it is run again.
            await old.delete(PATIENT, "gone", WritePosition(0, next(OFFSETS)))
            late = replace(document("late"), document_id="late")
            await old.write(late, [], WritePosition(0, next(OFFSETS)))
            by_worker = replace(document(), version=DocumentVersion(content_hash="new"))
            await new.write(by_worker, [], WritePosition(0, next(OFFSETS)))
            done = await Reindexer(old, new, other).run()
            assert (done.documents, done.unchanged) == (1, 1)
            assert await new.document(PATIENT, "late") == late
            assert await new.document(PATIENT, "gone") is None
            assert await new.document(PATIENT, "d") == by_worker


class TestRefusals:
    async def test_vectors_of_an_embedder_that_was_exchanged_blame_no_note(
        self, shared: MilvusLite
    ):
        async with connected(shared, prefix="exchanged_") as index:
            await put(index, "a")
            (stored,) = await index.facts(await index.document(PATIENT, "d"))
            other = EmbeddedFact(stored.fact, Embedding(np.ones(3, dtype=np.float32), {1: 1.0}))
            with pytest.raises(
                DependencyUnavailable, match="4 dimensions and the embedder gives 3"
            ):
                await index.write(document("a"), [other], WritePosition(0, next(OFFSETS)))

    async def test_only_a_row_that_is_at_fault_is_permanent(self, shared: MilvusLite):
        async with connected(shared, prefix="fault_") as index:
            await put(index, "a")
            collection = index.layout.collection("documents", PATIENT)
            row = rows_of(document("a"))
            for value in ("x" * 70_000, 7):
                with pytest.raises(PermanentError) as refused:
                    await index.session.upsert(collection, [{**row, "lineage": value}])
                assert refused.value.reason == "index_rejected"
            with pytest.raises(DependencyUnavailable):
                await index.session.query(collection, filter='nothing == "x"')


def rows_of(record: DocumentRecord) -> dict[str, object]:
    (row,) = document_rows(record, WritePosition(0, 0), WritePosition(0, 0))
    return {**row, "placeholder": PLACEHOLDER}


class TestPrivacy:
    async def test_errors_and_logs_hold_no_patient_id(
        self,
        shared: MilvusLite,
        caplog: pytest.LogCaptureFixture,
        capfd: pytest.CaptureFixture[str],
    ):
        async with connected(shared, prefix="privacy_") as index:
            await put(index, "a")
            wrong = Embedding(np.ones(3, dtype=np.float32), {1: 1.0})
            with caplog.at_level(logging.DEBUG), pytest.raises(ChartproofError) as failed:
                await index.search(FactQuery(PATIENT, wrong, mode="dense"))
        assert isinstance(failed.value, DependencyUnavailable), "no text is to blame"
        printed = capfd.readouterr()
        said = [caplog.text, printed.out, printed.err, *traceback.format_exception(failed.value)]
        assert PATIENT not in "".join(said)


class TestStarter:
    def test_it_listens_on_loopback_alone_and_stops(self, own: MilvusLite, tmp_path: Path):
        process = psutil.Process(own.process.pid)
        listens = [each.laddr for each in process.net_connections() if each.status == "LISTEN"]
        assert [(each.ip.removeprefix("::ffff:"), each.port) for each in listens] == [
            (LOOPBACK, own.port)
        ]
        assert (tmp_path / "data").stat().st_mode & 0o077 == 0, "notes are for their owner only"
        own.stop()
        assert not listening(own.port)

    def test_a_data_folder_in_use_is_an_error_that_says_so(
        self, shared: MilvusLite, tmp_path: Path
    ):
        data = shared.process.log.parent / "data"
        with pytest.raises(ServiceFailed, match=r"(?i)lock"):
            MilvusLite(data, tmp_path).start()
