"""Follow-up: appointments, referrals, tests that are ordered or pending, procedures to come."""

from __future__ import annotations

import re

from agents.omissions.salience.atom import NEGATED, Atom, content
from agents.omissions.salience.names import Kind, concepts
from schemas.completeness import Salience

_SECTION = re.compile(r"follow|appointment|pending", re.IGNORECASE)
_FOLLOW_UP = re.compile(
    r"\bfollow(?:[- ]?up|ed up)?\b(?! by)|\bf/u\b|\bappointment|\breturn (?:to|in|for)\b"
    r"|\bre(?:check|peat)\b|\brpt\b|\bis due\b|\bpending\b|\bwill (?:see|be seen)\b"
    r"|\brefer(?:red|ral)?(?: \w+){0,3} to\b|\bsee (?:him|her|them) back\b|\boutpt\b",
    re.IGNORECASE,
)
ORDERED = re.compile(
    r"\b(?:will|would like(?: to)?|going to|gonna|plan to|recommend\w*|want to|we)(?: \w+){0,4}?"
    r" (?:order|obtain|get|repeat|refer|schedule|check)\b(?! better)"
    r"|\b(?:was|were|will be) (?:ordered|obtained|referred|scheduled)\b",
    re.IGNORECASE,
)
_TO_COME = re.compile(
    r"\b(?:will (?:be|undergo|proceed|schedule|perform)|scheduled for|planned for)\b", re.IGNORECASE
)
WHEN = re.compile(
    r"\b\d{1,2}/\d{1,2}\b|\bin (?:about |approximately )?\w+ (?:day|week|month|year)s?\b"
    r"|\b\d+(?:\s*-\s*\d+)? ?(?:wk|week|month|day|mo)s?\b"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d+"
)
_NOT_ARRANGED = re.compile(
    r"(?:^|: )\W*if\b|\bfollow(?:ing|ed|s)? (?:commands|directions|instructions)"
    r"|\breturn (?:if|in case)|\bwhile inpt|\binpatient\b"
    r"|\b(?:previous|last|prior|recent) (?:follow|appointment|visit)"
    r"|\bemergency (?:room|department) follow",
    re.IGNORECASE,
)
_SHORT = 60
"""Characters of "Cards (Dr Invented) Fri 2/20", which is no story."""


def plan(text: str, section: str) -> Atom | None:
    """The whole statement, keyed by with whom and what; None where nothing is arranged."""
    plan = _FOLLOW_UP.search(text) or ORDERED.search(text)
    planning = re.search(r"plan|dispo|follow", section, re.IGNORECASE)
    if plan is None and planning and concepts(text, Kind.PROCEDURE):
        plan = _TO_COME.search(text)
    dated = planning and len(text) < _SHORT and concepts(text, Kind.CARE) and WHEN.search(text)
    listed = _SECTION.search(section) and len(content(text)) > 1
    if not (plan or dated or listed) or _NOT_ARRANGED.search(text):
        return None
    if NEGATED.search(text[: plan.start()] if plan else text):
        return None
    key = concepts(text, Kind.CARE, Kind.RESULT, Kind.PROCEDURE)
    return Atom(Salience.FOLLOW_UP, key or content(text), 0, len(text), named=bool(key))
