"""The demo's chart and summary over the whole stack, judged by a language model that is right."""

from datetime import UTC, datetime

import orjson

from agents.adapters.models import Models
from schemas.texts import VerificationSettings
from schemas.verdicts import ScoreSheetIssued, Verdict
from streams.cli.client import Client
from streams.cli.publish import publish
from streams.cli.render import score_sheet
from streams.cli.sources import SourceRecord
from streams.cli.verify import verify
from streams.local.sample import SampleChart, load_chart
from streams.local.sample.messages import document_reference, generated_summary
from streams.local.sample.scoring import score
from streams.local.stack import Stack
from tests.scripted_llm import ScriptedServer, judging


async def truth(chart: SampleChart, models: Models) -> dict[str, str]:
    """Statement -> verdict: wrong where it covers words of a planted error."""
    text = generated_summary(chart, "t", datetime.now(UTC))
    units = (await models.decomposer.propositions(text.text, "claim")).units
    return {
        unit.content: next(
            (
                planted.expected
                for planted in chart.planted
                if unit.start < planted.end and planted.start < unit.end
            ),
            "supported",
        )
        for unit in units
    }


async def test_all_planted_errors_are_caught_and_nothing_true_is_flagged(tmp_path, models) -> None:
    chart = load_chart()
    right = await truth(chart, models)

    def opinion(statement: str, evidence: list[dict]) -> dict:
        verdict = right[statement]
        cited = [] if verdict == "not_addressed" else [evidence[0]["id"]]
        return {"verdict": verdict, "cited": cited}

    with (
        ScriptedServer(judging(opinion)) as server,
        Stack(tmp_path, judge="llm", llm_url=server.url, llm_model="right") as stack,
    ):
        stack.start_worker()
        sheet = await run(stack, chart)
        log = "".join(path.read_text() for path in tmp_path.glob("worker-*.log"))
    found = score(chart.planted, sheet.judged)
    assert (found.missed, found.false_alarms) == ((), ())
    assert sheet.counts[Verdict.FAILED] == sheet.counts[Verdict.ABSTAINED] == 0
    assert sheet.provenance.models["judge"].startswith("llm right judge/1+reasoning/1")
    assert not any(request.orders for request in server.requests)
    judging_cost = sheet.usage["judging"]
    asked = [r for r in server.requests if "statements" in r.data]
    assert judging_cost.llm_calls == len(asked) < judging_cost.calls
    assert judging_cost.prompt_tokens > 10_000
    assert judging_cost.output_tokens > 1_000
    assert {"decomposition", "retrieval", "judging"} <= set(sheet.usage)
    assert "judging:" in str(score_sheet(sheet).caption)
    assert chart.patient_name.split()[0] not in log


async def run(stack: Stack, chart: SampleChart) -> ScoreSheetIssued:
    async with Client(stack.settings) as client:
        records = [
            SourceRecord(
                note.note_id,
                orjson.dumps(document_reference(chart, note)),
                f"Patient/{chart.patient_id}",
            )
            for note in chart.notes
        ]
        assert (await publish(client, records, wait=True)).ok
        text = generated_summary(chart, "summary-1", datetime.now(UTC))
        assert text.settings == VerificationSettings()
        async for event in verify(client, text):
            if isinstance(event, ScoreSheetIssued):
                return event
    raise AssertionError("no score sheet")
