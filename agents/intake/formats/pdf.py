"""PDF notes to their text layer, in a process of its own with limits on time and memory."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from agents.intake.formats.layout import Partial
from agents.intake.json import loads
from agents.intake.reasons import Reason, RecordRejected
from agents.intake.shape import child, each

MAX_SECONDS = 20.0
_COVER = re.compile(
    r"\b(?:fax|facsimile|telefax)\b.{0,60}\b(?:cover|transmi\w+|sheet|memo|message)"
    r"|\bcover (?:sheet|page)\b"
    r"|\b(?:number|no\.?|total|#) of pages\b|\bpages? ?(?:\(?including cover\)?|: ?\d+)",
    re.IGNORECASE | re.DOTALL,
)
_COVER_TITLE_WITHIN = 400
_LONGEST_COVER = 1500
_WORKER = Path(__file__).with_name("pdf_worker.py")
_STATUS = {3: "The PDF needs a password.", 4: "The PDF cannot be parsed."}


def pdf_to_text(raw: bytes, *, seconds: float = MAX_SECONDS) -> Partial:
    """The text, pages apart by a blank line; how many pages have none. Raises `RecordRejected`:
    also when there is none."""
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
    read = loads(done.stdout)
    pages = [str(page) for page in each(child(read, "pages"))]
    text = "\n\n".join(filter(None, pages))
    scanned = child(read, "images")
    without_text = scanned if isinstance(scanned, int) else 0
    if not text or (without_text and _is_cover(text)):
        raise RecordRejected(Reason.NO_TEXT_LAYER)
    return Partial(text, {"pages_without_text": without_text} if without_text else {})


def _is_cover(text: str) -> bool:
    """Whether the only text of pages that are pictures is that of a fax's first one: it speaks of
    the fax, not of the patient."""
    named = _COVER.search(text[:_COVER_TITLE_WITHIN])
    return named is not None and len(text) <= _LONGEST_COVER
