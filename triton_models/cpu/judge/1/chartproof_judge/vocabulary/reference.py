"""Words that refer to something said before, and what kind of thing they can refer to."""

from __future__ import annotations

from .tables import word_set

SINGULAR = word_set("it this that")
PLURAL = word_set("they them these those both")
DUMMY = word_set(
    """noted felt thought recommended possible likely unclear important unlikely known decided
    believed unknown advised suspected uncertain appears seems hoped reasonable agreed clear
    explained discussed necessary"""
)
"""`It was felt that ...` refers to nothing."""
LINKING = word_set(
    """is was were are has had have will would did does can could may might should been be then also
    later not"""
)
DRUG_NOUNS = word_set("drug medication medicine agent pill tablet infusion drip regimen")
PROCEDURE_NOUNS = word_set("procedure surgery operation test study scan imaging")
PROBLEM_NOUNS = word_set("condition disease infection symptom symptoms lesion mass")
OF_DRUGS = word_set("dose dosage frequency")
OF_MEASURES = word_set("level value result results")
"""`The dose` is one of something: the dose of metoprolol."""
DRUG_VERBS = word_set(
    """started stopped held discontinued resumed restarted increased decreased doubled halved
    tripled titrated uptitrated tapered weaned continued switched given administered prescribed
    initiated refilled takes taking took received"""
)
PROBLEM_VERBS = word_set(
    """resolved improved worsened recurred subsided persisted persists diagnosed treated controlled
    abated progressed responded developed resolving improving worsening"""
)
PROCEDURE_VERBS = word_set(
    """performed done completed scheduled repeated showed revealed demonstrated cancelled canceled
    deferred postponed successful unsuccessful aborted underwent tolerated"""
)
MEASURE_VERBS = word_set(
    "rose fell peaked normalized trended dropped climbed measured returned downtrended uptrended"
)
