"""Where patients go: the words for each destination and outcome of a stay."""

from __future__ import annotations

from .tables import rows, word_set

_TABLE = """
home: home | residence
a skilled nursing facility: snf | skilled nursing facility | skilled nursing | nursing home
| nursing facility | extended care facility | extended care | ecf
rehabilitation: rehab | rehabilitation | irf
long-term acute care: ltac | ltach | long term acute care | long - term acute care
hospice: hospice
assisted living: assisted living | alf
a psychiatric unit: psychiatric facility | psychiatric hospital | inpatient psychiatry
| psychiatric unit
another hospital: outside hospital | another hospital | other hospital | osh | tertiary center
| tertiary care center
"""
OUTCOMES = {
    "against medical advice": "against medical advice", "left ama": "against medical advice",
    "signed out ama": "against medical advice", "leaving ama": "against medical advice",
    "discharged ama": "against medical advice", "leave ama": "against medical advice",
    "passed away": "death", "expired": "death", "deceased": "death", "died": "death",
    "pronounced dead": "death", "time of death": "death", "eloped": "elopement",
}  # fmt: skip
"""Say by themselves how a stay ended."""
OTHERS = word_set(
    """family friend friends roommate neighbor caregiver dog cat pet donor twin fetus widow widower
    relative relatives sibling boyfriend girlfriend coworker"""
)
"""Who dies in a note beside the patient and relatives."""
ALSO_LAPSES = word_set("expired")
"""Said of prescriptions, cards and drugs as well."""
PATIENT = word_set("patient pt he she who they mr mrs ms man woman infant baby gentleman lady")
TITLES = word_set("mr mrs ms miss")
SAID_OF_DEATH = word_set("has had have was then later soon also since to")
"""Stand between who died and that."""
LEAVES = word_set(
    """discharge discharged discharging dispo disposition transferred transfer dc dcd discontinued
    sent released went returned return placement placed"""
)
"""Stand before a destination. `d/c` has become `discontinued`."""
NOT_OUT = word_set(
    """medication medications meds med oxygen o2 dose regimen insulin health care visit services
    monitor monitoring pt vna nebulizer cpap bipap antibiotics program"""
)
"""After `home`, where it is no destination: on home oxygen."""
BETWEEN = word_set(
    """to in into back from the hospital her his a an stable good condition : , today yesterday
    and was is patient inpatient acute subacute short term under with care - on own - their local
    pending for at destination location facility"""
)


def _destinations() -> dict[tuple[str, ...], str]:
    found = {}
    for row in rows(_TABLE):
        value, _, names = row.partition(":")
        for name in names.split("|"):
            found[tuple(name.split())] = value
    return found


DESTINATIONS = _destinations()
"""Words -> destination."""
