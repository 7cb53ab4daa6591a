"""Clauses: "He was febrile and was given fluids" says two things of him.

Only coordinated clauses are taken apart whose verbs are plain to see, and whose subject is named
again or short enough to be repeated. The clause on the left must have one verb alone: with two
("he denies that he had …", "his wife, who was …") it is open what the next clause belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence

from chartproof_decomposer.lexicon import KIN
from chartproof_decomposer.tokens import Part, Range, Token, tokenise
from chartproof_decomposer.vocabulary import (
    AUXILIARIES,
    FINITE,
    PREPOSITIONS,
    SHARED_SUBJECT,
    SUBJECTS,
)

_JOINTS = frozenset({",", ";", "and", "but", "however"})
_NOMINATIVES = frozenset({"he", "she", "they", "we", "i"})
_NEGATIONS = frozenset({"not", "no", "never", "nor", "without"})
_ADVERBS = frozenset({"not", "also", "then", "never", "again", "now", "still", "been", "being"})
_HE, _SHE = frozenset({"he", "his", "him"}), frozenset({"she", "her", "hers"})
_OTHERS = {"he": _SHE, "his": _SHE, "she": _HE, "her": _HE}
_OWNERS = frozenset({"his", "her", "the"})
_WHEN = frozenset({"on", "at", "in", "during", "upon"})
_PERSONS = KIN | {"dr", "doctor", "nurse", "surgeon", "physician", "mr", "mrs", "ms"}
"""With one of these on the left, a "he" on the right may be somebody else."""
_LONGEST_SUBJECT = 5


def split_clauses(sentence: str) -> list[Part]:
    """The clauses of a sentence; one part, the whole, when it cannot be split safely."""
    tokens = tokenise(sentence)
    cuts: list[tuple[int, int, Range]] = []
    begin = 0
    named = True
    subject: Range | None = None
    """Whether the clause names its subject itself, and the last subject named."""
    opening = (0, _opening(tokens))
    depth = 0
    for at, token in enumerate(tokens):
        depth += (token.word in "([") - (token.word in ")]")
        after = _after_joint(tokens, at)
        if depth or after == at or after >= len(tokens):
            continue
        kind = _opens_clause(tokens, at, after)
        if kind is None:
            continue
        left = tokens[begin:at]
        if named:
            subject = _subject(left)
        if _may_follow(left, tokens[after].word, kind, known_subject=subject is not None):
            named = kind == "own"
            cuts.append((at, after, opening if named else subject or (0, 0)))
            begin = after
    edges = [(0, (0, 0))] + [(tokens[after].start, before) for _, after, before in cuts]
    ends = [tokens[at - 1].end for at, _, _ in cuts] + [len(sentence)]
    return [
        Part((before,) if before[0] < before[1] else (), start, end)
        for (start, before), end in zip(edges, ends, strict=True)
    ]


def _opening(tokens: Sequence[Token]) -> int:
    """End of what a sentence begins with that all its clauses keep: "Mother:", "On arrival"."""
    for at, token in enumerate(tokens[:7]):
        if token.word == ":" or (token.word == "," and tokens[0].word in _WHEN):
            return token.end
        if token.word in FINITE:
            break
        if at and tokens[0].word in _WHEN and token.word in SUBJECTS | _OWNERS:
            return tokens[at - 1].end
    return 0


def _after_joint(tokens: Sequence[Token], at: int) -> int:
    """Index after ", and" and its like when a joint starts at `at`, else `at`."""
    if tokens[at].word not in _JOINTS or (at and tokens[at - 1].word in _JOINTS):
        return at
    after = at + 1
    while after < len(tokens) and tokens[after].word in _JOINTS:
        after += 1
    return after


def _opens_clause(tokens: Sequence[Token], joint: int, after: int) -> str | None:
    """`own` when a subject with its verb follows, `shared` when a verb does, else None."""
    words = [token.word for token in tokens[after : after + 5]]
    between = {token.word for token in tokens[joint:after]}
    reach = 5 if words[0] in _OWNERS else 3
    if words[0] in SUBJECTS | _OWNERS and _verb_follows(words[1:reach]):
        return "own" if between != {","} else None
    verbs = SHARED_SUBJECT if between & {"and", "but"} else AUXILIARIES
    return "shared" if tokens[after].word in verbs else None


def _verb_follows(words: Sequence[str]) -> bool:
    """Whether a verb comes, with nothing before it that would start something else."""
    for word in words:
        if word in FINITE:
            return True
        if word in PREPOSITIONS or word in _JOINTS or not word[0].isalpha():
            return False
    return False


def _may_follow(left: Sequence[Token], opening: str, kind: str, *, known_subject: bool) -> bool:
    if _verbs(left) != 1 or _is_open(left):
        return False
    words = {token.word for token in left}
    if kind == "own":
        others = _PERSONS | _OTHERS.get(opening, frozenset())
        plain = left[0].word not in PREPOSITIONS or left[0].word in _WHEN
        return plain and not words & others
    negated = bool(words & _NEGATIONS) or any("n't" in word or "n\u2019t" in word for word in words)
    return known_subject and (opening in AUXILIARIES or not negated)


def _verbs(tokens: Sequence[Token]) -> int:
    """How many verb groups; "has not been" is one."""
    count, going_on = 0, False
    for token in tokens:
        verb = token.word in FINITE or token.word.endswith(("n't", "n\u2019t"))
        count += verb and not going_on
        going_on = verb or (going_on and _between_verbs(token.word))
    return count


def _is_open(tokens: Sequence[Token]) -> bool:
    """Whether somebody is named after the verb: "his visit was long ago, they moved"."""
    verb = next((at for at, token in enumerate(tokens) if token.word in FINITE), len(tokens))
    return any(token.word in _NOMINATIVES for token in tokens[verb:])


def _between_verbs(word: str) -> bool:
    return word in _ADVERBS or word.endswith("ly")


def _subject(left: Sequence[Token]) -> Range | None:
    """The words before the verb of the first clause, with the "On admission," before them."""
    end = _subject_end(left)
    if end is None:
        return None
    return left[0].start, left[end - 1].end if end else left[0].start


def _subject_end(left: Sequence[Token]) -> int | None:
    """Index of the first verb when what stands before it is a subject that can be repeated."""
    verb = next((at for at, token in enumerate(left) if token.word in FINITE), None)
    if verb is None:
        return None
    words = [token.word for token in left[:verb]]
    if words and words[0] in PREPOSITIONS and "," in words:
        words = words[words.index(",") + 1 :]
    plain = not any(word in PREPOSITIONS or word in _JOINTS for word in words)
    return verb if plain and len(words) <= _LONGEST_SUBJECT else None
