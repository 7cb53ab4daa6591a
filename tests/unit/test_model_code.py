"""A Triton image holds `triton_models/` and nothing else, so model code imports nothing of ours."""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2] / "triton_models"
OURS = {"agents", "schemas", "streams"}


def imported(source: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def test_model_code_imports_nothing_of_ours() -> None:
    sources = sorted(ROOT.rglob("*.py"))
    assert len(sources) > 10
    assert {path: found for path in sources if (found := imported(path) & OURS)} == {}


def test_the_docs_name_what_the_models_need() -> None:
    page = (ROOT.parent / "docs" / "operations.md").read_text("utf-8")
    [line] = [each for each in page.splitlines() if "Serve `triton_models/cpu`" in each]
    sources = (ROOT / "cpu").rglob("*.py")
    names = set.union(*map(imported, sources)) - sys.stdlib_module_names
    theirs = {name for name in names if not name.startswith(("chartproof_", "triton_python"))}
    assert {"numpy", "onnxruntime"} <= theirs
    assert {name for name in theirs if not re.search(rf"`{name}\b", line)} == set()
