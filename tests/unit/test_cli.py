"""How the command behaves at its edges: exit codes, where output goes, what an error says."""

import base64
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from schemas.topics import TOPICS
from streams.cli import app
from streams.local.ports import free_port

run = CliRunner()


@pytest.fixture
def nowhere(monkeypatch) -> str:
    """A broker address at which nothing listens."""
    address = f"127.0.0.1:{free_port()}"
    monkeypatch.setenv("CHARTPROOF_BROKER", address)
    return address


def test_verify_without_a_broker_says_where_it_looked_and_what_to_do(
    nowhere: str, tmp_path: Path
) -> None:
    text = tmp_path / "summary.txt"
    text.write_text("The patient has asthma.")
    result = run.invoke(app, ["verify", "--patient", "p", "--text", str(text)])
    assert result.exit_code == 2
    assert nowhere in result.stderr
    assert "chartproof up" in result.stderr
    assert "Traceback" not in result.output


def test_publish_without_a_broker_is_an_error_and_not_a_traceback(nowhere: str) -> None:
    result = run.invoke(app, ["publish", "-"], input="{}\n")
    assert result.exit_code == 2
    assert nowhere in result.stderr


def test_a_backfill_without_a_broker_is_an_error_and_leaves_no_state(
    nowhere: str, tmp_path: Path
) -> None:
    (tmp_path / "notes.ndjson").write_text("{}\n")
    state = tmp_path / "state.json"
    arguments = ["publish", "--backfill", "--resume", str(state), str(tmp_path / "notes.ndjson")]
    result = run.invoke(app, arguments)
    assert result.exit_code == 2
    assert nowhere in result.stderr
    assert not state.exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["publish", "--resume", "state.json", "notes.ndjson"], "only with --backfill"),
        (["verify", "--patient", "p", "--text", "gone.txt"], "gone.txt"),
        (["publish", "gone.ndjson"], "gone.ndjson"),
        (["inspect", "gone.ndjson"], "gone.ndjson"),
        (["watch", "gossip"], "verdicts"),
        (["schema", "gossip"], "text-generated"),
    ],
)
def test_a_wrong_argument_is_named(nowhere: str, arguments: list[str], says: str) -> None:
    result = run.invoke(app, arguments)
    assert result.exit_code == 2
    assert says in " ".join(result.output.split())


@pytest.mark.parametrize("option", [["--as-of", "yesterday"], ["--unit", "paragraph"]])
def test_a_wrong_option_of_verify_is_refused_before_anything_is_published(
    nowhere: str, tmp_path: Path, option: list[str]
) -> None:
    text = tmp_path / "summary.txt"
    text.write_text("x")
    result = run.invoke(app, ["verify", "--patient", "p", "--text", str(text), *option])
    assert result.exit_code == 2
    assert nowhere not in result.stderr


def test_inspect_is_offline_and_prints_a_json_line_per_resource_without_note_text(
    nowhere: str,
) -> None:
    note = {
        "resourceType": "DocumentReference",
        "id": "d1",
        "status": "current",
        "subject": {"reference": "Patient/p1"},
        "content": [
            {
                "attachment": {
                    "contentType": "text/plain",
                    "data": base64.b64encode(b"Quillwort allergy.").decode(),
                }
            }
        ],
    }
    result = run.invoke(app, ["inspect", "-"], input=f"{json.dumps(note)}\nnot json\n")
    assert result.exit_code == 0
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert (first["outcome"], first["document_id"], first["patient_id"]) == ("accepted", "d1", "p1")
    assert (second["origin"], second["reason"]) == ("stdin:2", "not_json")
    assert "Quillwort" not in result.output


def test_asyncapi_and_schema_print_json_documents() -> None:
    document = json.loads(run.invoke(app, ["asyncapi"]).stdout)
    assert len(document["channels"]) == len(TOPICS)
    schema = json.loads(run.invoke(app, ["schema", "text-generated"]).stdout)
    assert {"text_id", "patient_id", "text"} <= set(schema["required"])


def test_doctor_says_what_is_wrong_with_each_part(nowhere: str, monkeypatch) -> None:
    monkeypatch.setenv("CHARTPROOF_MILVUS_URI", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("CHARTPROOF_TRITON_URL", f"127.0.0.1:{free_port()}")
    result = run.invoke(app, ["doctor"])
    assert result.exit_code == 1
    assert result.stdout.count("not ok") == 3
