"""PDF on stdin, its text layer as UTF-8 on stdout. Run as a process of its own, by path.

PDFium is C++ over bytes of strangers: here a crash, a loop or a gigabyte of memory ends one process
with nothing in it but this one document. Imports nothing of ours, so that it starts fast.

Exit status: 0 read (nothing on stdout: no text layer), 3 needs a password, 4 is no readable PDF.
"""

from __future__ import annotations

import resource
import sys

import pypdfium2  # type: ignore[import-untyped]
from pypdfium2.raw import FPDF_ERR_PASSWORD  # type: ignore[import-untyped]

CPU_SECONDS = 15
MEMORY_BYTES = 2 * 1024**3
MAX_CHARACTERS = 5_000_001
"""One more than a note may have, so that the reader sees that it is too large."""


def main() -> int:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":  # macOS knows the limit, but refuses to set it
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    try:
        document = pypdfium2.PdfDocument(sys.stdin.buffer.read())
    except pypdfium2.PdfiumError as error:
        return 3 if getattr(error, "err_code", None) == FPDF_ERR_PASSWORD else 4
    left = MAX_CHARACTERS
    for number in range(len(document)):
        try:
            text = document[number].get_textpage().get_text_bounded()
        except pypdfium2.PdfiumError:  # one broken page does not lose the others
            continue
        page = text.replace("\r\n", "\n").strip()[:left]
        left -= len(page)
        sys.stdout.buffer.write(page.encode("utf-8", "replace") + b"\n\n")
        if left <= 0:
            break
    return 0


if __name__ == "__main__":
    sys.exit(main())
