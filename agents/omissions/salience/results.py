"""Abnormal results: by flag, by a printed range, by words, or far out of range."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from agents.omissions.salience.atom import NEGATED, Atom, content
from agents.omissions.salience.names import Kind, mentions
from agents.topic import about
from schemas.completeness import Salience
from schemas.notes import Fact
from schemas.verdicts import Category

ABNORMAL = re.compile(
    r"\b(?:elevated|abnormal|critical|positive|high|low|decreased|increased|peaked|worsen\w*|grew"
    r"|prolonged|reduced)\b|[\u2191\u2193]",
    re.IGNORECASE,
)
FOUND = re.compile(
    r"\b(?:severe(?:ly)?|moderate|enlarged|dilated|cardiomegaly|edema|effusions?|consolidation"
    r"|infiltrates?|opacit\w+|mass|nodules?|lesion|fracture|thrombus|stenosis|occlusion|hemorrhage"
    r"|aneurysm|congestion|infarct|regurgitation|hypokinesis|obstruction|tear|herniation|abscess"
    r"|hydronephrosis|stones?)\b",
    re.IGNORECASE,
)
"""What a report of imaging finds."""
_FLAG = re.compile(
    r"\d\s*[^\s\d()]*\s*(?:[(\[](?:[HL]{1,2}|high|low|crit\w*)[)\]]|H{1,2}\b|LL\b|\*)"
)
"""A bare L is a litre as a rule."""
_RANGE = re.compile(
    r"(?P<value>\d+(?:\.\d+)?)\s*(?:[A-Za-z%\u00b5][\w/%\u00b5^]*)?\s*(?:[HL]{1,2}\s*)?[(\[]\s*"
    r"(?:(?:ref(?:erence)?|normal)?(?: range)?:?\s*)?"
    r"(?:(?P<low>\d+(?:\.\d+)?)\s*[-\u2013]\s*(?P<high>\d+(?:\.\d+)?)|<\s*(?P<below>\d+(?:\.\d+)?)"
    r"|>\s*(?P<above>\d+(?:\.\d+)?))[^)\]]{0,12}[)\]]",
    re.IGNORECASE,
)
"""A value with its reference range printed beside it."""
_VALUE = re.compile(
    r"[\s:=~>]{0,3}(?:(?:is|was|of|level|at|to|peaked|elevated|low|high|today|on arrival|count)"
    r"\W+){0,4}(?P<value>\d[\d,]*(?:\.\d+)?)(?![\d.,]*\d)"
    r"(?!\s*(?:mg|mcg|g|units?|meq|ml|mmol)\b(?!\s*/))",  # that is a dose
    re.IGNORECASE,
)
_IMAGING = re.compile(
    r"\bx-?rays?\b|\bCXR\b|\bCT\b|\bMRI\b|\bscan\b|ultrasound|\becho\w*|\bTTE\b|\bTEE\b|radiograph"
    r"|\bEKG\b|\bECG\b|monitor|\bculture",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"result|lab|finding|imaging|radiolog|impression|\btee\b|echo", re.IGNORECASE
)
_REPORT = re.compile(r"imag|radiol|x-?ray|echo|diagnostic", re.IGNORECASE)
_BETTER = re.compile(
    r"\b(?:improv\w+|resolved|smaller|interval decrease|stable|unchanged|normal|downtrend\w*)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[^;.]+(?:\.\d[^;.]*)*")
LIMITS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "creatinine": (0.0, 1.5), "potassium": (3.2, 5.4), "sodium": (130, 149),
        "glucose": (60, 250), "hemoglobin": (9.0, 18.0), "white count": (3.0, 13.0),
        "platelet": (100, 600), "bnp": (0, 400), "lactate": (0, 2.2), "inr": (0, 4.0),
        "hemoglobin a1c": (0, 7.9), "ejection fraction": (45, 80), "tsh": (0.2, 7),
        "ast": (0, 120), "alt": (0, 120), "bilirubin": (0, 2.5), "magnesium": (1.3, 3.0),
        "calcium": (7.5, 11.0),
    }
)  # fmt: skip
"""Analyte, in its usual US unit -> limits beyond which an adult's value is abnormal whatever the
laboratory: wider than reference ranges, for notes that print neither flag nor range."""


def results(fact: Fact) -> Iterator[Atom]:
    """Each abnormal result once: measured ones by analyte, else the findings, clause by clause."""
    text = fact.text
    measured = list(_measured(text))
    yield from measured
    if measured or about(text, "") == Category.DOSE:
        return
    reported = bool(_REPORTED.search(fact.section or ""))
    seen = reported or bool(_REPORT.search(fact.note_type or "") or _IMAGING.search(text))
    for clause in _CLAUSE.finditer(text):
        if _is_finding(clause[0], reported=reported, seen=seen) and not (
            NEGATED.search(clause[0]) or _BETTER.search(clause[0])
        ):
            start = clause.end() - len(clause[0].lstrip())
            named = [m for m in mentions(clause[0]) if m.kind in (Kind.PROBLEM, Kind.RESULT)]
            key = frozenset([named[0].concept]) if named else content(clause[0])
            end = clause.end() + (text[clause.end() :].strip() == ".")
            yield Atom(Salience.ABNORMAL_RESULT, key, start, end, named=bool(named))


def _is_finding(clause: str, *, reported: bool, seen: bool) -> bool:
    """`reported`: it is among results; `seen`: there, or in a fact that names an image."""
    if _FLAG.search(clause) or _is_out_of_range(clause):
        return True
    measured = _IMAGING.search(clause) or (reported and re.search(r"\d", clause))
    return bool((ABNORMAL.search(clause) and measured) or (seen and FOUND.search(clause)))


def _measured(text: str) -> Iterator[Atom]:
    analytes = [m for m in mentions(text) if m.kind == Kind.RESULT]
    for n, each in enumerate(analytes):
        stop = analytes[n + 1].start if n + 1 < len(analytes) else len(text)
        value = _VALUE.match(text, each.end, stop)
        if value is None:
            continue
        part = _own_part(text[each.start : stop], value.end() - each.start)
        if _is_abnormal(each.concept, float(value["value"].replace(",", "")), part):
            end = each.start + len(part.rstrip(" ,;|.\n"))
            yield Atom(Salience.ABNORMAL_RESULT, frozenset([each.concept]), each.start, end)


def _own_part(part: str, value_end: int) -> str:
    """To the end of one result: `Cr 1.9 (was 1.2)` of `..., K 4` or `...), and`."""
    depth = 0
    for at, sign in enumerate(part):
        depth += (sign in "([") - (sign in ")]")
        if depth < 0 or (at >= value_end and depth == 0 and sign in ",;|"):
            return part[:at]
    return part


def _is_abnormal(analyte: str, value: float, part: str) -> bool:
    """A printed range decides; then flags and words; then limits that no laboratory disputes."""
    if (printed := _is_out_of_range(part)) is not None:
        return printed
    if ABNORMAL.search(part) or _FLAG.search(part):
        return not NEGATED.search(part)
    low, high = LIMITS.get(analyte, (float("-inf"), float("inf")))
    return not low <= value <= high


def _is_out_of_range(part: str) -> bool | None:
    """None: no range is printed."""
    printed = _RANGE.search(part)
    if printed is None:
        return None
    low = float(printed["low"] or printed["above"] or "-inf")
    high = float(printed["high"] or printed["below"] or "inf")
    return not low <= float(printed["value"]) <= high
