"""The supervisor of the embedded stack's services."""

import os
import signal
import sys
import time
from pathlib import Path

import psutil
import pytest

from streams.local.broker import TansuBroker
from streams.local.ports import free_port, listening
from streams.local.process import ChildProcess, ServiceFailed

STUBBORN = """
import pathlib, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path(sys.argv[1]).touch()
time.sleep(600)
"""
WITH_A_CHILD = """
import subprocess, sys, pathlib
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path(sys.argv[1]).write_text(str(child.pid))
"""


def python(tmp_path: Path, source: str, *args: str, **kwargs) -> ChildProcess:
    return ChildProcess("it", [sys.executable, "-c", source, *args], log=tmp_path / "log", **kwargs)


def ended_within(pid: int, *, seconds: float) -> bool:
    """A kill is asynchronous, and an orphan may stay a zombie for as long as init likes."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


def test_a_process_that_ends_at_start_is_reported_with_its_last_words(tmp_path):
    with pytest.raises(ServiceFailed, match=r"code 3.\n.*no disk"):
        python(tmp_path, "import sys; print('no disk'); sys.exit(3)").start(lambda: False)


def test_a_process_that_is_not_ready_in_time_is_stopped(tmp_path):
    child = python(tmp_path, "import time; time.sleep(600)")
    with pytest.raises(ServiceFailed, match="not ready within"):
        child.start(lambda: False, deadline=0.3)
    assert not child.alive


def test_a_process_that_ignores_sigterm_is_killed(tmp_path):
    flag = tmp_path / "ready"
    child = python(tmp_path, STUBBORN, str(flag)).start(flag.exists)
    assert child.stop(grace=0.3) == -signal.SIGKILL
    assert child.stop() == -signal.SIGKILL


def test_what_a_process_started_ends_with_it(tmp_path):
    pid_file = tmp_path / "pid"
    child = python(tmp_path, WITH_A_CHILD, str(pid_file)).start()
    child.wait(30)
    orphan = int(pid_file.read_text())
    child.stop()
    assert ended_within(orphan, seconds=10)


def test_a_child_inherits_the_environment_and_what_is_added_to_it(tmp_path):
    source = "import os; print(os.environ['ADDED'], os.environ['PATH'])"
    child = python(tmp_path, source, env={"ADDED": "a b"}).start()
    child.wait(30)
    assert child.tail().strip() == f"a b {os.environ['PATH']}"


def test_tansu_listens_on_loopback_only_and_stops(tmp_path):
    broker = TansuBroker(tmp_path).start()
    try:
        process = psutil.Process(broker.process.pid)
        addresses = {c.laddr for c in process.net_connections("inet") if c.status == "LISTEN"}
        assert addresses == {("127.0.0.1", broker.port)}
    finally:
        broker.stop(grace=0.1)
    assert not listening(broker.port)


def test_free_ports_are_free():
    assert not listening(free_port())
