"""Whether a text says a salient fact, by the names and numbers in it.

It knows only what `names` knows, and answers yes only where a proposition names the same thing, does
not deny it, and says of it what the chart says: the reaction for an allergy, what was done to a
drug, the value of a result, with whom a follow-up is. Everything else is the judge's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from agents.verify import salience_words as words
from agents.verify.names import mentions
from agents.verify.salience import content, is_affirmed
from agents.verify.salient import SalientFact
from schemas.completeness import Salience
from schemas.propositions import Proposition

_ALLERGIC = re.compile(
    r"allerg|intoler|tolerat|reaction|hives|rash|anaphyla|cough|swelling|angioedema|itch|urticaria"
    r"|nausea|adverse",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"follow|appointment|see |seen|due|repeat|check|refer|order|schedul|draw|pending|obtain|will|to be"
    r"|clinic|visit|return",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
_SAME = (
    frozenset({"stopped"}),
    frozenset({"held"}),
    frozenset({"started", "resumed", "increased", "decreased", "switched"}),
)
"""Of a drug that is given, a text says the dose; of one that is not, it must say so."""


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
        own = not words.FAMILY.search(text) and "family" not in (proposition.section or "").lower()
        affirmed = [each.concept for each in mentions(text) if own and is_affirmed(text, each)]
        return cls(
            proposition, frozenset(affirmed), content(text), _numbers(text), _actions(text)
        )


def naming(fact: SalientFact, statements: Sequence[Statement]) -> list[Statement]:
    """Those that name the thing itself, by its name or by all of its words."""
    if fact.named:
        return [each for each in statements if fact.key <= each.concepts]
    return [
        each
        for each in statements
        if fact.key <= each.words and not words.NEGATED.search(each.proposition.text)
    ]


def says(fact: SalientFact, statement: Statement) -> bool:
    """Whether a statement that names the thing says of it what the chart says."""
    text, section = statement.proposition.text, statement.proposition.section or ""
    match fact.salience:
        case Salience.ALLERGY:
            return bool(_ALLERGIC.search(text)) or "allerg" in section.lower()
        case Salience.MEDICATION_CHANGE:
            return _says_change(fact, statement)
        case Salience.ABNORMAL_RESULT:
            return _says_result(fact, statement)
        case Salience.FOLLOW_UP:
            return bool(_PLAN.search(text)) or "follow" in section.lower()
        case _:
            return True


def _says_change(fact: SalientFact, statement: Statement) -> bool:
    """The same done to it; or, of a drug that is taken, the dose that it has now."""
    text = re.sub(r"\(.*?\)|\bthen stop\b", "", fact.piece.fact.text)
    done = frozenset([fact.lead]) if fact.lead else _actions(fact.piece.fact.text)
    done = done or frozenset({"increased", "decreased"})
    same = next((each for each in _SAME if each & done), frozenset())
    if same & statement.actions:
        return True
    given = not done & {"stopped", "held"}
    doses = _numbers(text)
    return given and bool(doses) and not statement.actions & {"stopped", "held"} and bool(
        doses & statement.numbers
    )


def _says_result(fact: SalientFact, statement: Statement) -> bool:
    """One of its values, or without a value that it is abnormal."""
    values = {number for source in fact.piece.sources for number in _numbers(source.text)}
    if values and statement.numbers:
        return bool(values & statement.numbers)
    text = statement.proposition.text
    return not values or bool(words.ABNORMAL.search(text) or words.FOUND.search(text))


def _numbers(text: str) -> frozenset[str]:
    """`1,840` is 1840 and `2.0` is 2."""
    found = (number.replace(",", "") for number in _NUMBER.findall(text))
    return frozenset(f"{float(number):g}" for number in found)


def _actions(text: str) -> frozenset[str]:
    return frozenset(name for name, said in words.ACTIONS.items() if said.search(text))
