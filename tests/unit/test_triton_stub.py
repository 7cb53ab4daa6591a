"""Putting Triton's Python stub where Triton looks for it: once, whole, and by several at a time."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from streams.local import triton
from streams.local.process import ServiceFailed


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A wheel's `tritonserver` folder as it is unpacked: the stub lies elsewhere."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    for folder in (f"python_backend_stubs/{version}", "backends/python"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / f"python_backend_stubs/{version}" / triton.STUB).write_bytes(b"\x7fELF" * 50_000)
    return tmp_path


def installed(home: Path) -> Path:
    return home / "backends/python" / triton.STUB


def test_the_stub_is_installed_executable_and_left_alone_afterwards(home: Path) -> None:
    triton._install_stub(home)
    assert installed(home).stat().st_mode & 0o777 == 0o755
    first = installed(home).stat()
    triton._install_stub(home)
    assert installed(home).stat().st_ino == first.st_ino


def test_a_stub_of_another_python_is_replaced(home: Path) -> None:
    installed(home).write_bytes(b"of another version")
    triton._install_stub(home)
    assert installed(home).read_bytes().startswith(b"\x7fELF")


def test_many_at_once_leave_one_whole_stub_and_nothing_else(home: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: triton._install_stub(home), range(32)))
    assert [path.name for path in installed(home).parent.iterdir()] == [triton.STUB]
    assert len(installed(home).read_bytes()) == 200_000


def test_a_python_that_the_wheel_has_no_stub_for_is_named(home: Path) -> None:
    for stub in home.glob("python_backend_stubs/*/*"):
        stub.unlink()
    with pytest.raises(ServiceFailed, match="no stub for Python 3"):
        triton._install_stub(home)


def test_without_the_wheel_the_ways_out_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(triton, "find_spec", lambda name: None)
    with pytest.raises(ServiceFailed, match=r"make install.*in-process"):
        triton.TritonServer(tmp_path, tmp_path)
