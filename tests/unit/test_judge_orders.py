"""What is ordered, conditional, aimed at, attempted or advised is not what happened.

Beside every kind stand the near things that must stay supported; patients and notes are invented.
"""

from __future__ import annotations

import pytest

from tests.unit.judge_asking import ask, verdict


@pytest.mark.parametrize(
    ("proposition", "chart"),
    [
        ("The patient takes metoprolol.", "Hold metoprolol for hypotension."),
        ("The patient is on metoprolol.", "Hold metoprolol for hypotension."),
        ("The patient has hypotension.", "Metoprolol 25 mg BID, hold for hypotension."),
        (
            "The patient has hypotension.",
            "Metoprolol BID; hold for hypotension or bradycardia.",
        ),
        (
            "The patient has bradycardia.",
            "Metoprolol BID, hold for hypotension or bradycardia.",
        ),
        ("The patient's SBP was below 100.", "Metoprolol 25 mg BID, hold for SBP < 100."),
        ("Systolic blood pressure was less than 90.", "Hold lisinopril for SBP < 90."),
        ("The LP was successful.", "Attempted LP without success."),
        ("A lumbar puncture was performed.", "Attempted LP without success."),
        ("The patient underwent lumbar puncture.", "Attempted LP without success."),
        ("The patient underwent lumbar puncture.", "Unsuccessful LP."),
        ("The patient underwent lumbar puncture.", "LP was attempted but unsuccessful."),
        ("A central line was placed.", "Failed central line placement."),
        ("A central line was placed.", "Central line placement failed."),
        ("LP was performed.", "Tried to do LP, failed."),
        ("The patient was intubated.", "Failed intubation."),
        ("The patient was extubated.", "Failed extubation trial."),
        ("The patient was transfused.", "Transfuse for Hgb < 7."),
        ("The hemoglobin was below 7.", "Transfuse for Hgb < 7."),
        ("Hemoglobin was less than 7.", "Transfuse if Hgb < 7."),
        ("The patient received a transfusion.", "Transfuse 1 unit PRBC for Hgb < 7."),
        ("The patient received a transfusion.", "Transfuse 2 units PRBC."),
        ("The patient had a rash.", "When rash occurs, stop allopurinol."),
        ("A rash occurred.", "When rash occurs, stop allopurinol."),
        ("Allopurinol was stopped.", "When rash occurs, stop allopurinol."),
        ("Allopurinol was stopped.", "If rash occurs, stop allopurinol."),
        ("Allopurinol was stopped.", "Stop allopurinol if rash occurs."),
        ("The patient takes metformin.", "Consider metformin for diabetes."),
        ("The patient has pneumonia.", "Consider CT for pneumonia."),
        ("The patient has a pulmonary embolism.", "Consider CTA for PE."),
        ("The patient underwent dialysis.", "Next dialysis tomorrow."),
        ("The patient took ibuprofen.", "Instructed to avoid ibuprofen."),
        ("The patient takes ibuprofen.", "Avoid ibuprofen."),
        ("The patient takes NSAIDs.", "Avoid NSAIDs."),
        ("The patient fell.", "Fall precautions."),
        ("The patient was intubated.", "Would intubate if he tires."),
        ("The patient takes morphine.", "Morphine PRN for pain not needed."),
        ("He stopped smoking.", "Advised to stop smoking."),
        ("He quit smoking.", "Counseled to quit smoking."),
        ("He quit smoking.", "He wants to quit smoking."),
        ("The patient received vancomycin.", "Vancomycin to be started."),
        ("The patient lost weight.", "Advised to lose weight."),
        ("The patient underwent a colonoscopy.", "Due for colonoscopy."),
        ("The patient underwent a colonoscopy.", "Overdue for colonoscopy."),
        ("The patient received the influenza vaccine.", "Due for flu vaccine."),
        ("The patient received the influenza vaccine.", "Flu vaccine declined."),
        ("The patient underwent cardioversion.", "Cardioversion was discussed."),
        ("The patient underwent surgery.", "Discussed surgery."),
        ("The patient underwent surgery.", "Surgery was offered."),
        ("The patient underwent MRI.", "MRI was attempted but the patient could not tolerate it."),
        ("The patient is on heparin.", "Once INR < 2, start heparin."),
        ("Heparin was started.", "Once INR < 2, start heparin."),
        ("The patient had seizures.", "Keppra for seizure prophylaxis."),
        ("The patient was discharged.", "Discharge home when tolerating diet."),
        ("The patient had bleeding.", "Monitor for bleeding."),
        ("The patient was started on insulin.", "Start insulin if glucose > 200."),
        ("The glucose was above 200.", "Start insulin if glucose > 200."),
        ("The patient's glucose was greater than 200.", "Notify MD for glucose > 200."),
        ("The patient's temperature was above 101.", "Call for temperature > 101."),
        ("The patient's goal INR was reached.", "Goal INR 2-3."),
        ("INR was 2-3.", "Goal INR 2-3."),
        ("INR was 2-3.", "On warfarin with an INR goal of 2-3."),
        ("The MAP was above 65.", "Goal MAP > 65."),
        ("MAP was above 65.", "Titrate norepinephrine to MAP > 65."),
    ],
)
def test_what_is_only_to_be_done_did_not_happen(proposition: str, chart: str) -> None:
    assert verdict(proposition, chart) != "supported", ask(proposition, chart)


@pytest.mark.parametrize(
    ("proposition", "chart"),
    [
        ("The patient has hypotension.", "Hold metoprolol for hypotension."),
        ("Metoprolol was held.", "Hold metoprolol for hypotension."),
        ("The patient takes metoprolol 25 mg BID.", "Metoprolol 25 mg BID, hold for hypotension."),
        ("The patient takes metoprolol.", "Metoprolol 25 mg BID, hold for SBP < 100."),
        ("Lumbar puncture was attempted.", "Attempted LP without success."),
        ("Lumbar puncture was unsuccessful.", "Attempted LP without success."),
        ("LP was performed.", "LP performed without complication."),
        ("LP was performed.", "After two failed attempts, LP was performed at L3-4."),
        ("The patient received a transfusion.", "Transfused 2 units PRBC."),
        ("The patient received a transfusion.", "Transfused 2 units PRBC for Hgb 6.5."),
        ("Hemoglobin was 6.5.", "Transfused 2 units PRBC for Hgb 6.5."),
        ("A rash occurred.", "When a rash occurred, allopurinol was stopped."),
        ("The patient had a rash.", "When the rash appeared, allopurinol was stopped."),
        ("She takes allopurinol.", "Stop allopurinol if it itches."),
        ("She underwent kidney transplant.", "Failed kidney transplant in 2011."),
        ("She had back surgery.", "History of failed back surgery."),
        ("He was intubated.", "Attempted suicide by hanging, intubated in the field."),
        ("She had physical therapy.", "She tried physical therapy without relief."),
        ("He underwent CABG.", "Failed PCI, then underwent CABG."),
        ("The patient has diabetes.", "Consider metformin for diabetes."),
        ("The patient has hypertension.", "Consider starting lisinopril for hypertension."),
        (
            "The patient has atrial fibrillation.",
            "Recommend anticoagulation for AFib.",
        ),
        ("The patient was dialyzed.", "Dialyzed today, next dialysis tomorrow."),
        ("The patient underwent dialysis.", "Dialyzed today, next dialysis tomorrow."),
        ("The patient received hemodialysis.", "HD done today, next HD Friday."),
        ("Blood cultures were drawn.", "Blood cultures drawn, vancomycin to be started."),
        ("MAP was above 65.", "MAP > 65 on norepinephrine."),
        ("She takes warfarin with an INR goal of 2 to 3.", "Takes warfarin, goal INR 2-3."),
    ],
)
def test_what_an_order_or_attempt_does_say_is_supported(proposition: str, chart: str) -> None:
    assert verdict(proposition, chart) == "supported", ask(proposition, chart)


@pytest.mark.parametrize(
    ("proposition", "chart", "check"),
    [
        ("The LP was performed.", "Attempted LP without success.", "attempts"),
        ("Hemoglobin was less than 7.", "Transfuse if Hgb < 7.", "thresholds"),
        ("The patient quit smoking.", "Counseled to quit smoking.", "instructions"),
        ("A rash occurred.", "When rash occurs, stop allopurinol.", "assertion"),
        ("Allopurinol was stopped.", "Stop allopurinol if it itches.", "drugs"),
        ("Allopurinol was stopped.", "Plan to stop allopurinol.", "drugs"),
        ("The patient was transfused.", "Transfuse 2 units.", "procedures"),
    ],
)
def test_the_check_is_named(proposition: str, chart: str, check: str) -> None:
    assert check in ask(proposition, chart)["checks"], ask(proposition, chart)


def test_a_threshold_contradicts_no_value() -> None:
    found = ask("Hemoglobin was 8.2.", "Transfuse if Hgb < 7.")
    assert found["verdict"] != "not_supported" or "numbers" not in found["checks"][:1], found
    assert verdict("Hemoglobin was 8.2.", "Transfuse if Hgb < 7.", "Hgb 8.2") == "supported"


def test_a_condition_bears_out_the_same_condition() -> None:
    assert verdict("Transfuse if hemoglobin is < 7.", "Transfuse if Hgb < 7.") == "supported"


@pytest.mark.parametrize(
    ("proposition", "chart"),
    [
        ("The patient takes lisinopril.", "Increase lisinopril to 20 mg daily."),
        ("The patient has pneumonia.", "Give ceftriaxone for pneumonia."),
        ("The patient has sepsis.", "Admit to ICU for sepsis."),
        ("The patient has a fracture.", "Consult orthopedics for hip fracture."),
        ("The patient has a history of PE.", "Hx of PE, on warfarin for stroke prevention."),
        ("The patient has chest pain when walking.", "Chest pain when she walks."),
        ("The patient had a DVT.", "DVT in 2019, now on DVT prophylaxis."),
        ("INR was 2.5.", "INR 2.5, goal 2-3."),
        ("The patient was discharged home with oxygen.", "Discharged home with oxygen 2 L."),
        ("The patient's mother has diabetes.", "FHx: mother with diabetes."),
        ("The patient takes aspirin.", "Takes aspirin; allergic to penicillin."),
        ("The patient takes aspirin.", "Penicillin allergy, on aspirin 81 mg."),
        (
            "The patient reports that she has been taking ibuprofen.",
            "She has been taking ibuprofen.",
        ),
        ("The patient has left knee pain.", "Left knee pain, right knee normal."),
        ("The patient has bilateral hearing loss.", "Hearing loss AU."),
        ("The patient was advised to quit smoking.", "Advised to quit smoking."),
        ("The patient should avoid NSAIDs.", "Avoid NSAIDs."),
        ("Hemoglobin was 6.8.", "Hgb 6.8, transfuse for Hgb < 7."),
        ("The patient had no complications.", "Procedure performed without complications."),
        ("The patient wants to quit smoking.", "He wants to quit smoking."),
        ("The patient has CHF.", "CHF: keep O2 sat > 92%, continue Lasix."),
        ("The patient takes Lasix.", "CHF: keep O2 sat > 92%, continue Lasix."),
        ("The patient was given insulin for hyperglycemia.", "Given insulin for hyperglycemia."),
        ("The patient has COPD.", "COPD, at goal."),
        ("The patient lives in a nursing home.", "Lives in a nursing home."),
        ("The patient has a sister with lupus.", "Sister with lupus."),
        (
            "Fluid restriction was started for hyponatremia.",
            "Fluid restriction started for hyponatremia.",
        ),
    ],
)
def test_near_things_stay_supported(proposition: str, chart: str) -> None:
    assert verdict(proposition, chart) == "supported", ask(proposition, chart)
