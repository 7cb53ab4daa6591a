"""Forms: what a line of boxes, or a label with its answer, says; an empty answer says nothing.

"[ ] Fever" says nothing of fever, "Dyspnea: [ ] Yes [x] No" says that there is none, "Smoking: [ ]
current [x] former" says which. A label whose answer was never filled in ("Fever ___", "Fever: N/A")
is no evidence of what it names.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from chartproof_decomposer.lexicon import words

_EMPTY = "\u2610\u2751\u2752\u25fb\u25a2\u25a1\u274f\u2750"
_FILLED = "\u2611\u2612\u2713\u2714\u2705\u25a3\u22a0"
BOX = re.compile(
    r"\[(?P<square>[ \t_]{0,3}|[ ]?[xX*\u2713\u2714][ ]?)\](?![(\[\w])"
    rf"|(?P<empty>[{_EMPTY}])|(?P<filled>[{_FILLED}])"
    r"|(?<![\w)])\((?P<round>[ ]{0,3}|[ ]?[xX*\u2713][ ]?)\)(?=[ \t]*[A-Za-z])"
)
_NO = words("no n none neg negative denies denied absent never false nein non nee")
_YES = words("yes y pos positive present true ja oui si")
_LABEL = r"(?P<label>[A-Za-z][\w/()' ,.&+-]{0,70}?)"
_ANSWER = re.compile(
    _LABEL + r"(?:[ \t]*[:?][ \t]*|[ ]{2,}|[ ]?\t+[ ]?)"
    r"(?:[-\u2013\u2014=][ \t]+)?(?P<value>\S.{0,24}?)\.?\Z"
)
_BLANK = re.compile(
    r"(?:n\.?/?a\.?|not applicable|\*{2,}|_{2,}[ _/]*|[-\u2013\u2014]{2,}|\.{4,}|\?{1,3}|\[ *\]"
    r"|<[^<>]{0,30}>|tbd|blank|none (?:entered|recorded)|unable to assess|no data|no value|null"
    r"|not (?:assessed|recorded|documented|obtained|entered|filled|asked))\Z",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    _LABEL + r"[ \t]*[:?]?[ \t]*(?:_{3,}|\*{3,}|\.{5,})(?:[ /_*]*)[ \t]*[A-Za-z%/]{0,8}\.?\Z"
)
_SENTENCE = re.compile(r"\b(?:is|was|are|were|has|had|with|will|of the|and|the)\b", re.IGNORECASE)
_LONGEST = 400


class Field(NamedTuple):
    """`start` to `end` of the line; `words` is what it says, None where it says nothing."""

    start: int
    end: int
    words: str | None


def read_form(body: str, width: int = 0) -> list[Field]:
    """The fields of a line, from `width` on; empty where it is none of a form."""
    if len(body) > _LONGEST:
        return []
    boxes = list(BOX.finditer(body, width))
    if boxes:
        return _boxes(body, width, boxes)
    return _answer(body, width)


def _answer(body: str, width: int) -> list[Field]:
    text = body[width:]
    blank = _TRAILING.match(text)
    if blank and not _SENTENCE.search(blank["label"]):
        return [Field(width, len(body), None)]
    answer = _ANSWER.match(text)
    if answer is None or _SENTENCE.search(answer["label"]):
        return []
    value = answer["value"].strip()
    # "PE??" is a doubt, which is a finding; "Rash: ?" is an answer that nobody gave.
    if not value.strip("?. ") and ":" not in text[: answer.start("value")]:
        return []
    if _BLANK.match(value):
        return [Field(width, len(body), None)]
    plain = value.lower()
    if plain in _NO | _YES and ":" not in text[: answer.start("value")]:
        label = answer["label"].strip()
        return [Field(width, len(body), f"{label}: {'No' if plain in _NO else 'Yes'}")]
    return []


def _boxes(body: str, width: int, boxes: list[re.Match[str]]) -> list[Field]:
    prefix = body[width : boxes[0].start()].strip()
    ends = [box.start() for box in boxes[1:]] + [len(body)]
    options = [_option(body[box.end() : end]) for box, end in zip(boxes, ends, strict=True)]
    if prefix and not options[-1] and not prefix.endswith((":", "?")):
        # "Fever [x]  Cough [ ]": each box behind its label.
        labels = [_option(prefix), *options[:-1]]
        starts = [width, *(box.end() for box in boxes[:-1])]
        return [
            Field(start, box.end(), label if label and _is_checked(box) else None)
            for label, start, box in zip(labels, starts, boxes, strict=True)
        ]
    checked = [option for option, box in zip(options, boxes, strict=True) if _is_checked(box)]
    if prefix:
        label = prefix.rstrip(":? \t-\u2013")
        return [Field(width, len(body), _chosen(label, options, checked))]
    yes_or_no = [o.lower() in _NO | _YES for o in options]
    if all(yes_or_no) and len(options) > 1:
        return [Field(boxes[0].start(), len(body), None)]
    return [
        Field(box.start(), end, option if option and _is_checked(box) else None)
        for box, end, option in zip(boxes, ends, options, strict=True)
    ]


def _chosen(label: str, options: list[str], checked: list[str]) -> str | None:
    if len(options) == 1:  # "Attempt CPR: [x]"
        return f"{label}: {options[0] or 'Yes'}" if checked else None
    plain = {option.lower() for option in checked}
    if not checked or (plain & _NO and plain & _YES):
        return None
    return f"{label}: {', '.join(filter(None, checked))}" if any(checked) else None


def _option(text: str) -> str:
    return " ".join(text.strip(" \t,;|").split())


def _is_checked(box: re.Match[str]) -> bool:
    if box["filled"]:
        return True
    inner = box["square"] if box["square"] is not None else box["round"]
    return bool((inner or "").strip(" \t_"))
