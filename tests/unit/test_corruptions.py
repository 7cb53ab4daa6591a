"""Wrong claims: one change of the kind asked for, the same for a seed, and none where none fits."""

import pytest

from agents.evaluation.corruptions import KINDS, corrupted, corruptions, foreign

CLAIM = "His mother denies pain in the left knee and takes ibuprofen 400 mg for two days."


def changed(claim: str, kind: str, seed: int = 1) -> str:
    found = corrupted(claim, kind, seed)
    assert found is not None
    return found.claim


@pytest.mark.parametrize(
    ("claim", "kind", "one_of"),
    [
        ("Lisinopril 20 mg daily.", "number", {"10", "40", "30", "23"}),
        ("Her A1c was 7.5.", "number", {"3.8", "15.0", "11.2", "10.5"}),
        ("Surgery in 2019.", "number", {"2012", "2025"}),
        ("Metoprolol 25 mg.", "unit", {"mcg", "g"}),
        ("Right hip pain.", "side", {"Left"}),
        ("The patient denies fever.", "negation", {"reports"}),
        ("The patient does not have asthma.", "negation", {"has"}),
        ("The patient has asthma.", "negation", {"does not have"}),
        ("She takes apixaban.", "drug", {"warfarin", "rivaroxaban", "clopidogrel"}),
        ("It began three weeks ago.", "time", {"days", "months", "years"}),
        ("Mother had breast cancer.", "family_member",
         {"Father", "Brother", "Sister", "Son", "Daughter", "Grandmother", "Grandfather", "Aunt",
          "Uncle"}),
    ],
)  # fmt: skip
def test_one_place_is_changed_and_named(claim: str, kind: str, one_of: set[str]) -> None:
    seen = set()
    for seed in range(60):
        found = corrupted(claim, kind, seed)
        seen.add(found.claim[found.start : found.end])
        tail = found.claim[found.end :]
        assert claim.startswith(found.claim[: found.start])
        assert claim.endswith(tail)
        assert found.claim != claim == found.original
    assert seen == one_of


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("Type 2 diabetes.", "number"),
        ("Tested for COVID-19 and vitamin B12.", "number"),
        ("She feels well.", "side"),
        ("Leftover food", "side"),
        ("An image was taken.", "unit"),
        ("The patient presents with a cough.", "family_member"),
        ("A cough.", "negation"),
    ],
)
def test_where_nothing_fits_nothing_is_made_up(claim: str, kind: str) -> None:
    assert corrupted(claim, kind, 1) is None


def test_every_kind_that_fits_is_made_once_and_a_seed_repeats() -> None:
    found = corruptions(CLAIM, seed=4)
    assert [each.kind for each in found] == list(KINDS)
    assert found == corruptions(CLAIM, seed=4)
    assert any(found != corruptions(CLAIM, seed=seed) for seed in range(5, 9))


CLAIMS = {
    "p1": ["The patient has asthma and uses albuterol."],
    "p2": ["The patient has a herniated lumbar disc.", "The patient has asthma."],
    "p3": ["The patient underwent cataract surgery."],
}
CHART = "Asthma, well controlled on albuterol. No surgery."


def test_foreign_claims_are_of_others_and_share_few_words_with_the_chart() -> None:
    found = foreign(CLAIMS, "p1", CHART, n=5, seed=1)
    assert sorted(found) == [
        "The patient has a herniated lumbar disc.",
        "The patient underwent cataract surgery.",
    ]
    assert len(foreign(CLAIMS, "p1", CHART, n=1, seed=1)) == 1
    assert found == foreign(CLAIMS, "p1", CHART, n=5, seed=1)


def test_capitals_stay() -> None:
    assert changed("Left knee pain.", "side").startswith("Right")
    assert changed("Denies fever.", "negation").startswith("Reports")
