"""The tables and examples of README.md and CONNECTIONS.md are those of the code and the tests.

`python tests/unit/test_readme.py` writes them anew.
"""

import json
import re
import sys
from pathlib import Path

import pytest

from agents.intake import reasons
from schemas.json_schemas import document_reference_example, text_generated_example
from schemas.texts import VerificationSettings
from schemas.topics import DAY_MS, TOPICS
from streams.settings import Settings
from tests import connection_messages, sent_kinds

README = Path(__file__).parents[2] / "README.md"
CONNECTIONS = README.with_name("CONNECTIONS.md")


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _topics() -> str:
    rows = [
        [
            f"`{topic.name}`",
            topic.direction,
            topic.key,
            str(topic.partitions),
            f"{topic.retention_ms // DAY_MS} d",
            topic.description,
        ]
        for topic in TOPICS
    ]
    return _table(["topic", "", "key", "partitions", "kept", "what is on it"], rows)


def _settings() -> str:
    rows = [
        [
            f"`{name}`",
            f"`{json.dumps(getattr(VerificationSettings(), name))}`",
            field.description or _choices(field),
        ]
        for name, field in VerificationSettings.model_fields.items()
    ]
    return _table(["setting", "default", ""], rows)


def _choices(field: object) -> str:
    return ", ".join(f"`{each}`" for each in field.annotation.__args__)


def _environment() -> str:
    rows = []
    for name, field in Settings.model_fields.items():
        default = "" if field.default is None else f"`{_default(field.default)}`"
        rows.append([f"`CHARTPROOF_{name.upper()}`", default, field.description or ""])
    return _table(["variable", "default", ""], rows)


def _default(value: object) -> str:
    if isinstance(value, tuple):
        return json.dumps(list(value))
    return f"…/{value.name}" if isinstance(value, Path) else str(value)


def _example(value: dict) -> str:
    return f"```json\n{json.dumps(value, indent=2, ensure_ascii=False)}\n```"


BLOCKS = {
    "topics": _topics,
    "document-reference": lambda: _example(document_reference_example()),
    "text-generated": lambda: _example(text_generated_example()),
    "sent": sent_kinds.markdown,
    "reasons": reasons.markdown,
    "settings": _settings,
    "environment": _environment,
}


CONNECTION_BLOCKS = {
    "mirth": lambda: _example(connection_messages.mirth()),
    "azure": lambda: _example(connection_messages.azure_change()),
    "hapi-subscription": lambda: _example(connection_messages.subscription()),
    "hapi-message": lambda: _example(connection_messages.hapi_message()),
    "hapi-id-only": lambda: _example(connection_messages.hapi_id_only()),
    "bulk": lambda: _lines(connection_messages.bulk_lines()),
}

FILES = {README: BLOCKS, CONNECTIONS: CONNECTION_BLOCKS}


def _lines(files: dict[str, bytes]) -> str:
    shown = "\n\n".join(f"# {name}\n{content.decode()}" for name, content in files.items())
    return f"```text\n{shown}\n```"


def _between(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- {name}:begin -->\n)(.*?)(<!-- {name}:end -->)", re.DOTALL)


@pytest.mark.parametrize(
    ("file", "name"), [(file, name) for file, blocks in FILES.items() for name in blocks]
)
def test_the_document_says_what_the_code_says(file: Path, name: str) -> None:
    found = _between(name).search(file.read_text("utf-8"))
    assert found, f"{file.name} has no block {name}"
    assert found[2].strip() == FILES[file][name]().strip(), f"run: python {Path(__file__).name}"


def main() -> None:
    for file, blocks in FILES.items():
        text = file.read_text("utf-8")
        for name, render in blocks.items():
            text = _between(name).sub(lambda m, r=render: f"{m[1]}\n{r()}\n\n{m[3]}", text)
        file.write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
