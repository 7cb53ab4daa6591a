"""Coverage match: whether a text states a salient fact, by the names and numbers in it.

It answers yes only where a proposition names the same thing, does not deny it, and states of it
what the chart states: the reaction for an allergy, what was done to a drug, the value of a result,
when a follow-up is. Everything else is the judge's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from agents.omissions.consolidation import SalientFact
from agents.omissions.salience.atom import NEGATED, content, is_affirmed
from agents.omissions.salience.changes import ACTIONS, actions
from agents.omissions.salience.names import mentions
from agents.omissions.salience.plans import ORDERED, WHEN
from agents.omissions.salience.reading import OTHER_EXPERIENCER
from agents.omissions.salience.results import ABNORMAL, FOUND
from schemas.completeness import Salience
from schemas.propositions import Proposition

_REACTION = re.compile(
    r"hives|urticaria|rash|anaphyla|cough|swelling|angioedema|itch|nausea|vomit|diarrhea"
    r"|short(?:ness)? of breath|wheez|dizz|headache|hypotension",
    re.IGNORECASE,
)
_ALLERGIC = re.compile(r"allerg|intoler|tolerat|reaction|adverse", re.IGNORECASE)
_PLAN = re.compile(
    r"follow|appointment|see |seen|due|repeat|check|refer|order|schedul|draw|pending|obtain|will"
    r"|to be|clinic|visit|return",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
_SAME = (
    frozenset({"stopped"}),
    frozenset({"held"}),
    frozenset({"started", "resumed"}),
    frozenset({"increased", "switched"}),
    frozenset({"decreased", "switched"}),
)
"""What is done to a drug, in words that mean the same."""
_TAKEN = re.compile(
    r"\b(?:on|tak(?:es|ing|en)|receiv\w+|given|treated|home (?:on|with)|discharged|finish\w*"
    r"|complet\w+|medications?)\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"\bcontinu\w+|\bfrom home\b|\bhome med|\bchronic", re.IGNORECASE)
_MANY, _MOST = 4, 0.75
"""Of so many words without a name, the share that identifies the thing."""
_PLANNED_SHARE = 0.5
"""Of the words of a plan without a date, those that a text must have to say it."""


@dataclass(frozen=True)
class Statement:
    """A proposition and what it names."""

    proposition: Proposition
    concepts: frozenset[str]
    words: frozenset[str]
    numbers: frozenset[str]
    actions: frozenset[str]

    @classmethod
    def of(cls, proposition: Proposition) -> Self:
        """Nothing is named by a statement of a relative; what is denied is not named."""
        text = proposition.text
        own = (
            not OTHER_EXPERIENCER.search(text)
            and "family" not in (proposition.section or "").lower()
        )
        affirmed = [each.concept for each in mentions(text) if own and is_affirmed(text, each)]
        return cls(proposition, frozenset(affirmed), content(text), _numbers(text), actions(text))


def naming(fact: SalientFact, statements: Sequence[Statement]) -> list[Statement]:
    """Those that name the thing itself: by its name, or by nearly all of its words."""
    if fact.salience == Salience.FOLLOW_UP and fact.named:
        return [each for each in statements if fact.key & each.concepts and _is_plan(each)]
    if fact.named:
        return [each for each in statements if fact.key <= each.concepts]
    key = frozenset(word for word in fact.key if not word[0].isdigit()) or fact.key
    enough = len(key) if len(key) < _MANY else _MOST * len(key)
    return [
        each
        for each in statements
        if len(key & each.words) >= enough and not NEGATED.search(each.proposition.text)
    ]


def entails(fact: SalientFact, statement: Statement) -> bool:
    """Whether a statement that names the thing entails what the chart states of it."""
    text, section = statement.proposition.text, statement.proposition.section or ""
    match fact.salience:
        case Salience.ALLERGY:
            return _entails_allergy(fact, f"{text} {section}")
        case Salience.MEDICATION_CHANGE:
            return _entails_change(fact, statement)
        case Salience.ABNORMAL_RESULT:
            return _entails_result(fact, statement)
        case Salience.FOLLOW_UP:
            return _entails_plan(fact, statement)
        case _:
            return True


def _entails_allergy(fact: SalientFact, text: str) -> bool:
    """That there is one; and where both name reactions, one of them in common."""
    in_chart = {
        r.casefold() for each in fact.evidence.sources for r in _REACTION.findall(each.text)
    }
    in_text = {r.casefold() for r in _REACTION.findall(text)}
    return (
        bool(in_chart & in_text)
        if in_chart and in_text
        else bool(in_text or _ALLERGIC.search(text))
    )


def _entails_change(fact: SalientFact, statement: Statement) -> bool:
    """The same done to it; or, of a drug that is taken, that it is, or the dose that it has now."""
    text = re.sub(r"\(.*?\)|\bthen stop\b", "", fact.evidence.fact.text)
    done = frozenset([fact.lead]) if fact.lead and fact.lead in ACTIONS else actions(text)
    done = done or frozenset({"increased", "decreased"})
    if any(same & done and same & statement.actions for same in _SAME):
        return True
    if any(_is_out(each) for each in (done, statement.actions)):
        return False
    context = f"{statement.proposition.text} {statement.proposition.section or ''}"
    new = done & {"started", "resumed"} and _TAKEN.search(context) and not _BEFORE.search(context)
    return bool(new or _numbers(text) & statement.numbers)


def _is_out(done: frozenset[str]) -> bool:
    """Stopped or held, and not taken up again."""
    return bool(done & {"stopped", "held"}) and not done & {"resumed", "started"}


def _is_plan(statement: Statement) -> bool:
    proposition = statement.proposition
    return bool(_PLAN.search(proposition.text)) or "follow" in (proposition.section or "").lower()


def _entails_plan(fact: SalientFact, statement: Statement) -> bool:
    """A plan, with a number of its date; or without one an order, or most of its words."""
    if not _is_plan(statement):
        return False
    dates = _numbers(" ".join(m[0] for m in WHEN.finditer(fact.statement)))
    if dates:
        return bool(dates & statement.numbers)
    if fact.named and not fact.key <= statement.concepts:
        return False
    words = content(fact.statement)
    ordered = fact.named and ORDERED.search(fact.statement)
    return bool(ordered) or len(words & statement.words) >= _PLANNED_SHARE * len(words)


def _entails_result(fact: SalientFact, statement: Statement) -> bool:
    """One of its values, or without a value that it is abnormal."""
    values = {number for source in fact.evidence.sources for number in _numbers(source.text)}
    if values and statement.numbers:
        return bool(values & statement.numbers)
    text = statement.proposition.text
    return not values or bool(ABNORMAL.search(text) or FOUND.search(text))


def _numbers(text: str) -> frozenset[str]:
    """`1,840` is 1840 and `2.0` is 2."""
    numbers = (number.replace(",", "") for number in _NUMBER.findall(text))
    return frozenset(f"{float(number):g}" for number in numbers)
