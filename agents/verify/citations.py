"""Citation recall and precision, sentence by sentence (Gao et al. 2023, section 4: ALCE).

Recall: do the notes that a sentence cites bear it out together? Precision: is each of them needed,
that is, does it bear the sentence out alone, or do the others no longer do so without it?
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.concurrency import map_bounded
from agents.ports import Decomposer, FactIndex, Judge, Reranker, ScoredFact, Span
from agents.verify import marks
from agents.verify.ask import Question, ask_once
from agents.verify.collapse import collapse
from agents.verify.reference import shown
from schemas.completeness import Citations, CitedSentence
from schemas.notes import AuthorCategory, Fact
from schemas.texts import TextGenerated
from schemas.verdicts import Verdict

MOST_DOCUMENTS = 6
"""Citations of a sentence that are checked; the others count as not needed."""
CONCURRENT = 8

Chart = dict[str, list[Fact]]
"""Cited document -> its facts that may be evidence."""


@dataclass(frozen=True)
class CitationChecker:
    index: FactIndex
    decomposer: Decomposer
    reranker: Reranker
    judge: Judge

    async def check(self, text: TextGenerated) -> Citations:
        spans = joined(text, await self.decomposer.decompose(text.text, "sentence"))
        chart = await self._chart(text)

        async def sentence(span: Span) -> CitedSentence:
            return await self._sentence(text, span, chart)

        rows = await map_bounded(sentence, spans, CONCURRENT)
        cited = sum(len(row.documents) + len(row.unknown) for row in rows)
        return Citations(
            recall=sum(row.supported for row in rows) / len(rows) if rows else None,
            precision=sum(len(row.needed) for row in rows) / cited if cited else None,
            sentences=tuple(rows),
        )

    async def _chart(self, text: TextGenerated) -> Chart:
        """The documents of this chart that the text may mean by its marks."""
        chart: Chart = {}
        for mark in dict.fromkeys(marks.possible(text.text)):
            document_id = text.references.get(mark, mark)
            record = await self.index.document(text.patient_id, document_id)
            if record is not None:
                stored = await self.index.facts(text.patient_id, record.fact_ids)
                chart[document_id] = [e.fact for e in stored if _may_be_evidence(e.fact, text)]
        return chart

    async def _sentence(self, text: TextGenerated, span: Span, chart: Chart) -> CitedSentence:
        found = list(dict.fromkeys(marks.possible(text.text[span.start : span.end])))
        named = [text.references.get(mark, mark) for mark in found]
        documents = [each for each in dict.fromkeys(named) if each in chart]
        unknown = [
            mark
            for mark, document in zip(found, named, strict=True)
            if document not in chart and (marks.is_number(mark) or mark in text.references)
        ]
        checked = documents[:MOST_DOCUMENTS]
        supported = await self._bears_out(text, span, checked, chart)
        needed = [
            each
            for each in (checked if supported else ())
            if await self._is_needed(text, span, each, checked, chart)
        ]
        return CitedSentence(
            start=span.start,
            end=span.end,
            documents=tuple(documents),
            unknown=tuple(unknown),
            supported=supported,
            needed=tuple(needed),
        )

    async def _is_needed(
        self, text: TextGenerated, span: Span, document: str, cited: Sequence[str], chart: Chart
    ) -> bool:
        others = [each for each in cited if each != document]
        if not others or await self._bears_out(text, span, [document], chart):
            return True
        return not await self._bears_out(text, span, others, chart)

    async def _bears_out(
        self, text: TextGenerated, span: Span, documents: Sequence[str], chart: Chart
    ) -> bool:
        statement = marks.without_marks(span.content, _names(text, chart))
        pieces = collapse([ScoredFact(fact, 0.0) for d in documents for fact in chart[d]])
        if not pieces:
            return False
        scores = await self.reranker.score(statement, [piece.fact.text for piece in pieces])
        pieces = [replace(p, score=score) for p, score in zip(pieces, scores, strict=True)]
        pieces.sort(key=lambda piece: (-piece.score, piece.key))
        question = Question(
            statement,
            shown(pieces[: text.settings.top_n], text),
            section=span.section,
            as_of=text.evidence_until,
            abstain_below=text.settings.abstain_below,
        )
        judgement = await ask_once(self.judge, question)
        return judgement is not None and judgement.verdict == Verdict.SUPPORTED


def joined(text: TextGenerated, spans: Sequence[Span]) -> list[Span]:
    """Sentences with the marks that follow their full stop, which a splitter takes for another."""
    rows: list[Span] = []
    for span in spans:
        if rows and not any(
            c.isalpha() for c in marks.without_marks(span.content, text.references)
        ):
            rows[-1] = replace(
                rows[-1],
                content=text.text[rows[-1].start : span.end],
                end=span.end,
            )
        else:
            rows.append(span)
    return rows


def _names(text: TextGenerated, chart: Chart) -> dict[str, str]:
    return {**text.references, **{document: document for document in chart}}


def _may_be_evidence(fact: Fact, text: TextGenerated) -> bool:
    until = text.evidence_until
    return (
        fact.document_id != text.document_id
        and (until is None or fact.note_time <= until)
        and (text.settings.include_ai_authored or fact.author_category != AuthorCategory.AI)
    )
