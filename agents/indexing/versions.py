"""Which of two versions of one document is newer.

The rule, first that decides:

1. Both have a numeric `versionId` and they differ: the higher is newer. (FHIR leaves the form of
   `versionId` open; those that count, count up. Others - GUIDs, ETags - say nothing of order.)
2. Both have a `lastUpdated` and they differ: the later one is newer.
3. The content is equal: they are the same.
4. What arrives later is newer: some servers send no `meta` at all, some change a resource under
   the same `versionId`, some keep `lastUpdated` to the second.

Equal content does not make two versions the same where rule 1 or 2 orders them. A no-op update
that raises `versionId` must be remembered, or a version between the two, when it comes late, would
pass for new.
"""

from __future__ import annotations

from enum import Enum

from schemas.notes import DocumentVersion


class Order(Enum):
    """What an arriving version is to the stored one."""

    NEWER = "newer"
    SAME = "same"
    OLDER = "older"


def compare(
    stored: DocumentVersion, arriving: DocumentVersion, *, arrived_later: bool = True
) -> Order:
    """What `arriving` is to `stored`, by the rule of this module.

    `arrived_later` is what rule 4 goes by. A chart transfer brings a version long after intake had
    it, and then intake's times say which of the two came first.
    """
    counts = _count(stored.version_id), _count(arriving.version_id)
    if counts[0] and counts[1] and counts[0] != counts[1]:
        return Order.NEWER if counts[1] > counts[0] else Order.OLDER
    times = stored.last_updated, arriving.last_updated
    if times[0] and times[1] and times[0] != times[1]:
        return Order.NEWER if times[1] > times[0] else Order.OLDER
    if stored.content_hash == arriving.content_hash:
        return Order.SAME
    return Order.NEWER if arrived_later else Order.OLDER


def is_same_version(stored: DocumentVersion, arriving: DocumentVersion) -> bool:
    """Whether both say that they are the same version, whatever their content is."""
    if stored.version_id and arriving.version_id:
        return stored.version_id == arriving.version_id
    return stored.last_updated is not None and stored.last_updated == arriving.last_updated


def advanced(stored: DocumentVersion, arriving: DocumentVersion) -> DocumentVersion:
    """The newer `arriving`, with what it does not say of itself taken from `stored`.

    So a copy without `meta` does not make the document forget which version it had come to.
    """
    return DocumentVersion(
        version_id=arriving.version_id or stored.version_id,
        last_updated=arriving.last_updated or stored.last_updated,
        content_hash=arriving.content_hash,
    )


def _count(version_id: str | None) -> tuple[int, str] | None:
    """A numeric id as something to compare: `int` refuses more than 4,300 digits."""
    if version_id is None or not (version_id.isascii() and version_id.isdigit()):
        return None
    digits = version_id.lstrip("0")
    return len(digits), digits
