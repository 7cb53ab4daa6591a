"""Fields of an RTF document whose instruction says what is shown: symbols and form fields.

RTF 1.9.1: "Fields", "Form Fields". A field's result is what was shown when it was saved; of SYMBOL
and of check boxes and drop-down lists it is empty, and the instruction alone says what stands
there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from agents.intake.formats.symbols import of_font, symbol_font

_SYMBOL = re.compile(r"\s*SYMBOL\s+(\d{1,6}|0[xX][0-9a-fA-F]{1,4})(.*)", re.IGNORECASE | re.DOTALL)
_FONT = re.compile(r"\\f\s*\"?([^\"\\]{1,60})", re.IGNORECASE)
_UNICODE = re.compile(r"\\u\b", re.IGNORECASE)
_UNDEFINED = 25
"""`\\ffres25`: the field has its default value."""


@dataclass
class Fields:
    """The field that is being read: its instruction, and what `{\\*\\formfield` says of it."""

    instruction: str = ""
    result: int | None = None
    default: int = 0
    items: list[str] = field(default_factory=list)
    item_open: bool = False
    is_shown: bool = False
    """Whether the instruction was shown, so that its result is not."""

    def begin(self) -> None:
        self.instruction, self.result, self.default = "", None, 0
        self.items, self.is_shown = [], False

    def add(self, text: str) -> None:
        if self.item_open:
            self.items[-1] += text
        else:
            self.instruction += text

    def begin_item(self) -> None:
        self.items.append("")
        self.item_open = True

    def end_item(self) -> None:
        self.item_open = False

    def property(self, word: str, number: str | None) -> None:
        if word == "ffres":
            self.result = int(number or 0)
        elif word == "ffdefres":
            self.default = int(number or 0)

    def shown(self) -> str:
        """What the field shows where its instruction says it, else nothing."""
        text = self._shown()
        self.is_shown = bool(text)
        return text

    def _shown(self) -> str:
        if symbol := _SYMBOL.match(self.instruction):
            return _of_symbol(symbol[1], symbol[2])
        kind = self.instruction.strip().upper()
        value = self.default if self.result in (None, _UNDEFINED) else self.result
        if kind.startswith("FORMCHECKBOX"):
            return "[x]" if value else "[ ]"
        if kind.startswith("FORMDROPDOWN") and value is not None and value < len(self.items):
            return self.items[value].strip()
        return ""


def _of_symbol(number: str, switches: str) -> str:
    code = int(number, 16) if number[:2].lower() == "0x" else int(number)
    named = _FONT.search(switches)
    font = symbol_font(named[1].strip()) if named else None
    if font:
        return of_font(chr(code & 0xFFFF), font)
    if _UNICODE.search(switches) or code > 0xFF:
        return chr(code & 0xFFFF)
    return bytes([code]).decode("cp1252", "replace")
