"""What was fetched for a resource, so that reading it stays pure.

Reading never waits: what needs a server ends with `Ended.wants`, `receive` fetches that and reads
the resource again with the answer at hand. Offline the first end stands, and says what is missing.
"""

from __future__ import annotations

from collections.abc import Mapping

from agents.errors import PermanentError
from agents.intake.reasons import Ended, Reason
from agents.ports import Fetched

Answers = Mapping[str, Fetched | PermanentError]
"""By reference: what a server holds there, or why it will not give it."""


def answer_to(reference: str, answers: Answers, *, unasked: Reason) -> Fetched:
    """The answer to `reference`. Raises `Ended`: as `unasked` and with `wants` when there is none,
    and with the fetch's own reason when it failed for good."""
    found = answers.get(reference)
    if found is None:
        raise Ended(unasked, wants=reference)
    if isinstance(found, PermanentError):
        known = (reason for reason in Reason if reason.value == found.reason)
        raise Ended(next(known, Reason.ATTACHMENT_REFUSED), str(found))
    return found
