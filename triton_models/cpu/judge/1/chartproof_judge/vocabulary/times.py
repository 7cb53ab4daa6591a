"""Words of time that are no numbers. All lengths are in days."""

from .tables import word_set

_WEEK, _MONTH, _YEAR = 7.0, 30.44, 365.25
PERIODS = {
    "hour": 1 / 24, "day": 1.0, "night": 1.0, "week": _WEEK, "month": _MONTH, "year": _YEAR,
    "decade": 10 * _YEAR,
}  # fmt: skip
FOREVER = 1e6
AMOUNTS = {
    "couple": (1.5, 3.5), "few": (2.0, 6.0), "several": (2.5, 10.0), "many": (3.0, FOREVER),
    "multiple": (2.0, FOREVER), "numerous": (3.0, FOREVER),
}  # fmt: skip
"""How many of a period, least and most: wide enough for two writers."""
ONES = word_set("a an one the")
BACK = word_set("past last previous prior preceding")
NEXT = word_set("next coming upcoming")
LASTING = word_set("for over during within throughout in since been lasting through")
"""Before `the last month`: all of it, not a day in it."""
AGO = word_set("ago earlier prior back")
POINTS = {
    "today": (0.0, 0.0), "tonight": (0.0, 0.0), "yesterday": (1.0, 1.0), "overnight": (0.0, 1.0),
    "recently": (0.0, _YEAR), "lately": (0.0, _YEAR), "tomorrow": (-1.0, -1.0),
}  # fmt: skip
"""Days before the text, least and most."""
PARTS = {
    "morning": "morning", "qam": "morning", "breakfast": "morning", "noon": "noon",
    "midday": "noon", "lunchtime": "noon", "afternoon": "noon", "evening": "night",
    "qpm": "night", "dinnertime": "night", "night": "night", "nightly": "night",
    "nighttime": "night", "bedtime": "night", "qhs": "night",
}  # fmt: skip
"""Parts of the day; what is taken in the evening is taken at night."""
WEEKDAYS = word_set("monday tuesday wednesday thursday friday saturday sunday")
BEFORE = word_set("before preceding")
AFTER = word_set("after following")
"""Order of two events; what follows is the second of them."""
CLAUSES = word_set("; . :")
