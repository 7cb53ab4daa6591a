"""Bytes of a note as text: byte order mark, NUL pattern, strict UTF-8, the declared charset, 1252.

In that order because declared charsets lie: bytes that are valid UTF-8 are UTF-8 (ASCII included),
and a name that Python does not know must not stop a note. Decoding never raises.

A charset is declared beside the bytes, or in them: XML and HTML say it in their first line.
"""

from __future__ import annotations

import codecs
import re

_MARKS = (
    # UTF-32 before UTF-16: FF FE is how both begin in little-endian order.
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Codecs of Python's that are no charsets of documents: escapes, host names, quadratic in length.
_NOT_CHARSETS = {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7"}
# What says Latin-1 or ASCII and is not valid UTF-8 was written on Windows (as WHATWG reads it).
_REALLY_1252 = {"iso8859-1", "ascii"}

# The controls that are no white space. 0B is Word's line break; the rest mean nothing in a note,
# and each would take six bytes in the event's JSON.
_CONTROLS = bytes(code for code in (*range(0x20), 0x7F) if chr(code) not in "\t\n\f\r")
_REPLACED = dict.fromkeys(_CONTROLS, " ") | {0x0B: "\n"}


_SAYS_ITSELF = re.compile(
    rb"<\?xml[^>]{0,200}?\bencoding\s*=\s*[\"']([\w.:-]{1,40})"
    rb"|<meta\b[^>]{0,200}?\bcharset\s*=\s*[\"']?([\w.:-]{1,40})",
    re.IGNORECASE,
)
_SAID_WITHIN = 2000


def decode_text(data: bytes, declared: str | None = None) -> tuple[str, str]:
    """The text and the charset it was read with. What cannot be read becomes U+FFFD."""
    for mark, charset in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(charset, "replace"), charset
    known = list(filter(None, map(known_charset, (declared, _said_inside(data)))))
    wide = wide_charset(data) or _declared_wide(data, known)
    if wide:
        return data.decode(wide, "replace"), wide
    for charset in ("utf-8", *known):
        try:
            return data.decode(charset), charset
        except UnicodeError:
            continue
    return data.decode("cp1252", "replace"), "cp1252"


def _said_inside(data: bytes) -> str | None:
    said = _SAYS_ITSELF.search(data[:_SAID_WITHIN])
    return (said[1] or said[2]).decode() if said else None


def _declared_wide(data: bytes, known: list[str]) -> str | None:
    """UTF-16 or -32 of another script than Latin, which only its declaration tells from binary.

    Taken out of `known` in any case: what says UTF-16 and has no NUL is text of single bytes.
    """
    wide = [name for name in known if name.startswith(("utf-16", "utf-32"))]
    known[:] = [name for name in known if name not in wide]
    if not wide or 0 not in data:
        return None
    if wide[0] != "utf-16":
        return wide[0]
    return max("utf-16-le", "utf-16-be", key=lambda name: data.decode(name, "replace").count(" "))


def wide_charset(data: bytes) -> str | None:
    """UTF-16 by its mark, or by the NUL beside each Latin letter; None when it is not wide."""
    for mark, name in _MARKS[1:]:
        if data.startswith(mark):
            return name
    sample = data[:2000]
    pairs = len(sample) // 2
    if not pairs or 0 not in sample:
        return None
    high, low = sample[0 : 2 * pairs : 2].count(0), sample[1 : 2 * pairs : 2].count(0)
    if low * 10 >= pairs * 4 and high * 20 <= pairs:
        return "utf-16-le"
    if high * 10 >= pairs * 4 and low * 20 <= pairs:
        return "utf-16-be"
    return None


def control_share(text: str) -> float:
    """Share of characters that no note holds, 0 to 1: high in binary data read as text."""
    sample = text[:20_000]
    return _controls(sample) / max(len(sample), 1)


def without_controls(text: str) -> str:
    """Each control character replaced by one character, so that offsets hold."""
    return text.translate(_REPLACED) if _controls(text) else text


def _controls(text: str) -> int:
    """How many there are; on bytes, which is ten times as fast as a pattern."""
    data = text.encode("utf-8", "replace")
    return len(data) - len(data.translate(None, _CONTROLS))


def known_charset(declared: str | None) -> str | None:
    if not declared:
        return None
    try:
        codec = codecs.lookup(declared.strip("\"' "))
    except (LookupError, ValueError):  # ValueError: a NUL in the name
        return None
    # `_is_text_encoding` is how bytes.decode itself tells charsets from codecs such as base64.
    if codec.name in _NOT_CHARSETS or not codec._is_text_encoding:
        return None
    return "cp1252" if codec.name in _REALLY_1252 else codec.name
