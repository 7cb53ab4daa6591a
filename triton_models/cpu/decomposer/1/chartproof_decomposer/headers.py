"""Section headers, recognised by their line alone and what stands around it.

A header is not a span, so a wrong header loses a statement. Known titles are taken at their word;
an unknown one only where its form leaves little doubt (markdown, underlined, "Title:" alone on its
line, capitals standing apart). A label that carries meaning ("Father:", "Left knee:", "Denies:")
stays in the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from chartproof_decomposer.lexicon import CARRIES_MEANING, SENTENCE_WORDS
from chartproof_decomposer.lines import Line
from chartproof_decomposer.titles import SECTIONS, SPEAKING, SYSTEMS, by_synonym, normalise

_NAMES = by_synonym(SECTIONS)
_SPEAKING = by_synonym(SPEAKING)
_LOOK = 100
"""A title is sought in this many characters of a line."""
_HASHES = re.compile(r"#{1,6}(?:[ \t]+|(?=[A-Za-z]))")
_NUMBERED = re.compile(r"(?:\d{1,2}|[IVX]{1,4})[.)][ \t]+")
_TITLE = re.compile(
    r"[*_]{0,3}([A-Za-z][^:\n]{0,70}?)[ \t]?[*_]{0,3}[ \t]?:[*_]{0,3}(?=\s|$)[ \t]*"
)
_DASHED = re.compile(r"([A-Z][A-Za-z/& ]{1,40}?) [-\u2013] (?=\S)")
_BOLD = re.compile(r"(\*{2,3}|__)([^*_]{1,80})\1\Z")
_TRAILING = re.compile(r"\s*[(\[][^()\[\]]{0,40}[)\]]\s*\Z")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’/&-]*")
_UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,})\Z")


class Header(NamedTuple):
    """`section` is the name from here on. Content starts `width` characters into the line.

    `lead`: the title is part of what the lines below say, so it is content and no section.
    """

    section: str
    width: int
    lead: bool = False


def find_header(
    lines: Sequence[Line], at: int, inside: str | None, shouting: bool
) -> Header | None:
    """The header that line `at` is. `inside`: section so far; `shouting`: most lines are capitals."""
    body = lines[at].body
    number = _NUMBERED.match(body)
    if number and (known := _known(body[number.end() :], inside)):
        return Header(known, len(body))
    hashes = _HASHES.match(body)
    if hashes and len(body) <= _LOOK and not _looks_like_sentence(body[hashes.end() :]):
        return _named(body, hashes.end(), inside)
    bold = _BOLD.match(body[:_LOOK])
    if bold and len(body) <= _LOOK and not _looks_like_sentence(bold[2]):
        return _named(body, len(bold[1]), inside)
    if known := _whole_line(lines, at, inside):
        return Header(known, len(body))
    if found := _labelled(lines, at, inside):
        return found
    if _underlined(lines, at) or (not shouting and _in_capitals(lines, at)):
        return _named(body, 0, inside)
    return None


def _name(title: str) -> str | None:
    words = normalise(title)
    return _NAMES.get(words) or _SPEAKING.get(words)


def _known(title: str, inside: str | None) -> str | None:
    """The canonical name of `title`; a body system is a part of the exam or review it stands in."""
    title = title.strip().strip("*_#: \t")
    if len(title) > _LOOK:
        return None
    bare = _TRAILING.sub("", title)
    if name := _name(bare):
        return name
    if normalise(bare) in SYSTEMS:
        whole = (inside or "").partition(": ")[0]
        return f"{whole}: {bare}" if whole in ("Physical Exam", "Review of Systems") else bare
    return None


def _named(body: str, width: int, inside: str | None) -> Header | None:
    title = body[width:].strip("*_#: \t")
    if not title:
        return None
    known = _known(title, inside)
    if known is None and _carries_meaning(title):
        return Header(title, width, lead=True)
    return Header(known or title, len(body))


def _whole_line(lines: Sequence[Line], at: int, inside: str | None) -> str | None:
    """A known title alone on its line, unless the line is the tail of a wrapped sentence."""
    body = lines[at].body
    if len(body) > _LOOK or not body[:1].isupper() or body[-1] in ".,;?!":
        return None
    name = _known(body, inside)
    if name is None or (len(normalise(body)) < 3 and not body.endswith(":")):
        return None
    before = lines[at - 1] if at else None
    wrapped = before is not None and len(before.body) > 55 and before.body[-1] not in ".:;?!-=_*#|"
    return None if wrapped else name


def _labelled(lines: Sequence[Line], at: int, inside: str | None) -> Header | None:
    body = lines[at].body
    label = _TITLE.match(body[:_LOOK]) or _DASHED.match(body[:_LOOK])
    if label is None:
        return None
    title, rest = label[1], body[label.end() :].strip("*_ \t")
    words = normalise(_TRAILING.sub("", title))
    if not rest:
        if _looks_like_sentence(title):
            return None
        return _named(body, 0, inside)
    if title[:1].isupper() or title.isupper():
        if name := _NAMES.get(words):
            return Header(name, label.end())
        if name := _SPEAKING.get(words):
            return Header(name, 0)
    if label.re is _TITLE and _own_section(lines, at, title):
        return Header(title, 0)
    return None


def _own_section(lines: Sequence[Line], at: int, title: str) -> bool:
    """An unknown capitalised label that stands apart opens a section of its own words."""
    apart = at == 0 or lines[at - 1].blank
    letters = sum(character.isalpha() for character in title)
    return (
        apart
        and title.isupper()
        and letters >= 6
        and normalise(title) not in SYSTEMS
        and not _carries_meaning(title)
        and not _looks_like_sentence(title)
    )


def _underlined(lines: Sequence[Line], at: int) -> bool:
    if at + 1 >= len(lines) or not _UNDERLINE.match(lines[at + 1].body):
        return False
    body = lines[at].body
    above = lines[at - 1] if at else None
    apart = above is None or above.blank or above.ruler
    return apart and len(body) <= 70 and body[:1].isalpha() and not _looks_like_sentence(body)


def _in_capitals(lines: Sequence[Line], at: int) -> bool:
    """Unknown capitals are a title only when they stand apart and speak for lines below them."""
    body = lines[at].body
    letters = sum(character.isalpha() for character in body)
    if len(body) > 60 or letters < 4 or not body.isupper() or not body[0].isalpha():
        return False
    if any(c.isdigit() for c in body) or body[-1] in ".,;?!" or _looks_like_sentence(body):
        return False
    if at and not (lines[at - 1].blank or lines[at - 1].ruler):
        return False
    above = next((line for line in reversed(lines[max(0, at - 4) : at]) if not line.blank), None)
    if above is not None and above.body.isupper() and not above.ruler:
        return False
    below = next((line for line in lines[at + 1 : at + 4] if not line.blank), None)
    return below is not None and not below.body.isupper() and not below.ruler


def _carries_meaning(title: str) -> bool:
    return any(word.lower() in CARRIES_MEANING for word in _WORD.findall(title))


def _looks_like_sentence(title: str) -> bool:
    words = _WORD.findall(title)
    if not words or len(words) > 7 or title.rstrip("*_: ")[-1:] in ".?!;,":
        return True
    return any(word.lower() in SENTENCE_WORDS for word in words)
