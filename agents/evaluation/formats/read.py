"""Paths -> data sets: `read_datasets` is the only door to the formats.

A folder is read file by file; its chart cases are one set together, as a folder of patients is.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from agents.evaluation.dataset import Dataset, EvaluationChart, Item
from agents.evaluation.formats.answer_lines import read_answers
from agents.evaluation.formats.errors import Fault, WrongData
from agents.evaluation.formats.records import LINES, Faults, RawRecord, raw_records, read_all
from agents.evaluation.formats.shapes import UNKNOWN, Parts, Reading, shape_of
from agents.evaluation.formats.synthea_export import is_synthea, read_synthea

SUFFIXES = (".json", *LINES)
CASES = "chart_case"


def read_datasets(paths: Sequence[Path], reading: Reading | None = None) -> list[Dataset]:
    """One set a file, and one for all chart cases of a folder. Raises `WrongData`."""
    how = reading or Reading()
    datasets: list[Dataset] = []
    for path in paths:
        if is_synthea(path):
            datasets.append(read_synthea(path, how.seed))
            continue
        read = [_read_file(each, how) for each in _files(path)]
        datasets += [each for each in read if each.format != CASES]
        cases = [each for each in read if each.format == CASES]
        if cases:
            datasets.append(replace(_together(path, cases), answers=read_answers(path)))
    names = Counter(each.name for each in datasets)
    twice = [name for name, n in names.items() if n > 1]
    if twice:
        raise ValueError(f"two sets have one name ({', '.join(twice)}): rename a file or folder")
    return datasets


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(each for each in path.iterdir() if each.suffix in SUFFIXES)
    if not files:
        raise WrongData(path, [Fault(1, "", f"the folder has no {', '.join(SUFFIXES)} file")])
    return files


def _read_file(path: Path, how: Reading) -> Dataset:
    content = path.read_bytes()
    records = raw_records(path, content)
    shape = shape_of(records[0].fields.keys())
    if shape is None:
        raise WrongData(path, [Fault(records[0].line, "", UNKNOWN)])
    read = read_all(path, records, shape.model, lambda n, record: shape.read(n, record, how))
    parts: list[Parts] = [shape.read(raw.line, record, how) for raw, record in read.records]
    _all_different(path, records, parts)
    notices = [f"{path.name}: `{name}` is not read ({n} records)" for name, n in read.unread]
    if shape.notice:
        notices.append(f"{path.name}: {shape.notice}, by seed {how.seed}")
    return Dataset(
        name=path.stem,
        format=shape.name,
        sha256=hashlib.sha256(content).hexdigest(),
        charts=_once(chart for charts, _ in parts for chart in charts),
        items=(
            *(item for _, items in parts for item in items),
            *shape.made([record for _, record in read.records], how.seed),
        ),
        notices=tuple(notices),
    )


def _all_different(path: Path, records: Sequence[RawRecord], parts: Sequence[Parts]) -> None:
    """No two items of one id, and no two charts of one id that are not the same."""
    items: set[str] = set()
    charts: dict[str, EvaluationChart] = {}
    faults = Faults(path)
    for record, (some, made) in zip(records, parts, strict=True):
        ids = [item.item_id for item in made]
        if not items.isdisjoint(ids) or len(set(ids)) < len(ids):
            faults.add(record, (), "an item before has the same id")
        items.update(ids)
        for chart in some:
            if charts.setdefault(chart.chart_id, chart).notes != chart.notes:
                faults.add(record, (), "a chart before has the same id and other notes")
    faults.raise_any()


def _once(charts: Iterable[EvaluationChart]) -> tuple[EvaluationChart, ...]:
    return tuple({chart.chart_id: chart for chart in charts}.values())


def _together(path: Path, cases: Sequence[Dataset]) -> Dataset:
    charts = [chart for each in cases for chart in each.charts]
    twice = [name for name, n in Counter(chart.chart_id for chart in charts).items() if n > 1]
    if twice:
        raise WrongData(path, [Fault(1, "case_id", "two files of the folder have the same one")])
    items: list[Item] = [item for each in cases for item in each.items]
    digest = hashlib.sha256("".join(each.sha256 for each in cases).encode()).hexdigest()
    return replace(
        cases[0],
        name=path.stem,
        sha256=cases[0].sha256 if len(cases) == 1 else digest,
        charts=tuple(charts),
        items=tuple(items),
        notices=tuple(notice for each in cases for notice in each.notices),
    )
