"""Plain text from a stream of words and breaks: what HTML and C-CDA narratives have in common.

White space says only that there is some, as in HTML; of several breaks in a row the strongest is
written. Cells of a table row stand on one line with a space between ("Na 138", never "Na138").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from agents.intake.formats.symbols import of_font, of_private_use, symbol_font
from agents.intake.formats.tables import MAX_COLUMNS, MAX_SPAN, Table

_SPACE = re.compile(r"[\s\xa0]+")
EXPONENT = re.compile(r"[-+\u2212]?\d")

# HTML's names, then those of CDA narratives (CDA R2, 4.3.5) that HTML does not have.
_BLOCKS_NAMES = """
address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure
footer form header hr html main nav ol p pre section summary table tbody tfoot thead tr ul
list paragraph text textarea
"""
_BLOCKS = frozenset(_BLOCKS_NAMES.split())
_VERBATIM = frozenset({"pre", "textarea"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SKIPPED_NAMES = """
script style head title template noscript iframe object svg del s strike
renderMultiMedia
"""
_SKIPPED = frozenset(_SKIPPED_NAMES.split())
_INVISIBLE = re.compile(
    r"display\s*:\s*none|opacity\s*:\s*0(?:\.0*)?\s*(?:;|\Z)|font-size\s*:\s*0[a-z]{0,2}\s*(?:;|\Z)"
    r"|visibility\s*:\s*hidden|mso-hide\s*:\s*all|text-decoration[^;]{0,99}line-through",
    re.IGNORECASE,
)


_STRUCK = re.compile(r"strike|line-?through|deleted", re.IGNORECASE)
"""CDA's `styleCode` has no word for it; vendors write xStrikethrough, Strikethrough, LineThrough.
"""
_HIDING_NAMES = "hidden d-none hide visually-hidden sr-only screen-reader-only display-none"
_HIDING = frozenset(_HIDING_NAMES.split())
_PRE = re.compile(r"white-space\s*:\s*(?:pre(?:-wrap|-line)?|break-spaces)", re.IGNORECASE)
_NORMAL = re.compile(r"white-space\s*:\s*(?:normal|nowrap)", re.IGNORECASE)
_FAMILY = re.compile(r"font(?:-family)?\s*:([^;]{1,200})", re.IGNORECASE)
_EMPTY_CELL = "-"
"""An empty cell of a table, so that the next one's value does not stand in its column."""


class Node(NamedTuple):
    """One step through a document. `text` for words; `start` and `end` of the element `name`, which
    are balanced; `break` where something was left out that stood on lines of its own."""

    kind: Literal["start", "end", "text", "break"]
    name: str
    attributes: dict[str, str | None] = {}  # noqa: RUF012 - of a NamedTuple, never written to


class Partial(NamedTuple):
    """A text, and what of its document is not in it: kinds with counts."""

    text: str
    left: dict[str, int]


def gap_of(name: str) -> Iterator[Node]:
    """What a hidden element leaves: a break where it was a block, so that words do not join."""
    if name in _BLOCKS or name in ("li", "item", "td", "th"):
        yield Node("break", name)


def is_hidden(name: str, attributes: dict[str, str | None]) -> bool:
    """Whether an element and all in it is not for the reader, or was taken back."""
    return (
        name in _SKIPPED
        or "hidden" in attributes
        or attributes.get("revised") == "delete"  # CDA narrative
        or bool(_STRUCK.search(attributes.get("styleCode") or attributes.get("stylecode") or ""))
        or not _HIDING.isdisjoint((attributes.get("class") or "").lower().split())
        or (name == "option" and "selected" not in attributes)
        or bool(_INVISIBLE.search(attributes.get("style") or ""))
    )


def _entered(attributes: dict[str, str | None]) -> str:
    """What a form's field shows: an unchecked box beside a finding says that it was not found."""
    kind = (attributes.get("type") or "text").lower()
    if kind in ("checkbox", "radio"):
        return "[x]" if "checked" in attributes else "[ ]"
    hidden = ("hidden", "password", "submit", "button", "reset", "image", "file")
    return "" if kind in hidden else _SPACE.sub(" ", attributes.get("value") or "").strip()


_NO_PICTURE = re.compile(
    r"logo|icon|banner|spacer|signature|photo|image|picture|[.](?:png|gif|jpe?g|bmp|svg|tiff?)\\b",
    re.IGNORECASE,
)
_CHECKED = re.compile(
    r"(un|not )?(?:checked|ticked|selected)(?: ?(?:box|checkbox))?", re.IGNORECASE
)
_LONGEST_SIGN = 80


def _image(attributes: dict[str, str | None]) -> str:
    """What a picture stands for: a sign, a check box. What it is a picture of is no text."""
    alt = _SPACE.sub(" ", attributes.get("alt") or "").strip()
    if box := _CHECKED.fullmatch(alt):
        return "[ ]" if box[1] else "[x]"
    return "" if len(alt) > _LONGEST_SIGN or _NO_PICTURE.search(alt) else alt


def _number(text: str | None) -> int | None:
    return int(text) if text and text.strip().isdigit() and len(text.strip()) < 6 else None


class Layout:
    """Collects nodes; `result` is the text."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._gap = ""
        self._bullet = ""
        self._lists: list[int | None] = []
        self._styles: list[tuple[bool, str | None]] = [(False, None)]
        """Of the open elements: whether white space is kept, and the symbol font."""
        self._tables: list[Table] = []
        self._raised = False

    def add(self, nodes: Iterable[Node]) -> Layout:
        for node in nodes:
            if node.kind == "text":
                self._words(node.name)
            elif node.kind == "start":
                self._start(node.name, node.attributes)
            elif node.kind == "break":
                self._separate("\n")
            else:
                self._end(node.name)
        return self

    def line(self, text: str) -> Layout:
        """`text` on a line of its own, a blank line before it: a section's title."""
        self._separate("\n\n")
        self._words(text)
        self._separate("\n")
        return self

    def block(self, text: str) -> Layout:
        """`text` as it is, on lines of its own."""
        self._separate("\n")
        if text.strip():
            self._write(text.strip("\r\n"))
        self._separate("\n")
        return self

    @property
    def pieces(self) -> int:
        """How much was written; unchanged when nothing visible was added."""
        return len(self._parts)

    def result(self) -> str:
        return of_private_use("".join(self._parts)).strip()

    def _start(self, name: str, attributes: dict[str, str | None]) -> None:
        if name in ("ol", "ul", "list"):
            ordered = name == "ol" or attributes.get("listType") == "ordered"
            start = _number(attributes.get("start"))
            self._lists.append((1 if start is None else start) - 1 if ordered else None)
        if name in ("li", "item"):
            self._separate("\n")
            if self._lists and self._lists[-1] is not None:
                number = _number(attributes.get("value"))
                self._lists[-1] = self._lists[-1] if number is None else number - 1
            self._bullet = self._next_bullet()
        elif name == "sup":
            self._raised = True
        self._styled(name, attributes)
        self._boundary(name, opens=True)
        self._table_start(name, attributes)
        if name == "input":
            self._shown(_entered(attributes))
        elif name == "img" and (shown := _image(attributes)):
            self._shown(shown)

    def _shown(self, text: str) -> None:
        if text:
            self._separate(" ")
            self._write(text)
            self._separate(" ")

    def _styled(self, name: str, attributes: dict[str, str | None]) -> None:
        verbatim, font = self._styles[-1]
        style = attributes.get("style") or ""
        if name in _VERBATIM or _PRE.search(style):
            verbatim = True
        elif _NORMAL.search(style):
            verbatim = False
        family = _FAMILY.search(style)
        if named := (family[1] if family else None) or attributes.get("face"):
            font = symbol_font(named.replace("'", "").replace('"', ""))
        self._styles.append((verbatim, font))

    def _end(self, name: str) -> None:
        if name in ("ol", "ul", "list") and self._lists:
            self._lists.pop()
        elif name in ("li", "item"):
            self._bullet = ""
            self._separate("\n")
        elif name == "sup":
            self._raised = False
        self._table_end(name)
        self._boundary(name, opens=False)
        if len(self._styles) > 1:
            self._styles.pop()

    def _table_start(self, name: str, attributes: dict[str, str | None]) -> None:
        if name == "table":
            self._tables.append(Table())
        elif name == "tr" and self._tables:
            self._tables[-1].next_row()
        elif name in ("td", "th") and self._tables:
            table = self._tables[-1]
            self._spanned(table.reaching_here())
            wide = min(_number(attributes.get("colspan")) or 1, MAX_COLUMNS)
            deep = min(_number(attributes.get("rowspan")) or 1, MAX_SPAN)
            table.cell = (wide, deep, len(self._parts))

    def _table_end(self, name: str) -> None:
        if not self._tables:
            return
        table = self._tables[-1]
        if name == "table":
            self._tables.pop()
        elif name == "tr":
            self._spanned(table.reaching_here(to_end=True))
        elif name in ("td", "th") and table.cell:
            start = table.cell[2]
            words = "".join(self._parts[start:]).strip()
            if table.close(words):
                self._shown(_EMPTY_CELL)

    def _spanned(self, cells: list[str]) -> None:
        for words in cells:
            self._shown(words)

    def _boundary(self, name: str, *, opens: bool) -> None:
        if name == "br":
            self._separate("\n")
        elif name in _HEADINGS:
            self._separate("\n\n" if opens else "\n")
        elif name in _BLOCKS:
            self._separate("\n")
        elif name in ("td", "th", "img"):
            self._separate(" ")

    def _next_bullet(self) -> str:
        if self._lists and self._lists[-1] is not None:
            self._lists[-1] += 1
            return f"{self._lists[-1]}. "
        return "- "

    def _separate(self, gap: str) -> None:
        self._gap = max(self._gap, gap, key=lambda g: ("\n" in g, len(g)))

    def _words(self, text: str) -> None:
        verbatim, font = self._styles[-1]
        if font:
            text = of_font(text, font)
        if verbatim:
            self._write(text.replace("\r\n", "\n"))
            return
        words = _SPACE.sub(" ", text)
        if words.startswith(" "):
            self._separate(" ")
        if stripped := words.strip(" "):
            # 10<sup>3</sup> is not 103.
            raised = self._raised and self._parts and EXPONENT.match(stripped)
            self._write(f"^{stripped}" if raised else stripped)
            if words.endswith(" "):
                self._separate(" ")

    def _write(self, text: str) -> None:
        self._parts += [self._gap if self._parts else "", self._bullet, text]
        self._gap = self._bullet = ""
