"""The words by which `salience` tells what matters in a chart. Told from general clinical use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

NEGATED = re.compile(
    r"\b(?:no|not|denie[sd]|denying|without|w/o|negative|neg|never|ruled out|r/o|rule out|unlikely"
    r"|low suspicion|cancel\w+|declin\w+|refus\w+|free of|n't)\b",
    re.IGNORECASE,
)
PLANNED = re.compile(
    r"\b(?:if|will|would|tomorrow|plan(?:s|ned)?|consider\w*|favou?r|recommend\w*|schedul\w+|pending"
    r"|candidate|eval(?:uation)? for|may|offered|consent\w*|vs|versus)\b",
    re.IGNORECASE,
)
FAMILY = re.compile(
    r"\b(?:mother|father|brother|sister|son|aunt|uncle|grand\w+|maternal|paternal|family history"
    r"|family hx|fhx?)\b",
    re.IGNORECASE,
)
BOILERPLATE = re.compile(
    r"^\W*(?:medical|surgical|general|other|active|chronic|acute)\W*$|^\W*(?:see|as above|per)\b|electronically signed|\bband\b|questions were answered"
    r"|discussed (?:the )?(?:diagnosis|treatment|with)|\bverbali[sz]e|understands? and agree"
    r"|^\W*(?:none|n/a|unknown|unremarkable|noncontributory|reviewed|nkd?a|nka)\W*$"
    r"|cleared (?:by|for)|refer to|dictated|\bpage \d",
    re.IGNORECASE,
)
SIGNATURE = re.compile(r"\b(?:MD|DO|RN|NP|PA-C|PharmD|PT|DPT)\b(?:,[\w ]+)?\.?$")
NOT_DONE = re.compile(
    r"^\W*no\b|\bnot (?:done|performed)\b|\b(?:cancel|declin|refus|defer|abort)\w+", re.IGNORECASE
)
BELIEVED = re.compile(
    r"\b(?:(?:believe|think|suspect)\w*(?: that)?(?: \w+){0,2}? (?:has|have|is)|appears? to have"
    r"|most likely|suspect\w*|has)(?: (?:a|an|the))?\b",
    re.IGNORECASE,
)
"""In an assessment a problem comes after them."""
ALLERGIC_TO = re.compile(
    r"\ballergic to\b|\ballerg(?:y|ies) (?:to|include)|\ballerg[^:.]{0,30}:|\b(?!(?:seasonal|food|an?|the|any|no|his|her|of|for)\b)\w+ allergy\b"
    r"|\bintoleran|\banaphyla\w+ (?:to|with|from)|\badverse reaction to\b"
    r"|\bcause[sd] (?:hives|a? ?rash|anaphylaxis|angioedema)",
    re.IGNORECASE,
)
PROCEDURE_TITLE = re.compile(
    r"\W*(?:procedure|operative|operation)(?: note| report)?s?(?: performed)?:", re.IGNORECASE
)
ROUTINE = re.compile(
    r"\b(?:assessments?|screening|reconciliation|examination|review|education|counsel+ing"
    r"|guidance|teaching|questionnaire|care plan|identification test|self-care|surveillance)\b",
    re.IGNORECASE,
)
"""Procedures that are done to everybody and change nothing."""
DONE = re.compile(
    r"\b\w+(?:ectomy|ectomies|otomy|ostomy|plasty|oscopy|centesis|graphy|pexy|desis)\b|\bunderwent\b"
    r"|\bs/p\b|\bstatus post\b|\b(?:surgery|operation) (?:on|in|for|was|to)\b|\bhad \w+ surgery\b"
    r"|\b(?:was|were) (?:drained|resected|repaired|excised|sutured|stented|amputated)\b",
    re.IGNORECASE,
)
WILL_BE = re.compile(
    r"\b(?:will (?:be|undergo|proceed|schedule|perform)|scheduled for|planned for)\b", re.IGNORECASE
)
SPEAKER = re.compile(
    r"^\W*(?:\[\d+\]\W*)?\[?(?:doctor|patient|dr|pt|speaker \w)[\w ]*\s*[\]:]", re.I
)
"""At the start of a turn of a conversation."""
NOT_OWN = re.compile(r"family|social|review of systems", re.IGNORECASE)
"""Sections of which nothing is salient."""
PROBLEM_SECTION = re.compile(
    r"diagnos|problem|assessment|impression|past medical|medical history", re.IGNORECASE
)
LISTED = re.compile(r"problem list|diagnos|past medical|medical history", re.IGNORECASE)
"""Sections in which every item is a problem."""
SURGICAL = re.compile(r"surgical|procedures?\b(?! note)", re.IGNORECASE)
HISTORY_OF = re.compile(
    r"\b(?:histor(?:y|ies) (?:is |are )?(?:significant |notable |remarkable |positive )?(?:of|for)"
    r"|h/o|hx(?: of)?|pmhx?(?: of| sig(?:nificant)? for)?|known|y/?o?[MF]?,? (?:w/|with)"
    r"|\d[MF],? (?:w/|with)|\d+[MF]\b,?)",
    re.IGNORECASE,
)
PRESENTING = re.compile(
    r"\b(?:present(?:s|ed|ing) with|diagnosed with|diagnosis (?:is|of)|consistent with)\b",
    re.IGNORECASE,
)
"""After them come problems, in whatever section."""
ILL = re.compile(
    r"\((?:disorder)\)"
    r"|\b(?:disease|disorder|syndrome|cancer|carcinoma|tumou?r|failure|infarction|infection"
    r"|fracture|injury|laceration|sprain|strain|tear|dislocation|contusion|concussion|ulcer"
    r"|wound|abscess|pregnancy|miscarriage|asthma|eczema|acne|deconditioning|abuse|dependence"
    r"|overdose|\w+(?:itis|osis|emia|opathy|oma|algia|uria|thorax|megaly|plegia))\b",
    re.IGNORECASE,
)
PASSING = re.compile(
    r"\b(?:acute|viral|suspected|resolved|remote|laceration|fracture|sprain|strain|contusion"
    r"|concussion|miscarriage|pregnancy|sore throat|otitis|infection|covid\W?19|influenza|pneumonia"
    r"|uti|injury)\b",
    re.IGNORECASE,
)
"""What a patient has had a history of and is over."""
COMPLAINT = re.compile(r"\b(?:pain|tendin\w+|swelling|weakness|dyspnea|cough)\b", re.IGNORECASE)
VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|should|can|do|does|did|takes?|cont(?:inue\w*)?"
    r"|start\w*|stop\w*|hold|held|recommend\w*|discuss\w*|order\w*|refer\w*|reports?|states?|she|he"
    r"|i|we|patient|pt)\b",
    re.IGNORECASE,
)
"""A noun phrase has none of them."""

STARTED = r"start(?:s|ed|ing)?|initiat\w+|began|begun|new(?:ly)?|add(?:ed|ing)?|prescri\w+|rx"
STOPPED = r"stop(?:s|ped|ping)?|discontinu\w+|d/c(?:'?d)?|off|no longer|not to (?:be )?restart\w*"
HELD = r"held|hold(?:ing)?|on hold|withheld|paus\w+|suspend\w*"
RESUMED = r"resum\w+|restart\w*|re-?start\w*"
MORE = r"increas\w+|uptitrat\w+|up-titrat\w+|titrat\w+|rais\w+|doubl\w+"
LESS = r"decreas\w+|reduc\w+|lower\w*|taper\w*|wean\w*|halv\w+"
SWITCHED = r"switch\w*|chang(?:e|ed|ing)|replac\w+|transition\w*|convert\w*"
ACTIONS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        name: re.compile(rf"(?<![\w/])(?:{words})(?!\w)", re.IGNORECASE)
        for name, words in (
            ("resumed", RESUMED),
            ("stopped", STOPPED),
            ("held", HELD),
            ("started", STARTED),
            ("increased", MORE),
            ("decreased", LESS),
            ("switched", SWITCHED),
        )
    }
)
"""What was done to a drug -> words that say so."""
ARROW = re.compile(
    r"\d\s*(?:mg|mcg|g|units?)?\s*(?:->|\u2192|=>)|->\s*\d|\(was \d|\bfrom \d.*\bto \d|->\s*PO"
)
ABNORMAL = re.compile(
    r"\b(?:elevated|abnormal|critical|positive|high|low|decreased|increased|peaked|worsen\w*|grew"
    r"|prolonged|reduced)\b|[\u2191\u2193]",
    re.IGNORECASE,
)
FLAG = re.compile(
    r"\d\s*[^\s\d()]*\s*(?:[(\[](?:[HL]{1,2}|high|low|crit\w*)[)\]]|H{1,2}\b|LL\b|\*)"
)
"""A bare L is a litre as a rule."""
RANGE = re.compile(
    r"(?P<value>\d+(?:\.\d+)?)\s*(?P<unit>[A-Za-z%\u00b5][\w/%\u00b5^]*)?\s*[(\[]\s*"
    r"(?:(?:ref(?:erence)?|normal)?(?: range)?:?\s*)?(?P<low>\d+(?:\.\d+)?)\s*[-\u2013]\s*"
    r"(?P<high>\d+(?:\.\d+)?)[^)\]]{0,12}[)\]]",
    re.IGNORECASE,
)
"""A value with its reference range printed beside it."""
IMAGING = re.compile(
    r"\bx-?rays?\b|\bCXR\b|\bCT\b|\bMRI\b|\bscan\b|ultrasound|\becho\w*|\bTTE\b|\bTEE\b|radiograph"
    r"|\bEKG\b|\bECG\b|monitor|\bculture",
    re.IGNORECASE,
)
FOUND = re.compile(
    r"\b(?:severe(?:ly)?|moderate|enlarged|dilated|cardiomegaly|edema|effusions?|consolidation"
    r"|infiltrates?|opacit\w+|mass|nodules?|lesion|fracture|thrombus|stenosis|occlusion|hemorrhage"
    r"|aneurysm|congestion|infarct|regurgitation|hypokinesis|obstruction|tear|herniation|abscess"
    r"|hydronephrosis|stones?)\b",
    re.IGNORECASE,
)
LIMITS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "creatinine": (0.0, 1.5),
        "potassium": (3.2, 5.4),
        "sodium": (130, 149),
        "glucose": (60, 250),
        "hemoglobin": (9.0, 18.0),
        "white count": (3.0, 13.0),
        "platelet": (100, 600),
        "bnp": (0, 400),
        "lactate": (0, 2.2),
        "inr": (0, 4.0),
        "hemoglobin a1c": (0, 7.9),
        "ejection fraction": (45, 80),
        "tsh": (0.2, 7),
        "ast": (0, 120),
        "alt": (0, 120),
        "bilirubin": (0, 2.5),
        "magnesium": (1.3, 3.0),
        "calcium": (7.5, 11.0),
    }
)
"""Analyte, in its usual US unit -> the limits beyond which an adult's value is abnormal whatever the
laboratory: wider than reference ranges, for notes that print neither flag nor range."""
FOLLOW_UP_SECTION = re.compile(r"follow|appointment|pending", re.IGNORECASE)
FOLLOW_UP = re.compile(
    r"\bfollow(?:[- ]?up|ed up)?\b(?! by)|\bf/u\b|\bappointment|\breturn (?:to|in|for)\b"
    r"|\bre(?:check|peat)\b|\brpt\b|\bis due\b|\bpending\b|\bwill (?:see|be seen)\b"
    r"|\brefer(?:red|ral)?(?: \w+){0,3} to\b"
    r"|\bsee (?:him|her|them) back\b|\boutpt\b",
    re.IGNORECASE,
)
ORDERED = re.compile(
    r"\b(?:will|would like(?: to)?|going to|gonna|plan to|recommend\w*|want to|we)(?: \w+){0,4}?"
    r" (?:order|obtain|get|repeat|refer|schedule|check)\b(?! better)"
    r"|\b(?:was|were|will be) (?:ordered|obtained|referred|scheduled)\b",
    re.IGNORECASE,
)
WHEN = re.compile(
    r"\b\d{1,2}/\d{1,2}\b|\bin (?:about |approximately )?\w+ (?:day|week|month|year)s?\b"
    r"|\b\d+(?:\s*-\s*\d+)? ?(?:wk|week|month|day|mo)s?\b"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d"
)
NOT_ARRANGED = re.compile(
    r"(?:^|: )\W*if\b|\bfollow(?:ing|ed|s)? (?:commands|directions|instructions)|\breturn (?:if|in case)|\bwhile inpt"
    r"|\b(?:previous|last|prior|recent) (?:follow|appointment|visit)|\binpatient\b|\bemergency (?:room|department) follow",
    re.IGNORECASE,
)
