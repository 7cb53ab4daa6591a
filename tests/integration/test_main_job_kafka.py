"""The main job once more with Apache Kafka as the broker, as in production."""

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime

import orjson
import pytest

from schemas.outcomes import Outcome
from schemas.topics import ALERTS
from schemas.verdicts import ScoreSheetIssued, Verdict
from streams.cli.client import Client
from streams.cli.publish import publish
from streams.cli.sources import SourceRecord
from streams.cli.verify import verify
from streams.local.sample import load_chart
from streams.local.sample.messages import document_reference, generated_summary
from streams.local.stack import Stack


@pytest.fixture
def stack(kafka, tmp_path) -> Iterator[Stack]:
    with Stack(tmp_path, kafka=kafka.bootstrap) as running:
        running.start_worker()
        yield running


@pytest.mark.kafka
async def test_notes_in_verdicts_alerts_and_score_sheet_out_on_apache_kafka(stack: Stack) -> None:
    chart = load_chart().model_copy(update={"patient_id": f"p-{uuid.uuid4().hex[:8]}"})
    records = [
        SourceRecord(each.note_id, orjson.dumps(document_reference(chart, each)), chart.patient_id)
        for each in chart.notes
    ]
    async with Client(stack.settings) as client, client.follow([ALERTS]) as alerts:
        report = await publish(client, records, wait=True, stall_s=60)
        assert dict(report.outcomes) == {(Outcome.INDEXED, None): len(records)}
        text = generated_summary(chart, "s1", datetime.now(UTC))
        found = [each async for each in verify(client, text, quiet_s=60)]
        sheet = found[-1]
        assert isinstance(sheet, ScoreSheetIssued)
        assert len(found) == len(sheet.judged) + 1
        assert sheet.counts[Verdict.FAILED] == 0
        _, alert = await anext(alerts)
        assert orjson.loads(alert.value)["patient_id"] == chart.patient_id
