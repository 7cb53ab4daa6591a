"""Citation recall and precision, sentence by sentence (Gao et al. 2023, section 4: ALCE).

Recall: do the notes that a sentence cites support it together? Precision: is each of them needed,
that is, does it support the sentence alone, or do the others no longer do so without it?
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.concurrency import map_bounded
from agents.ports import Decomposer, FactIndex, Judge, Reranker, ScoredFact, Span
from agents.verification import citation_markers
from agents.verification.evidence_groups import deduplicate
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
        decomposed = await self.decomposer.propositions(text.text, "sentence")
        idle = {(each.start, each.end) for each in decomposed.flagged}
        return [
            span
            for span in spans
            if (span.start, span.end) not in idle or _is_only_markers(span.content, text)
        ]

    async def _chart(self, text: TextGenerated) -> Chart:
        """The documents of this chart that the text may mean by its citation markers."""
        chart: Chart = {}
        for marker in dict.fromkeys(citation_markers.possible(text.text, text.references)):
            document_id = _document(marker.name, text)
            record = await self.index.document(text.patient_id, document_id)
            if record is not None and record.evidence_ids:
                stored = await self.index.facts(record)
                chart[document_id] = [e.fact for e in stored if _may_be_evidence(e.fact, text)]
        return chart

    async def _shapes(self, text: TextGenerated, chart: Chart) -> frozenset[str]:
        """What ids of documents look like here: it separates an unknown one from prose."""
        known = {*chart, *text.references, *text.references.values()}
        others = [
            marker
            for marker in citation_markers.possible(text.text, text.references)
            if marker.certain
            and not citation_markers.is_number(marker.name)
            and marker.name not in known
        ]
        if others:
            known |= {head.document_id for head in await self.index.documents(text.patient_id)}
        return frozenset(
            citation_markers.shape(name) for name in known if not citation_markers.is_number(name)
        )

    async def _sentence(
        self, text: TextGenerated, span: Span, chart: Chart, shapes: frozenset[str]
    ) -> CitedSentence:
        sentence = text.text[span.start : span.end]
        markers = list(dict.fromkeys(citation_markers.possible(sentence, text.references)))
        named = [_document(marker.name, text) for marker in markers]
        documents = [each for each in dict.fromkeys(named) if each in chart]
        unknown = [
            marker.name
            for marker, document in zip(markers, named, strict=True)
            if document not in chart and _is_citation(marker, text, shapes)
        ]
        checked = documents[:MOST_DOCUMENTS]
        supported = await self._supports(text, span, checked, chart)
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
        if not others or await self._supports(text, span, [document], chart):
            return True
        return not await self._supports(text, span, others, chart)

    async def _supports(
        self, text: TextGenerated, span: Span, documents: Sequence[str], chart: Chart
    ) -> bool:
        statement = citation_markers.without_markers(span.content, _names(text, chart))
        groups = deduplicate([ScoredFact(fact, 0.0) for d in documents for fact in chart[d]])
        if not groups:
            return False
        scores = await self.reranker.score(statement, [group.fact.text for group in groups])
        groups = [replace(p, score=score) for p, score in zip(groups, scores, strict=True)]
        groups.sort(key=lambda group: (-group.score, group.key))
        question = Question(
            statement,
            shown(groups[: text.settings.top_n], text),
            section=span.section,
            as_of=text.evidence_until,
            abstain_below=text.settings.abstain_below,
        )
        judgement = await ask_once(self.judge, question)
        return judgement is not None and judgement.verdict == Verdict.SUPPORTED


def joined(text: TextGenerated, spans: Sequence[Span]) -> list[Span]:
    """Sentences with the markers behind their full stop, which a splitter takes for another."""
    rows: list[Span] = []
    for span in spans:
        if rows and _is_only_markers(span.content, text):
            rows[-1] = replace(
                rows[-1],
                content=text.text[rows[-1].start : span.end],
                end=span.end,
            )
        else:
            rows.append(span)
    return rows


def _is_only_markers(sentence: str, text: TextGenerated) -> bool:
    return not any(c.isalpha() for c in citation_markers.without_markers(sentence, text.references))


def _document(name: str, text: TextGenerated) -> str:
    """The id of the document that a marker names, given as a reference or as it is."""
    reference = text.references.get(name, name)
    try:
        return of_document(reference)
    except ValueError:
        return reference


def _is_citation(
    marker: citation_markers.Marker, text: TextGenerated, shapes: frozenset[str]
) -> bool:
    """Whether a marker that names no document of the chart is a citation all the same."""
    is_id = (
        citation_markers.is_number(marker.name)
        or citation_markers.shape(_document(marker.name, text)) in shapes
    )
    return marker.name in text.references or (marker.certain and is_id)


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
