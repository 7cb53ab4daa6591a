"""Phrases and what a corruption puts in their place. Lower case; matched as whole words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Table = Mapping[str, tuple[str, ...]]


def _groups(text: str) -> Table:
    """Lines of `a | b | c`: each may become any other of its line."""
    table: dict[str, tuple[str, ...]] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        phrases = [phrase.strip() for phrase in line.split("|")]
        table |= {
            phrase: tuple(other for other in phrases if other != phrase) for phrase in phrases
        }
    return MappingProxyType(table)


def _pairs(text: str) -> Table:
    """Lines of `a > b`: `a` becomes `b`, and not the other way round."""
    lines = (line.partition(">") for line in text.splitlines() if ">" in line)
    return MappingProxyType({old.strip(): (new.strip(),) for old, _, new in lines})


UNITS = _groups(
    """
    mg | mcg | g
    milligrams | micrograms | grams
    milligram | microgram | gram
    ml | liters
    milliliters | liters
    cm | mm
    centimeters | millimeters
    kg | pounds
    kilograms | pounds
    mg/dl | mmol/l
    """
)
SIDES = _groups(
    """
    left | right
    left-sided | right-sided
    upper | lower
    bilateral | left
    bilaterally | on the left
    medial | lateral
    anterior | posterior
    proximal | distal
    """
)
SIDES = MappingProxyType({**SIDES, "left": ("right",)})
"""`left` may have been made of `bilateral`; it is `right` that it is confused with."""
NEGATIONS = _pairs(
    """
    denies having > reports having
    denies any > reports
    denies > reports
    denied > reported
    reports > denies
    reported > denied
    endorses > denies
    complains of > denies
    does not have > has
    does not take > takes
    does not > does
    did not > did
    has not > has
    has no > has
    had no > had
    has had > has never had
    has > does not have
    had > did not have
    takes > does not take
    is not > is
    was not > was
    is > is not
    are > are not
    was > was not
    were > were not
    will > will not
    without > with
    no evidence of > clear evidence of
    shows no > shows
    shows > shows no
    positive > negative
    negative > positive
    normal > abnormal
    abnormal > normal
    unremarkable > markedly abnormal
    improved > worsened
    """
)
DRUGS = _groups(
    """
    lisinopril | amlodipine | losartan | metoprolol | hydrochlorothiazide | carvedilol | atenolol
    metformin | glipizide | sitagliptin | glyburide | insulin glargine
    ibuprofen | naproxen | acetaminophen | meloxicam | diclofenac | tramadol | aspirin
    omeprazole | famotidine | pantoprazole
    atorvastatin | simvastatin | rosuvastatin | pravastatin
    amoxicillin | azithromycin | doxycycline | ciprofloxacin | cephalexin | levofloxacin
    furosemide | torsemide | spironolactone | bumetanide
    apixaban | warfarin | rivaroxaban | clopidogrel
    sertraline | escitalopram | fluoxetine | bupropion | citalopram | duloxetine
    prednisone | methylprednisolone | dexamethasone
    albuterol | montelukast | tiotropium
    gabapentin | pregabalin | topiramate
    lasix | coumadin | plavix | eliquis
    tylenol | motrin | advil | aleve
    penicillin | sulfa | codeine
    oxycodone | morphine | hydromorphone
    levothyroxine | allopurinol
    """
)
TIMES = _groups(
    """
    once daily | twice daily | three times daily
    once a day | twice a day | three times a day
    daily | weekly
    yesterday | last month
    today | six months ago
    days | weeks | months | years
    day | week | month | year
    hours | days
    morning | evening
    last week | last year
    monday | friday
    january | february | march | april | june | july | august | september | october | november
    before | after
    recently | many years ago
    """
)
RELATIVES = _groups(
    """
    mother | father | brother | sister | son | daughter | grandmother | grandfather | aunt | uncle
    maternal | paternal
    wife | daughter
    husband | son
    parents | children
    """
)
