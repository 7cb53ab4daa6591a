"""What made a report: our commit, Python's and the libraries' versions."""

from __future__ import annotations

import hashlib
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LIBRARIES = ("numpy", "scikit-learn", "scipy", "krippendorff", "onnxruntime", "tokenizers")
ROOT = Path(__file__).resolve().parents[2]


def versions() -> dict[str, str]:
    made_by = {"chartproof": version("chartproof"), "commit": commit()}
    made_by["python"] = platform.python_version()
    made_by["machine"] = platform.machine()
    for name in LIBRARIES:
        try:
            made_by[name] = version(name)
        except PackageNotFoundError:
            made_by[name] = "absent"
    return made_by


def commit() -> str:
    """The checkout's commit, with a digest of what is changed since; `unknown` outside of one."""
    head = _git("rev-parse", "--short=12", "HEAD")
    if head is None:
        return "unknown"
    changed = _git("diff", "HEAD")
    return f"{head.strip()}+{_digest(changed)}" if changed else head.strip()


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - our own arguments
            ["git", "-C", str(ROOT), *arguments],  # noqa: S607 - whichever git there is
            capture_output=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.decode("utf-8", "replace")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
