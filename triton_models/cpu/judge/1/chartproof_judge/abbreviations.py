"""Abbreviations that mean something else elsewhere: read by what stands around them.

OD is the right eye beside a cataract and once daily or an overdose beside a drug; FH with a colon
is the family history. What they stand for is put in their place before a text becomes tokens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_EYES = re.compile(
    r"\b(?:eyes?|vision|visual|cataracts?|glaucoma|retina\w*|acuity|IOP|intraocular|cornea\w*"
    r"|macula\w*|ophth\w*|conjunctiv\w*|uveitis|keratitis|pupils?|lens|ptosis|OU|OS)\b",
    re.IGNORECASE,
)
_EARS = re.compile(
    r"\b(?:ears?|hearing|otitis|tympan\w*|cerumen|otorrhea|tinnitus|TMs?)\b", re.IGNORECASE
)
_EYE = {"OD": "right eye", "OS": "left eye", "OU": "both eyes"}
_EAR = {"AD": "right ear", "AS": "left ear", "AU": "both ears"}
_EYE_WORD = re.compile(r"\bO[DSU]\b")
_EAR_WORD = re.compile(r"\bA[DSU]\b")
_SIDE = re.compile(r"\((R|L)\)")
_FAMILY = re.compile(r"\bF(?:AM(?:ILY)?)?[ .]?HX\b|\bFam(?:ily)?[ .]?hx\b|\bFHx\b|\bFH(?=:)")
_CANCER = re.compile(
    r"\b(breast|lung|colon|colorectal|rectal|prostate|ovarian|cervical|uterine|endometrial|bladder"
    r"|renal|kidney|pancreatic|gastric|esophageal|thyroid|liver|skin|testicular|metastatic)"
    r" C[Aa]\b(?! ?[-:=<>\d])",
    re.IGNORECASE,
)
"""Breast CA, not CA 125 nor calcium."""
_CULTURE = re.compile(r"\b(blood|urine|sputum|wound|stool|CSF) cxs?\b", re.IGNORECASE)
_ALTERNATE = (
    (re.compile(r"\bM/?W/?F\b"), "Monday, Wednesday and Friday"),
    (re.compile(r"\b(?:T/?Th/?S(?:at?)?|Tu/?Th/?Sat?)\b"), "Tuesday, Thursday and Saturday"),
)
"""On which days dialysis is."""
_LEFT = re.compile(r"\bd/?c'?e?d?(?= (?:to|home|AMA|against)\b)", re.IGNORECASE)
_ABSENT = re.compile(r"[(\[]\s?-\s?[)\]]")
_PRESENT = re.compile(r"[(\[]\s?\+\s?[)\]]")
_PLUS = re.compile(r"(?:^|[,;] ?)\+ ?(?=[A-Za-z])")
_MINUS = re.compile(r"(^|[,;] ?)- ?(?=[A-Za-z])")


def spelled_out(text: str) -> str:
    """`text` with what its abbreviations stand for."""
    if _EYES.search(text):
        text = _EYE_WORD.sub(lambda found: _EYE[found[0]], text)
    if _EARS.search(text):
        text = _EAR_WORD.sub(lambda found: _EAR[found[0]], text)
    text = _SIDE.sub(lambda found: {"R": "right", "L": "left"}[found[1]], text)
    text = _FAMILY.sub("family history", text)
    text = _CULTURE.sub(r"\1 culture", _CANCER.sub(r"\1 cancer", text))
    for written, days in _ALTERNATE:
        text = written.sub(days, text)
    text = _LEFT.sub("discharged", text)
    text = _PRESENT.sub(" positive for ", _ABSENT.sub(" no ", text))
    if _PLUS.search(text):  # + chest pain, - dyspnea
        text = _MINUS.sub(r"\1 no ", text)
    return text


def said_twice(words: Sequence[str]) -> set[int]:
    """Places of `(premature ventricular contractions)` after PVCs: the same thing said twice."""
    places: set[int] = set()
    for at, word in enumerate(words):
        if word != "(" or at == 0 or ")" not in words[at : at + 10]:
            continue
        end = words.index(")", at)
        initials = "".join(inner[0] for inner in words[at + 1 : end] if inner[0].isalnum())
        if len(initials) >= 2 and words[at - 1].removesuffix("s") == initials:
            places.update(range(at, end))
        elif end - at == 2 and len(words[at + 1]) >= 2:
            letters = words[at + 1].removesuffix("s")
            before = [inner for inner in words[max(0, at - 8) : at] if inner[0].isalnum()]
            if "".join(inner[0] for inner in before[-len(letters) :]) == letters:
                places.add(at + 1)
    return places
