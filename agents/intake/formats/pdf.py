"""PDF notes to their text layer, in a process of its own with limits on time and memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from agents.intake.reasons import Reason, RecordRejected

MAX_SECONDS = 20.0
_WORKER = Path(__file__).with_name("pdf_worker.py")
_STATUS = {3: "The PDF needs a password.", 4: "The PDF cannot be parsed."}


def pdf_to_text(raw: bytes, *, seconds: float = MAX_SECONDS) -> str:
    """The text layer, pages apart by a blank line. Raises `RecordRejected`: also when there is
    none."""
    try:
        done = subprocess.run(  # noqa: S603 - our own file, by path, with no arguments
            [sys.executable, "-I", str(_WORKER)],
            input=raw,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        late = f"The PDF was not read within {seconds:g} s."
        raise RecordRejected(Reason.DAMAGED_ATTACHMENT, late) from None
    if done.returncode != 0:
        why = _STATUS.get(done.returncode, "Reading the PDF broke its limits.")
        raise RecordRejected(Reason.DAMAGED_ATTACHMENT, why)
    text = done.stdout.decode().strip()
    if not text:
        raise RecordRejected(Reason.NO_TEXT_LAYER)
    return text
