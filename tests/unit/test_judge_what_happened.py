"""What did not happen is not supported: denied afterwards, supposed, planned, or stopped.

Beside every kind stand the near things that must stay supported; patients and notes are invented.
"""

from __future__ import annotations

import pytest

from tests.unit.judge_asking import ask, verdict


@pytest.mark.parametrize(
    ("proposition", "chart"),
    [
        ("The patient received tPA.", "tPA not given due to INR 2.1"),
        ("The patient received a blood transfusion.", "Transfusion not administered, Hgb stable."),
        ("She underwent lumbar puncture.", "LP not done because of low platelets."),
        ("She underwent a lumbar puncture.", "Lumbar puncture was not performed."),
        ("A paracentesis was performed.", "Paracentesis could not be performed safely."),
        ("He was started on heparin.", "Heparin not started given recent bleed."),
        ("He was started on heparin.", "Heparin drip was never started."),
        ("Blood cultures were obtained.", "Blood cultures not yet obtained."),
        ("She underwent an MRI.", "MRI not indicated at this time."),
        ("She underwent cardiac catheterization.", "Cardiac cath wasn't done."),
        ("He received naloxone.", "Naloxone withheld."),
        ("He received antibiotics.", "Antibiotics were not required."),
        ("The patient was intubated.", "Intubation not needed."),
        ("She received vancomycin.", "Vancomycin has not been given."),
        ("The patient was started on heparin.", "Heparin: not started."),
        ("He underwent EGD.", "EGD was not felt to be indicated."),
        ("He underwent EGD.", "EGD has yet to be performed."),
        ("He underwent EGD.", "EGD not performed, GI signed off."),
        ("The patient received steroids.", "Steroids are contraindicated."),
        ("CT of the head was performed.", "CT head and MRI not done."),
        ("The patient has MI.", "MI ruled out."),
        ("The patient has appendicitis.", "Appendicitis unlikely."),
    ],
)
def test_what_is_denied_after_its_name_was_not_done(proposition: str, chart: str) -> None:
    found = ask(proposition, chart)
    assert found["verdict"] == "not_supported", found


@pytest.mark.parametrize(
    ("proposition", "chart"),
    [
        ("The patient has sepsis.", "If fever then consider sepsis."),
        ("The patient has sepsis.", "Consider sepsis if lactate rises."),
        ("The patient has pneumonia.", "Would consider pneumonia."),
        ("The patient has a pulmonary embolism.", "CTA chest to rule out PE."),
        ("The patient has a pulmonary embolism.", "CTA chest to r/o PE."),
        ("The patient has a deep vein thrombosis.", "Ultrasound to evaluate for DVT."),
        ("The patient has meningitis.", "Concern for meningitis, LP in the morning."),
        ("The patient has appendicitis.", "?appendicitis, surgery aware."),
        ("The patient has cellulitis.", "Gout vs cellulitis of the foot."),
        ("The patient has gout.", "Gout vs. cellulitis of the foot."),
        ("The patient has gout.", "Gout versus cellulitis of the foot."),
        ("The patient has pancreatitis.", "Differential includes pancreatitis and cholecystitis."),
        ("The patient has cholecystitis.", "Ddx: pancreatitis, cholecystitis, gastritis."),
        ("The patient has delirium.", "Call MD for delirium."),
        ("The patient has a fever.", "Return to the ED for fever or chest pain."),
        ("The patient has bleeding.", "In case of bleeding, stop heparin and call."),
        ("The patient has hypoglycemia.", "If hypoglycemia occurs, give dextrose."),
        ("The patient has sepsis.", "Workup for sepsis."),
        ("The patient has lupus.", "Could this be lupus? ANA sent."),
        ("The patient has a stroke.", "Head CT to exclude stroke."),
        ("The patient has pericarditis.", "Pericarditis is on the differential."),
        ("The patient has pericarditis.", "ECG changes could represent pericarditis."),
        ("The patient has MI.", "MI?"),
        ("The patient has MI.", "? MI"),
        ("The patient has MI.", "Doubt MI."),
        ("The patient has a rash.", "Should rash develop, stop the drug."),
        ("The patient has a rash.", "Seek care for rash or fever."),
        ("The patient has seizures.", "Seizure precautions."),
    ],
)
def test_what_is_only_thought_of_is_not_so(proposition: str, chart: str) -> None:
    found = ask(proposition, chart)
    assert found["verdict"] == "not_supported", found


@pytest.mark.parametrize(
    ("proposition", "chart", "section"),
    [
        ("He underwent appendectomy.", "Plan: appendectomy tomorrow if no improvement.", ""),
        ("He underwent an appendectomy.", "Appendectomy tomorrow.", ""),
        ("She underwent colonoscopy.", "Colonoscopy in the morning.", "Plan"),
        ("She underwent colonoscopy.", "Colonoscopy", "Assessment and Plan"),
        ("She had a colonoscopy.", "Plan: colonoscopy.", ""),
        ("She had a colonoscopy.", "Repeat colonoscopy in 2 weeks.", ""),
        ("She had a colonoscopy.", "Colonoscopy within 2 weeks", "Plan"),
        ("A thoracentesis was performed.", "Recommend thoracentesis.", ""),
        ("A thoracentesis was performed.", "Consider thoracentesis.", ""),
        ("He underwent dialysis.", "Dialysis to be started next week.", ""),
        ("He underwent hip replacement.", "Awaiting hip replacement.", ""),
        ("He underwent hip replacement.", "Hip replacement pending clearance.", ""),
        ("He received a liver transplant.", "Evaluated for liver transplant.", ""),
        ("She underwent a biopsy.", "She is scheduled for biopsy on Friday.", ""),
        ("She underwent a biopsy.", "Biopsy next week.", ""),
        ("She received rituximab.", "Plan to give rituximab tomorrow.", ""),
        ("He received a blood transfusion.", "Transfuse if Hgb < 7.", ""),
        ("He underwent EGD.", "EGD if Hgb drops again.", ""),
        ("He underwent EGD.", "GI to perform EGD.", ""),
        ("He underwent EGD.", "EGD tonight.", ""),
        ("He underwent EGD.", "Consented for EGD.", ""),
        ("The patient was intubated.", "Low threshold for intubation.", ""),
        ("Antibiotics were started.", "Start antibiotics if febrile.", ""),
        ("An echocardiogram was performed.", "Order echo.", ""),
    ],
)
def test_what_is_planned_is_not_done(proposition: str, chart: str, section: str) -> None:
    given = {"id": "a", "text": chart, "section": section, "time": "2024-03-01T08:00:00Z"}
    found = ask(proposition, given)
    assert found["verdict"] == "not_supported", found


@pytest.mark.parametrize(
    ("proposition", "chart"),
    [
        ("He was discharged on warfarin.", "Warfarin stopped; started apixaban"),
        ("He was discharged on warfarin.", "Warfarin was discontinued before discharge."),
        ("She was discharged home on metformin.", "Metformin held for AKI."),
        ("She continues lisinopril.", "Lisinopril stopped because of cough."),
        ("She is on amiodarone.", "D/c amiodarone."),
        ("She takes ibuprofen.", "Ibuprofen discontinued, CKD."),
        ("He is taking clopidogrel.", "No longer on clopidogrel."),
        ("He is taking clopidogrel.", "Clopidogrel: stopped 3/1"),
        ("Discharge medications include digoxin.", "Digoxin has been stopped."),
        ("He is anticoagulated with warfarin.", "Warfarin was switched to apixaban."),
        ("He remains on prednisone.", "Prednisone tapered off."),
        ("He takes metoprolol.", "Metoprolol: STOP"),
        ("He takes metoprolol.", "Will start metoprolol."),
        ("He takes metoprolol.", "Previously on metoprolol, stopped for bradycardia."),
        ("She takes lisinopril.", "Lisinopril changed to losartan due to cough."),
        ("She takes prednisone.", "Completed prednisone course; stopped 3/1."),
        ("He was discharged on aspirin.", "Off aspirin since 2021."),
    ],
)
def test_a_stopped_drug_is_not_taken(proposition: str, chart: str) -> None:
    found = ask(proposition, chart)
    assert found["verdict"] == "not_supported", found


@pytest.mark.parametrize(
    ("proposition", "chart"),
    [
        # denied is something else
        ("The patient received tPA.", "tPA given at 10:15, heparin not given."),
        ("The patient received tPA.", "tPA given; no bleeding."),
        ("She underwent lumbar puncture.", "LP done, MRI not done."),
        ("She did not receive tPA.", "tPA not given due to INR 2.1"),
        ("Lumbar puncture was not performed.", "LP not done because of low platelets."),
        ("The patient refused EGD.", "EGD not done, patient refused."),
        ("The patient had a stroke.", "Stroke for which tPA was not given."),
        ("Antibiotics were started.", "Antibiotics started, cultures not obtained."),
        # thought of is something else
        ("The patient has sepsis.", "Sepsis, consider broadening antibiotics."),
        ("The patient has sepsis.", "Sepsis; if lactate rises call the ICU."),
        ("The patient has pneumonia.", "Pneumonia, r/o PE with CTA."),
        ("The patient has atrial fibrillation.", "AFib, evaluate for ablation."),
        ("The patient has sepsis.", "Sepsis due to pneumonia vs UTI."),
        ("The patient has diabetes.", "Diabetes: return if glucose > 300."),
        ("The patient has gout.", "Gout. Consider allopurinol."),
        ("The patient was evaluated for chest pain.", "Evaluated for chest pain in the ED."),
        ("The patient was evaluated for PE.", "CTA to evaluate for PE."),
        ("The patient has MI.", "Ruled in for MI."),
        ("The patient has a rash.", "Rash, stop drug if it worsens."),
        ("He has chest pain.", "Chest pain, r/o MI."),
        ("The patient has fever.", "Fever, viral vs bacterial."),
        ("The patient has hypertension.", "Here for evaluation of hypertension."),
        # done as planned
        ("He underwent appendectomy.", "Appendectomy done yesterday as planned."),
        ("He underwent appendectomy.", "S/p appendectomy, discharge tomorrow."),
        ("He underwent appendectomy.", "Underwent planned appendectomy without complication."),
        ("She underwent colonoscopy.", "Colonoscopy 3/2 with two polyps removed, repeat in 5 y."),
        ("She underwent a biopsy.", "Biopsy was performed, results pending."),
        ("He underwent EGD.", "EGD done in 2 days as promised."),
        ("He underwent EGD.", "EGD showed gastritis, will need PPI."),
        ("He underwent EGD.", "EGD performed Monday; colonoscopy tomorrow."),
        ("He received ceftriaxone.", "Received ceftriaxone in ED, change to PO tomorrow."),
        ("The appendectomy is planned for tomorrow.", "Plan: appendectomy tomorrow."),
        ("She will undergo a colonoscopy.", "Will schedule colonoscopy."),
        # stopped and taken again, or something else stopped
        ("He takes warfarin.", "Warfarin stopped in 2020, restarted today."),
        ("He is on warfarin.", "Warfarin was held for surgery and resumed on 3/4."),
        ("He was discharged on apixaban.", "Warfarin stopped; started apixaban"),
        ("He was discharged on apixaban.", "Discharged on apixaban; warfarin stopped."),
        ("He takes apixaban.", "Warfarin was switched to apixaban."),
        ("Warfarin was stopped.", "Warfarin stopped; started apixaban"),
        ("He previously took warfarin.", "Warfarin was stopped."),
        ("She takes lisinopril.", "Continue lisinopril, hold metformin."),
        ("She takes lisinopril.", "Hold metformin, continue lisinopril."),
        ("She takes lisinopril.", "HTN, plan to increase lisinopril."),
        ("She will start metoprolol.", "Will start metoprolol."),
        ("She takes lisinopril.", "Lisinopril 10 mg daily, hold if SBP < 100."),
        ("He takes apixaban.", "Warfarin stopped and apixaban started."),
        ("He takes metoprolol.", "Metoprolol was changed to 50 mg BID."),
        ("He took metoprolol.", "Metoprolol was stopped."),
        ("Heparin was held for the procedure.", "Heparin held for procedure, resumed after."),
        ("He does not take aspirin.", "Aspirin discontinued in 2019."),
        ("He is no longer taking aspirin.", "Aspirin discontinued in 2019."),
    ],
)
def test_what_did_happen_stays_supported(proposition: str, chart: str) -> None:
    assert verdict(proposition, chart) == "supported", ask(proposition, chart)


@pytest.mark.parametrize(
    ("proposition", "facts", "expected"),
    [
        ("The patient has sepsis.", ("If fever then consider sepsis.", "Sepsis, on ceftriaxone."),
         "supported"),
        ("The patient has sepsis.", ("Sepsis.", "Sepsis vs viral illness."), "supported"),
        ("She underwent colonoscopy.", ("Plan: colonoscopy tomorrow.", "Colonoscopy done."),
         "supported"),
        ("He received tPA.", ("tPA not given due to INR 2.1", "INR 1.2, tPA given."), "supported"),
        ("He was discharged on warfarin.", ("Warfarin stopped.", "Warfarin resumed, 5 mg daily."),
         "supported"),
        ("He was discharged on warfarin.", ("Takes warfarin 5 mg.", "Warfarin stopped."),
         "not_supported"),
    ],
)  # fmt: skip
def test_another_fact_may_say_that_it_happened(
    proposition: str, facts: tuple[str, ...], expected: str
) -> None:
    assert verdict(proposition, *facts) == expected, ask(proposition, *facts)


@pytest.mark.parametrize(
    ("proposition", "chart", "reason"),
    [
        ("She is allergic to penicillin.", "No penicillin allergy.",
         'The chart denies this: "No penicillin allergy".'),
        ("She denies chest pain.", "C/o chest pain.",
         'The chart says the opposite: "C/o chest pain".'),
        ("He underwent appendectomy.", "Appendectomy tomorrow.",
         'The chart says only that appendectomy is planned or suggested: "Appendectomy tomorrow".'),
        ("He is on warfarin.", "Warfarin stopped; started apixaban",
         'The chart says that warfarin was stopped: "Warfarin stopped; started apixaban".'),
        ("She has gout.", 'Says she has "gout".', "The chart says: \"Says she has 'gout'\"."),
    ],
)  # fmt: skip
def test_a_reason_quotes_the_chart(proposition: str, chart: str, reason: str) -> None:
    assert ask(proposition, chart)["reason"] == reason


def test_of_a_long_fact_the_words_in_question_are_quoted() -> None:
    before, after = "word " * 300, " word" * 300
    found = ask("Left knee pain.", f"{before}with right knee pain since{after}")
    assert found["verdict"] == "not_supported"
    assert "right knee pain" in found["reason"]
    assert len(found["reason"].split()) < 30


def test_a_quotation_is_short_whatever_the_words() -> None:
    found = ask("She has gout.", f"Gout {'x' * 5_000}")
    assert found["verdict"] == "supported"
    assert len(found["reason"]) < 250
