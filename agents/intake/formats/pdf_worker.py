"""PDF on stdin, its text and what else it shows as JSON on stdout. Run as a process, by path.

PDFium is C++ over bytes of strangers: here a crash, a loop or a gigabyte of memory ends one process
with nothing in it but this one document. Imports nothing of ours, so that it starts fast.

Values of form fields, check boxes and free-text annotations are no part of a page's text: PDFium
writes them into the page first (`FPDFPage_Flatten`). Where that does not make text of them they are
read from their annotations.

Exit status: 0 read, 3 needs a password, 4 is no readable PDF. The JSON: `pages`, a text a page;
`images`, how many pages show pictures and no text.
"""

from __future__ import annotations

import ctypes
import json
import re
import resource
import sys
from collections.abc import Iterator
from typing import Any, TypeAlias

import pypdfium2  # type: ignore[import-untyped]
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

Pdfium: TypeAlias = Any
"""An object of pypdfium2 or PDFium, which have no types."""

CPU_SECONDS = 15
MEMORY_BYTES = 2 * 1024**3
MAX_CHARACTERS = 5_000_001
"""One more than a note may have, so that the reader sees that it is too large."""
MAX_ANNOTATIONS = 2000
# PDFium's signs for a hyphen at a line's end: U+0002 before a break, U+FFFE for one that is out.
_SOFT = re.compile("(\\w)[\u0002\ufffe\u00ad](?:\r?\n)?(?=(\\w))")
_HARD = re.compile(r"([A-Za-z]{2,})-\r?\n(?=[a-z]{2,})")


def main() -> int:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":  # macOS knows the limit, but refuses to set it
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    try:
        document = pypdfium2.PdfDocument(sys.stdin.buffer.read())
        _prepare(document)
    except pypdfium2.PdfiumError as error:
        return 3 if getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD else 4
    pages: list[str] = []
    images, left = 0, MAX_CHARACTERS
    for number in range(len(document)):
        try:
            text, shows_images = _page(document, number)
        except pypdfium2.PdfiumError:  # one broken page does not lose the others
            continue
        images += shows_images and not text
        pages.append(text[:left])
        left -= len(pages[-1])
        if left <= 0:
            break
    json.dump({"pages": pages, "images": images}, sys.stdout)
    return 0


def _prepare(document: Pdfium) -> None:
    try:
        document.init_forms()
    except pypdfium2.PdfiumError:
        return


def _page(document: Pdfium, number: int) -> tuple[str, bool]:
    page = document[number]
    before = _text(page)
    shows_images = any(
        pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(page, index))
        in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM)
        for index in range(min(pdfium.FPDFPage_CountObjects(page), MAX_ANNOTATIONS))
    )
    shown = list(_annotations(document, page))
    if not shown:
        return before, shows_images
    return _with_annotations(page, before, shown), shows_images


def _text(page: Pdfium) -> str:
    return _joined(page.get_textpage().get_text_bounded())


def _joined(text: str) -> str:
    """Words that a line's end broke are whole again. PDFium marks where it took a hyphen for one
    that only breaks; before a capital or a digit it belongs to the word (COVID-19)."""

    def mend(result: re.Match[str]) -> str:
        keeps = result[2].isupper() or result[2].isdigit() or result[1].isdigit()
        return result[1] + ("-" if keeps else "")

    text = _SOFT.sub(mend, text)
    text = _HARD.sub(r"\1", text)
    return re.sub("[\u0002\ufffe]", "-", text).replace("\r\n", "\n").strip()


def _annotations(document: Pdfium, page: Pdfium) -> Iterator[tuple[tuple[float, ...], str]]:
    """What the fields and free-text notes of a page show: its place and the words or the box."""
    form = document.formenv
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            flags = pdfium.FPDFAnnot_GetFlags(annotation)
            if flags & (pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW):
                continue
            words = None
            if kind == pdfium.FPDF_ANNOT_WIDGET:
                words = _field(form, annotation)
            elif kind == pdfium.FPDF_ANNOT_FREETEXT:
                words = _string(annotation, b"Contents")
            if words:
                box = pdfium.FS_RECTF()
                pdfium.FPDFAnnot_GetRect(annotation, box)
                yield (box.left, box.bottom, box.right, box.top), words
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _field(form: Pdfium, annotation: Pdfium) -> str | None:
    kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation) if form else -1
    name = _string(annotation, b"FT")
    if kind in (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON):
        return "[x]" if pdfium.FPDFAnnot_IsChecked(form, annotation) else "[ ]"
    if kind in (pdfium.FPDF_FORMFIELD_PUSHBUTTON, pdfium.FPDF_FORMFIELD_SIGNATURE):
        return None
    if kind >= 0:
        return _read(
            lambda buffer, size: pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size)
        )
    return _string(annotation, b"V") if name != "Btn" else None


def _string(annotation: Pdfium, key: bytes) -> str | None:
    return _read(
        lambda buffer, size: pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, size)
    )


def _read(call: Pdfium) -> str | None:
    size = call(None, 0)
    if not 2 < size < MAX_CHARACTERS:
        return None
    buffer = ctypes.create_string_buffer(size)
    call(ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    text = buffer.raw[: size - 2].decode("utf-16-le", "replace").replace("\r", "\n")
    return " ".join(text.split()) or None


def _with_annotations(page: Pdfium, text: str, shown: list[tuple[Any, str]]) -> str:
    """The page's text with what its fields show, each behind the last words of its line, or on a
    line of its own where no text stands beside it."""
    textpage = page.get_textpage()
    lines = _lines(textpage)
    for (left, bottom, _, top), words in shown:
        middle = (bottom + top) / 2
        beside = [line for line in lines if line["bottom"] - 2 <= middle <= line["top"] + 2]
        if beside:
            beside[0]["parts"].append((left, words))
        else:
            lines.append({"bottom": bottom, "top": top, "parts": [(left, words)]})
    lines.sort(key=lambda line: -line["top"])
    ordered = (" ".join(part for _, part in sorted(line["parts"])) for line in lines)
    return _joined("\n".join(ordered)) if lines else text


def _lines(textpage: Pdfium) -> list[dict[str, Any]]:
    """The page's lines by their height, each of runs with where they begin."""
    lines: list[dict[str, Any]] = []
    for index in range(textpage.count_rects()):
        left, bottom, right, top = textpage.get_rect(index)
        words = textpage.get_text_bounded(left, bottom, right, top).strip()
        if not words:
            continue
        middle = (bottom + top) / 2
        same = next((one for one in lines if one["bottom"] <= middle <= one["top"]), None)
        if same is None:
            lines.append({"bottom": bottom, "top": top, "parts": [(left, words)]})
        elif words not in [part for _, part in same["parts"]]:
            same["parts"].append((left, words))
    return lines


if __name__ == "__main__":
    sys.exit(main())
