"""Training items: facts of one invented patient and labelled claims about them."""

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from .encoding import FactText
from .reader import LABELS

DEVELOPMENT = 6
"""Every sixth item of a file is kept for development."""


@dataclass(frozen=True)
class Claim:
    text: str
    label: int
    kind: str
    keys: tuple[int, ...]
    """The facts that decide it."""


@dataclass(frozen=True)
class Item:
    name: str
    source: str
    facts: tuple[FactText, ...]
    claims: tuple[Claim, ...]
    as_of: datetime | None


@dataclass(frozen=True)
class Pair:
    premise: str
    hypothesis: str
    label: int


def _time(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(value.strip().replace("Z", "+00:00")).replace(tzinfo=None)
    except ValueError:
        result = re.search(r"\d{4}-\d\d-\d\d", value)
        return datetime.fromisoformat(result.group()) if result else None


def _author(note: str) -> str:
    return "patient" if re.search(r"patient (message|portal)|portal|mychart", note, re.I) else ""


def _item(raw: dict[str, Any], source: str) -> Item | None:
    facts = tuple(
        FactText(
            text=str(fact["text"]),
            note=str(fact.get("note") or ""),
            section=str(fact.get("section") or ""),
            time=_time(fact.get("time")),
            author=str(fact.get("author") or "") or _author(str(fact.get("note") or "")),
        )
        for fact in raw.get("facts", [])
        if isinstance(fact, dict) and fact.get("text")
    )
    claims = tuple(
        Claim(
            text=str(claim["text"]),
            label=LABELS.index(claim["label"]),
            kind=str(claim.get("kind") or ""),
            keys=tuple(
                k for k in claim.get("facts") or [] if isinstance(k, int) and 0 <= k < len(facts)
            ),
        )
        for claim in raw.get("claims", [])
        if claim.get("text") and claim.get("label") in LABELS
    )
    if not facts or not claims or len(facts) != len(raw["facts"]):
        return None
    times = [fact.time for fact in facts if fact.time]
    as_of = _time(raw.get("as_of")) or (max(times) if times else None)
    return Item(str(raw.get("id", "")), source, facts, claims, as_of)


def read_items(paths: Sequence[Path]) -> Iterator[tuple[Item, bool]]:
    """Items of the files, each with whether it belongs to the development part."""
    for path in sorted(paths):
        number = 0
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                try:
                    item = _item(json.loads(line), path.stem)
                except (ValueError, KeyError, TypeError, AttributeError):
                    item = None
                if item is not None:
                    yield item, number % DEVELOPMENT == 0
                    number += 1


def read_pairs(path: Path) -> list[Pair]:
    """Public sentence pairs."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Pair(row["premise"], row["hypothesis"], int(row["label"])) for row in rows]
