"""Plain text from a stream of words and breaks: what HTML and C-CDA narratives have in common.

White space says only that there is some, as in HTML; of several breaks in a row the strongest is
written. Cells of a table row stand on one line with a space between ("Na 138", never "Na138").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

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
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|text-decoration[^;]{0,99}line-through",
    re.IGNORECASE,
)


class Node(NamedTuple):
    """One step through a document. `text` for words; `start` and `end` of the element `name`."""

    kind: Literal["start", "end", "text"]
    name: str
    attributes: dict[str, str | None] = {}  # noqa: RUF012 - of a NamedTuple, never written to


def gap_of(name: str) -> Iterator[Node]:
    """What a hidden element leaves: a break where it was a block, so that words do not join."""
    if name in _BLOCKS or name in ("li", "item", "td", "th"):
        yield Node("end", "p")


def is_hidden(name: str, attributes: dict[str, str | None]) -> bool:
    """Whether an element and all in it is not for the reader, or was taken back."""
    return (
        name in _SKIPPED
        or "hidden" in attributes
        or attributes.get("revised") == "delete"  # CDA narrative
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


class Layout:
    """Collects nodes; `result` is the text."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._gap = ""
        self._bullet = ""
        self._lists: list[int | None] = []
        self._verbatim = 0
        self._raised = False

    def add(self, nodes: Iterable[Node]) -> Layout:
        for node in nodes:
            if node.kind == "text":
                self._words(node.name)
            elif node.kind == "start":
                self._start(node.name, node.attributes)
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
        return "".join(self._parts).strip()

    def _start(self, name: str, attributes: dict[str, str | None]) -> None:
        if name in ("ol", "ul", "list"):
            ordered = name == "ol" or attributes.get("listType") == "ordered"
            self._lists.append(0 if ordered else None)
        if name in ("li", "item"):
            self._separate("\n")
            self._bullet = self._next_bullet()
        elif name in _VERBATIM:
            self._verbatim += 1
        elif name == "sup":
            self._raised = True
        self._boundary(name, opens=True)
        if name == "input" and (shown := _entered(attributes)):
            self._separate(" ")
            self._write(shown)
            self._separate(" ")

    def _end(self, name: str) -> None:
        if name in ("ol", "ul", "list") and self._lists:
            self._lists.pop()
        elif name in ("li", "item"):
            self._bullet = ""
            self._separate("\n")
        elif name in _VERBATIM:
            self._verbatim = max(0, self._verbatim - 1)
        elif name == "sup":
            self._raised = False
        self._boundary(name, opens=False)

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
        if self._verbatim:
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
