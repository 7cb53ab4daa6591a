"""`chartproof verify`: publish a text, yield verdicts as they come, end with the score sheet."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from agents.events import read_event
from schemas.events import Event, Position
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.texts import TextGenerated
from schemas.topics import INBOUND_TEXTS, OUTCOMES, SCORESHEETS, VERDICTS
from schemas.verdicts import ScoreSheetIssued, Verdict, VerdictIssued
from streams.cli.client import Client

ALL_SUPPORTED, SOMETHING_IS_NOT, COULD_NOT_VERIFY = 0, 1, 2
"""Exit codes."""
QUIET_SECONDS = 120.0


class VerificationError(Exception):
    """The text has no score sheet; the message says why and what to do."""


async def verify(
    client: Client, text: TextGenerated, *, quiet_s: float = QUIET_SECONDS
) -> AsyncIterator[VerdictIssued | ScoreSheetIssued]:
    """Verdicts in the order they become known; the score sheet is the last item.

    Raises `VerificationError` when the text was dead-lettered or nothing was heard of it for
    `quiet_s` seconds, whatever is heard of others; `DependencyUnavailable` when the broker is away.
    """
    async with client.follow([VERDICTS, SCORESHEETS, OUTCOMES]) as records:
        source = await client.publish(INBOUND_TEXTS, text.to_json(), text.key)
        seen: set[str] = set()
        sheet: ScoreSheetIssued | None = None
        heard = asyncio.get_running_loop().time()
        # Nothing orders one topic against another: the sheet may be read before the last verdicts,
        # which the broker has had since before it.
        while sheet is None or len(seen) < len(sheet.judged):
            try:
                async with asyncio.timeout_at(heard + quiet_s):
                    topic, record = await anext(records)
            except TimeoutError:
                raise VerificationError(
                    f"Nothing was heard of this text for {quiet_s:g} s. Is a worker running, or "
                    "busy with what came before? `chartproof doctor` tells what is reachable."
                ) from None
            event = read_event(topic, record.value)
            if not _is_of(event, text, source):
                continue
            heard = asyncio.get_running_loop().time()
            _raise_if_dead(event)
            if isinstance(event, ScoreSheetIssued):
                sheet = event
            if isinstance(event, VerdictIssued):
                proposition = event.judged.proposition.proposition_id
                if proposition not in seen:
                    seen.add(proposition)
                    yield event
        yield sheet


def exit_code(sheet: ScoreSheetIssued) -> int:
    """0 all supported, 1 something is not, 2 something could not be verified."""
    if sheet.counts[Verdict.FAILED]:
        return COULD_NOT_VERIFY
    supported = sheet.counts[Verdict.SUPPORTED] == len(sheet.judged)
    return ALL_SUPPORTED if supported else SOMETHING_IS_NOT


def _is_of(event: Event, text: TextGenerated, source: Position) -> bool:
    if isinstance(event, OutcomeRecorded):
        return event.source == source
    return isinstance(event, ScoreSheetIssued | VerdictIssued) and event.text_id == text.text_id


def _raise_if_dead(event: Event) -> None:
    if isinstance(event, OutcomeRecorded) and event.outcome == Outcome.DEAD_LETTERED:
        raise VerificationError(f"The text could not be processed ({event.reason}): {event.detail}")
