"""What a template or an assistant leaves in a text: places to fill in, and words to its reader.

Neither states anything of the patient. A blank in the middle of a sentence of a de-identified note
("a ___ year old") is no place to fill in; Epic's `***`, brackets with a name in them and dates of
blanks are.
"""

from __future__ import annotations

import re

from chartproof_decomposer.lexicon import words

_PLACEHOLDER = re.compile(
    r"\*{3,}|\[\*\*[^\]\n]{0,80}\*\*\]"
    r"|\{[A-Za-z][\w /-]{0,40}:\s?\d{1,9}[^{}\n]{0,20}\}|@[A-Z][A-Z_]{2,30}@"
    r"|\{\{[^{}\n]{1,60}\}\}|<<[^<>\n]{1,60}>>"
    r"|\bX{2,4}\b(?= ?(?:mg|mcg|kg|ml|cm|mm|units?|years?|y\.?o|/))"
    r"|__/__/__|_{2,}/_{2,}|\b(?:Lorem ipsum|TBD)\b"
    r"|<(?:insert|enter|name|date|dose|patient|diagnosis)[^<>\n]{0,40}>"
)
_BRACKETED = re.compile(r"\[([A-Za-z][A-Za-z' /_-]{1,50})\]")
_TO_FILL = words(
    "insert enter fill add specify name date dose patient diagnosis age sex gender hospital "
    "facility physician doctor provider number mrn dob medication time location address signature "
    "reason details description value result frequency department unit specialist clinic phone"
)
_DOCUMENT = r"(?:summary|note|draft|version|report|letter|document|text|content|information)"
_CHATTER = re.compile(
    r"(?:certainly|of course|absolutely|sure(?: thing)?|great question|you'?re welcome"
    r"|happy to help|understood|no problem)\s*[!.,]"
    rf"|(?:below|here)(?:'s| is| are)\b.{{0,80}}\b{_DOCUMENT}\b"
    r"|(?:i|we) (?:hope|trust) (?:this|that|it)\b|(?:please )?let me know\b"
    r"|(?:please )?feel free\b|is there anything else\b|would you like me\b|as an ai\b"
    r"|i(?:'m| am) (?:an ai|just an? |sorry|unable|not able)\b"
    r"|i (?:cannot|can't|have (?:drafted|prepared|summari[sz]ed|generated|created|written))\b"
    r"|if you (?:need|have|would like|want) (?:any|further|more|me|additional)\b"
    r"|(?:please )?note that (?:this|i)\b.{0,60}\b(?:generated|ai|summary|provided)\b"
    r"|(?:based on|using) the (?:information|notes?|records?|details?) (?:you )?provided\b"
    r"|\W*(?:disclaimer|important note|note)\W{1,3}.{0,200}"
    r"\b(?:ai|generated|reviewed|medical advice|verif\w+)\b"
    rf"|\W*(?:this|the) {_DOCUMENT}\b.{{0,60}}"
    r"\b(?:generated|created|drafted|produced|written by|prepared by|intended|substitut\w+"
    r"|should be (?:reviewed|verified))\b"
    r"|.{0,80}\b(?:not (?:a substitute|medical advice)"
    r"|generated (?:by|with|using) (?:an? )?(?:ai|artificial|language model|llm|gpt))\b",
    re.IGNORECASE,
)


def is_unfilled(sentence: str) -> bool:
    """Whether a sentence holds a place that was not filled in: it says less than it seems to."""
    if _PLACEHOLDER.search(sentence):
        return True
    for bracketed in _BRACKETED.finditer(sentence):
        inner = bracketed[1]
        listed = [each.lower() for each in re.split(r"[ /_-]+", inner)]
        if (inner.isupper() and len(inner) > 2) or not _TO_FILL.isdisjoint(listed):
            return True
    return False


def is_chatter(sentence: str) -> bool:
    """Whether an assistant speaks to its reader, of itself or of the text."""
    return _CHATTER.match(sentence.lstrip("*_ ")) is not None
