"""Plain text as it was meant: escapes of what it passed through undone, one notation for forms.

A text is put into JSON strings, XML, HTML and HL7 v2 on its way, and some senders escape it once
too often or leave the escapes in. `unescaped` undoes what can be read in one way only.
`plain_notation` is for every format: characters that are not seen go, and boxes of forms, which
come as a dozen glyphs and in brackets of all kinds, are written `[x]` and `[ ]`.
"""

from __future__ import annotations

import html
import re

from agents.intake.json import loads

_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,31}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_LITERAL_BREAK = re.compile(r"\\r\\n|\\n|\\r")
_PATH = re.compile(r"\b[A-Za-z]:\\|(?:^|\s)\\\\\w")
# HL7 v2.7 chapter 2.7: delimiters, highlighting, formatted text, hexadecimal data, character sets.
_HL7 = re.compile(
    r"\\(?:(?P<letter>(?<!:\\)[TSFRHNP]|E)|\.(?P<format>br|ce|fi|nf|(?:sp|in|ti|sk) ?[+-]?\d{0,3})"
    r"|X(?P<hex>(?:[0-9A-F]{2}){1,64})|[CMZ][0-9A-Za-z]{2,12})\\",
    re.IGNORECASE,
)
_SURELY_HL7 = re.compile(r"\\(?:\.br|X[0-9A-F]{2})\\", re.IGNORECASE)
_LETTERS = {"T": "&", "S": "^", "F": "|", "R": "~", "E": "\\", "P": "#", "H": "", "N": ""}

_INVISIBLE = dict.fromkeys(
    (
        *(0xAD, 0x180E, 0xFEFF, *range(0x200B, 0x2010)),
        *(*range(0x202A, 0x202F), *range(0x2060, 0x2070), *range(0xFE00, 0xFE10)),
    )
)
_SPACES = dict.fromkeys((0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " ")
_SEEN = str.maketrans(_INVISIBLE | _SPACES | {0x2028: "\n", 0x2029: "\n"})
_UNSEEN = re.compile(f"[{''.join(map(chr, _SEEN))}]")

_EMPTY_BOX = "\u2610\u2751\u2752\u25fb\u25a2\u2b1c\u25ef\u274f\u2750\u2b58"
_TICKED = (
    "\u2611\u2612\u2713\u2714\u2705\u22a0\u25a3\u25c9\u2b1b\u2bbd"
    "\u2bbf\U0001f5f9\U0001f5f7\U0001f5f8"
)
_CROSS = "\u2717\u2718\u274c\u2715\u2716\u2573"
_SQUARE, _FILLED = "\u25a1", "\u25a0"
_GLYPHS = re.compile(f"[{_EMPTY_BOX}{_TICKED}{_CROSS}{_SQUARE}{_FILLED}\u25cb\u25cf]")
_BRACKETS = re.compile(
    r"\[(?P<square>[ \t_]{0,4}|[ \t_]{0,2}[xX*\u2713\u2714+\u221a][ \t_]{0,2})\](?![(\[\w])"
    r"|(?<![\w)])\((?P<round>[ \t_]{0,4}|[ ]?[xX*\u2713\u2714\u221a][ ]?)\)(?=[ \t]*[A-Za-z])"
    r"|(?<!\w)_{1,6}(?P<line>[xX\u2713\u2714])_{1,6}(?=[ \t]*[A-Za-z])"
)


def unescaped(text: str) -> str:
    """Plain text without the escapes that it was left in: JSON's, HL7 v2's, HTML's."""
    text = unquoted(text)
    if "\\" in text:
        if not _PATH.search(text) or _SURELY_HL7.search(text):
            text = _HL7.sub(_meaning, text)
        if text.lstrip().startswith("{\\\\rtf"):  # each of its backslashes was doubled
            text = text.replace("\\\\", "\\")
        if text.lstrip().startswith("{\\rtf"):
            return text
        text = _with_breaks(text)
    if "&" in text:
        text = _ENTITY.sub(_entity, text)
        text = _ENTITY.sub(_entity, text) if "&" in text else text
    return text


def plain_notation(text: str) -> str:
    """Without what is not seen; boxes as `[x]` and `[ ]`."""
    if text.isascii():
        return _BRACKETS.sub(_box, text) if "[" in text or "(" in text or "_" in text else text
    if _UNSEEN.search(text):
        text = text.translate(_SEEN)
    if _GLYPHS.search(text):
        text = _without_glyphs(text)
    return _BRACKETS.sub(_box, text)


def unquoted(text: str) -> str:
    """What a text says that is a JSON string, as it is written in JSON."""
    stripped = text.strip()
    if len(stripped) < 2 or stripped[0] != '"' or stripped[-1] != '"':
        return text
    try:
        inner = loads(stripped.encode())
    except ValueError:
        return text
    return inner if isinstance(inner, str) else text


def _with_breaks(text: str) -> str:
    """Line breaks that were escaped where the text has none of its own."""
    result = _LITERAL_BREAK.findall(text)
    sure = len(result) > 1 or re.search(r"[.:;,!?)]\\[nr]", text)
    if not result or not sure or "\n" in text.strip() or _PATH.search(text):
        return text
    return _LITERAL_BREAK.sub("\n", text).replace("\\t", "\t")


def _meaning(escape: re.Match[str]) -> str:
    if letter := escape["letter"]:
        return _LETTERS[letter.upper()]
    if code := escape["hex"]:
        raw = bytes.fromhex(code)
        try:
            return raw.decode().replace("\r", "\n")
        except UnicodeDecodeError:
            return raw.decode("cp1252", "replace")
    form = (escape["format"] or "").lower()
    if form[:2] in ("br", "ce", "sp"):
        lines = int(re.sub(r"\D", "", form) or 1)
        return "\n" * min(lines, 4)
    return " " if form[:2] == "sk" else ""


def _entity(entity: re.Match[str]) -> str:
    plain = html.unescape(entity[0])
    return entity[0] if plain == entity[0] or plain == "\0" else plain


def _without_glyphs(text: str) -> str:
    """Squares and circles are also bullets: they are boxes where both kinds, empty and filled, or
    other boxes stand in the text."""
    present = set(_GLYPHS.findall(text))
    boxes = bool(present & set(_EMPTY_BOX + _TICKED)) or {_SQUARE, _FILLED} <= present
    marks = dict.fromkeys(_EMPTY_BOX, "[ ]") | dict.fromkeys(_TICKED, "[x]")
    empty = bool(present & set(_EMPTY_BOX + _SQUARE))
    ticked = bool(present & set(_TICKED))
    # A cross in a box is a mark; beside ticks it says no.
    marks |= dict.fromkeys(_CROSS, "[x]" if empty and not ticked else "[ ]")
    marks[_SQUARE] = "[ ]"
    if boxes:
        marks[_FILLED] = "[x]"
    if {"\u25cb", "\u25cf"} <= present and re.search("[\u25cb\u25cf] ?(?i:yes|no)\\b", text):
        marks |= {"\u25cb": "[ ]", "\u25cf": "[x]"}
    return _GLYPHS.sub(lambda glyph: marks.get(glyph[0], glyph[0]), text)


def _box(brackets: re.Match[str]) -> str:
    inner = brackets["square"] if brackets["square"] is not None else brackets["round"]
    if brackets["line"]:
        return "[x]"
    return "[x]" if (inner or "").strip(" \t_") else "[ ]"
