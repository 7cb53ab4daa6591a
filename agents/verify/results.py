"""Which results of a fact are abnormal: by flag, by a printed range, by words, or far out of range."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agents.about import about
from agents.verify import salience_words as words
from agents.verify.names import Kind, mentions
from schemas.alerts import Category
from schemas.notes import Fact

_VALUE = re.compile(
    r"[\s:=~>]{0,3}(?:(?:is|was|of|level|at|to|peaked|elevated|low|high|today|on arrival|count)\W+){0,4}"
    r"(?P<value>\d[\d,]*(?:\.\d+)?)(?![\d.,]*\d)(?!\s*(?:mg|mcg|g|units?|meq|ml|mmol)\b(?!\s*/))",
    re.IGNORECASE,
)
_BETTER = re.compile(
    r"\b(?:improv\w+|resolved|smaller|interval decrease|stable|unchanged|normal|downtrend\w*)\b",
    re.IGNORECASE,
)

Found = tuple[int, int, frozenset[str]]
"""Start and end in the fact's text, and the concept; none where no name fits."""


def abnormal_results(fact: Fact) -> Iterator[Found]:
    """Each abnormal result once: measured ones by analyte, else the finding as a whole."""
    text, section = fact.text, fact.section or ""
    measured = list(_measured(text))
    yield from measured
    if measured or words.NEGATED.search(text) or about(text, "") == Category.DOSE:
        return
    imaging = re.search(r"imag|radiol|x-?ray|echo|diagnostic", fact.note_type or "", re.IGNORECASE)
    reported = re.search(
        r"result|lab|finding|imaging|radiolog|impression|\btee\b|echo", section, re.IGNORECASE
    )
    seen = imaging or reported or words.IMAGING.search(text)
    worded = words.ABNORMAL.search(text) and (
        words.IMAGING.search(text) or (re.search(r"\d", text) and reported)
    )
    if (worded or (seen and words.FOUND.search(text))) and not _BETTER.search(text):
        named = [m for m in mentions(text) if m.kind in (Kind.PROBLEM, Kind.RESULT)]
        key = frozenset([named[0].concept]) if named else frozenset()
        yield 0, len(text), key


def _measured(text: str) -> Iterator[Found]:
    analytes = [m for m in mentions(text) if m.kind == Kind.RESULT]
    for n, each in enumerate(analytes):
        stop = analytes[n + 1].start if n + 1 < len(analytes) else len(text)
        value = _VALUE.match(text, each.end, stop)
        if value is None:
            continue
        part = _own_part(text[each.start : stop], value.end() - each.start)
        if _is_abnormal(each.concept, float(value["value"].replace(",", "")), part):
            end = each.start + len(part.rstrip(" ,;|.\n"))
            yield each.start, end, frozenset([each.concept])


def _own_part(said: str, value_end: int) -> str:
    """To the end of what is said of one result: `Cr 1.9 (was 1.2)` of `..., K 4` or `...), and`."""
    depth = 0
    for at, sign in enumerate(said):
        depth += (sign in "([") - (sign in ")]")
        if depth < 0 or (at >= value_end and depth == 0 and sign in ",;|"):
            return said[:at]
    return said


def _is_abnormal(analyte: str, value: float, said: str) -> bool:
    """A printed range decides; then flags and words; then limits that no laboratory disputes."""
    if printed := words.RANGE.search(said):
        return not float(printed["low"]) <= float(printed["value"]) <= float(printed["high"])
    if words.ABNORMAL.search(said) or words.FLAG.search(said):
        return not words.NEGATED.search(said)
    low, high = words.LIMITS.get(analyte, (float("-inf"), float("inf")))
    return not low <= value <= high
