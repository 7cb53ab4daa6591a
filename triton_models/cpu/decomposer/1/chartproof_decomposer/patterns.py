"""Patterns: which clauses must be judged together, and which stand alone.

A an enumeration of properties of one subject, B a causal or conditional chain, C a conclusion with
its premises: their parts say something else, or less, when they are torn apart. D standalone, E a
shift to another topic, F distinct facts: these are judged one by one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from chartproof_decomposer.lexicon import KIN, words
from chartproof_decomposer.lines import PAIR
from chartproof_decomposer.tokens import tokenise
from chartproof_decomposer.vocabulary import FINITE, SUBJECTS

TOGETHER = frozenset("ABC")

_CHAIN = re.compile(
    r"\b(?:because|(?:due|owing|secondary|attributed) to|as a (?:result|consequence)|"
    r"(?:result(?:ed|s|ing)?|culminat(?:ed|es|ing)) in|le(?:d|ads|ading) to|so that|and so|"
    r"caus(?:ed|es|ing)|in the setting of|given that|(?<!as )if|unless|then)\b|[,;] so (?!far\b)",
    re.IGNORECASE,
)
_NEXT_IN_TIME = re.compile(r"\bthen\b", re.IGNORECASE)
"""In time, not in a chain, unless an "if" stands before it."""
_CONCLUSION = re.compile(
    r"\b(?:therefore|thus(?! far\b)|hence|conclud(?:ed|es|ing)|(?:consistent|compatible) with|"
    r"in keeping with|indicat(?:es|ing|ive of|ed that)|suggest(?:s|ed|ing|ive of)|"
    r"confirming|so we conclude)\b",
    re.IGNORECASE,
)
_SHIFT = re.compile(
    r"(?:regarding|as for|with (?:regards?|respect) to|in terms of|otherwise|separately|"
    r"of note|incidentally|on another note|from an? [^.,]{1,30} (?:standpoint|perspective))\b",
    re.IGNORECASE,
)
_PRIOR = r"(?:this|that|these|those|which)"
_CHAIN_ON = re.compile(
    r"(?:as a (?:result|consequence)|consequently|because of (?:this|that|these|those)|"
    r"(?:for|due to|owing to) (?:this|that|these|those)(?: reasons?)?|"
    rf"{_PRIOR}(?: \w+){{0,2}} (?:(?:is|was|were|are) (?:likely |thought to be |felt to be )?"
    r"(?:due|secondary|attributed) to|(?:is|was|were) (?:because|caused)|resulted in|led to|"
    r"caused))\b",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"(?:(?:\w+ ){0,2}(?:therefore|thus(?! far\b)|hence)|(?:it was|we) concluded?|"
    rf"(?:(?:taken )?together,? )?{_PRIOR}?(?: ?\b\w+\b){{0,2}} ?(?:(?:is|was|are|were) )?"
    r"(?:(?:most |felt to be )?(?:consistent|compatible) with|in keeping with|indicat(?:es?|ed)|"
    r"suggest(?:s|ed)?|confirm(?:s|ed)?|suggestive of|indicative of))\b",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"(?:this|that|these|those|findings?|it was|we|(?:\w+ ){0,2}(?:therefore|thus|hence))\b", re.I
)
"""What a conclusion opens with that speaks of what stands before it."""
_SEVERAL = re.compile(r"(?:these|those|(?:taken )?together|findings)\b", re.IGNORECASE)
_GOES_ON = re.compile(
    r"(?:it|its \w+) (?:also )?(?:is|was|are|were|measures|measured|has|had)\b", re.I
)
_IMPERSONAL = re.compile(
    r"it (?:is|was|has|had) (?:\w+ed|also|been|felt|thought|(?:un)?(?:clear|known|likely)|important"
    r"|essential|necessary|possible|best|common|\w+ (?:since|that|to))\b",
    re.IGNORECASE,
)
_COPULAS = words("is was are were appears appeared remains remained measures measured")
_DONE = words("brought seen given held taken sent found put")
_ADJECTIVES = words(
    "elevated dilated distended enlarged oriented limited reduced decreased increased"
)
_PERSONS = KIN | SUBJECTS | words("they i dr doctor nurse surgeon physician mr mrs ms wife")
_PEOPLE = _PERSONS | words("who man woman male female boy girl gentleman lady")
_HANGS = re.compile(
    r"\W*(?:(?:and|but)\W+)?(?:\w+ )?(?:(so|consequently|accordingly|as a result)"
    r"|(therefore|thus(?! far\b)|hence))\b",
    re.IGNORECASE,
)
_HANGS_LATE = re.compile(
    r"\b(?:as a result|for this(?: reason)?|because of (?:this|it))\.?\Z", re.IGNORECASE
)


class Link(NamedTuple):
    """A sentence that goes on with what stands before it, and how many sentences of that."""

    pattern: str
    reach: int


def pattern_of(sentence: str) -> str:
    """The pattern of one statement: A, B, C, D or E."""
    if _CONCLUSION.search(sentence):
        return "C"
    if any(_chains(sentence, hit) for hit in _CHAIN.finditer(sentence)):
        return "B"
    if _SHIFT.match(sentence):
        return "E"
    return "A" if _enumerates(sentence) else "D"


def link(sentence: str) -> Link | None:
    """How a sentence is tied to those before it; None when it stands for itself."""
    if _CONCLUDES.match(sentence) and _REFERS.match(sentence):
        return Link("C", 3 if _SEVERAL.match(sentence) else 1)
    if _CHAIN_ON.match(sentence) or _HANGS_LATE.search(sentence[-40:]):
        return Link("B", 1)
    if _GOES_ON.match(sentence) and not _IMPERSONAL.match(sentence):
        return Link("A", 1)
    return None


def hangs_on(words: str) -> str:
    """How a clause, with the words that join it to the one before, hangs on that; "" when not."""
    if hit := _HANGS.match(words):
        return "B" if hit[1] else "C"
    return "B" if _HANGS_LATE.search(words[-40:]) else ""


def same_subject(one: str, other: str) -> bool:
    """Whether two claims say what one thing, not a person, is: "The mass is 3 cm / is firm"."""
    subject = _described(one)
    return subject is not None and subject == _described(other)


def names_person(sentence: str) -> bool:
    return any(token.word in _PEOPLE for token in tokenise(sentence))


def _chains(sentence: str, hit: re.Match[str]) -> bool:
    if not _NEXT_IN_TIME.fullmatch(hit[0]):
        return True
    return re.search(r"\bif\b", sentence[: hit.start()], re.IGNORECASE) is not None


def _described(claim: str) -> tuple[str, ...] | None:
    tokens = tokenise(claim)
    listed = [token.word for token in tokens]
    verb = next((at for at, word in enumerate(listed) if word in FINITE), 0)
    if not verb or listed[verb] not in _COPULAS or _PERSONS & set(listed[:verb]):
        return None
    given = claim[tokens[verb].end :].strip()
    # "Vitals were BP 120/80" speaks of the pressure.
    return None if given[:1].isupper() and PAIR.match(given) else tuple(listed[:verb])


def _enumerates(sentence: str) -> bool:
    """ "The wound was clean, dry and intact": one verb that is no action, and several after it."""
    listed = [token.word for token in tokenise(sentence)]
    verbs = [at for at, word in enumerate(listed) if word in FINITE]
    if len(verbs) != 1 or listed[verbs[0]] not in _COPULAS:
        return False
    after = listed[verbs[0] + 1 :]
    done = next((w for w in after if w.endswith("ed") or w in _DONE), None)
    return "and" in after and (done is None or done in _ADJECTIVES)
