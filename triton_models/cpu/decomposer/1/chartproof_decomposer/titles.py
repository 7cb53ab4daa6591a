"""Names of sections of clinical notes, and the canonical name each of them stands for.

Canonical names follow the section titles of HL7 C-CDA R2.1 and the LOINC document ontology where
those have one. A title that is not here keeps its own words.
"""

from __future__ import annotations

import re

SECTIONS: dict[str, str] = {
    "Chief Complaint": "cc|chief complaint|chief complaints|presenting complaint|"
    "reason for visit|reason for consult|reason for consultation|reason for admission|"
    "reason for referral|presenting problem",
    "History of Present Illness": "hpi|history of present illness|history of the present illness|"
    "history of presenting illness|present illness|history of presenting complaint|"
    "interval history|interim history|clinical history|history|subjective|s|"
    "hpi and interval history",
    "Past Medical History": "pmh|pmhx|past medical history|past history|medical history|"
    "past medical and surgical history|past medical history and past surgical history|"
    "pmh and psh|significant past medical history|pertinent past medical history",
    "Past Surgical History": "psh|pshx|past surgical history|surgical history|"
    "past surgeries|prior surgeries",
    "Family History": "fh|fhx|fam hx|family hx|family history|family medical history|"
    "pertinent family history",
    "Social History": "sh|shx|soc hx|social hx|social history|psychosocial history|"
    "substance use history",
    "Allergies": "all|allergies|allergy|drug allergies|medication allergies|"
    "allergies and adverse reactions|allergies and intolerances|adverse reactions",
    "Medications": "meds|medications|medication|current medications|current meds|medication list|"
    "active medications|outpatient medications|medications prior to admission",
    "Home Medications": "home meds|home medications|medications at home|"
    "medications on admission|admission medications|preadmission medications",
    "Discharge Medications": "discharge meds|discharge medications|medications at discharge|"
    "medications on discharge",
    "Immunizations": "immunizations|immunization|immunization history|vaccinations|vaccines",
    "Review of Systems": "ros|review of systems|review of symptoms|systems review",
    "Vital Signs": "vs|vitals|vital signs|vital sign|v s",
    "Physical Exam": "pe|exam|physical|physical exam|physical examination|examination|"
    "objective|o|physical findings|general physical exam|admission physical exam|"
    "discharge physical exam|discharge exam|exam on admission|exam on discharge",
    "Mental Status Exam": "mse|mental status|mental status exam|mental status examination",
    "Results": "results|data|studies|pertinent results|diagnostics|diagnostic studies|"
    "diagnostic data|test results|diagnostic results|pertinent data",
    "Laboratory Results": "labs|lab|lab results|laboratory|laboratory data|laboratory results|"
    "laboratory studies|lab data|admission labs|discharge labs|pertinent labs",
    "Imaging": "imaging|radiology|imaging studies|imaging results|radiology results",
    "Microbiology": "micro|microbiology|cultures|microbiology results",
    "Procedures": "procedures|procedure|procedures performed|procedure performed|"
    "major surgical or invasive procedure|operation|operations|operative procedures|"
    "description of procedure|description of operation|details of procedure|procedure details|"
    "procedure in detail|operation in detail|operative findings|operative details",
    "Assessment": "assessment|a|impression|impressions|clinical impression|diagnostic impression|"
    "summary|formulation",
    "Assessment and Plan": "ap|a p|a and p|assessment and plan|assessment plan|"
    "assessment and recommendations|impression and plan|imp|imp and rec|imp and recs|"
    "impression and recommendations|imp and plan|a and p by problem",
    "Plan": "plan|p|plan of care|treatment plan|recommendations|recommendation|recs|care plan",
    "Diagnoses": "dx|diagnosis|diagnoses|admission diagnosis|admission diagnoses|"
    "admitting diagnosis|admitting diagnoses|final diagnosis|final diagnoses|"
    "preoperative diagnosis|postoperative diagnosis|primary diagnosis|secondary diagnoses",
    "Discharge Diagnoses": "discharge diagnosis|discharge diagnoses|discharge dx",
    "Problem List": "problems|problem list|active problems|active issues|problem|"
    "current problems|active problem list",
    "Hospital Course": "hospital course|brief hospital course|course|course in hospital|"
    "summary of hospital course|hospital course by problem|hospital course by issue|ed course|"
    "emergency department course|clinical course|icu course",
    "Discharge Instructions": "discharge instructions|instructions|patient instructions|"
    "discharge plan",
    "Follow-up": "follow up|followup|follow up instructions|follow up plan|follow up appointments",
    "Findings": "findings|finding",
    "Technique": "technique",
    "Comparison": "comparison",
    "Indication": "indication|indications",
    "Addendum": "addendum",
}
"""Canonical name -> its synonyms, normalised by `normalise`. They only name what follows."""

SPEAKING: dict[str, str] = {
    "Code Status": "code status|code",
    "Disposition": "disposition|dispo|discharge disposition",
    "Discharge Condition": "condition at discharge|condition on discharge|discharge condition|"
    "condition",
    "Diet": "diet|discharge diet",
    "Activity": "activity|discharge activity",
    "Consults": "consults|consultations|consultants",
    "Complications": "complications",
    "Anesthesia": "anesthesia",
    "Estimated Blood Loss": "ebl|estimated blood loss",
    "Specimens": "specimens|specimen",
}
"""Labels that are half of the statement ("Code status: DNR"): they stay in the sentence."""

SYSTEMS = frozenset(
    re.split(
        r"\|",
        "general|gen|constitutional|heent|head|eyes|ears|nose|throat|mouth|neck|cardiovascular|cardiac|"
        "cv|heart|respiratory|resp|lungs|pulmonary|pulm|chest|gastrointestinal|gi|abdomen|abd|"
        "genitourinary|gu|musculoskeletal|msk|extremities|ext|skin|integumentary|derm|neurologic|"
        "neurological|neuro|psychiatric|psych|endocrine|hematologic|lymphatic|immunologic|back|"
        "breasts|rectal|pelvic|vascular|renal|infectious disease|id|fen|access|prophylaxis",
    )
)
"""Body systems: a line of their own names a part of an exam, a review or a plan."""

_OTHER = re.compile(r"[^0-9a-z]+")


def normalise(title: str) -> str:
    """Lower case, words by single spaces, `&` and `/` read as "and"."""
    spelled = title.lower().replace("&", " and ").replace("/", " and ").replace("+", " and ")
    return _OTHER.sub(" ", spelled).strip()


def by_synonym(names: dict[str, str]) -> dict[str, str]:
    return {synonym: name for name, all_of in names.items() for synonym in all_of.split("|")}
