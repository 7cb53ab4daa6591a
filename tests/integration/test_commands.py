"""Commands as people run them, as processes: exit codes, and nothing left behind by any end."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import psutil
import pytest

from streams.local.sample import load_chart
from streams.local.sample.messages import document_reference

ENV_FILE = ".chartproof.env"
WAIT_SECONDS = 120
UNRELATED = {  # settings of some other installation
    "CHARTPROOF_SECURITY_PROTOCOL": "SSL",
    "CHARTPROOF_AGENTS": "intake",
    "CHARTPROOF_MAX_IN_FLIGHT": "1",
}


def command(*arguments: str, **variables: str) -> list[str]:
    """`chartproof` with the terminal's signals as they are by default."""
    said = {"PYTHONPATH": str(Path.cwd()), "COLUMNS": "120"} | variables
    assignments = [f"{name}={value}" for name, value in said.items()]
    return [
        "env",
        "--default-signal",
        *assignments,
        sys.executable,
        "-m",
        "streams.cli.main",
        *arguments,
    ]


@contextmanager
def running(folder: Path, *arguments: str, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            command(*arguments, TMPDIR=str(folder), **variables),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    try:
        yield process
    finally:
        for left in (*children(process.pid), process):
            left.kill()
        process.wait()


def children(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def until(true: Callable[[], object], process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not true():
        assert process.poll() is None, "it ended"
        assert time.monotonic() < deadline
        time.sleep(0.05)


def end(process: subprocess.Popen[bytes], number: signal.Signals) -> int:
    """Send the signal; returns the exit code once the process and all its children are gone."""
    before = children(process.pid)
    assert before
    process.send_signal(number)
    code = process.wait(WAIT_SECONDS)
    _, alive = psutil.wait_procs(before, timeout=5)
    assert alive == []
    return code


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )


def temporary_folders(folder: Path) -> list[Path]:
    return list(folder.glob("chartproof-*"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_up_serves_other_commands_and_leaves_nothing(tmp_path: Path, number) -> None:
    chart = load_chart()
    notes = [orjson.dumps(document_reference(chart, each)) for each in chart.notes[:3]]
    (tmp_path / "notes.ndjson").write_bytes(b"\n".join(notes))
    (tmp_path / "text.txt").write_text("The patient is a Martian.")
    with running(tmp_path, "up", **UNRELATED) as up:
        until((tmp_path / ENV_FILE).exists, up)
        [data] = temporary_folders(tmp_path)
        assert data.stat().st_mode & 0o077 == 0
        published = run(tmp_path, "publish", "--wait", "notes.ndjson")
        assert published.returncode == 0, published.stderr
        assert "indexed" in published.stdout
        verified = run(
            tmp_path, "verify", "--patient", chart.patient_id, "--text", "text.txt", "--json"
        )
        assert verified.returncode == 1, verified.stderr
        second = run(tmp_path, "up")
        assert second.returncode == 2
        assert "another `chartproof up` runs" in second.stderr
        assert (tmp_path / ENV_FILE).exists()
        assert end(up, number) == 0
    assert not (tmp_path / ENV_FILE).exists()
    assert temporary_folders(tmp_path) == []


def test_demo_says_what_was_caught_and_missed(tmp_path: Path) -> None:
    with running(tmp_path, "demo", **UNRELATED) as demo:
        assert demo.wait(WAIT_SECONDS) == 0
    said = (tmp_path / "output.txt").read_text()
    caught, planted = re.search(r"(\d+) of (\d+) planted errors caught", said).groups()
    assert said.count(" caught ") == int(caught)
    assert said.count(" missed ") == int(planted) - int(caught)
    assert temporary_folders(tmp_path) == []


@pytest.mark.parametrize("when", ["milvus.log", "worker-0.log", "Stack up:"])
def test_sigterm_in_the_middle_of_a_demo_leaves_nothing(tmp_path: Path, when: str) -> None:
    """While the services start, while the worker starts, while notes go in."""
    with running(tmp_path, "demo") as demo:
        until(lambda: reached(tmp_path, when), demo)
        assert end(demo, signal.SIGTERM) == 128 + signal.SIGTERM
    assert temporary_folders(tmp_path) == []


def test_sigterm_in_the_middle_of_a_benchmark_leaves_nothing(tmp_path: Path) -> None:
    with running(tmp_path, "bench", "--backfill") as bench:
        until(lambda: reached(tmp_path, "worker-0.log"), bench)
        assert end(bench, signal.SIGTERM) == 128 + signal.SIGTERM
    assert temporary_folders(tmp_path) == []


def reached(folder: Path, what: str) -> bool:
    """Whether a log is there, or something was said."""
    logs = [log.name for each in temporary_folders(folder) for log in each.glob("*.log")]
    return what in logs or what in (folder / "output.txt").read_text()


def test_publish_sends_what_a_live_pipe_brings_and_ends_on_ctrl_c(tmp_path: Path) -> None:
    note = orjson.dumps(document_reference(load_chart(), load_chart().notes[0])) + b"\n"
    with running(tmp_path, "up") as up:
        until((tmp_path / ENV_FILE).exists, up)
        with (
            subprocess.Popen(
                command("watch", "outcomes", "--from-beginning"),
                cwd=tmp_path,
                stdout=subprocess.PIPE,
            ) as watch,
            subprocess.Popen(
                command("publish", "-"), cwd=tmp_path, stdin=subprocess.PIPE
            ) as publish,
        ):
            publish.stdin.write(note)
            publish.stdin.flush()
            assert orjson.loads(watch.stdout.readline())["value"]["outcome"] == "indexed"
            assert publish.poll() is None
            for process in (watch, publish):
                os.kill(process.pid, signal.SIGINT)
                assert process.wait(WAIT_SECONDS) == 128 + signal.SIGINT
        assert end(up, signal.SIGTERM) == 0
