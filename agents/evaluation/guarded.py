"""Data that is run for the README's table and for nothing else.

A folder with `GUARD.toml` in it is guarded: to run its files one must say why, and each run is
written into the log that the guard names, which is under version control. Nothing can stop anybody
from copying the files; the log is for those who mean well.
"""

from __future__ import annotations

import fcntl
import tomllib
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

GUARD = "GUARD.toml"


class Guarded(ValueError):
    """A guarded folder, and no reason to run it."""


def guards(paths: Sequence[Path]) -> list[Path]:
    """The guards of these files and folders, each once; those inside a folder too."""
    guard_files: list[Path] = []
    for path in paths:
        resolved = path.resolve()
        places = [resolved / GUARD, resolved.parent / GUARD]
        guard_files += [place for place in places if place.is_file()]
        if resolved.is_dir():
            guard_files += sorted(resolved.rglob(GUARD))
    return list(dict.fromkeys(guard_files))


def enter(paths: Sequence[Path], why: str | None, commit: str, now: datetime) -> list[Path]:
    """Log the run in the logs of all guards, which are given back.

    Raises `Guarded` where there is a guard and no `why`.
    """
    guard_files = guards(paths)
    reason = " ".join((why or "").split())
    if guard_files and not reason:
        raise Guarded(
            f"{guard_files[0].parent} is guarded: it is run for the README's table and for nothing "
            "else. Say why with --why TEXT; the run is logged"
        )
    logs = []
    for guard in guard_files:
        log = guard.parent / str(tomllib.loads(guard.read_text(encoding="utf-8"))["log"])
        with log.open("a", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(f"{now.isoformat(timespec='seconds')}\t{commit}\t{reason}\n")
        logs.append(log)
    return logs
