"""The model: requests in, JSON lists of units out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from chartproof_decomposer.blocks import Block
from chartproof_decomposer.claims import claims
from chartproof_decomposer.layout import layout
from chartproof_decomposer.masks import marks_after, masked, plain, seen
from chartproof_decomposer.sentences import Piece, sentences
from chartproof_decomposer.units import MODES, Unit, units

VERSION = "rules-4"
_BEFORE_STOP = re.compile(r" +([.,;:])(?=\s|\Z)")
"""The space that a mark in front of a full stop leaves."""
Request = tuple[str, str, str]
"""text, unit ("sentence", "claim" or "snippet"), context: a JSON object or empty.

With "mode" ("direct" or "group") in the context, the text is one to verify: each unit says where it
comes from and what it shares with the text, and sentences that state nothing are flagged (see
`units`). Without, it is a note: every sentence is a fact, and a unit has offsets and section. A
claim that repeats words of the note from elsewhere ("He denies … cough") has the offsets of all its
words, in order, in "words".
"""


def load() -> Decomposer:
    return Decomposer()


class Decomposer:
    """Splits texts. Stateless, so one instance serves any number of threads."""

    version = VERSION

    def decompose(self, requests: Sequence[Request]) -> list[str]:
        """One JSON document a request, in order: a list of units, or {"error": code}.

        Offsets are in characters (Unicode code points) of the text.
        Codes: `bad_text`, `bad_unit`, `bad_context`, `internal`. A bad request leaves its
        neighbours alone.
        """
        return [json.dumps(_answer(*request)) for request in requests]


def _answer(text: str, unit: str, context: str) -> list[Unit] | dict[str, str]:
    if not isinstance(text, str):
        return {"error": "bad_text"}
    if unit not in _UNITS:
        return {"error": "bad_unit"}
    try:
        mode = _mode(context)
    except (ValueError, TypeError, RecursionError):
        return {"error": "bad_context"}
    try:
        if mode is None and unit in _NOTES:
            # Marks end sentences as spaces do, but stay in them: a citation is checked with them.
            kept = masked(text, citations=False, note=True)
            read = masked(text, citations=True, note=True)
            result = _NOTES[unit](read)
            if kept != read:
                result = [_with_marks(kept, read, each) for each in result]
        else:
            read = masked(text, citations=True)
            result = units(read, unit, mode or "direct")
        rows = result if read == text else [_cleaned(each) for each in result]
        return [_marked(text, unit, each) for each in rows if each["text"]]
    except Exception:  # the neighbours in this batch must have their answers
        return {"error": "internal"}


def _mode(context: str) -> str | None:
    """The mode that a context names, None for a note. Raises `ValueError` for a bad context."""
    given = json.loads(context) if context else {}
    if not isinstance(given, dict) or given.get("mode") not in (None, *MODES):
        raise ValueError(context)
    mode: str | None = given.get("mode")
    return mode


def _with_marks(kept: str, read: str, unit: Unit) -> Unit:
    start, end = unit["start"], unit["end"]
    if unit["text"] != read[start:end]:
        return unit
    end = marks_after(kept, end)
    return unit | {"text": kept[start:end], "end": end}


def _marked(text: str, unit: str, row: Unit) -> Unit:
    """A unit that says whether its words are other than the text's: of a form, a table, markup.

    What is flagged is shown as it was written, and so is a sentence that differs by what is not
    seen only.
    """
    own = text[row["start"] : row["end"]]
    if row["text"] == own:
        return row
    if "flag" in row or (unit == "sentence" and row["text"].split() == seen(own).split()):
        return row | {"text": own}
    return row | {"reworded": True} if unit != "claim" else row


def _cleaned(unit: Unit) -> Unit:
    """Words without what stands in the place of markup."""
    text = " ".join(plain(unit["text"]).split())
    words: Unit = {"text": _BEFORE_STOP.sub(r"\1", text)}
    if section := unit.get("section"):
        words["section"] = " ".join(plain(section).split())
    if context := unit.get("context"):
        words["context"] = {name: " ".join(plain(given).split()) for name, given in context.items()}
    return unit | words


def _pieces(text: str, block: Block) -> list[Piece]:
    if block.whole or block.words:
        return [Piece(block.start, block.end)]
    return sentences(text, block.start, block.end, block.number)


def _sentences(text: str) -> list[Unit]:
    return [
        {
            "text": block.words or text[start:end],
            "start": start,
            "end": end,
            "section": block.section,
        }
        for block in layout(text)
        if not block.silent
        for start, end in _pieces(text, block)
    ]


def _claims(text: str) -> list[Unit]:
    result = []
    for block in layout(text):
        if block.silent:
            continue
        for claim in claims(text, block, _pieces(text, block)):
            given: Unit = {"text": claim.text, "start": claim.start, "end": claim.end}
            if claim.repeats:
                given["words"] = [*claim.repeats, (claim.start, claim.end)]
            result.append({**given, "section": block.section})
    return result


_NOTES: dict[str, Callable[[str], list[Unit]]] = {"sentence": _sentences, "claim": _claims}
_UNITS = frozenset({*_NOTES, "snippet"})
