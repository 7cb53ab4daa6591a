"""Verdicts and the score sheet come on different topics, in any order, and may come twice."""

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest

from agents.ports import Record
from schemas.events import Event, Position
from schemas.outcomes import Outcome, OutcomeRecorded
from schemas.propositions import Proposition
from schemas.texts import TextGenerated, VerificationSettings
from schemas.topics import OUTCOMES, SCORESHEETS, VERDICTS
from schemas.verdicts import (
    JudgedProposition,
    Provenance,
    ScoreSheetIssued,
    Verdict,
    VerdictIssued,
)
from streams.cli.verify import VerificationError, exit_code, verify

NOW = datetime(2031, 1, 1, tzinfo=UTC)
SOURCE = Position(topic="in", partition=0, offset=3)
PROVENANCE = Provenance(
    chart_position=SOURCE, settings=VerificationSettings(), models={"judge": "1"}
)
TOPIC_OF = {VerdictIssued: VERDICTS, ScoreSheetIssued: SCORESHEETS, OutcomeRecorded: OUTCOMES}


def row(n: int, verdict: Verdict = Verdict.SUPPORTED) -> JudgedProposition:
    return JudgedProposition(
        proposition=Proposition(
            proposition_id=f"p{n}", ordinal=n, unit="claim", text="t", start=0, end=1
        ),
        verdict=verdict,
        confidence=1.0,
        reason="r",
    )


def verdict(n: int, text_id: str = "mine") -> VerdictIssued:
    return VerdictIssued(
        occurred_at=NOW, text_id=text_id, patient_id="p", judged=row(n), provenance=PROVENANCE
    )


def sheet(*rows: JudgedProposition, text_id: str = "mine") -> ScoreSheetIssued:
    return ScoreSheetIssued(
        occurred_at=NOW,
        text_id=text_id,
        patient_id="p",
        counts={label: sum(r.verdict == label for r in rows) for label in Verdict},
        shares=dict.fromkeys(Verdict, 0.0),
        summaries={},
        judged=rows,
        facts_in_chart=1,
        provenance=PROVENANCE,
    )


class ScriptedClient:
    def __init__(self, *events: Event) -> None:
        self._events = events

    async def publish(self, topic, value: bytes, key: str | None = None) -> Position:
        return SOURCE

    @asynccontextmanager
    async def follow(self, topics):
        async def records():
            for event in self._events:
                yield TOPIC_OF[type(event)], Record("t", 0, 0, None, event.to_json())

        yield records()


TEXT = TextGenerated(occurred_at=NOW, text_id="mine", patient_id="p", text="t")


async def events_of(*events: Event) -> list[Event]:
    return [each async for each in verify(ScriptedClient(*events), TEXT, quiet_s=1)]


async def test_a_sheet_that_is_read_first_waits_for_its_verdicts() -> None:
    found = await events_of(verdict(0), sheet(row(0), row(1)), verdict(1))
    assert [type(each) for each in found] == [VerdictIssued, VerdictIssued, ScoreSheetIssued]


async def test_repeats_and_other_texts_are_left_out() -> None:
    found = await events_of(
        verdict(0, "other"), verdict(0), verdict(0), sheet(text_id="other"), sheet(row(0))
    )
    assert [each.text_id for each in found] == ["mine", "mine"]


async def test_a_dead_letter_of_this_text_says_why_and_of_another_is_not_ours() -> None:
    dead = OutcomeRecorded(
        occurred_at=NOW,
        source=SOURCE,
        outcome=Outcome.DEAD_LETTERED,
        reason="text_too_large",
        detail="Verify it in parts.",
    )
    other = dead.model_copy(update={"source": SOURCE.model_copy(update={"offset": 9})})
    with pytest.raises(VerificationError, match=r"text_too_large.*Verify it in parts"):
        await events_of(other, dead)
    assert len(await events_of(other, sheet())) == 1


class BusyClient(ScriptedClient):
    """Events of others without end, and nothing of this text."""

    @asynccontextmanager
    async def follow(self, topics):
        async def records():
            while True:
                await asyncio.sleep(0.01)
                for event in self._events:
                    yield TOPIC_OF[type(event)], Record("t", 0, 0, None, event.to_json())

        yield records()


async def test_only_what_is_of_this_text_moves_its_deadline() -> None:
    busy = BusyClient(verdict(0, "other"), sheet(text_id="other"))
    async with asyncio.timeout(20):
        with pytest.raises(VerificationError, match=r"Nothing was heard of this text for 0.2 s"):
            async for _ in verify(busy, TEXT, quiet_s=0.2):
                pass


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([], 0),
        ([Verdict.SUPPORTED, Verdict.SUPPORTED], 0),
        ([Verdict.SUPPORTED, Verdict.NOT_ADDRESSED], 1),
        ([Verdict.ABSTAINED], 1),
        ([Verdict.NOT_SUPPORTED, Verdict.FAILED], 2),
    ],
)
def test_the_exit_code_says_what_was_found(verdicts: list[Verdict], code: int) -> None:
    assert exit_code(sheet(*[row(n, each) for n, each in enumerate(verdicts)])) == code
