"""Lists after a shared head: "denies fever and chills", "started on A 5 mg and B 10 mg".

Each claim repeats everything before the list, so negation, person and time stay with every item.
The list must reach to the end of its sentence and each item must be a plain name: a modifier that
may belong to all items ("left knee pain and swelling"), a tail that may ("… in both legs"), a noun
that they share ("visual or auditory hallucinations") or a word that starts something new ("no
distress, alert and oriented") leaves the sentence whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from chartproof_decomposer.items import is_condition_list, is_medication_list, is_pair_list
from chartproof_decomposer.lexicon import NEGATION
from chartproof_decomposer.tokens import Part, Range, tokenise
from chartproof_decomposer.vocabulary import GUARDS, LIST_SECTIONS

_CONDITION_HEAD = re.compile(
    r"\b(?:den(?:ies|ied|ying)|negative for|no|without"
    r"|(?:history|h/o|evidence|signs?|symptoms|complaints?) (?:of|for)|h/o"
    r"|(?:significant|notable|remarkable|positive|evaluated|treated) for"
    r"|diagnosed with|diagnos[ie]s of|complain(?:s|ed|ing)? of|c/o|reports|reported|endorse[sd]"
    r"|present(?:s|ed|ing) with|allergic to|allergy to|allergies to) (?=\S)",
    re.IGNORECASE,
)
_MEDICATION_HEAD = re.compile(
    r"\b(?:(?:re)?started on|initiated on|treated with|managed with|prescribed|given|received"
    r"|discharged (?:home )?on|continued on|maintained on|placed on|takes|taking|continues?"
    r"|resumed?|start|on) (?=\S)",
    re.IGNORECASE,
)
_PAIR_HEAD = re.compile(
    r"\b(?:(?:notable|significant|remarkable) for|showed|were|with) (?=\S)", re.IGNORECASE
)
_LABEL = re.compile(r"[A-Za-z][^:.;,]{0,40}:\s+(?=\S)")
_SEPARATOR = re.compile(r"[,;]\s+(?:(and|or|nor)\s+)?|\s+(and|or|nor)\s+", re.IGNORECASE)
_MEASURED = frozenset({"Vital Signs", "Laboratory Results", "Results", "Physical Exam"})
_DENY = re.compile(r"\bden(?:ies|ied|ying)\b", re.IGNORECASE)
_HEADS = 12
_MANY = 40


class Items(NamedTuple):
    """A list, split. `spans`: offsets in the sentence. `joints`: words between; "" is a comma."""

    names: list[str]
    spans: list[Range]
    joints: frozenset[str]


def split_list(sentence: str, start: int, end: int, section: str | None) -> list[Part]:
    """The items of the list that ends `sentence[start:end]`, each with what stands before it."""
    words = [token.word for token in tokenise(sentence[start:end])]
    whole = [Part((), start, end)]
    if any(word in GUARDS for word in words) or '"' in sentence or "?" in sentence:
        return whole
    for at in _heads(sentence, start, end, section):
        items = _items(sentence, at, end)
        if 2 <= len(items.names) <= _MANY and _is_list(sentence[start:at], items, section):
            head = sentence[start:at].rstrip()
            before = ((start, start + len(head)),) if head else ()
            first, *rest = items.spans
            return [Part((), start, first[1]), *(Part(before, *span) for span in rest)]
    return whole


def _heads(sentence: str, start: int, end: int, section: str | None) -> list[int]:
    """Where a list may begin: after a label or head, or at the start where sections are lists."""
    result = {start} if section in LIST_SECTIONS or section in _MEASURED else set()
    label = _LABEL.match(sentence, start, end)
    if label:
        result.add(label.end())
    for head in (_CONDITION_HEAD, _MEDICATION_HEAD, _PAIR_HEAD):
        result.update(hit.end() for hit in head.finditer(sentence, start, end))
    return sorted(result)[:_HEADS]


def _items(sentence: str, start: int, end: int) -> Items:
    while end > start and sentence[end - 1] in ". ;,":
        end -= 1
    only_semicolons = ";" in sentence[start:end]
    spans, joints, at = [], [], start
    for hit in _SEPARATOR.finditer(sentence, start, end):
        if only_semicolons and hit[0][0] != ";":
            continue
        spans.append((at, hit.start()))
        joints.append((hit[1] or hit[2] or "").lower())
        at = hit.end()
    spans.append((at, end))
    names = [" ".join(sentence[begin:stop].split()) for begin, stop in spans]
    return Items(names, spans, frozenset(joints))


def _is_list(before: str, items: Items, section: str | None) -> bool:
    words = [token.word for token in tokenise(before)]
    negated = any(word in NEGATION for word in words)
    if not all(items.names):
        return False
    if is_pair_list(items.names) and not negated:
        return bool(before) or section in _MEASURED
    if negated:
        return _may_spread(before, words, items.joints) and is_condition_list(
            items.names, negated=True
        )
    if items.joints & {"or", "nor"}:
        return False
    return is_medication_list(items.names) or is_condition_list(items.names, negated=False)


def _may_spread(before: str, words: Sequence[str], joints: frozenset[str]) -> bool:
    """Whether a negation reaches every item: "denies A, B and C" does, "no A, B" may not."""
    if _DENY.search(before):
        return sum(word in NEGATION for word in words) == 1
    return bool(joints & {"or", "nor"}) and "and" not in joints
