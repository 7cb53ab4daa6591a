"""Note -> facts: the decomposer's units, with ids that stay when the text moves.

Sentence segmentation is a rule-based model call in every profile, so notes and generated texts are
split by the same rules, and those stand once.
"""

from __future__ import annotations

from collections import Counter

from agents.ports import Decomposer, Span
from schemas.events import deterministic_id
from schemas.notes import Fact, NoteChanged, Quote
from schemas.texts import FactUnit


async def extract_facts(
    event: NoteChanged, decomposer: Decomposer, unit: FactUnit = "sentence"
) -> list[Fact]:
    """The facts of a note in order, each with the note's exact words that say it.

    An id says patient, document, section, the words, and which of equal ones it is - not where it
    stands. A sentence that moves or is wrapped anew keeps its id, and so its vectors.
    """
    note = event.note
    # The first of its ids: a merge moves the fact and must not make another of it.
    patient_id = (*event.former_patient_ids, event.patient_id)[0]
    facts: list[Fact] = []
    seen: Counter[tuple[str | None, str]] = Counter()
    for ordinal, span in enumerate(await decomposer.decompose(note.text, unit)):
        words = (span.section, " ".join(span.content.split()))
        fact_id = deterministic_id("fact", patient_id, event.document_id, *words, seen[words])
        facts.append(
            Fact(
                fact_id=fact_id,
                patient_id=event.patient_id,
                document_id=event.document_id,
                text=span.content,
                start=span.start,
                end=span.end,
                quotes=_quotes(note.text, span),
                ordinal=ordinal,
                section=span.section,
                note_time=note.note_time,
                note_type=note.note_type,
                encounter_id=note.encounter_id,
                author_category=note.author_category,
            )
        )
        seen[words] += 1
    return facts


def _quotes(text: str, span: Span) -> tuple[Quote, ...]:
    """The words of the note, where the fact's own wording is not theirs."""
    places = [(each.start, each.end) for each in span.words] or [(span.start, span.end)]
    if len(places) == 1 and span.content == text[span.start : span.end]:
        return ()
    return tuple(Quote(start=start, end=end, quote=text[start:end]) for start, end in places)
