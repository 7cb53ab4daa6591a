"""Triggers of negation and assertion: the phrase, and what it says of what stands in its scope.

After ConText (Harkema and others, J Biomed Inform 2009) and NegEx (Chapman and others 2001); the
lists are ours.
"""

from __future__ import annotations

from enum import IntFlag

from .tables import word_set


class Status(IntFlag):
    """What holds of a token, as bits; 0 is affirmed, present, of the patient."""

    NEGATED = 1
    POSSIBLE = 2
    HYPOTHETICAL = 4
    FAMILY = 8
    RESOLVED = 16
    PLANNED = 32
    NOT_DONE = 64
    STOPPED = 128
    SUBJECT = 256
    """Stands before a `not`: what is spoken of, neither affirmed nor denied."""
    RESUMED = 512
    """Taken up again after it was stopped."""
    ATTEMPTED = 1024
    """Tried, and not said to have succeeded."""
    INSTRUCTED = 2048
    """Advised, wished or taught: what somebody is to do, not what was done."""
    ALLERGY = 4096
    """Named as an allergy."""


N, P, H, F, R, L, U, S, *_ = Status
I = Status.INSTRUCTED  # noqa: E741 - one letter each, so that the tables can be read
FORWARD: dict[str, Status] = {
    "no": N, "denies": N, "denied": N, "deny": N, "denying": N, "without": N, "not": N,
    "cannot": N, "never": N, "negative for": N, "absence of": N,
    "negative :": N, "negatives :": N, "ruled out": N, "neg for": N, "neg :": N,
    "absent": N, "free of": N,
    "lack of": N, "lacks": N, "lacking": N, "neither": N, "nor": N, "none": N, "non": N,
    "ruled out for": N, "rules out": N, "unremarkable for": N, "declines any": N, "rather than": N,
    "no longer": N | S, "negative": N, "unable to": N, "refrain from": N, "refrained from": N,
    "failed to": N, "fails to": N, "fail to": N, "inability to": N, "did not": N,
    "possible": P, "possibly": P, "probable": P, "probably": P, "likely": P, "suspected": P,
    "suspicion for": P, "suspicious for": P, "concern for": P, "concerning for": P, "may have": P,
    "may be": P, "might be": P, "might have": P, "could be": P, "rule out": P, "question of": P,
    "questionable": P, "presumed": P, "cannot exclude": P, "versus": P, "suspect": P,
    "worrisome for": P, "differential includes": P, "suggestive of": P,
    "if": H, "should she": H, "should he": H, "should the patient": H, "return for": H,
    "return if": H, "call if": H, "in case of": H, "for any": H,
    "in the event of": H, "monitor for": H,
    "watch for": H, "risk of": H, "risk for": H, "at risk": H, "unless": H, "precautions for": H,
    "resolved": R, "resolution of": R,
    "will": L, "plan to": L, "plan for": L, "planned": L, "plans to": L, "scheduled for": L,
    "scheduled to": L, "recommend": L, "recommended": L, "recommends": L, "consider": P | L,
    "considering": P | L, "consideration of": P | L, "think about": P,
    "evaluate for": P | L, "evaluated for": P | L, "evaluation for": P | L, "eval for": P | L,
    "evaluating for": P | L, "assess for": P, "assessed for": P, "assessment for": P,
    "work up for": P, "workup for": P, "work - up for": P, "screen for": P, "screening for": P,
    "screened for": P, "check for": P, "look for": P, "looking for": P, "to exclude": P,
    "test for": P, "tested for": P, "testing for": P, "ddx": P, "differential diagnosis": P,
    "differential :": P, "differential is": P, "differential included": P, "worry about": P,
    "worried about": P, "worried for": P, "suspicion of": P, "concerned for": P,
    "concerns for": P, "concerned about": P, "concern of": P,
    "would benefit from": L, "referred for": L, "refer to": L, "awaiting": L,
    "pending": L, "to undergo": L, "going to": L, "offered": L, "may need": L,
    "might need": L, "low threshold for": L, "order": L, "obtain": L,
    "arrange": L, "schedule": L, "ordered": L, "needs": L,
    "considered": L, "to perform": L, "to obtain": L, "npo for": L, "midnight for": L,
    "consented for": L, "consent for": L, "candidate for": L, "prep for": L, "prepped for": L,
    "doubt": P, "could represent": P, "may represent": P, "might represent": P,
    "could reflect": P, "may reflect": P, "might reflect": P, "side effects include": H,
    "side effects such as": H, "side effects of": H, "adverse effects include": H,
    "refused": U, "refuses": U, "declined": U, "declines": U, "cancelled": U, "canceled": U,
    "deferred": U, "unable to obtain": U, "unable to tolerate": U, "opted against": U,
    "decided against": U, "did not undergo": U, "held off on": U,
    "stop": S, "stopped": S, "stopping": S, "discontinue": S, "discontinued": S, "hold": S,
    "held": S, "holding": S, "off of": S, "quit": S, "former": S, "ex": S,
    "discontinuing": S, "ceased": S, "off": S, "weaned off": S, "taken off": S, "tapered off": S,
    "avoid": N | I, "avoiding": N | I, "avoidance of": N | I,
    "due for": L, "overdue for": L, "discussed": L, "eligible for": L, "interested in": L,
    "prophylaxis for": H, "prophylaxis against": H, "prevention of": H, "to prevent": H,
    "advised to": I, "instructed to": I, "counseled to": I, "counselled to": I, "told to": I,
    "encouraged to": I, "asked to": I, "recommended to": I, "counseled on": I, "educated on": I,
    "educated to": I, "wants to": I, "wishes to": I, "would like to": I, "hopes to": I,
    "agrees to": I, "agreed to": I, "intends to": I, "reminded to": I, "willing to": I,
    "trying to": I, "tries to": I, "ready to": I,
    "came off": S, "switched from": S, "changed from": S, "transitioned from": S,
}  # fmt: skip
BACKWARD: dict[str, Status] = {
    "ruled out": N, "was negative": N, "is negative": N, "are negative": N, "were negative": N,
    "negative": N, "denied": N, "absent": N, "not present": N, "not seen": N, "not noted": N,
    "not appreciated": N, "not identified": N, "not detected": N, "not found": N, "unlikely": N,
    "not evident": N, "not visualized": N, "excluded": N, "not elicited": N, "nonreactive": N,
    "suspected": P, "possible": P, "likely": P, "cannot be excluded": P, "not excluded": P,
    "in question": P, "?": P,
    "resolved": R, "has resolved": R, "in remission": R, "subsided": R, "gone": R,
    "scheduled": L, "planned": L, "pending": L, "recommended": L, "ordered": L, "considered": L,
    "refused": U, "declined": U, "cancelled": U, "canceled": U, "deferred": U,
    "aborted": U, "contraindicated": U, "yet to be": N | U, "precautions": H,
    "not recommended": N, "not advised": N, "was discussed": L,
    "were discussed": L, "was offered": L, "were offered": L,
    "in the differential": P, "on the differential": P,
    "test pending": P, "pcr pending": P, "swab pending": P, "postponed": U, "withheld": U,
    "stopped": S, "discontinued": S, "held": S, "on hold": S, "not taken": S, "tapered off": S,
    "weaned off": S, "switched to": S, "changed to": S, "transitioned to": S, "replaced by": S,
    "replaced with": S,
}  # fmt: skip
LABELLED = word_set("no none denies denied negative neg absent never nil")
"""Behind a colon or dash, with nothing after, they deny what stands before: `Chest pain: no`."""
DENYING = word_set("not never")
AGAIN = word_set("no not never without none")
"""Denied themselves, they affirm: not without risk."""
MODIFIES = word_set(
    """change changing changed adjust adjusting alter altering increase increasing decrease
    decreasing stop stopping discontinue discontinuing"""
)
"""Who does not change a drug goes on with it."""
PSEUDO = (
    "not only", "no increase", "no change", "no significant change", "no interval change",
    "not certain", "not necessarily", "gram negative", "gram - negative",
    "o negative", "o - negative",
    "ab negative", "ab - negative", "rh negative", "rh - negative", "no further",
    "not limited to", "no changes",
    "no medication changes", "without difficulty", "no doubt", "no cause for", "no wonder",
    "not to mention", "no other", "as planned", "as scheduled",
    "underwent planned", "underwent scheduled", "had planned", "had scheduled", "after planned",
)  # fmt: skip
"""Look like a negation and negate nothing of the patient."""
SUBJECT_BEFORE = word_set("not never cannot")
PURPOSE = word_set("for because due after")
"""Where the reach of a denied verb ends: not helpful | for her pain."""
CLAUSE_ENDS = word_set(". ; , : but and who which that because although while")
FAMILY = word_set(
    """family mother father brother sister parents sibling siblings grandmother grandfather aunt
    uncle son daughter cousin mom dad maternal paternal grandparents relatives niece nephew"""
)
BOUNDARY = word_set(
    """but however except although though which who because secondary yet presents presented
    reports reported endorses endorsed states stated complains compared admits [ ] has had was is
    are were developed underwent and/or started remains showed shows reveals revealed . ; : |
    positive aside apart besides ( ) then will since"""
)
LIST_BREAKERS = word_set(
    """normal clear intact stable regular positive soft well unremarkable present alert oriented
    symmetric equal reactive supple benign nontender may can could would might must will
    should is are was were has had have"""
)
