"""Problems and diagnoses: by name, or by words that sound like an illness where one is expected."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agents.omissions.salience.atom import NEGATED, Atom, content, is_affirmed, item_of, items
from agents.omissions.salience.names import Kind, concepts, mentions
from schemas.completeness import Salience

_SECTION = re.compile(
    r"diagnos|problem|assessment|impression|past medical|medical history", re.IGNORECASE
)
_LISTED = re.compile(r"problem list|diagnos|past medical|medical history", re.IGNORECASE)
"""Sections in which every item is a problem."""
_HISTORY_OF = re.compile(
    r"\b(?:histor(?:y|ies) (?:is |are )?(?:significant |notable |remarkable |positive )?(?:of|for)"
    r"|h/o|hx(?: of)?|pmhx?(?: of| sig(?:nificant)? for)?|known|y/?o?[MF]?,? (?:w/|with)"
    r"|\d[MF],? (?:w/|with)|\d+[MF]\b,?)",
    re.IGNORECASE,
)
_PRESENTING = re.compile(
    r"\b(?:present(?:s|ed|ing) with|diagnosed with|diagnosis (?:is|of)|consistent with)\b",
    re.IGNORECASE,
)
_BELIEVED = re.compile(
    r"\b(?:(?:believe|think|suspect)\w*(?: that)?(?: \w+){0,2}? (?:has|have|is)|appears? to have"
    r"|most likely|suspect\w*|has)(?: (?:a|an|the))?\b",
    re.IGNORECASE,
)
"""In an assessment a problem comes after them."""
_ILL = re.compile(
    r"\(disorder\)"
    r"|\b(?:disease|disorder|syndrome|cancer|carcinoma|tumou?r|failure|infarction|infection"
    r"|fracture|injury|laceration|sprain|strain|tear|dislocation|contusion|concussion|ulcer"
    r"|wound|abscess|pregnancy|miscarriage|asthma|eczema|acne|deconditioning|abuse|dependence"
    r"|overdose|\w+(?:itis|osis|emia|opathy|oma|algia|uria|thorax|megaly|plegia))\b",
    re.IGNORECASE,
)
_COMPLAINT = re.compile(r"\b(?:pain|tendin\w+|swelling|weakness|dyspnea|cough)\b", re.IGNORECASE)
_PASSING = re.compile(
    r"\b(?:acute|viral|suspected|resolved|remote|laceration|fracture|sprain|strain|contusion"
    r"|concussion|miscarriage|pregnancy|sore throat|otitis|infection|covid\W?19|influenza|pneumonia"
    r"|uti|injury)\b",
    re.IGNORECASE,
)
"""What a patient has had a history of and is over."""
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|should|can|do|does|did|takes?|cont(?:inue\w*)?"
    r"|start\w*|stop\w*|hold|held|recommend\w*|discuss\w*|order\w*|refer\w*|reports?|states?|she|he"
    r"|i|we|patient|pt|lives?)\b",
    re.IGNORECASE,
)
"""A noun phrase has none of them."""
_TAG = re.compile(r"\((?:finding|situation)\)")
_HEAD_ENDS = re.compile(r"\s+[-\u2013\u2014]+>?\s+|[.:;]\s+|[.:;]$")
_HEAD, _PHRASE, _ITEM = 10, 8, 6
"""Words at most."""


def problems(text: str, section: str) -> Iterator[Atom]:
    """Of a list of problems every item; of an assessment what heads it; else what a patient is said
    to have come with, or to have a history of: of that nothing that passes, for a cold is over."""
    listed = bool(_LISTED.search(section))
    assessed = _SECTION.search(section)
    head = _head(text) if assessed else 0
    presenting = _PRESENTING.search(text) or (_BELIEVED.search(text) if assessed else None)
    history = presenting or _HISTORY_OF.search(text)
    if not (listed or head or history):
        return
    whole = listed or head
    begin = 0 if whole or history is None else history.end()
    end = head if head and not listed else len(text)
    problems = [*_named(text, begin, end), *_unnamed(text, begin, end)]
    if not (whole or presenting):
        problems = [each for each in problems if not _PASSING.search(text[each.start : each.end])]
    yield from problems
    if listed and not problems and _is_item(text):
        yield Atom(Salience.PROBLEM, content(text), 0, len(text), named=False)


def _named(text: str, begin: int, end: int) -> Iterator[Atom]:
    for each in mentions(text[:end]):
        if each.kind == Kind.PROBLEM and each.start >= begin and is_affirmed(text, each):
            key = frozenset([each.concept])
            yield Atom(Salience.PROBLEM, key, *item_of(text, each, begin, end))


def _unnamed(text: str, begin: int, end: int) -> Iterator[Atom]:
    """Items that `names` does not know and that sound like an illness."""
    for start, stop in items(text, begin, end):
        item = text[start:stop]
        if concepts(item, Kind.PROBLEM) or _TAG.search(item) or NEGATED.search(item):
            continue
        phrase = not _VERB.search(item) and len(item.split()) <= _PHRASE
        plain = ":" not in item and not any(c.isdigit() for c in item)
        complaint = plain and start == 0 and _COMPLAINT.search(item)
        if phrase and (_ILL.search(item) or complaint):
            yield Atom(Salience.PROBLEM, content(item), start, stop, named=False)


def _head(text: str) -> int:
    """Where the problem of "AKI on CKD - Cr 1.9, improving" ends; 0: it is a sentence."""
    ends = _HEAD_ENDS.search(text)
    end = ends.start() if ends else len(text)
    is_phrase = len(text[:end].split()) <= _HEAD and not _VERB.search(text[:end])
    return end if is_phrase else 0


def _is_item(text: str) -> bool:
    plain = ":" not in text and len(text.split()) <= _ITEM
    return plain and not (_VERB.search(text) or NEGATED.search(text))
