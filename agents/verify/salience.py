"""What of one fact a summary should not leave out, and where in the fact it stands.

An atom is a piece of a fact that says one salient thing: one item of a list, one drug that was
changed, one result. `key` names the thing, by its concept where `names` has one, so that a later
note's word on it takes an earlier one's place. Negated statements, relatives' and boilerplate are
none, and neither is a line that only heads others: its words are the `lead` of what follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agents.about import about
from agents.verify import salience_words as words
from agents.verify.names import Kind, Mention, concepts, mentions
from agents.verify.refine import EMPTY_WORDS
from agents.verify.results import abnormal_results
from schemas.alerts import Category
from schemas.completeness import Salience
from schemas.notes import Fact

CONTINUED, PROCEDURES = "continued", "procedures"
"""Leads beside the `ACTIONS` on drugs."""
_CLAUSE = re.compile(r"\s+[-\u2013\u2014]+>?\s+|[.:;]\s+|[.:;]$")
_BREAK = re.compile(r"[,;|\n+]|\s(?:and|&)\s(?=[^,;]*$)|\.\s|\s-\s")
_UNCERTAIN = re.compile(
    r"\b(?:unlikely|ruled out|resolved|not found|absent|negative|screening|risk|prophylaxis"
    r"|cancel\w+|declin\w+|refus\w+|deferred|not done)\b",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"\b(?:if|consider\w*|may|offered|vs|no|not|as|never|avoid)\b[^.]*$", re.IGNORECASE
)
_BULLET = 4
"""Characters before the first word of an item."""
_ABOUT_ALLERGY = re.compile(
    r"\b(?:allerg\w*|intoleran\w*|causes?|reaction|to|anaphyla\w*|history|has|had)\b", re.IGNORECASE
)
_LONG_ALLERGEN = 6
"""Words of what is rather a story."""
_NO_ALLERGEN = frozenset(
    [
        "drug",
        "medication",
        "food",
        "environmental",
        "seasonal",
        "past",
        "medical",
        "known",
        "multiple",
        "documented",
    ]
)
_SNOMED = re.compile(
    r"\((?:procedure|disorder|finding|situation|regime/therapy|substance|organism)\)"
)
_TAG = re.compile(r"\((?:finding|situation)\)")
_WORD = re.compile(r"[a-z0-9]+(?:\.\d+)?")


@dataclass(frozen=True)
class Atom:
    """`fact.text[start:end]` says it."""

    salience: Salience
    key: frozenset[str]
    start: int
    end: int
    named: bool = True
    """Whether `key` is a concept and not just words."""


def atoms(fact: Fact, lead: str | None = None) -> list[Atom]:
    """The salient things of a fact, each once. `lead`: what the line that heads it says of it."""
    text, section = fact.text, fact.section or ""
    if _is_idle(text) or words.NOT_OWN.search(section) or words.FAMILY.search(text):
        return []
    if "allerg" in section.casefold() or words.ALLERGIC_TO.search(text):
        return list(_allergies(text, section))
    if follow_up := _follow_up(text, section):
        return [follow_up, *_changes(text, lead)]
    found = [
        *_changes(text, lead),
        *_procedures(text, section, lead),
        *_results(fact),
        *_problems(text, section),
    ]
    return list({(each.key, each.salience): each for each in reversed(found)}.values())[::-1]


def lead_of(line: str) -> str | None:
    """What a heading says of the lines under it; None: nothing that matters here."""
    if re.search(r"\b(?:continue|unchanged|no change)", line, re.IGNORECASE):
        return CONTINUED
    if re.search(r"\bprocedures?\b", line, re.IGNORECASE):
        return PROCEDURES
    return next((name for name, said in words.ACTIONS.items() if said.search(line)), None)


def is_heading(text: str) -> bool:
    """A line that heads others: it ends in a colon, or is a few words, all in capitals."""
    said = text.strip()
    shouted = said.isupper() and len(said.split()) <= 4 and not mentions(said)
    return said.endswith(":") or (shouted and not any(c.isdigit() for c in said))


def content(text: str) -> frozenset[str]:
    """The words that say something, without plural endings."""
    return frozenset(
        word[:-1] if word.endswith("s") and len(word) > 3 else word
        for word in _WORD.findall(_SNOMED.sub(" ", text.casefold()))
        if word not in EMPTY_WORDS
    )


def is_affirmed(text: str, at: Mention) -> bool:
    """Nothing before it in its clause, and no doubt right after it, takes it back."""
    before = re.split(r"[.;]\s|\bbut\b", text[: at.start])[-1]
    after = re.split(r"[,.;]", text[at.end :], maxsplit=1)[0]
    return not (words.NEGATED.search(before) or _UNCERTAIN.search(after))


def _is_idle(text: str) -> bool:
    said = text.strip()
    return (
        said.endswith("?")
        or is_heading(said)
        or bool(words.BOILERPLATE.search(said) or words.SIGNATURE.search(said))
    )


def _allergies(text: str, section: str) -> Iterator[Atom]:
    """One for each allergen: drugs and the like by name, else what stands before a reaction."""
    begin = _after_label(text)
    drugs = [m for m in mentions(text) if m.kind == Kind.DRUG]
    listed = "allerg" in section.casefold() or begin > 0 or not drugs
    for start, end in _items(text, begin, len(text)):
        item = text[start:end]
        if words.NEGATED.search(text[begin:start].rpartition(";")[2] + item):
            continue
        named = [drug for drug in drugs if start <= drug.start < end]
        if named:  # "ACE-I (lisinopril)": the drug comes after its class
            yield Atom(Salience.ALLERGY, frozenset([named[-1].concept]), start, end)
        elif listed and (key := _allergen(item)):
            yield Atom(Salience.ALLERGY, key, start, end, named=False)


def _allergen(item: str) -> frozenset[str]:
    """The words before a reaction; none where they name nothing to be allergic to."""
    before = re.split(r"[:(]|->|\bcauses?\b", item)[0]
    key = content(_ABOUT_ALLERGY.sub(" ", before))
    return frozenset() if key <= _NO_ALLERGEN or len(key) > _LONG_ALLERGEN else key


def _after_label(text: str) -> int:
    label = re.match(r"[^:]{0,40}?(?:allerg|intoleran)[^:]{0,30}:\s*", text, re.IGNORECASE)
    return label.end() if label else 0


def _follow_up(text: str, section: str) -> Atom | None:
    told = words.FOLLOW_UP.search(text) or words.ORDERED.search(text)
    if told is None and "plan" in section.casefold() and concepts(text, Kind.PROCEDURE):
        told = words.WILL_BE.search(text)
    dated = (
        concepts(text, Kind.CARE)
        and words.WHEN.search(text)
        and re.search(r"plan|dispo|follow", section, re.IGNORECASE)
        and len(text) < 60
    )
    listed = words.FOLLOW_UP_SECTION.search(section) and len(content(text)) > 1
    if not (told or dated or listed) or words.NOT_ARRANGED.search(text):
        return None
    if words.NEGATED.search(text[: told.start()] if told else text):
        return None
    key = concepts(text, Kind.CARE, Kind.RESULT, Kind.PROCEDURE)
    return Atom(Salience.FOLLOW_UP, key or content(text), 0, len(text), named=bool(key))


def _changes(text: str, lead: str | None) -> Iterator[Atom]:
    """One for each drug that was changed: by the heading over it, else by its own words."""
    drugs = [m for m in mentions(text) if m.kind == Kind.DRUG]
    if lead in words.ACTIONS and not words.NEGATED.search(text):
        dosed = about(text, "") == Category.DOSE
        if drugs and (dosed or drugs[0].start <= _BULLET):
            yield Atom(Salience.MEDICATION_CHANGE, frozenset([drugs[0].concept]), 0, len(text))
        elif dosed:
            yield Atom(Salience.MEDICATION_CHANGE, content(text), 0, len(text), named=False)
        return
    moved = change_in(text)
    if moved is None or _HYPOTHETICAL.search(text[: moved.start()]):
        return
    for drug in drugs:
        yield Atom(Salience.MEDICATION_CHANGE, frozenset([drug.concept]), *_clause(text, drug))


def change_in(text: str) -> re.Match[str] | None:
    """The first words that say that a drug was changed."""
    said = [m for each in (*words.ACTIONS.values(), words.ARROW) if (m := each.search(text))]
    return min(said, key=lambda m: m.start(), default=None)


def _procedures(text: str, section: str, lead: str | None) -> Iterator[Atom]:
    title = words.PROCEDURE_TITLE.match(text)
    begin = title.end() if title else 0
    if lead == PROCEDURES:
        yield from _listed_procedures(text, [(begin, len(text))])
    elif words.SURGICAL.search(section):
        yield from _listed_procedures(text, _items(text, begin, len(text)))
    elif not words.PLANNED.search(text):
        done = [m for m in mentions(text) if m.kind == Kind.PROCEDURE and is_affirmed(text, m)]
        for each in done:
            yield Atom(Salience.PROCEDURE, frozenset([each.concept]), *_item(text, each, begin))
        if not done and words.DONE.search(text) and not words.NEGATED.search(text):
            yield Atom(Salience.PROCEDURE, content(text), begin, len(text), named=False)


def _listed_procedures(text: str, items: Iterable[tuple[int, int]]) -> Iterator[Atom]:
    for start, end in items:
        item = text[start:end]
        if content(item) and not (words.NOT_DONE.search(item) or words.ROUTINE.search(item)):
            known = concepts(item, Kind.PROCEDURE)
            yield Atom(Salience.PROCEDURE, known or content(item), start, end, named=bool(known))


def _results(fact: Fact) -> Iterator[Atom]:
    for start, end, key in abnormal_results(fact):
        found = key or content(fact.text[start:end])
        yield Atom(Salience.ABNORMAL_RESULT, found, start, end, named=bool(key))


def _problems(text: str, section: str) -> Iterator[Atom]:
    """Of a list of problems every item; of an assessment what heads it; else what a patient is said
    to have come with, or to have a history of: of that only what has a name, for a cold is over."""
    listed = bool(words.LISTED.search(section))
    head = _head(text) if words.PROBLEM_SECTION.search(section) else 0
    presenting, history = words.PRESENTING.search(text), words.HISTORY_OF.search(text)
    if words.PROBLEM_SECTION.search(section):
        presenting = presenting or words.BELIEVED.search(text)
    if listed or head:
        begin, end = 0, len(text) if listed else head
    elif told := presenting or history:
        begin, end = told.end(), len(text)
    else:
        return
    found = [*_named_problems(text, begin, end), *_other_problems(text, begin, end)]
    if not (listed or head or presenting):
        found = [each for each in found if not words.PASSING.search(text[each.start : each.end])]
    yield from found
    whole = text[begin:end]
    item = len(whole.split()) <= 6 and ":" not in whole
    if listed and item and not found and not words.VERB.search(whole):
        if not words.NEGATED.search(whole):
            yield Atom(Salience.PROBLEM, content(whole), begin, end, named=False)


def _named_problems(text: str, begin: int, end: int) -> Iterator[Atom]:
    for each in mentions(text[:end]):
        if each.kind == Kind.PROBLEM and each.start >= begin and is_affirmed(text, each):
            yield Atom(Salience.PROBLEM, frozenset([each.concept]), *_item(text, each, begin, end))


def _other_problems(text: str, begin: int, end: int) -> Iterator[Atom]:
    """Items that `names` does not know and that sound like an illness."""
    for start, stop in _items(text, begin, end):
        item = text[start:stop]
        if concepts(item, Kind.PROBLEM) or _TAG.search(item) or words.NEGATED.search(item):
            continue
        phrase = not words.VERB.search(item) and len(item.split()) <= 8
        plain = ":" not in item and not any(c.isdigit() for c in item)
        complaint = phrase and plain and start == 0 and words.COMPLAINT.search(item)
        if phrase and (words.ILL.search(item) or complaint):
            yield Atom(Salience.PROBLEM, content(item), start, stop, named=False)


def _head(text: str) -> int:
    """Where the problem of "AKI on CKD - Cr 1.9, improving" ends; 0: it is a sentence."""
    found = _CLAUSE.search(text)
    end = found.start() if found else len(text)
    is_phrase = len(text[:end].split()) <= 10 and not words.VERB.search(text[:end])
    return end if is_phrase else 0


def _clause(text: str, at: Mention) -> tuple[int, int]:
    """The sentence that it stands in, without the problem that it heads."""
    start = max((m.end() for m in re.finditer(r"\n\W*|\.\s", text[: at.start])), default=0)
    return start, len(text)


def _item(text: str, at: Mention, begin: int = 0, end: int | None = None) -> tuple[int, int]:
    for start, stop in _items(text, begin, len(text) if end is None else end):
        if start <= at.start < stop:
            return start, max(stop, at.end)
    return at.start, at.end


def _items(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """The items of a list, without what parts them; brackets hold together."""
    depth, start = 0, begin
    breaks = {m.start(): m.end() for m in _BREAK.finditer(text, begin, end)}
    for at in range(begin, end):
        depth += (text[at] in "([") - (text[at] in ")]")
        if at in breaks and depth <= 0 and at >= start:
            yield from _trimmed(text, start, at)
            start = breaks[at]
    yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    item = text[start:end]
    left = len(item) - len(item.lstrip(" -*#\u2022.\n"))
    right = len(item.rstrip(" .;,\n"))
    if left < right:
        yield start + left, start + right
