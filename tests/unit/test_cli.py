"""How the command behaves at its edges: exit codes, where output goes, what an error says."""

import base64
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from schemas.topics import TOPICS
from streams.cli.main import app
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


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (["--patient", ""], "patient_id: string_too_short"),
        (["--patient", "p", "--unit", "paragraph"], "unit: literal_error"),
        (["--patient", "p", "--scope", "encounter"], "--encounter"),
    ],
)
def test_a_text_that_is_no_event_is_refused_in_a_line(
    nowhere: str, tmp_path: Path, option: list[str], says: str
) -> None:
    text = tmp_path / "summary.txt"
    text.write_text("Quillwort allergy.")
    result = run.invoke(app, ["verify", "--text", str(text), *option])
    assert result.exit_code == 2
    assert says in result.output
    assert "input_value" not in result.output
    assert "Quillwort" not in result.output


@pytest.mark.parametrize("command", ["worker", "asyncapi", "publish -", "inspect -"])
def test_a_wrong_setting_is_one_line_that_names_it(monkeypatch, command: str) -> None:
    monkeypatch.setenv("CHARTPROOF_MAX_IN_FLIGHT", "x")
    result = run.invoke(app, command.split())
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "CHARTPROOF_MAX_IN_FLIGHT" in result.stderr


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ({"SITE_ZONE": "Nowhere", "LOG_LEVEL": "loud"}, ["SITE_ZONE", "LOG_LEVEL"]),
        ({"SECURITY_PROTOCOL": "SASL_SSL"}, ["SASL_USERNAME"]),
        ({"SECURITY_PROTOCOL": "SSL", "SSL_CAFILE": "/gone.pem"}, ["SSL_CAFILE"]),
        ({"SECURITY_PROTOCOL": "SSL", "SSL_CERTFILE": "/gone.pem"}, ["SSL_CERTFILE"]),
        ({"SECURITY_PROTOCOL": "SSL", "SSL_CERTFILE": __file__}, ["SSL_CERTFILE"]),
        ({"SECURITY_PROTOCOL": "SSL", "SSL_KEYFILE": "/gone.pem"}, ["SSL_CERTFILE"]),
    ],
)
def test_doctor_has_wrong_settings_in_its_table(
    nowhere: str, monkeypatch, variables: dict[str, str], says: list[str]
) -> None:
    monkeypatch.setenv("CHARTPROOF_MILVUS_URI", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("CHARTPROOF_TRITON_URL", f"127.0.0.1:{free_port()}")
    for name, value in variables.items():
        monkeypatch.setenv(f"CHARTPROOF_{name}", value)
    result = run.invoke(app, ["doctor"])
    assert result.exit_code == 1
    assert all(f"CHARTPROOF_{name}" in result.stdout for name in says)


@pytest.mark.parametrize("explain", [[], ["--explain"]])
def test_a_reader_that_goes_is_a_normal_end(tmp_path: Path, explain: list[str]) -> None:
    (tmp_path / "many.ndjson").write_bytes(b'{"resourceType": "Basic"}\n' * 2000)
    command = [sys.executable, "-m", "streams.cli.main", "inspect", *explain, "many.ndjson"]
    found = subprocess.Popen(
        ["env", f"PYTHONPATH={Path.cwd()}", *command],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with found:
        assert found.stdout.read(10)
        found.stdout.close()
        assert found.stderr.read() == b""
    assert found.returncode == 0


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
    assert result.exit_code == 1  # the second would be a dead letter
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
