"""What `it` is: a proposition that cannot be understood alone is read by the text before it.

"It was stopped on day 3" takes its subject from the nearest preceding mention of something that can
be stopped. The text before is context and never evidence: it only says which statement is to be
verified, and that statement is then judged by the chart alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .lexicon import Lexicon, Term
from .vocabulary import reference as said
from .words import plain, tokens

BEFORE = 1_500
"""Characters of the text before a proposition that are read: the last ones."""
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)?|\d[\d.,]*|[.;,]")
_DRUGS = ("drug", "class")
_PROBLEMS = ("problem", "finding")
_NOUNS = (
    (said.DRUG_NOUNS | said.OF_DRUGS, _DRUGS),
    (said.PROCEDURE_NOUNS, ("procedure",)),
    (said.PROBLEM_NOUNS, _PROBLEMS),
    (said.OF_MEASURES, ("measure", "procedure")),
)
_VERBS = (
    (said.DRUG_VERBS, _DRUGS),
    (said.PROBLEM_VERBS, _PROBLEMS),
    (said.PROCEDURE_VERBS, ("procedure",)),
    (said.MEASURE_VERBS, ("measure",)),
)
_ANY = ("drug", "class", "problem", "finding", "procedure", "organism", "measure")
_JOINS = frozenset((",", "and", "or", "&"))


class Read(NamedTuple):
    """A sentence as it is to be understood; `meant` is what its reference stands for, if any."""

    text: str
    meant: str = ""
    word: str = ""


class _Reference(NamedTuple):
    start: int
    end: int
    word: str
    kinds: tuple[str, ...]
    many: bool = False
    part: bool = False
    """A part of what is meant: the dose of it."""


def before(proposition: str, surroundings: str) -> str:
    """The text that stands before a proposition; empty when its place is not found.

    A claim is often reworded, so its place is then the sentence with most of its words.
    """
    at = surroundings.find(proposition.strip())
    if at < 0:
        at = _likest(proposition, surroundings)
    return surroundings[max(0, at - BEFORE) : max(at, 0)]


def _likest(proposition: str, surroundings: str) -> int:
    wanted = set(_WORD.findall(proposition.lower()))
    best, place = 0.6, -1
    for sentence in re.finditer(r"[^.!?\n]+", surroundings):
        here = set(_WORD.findall(sentence[0].lower()))
        share = len(wanted & here) / len(wanted) if wanted else 0.0
        if share > best:
            best, place = share, sentence.start()
    return place


def understood(sentence: str, earlier: str, lexicon: Lexicon) -> Read:
    """A sentence with its reference replaced by the nearest thing of its kind in `earlier`."""
    if not earlier.strip():
        return Read(sentence)
    reference = _reference(sentence, lexicon)
    if reference is None:
        return Read(sentence)
    meant = _nearest(earlier, reference, lexicon)
    if not meant:
        return Read(sentence)
    put = f"{sentence[reference.start : reference.end]} of {meant}" if reference.part else meant
    text = f"{sentence[: reference.start]}{put}{sentence[reference.end :]}"
    return Read(text, meant, reference.word)


def _reference(sentence: str, lexicon: Lexicon) -> _Reference | None:
    """The pronoun or bare noun that needs a subject; None when the sentence names one itself."""
    found = list(_WORD.finditer(sentence))
    words = [each[0].lower() for each in found]
    named = [term for term in lexicon.terms(tokens(plain(sentence))) if term.kind in _ANY]
    for at, word in enumerate(words):
        if word in said.SINGULAR | said.PLURAL and _stands_for(words, at):
            kinds = _kinds(words, _VERBS)
            if _names(named, sentence[: found[at].start()], kinds):
                return None
            start, end = found[at].span()
            return _Reference(start, end, word, kinds, many=word in said.PLURAL)
        if at and words[at - 1] in ("the", "this", "that") and not _of_something(words, at):
            kinds = _kinds((word,), _NOUNS)
            if kinds and not _names(named, sentence, kinds):
                part = word in said.OF_DRUGS | said.OF_MEASURES
                start = found[at].start() if part else found[at - 1].start()
                return _Reference(start, found[at].end(), f"the {word}", kinds, part=part)
    return None


def _stands_for(words: Sequence[str], at: int) -> bool:
    """Whether a pronoun refers to something: not `it was felt that`, nor `this patient`."""
    after = words[at + 1 : at + 4]
    if words[at] in ("it", "they", "them"):
        return not said.DUMMY & set(after)
    if words[at] == "both":
        return at == 0 and bool(after) and after[0] in said.LINKING
    verb = bool(after) and (after[0] in said.LINKING or after[0].endswith("ed"))
    return verb and (at == 0 or words[at - 1] in (".", ";", ",", "and", "but", "then"))


def _of_something(words: Sequence[str], at: int) -> bool:
    return words[at + 1 : at + 2] == ["of"] and words[at + 2 : at + 3] not in (["it"], ["this"])


def _kinds(
    words: Sequence[str], table: Sequence[tuple[frozenset[str], tuple[str, ...]]]
) -> tuple[str, ...]:
    found = [kinds for cues, kinds in table if cues & set(words)]
    if not found:
        return _ANY if table is _VERBS else ()
    return tuple(dict.fromkeys(kind for kinds in found for kind in kinds))


def _names(named: Sequence[Term], text: str, kinds: Sequence[str]) -> bool:
    """Whether one of the things that could be meant stands in `text` itself."""
    lowered = " ".join(tokens(plain(text))).lower()
    return any(term.kind in kinds and term.surface.lower() in lowered for term in named)


def _nearest(earlier: str, reference: _Reference, lexicon: Lexicon) -> str:
    """As written: the last term of a fitting kind, with those it is listed with if many."""
    raw = tokens(plain(earlier))
    terms = [term for term in lexicon.terms(raw) if term.kind in reference.kinds]
    if not terms:
        return ""
    chosen = [terms.pop()]
    while reference.many and terms and set(raw[terms[-1].end : chosen[0].start]) <= _JOINS:
        chosen.insert(0, terms.pop())
    return " and ".join(term.surface for term in chosen)
