import io
import sys
from pathlib import Path

import pytest

from streams.commands.sources import STDIN, read_sources

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
