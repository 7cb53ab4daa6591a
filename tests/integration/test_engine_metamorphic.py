"""What may not change a verdict and what must, on the real models: relations, not labels.

The chart and the statements are invented. A verdict is what stands in the score sheet: the label of
each proposition, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest

from agents.adapters.index.memory import MemoryIndex
from agents.adapters.models import Models
from agents.indexing.document_indexer import DocumentIndexer
from agents.verification.verifier import Verifier
from schemas.events import Event, Position
from schemas.notes import AuthorCategory, DocumentVersion, Note, NoteChanged
from schemas.texts import TextGenerated, VerificationSettings
from schemas.verdicts import ScoreSheetIssued, Verdict

pytestmark = pytest.mark.asyncio(loop_scope="module")

NOW = datetime(2031, 3, 10, 15, tzinfo=UTC)
AT = Position(topic="chart", partition=0, offset=1)
PATIENT = "inv-1"


@dataclass(frozen=True)
class Written:
    document_id: str
    text: str
    patient_id: str = PATIENT
    days_ago: int = 3
    author: AuthorCategory = AuthorCategory.CLINICIAN


ADMISSION = Written(
    "admission",
    """History of Present Illness:
Mr. Okonkwo-Test is a 66-year-old man who came in with three days of productive cough and fever.
He denies chest pain.

Past Medical History:
- Type 2 diabetes mellitus
- Hypertension
- Right hip arthroplasty in 2022

Allergies:
Penicillin causes hives.

Medications:
Metformin 500 mg twice daily
Lisinopril 20 mg daily
""",
    days_ago=5,
)
PROGRESS = Written(
    "progress",
    """Subjective:
Cough is improving. He denies shortness of breath.

Results:
Potassium 4.1 mmol/L. Creatinine 1.3 mg/dL.
Chest X-ray shows a left lower lobe infiltrate.

Assessment and Plan:
Pneumonia, improving on doxycycline 100 mg twice daily.
Follow up with pulmonology in four weeks.
""",
)
CHART = (ADMISSION, PROGRESS)
TEXT = """The patient has type 2 diabetes mellitus.
He takes lisinopril 40 mg daily.
He had a right hip arthroplasty in 2022.
He has chest pain.
Penicillin causes hives.
Chest X-ray shows a right lower lobe infiltrate.
He was treated with doxycycline 100 mg twice daily.
He received a kidney transplant.
Creatinine was 1.3 mg/dL.
"""
REPEATED = (0, 2, 4, 8)
"""Lines that the chart says in the same words."""
WRONG = (5, 7)
"""Another side, and an invention."""


def assert_plain(labels: Sequence[Verdict]) -> None:
    """What any judge must say of a chart that is this plain."""
    assert [labels[n] for n in REPEATED] == [Verdict.SUPPORTED] * len(REPEATED)
    assert not [n for n in WRONG if labels[n] == Verdict.SUPPORTED]


class FixedClock:
    def now(self) -> datetime:
        return NOW


async def ignore(_: Event) -> None:
    """Nobody listens."""


async def chart_of(models: Models, notes: Sequence[Written]) -> MemoryIndex:
    index = MemoryIndex()
    indexer = DocumentIndexer(index, models.embedder, models.decomposer, FixedClock())
    for note in notes:
        said = Note(
            text=note.text,
            note_type="Note",
            note_time=NOW - timedelta(days=note.days_ago),
            author_category=note.author,
        )
        version = DocumentVersion(content_hash=str(hash(note.text)))
        await indexer.apply(
            NoteChanged(
                occurred_at=NOW, patient_id=note.patient_id, document_id=note.document_id,
                version=version, note=said, source=AT,
            ),
            AT,
            ignore,
        )  # fmt: skip
    return index


async def sheet_of(
    models: Models, notes: Sequence[Written], text: str = TEXT, **settings: object
) -> ScoreSheetIssued:
    index = await chart_of(models, notes)
    verifier = Verifier(
        index, models.embedder, models.reranker, models.decomposer, models.judge, FixedClock()
    )
    event = TextGenerated(
        occurred_at=NOW,
        text_id="t",
        patient_id=PATIENT,
        text=text,
        settings=VerificationSettings(**{"unit": "sentence", **settings}),
    )
    sheets: list[ScoreSheetIssued] = []

    async def emit(each: Event) -> None:
        if isinstance(each, ScoreSheetIssued):
            sheets.append(each)

    await verifier.verify(event, AT, emit)
    return sheets[0]


async def verdicts(
    models: Models, notes: Sequence[Written], text: str = TEXT, **settings: object
) -> list[Verdict]:
    sheet = await sheet_of(models, notes, text, **settings)
    return [row.verdict for row in sheet.judged]


@pytest.mark.parametrize("retrieval", ["hybrid", "dense", "sparse"])
async def test_the_chart_as_it_is(models: Models, retrieval: str) -> None:
    assert_plain(await verdicts(models, CHART, retrieval=retrieval))


@pytest.mark.parametrize("format_", ["all", "relevance", "absolute_time", "relative_time"])
async def test_no_format_changes_a_verdict(models: Models, format_: str) -> None:
    assert_plain(await verdicts(models, CHART, reference_format=format_))


@pytest.mark.parametrize(
    "settings",
    [{"judging": "full_context"}, {"max_rounds": 1}, {"max_rounds": 5},
     {"ensure_section_coverage": True}, {"top_n": 5}, {"top_n": 150}],
    ids=str,
)  # fmt: skip
async def test_nor_does_any_setting_in_a_chart_that_is_this_plain(
    models: Models, settings: dict
) -> None:
    assert_plain(await verdicts(models, CHART, **settings))


WARD = (
    "The bed alarm is on and the call light is in reach.",
    "Diet tray was delivered and the family visited in the evening.",
    "Skin is intact over the sacrum.",
    "Ambulated in the hallway with a walker.",
    "The chaplain stopped by.",
)


async def test_irrelevant_notes_change_nothing(models: Models) -> None:
    more = [
        Written(f"ward-{n}", f"Nursing Note:\n{line} Shift {n}.\n", days_ago=n % 5)
        for n, line in enumerate(WARD * 20)
    ]
    assert_plain(await verdicts(models, [*CHART, *more]))


async def test_other_patients_change_nothing(models: Models) -> None:
    said = "Past Medical History:\nKidney transplant. Chest pain. Lisinopril 40 mg daily.\n"
    others = [Written(f"o-{n}", said, patient_id=f"inv-{n}") for n in range(2, 6)]
    assert_plain(await verdicts(models, [*CHART, *others]))


async def test_repeated_notes_change_nothing_and_are_named(models: Models) -> None:
    # Of other days: the same words of the same time are the same note under another id.
    copies = [
        replace(note, document_id=f"{note.document_id}-copy-{n}", days_ago=note.days_ago + 1 + n)
        for note in CHART
        for n in range(30)
    ]
    sheet = await sheet_of(models, [*CHART, *copies])
    assert_plain([row.verdict for row in sheet.judged])
    assert {len(cited.sources) for cited in sheet.judged[0].evidence} == {31}


async def test_a_note_in_two_changes_nothing(models: Models) -> None:
    def halves(note: Written) -> list[Written]:
        first, second = note.text.split("\n\n", 1)
        return [
            replace(note, text=first),
            replace(note, text=second, document_id=note.document_id + "-2"),
        ]

    split = [half for note in CHART for half in halves(note)]
    assert_plain(await verdicts(models, split))


async def test_without_its_only_support_a_statement_is_not_supported(models: Models) -> None:
    without = [
        replace(note, text=note.text.replace("Penicillin causes hives.", "")) for note in CHART
    ]
    assert await verdicts(models, CHART, "Penicillin causes hives.") == [Verdict.SUPPORTED]
    assert await verdicts(models, without, "Penicillin causes hives.") != [Verdict.SUPPORTED]


async def test_a_summary_that_spells_out_what_the_chart_abbreviates_leaves_nothing_out(
    models: Models,
) -> None:
    chart = [Written("pmh", "Past Medical History:\nHTN\n\nAllergies:\nPenicillin: hives\n")]
    places = ("abdomen", "skin", "neck", "spine", "ear", "nose", "heart", "liver", "hand", "wrist")
    exams = ("CT", "MRI", "PET", "EKG", "EEG", "EMG", "DXA", "TTE")
    filler = [f"{exam} of the {place}: NAD." for exam in exams for place in places]
    said = [*filler[:40], "The patient has hypertension.", *filler[40:]]
    full = await sheet_of(
        models, chart, "\n".join([*said, "Penicillin causes hives."]), omissions=True
    )
    assert (full.omissions.recall, full.omissions.omissions) == (1.0, ())
    part = await sheet_of(models, chart, "\n".join(said), omissions=True)
    assert [each.evidence.quote for each in part.omissions.omissions] == ["Penicillin: hives"]


async def test_citations_are_held_against_the_notes_they_name(models: Models) -> None:
    text = "Lisinopril 20 mg daily [1].\nPenicillin causes hives [2].\n"
    references = {"1": "admission", "2": "progress"}
    index = await chart_of(models, CHART)
    verifier = Verifier(
        index, models.embedder, models.reranker, models.decomposer, models.judge, FixedClock()
    )
    event = TextGenerated(
        occurred_at=NOW, text_id="t", patient_id=PATIENT, text=text, references=references,
        settings=VerificationSettings(unit="sentence", citations=True),
    )  # fmt: skip
    sheets: list[Event] = []

    async def emit(each: Event) -> None:
        sheets.append(each)

    await verifier.verify(event, AT, emit)
    (sheet,) = [each for each in sheets if isinstance(each, ScoreSheetIssued)]
    assert [row.verdict for row in sheet.judged] == [Verdict.SUPPORTED] * 2
    assert (sheet.citations.recall, sheet.citations.precision) == (0.5, 0.5)


async def test_an_ai_authored_copy_of_the_text_supports_nothing(models: Models) -> None:
    own = Written("generated", TEXT, days_ago=1, author=AuthorCategory.AI)
    assert_plain(await verdicts(models, [*CHART, own]))
    believed = await verdicts(models, [*CHART, own], include_ai_authored=True)
    assert believed[7] == Verdict.SUPPORTED  # the transplant that never was
