"""Tokens and stems: how a statement becomes comparable words.

Every expression is linear (no nested quantifiers), because notes come from outside.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from .abbreviations import spelled_out
from .vocabulary.tables import word_map

MAX_CHARS = 12_000
"""Longer texts are judged by their beginning; a proposition of 10,000 characters fits."""

_TOKEN = re.compile(
    r"[^\W\d_][^\W_]*(?:'[^\W\d_]{1,2}\b)?|\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[^\w\s]"
)
_PLAIN = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u02bc": "'", "`": "'", "\u201c": '"', "\u201d": '"',
     "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-", "\u2022": ";",
     "\u00b7": ";", "\u2044": "/", "\u2264": "<", "\u2265": ">", "\u00b5": "u",
     "\u2191": " increased ", "\u2193": " decreased ", "\u03bc": "u", "\u00ba": "\u00b0"}
)  # fmt: skip
_ARROW = re.compile(r" ?(?:[-=]{1,2}>|[\u2192\u21d2\u2794\u279c\u27a1]) ?")
_POWER = re.compile(r"10(\u00b3|\u2076|\u2079|\u00b9\u00b2)")
_COUNTS = re.compile(
    r"(?:\b[x*\u00d7] ?|(?<![\d.]))10 ?(?:\^|\*{1,2}|e) ?(3|6|9|12) ?/ ?(ul|mcl|mm3|cmm|l)\b", re.I
)
"""10^3/uL and 10^9/L are K/uL, 10^6/uL and 10^12/L are M/uL."""
_THOUSANDS = {"3": "K/uL", "6": "M/uL", "9": "K/uL", "12": "M/uL"}
_MIXED = re.compile(r"(?<=\d)(?=[\u00bc-\u00be])")
"""Between the 1 and the half of one and a half, which NFKC would run together."""
_TIMES = re.compile(r"\bx(?=\d)", re.I)
"""x2 days, CABG x4."""
_SLASHED = re.compile(
    r"\b(?:(s/p)|(c/o)|(h/o)|(w/o)|(r/o)|(d/c'?e?d?)|(y/o)|(f/u)|(b/l)|(n/v)|(w/))(?=\s|\b|$)",
    re.I,
)
_SPELLED = ("status post", "complains of", "history of", "without", "rule out", "discontinued",
            "year old", "follow up", "bilateral", "nausea vomiting", "with ")  # fmt: skip
_AGE_SEX = re.compile(
    r"\b(\d{1,3})[ -]?(?:yo|y/o|yr old|year old)? ?([MF])\b"
    r"(?=[ ,](?:with|w/|c/o|s/p|p/w|h/o|who|presents|admitted|PMH|hx|[a-z]))"
)
"""67M with, 54 yo F who: an age and a sex."""
_NO_GROWTH = re.compile(r"\bno growth(?: to date)?\b|\bngtd\b", re.I)
_FULL_CODE = re.compile(r"\bfull code\b", re.I)
_ROOM_AIR = re.compile(r"(%|on) RA\b")
_VERSUS = re.compile(r"\bvs\b\.?", re.I)
_ASKED = re.compile(r"(?<![^\s(/,;:])\?+ ?(?=[A-Za-z])")
"""?appendicitis: possible appendicitis."""
_GENUS = re.compile(r"\b([A-Z])\.(?= [a-z]{4})")
"""E. coli, C. difficile."""
_UNSUCCESSFUL = re.compile(r"\b(?:without success|not successful(?:ly)?)\b", re.I)
_SECONDARY = re.compile(r"\b2/2(?= [A-Za-z])|\bd/t\b")
_DOTTED = re.compile(r"\b([a-z])\.([a-z])\.(?:([a-z])\.)?(?:([a-z])\.)?", re.I)
_IRREGULAR = word_map(
    """feet=foot teeth=tooth children=child men=man women=woman took=take taken=take taking=take
    went=go gone=go felt=feel fell=fall fallen=fall gave=give given=give grew=grow grown=grow
    underwent=undergo undergone=undergo broke=break broken=break began=begin begun=begin
    saw=see seen=see shown=show bled=bleed lost=lose ate=eat slept=sleep diagnoses=diagnosis
    diagnosed=diagnosis diagnose=diagnosis swollen=swell worse=worsen worst=worsen held=hold
    found=find made=make said=say told=tell thought=think brought=bring kept=keep led=lead
    drank=drink drunk=drink wore=wear worn=wear got=get gotten=get using=use used=use uses=use
    limitation=limit limitations=limit observation=observe examination=exam comparison=compare
    respiratory=respir received=receive receives=receive receiving=receive width=wide
    length=long depth=deep ran=run came=come became=become metastases=metastasis
    biopsies=biopsy emboli=embolus thrombi=thrombus bacteria=bacterium married=marry
    denies=deny denied=deny denying=deny dying=die died=die dies=die"""
)
_ENDINGS = (
    "ically", "fulness", "ousness", "iveness", "ization", "ement", "ances", "ences", "ities",
    "ments", "ness", "ment", "ance", "ence", "ical", "able", "ible", "ings", "ious", "ions", "ing",
    "ion", "ity", "ive", "ous", "ful", "ery", "ial", "ies", "ied", "ed", "es", "ic", "al", "ly",
    "er", "or", "s", "y", "e",
)  # fmt: skip


def plain(text: str) -> str:
    """NFKC, straight quotes and dashes, slashed and dotted abbreviations spelled out."""
    text = _MIXED.sub(" ", _POWER.sub(_power, text[:MAX_CHARS]))
    text = unicodedata.normalize("NFKC", text).translate(_PLAIN)
    text = _COUNTS.sub(lambda found: f" {_THOUSANDS[found[1]]}", text)
    text = _TIMES.sub("x ", text)
    text = _ARROW.sub(" \u2192 ", text)
    text = spelled_out(text)
    text = _NO_GROWTH.sub("negative", text)
    text = _FULL_CODE.sub("fullcode", text)
    text = _ROOM_AIR.sub(r"\1 room air", text)
    text = _GENUS.sub(r"\1", text)
    text = _VERSUS.sub("versus", text)
    text = _ASKED.sub("possible ", text)
    text = _UNSUCCESSFUL.sub("unsuccessful", text)
    text = _SECONDARY.sub("secondary to", text)
    text = _AGE_SEX.sub(_age_sex, text)
    text = _SLASHED.sub(lambda found: _SPELLED[(found.lastindex or 1) - 1], text)
    return _DOTTED.sub(lambda found: "".join(part or "" for part in found.groups()), text)


def _power(found: re.Match[str]) -> str:
    return f"10^{unicodedata.normalize('NFKC', found[1])}"


def _age_sex(found: re.Match[str]) -> str:
    sex = {"M": "man", "F": "woman"}[found[2]]
    return f"{found[1]} year old {sex}"


def tokens(text: str) -> list[str]:
    """Words, numbers (thousands commas dropped) and single punctuation marks, case kept."""
    # A contraction that stands apart ("did n't") has no stem.
    return [token for match in _TOKEN.finditer(text) for token in _split(match.group()) if token]


def _split(token: str) -> tuple[str, ...]:
    if "'" in token and len(token) > 1:
        word, _, tail = token.partition("'")
        if tail.lower() == "t" and word.lower().endswith("n"):
            stem = {"ca": "can", "wo": "will"}.get(word[:-1].lower(), word[:-1])
            return (stem, "not")
        return (word,)
    if token[0].isdigit() and "," in token:
        return (token.replace(",", ""),)
    return (token,)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A common root of a lower-case word's inflected and derived forms; at least three letters."""
    if word in _IRREGULAR:
        return stem(_IRREGULAR[word])
    if len(word) <= 3:
        return word
    if len(word) == 4:
        return word[:-1] if word[-1] in "se" and word[-2:] not in ("ss", "us", "is") else word
    if word.endswith(("ss", "us", "is")) and not word.endswith("ness"):
        return word[:-2] if word.endswith("is") and len(word) > 6 else word
    if word.endswith(("ation", "ations")) and len(word.removesuffix("s")) >= 12:
        return word.removesuffix("s").removesuffix("ation")
    for _ in range(2):
        for ending in _ENDINGS:
            keep = 3 if ending in ("ing", "ed", "es", "s") else 4
            if word.endswith(ending) and len(word) - len(ending) >= keep:
                word = word[: -len(ending)]
                if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsz":
                    word = word[:-1]
                break
        else:
            break
    return word[:-1] if len(word) == 4 and word[-1] == "e" else word
