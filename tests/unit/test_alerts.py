"""Alerts: what a proposition is about, how severe that is, who says so, and what is one alert."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from agents.alerting.alerter import Alerter
from agents.alerting.policy import DEFAULT_POLICY, read_policy
from agents.errors import PermanentError
from agents.ports import Record
from agents.verification.category import category_of
from schemas.alerts import AlertRaised, Severity, TextAlertRaised
from schemas.events import Event, Position
from schemas.propositions import Proposition
from schemas.texts import VerificationSettings
from schemas.topics import SCORESHEETS, VERDICTS
from schemas.verdicts import (
    Category,
    JudgedProposition,
    Provenance,
    ScoreSheetIssued,
    Verdict,
    VerdictIssued,
)

NOW = datetime(2031, 5, 4, 12, tzinfo=UTC)
AT_ONCE = read_policy().model_copy(update={"immediate": frozenset(Severity)})


class FixedClock:
    def now(self) -> datetime:
        return NOW


def judged(
    text: str,
    verdict: Verdict = Verdict.NOT_SUPPORTED,
    *,
    section: str | None = None,
    checks: tuple[str, ...] = (),
    ordinal: int = 0,
    probability_supported: float | None = None,
) -> JudgedProposition:
    proposition = Proposition(
        proposition_id=f"{text}/{ordinal}", ordinal=ordinal, unit="claim", text=text, start=0,
        end=len(text), section=section,
    )  # fmt: skip
    return JudgedProposition(
        proposition=proposition,
        verdict=verdict,
        confidence=0.9,
        reason="r",
        checks=checks,
        category=category_of(proposition, checks),
        probability_supported=probability_supported,
    )


def issued(row: JudgedProposition, offset: int = 1, text_id: str = "t1") -> VerdictIssued:
    return VerdictIssued(
        occurred_at=NOW, text_id=text_id, patient_id="p1", judged=row, provenance=judged_at(offset)
    )


def sheet(*rows: JudgedProposition, offset: int = 1, text_id: str = "t1") -> ScoreSheetIssued:
    return ScoreSheetIssued(
        occurred_at=NOW, text_id=text_id, patient_id="p1", counts={}, shares={}, summaries={},
        judged=rows, facts_in_chart=1, provenance=judged_at(offset),
    )  # fmt: skip


def judged_at(offset: int) -> Provenance:
    return Provenance(
        chart_position=Position(topic="chart", partition=0, offset=offset),
        settings=VerificationSettings(),
        models={},
    )


async def alerts(
    *events: VerdictIssued | ScoreSheetIssued, alerter: Alerter | None = None
) -> list[Any]:
    """By default all severities alert at once."""
    alerter = alerter or Alerter(FixedClock(), AT_ONCE)
    emitted: list[Event] = []

    async def emit(event: Event) -> None:
        emitted.append(event)

    for event in events:
        if isinstance(event, VerdictIssued):
            record = Record(VERDICTS.name, 0, 0, b"p1", event.to_json())
            await alerter.verdict(record, emit)
        else:
            record = Record(SCORESHEETS.name, 0, 0, b"p1", event.to_json())
            await alerter.score_sheet(record, emit)
    return emitted


@pytest.mark.parametrize(
    ("text", "section", "checks", "category"),
    [
        ("She is allergic to penicillin.", None, (), Category.ALLERGY),
        ("Penicillin causes hives.", "Allergies", (), Category.ALLERGY),
        ("Metoprolol 200 mg by mouth daily", "Discharge Medications", ("numbers",), Category.DOSE),
        ("She takes diltiazem.", "Discharge Medications", ("coverage",), Category.DOSE),
        ("The right leg was swollen.", None, ("side",), Category.SIDE),
        ("She underwent thoracentesis.", "Hospital Course", ("coverage",), Category.PROCEDURE),
        ("Left total knee arthroplasty in 2016.", None, (), Category.PROCEDURE),
        ("Personal history of breast cancer.", None, (), Category.DIAGNOSIS),
        ("Cellulitis of the leg", "Discharge Diagnoses", ("coverage",), Category.DIAGNOSIS),
        ("She will see cardiology on February 20.", None, (), Category.FOLLOW_UP),
        ("A metabolic panel is due on February 18.", None, (), Category.FOLLOW_UP),
        ("The patient is a 74-year-old woman.", None, ("demographics",), Category.DEMOGRAPHIC),
        ("An 81 yo man came in.", None, (), Category.DEMOGRAPHIC),
        ("She was brought in by ambulance.", "Presentation", (), Category.OTHER),
        ("Her oxygen saturation was 88% on room air.", "Presentation", (), Category.OTHER),
    ],
)
def test_what_a_proposition_is_about(
    text: str, section: str | None, checks: tuple[str, ...], category: Category
) -> None:
    assert judged(text, section=section, checks=checks).category == category


async def test_every_unsupported_proposition_raises_an_alert_and_no_other_does() -> None:
    rows = [judged(f"statement {label}", label) for label in Verdict]
    raised = await alerts(*[issued(row) for row in rows])
    assert [alert.verdict for alert in raised] == [Verdict.NOT_SUPPORTED, Verdict.NOT_ADDRESSED]


async def test_an_alert_says_how_often_such_alerts_are_right() -> None:
    (alert,) = await alerts(issued(judged("Allergic to latex.", probability_supported=0.2)))
    assert alert.expected_precision == pytest.approx(0.8)
    policy = read_policy()
    assert policy.of(judged("Allergic to latex.", probability_supported=0.2)) is not None


def test_what_the_judge_is_not_sure_of_raises_no_alert_below_the_policy_s_minimum() -> None:
    policy = read_policy().model_copy(update={"minimum_confidence": {Severity.HIGH: 0.7}})
    unsure = judged("Allergic to latex.", probability_supported=0.4)
    assert policy.of(unsure) is None
    assert policy.of(judged("Allergic to latex.", probability_supported=0.3)) is not None
    assert policy.of(judged("Came by car.", probability_supported=0.4)) is not None


async def test_the_severity_is_that_of_what_it_is_about() -> None:
    allergy, other = judged("Allergic to latex."), judged("Came by ambulance.")
    raised = await alerts(issued(allergy), issued(other))
    assert [(alert.category, alert.severity) for alert in raised] == [
        (Category.ALLERGY, Severity.HIGH),
        (Category.OTHER, Severity.MEDIUM),
    ]


async def test_a_hospital_changes_severities_and_which_verdicts_alert(tmp_path: Path) -> None:
    own = tmp_path / "policy.toml"
    content = DEFAULT_POLICY.read_text("utf-8")
    content = content.replace('other = { not_supported = "medium"', 'other = { abstained = "high"')
    own.write_text(content, "utf-8")
    policy = read_policy(own)
    assert policy.of(judged("Came by car.")) is None
    alerter = Alerter(FixedClock(), policy)
    raised = await alerts(issued(judged("Came by car.", Verdict.ABSTAINED)), alerter=alerter)
    assert [alert.severity for alert in raised] == [Severity.HIGH]


def test_a_table_in_json_is_read_and_a_silenced_severity_is_silent(tmp_path: Path) -> None:
    own = tmp_path / "policy.json"
    table = read_policy().model_dump(mode="json")
    table["alerts"]["low"] = []
    own.write_bytes(orjson.dumps(table))
    policy = read_policy(own)
    assert policy.of(judged("Came by car.", Verdict.NOT_ADDRESSED)) is None
    assert policy.of(judged("Metoprolol 5 mg daily", Verdict.NOT_ADDRESSED)).severity == "high"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("allergy =", "# allergy ="), "allergy"),
        (("\nlow = [", "\nnone = ["), "none"),
        (('= "high"', '= "severe"'), "severity.allergy"),
        (("\n[severity]", "\n[severity"), "not TOML"),
        (("high = 0.5", "high = 50"), "minimum_confidence.high"),
        (('side = { not_supported = "high"', 'side = { supported = "high"'), "supported"),
    ],
)
def test_a_table_that_is_not_whole_is_refused(
    tmp_path: Path, change: tuple[str, str], says: str
) -> None:
    own = tmp_path / "policy.toml"
    own.write_text(DEFAULT_POLICY.read_text("utf-8").replace(*change, 1), "utf-8")
    with pytest.raises(PermanentError, match=says):
        read_policy(own)


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PermanentError, match="cannot be read"):
        read_policy(tmp_path / "none.toml")


async def test_alerts_of_one_text_are_one_group_and_a_repeat_of_it_raises_none() -> None:
    first, second = judged("Allergic to latex."), judged("Takes 5 mg.", ordinal=1)
    again, other = issued(first, offset=2), issued(first, text_id="t2")
    raised = await alerts(issued(first), issued(second), again, other)
    groups = [alert.group_id for alert in raised]
    assert len(groups) == 3, "the repeat raises nothing new"
    assert groups[0] == groups[1] != groups[2]


async def test_a_statement_that_a_text_repeats_raises_one_alert() -> None:
    said = issued(judged("Allergic to latex."))
    repeated = issued(judged("allergic to  latex", ordinal=7))
    elsewhere = issued(judged("Allergic to latex."), text_id="t2")
    silent = issued(judged("Allergic to latex.", Verdict.NOT_ADDRESSED, ordinal=8))
    assert len(await alerts(said, repeated, elsewhere, silent)) == 3
    # Another worker, which has seen none of them, repeats the id.
    assert (await alerts(repeated))[0].event_id == (await alerts(said))[0].event_id


LATEX = judged("Allergic to latex.", ordinal=3)
CAR = judged("Came by car.", ordinal=1)
BUS = judged("Came by bus.", Verdict.NOT_ADDRESSED, ordinal=2)
FINE = judged("Came on foot.", Verdict.SUPPORTED, ordinal=0)


async def test_only_what_is_urgent_does_not_wait_for_the_text(tmp_path: Path) -> None:
    raised = await alerts(*map(issued, (FINE, CAR, BUS, LATEX)), alerter=Alerter(FixedClock()))
    assert [alert.judged for alert in raised] == [LATEX]
    own = tmp_path / "policy.toml"
    default = DEFAULT_POLICY.read_text("utf-8")
    own.write_text(default.replace('immediate = ["high"]', "immediate = []"))
    assert await alerts(issued(LATEX), alerter=Alerter(FixedClock(), read_policy(own))) == []


async def test_a_text_raises_one_alert_with_all_that_alerts_the_most_severe_first() -> None:
    repeated = judged("allergic to  latex", ordinal=4)
    immediate, alert = await alerts(issued(LATEX), sheet(FINE, CAR, BUS, LATEX, repeated))
    assert isinstance(alert, TextAlertRaised)
    assert [each.judged for each in alert.alerting] == [LATEX, CAR, BUS]
    assert [each.severity for each in alert.alerting] == ["high", "medium", "low"]
    assert alert.severity == Severity.HIGH
    assert alert.group_id == immediate.group_id
    assert alert.scoresheet_id == sheet(FINE, CAR, BUS, LATEX, repeated).event_id


async def test_a_text_without_anything_to_alert_about_raises_none() -> None:
    assert await alerts(sheet(FINE), sheet()) == []


async def test_a_text_that_is_judged_again_alerts_again_only_if_it_is_judged_otherwise() -> None:
    same = await alerts(sheet(LATEX), sheet(LATEX, offset=2))
    assert len(same) == 1
    other = await alerts(sheet(LATEX), sheet(LATEX, CAR, offset=2), sheet(LATEX, text_id="t2"))
    assert len({alert.event_id for alert in other}) == 3
    assert (await alerts(sheet(LATEX, offset=3)))[0].event_id == same[0].event_id


async def test_an_alert_that_was_not_published_is_tried_again() -> None:
    alerter = Alerter(FixedClock())

    async def emit(_: Event) -> None:
        raise ConnectionError

    row = judged("Allergic to latex.")
    for handle, event in ((alerter.verdict, issued(row)), (alerter.score_sheet, sheet(row))):
        with pytest.raises(ConnectionError):
            await handle(Record("t", 0, 0, b"p1", event.to_json()), emit)
        assert len(await alerts(event, alerter=alerter)) == 1


def test_an_alert_without_a_group_keeps_its_id() -> None:
    alert = AlertRaised(
        occurred_at=NOW, text_id="t", patient_id="p", verdict_id="v",
        verdict=Verdict.NOT_SUPPORTED, severity=Severity.HIGH, judged=judged("x"),
    )  # fmt: skip
    old = alert.model_dump(mode="json", exclude={"category", "group_id"})
    assert AlertRaised.model_validate(old).event_id == alert.event_id
