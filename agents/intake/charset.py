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
    try:
        return once_decoded(data.decode()), "utf-8"
    except UnicodeError:
        pass
    others = [charset for charset in known if charset != "utf-8"]
    if (mended := _almost_utf8(data, sure=not others)) is not None:
        return once_decoded(mended), "utf-8"
    for charset in others:
        try:
            return data.decode(charset), charset
        except UnicodeError:
            continue
    return data.decode("cp1252", "replace"), "cp1252"


_ESCAPED = re.compile("[\udc80-\udcff]")
_CUT = re.compile("[\udcc2-\udcf4][\udc80-\udcbf]{0,2}\\Z")


def _almost_utf8(data: bytes, *, sure: bool) -> str | None:
    """UTF-8 with some bytes that are not: pasted from Windows, or cut off by a column's length.

    More characters must be UTF-8 than bytes are not (as many, where nothing says another charset):
    of text in any other charset hardly any are.
    """
    text = data.decode("utf-8", "surrogateescape")
    text = _CUT.sub("\ufffd", text)
    bad = len(_ESCAPED.findall(text))
    good = sum(character > "\x7f" for character in text) - bad
    if (bad == 0 and not text.isascii()) or (good >= bad if sure else good > bad):
        return _ESCAPED.sub(
            lambda one: bytes([ord(one[0]) & 0xFF]).decode("cp1252", "replace"), text
        )
    return None


# UTF-8 that was read as Windows-1252 and written as UTF-8 again: a micro sign with a capital A and
# circumflex in front of it.
_TWICE = re.compile(
    "[\u00c2-\u00d4][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]"
    "|\u00e2[\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]{2}"
)
_SURE = (range(0x80, 0x250), range(0x2000, 0x2300))
"""Latin letters, punctuation, signs: one of these alone is no coincidence."""


def once_decoded(text: str) -> str:
    """Without what was encoded twice, where it can be told."""
    if text.isascii() or not _TWICE.search(text):
        return text
    several = len(_TWICE.findall(text)) > 2

    def once(result: re.Match[str]) -> str:
        try:
            character = b"".join(map(_byte_of, result[0])).decode()
        except (UnicodeError, ValueError):
            return result[0]
        sure = several or any(ord(character) in part for part in _SURE)
        return character if sure else result[0]

    return _TWICE.sub(once, text)


def _byte_of(character: str) -> bytes:
    try:
        return character.encode("cp1252")
    except UnicodeError:
        return bytes([ord(character)])


def _said_inside(data: bytes) -> str | None:
    given = _SAYS_ITSELF.search(data[:_SAID_WITHIN])
    return (given[1] or given[2]).decode() if given else None


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


# Names that Python does not know. HL7 table 0211 and DICOM's defined terms (PS3.3 C.12.1.1.2); the
# WHATWG Encoding Standard's labels.
_LABELS_TEXT = """
cp1252: ansi x-cp1252 win1252 win-1252 windows1252 iso88591 8859-1 isoir100 isoir6
cp1250: x-cp1250 win-1250
cp1251: x-cp1251 win-1251
cp1253: x-cp1253
cp1254: x-cp1254 iso88599 8859-9 isoir148 iso-8859-9 latin5
cp1255: x-cp1255
cp1256: x-cp1256
cp1257: x-cp1257
cp1258: x-cp1258
iso8859-2: iso88592 8859-2 isoir101 csisolatin2
iso8859-3: iso88593 8859-3 isoir109
iso8859-4: iso88594 8859-4 isoir110
iso8859-5: iso88595 8859-5 isoir144 csisolatincyrillic
iso8859-6: iso88596 8859-6 isoir127 iso-8859-6-e iso-8859-6-i
iso8859-7: iso88597 8859-7 isoir126 suneugreek
iso8859-8: iso88598 8859-8 isoir138 iso-8859-8-e iso-8859-8-i logical visual
iso8859-10: iso885910
iso8859-13: iso885913
iso8859-14: iso885914
iso8859-15: iso885915 8859-15 isoir203 csisolatin9 l9
cp874: iso885911 8859-11 isoir166 dos-874 windows-874 tis-620 iso-8859-11
cp866: csibm866
koi8-r: koi koi8 cskoi8r
mac-roman: mac macintosh csmacintosh x-mac-roman
mac-cyrillic: x-mac-cyrillic x-mac-ukrainian
cp932: x-sjis windows-31j ms-kanji csshiftjis ms932 isoir13 isoir14 shift-jis sjis
iso2022-jp: isoir87 isoir159 csiso2022jp
euc-jp: x-euc-jp cseucpkdfmtjapanese
gb18030: gb18030-2000 gb180302000
gbk: x-gbk gb2312 gb-2312 gb-2312-80 csgb2312 chinese isoir58 csiso58gb231280
big5: big-5 cn-big5 x-x-big5 csbig5 cns11643-1992
cp949: ksx1001 ks-x-1001 windows-949 korean cseuckr csksc56011987 isoir149 ksc5601 euc-kr
utf-8: unicodeutf-8 unicode-utf-8 unicode-1-1-utf-8 x-unicode20utf8 isoir192 utf8mb4
utf-16: unicodeutf-16 unicode ucs-2 iso-10646-ucs-2 csunicode
utf-16-le: unicodefeff
utf-16-be: unicodefffe
utf-32: unicodeutf-32 ucs-4
"""
_LABELS = {
    label: name
    for line in _LABELS_TEXT.strip().splitlines()
    for name, _, labels in [line.partition(": ")]
    for label in labels.split()
}


def known_charset(declared: str | None) -> str | None:
    """The codec that a name of a charset means; None for what is none."""
    if not declared:
        return None
    plain = re.sub(r"[\s_/]+", "-", declared.strip("\"' ").lower())
    name = _LABELS.get(plain) or _LABELS.get(plain.replace("-", "")) or plain
    for spelled in (name, f"cp{name}", f"iso{name}"):
        try:
            codec = codecs.lookup(spelled)
        except (LookupError, ValueError):  # ValueError: a NUL in the name
            continue
        # `_is_text_encoding` is how bytes.decode itself tells charsets from codecs such as base64.
        if codec.name in _NOT_CHARSETS or not codec._is_text_encoding:
            return None
        return "cp1252" if codec.name in _REALLY_1252 else codec.name
    return None
