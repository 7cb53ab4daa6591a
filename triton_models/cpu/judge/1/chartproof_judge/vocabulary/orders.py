"""Words of orders, conditions, goals and attempts."""

from __future__ import annotations

from .tables import word_set

ORDERS = word_set(
    """give administer start begin initiate resume restart add hold stop discontinue increase
    decrease titrate wean taper switch transfuse intubate extubate dialyze cardiovert vaccinate
    immunize amputate check send obtain order draw insert remove schedule consult discharge transfer
    admit replete bolus call notify page return avoid repeat recheck advance place perform consider
    monitor keep maintain"""
)
"""Verbs in the imperative, where they begin a clause."""
ONLY_ORDERED = word_set(
    """give administer transfuse intubate extubate dialyze cardiovert vaccinate immunize amputate
    send insert perform"""
)
"""Imperatives that do not say that it has been so before, as `increase` and `continue` do."""
BEGINS = word_set(". ; : , - ( and then please or would")
"""What an imperative may stand behind."""
MODALS = word_set("will would should may might must plan consider can could")
WHEN = word_set("if when whenever once unless")
"""Open a condition; `when` and `once` only beside an order, and not of what has been."""
STOPS = word_set("stop hold discontinue wean taper decrease")
HOLDS = word_set("hold stop")
FOR = word_set("for if when unless until")
COMPARES = word_set("< > below above under over less greater")
GOALS = word_set("goal target goals targets")
STEERS = word_set("titrate titrating keep keeping maintain wean target aim")
"""Verbs that name a value to be reached."""
TRIED = word_set("attempted attempt attempts tried tries attempting failed failing")
FAILED = word_set("unsuccessful unsuccessfully aborted abandoned")
FAIL_LATER = word_set(
    """transplant allograft graft surgery fusion hardware therapy chemotherapy treatment medical
    conservative outpatient back regimen medication medications"""
)
"""What is done, and then fails: a failed graft was a graft."""
SELF_HARM = word_set("suicide suicidal overdose self")
SUCCEEDED = word_set(
    """successful successfully success performed completed achieved placed obtained done passed
    confirmed advanced secured underwent received converted"""
)
PREVENTS = word_set("prophylaxis ppx prevention precautions screening screen screens protocol risk")
"""Behind a disease: against it or in search of it, not it."""
UNSURE = word_set("possible probable suspected presumed likely potential prevent prevention rule")
"""A purpose that is itself only supposed."""
TREATS = frozenset(("drug", "class"))
THERAPIES = frozenset((
    "coronary artery bypass graft", "percutaneous coronary intervention", "hemodialysis",
    "blood transfusion", "cholecystectomy", "appendectomy", "hysterectomy", "pacemaker",
    "implantable cardioverter defibrillator", "total knee replacement", "total hip replacement",
    "open reduction internal fixation", "physical therapy", "occupational therapy", "chemotherapy",
    "radiation therapy", "surgery", "tracheostomy", "gastrostomy tube", "cardioversion", "ablat",
    "therapy", "treatment", "anticoagulant",
))  # fmt: skip
"""Procedures that treat: what they are considered for is there. A test is for what may be."""
