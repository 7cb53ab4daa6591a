"""Long texts reach the decomposer in pieces, and what is too slow ends."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import orjson
import pytest

from agents.adapters.models.long_texts import in_pieces
from agents.adapters.models.ports import CANARY, ModelDecomposer
from agents.adapters.models.transport import Columns, Tensors
from agents.errors import DeadlineExceeded, DependencyUnavailable, PermanentError
from agents.ports import Span
from schemas.propositions import SharedContext


async def lines(text: str) -> list[Span]:
    """A span a line; a line with a colon at its end begins a section."""
    spans, section = [], None
    for match in re.finditer(r"[^\n]+", text):
        if match[0].endswith(":"):
            section = match[0][:-1]
        else:
            spans.append(Span(match[0], match.start(), match.end(), section))
    return spans


TEXT = "One.\n\nPlan:\nTwo is here.\nThree 🩺.\n\nFour.\nHx:\nFive.\n\nSix goes on.\nSeven."


@pytest.mark.parametrize("limit", range(30, len(TEXT) + 2))
async def test_pieces_give_what_the_whole_gives(limit):
    assert await in_pieces(TEXT, lines, limit) == await lines(TEXT)


@pytest.mark.parametrize("text", ["", "word", "x" * 100, "a b " * 50, "\n" * 90, "\n\nab" * 40])
async def test_pieces_are_bounded_and_lose_nothing(text):
    pieces = []

    async def words(piece: str) -> list[Span]:
        pieces.append(piece)
        return [Span(found[0], *found.span()) for found in re.finditer(r"\w+", piece)]

    found = await in_pieces(text, words, 30)
    assert "".join(span.content for span in found) == re.sub(r"\s", "", text)
    assert max(map(len, pieces)) <= 30
    assert all(text[span.start : span.end] == span.content for span in found)


async def test_what_is_said_of_the_patient_first_is_so_of_every_piece():
    first = SharedContext(age="67 years", sex="male", problem="gout")
    later = SharedContext(age="3 years", problem="cough", encounter="seen at home")

    async def two(piece: str) -> list[Span]:
        context = first if piece.startswith("He is 67") else later
        return [Span(piece, 0, len(piece), context=context)]

    found = await in_pieces("He is 67 and a man.\n\nHis son is 3 and ill.", two, 30)
    assert [span.context for span in found] == [
        first,
        SharedContext(age="67 years", sex="male", problem="cough", encounter="seen at home"),
    ]


class Slow:
    """A decomposer's host that misses its deadline on every text but its canary."""

    def __init__(self, *, healthy: bool, misses: int = 1000) -> None:
        self.healthy = healthy
        self.misses = misses

    async def infer(self, model: str, columns: Columns, outputs: Sequence[str]) -> Tensors:
        (text,) = columns["TEXT"]
        if text == CANARY and not self.healthy:
            raise DeadlineExceeded("triton", "late")
        if text != CANARY and self.misses:
            self.misses -= 1
            raise DeadlineExceeded("triton", "late")
        said = orjson.dumps([{"text": text, "start": 0, "end": len(text)}])
        found = {"PROPOSITIONS": said, "VERSION": b"1"}
        return {name: np.array([[found[name]]], dtype=np.object_) for name in outputs}

    async def close(self) -> None: ...


async def test_a_text_that_is_too_slow_for_a_healthy_decomposer_ends():
    with pytest.raises(PermanentError, match="CHARTPROOF_MODEL_TIMEOUT_S") as ended:
        await ModelDecomposer(Slow(healthy=True)).decompose("Cough.", "sentence")
    assert ended.value.reason == "too_slow"


async def test_while_the_decomposer_is_ill_no_text_is_to_blame():
    with pytest.raises(DependencyUnavailable):
        await ModelDecomposer(Slow(healthy=False)).decompose("Cough.", "sentence")


async def test_a_deadline_missed_once_or_twice_is_no_end():
    (span,) = await ModelDecomposer(Slow(healthy=True, misses=2)).decompose("Cough.", "sentence")
    assert span.content == "Cough."
