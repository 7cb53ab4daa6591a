"""What a statement is about, by its words and, where they do not say, its section.

Coarse rules, in order of what a mistake may cost: the first that fits decides. They choose the
severity of an alert and which facts a summary should hold; they decide no verdict.
"""

from __future__ import annotations

import re

from schemas.verdicts import Category

_ALLERGY = re.compile(r"\b(?:allerg\w*|anaphyla\w*|intoleran\w+|nkd?a)\b", re.IGNORECASE)
_FOLLOW_UP = re.compile(
    r"\bfollow(?:[- ]?up|ed up)?\b(?! by)|\bf/u\b|\bappointment|\breturn (?:to|in|if)\b"
    r"|\bre(?:check|peat)\b|\bis due\b|\bpending\b|\bwill (?:see|be seen)\b",
    re.IGNORECASE,
)
_DEMOGRAPHIC = re.compile(
    r"\b\d{1,3}[- ]?(?:year|yr|y/?o|month|week)s?[- ]?(?:old)?\b(?=.*\b(?:man|woman|male|female"
    r"|boy|girl|old|patient|gentleman|lady|m|f)\b)|\b(?:date of birth|dob|born on)\b",
    re.IGNORECASE,
)
_DOSE = re.compile(
    r"\b\d[\d.,]*\s*(?:mg|mcg|µg|g|units?|iu|meq|mmol|ml|tablets?|puffs?|drops?)\b(?!\s*/)"
    r"|\b(?:tablets?|capsules?|daily|bid|tid|qid|qhs|prn|by mouth|po|twice a day|every \w+ hours)"
    r"\b",
    re.IGNORECASE,
)
_PROCEDURE = re.compile(
    r"\b\w+(?:ectomy|ectomies|otomy|ostomy|plasty|oscopy|centesis|graphy|version|pexy|desis)\b"
    r"|\b(?:underwent|surgery|operation|(?<!pre-)(?<!post-)procedure|biopsy|bypass|stent\w*|cathet\w+|intubat\w+"
    r"|transfus\w+|dialysis|resection|amputation|transplant\w*|drain(?:ed|age)|repair|s/p)\b",
    re.IGNORECASE,
)
_DIAGNOSIS = re.compile(
    r"\b(?:diagnos\w+|history of|h/o|known|suffers?|disease|disorder|syndrome|cancer|carcinoma"
    r"|failure|infarction|pneumonia|infection|diabetes|hypertension|stroke|fracture|injury"
    r"|htn|t[12]dm|dm[12]?|chf|hf[rp]ef|hf|adhf|afib|af|ckd|aki|copd|osa|pe|dvt|cad|mi|cva|tia"
    r"|uti|pna|gerd|bph|oa|hld|cellulitis|thrombosis|embolism|anemia|\w+(?:itis|osis|emia|opathy|oma|algia|uria))\b",
    re.IGNORECASE,
)
_SECTIONS = {
    "allerg": Category.ALLERGY,
    "follow": Category.FOLLOW_UP,
    "appointment": Category.FOLLOW_UP,
    "medication": Category.DOSE,
    "procedure": Category.PROCEDURE,
    "surgical": Category.PROCEDURE,
    "diagnos": Category.DIAGNOSIS,
    "problem": Category.DIAGNOSIS,
    "past medical": Category.DIAGNOSIS,
    "family history": Category.DIAGNOSIS,
}
"""A piece of a section's title -> what its statements are about, where their words do not say."""
_WORDS = (
    (_FOLLOW_UP, Category.FOLLOW_UP),
    (_DEMOGRAPHIC, Category.DEMOGRAPHIC),
    (_PROCEDURE, Category.PROCEDURE),
    (_DOSE, Category.DOSE),
    (_DIAGNOSIS, Category.DIAGNOSIS),
)


def about(text: str, section: str) -> Category:
    """The category of a statement; `other` when no rule fits."""
    if _ALLERGY.search(text):
        return Category.ALLERGY
    for pattern, category in _WORDS:
        if pattern.search(text):
            return category
    title = section.casefold()
    return next((result for part, result in _SECTIONS.items() if part in title), Category.OTHER)


def is_allergy(text: str, section: str) -> bool:
    """Under allergies every statement is about one, whatever its words."""
    return bool(_ALLERGY.search(text)) or "allerg" in section.casefold()
