"""Configuration files of runs: TOML, all of it optional, an unknown field an error.

name = "no reranking"
[settings]
rerank = false
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agents.evaluation.formats.errors import Fault, WrongData, field_name, places
from agents.evaluation.running.engine import Configuration

PATHS = ("model_repository", "alert_policy")


def read_configuration(path: Path, settings: Mapping[str, Any]) -> Configuration:
    """The configuration of a file, named after it where it gives no name; paths are relative to it.

    `settings` stand over the file's. Raises `WrongData`.
    """
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WrongData(path, [Fault(1, "", f"is not TOML: {error}")]) from None
    fields.setdefault("name", path.stem)
    fields["settings"] = {**fields.get("settings", {}), **settings}
    for name in PATHS:
        if isinstance(fields.get(name), str):
            fields[name] = path.parent / fields[name]
    try:
        return Configuration.model_validate(fields)
    except ValidationError as error:
        faults = [Fault(1, field_name(place), message) for place, message in places(error)]
        raise WrongData(path, faults) from None


def configurations(paths: Sequence[Path], settings: Mapping[str, Any]) -> list[Configuration]:
    """One a file; without any the default one. Raises `ValueError` for one name twice."""
    read = [read_configuration(path, settings) for path in paths]
    if not read:
        read = [Configuration.model_validate({"settings": settings})]
    if len({each.name for each in read}) < len(read):
        raise ValueError("two configurations have one name: give each a `name` of its own")
    return read
