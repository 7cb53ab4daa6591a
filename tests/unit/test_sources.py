import asyncio
import gzip
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from schemas.topics import MAX_RECORD_BYTES
from streams.cli.sources import STDIN, in_thread, read_file, read_sources

DOCUMENT = b'{"resourceType":"DocumentReference","subject":{"reference":"Patient/p1"}}'


def test_an_ndjson_file_is_a_record_a_line_with_its_place_and_patient(tmp_path: Path) -> None:
    path = tmp_path / "notes.ndjson"
    path.write_bytes(DOCUMENT + b"\n\n" + DOCUMENT + b"\r\n")
    records = list(read_sources([path]))
    assert [(r.origin, r.key) for r in records] == [
        (f"{path}:1", "Patient/p1"),
        (f"{path}:3", "Patient/p1"),
    ]
    assert records[1].value == DOCUMENT


def test_a_json_file_is_one_record_even_when_it_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "bundle.json"
    path.write_bytes(b'{"resourceType":\n "Bundle"')
    [record] = read_sources([path])
    assert record.value == path.read_bytes()
    assert record.key is None


def test_a_folder_is_read_recursively_in_name_order_leaving_other_files(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "2.json").write_bytes(DOCUMENT)
    (tmp_path / "a.ndjson").write_bytes(DOCUMENT)
    (tmp_path / "readme.md").write_text("not for publishing")
    assert [Path(r.origin.split(":")[0]).name for r in read_sources([tmp_path])] == [
        "a.ndjson",
        "2.json",
    ]


def test_a_folder_without_any_file_to_read_is_an_error_that_says_which_are(tmp_path: Path) -> None:
    (tmp_path / "notes.csv").write_text("a,b")
    with pytest.raises(FileNotFoundError, match=r"no file in it ends in \.ndjson"):
        read_sources([tmp_path])
    (tmp_path / "bundle.json.gz").write_bytes(gzip.compress(DOCUMENT))
    [record] = read_sources([tmp_path])
    assert gzip.decompress(record.value) == DOCUMENT


def test_a_missing_path_is_an_error_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "here.json").write_bytes(DOCUMENT)
    with pytest.raises(FileNotFoundError, match="no such file or folder"):
        read_sources([tmp_path / "here.json", tmp_path / "gone.json"])


@pytest.mark.parametrize(
    ("given", "records"),
    [
        (DOCUMENT + b"\n" + DOCUMENT + b"\n", 2),
        (b'{\n"resourceType": "Bundle"\n}\n', 1),
        (b"not json\nneither\n", 2),
        (b"", 0),
    ],
)
def test_stdin_is_ndjson_or_one_document(monkeypatch, given: bytes, records: int) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    assert len(list(read_sources([STDIN]))) == records


def test_gzipped_ndjson_is_read_as_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "notes.ndjson.gz"
    path.write_bytes(gzip.compress(DOCUMENT + b"\n" + DOCUMENT))
    assert [r.value for r in read_sources([tmp_path])] == [DOCUMENT, DOCUMENT]


def test_a_gzip_file_that_is_cut_off_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "notes.ndjson.gz"
    path.write_bytes(gzip.compress(DOCUMENT)[:-9])
    with pytest.raises(OSError, match=r"notes.ndjson.gz: .*cut off"):
        list(read_sources([path]))


@pytest.mark.parametrize("name", ["notes.ndjson", "notes.ndjson.gz"])
def test_reading_goes_on_from_every_records_place(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    content = DOCUMENT + b"\r\n\n{}\nnot json\n" + DOCUMENT
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    whole = list(read_file(path))
    assert [record.place.line for record in whole] == [1, 3, 4, 5]
    for number, record in enumerate(whole, 1):
        place = record.place
        assert list(read_file(path, offset=place.offset, line=place.line)) == whole[number:]


def test_a_line_without_end_is_never_held_whole(tmp_path: Path) -> None:
    path = tmp_path / "notes.ndjson"
    with path.open("wb") as file:
        file.truncate(3 * MAX_RECORD_BYTES)  # a sparse file of zeros
        file.seek(0, 2)
        file.write(b"\n" + DOCUMENT)
    too_long, fine = read_sources([path])
    assert len(too_long.value) == MAX_RECORD_BYTES
    assert (fine.origin, fine.value) == (f"{path}:2", DOCUMENT)


@pytest.fixture
def pipe(monkeypatch) -> Iterator[IO[bytes]]:
    """What is written to it comes by stdin."""
    ours, theirs = os.pipe()
    with open(ours, "rb") as stdin, open(theirs, "wb", buffering=0) as written:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stdin))
        yield written


async def test_a_silent_pipe_holds_up_nothing_and_gives_its_records_as_they_come(pipe) -> None:
    records = in_thread(read_sources([STDIN]))
    for _ in range(2):
        pipe.write(DOCUMENT + b"\n")
        async with asyncio.timeout(20):
            assert (await anext(records)).value.strip() == DOCUMENT
    waiting = asyncio.ensure_future(anext(records))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    pipe.close()
    with pytest.raises(StopAsyncIteration):
        await waiting


async def test_an_error_while_reading_reaches_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "notes.ndjson.gz"
    path.write_bytes(gzip.compress(DOCUMENT * 99)[:-9])
    with pytest.raises(OSError, match="damaged"):
        [record async for record in in_thread(read_sources([path]))]
