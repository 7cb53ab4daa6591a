"""What of one fact a summary should not leave out.

Negated statements, relatives' and boilerplate are none, and neither is a line that only heads
others: its words are the `lead` of what follows.
"""

from __future__ import annotations

import re

from agents.omissions.salience.allergies import allergies, are_told
from agents.omissions.salience.atom import Atom
from agents.omissions.salience.changes import ACTIONS, changes
from agents.omissions.salience.names import mentions
from agents.omissions.salience.plans import plan
from agents.omissions.salience.problems import problems
from agents.omissions.salience.procedures import procedures
from agents.omissions.salience.results import results
from schemas.notes import Fact

CONTINUED, PROCEDURES = "continued", "procedures"
"""Leads beside the `ACTIONS` on drugs."""
OTHER_EXPERIENCER = re.compile(
    r"\b(?:mother|father|brother|sister|son|aunt|uncle|grand\w+|maternal|paternal|family history"
    r"|family hx|fhx?)\b",
    re.IGNORECASE,
)
_NOT_OWN = re.compile(r"family|social|review of systems", re.IGNORECASE)
"""Sections of which nothing is salient."""
_BOILERPLATE = re.compile(
    r"^\W*(?:medical|surgical|general|other|active|chronic|acute|none|n/a|unknown|unremarkable"
    r"|noncontributory|reviewed|nkd?a|nka)\W*$"
    r"|^\W*(?:as above|(?:see|per) (?:above|below|attached|chart|hpi|h ?& ?p|notes?|records?"
    r"|protocol|reports?)\b)"
    r"|electronically signed|\b(?:id|wrist|allergy) ?band\b|questions were answered"
    r"|discussed (?:the )?(?:diagnosis|treatment)|discussed with (?:the |his |her )?(?:patient|pt"
    r"|family)|\bverbali[sz]e|understands? and agree|cleared (?:by|for)"
    r"|refer to (?:the |your )?(?:above|attached|chart|notes?|reports?|handout|instructions)"
    r"|dictated|\bpage \d",
    re.IGNORECASE,
)
_SIGNATURE = re.compile(
    r"^(?:(?:[A-Z][\w.'-]*|by|signed),? ){1,5}(?:MD|DO|RN|NP|PA-C|PharmD|DPT|(?<=, )PT)\b"
    r"(?:,[\w ]+)?\.?$"
)
"""A name and what its bearer is; `follow up with Dr. Invented, MD` is an appointment."""
_CARRIED_OUT = re.compile(r"\b(?:performed|conducted|completed|done|underwent)\b", re.IGNORECASE)
_SHOUTED = 4
"""Words of a heading in capitals."""


def atoms(fact: Fact, lead: str | None = None) -> list[Atom]:
    """The salient things of a fact, each once. `lead`: what the line or title over it says."""
    text, section = fact.text, fact.section or ""
    if is_idle(text) or _NOT_OWN.search(section) or OTHER_EXPERIENCER.search(text):
        return []
    if are_told(text, section):
        return list(allergies(text, section))
    done = lead == PROCEDURES and _CARRIED_OUT.search(section)
    if not done and (to_come := plan(text, section)):
        return [to_come, *changes(text, lead)]
    atoms_ = [
        *changes(text, lead),
        *procedures(text, section, listed=lead == PROCEDURES),
        *results(fact),
        *problems(text, section),
    ]
    return list({(each.key, each.salience): each for each in reversed(atoms_)}.values())[::-1]


def is_idle(text: str) -> bool:
    """A question, a heading, a signature or what is in every note."""
    stripped = text.strip()
    idle = _BOILERPLATE.search(stripped) or _SIGNATURE.search(stripped)
    return stripped.endswith("?") or is_heading(stripped) or bool(idle)


def is_heading(text: str) -> bool:
    """A line that heads others: it ends in a colon, or is a few words, all in capitals."""
    stripped = text.strip()
    shouted = stripped.isupper() and len(stripped.split()) <= _SHOUTED and not mentions(stripped)
    return stripped.endswith(":") or (shouted and not any(c.isdigit() for c in stripped))


def lead_of(line: str) -> str | None:
    """What a heading makes of the lines under it; None: nothing that matters here."""
    if re.search(r"\b(?:continue|unchanged|no change)", line, re.IGNORECASE):
        return CONTINUED
    if re.search(r"\bprocedures?\b", line, re.IGNORECASE):
        return PROCEDURES
    return next((name for name, pattern in ACTIONS.items() if pattern.search(line)), None)


def lead_of_section(title: str) -> str | None:
    """A section may say itself what became of the drugs in it: "Stopped medications"."""
    lowered = title.casefold()
    is_list = (
        "medication" in lowered and "reconciliation" not in lowered
    ) or "procedures" in lowered
    return lead_of(title) if is_list else None
