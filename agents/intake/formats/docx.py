"""Word documents (OOXML) to text: through mammoth to HTML, and from there as other HTML.

Tracked deletions go, what is struck out too; lists keep their numbers, tables their cells, check
boxes their marks. Headers and footers of pages are read from their own parts, once each. Pictures
are counted.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from typing import Any

import mammoth  # type: ignore[import-untyped]
from lxml import etree

from agents.intake.encoding import MAX_UNPACKED_BYTES
from agents.intake.formats.html import html_to_text
from agents.intake.formats.layout import Partial
from agents.intake.reasons import Reason, RecordRejected

_MARGINS = re.compile(r"word/(?:header|footer)\d*\.xml")
_STYLES = "strike => s\nr[style-name='Strong'] => strong"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def docx_to_text(raw: bytes) -> Partial:
    """The document's text, headers first and footers last. Raises `RecordRejected`."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as package:
            if sum(part.file_size for part in package.infolist()) > MAX_UNPACKED_BYTES:
                raise RecordRejected(Reason.NOTE_TOO_LARGE)
            margins = [
                (name.startswith("word/header"), _words(package.read(name)))
                for name in sorted(package.namelist())
                if _MARGINS.fullmatch(name)
            ]
        images = 0

        def counted(_: object) -> dict[str, Any]:
            nonlocal images
            images += 1
            return {}

        converter = mammoth.images.img_element(counted)
        markup = mammoth.convert_to_html(
            io.BytesIO(raw), style_map=_STYLES, convert_image=converter, external_file_access=False
        ).value
    except (
        *(zipfile.BadZipFile, zlib.error, KeyError, ValueError, AttributeError, TypeError),
        *(NotImplementedError, RuntimeError, OSError, IndexError, etree.LxmlError),
    ):
        why = "The Word document cannot be read."
        raise RecordRejected(Reason.DAMAGED_ATTACHMENT, why) from None
    except Exception as error:
        if "xml" not in type(error).__module__:
            raise
        why = "The Word document's XML cannot be read."
        raise RecordRejected(Reason.DAMAGED_ATTACHMENT, why) from None
    body = html_to_text(markup)
    heads = dict.fromkeys(text for above, text in margins if above and text not in body)
    feet = dict.fromkeys(text for above, text in margins if not above and text not in body)
    parts = (*heads, body, *feet)
    return Partial("\n\n".join(filter(None, parts)), {"images": images} if images else {})


def _words(part: bytes) -> str:
    """The paragraphs of a part that mammoth does not read."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    root = etree.fromstring(part, parser)
    lines = (
        "".join(
            str(text.text or "") if text.tag == f"{_W}t" else " "
            for text in paragraph.iter(f"{_W}t", f"{_W}tab")
        )
        for paragraph in root.iter(f"{_W}p")
    )
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))
