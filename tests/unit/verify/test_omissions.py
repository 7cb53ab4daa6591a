"""Omissions: which facts of a chart are salient, and which of them a text leaves out."""

from dataclasses import replace
from datetime import timedelta

import pytest

from agents.errors import DependencyUnavailable
from agents.omissions.salience.reading import atoms, lead_of_section
from agents.omissions.salient_facts import OF_A_KIND
from schemas.completeness import Omissions, Salience
from schemas.notes import AuthorCategory
from schemas.texts import VerificationSettings
from tests.unit.verify.bench import NOW, Bench, WordJudge, fact


@pytest.mark.parametrize(
    ("section", "text", "salience"),
    [
        ("Allergies", "Penicillin causes hives.", Salience.ALLERGY),
        ("Allergies", "NKDA", None),
        ("Allergies", "No penicillin allergy.", None),
        (None, "She is allergic to latex.", Salience.ALLERGY),
        ("Hospital Course", "Underwent right thoracentesis.", Salience.PROCEDURE),
        ("Plan", "Furosemide increased to 80 mg daily.", Salience.MEDICATION_CHANGE),
        ("Medications", "Lisinopril held.", Salience.MEDICATION_CHANGE),
        ("Medications", "Lisinopril 20 mg daily.", None),
        ("Discharge Diagnoses", "Acute kidney injury", Salience.PROBLEM),
        ("Assessment", "Pneumonia of the left lower lobe.", Salience.PROBLEM),
        ("Laboratory Results", "Creatinine 2.3 (H)", Salience.ABNORMAL_RESULT),
        ("Laboratory Results", "Potassium is elevated at 5.9.", Salience.ABNORMAL_RESULT),
        ("Laboratory Results", "Sodium 140.", None),
        ("Plan", "Follow up with cardiology in two weeks.", Salience.FOLLOW_UP),
        ("Family History", "Mother had breast cancer.", None),
        ("Problem List", "No pneumonia.", None),
        ("Plan", "Thoracentesis cancelled, pt declined.", None),
        ("Laboratory Results", "Pre-procedure: K 4.2", None),
        ("Intake and Output", "Net -1.9 L.", None),
        ("Past Medical History", "HTN", Salience.PROBLEM),
        ("Follow-up", "L. Madeup MD", None),
        ("Diagnoses", "Cleared for activity.", None),
        ("Nursing", "The call light is in reach.", None),
        ("Family History", "Brother - T2DM.", None),
        ("History of Present Illness", "Her father had colon cancer.", None),
        ("History of Present Illness", "68M with COPD and HTN.", Salience.PROBLEM),
        ("History of Present Illness", "She has a history of viral sinusitis.", None),
        ("Assessment and Plan", "I believe she has a lumbar strain.", Salience.PROBLEM),
        ("Assessment and Plan", "Low suspicion for PE.", None),
        ("Past Surgical History", "lap chole 1998", Salience.PROCEDURE),
        ("Plan", "Cardioversion tomorrow.", None),
        ("Hospital Course", "Colonoscopy was performed.", Salience.PROCEDURE),
        ("Medications", "Metoprolol 50 -> 100 mg daily.", Salience.MEDICATION_CHANGE),
        ("Medications", "If output is low add metolazone.", None),
        ("Medications", "D/c diltiazem.", Salience.MEDICATION_CHANGE),
        ("Laboratory Results", "K 5.8 (3.5-5.1)", Salience.ABNORMAL_RESULT),
        ("Laboratory Results", "K 5.2 (3.5-5.3)", None),
        ("Laboratory Results", "Troponin 0.9 ng/mL (<0.04)", Salience.ABNORMAL_RESULT),
        ("Laboratory Results", "Troponin 0.02 ng/mL (<0.04)", None),
        ("Laboratory Results", "Procalcitonin 4.2 ng/mL (H)", Salience.ABNORMAL_RESULT),
        ("Laboratory Results", "Glucose 311", Salience.ABNORMAL_RESULT),
        ("Laboratory Results", "TSH 5.5 (0.4-4.5)", Salience.ABNORMAL_RESULT),
        ("Laboratory Results", "Creatinine 1.7 (0.6-1.8)", None),
        ("Imaging", "CT chest was negative for PE.", None),
        ("Imaging", "CT was negative for PE; it shows a lung nodule.", Salience.ABNORMAL_RESULT),
        ("Medications", "Potassium 500 mg oral tablet", None),
        ("Plan", "BMP at PCP 2/18.", Salience.FOLLOW_UP),
        ("Plan", "I am going to order a lipid panel.", Salience.FOLLOW_UP),
        ("Plan", "Return if it gets worse.", None),
        ("Hospital Course", "At her last follow-up visit she was well.", None),
        (None, "CHANGED", None),
        ("Medications", "Stopped medications:", None),
        ("Past Medical History", "see H&P", None),
        ("Assessment", "Electronically signed.", None),
        ("Plan", "All questions were answered.", None),
        ("Plan", "Jane Invented, MD, Internal Medicine", None),
        ("Plan", "Follow up with Jane Invented MD.", Salience.FOLLOW_UP),
        ("Plan", "Refer to GI for EGD.", Salience.FOLLOW_UP),
        ("Plan", "Please refer to the attached handout.", None),
        (None, "Per cardiology, stop metoprolol.", Salience.MEDICATION_CHANGE),
        (None, "Discussed with renal, start furosemide.", Salience.MEDICATION_CHANGE),
        ("Past Surgical History", "Gastric band", Salience.PROCEDURE),
        ("Procedures", "ID band checked", None),
        ("Plan: These procedures were performed", "skin biopsy", Salience.PROCEDURE),
        ("Plan: These procedures were performed", "kidney dialysis", Salience.PROCEDURE),
        ("Plan: These procedures were performed", "screening for falls (procedure)", None),
        ("Plan: Colonoscopy was performed", "Follow up with GI Dr Madeup.", Salience.FOLLOW_UP),
    ],
)
def test_what_is_salient(section: str | None, text: str, salience: Salience | None) -> None:
    lead = lead_of_section(section or "")
    found = {each.salience for each in atoms(fact("f", text, section=section).fact, lead)}
    assert found == ({salience} if salience else set())


async def omissions(text: str, *facts, **more: object) -> Omissions | None:
    bench = Bench()
    bench.verifier = replace(bench.verifier, judge=WordJudge())
    await bench.add(*facts)
    settings = VerificationSettings(omissions=True)
    return (await bench.verify(text, settings=settings, **more)).omissions


ALLERGY = fact("a", "Penicillin causes hives", section="Allergies")
PROBLEM = fact("p", "Acute kidney injury", section="Discharge Diagnoses")
WARD = fact("w", "The call light is in reach", section="Nursing")


async def test_what_the_text_says_is_covered_and_what_it_does_not_is_left_out() -> None:
    found = await omissions("She had acute kidney injury.", ALLERGY, PROBLEM, WARD)
    assert (found.checked, found.covered, found.recall) == (2, 1, 0.5)
    (left_out,) = found.omissions
    assert (left_out.salience, left_out.coverage) == (Salience.ALLERGY, "left_out")
    assert left_out.evidence.quote == "Penicillin causes hives"
    assert left_out.evidence.document_id == "d1"


async def test_what_the_text_says_otherwise_is_told_apart() -> None:
    found = await omissions("Penicillin causes nausea.", ALLERGY)
    (omission,) = found.omissions
    assert (omission.coverage, len(omission.propositions)) == ("otherwise", 1)


async def test_propositions_may_cover_a_fact_together() -> None:
    found = await omissions("Penicillin was given.\nIt causes hives.", ALLERGY)
    assert found.recall == 1.0


async def test_a_repeated_fact_is_one_omission_with_all_its_sources() -> None:
    copies = [
        fact(f"a{n}", "Penicillin causes hives", section="Allergies", document_id=f"d{n}")
        for n in range(9)
    ]
    found = await omissions("Nothing.", *copies)
    assert found.checked == 1
    assert len(found.omissions[0].evidence.sources) == 9


async def test_only_the_encounters_facts_up_to_the_text_by_people() -> None:
    found = await omissions(
        "Nothing.",
        fact("in", "Latex allergy", section="Allergies", encounter_id="e1"),
        fact("out", "Nut allergy", section="Allergies", encounter_id="e0"),
        fact("late", "Egg allergy", section="Allergies", encounter_id="e1",
             note_time=NOW + timedelta(hours=1)),
        fact("ai", "Milk allergy", section="Allergies", encounter_id="e1",
             author_category=AuthorCategory.AI),
        fact("own", "Soy allergy", section="Allergies", encounter_id="e1", document_id="own"),
        encounter_id="e1",
        document_id="own",
    )  # fmt: skip
    assert [each.evidence.quote for each in found.omissions] == ["Latex allergy"]


async def test_the_cost_is_bounded_and_what_is_beyond_is_counted() -> None:
    many = [
        fact(f"a{n}", f"Allergic to drug {n}", document_id=f"d{n}") for n in range(OF_A_KIND + 5)
    ]
    found = await omissions("Nothing.", *many)
    assert (found.checked, found.not_checked) == (OF_A_KIND, 5)


async def test_an_empty_chart_has_no_recall_and_a_text_of_a_header_leaves_all_out() -> None:
    assert (await omissions("Well.")).recall is None
    assert (await omissions("Summary:", ALLERGY)).omissions[0].coverage == "left_out"


async def test_they_are_looked_for_only_when_asked() -> None:
    bench = Bench()
    await bench.add(ALLERGY)
    assert (await bench.verify("Well.")).omissions is None


async def test_a_failed_answer_is_undecided_and_a_judge_that_is_gone_is_transient() -> None:
    found = await omissions("Well.", fact("f", "model-error", section="Allergies"), ALLERGY)
    assert (found.checked, found.undecided, len(found.omissions)) == (2, 1, 1)
    with pytest.raises(DependencyUnavailable):
        await omissions("Well.", fact("f", "away", section="Allergies"))
