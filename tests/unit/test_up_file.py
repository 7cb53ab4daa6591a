"""`.chartproof.env`: only what `up` wrote is replaced or removed, and never under another `up`."""

import socket
from pathlib import Path

import pytest

from streams.cli.up import MARK, FileInTheWay, addresses_in, remove_stale
from streams.local.stack import Stack


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".chartproof.env"


def test_a_file_of_somebody_else_is_left_alone(path: Path) -> None:
    path.write_text("CHARTPROOF_BROKER=kafka.example.org:9092\n")
    with pytest.raises(FileInTheWay, match="not written by"):
        remove_stale(path)
    assert "example.org" in path.read_text()


def test_a_stale_file_is_removed_and_one_whose_broker_answers_is_not(path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as broker:
        path.write_text(f"{MARK}CHARTPROOF_BROKER=127.0.0.1:{broker.getsockname()[1]}\n")
        with pytest.raises(FileInTheWay, match="another `chartproof up` runs"):
            remove_stale(path)
        assert path.exists()
    remove_stale(path)
    assert not path.exists()
    remove_stale(path)


def test_the_file_holds_the_addresses_and_goes_at_the_end(path: Path, tmp_path: Path) -> None:
    stack = Stack(tmp_path)
    with addresses_in(path, stack):
        assert path.read_text().startswith(MARK)
        assert f"CHARTPROOF_BROKER={stack.bootstrap}\n" in path.read_text()
    assert not path.exists()


def test_what_was_written_meanwhile_stays(path: Path, tmp_path: Path) -> None:
    stack = Stack(tmp_path)
    with addresses_in(path, stack):
        path.write_text("mine")
    assert path.read_text() == "mine"
    with pytest.raises(FileInTheWay, match="meanwhile"), addresses_in(path, stack):
        pass
    assert path.read_text() == "mine"
