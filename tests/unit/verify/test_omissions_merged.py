"""Omissions as a list: one line for each thing, the latest word on it, what matters most first."""

from datetime import timedelta

import pytest

from agents.indexing.document_indexer import DocumentIndexer
from agents.omissions import salient_facts
from agents.ports import EmbeddedFact, Judgement
from schemas.completeness import Omissions, Salience
from schemas.events import Event
from schemas.notes import DocumentVersion, Note, NoteChanged, NoteRetracted
from schemas.texts import VerificationSettings
from schemas.verdicts import Verdict
from tests.unit.verify.bench import NOW, POSITION, Bench, FixedClock, fact

SETTINGS = VerificationSettings(omissions=True)


def bench() -> Bench:
    """Its judge never finds that the text says a fact: what is covered is covered by name."""
    made = Bench()
    made.judge.answers = [Judgement(Verdict.NOT_ADDRESSED, 0.9, "silent")]
    return made


async def omissions(text: str, *facts: EmbeddedFact, **more: object) -> Omissions:
    made = bench()
    await made.add(*facts)
    found = (await made.verify(text, settings=SETTINGS, **more)).omissions
    assert found is not None
    return found


def quotes(found: Omissions) -> list[str]:
    return [each.evidence.quote for each in found.omissions]


async def test_the_items_of_a_list_are_facts_of_their_own_with_their_own_place() -> None:
    listed = fact(
        "a", "Bactrim (hives, itching), lisinopril (cough)", section="Allergies", start=40
    )
    found = await omissions("Well.", listed)
    assert sorted(quotes(found)) == ["Bactrim (hives, itching)", "lisinopril (cough)"]
    second = next(e.evidence for e in found.omissions if e.evidence.quote.startswith("lis"))
    assert (second.start, second.end) == (66, 84)


async def test_an_allergen_and_its_reaction_are_one_item() -> None:
    listed = fact("a", "Shellfish - hives", section="Allergies")
    assert quotes(await omissions("Well.", listed)) == ["Shellfish - hives"]


async def test_one_thing_by_several_names_is_one_fact_and_the_latest_word_stands() -> None:
    facts = [
        fact("1", "Hold losartan.", section="Plan", document_id="d1",
             note_time=NOW - timedelta(days=3)),
        fact("2", "Cozaar 25 mg resumed.", section="Plan", document_id="d2"),
        fact("3", "HTN", section="Past Medical History", document_id="d1"),
        fact("4", "High blood pressure", section="Problem List", document_id="d2"),
        fact("5", "Cr 2.3", section="Labs", document_id="d1", note_time=NOW - timedelta(days=2)),
        fact("6", "Creatinine 1.9 mg/dL", section="Labs", document_id="d2"),
    ]  # fmt: skip
    found = await omissions("Well.", *facts)
    assert found.checked == 3
    assert quotes(found)[0] == "Cozaar 25 mg resumed."
    assert quotes(found)[2] == "Creatinine 1.9 mg/dL"
    assert all(len(each.evidence.sources) == 2 for each in found.omissions)


async def test_two_things_in_like_words_stay_two() -> None:
    facts = [
        fact("1", "Sputum culture pending at discharge.", section="Follow-up"),
        fact("2", "Stool antigen pending at discharge.", section="Follow-up"),
    ]
    assert (await omissions("Well.", *facts)).checked == 2


async def test_what_matters_most_comes_first() -> None:
    facts = [
        fact("r", "Lactate 4.1", section="Labs"),
        fact("f", "Follow up with cardiology.", section="Plan"),
        fact("p", "Asthma", section="Problem List"),
        fact("m", "Start apixaban.", section="Plan"),
        fact("a", "Latex", section="Allergies"),
        fact("o", "Underwent bronchoscopy.", section="Hospital Course"),
        fact("p2", "Gout", section="Problem List", document_id="d1"),
        fact("p3", "Gout", section="Past Medical History", document_id="d2"),
    ]
    found = await omissions("Well.", *facts)
    assert [each.salience for each in found.omissions] == [
        Salience.ALLERGY,
        Salience.MEDICATION_CHANGE,
        Salience.PROBLEM,
        Salience.PROBLEM,
        Salience.PROCEDURE,
        Salience.FOLLOW_UP,
        Salience.ABNORMAL_RESULT,
    ]
    assert quotes(found)[2] == "Gout"  # two notes say it


async def test_a_heading_says_what_became_of_the_drugs_under_it() -> None:
    rows = [(0, "STOP"), (7, "Lisinopril 20 mg"), (26, "CONTINUE"), (37, "Aspirin 81 mg")]
    facts = [
        fact(f"f{n}", text, section="Medications", start=start, ordinal=n)
        for n, (start, text) in enumerate(rows)
    ]
    assert quotes(await omissions("Well.", *facts)) == ["Lisinopril 20 mg"]
    assert quotes(await omissions("Lisinopril was stopped.", *facts)) == []
    [said] = (await omissions("Lisinopril 20 mg daily.", *facts)).omissions
    assert said.coverage == "otherwise"


async def test_a_heading_ends_with_its_list() -> None:
    rows = [(0, "STOP"), (7, "Lisinopril 20 mg"), (25, "Aspirin 81 mg was given today.")]
    facts = [
        fact(f"f{n}", text, section="Medications", start=start, ordinal=n)
        for n, (start, text) in enumerate(rows)
    ]
    assert quotes(await omissions("Well.", *facts)) == ["Lisinopril 20 mg"]


async def test_a_heading_and_its_list_in_one_fact_are_read_line_by_line() -> None:
    listed = fact("a", "STOP\n- Lisinopril 20 mg\n- Ibuprofen 400 mg as needed", section="Meds")
    found = await omissions("Well.", listed)
    assert sorted(quotes(found)) == ["Ibuprofen 400 mg as needed", "Lisinopril 20 mg"]


@pytest.mark.parametrize(
    ("section", "note", "says", "not_said"),
    [
        ("Past Medical History", "HTN", "She has hypertension.", "She has no hypertension."),
        ("Past Medical History", "OA", "He has osteoarthritis.", "His mother has osteoarthritis."),
        ("Past Surgical History", "L TKA 2016", "Her left knee was replaced.", "Her knee hurts."),
        ("Allergies", "PCN (hives)", "Penicillin gives her hives.", "Penicillin was given."),
        ("Allergies", "PCN (hives)", "She is allergic to penicillin.", "Penicillin causes cough."),
        ("Plan", "Metop 50 -> 100 mg.", "Metoprolol was increased.", "Metoprolol is continued."),
        ("Plan", "Metop 50 -> 100 mg.", "Metoprolol 100 mg daily.", "Metoprolol 25 mg daily."),
        ("Plan", "Hold metformin.", "Metformin is on hold.", "Metformin 500 mg daily."),
        ("Plan", "Start Eliquis 5 mg.", "She takes apixaban.", "Apixaban is continued from home."),
        ("Labs", "BNP 1840", "Her BNP was 1,840.", "Her BNP was 900."),
        ("Labs", "LVEF 30%", "The ejection fraction is low.", "An echocardiogram was done."),
        ("Plan", "F/u: BMP 2/18.", "A basic metabolic panel is due February 18.",
         "The basic metabolic panel was normal."),
        ("Plan", "F/u cards 2/20.", "She will see cardiology on 2/20.",
         "She will see cardiology on 3/4."),
    ],
)  # fmt: skip
async def test_a_text_says_in_full_what_a_note_abbreviates(
    section: str, note: str, says: str, not_said: str
) -> None:
    there = fact("f", note, section=section)
    assert (await omissions(says, there)).recall == 1.0
    assert (await omissions(not_said, there)).recall == 0.0


async def test_what_is_said_by_name_asks_no_judge() -> None:
    made = bench()
    await made.add(fact("f", "HTN", section="Past Medical History"))
    sheet = await made.verify("Hypertension.", settings=SETTINGS)
    assert sheet.omissions.covered == 1
    assert made.judge.calls == sheet.judged[0].judge_calls


async def test_an_inpatient_plan_of_days_ago_is_over() -> None:
    old = fact("1", "F/u blood cultures.", section="Plan", note_time=NOW - timedelta(days=6))
    new = fact("2", "Follow up with urology.", section="Plan", document_id="d2")
    assert quotes(await omissions("Well.", old, new)) == ["Follow up with urology."]
    assert quotes(await omissions("Well.", old)) == ["F/u blood cultures."]


async def test_a_transcript_is_no_source_of_salient_facts() -> None:
    turns = [
        fact("1", "[1][doctor] so you had the surgery and started lisinopril ?"),
        fact("2", "[2][patient] i had my knee surgery , yes ."),
        fact("3", "[3][doctor] you are allergic to penicillin ."),
    ]
    assert (await omissions("Well.", *turns)).checked == 0


async def test_of_an_encounter_unknown_to_the_chart_the_record_is_looked_at() -> None:
    there = fact("a", "Latex", section="Allergies", encounter_id="e1")
    found = await omissions("Well.", there, encounter_id="e1")
    assert (found.scope, found.checked) == ("encounter", 1)
    found = await omissions("Well.", there, encounter_id="nobody-knows")
    assert (found.scope, found.checked) == ("record", 1)
    assert (await omissions("Well.", there)).scope == "record"


async def test_of_an_enormous_chart_no_more_is_searched_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(salient_facts, "SEARCHED", 5)
    many = [fact(f"f{n}", f"Sat in a chair, hour {n}") for n in range(4)]
    assert not (await omissions("Well.", *many)).cut
    many += [fact(f"g{n}", f"Walked the hall, hour {n}") for n in range(4)]
    assert (await omissions("Well.", *many)).cut


async def test_facts_beyond_the_bound_of_a_kind_are_a_cut_too() -> None:
    many = [fact(f"f{n}", f"Allergic to drug {n}") for n in range(salient_facts.OF_A_KIND + 1)]
    assert (await omissions("Well.", *many)).cut


async def test_a_note_entered_in_error_is_left_out_of_nothing() -> None:
    made = bench()
    v = made.verifier
    indexer = DocumentIndexer(v.index, v.embedder, v.decomposer, FixedClock())
    named = {"occurred_at": NOW, "patient_id": "p1", "document_id": "d1", "source": POSITION}
    note = Note(text="Allergic to latex.", note_time=NOW - timedelta(days=1))

    async def ignore(_: Event) -> None: ...

    version = DocumentVersion(content_hash="1", version_id="1")
    await indexer.apply(NoteChanged(**named, version=version, note=note), POSITION, ignore)
    assert (await made.verify("Well.", settings=SETTINGS)).omissions.checked == 1
    made.emitted.clear()
    gone = DocumentVersion(content_hash="", version_id="2")
    await indexer.apply(
        NoteRetracted(**named, version=gone, reason="entered_in_error"), POSITION, ignore
    )
    assert (await made.verify("Well.", settings=SETTINGS)).omissions.checked == 0


async def test_as_of_hides_what_came_later_and_brings_back_what_stood_then() -> None:
    facts = [
        fact("1", "Hold losartan.", section="Plan", note_time=NOW - timedelta(days=3)),
        fact("2", "Losartan resumed.", section="Plan", document_id="d2"),
    ]
    found = await omissions("Well.", *facts, as_of=NOW - timedelta(days=2))
    assert quotes(found) == ["Hold losartan."]
