"""Opposites: increased or decreased, started or stopped, normal or abnormal, male or female, …"""

from __future__ import annotations

from ..assertion import Status
from ..finding import Finding
from ..lexicon import name
from ..statement import Statement
from ..trends import implied
from ..words import stem

_AXES = """
trend: increase increased increasing raised rise rising rose climbed uptrending uptitrated up
  | decrease decreased decreasing reduced lowered fell fall dropped declined downtrending
  downtitrated taper tapered
course: improve improved improving better | worsen worse worsening deteriorated exacerbated
  aggravated aggravate
level: elevated high | low decreased depressed
normality: normal unremarkable | abnormal
presence: present positive | absent negative
onset: acute | chronic
degree: mild minimal slight | severe marked
control: controlled | uncontrolled poorly
stability: stable | unstable
benignity: benign | malignant
course_over: resolved | persistent persists persisting ongoing
therapy: start initiate initiated begin began continue continued continues cont resume
  | stop stopped discontinue discontinued held hold
sex: male man gentleman boy | female woman lady girl
cycle: systolic | diastolic
phase: systole | diastole
tolerance: tolerated | intolerant
extent: limited localized | diffuse generalized disseminated
rank: primary | secondary | tertiary
chamber: atrial | ventricular
multiplicity: single | double | triple | multiple
route: oral orally | intravenous intravenously iv | topical topically | inhaled | subcutaneous
code: fullcode | dnr dni
compliance: compliant adherent | noncompliant nonadherent
"""
_NAMES = {"sex": "demographics", "therapy": "drugs", "route": "drugs"}
_HYPER_HYPO = ("hyper", "hypo")


def _table() -> dict[str, tuple[str, int]]:
    table: dict[str, tuple[str, int]] = {}
    for line in _AXES.strip().replace("\n  ", " ").splitlines():
        axis, _, poles = line.partition(":")
        for pole, words in enumerate(poles.split("|")):
            for word in words.split():
                table.setdefault(stem(word), (axis, pole))
    return table


AXIS_OF = _table()


def poles(statement: Statement) -> dict[str, dict[int, str]]:
    """Axis -> pole -> the word that says it. A negated word says the other pole."""
    found: dict[str, dict[int, str]] = {}
    for word in (*statement.words, *implied(statement.quantities)):
        root = stem(word)
        entry = AXIS_OF.get(root)
        if entry is None:
            continue
        axis, pole = entry
        flags = statement.said.get(root, frozenset())
        if flags and all(flag & Status.NEGATED for flag in flags) and axis not in _NAMES:
            pole = 1 - pole if pole < 2 else pole
        found.setdefault(axis, {}).setdefault(pole, word)
    return found


def check(proposition: Statement, fact: Statement) -> list[Finding]:
    """A conflict for each axis on which the fact says only the other pole."""
    findings: list[Finding] = []
    given = poles(fact)
    for axis, wanted in poles(proposition).items():
        there = given.get(axis)
        if not there or len(wanted) > 1:
            continue
        pole, word = next(iter(wanted.items()))
        name = _NAMES.get(axis, "opposites")
        if pole in there:
            findings.append(Finding(name, "agree", f"the chart says {there[pole]}"))
        else:
            other = next(iter(there.values()))
            about = frozenset(
                t.key for t in proposition.terms if stem(t.surface.lower()) == stem(word)
            )
            reason = f"the chart says {other}, not {word}"
            alone = axis == "code"
            if alone:
                reason = "the chart gives another code status"
            findings.append(Finding(name, "conflict", reason, 0.8, about, alone, apart=True))
    findings.extend(_hyper_hypo(proposition, fact))
    return findings


def _hyper_hypo(proposition: Statement, fact: Statement) -> list[Finding]:
    for term in proposition.terms:
        for one, two in (_HYPER_HYPO, _HYPER_HYPO[::-1]):
            if term.key.startswith(one) and term.key not in fact.said:
                mirror = two + term.key.removeprefix(one)
                if mirror in fact.said:
                    reason = f"the chart says {mirror}, not {name(term)}"
                    return [
                        Finding(
                            "opposites", "conflict", reason, 1.0, frozenset({term.key}), apart=True
                        )
                    ]
    return []
