"""Citation recall and precision, sentence by sentence (Gao et al. 2023, section 4: ALCE).

Recall: do the notes that a sentence cites bear it out together? Precision: is each of them needed,
that is, does it bear the sentence out alone, or do the others no longer do so without it?
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.concurrency import map_bounded
from agents.ports import Decomposer, FactIndex, Judge, Reranker, ScoredFact, Span
from agents.verification import citation_markers
from agents.verification.evidence_groups import collapse
from agents.verification.judge_call import Question, ask_once
from agents.verification.reference_context import shown
from schemas.completeness import Citations, CitedSentence
from schemas.identity import of_document
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
        spans = joined(text, await self._sentences(text))
        chart = await self._chart(text)
        shapes = await self._shapes(text, chart)

        async def sentence(span: Span) -> CitedSentence:
            return await self._sentence(text, span, chart, shapes)

        rows = await map_bounded(sentence, spans, CONCURRENT)
        cited = sum(len(row.documents) + len(row.unknown) for row in rows)
        return Citations(
            recall=sum(row.supported for row in rows) / len(rows) if rows else None,
            precision=sum(len(row.needed) for row in rows) / cited if cited else None,
            sentences=tuple(rows),
        )

    async def _sentences(self, text: TextGenerated) -> list[Span]:
        """The text's sentences, but for those that state nothing (a question, an instruction)."""
        spans = await self.decomposer.decompose(text.text, "sentence")
        found = await self.decomposer.propositions(text.text, "sentence")
        idle = {(each.start, each.end) for each in found.flagged}
        return [
            span
            for span in spans
            if (span.start, span.end) not in idle or _is_marks(span.content, text)
        ]

    async def _chart(self, text: TextGenerated) -> Chart:
        """The documents of this chart that the text may mean by its citation_markers."""
        chart: Chart = {}
        for mark in dict.fromkeys(citation_markers.possible(text.text, text.references)):
            document_id = _document(mark.name, text)
            record = await self.index.document(text.patient_id, document_id)
            if record is not None and record.evidence_ids:
                stored = await self.index.facts(record)
                chart[document_id] = [e.fact for e in stored if _may_be_evidence(e.fact, text)]
        return chart

    async def _shapes(self, text: TextGenerated, chart: Chart) -> frozenset[str]:
        """What ids of documents look like here: by it an unknown one is told from prose."""
        known = {*chart, *text.references, *text.references.values()}
        others = [
            mark
            for mark in citation_markers.possible(text.text, text.references)
            if mark.sure and not citation_markers.is_number(mark.name) and mark.name not in known
        ]
        if others:
            known |= {head.document_id for head in await self.index.documents(text.patient_id)}
        return frozenset(
            citation_markers.shape(name) for name in known if not citation_markers.is_number(name)
        )

    async def _sentence(
        self, text: TextGenerated, span: Span, chart: Chart, shapes: frozenset[str]
    ) -> CitedSentence:
        said = text.text[span.start : span.end]
        found = list(dict.fromkeys(citation_markers.possible(said, text.references)))
        named = [_document(mark.name, text) for mark in found]
        documents = [each for each in dict.fromkeys(named) if each in chart]
        unknown = [
            mark.name
            for mark, document in zip(found, named, strict=True)
            if document not in chart and _is_citation(mark, text, shapes)
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
            unknown=tuple(dict.fromkeys(unknown)),
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
        statement = citation_markers.without_marks(span.content, _names(text, chart))
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
        if rows and _is_marks(span.content, text):
            rows[-1] = replace(
                rows[-1],
                content=text.text[rows[-1].start : span.end],
                end=span.end,
            )
        else:
            rows.append(span)
    return rows


def _is_marks(said: str, text: TextGenerated) -> bool:
    return not any(c.isalpha() for c in citation_markers.without_marks(said, text.references))


def _document(name: str, text: TextGenerated) -> str:
    """The id of the document that a mark names, given as a reference or as it is."""
    said = text.references.get(name, name)
    try:
        return of_document(said)
    except ValueError:
        return said


def _is_citation(mark: citation_markers.Mark, text: TextGenerated, shapes: frozenset[str]) -> bool:
    """Whether a mark that names no document of the chart is a citation all the same."""
    is_id = (
        citation_markers.is_number(mark.name)
        or citation_markers.shape(_document(mark.name, text)) in shapes
    )
    return mark.name in text.references or (mark.sure and is_id)


def _names(text: TextGenerated, chart: Chart) -> dict[str, str]:
    named = {m.name for m in citation_markers.possible(text.text, text.references)}
    return {
        **text.references,
        **{name: name for name in named if _document(name, text) in chart},
    }


def _may_be_evidence(fact: Fact, text: TextGenerated) -> bool:
    until = text.evidence_until
    return (
        fact.document_id != text.document_id
        and (until is None or fact.note_time <= until)
        and (text.settings.include_ai_authored or fact.author_category != AuthorCategory.AI)
    )
