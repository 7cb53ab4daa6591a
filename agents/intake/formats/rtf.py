"""RTF notes to text, guarded: hidden, deleted and struck-out runs go, lost braces are noticed.

striprtf knows the words of RTF (which groups are no text, which charset a font has) and its tables
are used here; its reader is not, since it leaks hidden text, loses everything behind a stray brace
without a word, and takes minutes over some inputs. This one is linear and says when it is lost.

Read as well: text boxes, headers and footers of pages (once each), footnotes and comments (at the
end), numbers of lists, form fields, symbol fonts. Pictures are counted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from striprtf.striprtf import charset_map, destinations, specialchars

from agents.intake.charset import known_charset
from agents.intake.formats.layout import EXPONENT, Partial
from agents.intake.formats.rtf_fields import Fields
from agents.intake.formats.symbols import of_font, of_private_use, symbol_font
from agents.intake.reasons import Reason, RecordRejected

_TOKEN = re.compile(
    r"\\([a-z]{1,32})(-?\d{1,10})? ?"  # a control word
    r"|\\'([0-9a-f]{2})"  # a byte
    r"|\\([^a-z])"  # a control symbol
    r"|([{}])"
    r"|[\r\n]+"
    r"|([^\\{}\r\n]+)",
    re.IGNORECASE | re.DOTALL,
)
_TEXT: dict[str, str] = specialchars | {
    "cell": " ",
    "nestcell": " ",
    "nestrow": "\n",
    "~": " ",
    "_": "-",
    "-": "",  # where a word may be broken, not a character of it
    "\n": "\n",
    "\r": "\n",
}
_TAKEN_BACK = {"v": "hidden", "deleted": "deleted", "strike": "struck", "striked": "struck"}
_CODE_PAGES = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}

# Groups of the header that hold no paragraphs, and words that only a paragraph has.
_TABLES = frozenset(["fonttbl", "colortbl", "filetbl", "rsidtbl", "info", "generator"])
_PARAGRAPHS = frozenset(["par", "pard", "sectd"])

_MARGINS = frozenset(
    "header headerl headerr headerf footer footerl footerr footerf".split()  # noqa: SIM905
)
"""Groups whose text stands on every page: each different one is read once."""
_NOTES = frozenset(["footnote", "annotation"])
_BOXES = frozenset(["shptxt", "dptxbxtext"])
_SHAPES = frozenset(["shp", "shpinst", "shpgrp", "do", "object", "result", "shppict", "pntext"])
"""Groups that striprtf passes over, and with them what is inside; but the text is inside."""
_PROPERTIES = frozenset(["sp", "sn", "sv", "shprslt", "nonesttables", "nonshppict", "objdata"])
_HEARD = _MARGINS | _NOTES | _BOXES | _SHAPES
_SILENT = (frozenset(destinations) | _PROPERTIES) - _HEARD - {"upr", "ud"}
_EMPTY_CELL = "-"


@dataclass(frozen=True)
class _Group:
    """What a group inherits from the one around it."""

    silent: bool = False
    table: bool = False
    charset: str | None = None
    after_unicode: int = 1
    hidden: bool = False
    deleted: bool = False
    struck: bool = False
    raised: bool = False
    symbol: str | None = None
    """The symbol font of its text."""
    in_field: bool = False
    """Its text is a field's instruction."""
    fonts: bool = False
    # Of this group alone:
    begins: str = ""
    """The word that made it a header, a footnote, a text box or a field's instruction."""
    at: int = 0
    """Where its text begins."""
    upr: bool = False

    @property
    def heard(self) -> bool:
        return not (self.silent or self.hidden or self.deleted or self.struck)


@dataclass
class _Reader:
    source: str
    raw_charset: str | None
    """Of bytes outside ASCII that stand in the source as they are: UTF-8 where they are that."""
    group: _Group = field(default_factory=_Group)
    outer: list[_Group] = field(default_factory=list)
    charset: str = "cp1252"
    fonts: dict[str, str] = field(default_factory=dict)
    symbols: dict[str, str] = field(default_factory=dict)
    """Symbol fonts by their number."""
    font: str = ""
    font_name: str = ""
    skip: int = 0
    bytes: bytearray = field(default_factory=bytearray)
    out: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    margins: set[str] = field(default_factory=set)
    fields: Fields = field(default_factory=Fields)
    images: int = 0
    cell: tuple[int, int] = (0, 0)
    """Column, and where its text begins."""
    named: set[int] = field(default_factory=set)
    """Columns that have had text."""

    def read(self) -> str:
        at = 0
        while at < len(self.source):
            token = _TOKEN.match(self.source, at)
            if token is None:  # a lone backslash at the end
                break
            at = token.end() + self._take(token)
        self._flush()
        if self.outer and (self.group.silent or self.group.in_field):
            raise _lost("a group that holds no text never ends")
        parts = [*self.out, *(f"\n{note}" for note in self.notes)]
        # Two halves of a surrogate pair come as two \\u words.
        return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _take(self, token: re.Match[str]) -> int:
        """Apply one token; returns how many characters of raw data follow it."""
        word, number, byte, symbol, brace, text = token.groups()
        if word:
            return self._word(word.lower(), number)
        if byte:
            if self._counts(1) and self.group.heard:
                self.bytes += bytes.fromhex(byte)
        elif symbol:
            self._symbol(symbol)
        elif brace:
            self._brace(brace)
        elif text and (kept := self._counts(len(text))):
            self._run(text[-kept:])
        return 0

    def _run(self, text: str) -> None:
        if self.group.fonts:
            self._name_font(text)
        elif self.group.in_field or self.fields.item_open:
            self.fields.add(text)
        elif self.group.heard:
            self._plain(self._exponent(text))

    def _name_font(self, text: str) -> None:
        name, end, _ = text.partition(";")
        self.font_name += name
        if end:
            if font := symbol_font(self.font_name):
                self.symbols[self.font] = font
            self.font_name = ""

    def _exponent(self, text: str) -> str:
        """10 and a raised 3 are 10^3, not 103."""
        if not self.group.raised:
            return text
        self.group = replace(self.group, raised=False)
        self._flush()
        follows = bool(self.out) and not self.out[-1][-1:].isspace()
        return f"^{text}" if follows and EXPONENT.match(text) else text

    def _counts(self, length: int) -> int:
        """How many of `length` characters are no fallback of a \\u word before them."""
        skipped = min(self.skip, length)
        self.skip -= skipped
        return length - skipped

    def _plain(self, text: str) -> None:
        if text.isascii() or self.raw_charset is None:
            self.bytes += text.encode("latin-1", "replace")
        else:
            self._flush()
            self.out.append(text.encode("latin-1").decode(self.raw_charset, "replace"))

    def _brace(self, brace: str) -> None:
        self._flush()
        self.skip = 0
        if brace == "{":
            self.outer.append(self.group)
            inside = replace(self.group, begins="", upr=False)
            # {\upr{in a code page}{\*\ud{in Unicode}}}: the second is read.
            self.group = replace(inside, silent=True) if self.group.upr else inside
        else:  # one too many closes nothing: what follows is read on, as text
            ended = self.group
            self.group = self.outer.pop() if self.outer else _Group()
            self._ended(ended)

    def _ended(self, group: _Group) -> None:
        if group.begins == "fldinst":
            self._write(self.fields.shown())
        elif group.begins == "ffl":
            self.fields.end_item()
        elif group.begins:
            text = "".join(self.out[group.at :]).strip()
            del self.out[group.at :]
            if group.begins in _NOTES:
                self.notes += [text] if text else []
            elif text and not (group.begins in _MARGINS and text in self.margins):
                self.margins.add(text)
                self.out.append(f"\n{text}\n")

    def _symbol(self, symbol: str) -> None:
        self.skip = 0
        if symbol == "*":
            self.group = replace(self.group, silent=True)
        elif self.group.in_field:
            self.fields.add(symbol)
        else:
            self._write(_TEXT.get(symbol, ""))

    def _word(self, word: str, number: str | None) -> int:
        on = number != "0"
        if word == "u" and number is not None:
            character = chr(int(number) & 0xFFFF)
            symbol = self.group.symbol
            self._write(of_font(character, symbol) if symbol else character)
            self.skip = self.group.after_unicode
            return 0
        self.skip = 0
        if word == "bin":
            return max(0, int(number or 0))
        if word in ("pict", "nonshppict"):
            self.images += 1 if word == "pict" else -1
        if word in _HEARD or word in ("upr", "ud", "fldinst", "ffl", "fldrslt"):
            self._destination(word)
        elif word in _SILENT:
            fonts = word == "fonttbl"
            table = word in _TABLES
            self.group = replace(self.group, silent=True, table=table, fonts=fonts)
        elif word in _PARAGRAPHS and self.group.table:
            raise _lost("a table of its header never ends")
        elif word.startswith("ff"):
            self.fields.property(word, number)
        elif word in ("cell", "nestcell", "row", "nestrow"):
            self._table(word)
        else:
            self._format(word, number, on=on)
        return 0

    def _destination(self, word: str) -> None:
        """A group with text that is not in the place, or not of the kind, of the text around it."""
        around = self.outer[-1] if self.outer else _Group()
        silent = around.silent
        if word == "upr":
            self.group = replace(self.group, silent=silent, upr=True)
        elif word == "fldinst":
            self.fields.begin()
            self.group = replace(self.group, silent=True, in_field=True, begins="fldinst")
        elif word == "ffl":
            self.fields.begin_item()
            self.group = replace(self.group, silent=True, begins="ffl")
        elif word == "fldrslt":
            self.group = replace(self.group, silent=silent or self.fields.is_shown)
        else:
            begins = word if word in _MARGINS | _NOTES | _BOXES and not silent else ""
            self._flush()
            self.group = replace(self.group, silent=silent, begins=begins, at=len(self.out))

    def _table(self, word: str) -> None:
        self._flush()
        if not word.endswith("cell"):
            # In {\*\nesttableprops ... \nestrow} it ends a row all the same.
            if not (self.group.hidden or self.group.deleted) and self._in_text():
                self.out.append("\n")
            self.cell = (0, len(self.out))
            return
        if not self.group.heard:
            return
        column, start = self.cell
        empty = not "".join(self.out[start:]).strip()
        if not empty:
            self.named.add(column)
        elif column and column in self.named:
            self.out.append(_EMPTY_CELL)
        self.out.append(" ")
        self.cell = (column + 1, len(self.out))

    def _in_text(self) -> bool:
        """Whether the group, or the one around it, is read."""
        return self.group.heard or bool(self.outer and self.outer[-1].heard)

    def _format(self, word: str, number: str | None, *, on: bool) -> None:
        if word == "uc":
            self.group = replace(self.group, after_unicode=max(0, int(number or 1)))
        elif word in _TAKEN_BACK:
            self._flush()
            taken_back: dict[str, Any] = {_TAKEN_BACK[word]: on}
            self.group = replace(self.group, **taken_back)
        elif word in ("super", "nosupersub", "sub"):
            self.group = replace(self.group, raised=word == "super" and on)
        elif word == "plain":
            self._flush()
            plain = replace(self.group, hidden=False, deleted=False, symbol=None)
            self.group = replace(plain, struck=False, raised=False)
        elif word in _CODE_PAGES:
            self.charset = _CODE_PAGES[word]
        elif word in ("ansicpg", "f", "fcharset"):
            self._charset(word, number or "0")
        elif word in _TEXT:
            self._write(_TEXT[word])

    def _charset(self, word: str, number: str) -> None:
        self._flush()
        if word == "ansicpg":
            self.charset = known_charset(f"cp{number}") or self.charset
        elif word == "f" and self.group.table:
            self.font, self.font_name = number, ""
        elif word == "f":
            symbol = self.symbols.get(number)
            self.group = replace(self.group, charset=self.fonts.get(number), symbol=symbol)
        elif self.group.table and number not in ("0", "1"):  # 0 is ANSI, 1 the default
            named = known_charset(charset_map.get(int(number)))
            self.fonts |= {self.font: named} if named else {}

    def _write(self, text: str) -> None:
        self._flush()
        if self.group.heard and text:
            self.out.append(text)

    def _flush(self) -> None:
        if self.bytes:
            if self.group.symbol:
                self.out.append(of_font(self.bytes.decode("latin-1"), self.group.symbol))
            else:
                charset = self.group.charset or self.charset
                self.out.append(self.bytes.decode(charset, "replace"))
            self.bytes.clear()


def _lost(why: str) -> RecordRejected:
    """A brace is missing, so what follows would be lost without a word."""
    return RecordRejected(Reason.DAMAGED_ATTACHMENT, f"The RTF lacks a brace: {why}.")


def rtf_to_text(raw: bytes) -> str:
    """The visible text; table rows are lines. Raises `RecordRejected`."""
    return rtf_note(raw).text


def rtf_note(raw: bytes) -> Partial:
    """The visible text, and how many pictures are not in it. Raises `RecordRejected`.

    A document that is cut off keeps what came before the cut.
    """
    raw = raw.rstrip(b"\0 \r\n\t")
    try:
        raw_charset = None if raw.isascii() else "utf-8" if raw.decode() else None
    except UnicodeDecodeError:
        raw_charset = None
    reader = _Reader(raw.decode("latin-1"), raw_charset)
    text = of_private_use(reader.read())
    lines = (" ".join(line.split(" ")).rstrip() for line in text.splitlines())
    plain = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return Partial(plain, {"images": reader.images} if reader.images > 0 else {})
