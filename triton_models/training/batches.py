"""Batches of encoded examples of like length, bounded by their number of tokens."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import torch
from torch import Tensor

from .encoding import EvidenceEncoder
from .sampling import IGNORED, Example


@dataclass(frozen=True)
class Batch:
    input_ids: Tensor
    attention_mask: Tensor
    token_type_ids: Tensor
    labels: Tensor
    alone: Tensor
    """Logarithms of what the statements alone give away."""
    roles: Tensor
    """What each token's fact does to the statement; `IGNORED` where no marker stands."""

    @property
    def inputs(self) -> dict[str, Tensor]:
        return {
            "input_ids": self.input_ids,
            "attention_mask": self.attention_mask,
            "token_type_ids": self.token_type_ids,
        }


@dataclass(frozen=True)
class _Row:
    ids: list[int]
    types: list[int]
    roles: list[int]
    label: int
    alone: tuple[float, ...]


def _row(example: Example, encoder: EvidenceEncoder) -> _Row:
    encoded = encoder.encode(example.statement, example.facts, example.as_of)
    roles = [IGNORED] * len(encoded.ids)
    for rank, place in encoded.markers.items():
        roles[place] = example.roles[rank]
    return _Row(encoded.ids, encoded.types, roles, example.label, example.alone)


WIDTHS = 32
"""Batches are padded to a multiple of this: kernels are made for each shape, so few are best."""


def _width(row: _Row) -> int:
    return -(-len(row.ids) // WIDTHS) * WIDTHS


def collate(rows: list[_Row]) -> Batch:
    """One batch, padded to its longest row."""
    width = max(map(_width, rows))
    shape = (len(rows), width)
    ids, mask, types = (torch.zeros(shape, dtype=torch.long) for _ in range(3))
    roles = torch.full(shape, IGNORED)
    for at, row in enumerate(rows):
        size = len(row.ids)
        ids[at, :size] = torch.tensor(row.ids)
        mask[at, :size] = 1
        types[at, :size] = torch.tensor(row.types)
        roles[at, :size] = torch.tensor(row.roles)
    labels = torch.tensor([row.label for row in rows])
    return Batch(ids, mask, types, labels, torch.tensor([row.alone for row in rows]).log(), roles)


def batches(
    examples: Iterator[Example],
    encoder: EvidenceEncoder,
    rng: random.Random,
    *,
    tokens: int = 2560,
    pool: int = 480,
) -> Iterator[Batch]:
    """Batches without end (or until the examples end), at most `tokens` wide times high."""
    while chunk := list(islice(examples, pool)):
        rows = sorted((_row(e, encoder) for e in chunk), key=lambda row: len(row.ids))
        groups: list[list[_Row]] = [[]]
        for row in rows:
            full = len(groups[-1]) >= max(1, tokens // _width(row))
            if groups[-1] and (full or _width(row) != _width(groups[-1][0])):
                groups.append([])
            groups[-1].append(row)
        rng.shuffle(groups)
        for group in groups:
            yield collate(group)
