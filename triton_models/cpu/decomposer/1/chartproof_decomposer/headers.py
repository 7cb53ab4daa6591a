"""Section headers, recognised by their line alone and what stands around it.

A header is not a span, so a wrong header loses a statement. Known titles are taken at their word;
an unknown one only where its form leaves little doubt (markdown, underlined, "Title:" alone on its
line, capitals standing apart). A label that carries meaning ("Father:", "Left knee:", "Denies:")
stays in the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
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
_WORD = re.compile(r"[A-Za-z][A-Za-z'\u2019/&-]*")
_DOCUMENT = re.compile(
    r"\b(?:summary|notes?|report|consult(?:ation)?|letter|record|hand-?o(?:ff|ver)|reconciliation)\b"
    r"|history and physical|\bh&p\b",
    re.IGNORECASE,
)
_MODALITY = re.compile(
    r"(?:CTA?|MR[IA]?|XR|X-?rays?|CXR|US|PET(?:/CT)?|NM|DEXA|ultrasound|radiographs?|mammogra\w+"
    r"|fluoroscop\w+)\b",
    re.IGNORECASE,
)
_UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,})\Z")


class Header(NamedTuple):
    """`section` is the name from here on. Content starts `width` characters into the line.

    `lead`: the title is part of what the lines below say, so it is content and no section.
    `problem`: an unknown title behind one "#", which in a plan is how problems are written.
    """

    section: str
    width: int
    lead: bool = False
    problem: bool = False


class Place(NamedTuple):
    """Line `at`, the section it stands in, and whether most lines of the text are capitals."""

    lines: Sequence[Line]
    at: int
    inside: str | None
    shouting: bool

    @property
    def body(self) -> str:
        return self.lines[self.at].body

    @property
    def above(self) -> Line | None:
        return self.lines[self.at - 1] if self.at else None

    @property
    def apart(self) -> bool:
        return self.above is None or self.above.blank or self.above.ruler


def find_header(place: Place) -> Header | None:
    """The header that this line is, if it is one."""
    for recognise in (_document, _numbered, _hashed, _bold, _whole_line, _labelled, _apart):
        if result := recognise(place):
            return result
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


def _titled(place: Place, width: int) -> Header | None:
    """A line that is a title by its form, behind `width` characters of markup."""
    title = place.body[width:].strip("*_#: \t")
    if not title or len(title) > _LOOK or _looks_like_sentence(title):
        return None
    known = _known(title, place.inside)
    if known is None and _carries_meaning(title):
        return Header(title, width, lead=True)
    return Header(known or title, len(place.body))


def _document(place: Place) -> Header | None:
    """The title of the whole: "Discharge Summary" on the first line."""
    body = place.body
    first = len(body) <= 70 and all(
        line.blank for line in place.lines[max(0, place.at - 3) : place.at]
    )
    if not first or place.at > 3 or not body[:1].isupper() or ": " in body:
        return None
    named = _DOCUMENT.search(body) and not _looks_like_sentence(body)
    return Header(" ".join(body.strip("*_#: ").split()), len(body)) if named else None


def _numbered(place: Place) -> Header | None:
    number = _NUMBERED.match(place.body)
    known = _known(place.body[number.end() :], place.inside) if number else None
    return Header(known, len(place.body)) if known else None


def _hashed(place: Place) -> Header | None:
    hashes = _HASHES.match(place.body)
    if hashes is None:
        return None
    width = hashes.end()
    result = _titled(place, width)
    rest = place.body[width:]
    label = _TITLE.match(rest[:_LOOK])
    if label and rest[label.end() :].strip("*_ \t"):
        # "# Code: full": what the label says must not go with the title.
        words = normalise(_TRAILING.sub("", label[1]))
        if words in _NAMES:
            return Header(_NAMES[words], width + label.end())
        if words in _SPEAKING:
            return Header(_SPEAKING[words], width)
        return result and result._replace(width=width, lead=True)
    if result is None:
        return None
    unknown = _known(result.section, place.inside) is None and not _DOCUMENT.search(result.section)
    return result._replace(problem=unknown and hashes[0].count("#") == 1)


def _bold(place: Place) -> Header | None:
    bold = _BOLD.match(place.body) if len(place.body) <= _LOOK else None
    return _titled(place, len(bold[1])) if bold else None


def _whole_line(place: Place) -> Header | None:
    """A known title alone on its line, unless the line is the tail of a wrapped sentence."""
    body, above = place.body, place.above
    if len(body) > _LOOK or not body[:1].isupper() or body[-1] in ".,;?!":
        return None
    name = _known(body, place.inside)
    if name is None or (len(normalise(body)) < 3 and not body.endswith(":")):
        return None
    wrapped = above is not None and len(above.body) > 55 and above.body[-1] not in ".:;?!-=_*#|"
    return None if wrapped else Header(name, len(body))


def _labelled(place: Place) -> Header | None:
    body = place.body
    label = _TITLE.match(body[:_LOOK]) or _DASHED.match(body[:_LOOK])
    if label is None:
        return None
    if not body[label.end() :].strip("*_ \t"):
        return _titled(place, 0)
    title = label[1]
    words = normalise(_TRAILING.sub("", title))
    if title[:1].isupper() and words in _NAMES:
        name = _NAMES[words]
        # Of a radiology report, the examination is what was done.
        done = name == "Physical Exam" and _MODALITY.match(body, label.end())
        return Header("Imaging" if done else name, label.end())
    if title[:1].isupper() and words in _SPEAKING:
        return Header(_SPEAKING[words], 0)
    own = label.re is _TITLE and _own_section(place, title)
    return Header(title, 0) if own else None


def _own_section(place: Place, title: str) -> bool:
    """An unknown capitalised label that stands apart opens a section of its own words."""
    return (
        place.apart
        and title.isupper()
        and sum(character.isalpha() for character in title) >= 6
        and normalise(title) not in SYSTEMS
        and not _carries_meaning(title)
        and not _looks_like_sentence(title)
    )


def _apart(place: Place) -> Header | None:
    """An unknown title that is underlined, or in capitals in a text that is not."""
    if not place.apart or not place.body[:1].isalpha() or len(place.body) > 60:
        return None
    if not _underlined(place) and (place.shouting or not _in_capitals(place)):
        return None
    return _titled(place, 0)


def _underlined(place: Place) -> bool:
    below = place.lines[place.at + 1 : place.at + 2]
    return bool(below) and _UNDERLINE.match(below[0].body) is not None


def _in_capitals(place: Place) -> bool:
    """Capitals are a title only when they speak for other lines below and for none above."""
    body = place.body
    if not body.isupper() or len(body) < 4 or any(c.isdigit() for c in body) or body[-1] in ".,;?!":
        return False
    near = place.lines[max(0, place.at - 4) : place.at]
    above = next((line for line in reversed(near) if not line.blank), None)
    if above is not None and above.body.isupper():
        return False
    near = place.lines[place.at + 1 : place.at + 4]
    below = next((line for line in near if not line.blank), None)
    return below is not None and not below.body.isupper() and not below.ruler


def _carries_meaning(title: str) -> bool:
    return any(word.lower() in CARRIES_MEANING for word in _WORD.findall(title))


def _looks_like_sentence(title: str) -> bool:
    words = _WORD.findall(title)
    if not words or len(words) > 7 or title.rstrip("*_: ")[-1:] in ".?!;,":
        return True
    return any(word.lower() in SENTENCE_WORDS for word in words)


_CAPITALS = re.compile(r"[^\s\w][A-Z]{2,}\Z")
"""The first word of a title whose sentence before it has no space behind its stop."""
_INLINE = re.compile(r"(?<=\S)[ \t]+(?=((?:[A-Z][A-Z&/]*(?: (?=[A-Z]))?){1,6}):(?:\s|\Z))")


def split_sections(lines: Sequence[Line]) -> list[Line]:
    """Lines cut before each known title in capitals with a colon inside of them."""
    result: list[Line] = []
    for line in lines:
        cuts = _cuts(line.body) if ":" in line.body[1:] else []
        edges = [0, *cuts, len(line.body)]
        for begin, end in pairwise(edges):
            body = line.body[begin:end].rstrip()
            start = line.start + begin
            result.append(Line(start, start + len(body), line.indent, body))
    return result


def _cuts(body: str) -> list[int]:
    result: list[int] = []
    beyond = 0
    for hit in _INLINE.finditer(body):
        title_end = hit.end(1)
        # Words in front of it that belong to one title ("DISCHARGE MEDICATIONS:") open the line.
        before = body[: hit.start()]
        if title_end <= beyond or before.replace(" ", "").isupper() or _CAPITALS.search(before):
            beyond = max(beyond, title_end)
            continue
        at = hit.end() if _name(hit[1]) else _suffix(hit)
        if at is not None and len(normalise(body[at:title_end])) > 1:
            result.append(at)
            beyond = title_end
    return result


def _suffix(hit: re.Match[str]) -> int | None:
    words = hit[1].split(" ")
    for skipped in range(1, len(words)):
        if _name(" ".join(words[skipped:])):
            return hit.end() + len(" ".join(words[:skipped])) + 1
    return None
