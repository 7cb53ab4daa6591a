"""Reads whether the facts shown bear a statement out: the learned part of the judge.

The model reads the statement beside all facts at once and says (a) supported, contradicted or not
addressed, and (b) for each fact, what that fact does to the statement. If configured, it reads the
few facts that matter most again by themselves. All that is pooled by weights fitted on development
texts; see `config.json` beside the model.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import onnxruntime as ort
from tokenizers import Tokenizer

Array = npt.NDArray[np.float64]
Expand = Callable[[str], str]

MARKER, CLS, SEP = 2, 101, 102
"""Token ids; the marker stands before each fact and is `[unused1]`, which no text contains."""
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
LONGEST = 510
SMALLEST = 1e-4
REMEMBERED = 50_000
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]


class Probabilities(NamedTuple):
    """They add up to one."""

    supported: float
    not_supported: float
    not_addressed: float


@dataclass(frozen=True)
class FactText:
    """A fact as the model sees it; `author` is an author category, empty when not known."""

    text: str
    note: str = ""
    section: str = ""
    time: datetime | None = None
    author: str = ""


Asked = tuple[str, Sequence[FactText], datetime | None]
"""A statement, the facts shown for it (best first), and the time of its text."""


@dataclass(frozen=True)
class Reading:
    """What the model says of one statement.

    `facts` has, for each fact given and in its order, what that fact alone does to the statement;
    None: it did not fit into the input.
    """

    label: Probabilities
    facts: tuple[Probabilities | None, ...]
    views: tuple[Probabilities, ...]

    def best(self, label: str) -> int | None:
        """The fact most likely to have this effect: the one to cite, or the one in conflict."""
        known = [(getattr(p, label), -i) for i, p in enumerate(self.facts) if p is not None]
        return -max(known)[1] if known else None


@dataclass(frozen=True)
class _Input:
    """Token ids of one input; `markers` has the place of each fact shown."""

    ids: list[int]
    types: list[int]
    markers: dict[int, int]


def when(time: datetime | None, as_of: datetime | None) -> str:
    """The day a fact was written and its distance from the text; empty when not known."""
    if time is None:
        return ""
    day = f"{MONTHS[time.month - 1]} {time.day}"
    if as_of is None:
        return f"{day} {time.year}"
    year = "" if time.year == as_of.year else f" {time.year}"
    return f"{day}{year} {(time.date() - as_of.date()).days}"


def _origin(fact: FactText, as_of: datetime | None) -> tuple[str, str]:
    """When, by whom and in what note; and in which section."""
    author = fact.author if fact.author in ("patient", "device") else ""
    return " ".join(p for p in (when(fact.time, as_of), author, fact.note) if p), fact.section


def _heading(fact: tuple[str, str], before: tuple[str, str] | None) -> str:
    """What is to be said of a fact's origin after the fact before it."""
    if fact == before:
        return ""
    origin, section = fact
    if before is not None and origin == before[0] and section:
        return f"{section}:"
    known = ", ".join(part for part in (origin, section) if part)
    return f"{known}:" if known else ""


def _place(fact: FactText) -> tuple[datetime, str, str, str, str]:
    time = fact.time.replace(tzinfo=None) if fact.time else datetime.min
    return time, fact.note, fact.author, fact.section, fact.text


def _log_softmax(scores: npt.NDArray[np.float32]) -> Array:
    real = scores.astype(np.float64)
    real -= real.max(-1, keepdims=True)
    result: Array = real - np.log(np.exp(real).sum(-1, keepdims=True))
    return result


class Entailment:
    """The model in a folder with `model.onnx`, `tokenizer.json` and `config.json`."""

    def __init__(self, folder: Path, *, threads: int = 1, expand: Expand = str) -> None:
        self.config: dict[str, Any] = json.loads((folder / "config.json").read_text())
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        self._session = ort.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._expand = expand
        self._seen: dict[str, list[int]] = {}
        self._weights = np.array(self.config["pool"]["weights"])
        self._bias = np.array(self.config["pool"]["bias"])

    def read(
        self, statement: str, facts: Sequence[FactText], as_of: datetime | None = None
    ) -> Reading:
        """Read one statement; the facts come best evidence first, as retrieval orders them."""
        return self.read_all([(statement, facts, as_of)])[0]

    def read_all(self, asked: Sequence[Asked]) -> list[Reading]:
        """Read several statements: all facts, then (if so configured) those that matter most."""
        focus: int = self.config["focus"]
        given: list[Asked] = [
            (
                self._expand(statement),
                [replace(fact, text=self._expand(fact.text)) for fact in facts],
                as_of,
            )
            for statement, facts, as_of in asked
        ]
        whole = self._run([self._encoded(*one) for one in given])
        if not focus:
            return [
                self._pooled([first[0], first[0]], first[1], len(facts))
                for first, (_, facts, _) in zip(whole, asked, strict=True)
            ]
        again: list[Asked] = []
        for (statement, facts, as_of), (_, effects) in zip(given, whole, strict=True):
            ranked = sorted(effects, key=lambda i: effects[i][2])
            again.append((statement, [facts[i] for i in ranked[:focus]], as_of))
        close = self._run([self._encoded(*one) for one in again])
        return [
            self._pooled([first[0], second[0]], first[1], len(facts))
            for first, second, (_, facts, _) in zip(whole, close, asked, strict=True)
        ]

    def _tokens(self, text: str) -> list[int]:
        known = self._seen.get(text)
        if known is None:
            if len(self._seen) >= REMEMBERED:
                self._seen.clear()
            clean = re.sub(r"\s+", " ", text).strip()
            known = self._tokenizer.encode(clean, add_special_tokens=False).ids
            self._seen[text] = known
        return known

    def _encoded(self, statement: str, facts: Sequence[FactText], as_of: datetime | None) -> _Input:
        """Token ids; facts that do not fit are left out, the last ones first."""
        limit: int = self.config["limit"]
        longest: int = self.config["fact_tokens"]
        head = [CLS, *self._tokens(statement)[: self.config["statement_tokens"]], SEP]
        origins = [_origin(fact, as_of) for fact in facts]
        order = sorted(range(len(facts)), key=lambda i: _place(facts[i]))
        chosen = set(range(min(len(facts), self.config["facts"])))
        while True:
            ids, markers = list(head), {}
            before = None
            for i in order:
                if i in chosen:
                    heading = self._tokens(_heading(origins[i], before))
                    markers[i] = len(ids)
                    ids += [MARKER, *heading, *self._tokens(facts[i].text)[:longest]]
                    before = origins[i]
            ids.append(SEP)
            over = len(ids) - limit
            if over <= 0 or len(chosen) <= 1:
                break
            while over > 0 and len(chosen) > 1:
                worst = max(chosen)
                chosen.remove(worst)
                over -= 1 + min(len(self._tokens(facts[worst].text)), longest)
        types = [0] * len(head) + [1] * (len(ids) - len(head))
        kept = {i: place for i, place in markers.items() if place < LONGEST}
        return _Input(ids[:LONGEST], types[:LONGEST], kept)

    def _run(self, inputs: Sequence[_Input]) -> list[tuple[Array, dict[int, Array]]]:
        """Log-probabilities of each input and of its facts, in batches of like length."""
        ordered = sorted(range(len(inputs)), key=lambda i: len(inputs[i].ids))
        done: dict[int, tuple[Array, dict[int, Array]]] = {}
        at = 0
        while at < len(ordered):
            shortest = len(inputs[ordered[at]].ids)
            size = 1
            while at + size < len(ordered):
                width = len(inputs[ordered[at + size]].ids)
                if (size + 1) * width > self.config["batch_tokens"] or width > 1.1 * shortest:
                    break
                size += 1
            part = ordered[at : at + size]
            at += size
            grid = np.zeros((3, size, len(inputs[part[-1]].ids)), np.int64)
            for row, i in enumerate(part):
                width = len(inputs[i].ids)
                grid[0, row, :width], grid[1, row, :width] = inputs[i].ids, 1
                grid[2, row, :width] = inputs[i].types
            label, fact = self._session.run(None, dict(zip(INPUTS, grid, strict=True)))
            labels, facts = _log_softmax(label), _log_softmax(fact)
            for row, i in enumerate(part):
                done[i] = labels[row], {k: facts[row, m] for k, m in inputs[i].markers.items()}
        return [done[i] for i in range(len(inputs))]

    def _pooled(self, views: list[Array], effects: dict[int, Array], count: int) -> Reading:
        """The verdict from both views and the most telling facts."""
        facts = np.exp(np.array(list(effects.values()))) if effects else np.eye(3)[2:]
        far = np.log(np.clip(facts, SMALLEST, 1))
        seen = np.concatenate([*views, [far[:, 0].max(), far[:, 1].max(), far[:, 2].min()]])
        scores = self._weights @ seen + self._bias
        scores = np.exp(scores - scores.max())
        return Reading(
            Probabilities(*(scores / scores.sum()).tolist()),
            tuple(
                Probabilities(*np.exp(effects[i]).tolist()) if i in effects else None
                for i in range(count)
            ),
            tuple(Probabilities(*np.exp(view).tolist()) for view in views),
        )
