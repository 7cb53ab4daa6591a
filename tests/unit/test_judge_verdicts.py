"""Verdicts on statements a clinician would recognise; patients and notes are invented."""

from __future__ import annotations

import pytest

from tests.unit.judge_asking import ask, verdict

SUPPORTED, NOT_SUPPORTED, NOT_ADDRESSED = "supported", "not_supported", "not_addressed"


@pytest.mark.parametrize(
    ("proposition", "chart", "expected"),
    [
        # the same in other words
        ("The patient has hypertension.", "Pt with HTN and DM2.", SUPPORTED),
        ("She has a history of myocardial infarction.", "PMH: MI 2015, CABG.", SUPPORTED),
        ("The patient has chronic kidney disease.", "CKD stage 3, sees nephrology.", SUPPORTED),
        ("He has had a deep vein thrombosis.", "H/o DVT, on Eliquis.", SUPPORTED),
        ("The patient takes apixaban.", "H/o DVT, on Eliquis.", SUPPORTED),
        ("The patient presented with shortness of breath.", "78F c/o SOB x 3 days.", SUPPORTED),
        ("High blood pressure was noted.", "HTN noted in clinic.", SUPPORTED),
        ("He has kidney stones.", "Known nephrolithiasis.", SUPPORTED),
        # silence
        ("The patient has asthma.", "Pt with HTN and DM2.", NOT_ADDRESSED),
        ("An appendectomy was performed.", "BP 120/80, lungs clear.", NOT_ADDRESSED),
        ("She is allergic to penicillin.", "She lives alone and drives.", NOT_ADDRESSED),
        ("He underwent dialysis.", "Wound clean and dry.", NOT_ADDRESSED),
        # negation
        ("The patient denies fever.", "No fever, chills, or cough.", SUPPORTED),
        ("The patient has fever.", "No fever, chills, or cough.", NOT_SUPPORTED),
        ("The patient denies chest pain.", "C/o chest pain since morning.", NOT_SUPPORTED),
        ("There was no pneumothorax.", "CXR without pneumothorax.", SUPPORTED),
        ("The CXR showed a pneumothorax.", "CXR without pneumothorax.", NOT_SUPPORTED),
        ("Pulmonary embolism was ruled out.", "PE was ruled out by CT.", SUPPORTED),
        ("The patient has a pulmonary embolism.", "PE was ruled out by CT.", NOT_SUPPORTED),
        ("The patient is afebrile.", "No fever overnight.", SUPPORTED),
        ("The patient was febrile.", "Afebrile overnight.", NOT_SUPPORTED),
        ("The patient has no known drug allergies.", "NKDA.", SUPPORTED),
        ("The patient is allergic to penicillin.", "NKDA.", NOT_SUPPORTED),
        ("She is a smoker.", "She does not smoke.", NOT_SUPPORTED),
        # possible, a condition, planned, not done
        ("The patient has pneumonia.", "Possible pneumonia on CXR.", NOT_SUPPORTED),
        ("The patient has a fever.", "Return if fever.", NOT_SUPPORTED),
        ("She underwent a colonoscopy.", "Colonoscopy was refused.", NOT_SUPPORTED),
        ("She underwent a colonoscopy.", "Colonoscopy deferred, patient declined.", NOT_SUPPORTED),
        ("She underwent a colonoscopy.", "Will schedule colonoscopy as outpatient.", NOT_SUPPORTED),
        ("She underwent a colonoscopy.", "She underwent colonoscopy on 3/2.", SUPPORTED),
        # family
        ("Her mother had breast cancer.", "FH: mother with breast cancer.", SUPPORTED),
        ("The patient has breast cancer.", "Mother had breast cancer at 50.", NOT_SUPPORTED),
        # side
        ("X-ray showed a left hip fracture.", "XR: left hip fracture.", SUPPORTED),
        ("X-ray showed a right hip fracture.", "XR: left hip fracture.", NOT_SUPPORTED),
        ("Bilateral lower extremity edema.", "Edema of both legs.", SUPPORTED),
        ("Pneumonia of the right lower lobe.", "RLL pneumonia.", SUPPORTED),
        ("Pneumonia of the left lower lobe.", "RLL pneumonia.", NOT_SUPPORTED),
        ("Pneumonia of the right upper lobe.", "RLL pneumonia.", NOT_SUPPORTED),
        # numbers
        ("Creatinine was 1.8 mg/dL.", "Cr 1.8", SUPPORTED),
        ("Creatinine was 2.8 mg/dL.", "Cr 1.8", NOT_SUPPORTED),
        ("Potassium was 1.8.", "Cr 1.8", NOT_ADDRESSED),
        ("Blood pressure was 150/90.", "BP 150/90 HR 88", SUPPORTED),
        ("Heart rate was 98.", "BP 150/90 HR 88", NOT_SUPPORTED),
        ("Temperature was 100.4 F.", "T 38.0 C", SUPPORTED),
        ("She weighs 70 kg.", "Weight 154 lb.", SUPPORTED),
        ("Ejection fraction was 35%.", "EF 30-35%", SUPPORTED),
        ("Ejection fraction was 55%.", "EF 30-35%", NOT_SUPPORTED),
        ("White count was 12,000.", "WBC 12000", SUPPORTED),
        ("Symptoms began two weeks ago.", "Symptoms began 14 days ago.", SUPPORTED),
        ("Symptoms began two months ago.", "Symptoms began 2 weeks ago.", NOT_SUPPORTED),
        ("A 67-year-old man with chest pain.", "67M with CP.", SUPPORTED),
        ("He is a 76-year-old man.", "A 67-year-old man with chest pain.", NOT_SUPPORTED),
        ("She is a 67-year-old woman.", "A 67-year-old man with chest pain.", NOT_SUPPORTED),
        ("She has three-vessel disease.", "Cath: 3-vessel disease.", SUPPORTED),
        ("She has three-vessel disease.", "Cath: single-vessel disease.", NOT_SUPPORTED),
        # drugs
        ("Metoprolol 25 mg twice daily.", "Metoprolol 25 mg PO BID", SUPPORTED),
        ("Metoprolol 50 mg twice daily.", "Metoprolol 25 mg PO BID", NOT_SUPPORTED),
        ("Metoprolol 25 mg once daily.", "Metoprolol 25 mg PO BID", NOT_SUPPORTED),
        ("Metoprolol 0.025 g twice daily.", "Metoprolol 25 mg PO BID", SUPPORTED),
        ("Lopressor 25 mg BID.", "Metoprolol 25 mg PO BID", SUPPORTED),
        ("Atenolol 25 mg twice daily.", "Metoprolol 25 mg PO BID", NOT_SUPPORTED),
        ("Vancomycin was given orally.", "Vancomycin IV was given.", NOT_SUPPORTED),
        ("She takes lisinopril.", "Lisinopril was stopped for cough.", NOT_SUPPORTED),
        ("Lisinopril was stopped.", "Lisinopril was discontinued for cough.", SUPPORTED),
        ("Lisinopril was stopped.", "Continue lisinopril 10 mg daily.", NOT_SUPPORTED),
        ("Furosemide was increased to 40 mg.", "Lasix increased from 20 mg to 40 mg.", SUPPORTED),
        ("Furosemide was increased to 20 mg.", "Lasix increased from 20 to 40 mg.", NOT_SUPPORTED),
        ("Furosemide was decreased to 40 mg.", "Lasix increased to 40 mg.", NOT_SUPPORTED),
        ("Aspirin was discontinued.", "Cont ASA 81 mg", NOT_SUPPORTED),
        # what a chart says in its own way
        ("The patient currently smokes.", "Former smoker, quit 10 years ago.", NOT_SUPPORTED),
        ("The patient quit smoking 10 years ago.", "Former smoker, quit 10 y ago.", SUPPORTED),
        ("The patient is DNR.", "Full code.", NOT_SUPPORTED),
        ("Lungs are clear to auscultation bilaterally.", "CTAB, no wheezes.", SUPPORTED),
        ("Blood cultures were negative.", "BCx: no growth to date.", SUPPORTED),
        ("Blood cultures were positive.", "BCx: NGTD.", NOT_SUPPORTED),
        ("Blood cultures grew MRSA.", "BCx: MSSA in both bottles.", NOT_SUPPORTED),
        ("She underwent left total hip replacement.", "s/p L THA", SUPPORTED),
        ("She received 2 units of packed red blood cells.", "Transfused 2u PRBC.", SUPPORTED),
        ("Oxygen saturation was 88% on room air.", "SpO2 88% RA", SUPPORTED),
        ("Her leg infection was treated.", "Leg cellulitis treated.", SUPPORTED),
        ("Her leg cellulitis was treated.", "Leg infection treated.", NOT_ADDRESSED),
        ("She takes a beta blocker.", "Takes metoprolol.", SUPPORTED),
        ("The lab is due on February 18.", "Lab due at PCP 2/18.", SUPPORTED),
        ("She underwent thoracentesis with 1.2 liters drained.",
         "Thoracentesis offered, pt declined.", NOT_SUPPORTED),
        # opposites and other things in the same place
        ("She has hyperkalemia.", "She has hypokalemia.", NOT_SUPPORTED),
        ("Her symptoms have improved.", "Her symptoms have worsened.", NOT_SUPPORTED),
        ("The culture grew E. coli.", "Urine culture grew Klebsiella.", NOT_SUPPORTED),
        ("Liver function was normal.", "Liver function was abnormal.", NOT_SUPPORTED),
    ],
)  # fmt: skip
def test_one_statement_by_one_fact(proposition: str, chart: str, expected: str) -> None:
    assert verdict(proposition, chart) == expected, ask(proposition, chart)
