"""The folder of one run: what it is of, and its results, a line as soon as each is known.

A run that ended early goes on where it was. That the folder is of the same data, settings and
models is checked first: half of one run and half of another would be no run.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import orjson
from pydantic import Field

from agents.evaluation.running.engine import Configuration
from agents.evaluation.running.results import ChartResult, ItemResult
from schemas.events import Frozen

RESULTS = "items.jsonl"
MANIFEST = "run.json"


class DatasetIdentity(Frozen):
    name: str
    format: str
    sha256: str
    charts: int
    items: int
    notices: tuple[str, ...] = ()


class Manifest(Frozen):
    """What a run is of: all it takes to make it again."""

    configuration: Configuration
    datasets: tuple[DatasetIdentity, ...]
    versions: dict[str, str] = Field(description="Ours, Python's and the libraries'")
    models: dict[str, str]
    seed: int


class OtherRun(ValueError):
    """The folder holds another run."""


class RunStore:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._results = folder / RESULTS

    def open(self, manifest: Manifest) -> None:
        """Raises `OtherRun` when the folder is of another run."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / MANIFEST
        content = orjson.dumps(manifest.model_dump(mode="json"), option=orjson.OPT_INDENT_2)
        if path.exists() and path.read_bytes() != content:
            raise OtherRun(
                f"{self.folder} holds a run of other data, settings, models or versions: "
                "name another folder with --out, or delete it"
            )
        path.write_bytes(content)
        self._drop_torn_line()

    def manifest(self) -> Manifest:
        return Manifest.model_validate_json((self.folder / MANIFEST).read_bytes())

    def add(self, result: ItemResult | ChartResult) -> None:
        """One write, under a lock: several processes add to the same file."""
        line = orjson.dumps(result.model_dump(mode="json")) + b"\n"
        with self._results.open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def items(self) -> list[ItemResult]:
        """In the order of their keys; of an item that was run again, the last result."""
        latest = {r.key: r for r in self._read() if isinstance(r, ItemResult)}
        return [latest[key] for key in sorted(latest)]

    def charts(self) -> list[ChartResult]:
        latest = {(r.dataset, r.chart_id): r for r in self._read() if isinstance(r, ChartResult)}
        return [latest[key] for key in sorted(latest)]

    def lines(self) -> int:
        """Items written so far, those written twice counted twice."""
        if not self._results.exists():
            return 0
        return sum(b'"item_id"' in line for line in self._results.read_bytes().splitlines())

    def _read(self) -> Iterator[ItemResult | ChartResult]:
        if not self._results.exists():
            return
        for line in self._results.read_bytes().splitlines():
            content = orjson.loads(line)
            model = ItemResult if "item_id" in content else ChartResult
            yield model.model_validate(content)

    def _drop_torn_line(self) -> None:
        """What a crash left of a line that it was writing."""
        if not self._results.exists():
            return
        content = self._results.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.truncate(self._results, whole)
