"""What a statement's first word refers to, where the text before it says so.

"It was stopped on day 3" after "Metoprolol was begun for rate control" is read as "Metoprolol was
stopped on day 3". Only a pronoun that opens the statement is read so, and only as the subject of
the sentence before; the text around a statement is context, never evidence.
"""

from __future__ import annotations

import re

_OPENS = re.compile(
    r"\s*(it|this|they|these)\b(?! (?:is|was) (?:not )?(?:clear|likely|possible))", re.I
)
_SUBJECT = re.compile(
    r"\s*(?P<subject>[^.;:!?\n]{2,60}?)\s+"
    r"(?:was|is|were|are|has|have|had|will|can|could|should|may|remains?|remained)\b",
    re.I,
)
_PERSON = frozenset(("he", "she", "they", "we", "i", "you", "it", "this", "the patient", "patient"))


def resolved(statement: str, surroundings: str) -> tuple[str, str]:
    """The statement with its opening pronoun replaced, and what by; itself and "" where not."""
    opening = _OPENS.match(statement)
    at = surroundings.find(statement.strip()) if opening else -1
    if opening is None or at <= 0:
        return statement, ""
    sentences = [s for s in re.split(r"(?<=[.!?])\s+|\n+", surroundings[:at]) if s.strip()]
    subject = _SUBJECT.match(sentences[-1]) if sentences else None
    if subject is None or subject["subject"].strip().lower() in _PERSON:
        return statement, ""
    name = subject["subject"].strip()
    return name + statement[opening.end() :], name
