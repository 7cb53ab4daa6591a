"""Words that the rules of layout and headers turn on."""

from __future__ import annotations

from chartproof_vocabulary.tables import word_list


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATION = word_list("denials")

KIN = word_list("relatives")

SIDES = words("left right bilateral bilaterally unilateral l r lt rt upper lower")

HEDGES = words(
    "possible possibly probable probably likely unlikely suspected suspect suspicion concern "
    "concerning might could would maybe question questionable presumed presumptive suggestive "
    "suggests suggesting apparent apparently rule ruled r/o differential ddx versus vs equivocal "
    "potential potentially risk unclear uncertain"
)

ENDED = words(
    "stop stopped stopping discontinue discontinued discontinuing hold held holding avoid avoided "
    "declined declines refused refuses resolved inactive longer "
    "cancelled canceled omitted withheld contraindicated failed intolerance intolerances allergic"
)

CARRIES_MEANING = NEGATION | KIN | SIDES | HEDGES | ENDED
"""A label with one of these is half of the statement below it."""

SENTENCE_WORDS = words(
    "is was are were be been being has had have having do does did will would can could should may "
    "might must the this that these those he she they we i you his her their your our my who which "
    "denies denied reports reported states stated presents presented given started seen "
    "continue continued take takes took taken need needs see please expired deceased dnr dni nkda "
    "following because if when"
)
"""A title with one of these is a sentence."""

OPENS = words(
    "a an the of in on at to from for with without by and or nor but no not denies denied her his "
    "their its is was are were be been has had have as than that which who per via into over under "
    "between during after before since until due secondary including versus vs any other mild "
    "moderate severe left right bilateral acute chronic approximately about dr mr mrs ms"
)
"""A line that ends with one of these is not at its end."""

GOES_ON = words(
    "and or nor but of to in on at for with without by from as than that which who is was are were "
    "has had have"
)
