"""A statement as the checks see it: tokens, terms, their status, quantities, side, time mode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from . import allergies, indications
from .abbreviations import said_twice
from .assertion import Status, statuses
from .disposition import Disposition, disposition
from .events import carried_out
from .lexicon import Lexicon, Term
from .quantities import Quantity, quantities
from .relatives import Kin, relatives, whose
from .sides import Side, sides
from .tense import tense
from .times import Time, times
from .trends import implied
from .vocabulary.tables import word_set
from .words import plain, stem, tokens

MAX_TOKENS = 2_500

_CONDITIONAL = word_set(
    """concern concerns concerned suspicion worry if unless should may might could possible
    possibly likely probable suspected case risk consider considered exclude evaluate evaluated
    confirm screen screening differential versus"""
)
_FUTURE = word_set("will would should planned scheduled recommended ordered pending upcoming")
_DONE = word_set(
    "underwent performed received completed had done obtained given administered started initiated"
)
_RESULTS = word_set("no without negative normal positive stable unremarkable shows with after from")
_NOT_DOABLE = frozenset(("problem", "finding", "organism", "anatomy"))
_INHERENT = {
    "afebrile": "fever", "apyrexial": "fever", "no known drug allergy": "drug allergy",
    "anicteric": "jaundice", "asymptomatic": "symptom", "nontender": "tenderness",
    "atraumatic": "trauma", "nonsmoker": "smoking", "acyanotic": "cyanosis",
}  # fmt: skip
"""Words that say in one that something is absent."""
_ROUTES = {
    "by mouth": "by mouth", "po": "by mouth", "orally": "by mouth", "iv": "intravenous",
    "intravenous": "intravenous", "im": "intramuscular", "intramuscular": "intramuscular",
    "sc": "subcutaneous", "sq": "subcutaneous", "subq": "subcutaneous",
    "subcutaneous": "subcutaneous", "subcutaneously": "subcutaneous", "pr": "rectal",
    "rectally": "rectal", "sublingual": "sublingual", "sl": "sublingual", "inhaled": "inhaled",
    "nebulized": "inhaled", "topical": "topical", "topically": "topical",
    "transdermal": "transdermal", "intranasal": "intranasal", "intravenously": "intravenous",
    "oral": "by mouth",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    """Immutable, so that one parse serves every judgement of the same text."""

    words: tuple[str, ...]
    terms: tuple[Term, ...]
    status: tuple[Status, ...]
    """Of each term."""
    quantities: tuple[Quantity, ...]
    times: tuple[Time, ...]
    sides: tuple[Side, ...]
    routes: frozenset[str]
    said: Mapping[str, frozenset[Status]]
    """Concept key or stem -> every status with which it occurs."""
    keys: frozenset[str]
    prefixes: frozenset[str]
    section: frozenset[str]
    tense: str
    """`current`, `past` or `open`."""
    weight: float
    denied: frozenset[str]
    """Stems of all words that are denied, small ones too."""
    done: bool
    """Whether it says that something was carried out."""
    conditional: bool
    """Whether it says what may be, not what is."""
    disposition: Disposition | None
    """Where the patient went, or how the stay ended."""
    relatives: tuple[Kin, ...]
    """Every relative that is named."""
    kin: tuple[Kin | None, ...]
    """Of each term: the relative whose it is."""
    thresholds: tuple[bool, ...]
    """Of each quantity: whether it is a condition or a goal, not a value that was found."""


def parse(text: str, section: str, lexicon: Lexicon) -> Statement:
    """Read one statement. `section` is the heading it stands under; it may be empty."""
    raw = tokens(plain(text))[:MAX_TOKENS]
    words = tuple(token.lower() for token in raw)
    flags = statuses(words, section)
    found = lexicon.terms(raw)
    drugs = {term.start for term in found if term.kind in ("drug", "class")}
    allergies.mark_intolerance(words, drugs, flags)
    long = (range(term.start, term.end) for term in found if term.end - term.start > 1)
    named = {at for places in long for at in places}  # the 2 of type 2 diabetes
    numbers = tuple(
        number._replace(negated=bool(flags[number.start] & Status.NEGATED))
        for number in quantities(raw, found, lexicon.units)
        if number.start not in named
    )
    inside = _placed(numbers) | said_twice(words)
    kept = [term for term in found if term.start not in inside]
    terms: list[Term] = []
    asserted: list[Status] = []
    under = section.lower().replace(":", " ").split()
    ordered = "plan" in under and not (
        carried_out(words) or _RESULTS & set(words) or carried_out(under)
    )
    for term, flag in (_asserted(term, words, flags) for term in kept):
        terms.append(term)
        asserted.append(flag | Status.PLANNED * (ordered and term.kind == "procedure"))
    status = indications.read(words, terms, asserted)
    heading = lexicon.terms(tokens(plain(section))[:20])
    named_kin = relatives(words)
    places = tuple(sides(words, terms))
    said = _said(words, flags, terms, status, lexicon.wider)
    for key in (*(place.value for place in places), *map(stem, implied(numbers))):
        said.setdefault(key, frozenset({Status(0)}))
    return Statement(
        words=words,
        terms=tuple(terms),
        status=tuple(status),
        quantities=numbers,
        times=times(words, terms, frozenset(_placed(numbers, "frequency", "age"))),
        sides=places,
        routes=frozenset(_ROUTES[word] for word in words if word in _ROUTES),
        said=said,
        keys=frozenset(term.key for term in terms),
        prefixes=frozenset(key[:7] for key in said if len(key) >= 7),
        section=frozenset(part for term in heading for part in (term.key, *term.parts)),
        tense=tense(words, section),
        weight=sum(term.weight for term in terms),
        denied=frozenset(
            stem(word) for word, flag in zip(words, flags, strict=True) if flag & Status.NEGATED
        ),
        done=bool(_DONE & set(words)) and not _FUTURE & set(words),
        conditional=bool(_CONDITIONAL & set(words)),
        disposition=disposition(words, flags, section),
        relatives=tuple(kin for _, kin in named_kin),
        kin=tuple(
            whose(named_kin, words, term.start) if flag & Status.FAMILY else None
            for term, flag in zip(terms, status, strict=True)
        ),
        thresholds=tuple(bool(flags[each.start] & Status.HYPOTHETICAL) for each in numbers),
    )


def _placed(numbers: Sequence[Quantity], *kinds: str) -> set[int]:
    """Places of the tokens of quantities, of these kinds or of all."""
    some = [number for number in numbers if not kinds or number.kind in kinds]
    return {at for number in some for at in range(number.start, number.end)}


def _asserted(term: Term, words: Sequence[str], flags: Sequence[Status]) -> tuple[Term, Status]:
    """A term with its status; a word like `afebrile` becomes the finding that it denies."""
    if term.key == "allergy" and words[term.end : term.end + 1] in (("to",), (":",)):
        term = term._replace(key="drug allergy")
    absent = _INHERENT.get(term.surface.lower()) or _INHERENT.get(term.key)
    if absent:
        denied = term._replace(key=absent, kind="finding", parts=(stem(absent),), weight=1.3)
        return denied, Status.NEGATED
    flag = Status(0)
    for at in range(term.start, term.end):
        flag |= flags[at]
    if flag & Status.NOT_DONE and term.kind in _NOT_DOABLE:
        flag &= ~(Status.NOT_DONE | Status.NEGATED)  # a stroke for which tPA was not given
    if term.kind in ("procedure", "measure") and "negative" in words[term.end : term.end + 8]:
        flag &= ~Status.NEGATED  # a test that is negative was done
    return term, flag


def _said(
    words: Sequence[str],
    flags: Sequence[Status],
    terms: Sequence[Term],
    status: Sequence[Status],
    wider: Mapping[str, Sequence[str]],
) -> dict[str, frozenset[Status]]:
    """What is said, with its status. Who has the narrower has the wider; not so who lacks it."""
    said: dict[str, set[Status]] = {}
    for term, flag in zip(terms, status, strict=True):
        more = () if flag & Status.NEGATED else wider.get(term.key, ())
        for key in {term.key, *term.parts, *more}:
            said.setdefault(key, set()).add(flag)
    if any(flag & Status.FAMILY for flag in flags):
        said.setdefault(stem("family"), {Status.FAMILY})
    for word, flag in zip(words, flags, strict=True):
        if word[0].isalnum():
            said.setdefault(stem(word), {flag})
    return {key: frozenset(found) for key, found in said.items()}
