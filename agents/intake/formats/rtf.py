"""RTF notes to text, guarded: hidden, deleted and struck-out runs go, lost braces are noticed.

striprtf knows the words of RTF (which groups are no text, which charset a font has) and its tables
are used here; its reader is not, since it leaks hidden text, loses everything behind a stray brace
without a word, and takes minutes over some inputs. This one is linear and says when it is lost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from striprtf.striprtf import charset_map, destinations, specialchars

from agents.intake.charset import known_charset
from agents.intake.formats.layout import EXPONENT
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
    font: str = ""
    skip: int = 0
    bytes: bytearray = field(default_factory=bytearray)
    out: list[str] = field(default_factory=list)

    def read(self) -> str:
        at = 0
        while at < len(self.source):
            token = _TOKEN.match(self.source, at)
            if token is None:  # a lone backslash at the end
                break
            at = token.end() + self._take(token)
        self._flush()
        if self.outer and self.group.silent:
            raise _lost("a group that holds no text never ends")
        # Two halves of a surrogate pair come as two \\u words.
        return "".join(self.out).encode("utf-16", "surrogatepass").decode("utf-16", "replace")

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
        elif text and (kept := self._counts(len(text))) and self.group.heard:
            self._plain(self._exponent(text[-kept:]))
        return 0

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
        else:  # one too many closes nothing: what follows is read on, as text
            self.group = self.outer.pop() if self.outer else _Group()

    def _symbol(self, symbol: str) -> None:
        self.skip = 0
        if symbol == "*":
            self.group = replace(self.group, silent=True)
        else:
            self._write(_TEXT.get(symbol, ""))

    def _word(self, word: str, number: str | None) -> int:
        on = number != "0"
        if word == "u" and number is not None:
            self._write(chr(int(number) & 0xFFFF))
            self.skip = self.group.after_unicode
            return 0
        self.skip = 0
        if word == "bin":
            return max(0, int(number or 0))
        if word in destinations:
            self.group = replace(self.group, silent=True, table=word in _TABLES)
        elif word in _PARAGRAPHS and self.group.table:
            raise _lost("a table of its header never ends")
        elif word == "uc":
            self.group = replace(self.group, after_unicode=max(0, int(number or 1)))
        elif word in _TAKEN_BACK:
            self._flush()
            taken_back: dict[str, Any] = {_TAKEN_BACK[word]: on}
            self.group = replace(self.group, **taken_back)
        elif word in ("super", "nosupersub", "sub"):
            self.group = replace(self.group, raised=word == "super" and on)
        elif word == "plain":
            self._flush()
            plain = replace(self.group, hidden=False, deleted=False)
            self.group = replace(plain, struck=False, raised=False)
        elif word in _CODE_PAGES:
            self.charset = _CODE_PAGES[word]
        elif word in ("ansicpg", "f", "fcharset"):
            self._charset(word, number or "0")
        elif word in _TEXT:
            self._write(_TEXT[word])
        return 0

    def _charset(self, word: str, number: str) -> None:
        self._flush()
        if word == "ansicpg":
            self.charset = known_charset(f"cp{number}") or self.charset
        elif word == "f" and self.group.table:
            self.font = number
        elif word == "f":
            self.group = replace(self.group, charset=self.fonts.get(number))
        elif self.group.table and number not in ("0", "1"):  # 0 is ANSI, 1 the default
            found = known_charset(charset_map.get(int(number)))
            self.fonts |= {self.font: found} if found else {}

    def _write(self, text: str) -> None:
        self._flush()
        if self.group.heard:
            self.out.append(text)

    def _flush(self) -> None:
        if self.bytes:
            self.out.append(self.bytes.decode(self.group.charset or self.charset, "replace"))
            self.bytes.clear()


def _lost(why: str) -> RecordRejected:
    """A brace is missing, so what follows would be lost without a word."""
    return RecordRejected(Reason.DAMAGED_ATTACHMENT, f"The RTF lacks a brace: {why}.")


def rtf_to_text(raw: bytes) -> str:
    """The visible text; table rows are lines. Raises `RecordRejected`.

    A document that is cut off keeps what came before the cut.
    """
    raw = raw.rstrip(b"\0 \r\n\t")
    try:
        raw_charset = None if raw.isascii() else "utf-8" if raw.decode() else None
    except UnicodeDecodeError:
        raw_charset = None
    text = _Reader(raw.decode("latin-1"), raw_charset).read()
    lines = (" ".join(line.split(" ")).rstrip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
