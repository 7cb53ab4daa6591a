"""How notes and texts stand in a prompt: as data that cannot end its own quotation.

Data goes in as JSON between `<data>` and `</data>`. In it `<`, `>`, `[`, `]`, backticks and
control characters are JSON escapes, so neither our delimiters nor a chat template's marks
(`<|im_start|>`, `[INST]`, `</s>`) can be written by a note: llama.cpp and others read such marks
in a message as the template's own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import orjson

OPEN, CLOSE = "<data>", "</data>"
MOST_CHARACTERS = 4_000
"""Of one fact or one proposition: some 40 times the usual, and a tenth of a small context."""
CUT = " …"

_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*"')
_MARKS = re.compile(r"[<>\[\]`\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_TO_A_MODEL = re.compile(
    r"(?i)\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:above|previous|prior|all|any"
    r"|earlier|instructions?|rules?|prompt)\b"
    r"|\b(?:instructions?|verdicts?|prompts?|json|schema|label|output|respond|reply)\b"
    r"|\b(?:you are|you must|your (?:task|answer|job)|as an ai|language model|assistant:|system:"
    r"|user:|other patients?|not_supported|not_addressed)"
)


def quoted(value: object) -> str:
    """`value` as JSON between the delimiters. Same value, same text."""
    return f"{OPEN}\n{escaped(value)}\n{CLOSE}"


def escaped(value: object) -> str:
    """`value` as JSON in which only the structure itself has brackets."""
    text = orjson.dumps(value, option=orjson.OPT_UTC_Z).decode()
    return _STRUCTURE.sub(lambda result: _MARKS.sub(_escape, result[0]), text)


def bounded(text: str) -> str:
    """`text`, cut where it is longer than a prompt has room for; lone surrogates become `?`."""
    given = text.encode("utf-8", "replace").decode()
    return given if len(given) <= MOST_CHARACTERS else given[:MOST_CHARACTERS] + CUT


def speaks_to_a_model(*texts: str) -> bool:
    """Whether a text may be meant for whoever reads a prompt; then it is judged by itself.

    Broad on purpose: a false alarm costs one call more, and changes nothing else.
    """
    return any(
        _TO_A_MODEL.search(text) or _MARKS.search(text) or len(text) > MOST_CHARACTERS
        for text in texts
    )


def _escape(result: re.Match[str]) -> str:
    return f"\\u{ord(result[0]):04x}"


def tokens(text: str) -> int:
    """About how many tokens: characters / 3, as clinical shorthand and JSON are dense."""
    return -(-len(text) // 3)


def known(value: Mapping[str, Any]) -> dict[str, Any]:
    """`value` without what is None: what is not known is not told."""
    return {name: given for name, given in value.items() if given is not None}
