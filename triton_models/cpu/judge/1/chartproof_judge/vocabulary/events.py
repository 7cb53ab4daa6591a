"""Words that say whether something was done, is to be done, or was taken up again."""

from __future__ import annotations

from .tables import word_set

CARRIED_OUT = word_set(
    """given done performed started indicated administered obtained initiated attempted completed
    needed required placed used undertaken pursued received carried warranted begun offered
    repeated drawn sent collected prescribed instituted dispensed infused transfused"""
)
"""What is denied by `not ...` of what stands before it."""
AFTER_NOT = word_set("yet been be being to ever able actually currently felt able thought")
"""May stand between `not` and what is denied."""
NO_OBJECT = word_set(
    """due because since given at in on by for as after before until during today yesterday
    tomorrow tonight overnight this per secondary and but or so yet here there prior again safely
    with without when while once now initially although though despite out upon if which who last
    earlier later only anymore elsewhere recently successfully from"""
)
"""May follow a verb that has no object of its own."""
PERSONS = word_set("he she they i we patient pt who")
DID = word_set(
    """was were had underwent done given performed status showed shows found seen taken took gave
    began begun yesterday ago history had has s/p post made got drew saw placed led ran went day
    prior previous previously"""
)
"""Words that say that a clause speaks of what has been; so does any that ends in -ed."""
FUTURE_TIMES = {
    "tomorrow": (("tomorrow",),),
    "next": (("next", "week"), ("next", "month"), ("next", "visit"), ("next", "year"),
             ("next", "available"), ("next", "am")),
    "tonight": (("tonight",),),
    "upcoming": (("upcoming",),),
    "in": (("in", "the", "morning"), ("in", "am"), ("in", "the", "am"), ("in", "the", "future")),
    "to": (("to", "be", "done"), ("to", "be", "started"), ("to", "be", "performed"),
           ("to", "be", "given"), ("to", "be", "scheduled"), ("to", "follow"),
           ("to", "be", "arranged"), ("to", "be", "obtained")),
    "pending": (("pending",),),
}  # fmt: skip
"""First word -> the phrases that begin so and put what stands before them into the future."""
PERIODS = word_set("hour day week month year")
ALARMS = word_set("call return notify page alert contact seek")
ALARM_LEADS = word_set(". ; , : - and or to please should must will then if instructed")
STOPS = word_set("stop stopped discontinue discontinued ceased")
"""Said alone, they are of what stands before: `Metoprolol: STOP`, `on metoprolol, stopped 3/1`."""
RESUMED = word_set("restarted resumed reinitiated reintroduced rechallenged")
LINKS = word_set(", ; and but was were then later now has been it since subsequently have is being")
SENTENCE_ENDS = word_set(". ; , : - ( )")
VERSUS_ENDS = word_set(". ; , : ( ) - to from with of for by likely due and or has is was possible")
