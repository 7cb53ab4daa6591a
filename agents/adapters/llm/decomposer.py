"""The decomposer over a language model.

The embedded decomposer finds sentences, sections and what a text says of itself; the language model
takes sentences apart and says what belongs together. So offsets are never the model's: claims are
placed in their sentence (`alignment`), and a snippet is the text's own words. Sentences that the
model twice gets wrong are split as the embedded decomposer splits them.

Sentences of notes are asked about in paragraphs, kept by content: what is copied forward from note
to note is paid for once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from agents.adapters.llm.answer_cache import AnswerCache, content_key
from agents.adapters.llm.decomposer_answer import (
    claims_schema,
    groups_schema,
    label,
    read_claims,
    read_groups,
)
from agents.adapters.llm.prompts import load_prompt
from agents.adapters.llm.quoting import bounded, quoted
from agents.adapters.llm.structured_answer import Asked, ask
from agents.concurrency import map_bounded
from agents.errors import ModelError
from agents.ports import Decomposed, Decomposer, LanguageModel, Message, Span
from schemas.propositions import Pattern, SourceSpan
from schemas.texts import Decomposition, Unit
from schemas.usage import NO_USAGE, Usage

T = TypeVar("T")

MODEL = "decomposer"
SENTENCES = 8
"""In one request: few enough for a small context, and for a bad answer to cost little."""
TOKENS_A_SENTENCE = 250
KEPT_PIECES = 8_192
CONCURRENT = 8
_BLANK = re.compile(r"\n[ \t\r]*\n")


class LlmDecomposer:
    def __init__(self, llm: LanguageModel, embedded: Decomposer) -> None:
        self._llm = llm
        self._embedded = embedded
        self._split = load_prompt("decompose")
        self._group = load_prompt("group")
        self._kept: AnswerCache[list[Span]] = AnswerCache(KEPT_PIECES)

    @property
    def version(self) -> str:
        prompts = f"{self._split.version} {self._group.version}"
        return f"llm {self._llm.version} {prompts}, sentences {self._embedded.version}"

    async def check(self) -> None:
        await self._embedded.check()
        await self._llm.check()

    async def decompose(self, text: str, unit: Unit) -> list[Span]:
        """A note. Every sentence of it is a fact: what the model would flag is one as it stands."""
        sentences = await self._embedded.decompose(text, "sentence")
        if unit == "sentence":
            return sentences
        spent = _Spent()
        result = await self._claims(text, sentences, spent)
        return [replace(span, flag=None, pattern=None, context=None, sources=()) for span in result]

    async def propositions(
        self, text: str, unit: Unit, mode: Decomposition = "direct"
    ) -> Decomposed:
        split = await self._embedded.propositions(text, "sentence", mode)
        if unit == "sentence":
            return split
        spent = _Spent()
        if unit == "snippet" and mode == "direct":
            result = await self._snippets(text, split.units, spent)
        else:
            result = await self._claims(text, split.units, spent)
        if unit == "snippet" and mode == "group":
            claims = [span for span in result if span.flag is None]
            flagged = [span for span in result if span.flag is not None]
            result = [*flagged, *await self._snippets(text, claims, spent)]
        result.sort(key=lambda span: (span.start, span.end))
        whole = Decomposed.of(result)
        flags = sorted((*split.flagged, *whole.flagged), key=lambda each: each.start)
        return Decomposed(whole.units, tuple(flags), spent.usage)

    # Claims

    async def _claims(self, text: str, sentences: Sequence[Span], spent: _Spent) -> list[Span]:
        async def piece(some: Sequence[Span]) -> list[Span]:
            start = some[0].start
            local = [_moved(span, -start) for span in some]
            words = text[start : max(span.end for span in some)]
            key = content_key(self.version, words, [(s.start, s.end, s.section) for s in local])
            result, _ = await self._kept.get_or(key, lambda: self._piece(words, local, spent))
            by_place = {(s.start, s.end): span for s, span in zip(local, some, strict=True)}
            return [_in_text(span, start, by_place) for span in result]

        parts = await map_bounded(piece, list(_pieces(text, sentences)), CONCURRENT)
        return [span for part in parts for span in part]

    async def _piece(self, text: str, sentences: list[Span], spent: _Spent) -> list[Span]:
        data = {
            "sentences": [
                {"id": label(n), "section": span.section, "text": bounded(span.content)}
                for n, span in enumerate(sentences)
            ]
        }
        result = await self._asked(
            self._split.text,
            data,
            claims_schema(len(sentences)),
            len(sentences),
            lambda answer: read_claims(answer, text, sentences),
            spent,
        )
        return [_as_sentence(span) for span in sentences] if result is None else result

    # Snippets

    async def _snippets(self, text: str, units: Sequence[Span], spent: _Spent) -> list[Span]:
        async def piece(some: Sequence[Span]) -> list[Span]:
            data = {
                "units": [
                    {"id": label(n), "text": bounded(span.content)} for n, span in enumerate(some)
                ]
            }
            result = await self._asked(
                self._group.text,
                data,
                groups_schema(len(some)),
                len(some),
                lambda answer: read_groups(answer, some),
                spent,
            )
            if result is None:
                return [_as_sentence(span) for span in some]
            return [_snippet(text, pattern, group) for pattern, group in result]

        parts = await map_bounded(piece, list(_pieces(text, units)), CONCURRENT)
        return [span for part in parts for span in part]

    async def _asked(  # noqa: PLR0913, PLR0917 - a prompt and what comes of it
        self,
        prompt: str,
        data: object,
        schema: dict[str, object],
        sentences: int,
        read: Callable[[str], T],
        spent: _Spent,
    ) -> T | None:
        """None where the model gave no usable answer."""
        asked = Asked(
            (Message("system", prompt), Message("user", quoted(data))),
            schema,
            max_tokens=min(sentences * TOKENS_A_SENTENCE, self._llm.context_tokens // 2),
        )
        try:
            answer = await ask(self._llm, asked, read, model=MODEL)
        except ModelError as error:
            spent.usage += error.usage
            return None
        spent.usage += answer.usage
        return answer.value


class _Spent:
    """What one text has cost."""

    def __init__(self) -> None:
        self.usage: Usage = NO_USAGE


def _pieces(text: str, spans: Sequence[Span]) -> Iterator[Sequence[Span]]:
    """Sentences of one paragraph and section, in bounded number."""
    start = 0
    for n in range(1, len(spans) + 1):
        if n < len(spans):
            between = text[spans[n - 1].end : spans[n].start]
            goes_on = spans[n].section == spans[start].section and not _BLANK.search(between)
            if goes_on and n - start < SENTENCES:
                continue
        yield spans[start:n]
        start = n


def _as_sentence(span: Span) -> Span:
    source = SourceSpan(start=span.start, end=span.end)
    return replace(span, sources=span.sources or (source,), pattern=span.pattern or "D")


def _snippet(text: str, pattern: Pattern, group: Sequence[Span]) -> Span:
    """The stretch of the text from the first to the last sentence of a group; a unit alone stays as
    it is."""
    first = _as_sentence(group[0])
    if len(group) == 1:
        return replace(first, pattern=pattern)
    sources = {(s.start, s.end): s for span in group for s in _as_sentence(span).sources}
    ordered = tuple(sources[key] for key in sorted(sources))
    start = min(span.start for span in group)
    end = max(span.end for span in group)
    if len(ordered) > 1:
        start, end = min(start, ordered[0].start), max(end, ordered[-1].end)
    return replace(
        first, content=text[start:end], start=start, end=end, sources=ordered, pattern=pattern
    )


def _moved(span: Span, by: int) -> Span:
    return replace(
        span,
        start=span.start + by,
        end=span.end + by,
        sources=tuple(SourceSpan(start=s.start + by, end=s.end + by) for s in span.sources)
        if by >= 0 or all(s.start + by >= 0 for s in span.sources)
        else (),
        words=(),
    )


def _in_text(span: Span, by: int, sentences: dict[tuple[int, int], Span]) -> Span:
    """A kept span in the text at hand, with what that says of the sentence it is of."""
    source = span.sources[0] if span.sources else None
    place = (source.start, source.end) if source else (span.start, span.end)
    sentence = sentences.get(place)
    moved = _moved(span, by)
    return replace(moved, context=sentence.context) if sentence else moved
