"""A text as it is read: of the same length, so that every offset holds, without what is no word of
it.

Tags of html, entities, citation marks and the signs of JSON are replaced by white space, by what
they stand for, or by `GONE`, which is taken out of the words of a unit again (`plain`): the
characters of "hyper-" and "tension" over two lines are one word.
"""

from __future__ import annotations

import html
import json
import re

GONE = "\u2060"
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\ufeff\u180e]")
_BREAK = re.compile(r"(?<=[a-z]{2})-\r?\n(?=[a-z]{2})")
_TAG = re.compile(r"</?(?:[A-Za-z][A-Za-z0-9]{0,14})(?:\s[^<>]{0,300})?/?>|<!--.{0,500}?-->")
_BLOCKS = (
    "p|div|br|hr|li|ul|ol|tr|table|thead|tbody|h[1-6]|section|article|header|footer|pre|dl|dt|dd"
    "|body|html"
)
_INLINE = (
    "td|th|head|b|i|u|em|strong|span|font|a|sub|small|center|code|style|title|meta|mark|blockquote"
)
_BLOCK = re.compile(rf"</?(?:{_BLOCKS})\b", re.IGNORECASE)
_KNOWN_TAG = re.compile(rf"</?(?:{_BLOCKS}|{_INLINE})\b|<!--", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,20}|#\d{1,6}|#[xX][0-9A-Fa-f]{1,5});")
_LABELS = (
    r"(?:see |cf\.? |per |from )?"
    r"(?:notes?|sources?|refs?\.?|references?|docs?|documents?|citations?|cit\.?)"
)
_RAISED = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
_CITATION = re.compile(
    r"(?:(?<=[.!?,;])|(?<=\w)|(?<=\s)|(?<=[)\]%]))"
    r"(?:\[\^?\d{1,3}(?:\s?[,;]\s?\d{1,3}){0,20}\]"
    r"|(?<![\d\s])\[\d{1,2}\s?[-\u2013]\s?\d{1,2}\]"
    rf"|\[{_LABELS}[ :#-]{{0,2}}[\w./-]{{1,60}}(?:\s?[,;]\s?[\w./-]{{1,60}}){{0,10}}\]"
    rf"|\({_LABELS}[ :#]{{1,2}}\d{{1,4}}(?:\s?[,;]\s?\d{{1,4}}){{0,10}}\)"
    r"|\u3010[^\u3010\u3011\n]{1,60}\u3011|<sup>\s?\[?\d[\d, -]{0,20}\]?\s?</sup>"
    r"|(?<=[A-Za-z][A-Za-z.,;)])(?<!\bm)(?<!/m)(?<!cm)(?<!mm)(?<!km)(?<!kg)"
    rf"[{_RAISED}]{{1,3}}(?![\w/]))",
    re.IGNORECASE,
)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_YAML = re.compile(r"(?m)^(\s*)(?:- )?([a-z][a-z_ ]{1,40}):(?=\s|$)")


def masked(text: str, *, citations: bool, note: bool = False) -> str:
    """`text` with what is no word of it replaced, character for character.

    `citations`: marks too. `note`: intake has taken out what is not seen, and facts keep every
    character of the note.
    """
    if (read := _of_json(text)) is not None:
        return read
    if citations:
        text = _CITATION.sub(lambda result: " " * len(result[0]), text)
    if "<" in text and _KNOWN_TAG.search(text):
        text = _TAG.sub(_tag, text)
    if "&" in text:
        text = _ENTITY.sub(_entity, text)
    text = _BREAK.sub(lambda match: GONE * len(match[0]), text)
    text = text if note or text.isascii() else _INVISIBLE.sub(GONE, text)
    return _of_yaml(text)


def marks_after(text: str, end: int) -> int:
    """Where the citation marks end that stand right behind `text[:end]`."""
    while result := _CITATION.match(text, end):
        end = result.end()
    return end


def seen(text: str) -> str:
    """Without citation marks, and characters that are not seen."""
    return _INVISIBLE.sub("", _CITATION.sub(" ", text))


def plain(words: str) -> str:
    """Without what `masked` put in place of characters that are none."""
    return words.replace(GONE, "") if GONE in words else words


def _tag(result: re.Match[str]) -> str:
    if not _KNOWN_TAG.match(result[0]):
        return result[0]
    if _BLOCK.match(result[0]):
        item = re.match(r"<li\b", result[0], re.IGNORECASE)
        return ("\n- " if item else "\n").ljust(len(result[0]))
    cell = re.match(r"</?t[dh]\b", result[0], re.IGNORECASE)
    before = result.string[max(0, result.start() - 1) : result.start()]
    after = result.string[result.end() : result.end() + 1]
    joined = all(each and not each.isspace() and each not in "<>" for each in (before, after))
    return (GONE if joined and not cell else " ") * len(result[0])


def _entity(result: re.Match[str]) -> str:
    plain_text = html.unescape(result[0])
    if plain_text == result[0] or len(plain_text) > len(result[0]):
        return result[0]
    return plain_text.replace("\u00a0", " ").ljust(len(result[0]), GONE)


def _of_json(text: str) -> str | None:
    """A text that is a JSON object or list: its values, each under its name, on lines of their
    own."""
    stripped = text.strip()
    fence = re.match(r"```(?:json)?\s*", stripped)
    inner = stripped[fence.end() :].removesuffix("```").strip() if fence else stripped
    if inner[:1] not in "{[" or inner[-1:] not in "}]" or not inner:
        return None
    try:
        json.loads(inner)
    except (ValueError, RecursionError):
        return None
    parts, at = [], 0
    for result in _STRING.finditer(text):
        parts.append(_structure(text[at : result.start()]))
        key = re.match(r"\s*:", text[result.end() : result.end() + 20])
        parts.append(_name(result[1]) if key else f" {_value(result[1])} ")
        at = result.end()
    parts.append(_structure(text[at:]))
    return "".join(parts)


def _structure(text: str) -> str:
    text = re.sub(r"```(?:json)?", lambda result: " " * len(result[0]), text)
    return re.sub(r"[{}\[\],]", "\n", re.sub(r"\bnull\b", "    ", text))


def _name(key: str) -> str:
    words = re.sub(r"[_-]", " ", key)
    return f"\n{words[:1].upper()}{words[1:]}" + GONE


def _value(text: str) -> str:
    def escape(result: re.Match[str]) -> str:
        mark = result[0]
        if mark[1] == "u":
            character = chr(int(mark[2:6], 16)) if len(mark) == 6 else " "
            return character.ljust(6, GONE)
        return {"n": "\n", "t": " ", "r": "\n"}.get(mark[1], mark[1]).ljust(2, GONE)

    return re.sub(r"\\(?:u[0-9a-fA-F]{4}|.)", escape, text, flags=re.DOTALL)


def _of_yaml(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    named = len(_YAML.findall(text))
    listed = sum(line.lstrip().startswith("- ") for line in lines)
    if named < 2 or named + listed < len(lines) * 0.7:
        return text

    def name(result: re.Match[str]) -> str:
        key = result[2].replace("_", " ")
        return result[0].replace(result[2], key[:1].upper() + key[1:])

    return _YAML.sub(name, text)
