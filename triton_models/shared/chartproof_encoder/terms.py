"""A text as weighted terms: the lexical half of hybrid search, and exactness for numbers.

Numbers decide much of clinical text, and word pieces tear them apart ("12.5" is "12", ".", "5"),
so they are terms of their own, whole, alone and with their unit ("81", "81 mg"). A word's weight
is its rarity: BERT's vocabulary is about ordered by frequency, so by Zipf's law the logarithm of
a word's rank is its inverse document frequency up to a constant. No corpus is needed.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from zlib import crc32

MAX_CHARACTERS = 100_000
"""Terms are not read beyond this."""
FIRST_WORD = 1996
"""The id of "the", the first word of BERT's uncased vocabulary; single characters stand before."""
VOCABULARY = 30_522
NUMBER_WEIGHT = 1.0
MAX_TERM_ID = 2**31 - 1
"""Milvus takes sparse dimensions below 2**32 - 1; signed 32-bit readers are safe as well."""

_TOKEN = re.compile(
    r"(?P<number>\d+(?:[.,/:\-]\d+)*)"
    r"(?:\s?(?P<unit>%|°?[^\W\d_]{1,7}(?:/[^\W\d_]{1,4})?(?![^\W\d_])))?"
    r"|(?P<cjk>[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff])"
    r"|(?P<word>[^\W\d_]+(?:['\u2019][^\W\d_]+)?)"
)
_UNITS = frozenset(
    re.findall(
        r"\S+",
        """
        % mg mcg ug μg g kg lb lbs ml cc dl l unit units iu u meq mmol mol mosm cm mm m inches mmhg
        bpm min mins hr hrs hour hours h day days week weeks month months year years yr yrs f c °c
        °f tab tabs tablet tablets puffs drops packs mg/dl g/dl meq/l mmol/l mg/kg ml/hr ml/min
        l/min ng/ml iu/l u/l mcg/min mg/day
        """,
    )
)
_STOP_WORDS = frozenset(
    re.findall(
        r"\S+",
        """
        a an and are as at be been being but by did do does for from had has have he her hers him
        his i if in into is it its of on or our she so than that the their them then there these
        they this those to was we were which who will with you your patient pt
        """,
    )
)


def normalised(text: str) -> str:
    """NFKC, lower case, no accents: what BERT's uncased tokenizer sees."""
    folded = unicodedata.normalize("NFKD", text[:MAX_CHARACTERS].lower())
    return unicodedata.normalize(
        "NFKC", "".join(mark for mark in folded if not unicodedata.combining(mark))
    )


def terms(text: str) -> Counter[str]:
    """The terms of a text with their counts; numbers start with `#`."""
    result: Counter[str] = Counter()
    for match in _TOKEN.finditer(normalised(text)):
        if number := match["number"]:
            result.update(_number_terms(number, match["unit"] or ""))
        elif word := match["cjk"] or match["word"]:
            result.update(_word_terms(word))
    return result


def _word_terms(word: str) -> list[str]:
    word = re.sub(r"['\u2019].*", "", word)
    return [] if word in _STOP_WORDS else [singular(word)]


def _number_terms(number: str, unit: str) -> list[str]:
    """`81 mg` gives #81 and #81mg; `120/80` gives itself and its parts; `1,000.0` is #1000."""
    whole = canonical_number(number)
    result = [f"#{whole}"]
    if unit in _UNITS:
        result.append(f"#{whole}{singular(unit)}")
    elif unit:
        result += _word_terms(unit)
    parts = [part for part in re.split(r"[/:\-]", whole) if part]
    return result + [f"#{canonical_number(part)}" for part in parts if len(parts) > 1]


def canonical_number(number: str) -> str:
    """Without thousands separators, leading and trailing zeros: 1,000.50 is 1000.5, 05 is 5."""
    number = re.sub(r"(?<=\d),(?=\d{3}(?:\D|$))", "", number)
    if not re.fullmatch(r"\d+(?:\.\d+)?", number):
        return number
    whole, _, fraction = number.partition(".")
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{fraction}" if fraction else "")


def singular(word: str) -> str:
    """The S-stemmer (Harman 1991, "How effective is suffixing?"): plurals only, nothing clever."""
    if len(word) > 4 and word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("es") and not word.endswith(("aes", "ees", "oes", "ses")):
        return word[:-1]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("us", "ss", "is")):
        return word[:-1]
    return word


def rarity(vocabulary_id: int | None) -> float:
    """How much a word says, in (0, 1]: the logarithm of its rank; 1 for a word not in there."""
    if vocabulary_id is None:
        return 1.0
    if vocabulary_id < FIRST_WORD:
        return 0.3  # a single character or sign
    rank = vocabulary_id - FIRST_WORD + 1
    return math.log1p(rank) / math.log1p(VOCABULARY - FIRST_WORD)


def weighted_terms(text: str, vocabulary: Mapping[str, int]) -> dict[str, float]:
    """Term -> weight: rarity times sub-linear frequency (1 + ln count)."""
    return {
        term: (NUMBER_WEIGHT if term.startswith("#") else rarity(vocabulary.get(term)))
        * (1 + math.log(count))
        for term, count in terms(text).items()
    }


def sparse_vector(text: str, vocabulary: Mapping[str, int]) -> dict[int, float]:
    """Term id (1 to 2**31 - 1) -> weight; of unit length, so an inner product is a cosine.

    Empty when the text holds no term.
    """
    weights = weighted_terms(text, vocabulary)
    norm = math.sqrt(sum(weight * weight for weight in weights.values()))
    ids: dict[int, float] = {}
    for term, weight in weights.items():
        ids[term_id(term)] = round(weight / norm, 5)
    return ids


def term_id(term: str) -> int:
    return 1 + crc32(term.encode()) % MAX_TERM_ID
