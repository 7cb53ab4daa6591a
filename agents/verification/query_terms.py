"""Words for refined searches: what else a chart calls a thing, and what speaks against it.

A small table of common clinical abbreviations and of opposites. It only widens a search: nothing
here decides a verdict, so a wrong pair costs a search and no more. Read as data, by `pairs`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_SYNONYMS = """
hypertension=htn | high blood pressure=hypertension | diabetes=dm | type 2 diabetes=t2dm
heart failure=chf hf | atrial fibrillation=afib af | coronary artery disease=cad
myocardial infarction=mi heart attack | heart attack=myocardial infarction mi
chronic kidney disease=ckd | acute kidney injury=aki | kidney injury=aki
chronic obstructive pulmonary disease=copd | pulmonary embolism=pe
deep vein thrombosis=dvt | blood clot=dvt thrombosis | stroke=cva | transient ischemic attack=tia
urinary tract infection=uti | upper respiratory infection=uri | shortness of breath=sob dyspnea
dyspnea=sob shortness of breath | gastroesophageal reflux=gerd | reflux=gerd
obstructive sleep apnea=osa | sleep apnea=osa | high cholesterol=hyperlipidemia hld
hyperlipidemia=hld high cholesterol | benign prostatic hyperplasia=bph | osteoarthritis=oa
rheumatoid arthritis=ra | gastrointestinal bleed=gib | nausea=n/v | vomiting=n/v emesis
chest pain=cp angina | blood pressure=bp | heart rate=hr pulse | respiratory rate=rr
oxygen saturation=spo2 o2 sat | temperature=temp | oxygen=o2 nc | weight=wt | white count=wbc
white blood cell=wbc | hemoglobin=hgb hb | hematocrit=hct | platelet=plt | creatinine=cr
potassium=k | sodium=na | glucose=bg sugar | hemoglobin a1c=a1c hba1c
ejection fraction=ef lvef | echocardiogram=echo tte | transesophageal=tee
electrocardiogram=ecg ekg | chest x-ray=cxr | chest radiograph=cxr chest x-ray
computed tomography=ct | magnetic resonance=mri | ultrasound=us
by mouth=po | twice daily=bid | three times daily=tid | four times daily=qid | daily=qd
at bedtime=qhs | as needed=prn | intravenous=iv | subcutaneous=sc subq
underwent=s/p | knee replacement=tka knee arthroplasty | knee arthroplasty=tka
hip arthroplasty=tha | coronary artery bypass=cabg | cholecystectomy=gallbladder removed
appendectomy=appendix removed | intensive care=icu | emergency department=ed
follow-up=f/u | follow up=f/u | discharge=d/c | no known drug allergies=nkda | history of=h/o
primary care=pcp | fracture=fx | diagnosis=dx | symptoms=sx | antibiotics=abx | surgery=sx op
furosemide=lasix | acetaminophen=tylenol | ibuprofen=motrin advil | apixaban=eliquis
rivaroxaban=xarelto | warfarin=coumadin | metoprolol=lopressor toprol | atorvastatin=lipitor
lisinopril=zestril | losartan=cozaar | omeprazole=prilosec | pantoprazole=protonix
clopidogrel=plavix | levothyroxine=synthroid | albuterol=ventolin | sertraline=zoloft
trimethoprim-sulfamethoxazole=bactrim tmp-smx | piperacillin-tazobactam=zosyn
enoxaparin=lovenox | insulin glargine=lantus | empagliflozin=jardiance
"""
_OPPOSITES = """
left=right | increased=decreased | started=stopped | continued=discontinued | resumed=held
improved=worsened | positive=negative | normal=abnormal | elevated=low | stable=unstable
present=absent | admitted=discharged | active=resolved | higher=lower | gained=lost
acute=chronic | male=female | man=woman | mother=father | brother=sister | high=low
"""


def pairs(table: str) -> dict[str, str]:
    """`a=b | c=d` on any number of lines: left of `=` -> right of it."""
    entries = [entry for line in table.splitlines() for entry in line.split("|") if "=" in entry]
    return {left.strip(): right.strip() for left, right in (e.split("=", 1) for e in entries)}


SYNONYMS: Mapping[str, str] = MappingProxyType(pairs(_SYNONYMS))
"""Phrase -> other names of it. Read in both directions by `refine`."""
OPPOSITES: Mapping[str, str] = MappingProxyType(
    pairs(_OPPOSITES) | {right: left for left, right in pairs(_OPPOSITES).items()}
)
