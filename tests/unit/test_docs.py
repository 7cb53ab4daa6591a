"""The tables and examples of README.md and docs/ are those of the code and the tests.

`python tests/unit/test_docs.py` writes them anew.
"""

import json
import re
import sys
from pathlib import Path

import pytest

from agents.intake import reasons
from schemas.json_schemas import (
    document_reference_example,
    text_generated_example,
    verdict_example,
)
from schemas.texts import VerificationSettings
from schemas.topics import DAY_MS, TOPICS
from streams.settings import Settings
from tests import connection_messages, sent_kinds

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
DOCS = ROOT / "docs"


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


def _short(value: object, indent: str = "") -> str:
    """JSON with whatever fits on a line on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= 100 or not isinstance(value, dict | list):
        return line
    deeper = indent + "  "
    if isinstance(value, dict):
        parts = [f"{deeper}{json.dumps(k)}: {_short(v, deeper)}" for k, v in value.items()]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + _short(each, deeper) for each in value) + f"\n{indent}]"


def _short_example(value: dict) -> str:
    return f"```json\n{_short(value)}\n```"


BLOCKS = {
    README: {
        "document-reference": lambda: _short_example(document_reference_example()),
        "text-generated": lambda: _short_example(text_generated_example()),
        "verdict": lambda: _short_example(verdict_example()),
    },
    DOCS / "intake.md": {"sent": sent_kinds.markdown, "reasons": reasons.markdown},
    DOCS / "settings.md": {"settings": _settings, "environment": _environment},
    DOCS / "operations.md": {"topics": _topics},
    DOCS / "connections.md": {
        "mirth": lambda: _example(connection_messages.mirth()),
        "azure": lambda: _example(connection_messages.azure_change()),
        "hapi-subscription": lambda: _example(connection_messages.subscription()),
        "hapi-message": lambda: _example(connection_messages.hapi_message()),
        "hapi-id-only": lambda: _example(connection_messages.hapi_id_only()),
        "bulk": lambda: _lines(connection_messages.bulk_lines()),
    },
}


def _lines(files: dict[str, bytes]) -> str:
    shown = "\n\n".join(f"# {name}\n{content.decode()}" for name, content in files.items())
    return f"```text\n{shown}\n```"


def _between(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- {name}:begin -->\n)(.*?)(<!-- {name}:end -->)", re.DOTALL)


@pytest.mark.parametrize(
    ("file", "name"), [(file, name) for file, blocks in BLOCKS.items() for name in blocks]
)
def test_the_document_says_what_the_code_says(file: Path, name: str) -> None:
    found = _between(name).search(file.read_text("utf-8"))
    assert found, f"{file.name} has no block {name}"
    assert found[2].strip() == BLOCKS[file][name]().strip(), f"run: python {Path(__file__).name}"


def test_the_readme_can_be_read_in_one_go() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= 150


def _links() -> list[tuple[Path, str]]:
    files = [README, ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
    link = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")
    return [(file, target) for file in files for target in link.findall(file.read_text("utf-8"))]


@pytest.mark.parametrize(("file", "target"), _links())
def test_every_link_between_our_pages_leads_somewhere(file: Path, target: str) -> None:
    assert (file.parent / target).exists()


def test_every_path_that_the_architecture_names_exists() -> None:
    text = (DOCS / "architecture.md").read_text("utf-8")
    paths = re.findall(r"`((?:agents|streams|schemas|triton_models|tests|k8s)/[\w/.*-]+)`", text)
    assert len(paths) > 20
    assert [path for path in paths if not list(ROOT.glob(path.rstrip("/")))] == []


def main() -> None:
    for file, blocks in BLOCKS.items():
        text = file.read_text("utf-8")
        for name, render in blocks.items():
            text = _between(name).sub(lambda m, r=render: f"{m[1]}\n{r()}\n\n{m[3]}", text)
        file.write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
