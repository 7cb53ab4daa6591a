"""Which of two versions of a document is newer."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agents.indexing.versions import Order, advanced, compare, is_same_version
from schemas.notes import DocumentVersion

EARLY = datetime(2024, 3, 1, 8, tzinfo=UTC)
LATE = datetime(2024, 3, 1, 9, tzinfo=UTC)


def version(version_id: str | None, last_updated: datetime | None, content: str) -> DocumentVersion:
    return DocumentVersion(version_id=version_id, last_updated=last_updated, content_hash=content)


@pytest.mark.parametrize(
    ("stored", "arriving", "expected"),
    [
        # Numbers count, also past the ninth, and decide before times do.
        (("1", None, "a"), ("2", None, "b"), Order.NEWER),
        (("9", None, "a"), ("10", None, "b"), Order.NEWER),
        (("10", None, "a"), ("9", None, "b"), Order.OLDER),
        (("2", EARLY, "a"), ("1", LATE, "b"), Order.OLDER),
        (("9" * 5000, None, "a"), ("1" + "0" * 5000, None, "b"), Order.NEWER),
        (("007", None, "a"), ("7", None, "b"), Order.NEWER),
        (("0", None, "a"), ("1", None, "b"), Order.NEWER),
        # The same content under another number is still another version.
        (("1", None, "a"), ("2", None, "a"), Order.NEWER),
        (("3", None, "a"), ("2", None, "a"), Order.OLDER),
        # Ids that do not count leave it to the time.
        (("8f14e45f", EARLY, "a"), ("c9f0f895", LATE, "b"), Order.NEWER),
        (("8f14e45f", LATE, "a"), ("c9f0f895", EARLY, "b"), Order.OLDER),
        (('W/"3"', LATE, "a"), ('W/"4"', EARLY, "b"), Order.OLDER),
        (("5", EARLY, "a"), ("c9f0f895", LATE, "b"), Order.NEWER),
        (("5", LATE, "a"), (None, EARLY, "b"), Order.OLDER),
        (("²", EARLY, "a"), ("1", LATE, "b"), Order.NEWER),
        # One number, two contents: the time, or else what comes later.
        (("1", EARLY, "a"), ("1", LATE, "b"), Order.NEWER),
        (("1", LATE, "a"), ("1", EARLY, "b"), Order.OLDER),
        (("1", EARLY, "a"), ("1", EARLY, "b"), Order.NEWER),
        (("1", None, "a"), ("1", None, "b"), Order.NEWER),
        # Nothing to go by: what comes later, unless it says the same.
        ((None, None, "a"), (None, None, "b"), Order.NEWER),
        ((None, None, "a"), (None, None, "a"), Order.SAME),
        ((None, EARLY, "a"), (None, EARLY, "a"), Order.SAME),
        (("1", EARLY, "a"), ("1", EARLY, "a"), Order.SAME),
        (("1", EARLY, "a"), (None, None, "b"), Order.NEWER),
        ((None, None, "a"), ("1", EARLY, "b"), Order.NEWER),
    ],
)
def test_order(
    stored: tuple[str | None, datetime | None, str],
    arriving: tuple[str | None, datetime | None, str],
    expected: Order,
) -> None:
    assert compare(version(*stored), version(*arriving)) is expected


def test_what_an_arriving_version_does_not_say_is_kept() -> None:
    known = version("7", EARLY, "a")
    assert advanced(known, version(None, None, "b")) == version("7", EARLY, "b")
    assert advanced(known, version("8", LATE, "b")) == version("8", LATE, "b")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("7", EARLY, "a"), ("7", LATE, "b"), True),
        (("7", EARLY, "a"), ("8", EARLY, "a"), False),
        ((None, EARLY, "a"), ("8", EARLY, "b"), True),
        ((None, None, "a"), (None, None, "a"), False),
    ],
)
def test_whether_both_say_they_are_one_version(
    one: tuple[str | None, datetime | None, str],
    other: tuple[str | None, datetime | None, str],
    same: bool,
) -> None:
    assert is_same_version(version(*one), version(*other)) is same
