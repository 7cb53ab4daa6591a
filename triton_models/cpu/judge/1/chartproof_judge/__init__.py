"""The cpu judge: clinical checks that decide whether a chart's facts bear a statement out.

Rules rather than a learnt model, so that every verdict can say why and the same input always gives
the same answer. It imports nothing of chartproof: a Triton image holds this folder and no more.

How it goes: `antecedents` puts in the place of a reference what it stands for; `abbreviations`,
`words`, `lexicon`, `quantities` (by `units`, `numerals`, `frequencies`, `dates`, `moments`),
`times`, `trends`, `sides`, `relatives`, `disposition` and `assertion` (with `scopes`, `events`,
`orders`, `attempts`, `questions`, `allergies` and `indications`: what was done, planned, stopped,
tried, asked) read a text into a `statement`; each of `checks` compares the proposition with one
sentence of a fact, on the days that `when` says; `series` adds what facts of different times say
together; `support` finds the facts that together say the most of it; `decide` weighs contradiction
against support, the latest first where the proposition speaks of the present; `compound` puts
sentences together; `reason` quotes the chart.

The reranker's score breaks ties between facts that say equally much. It has no further say: added
to the share of content it moved the accuracy by less than half a point (measured), and the judge
must not depend on one reranker's scale.
"""

from .judge import Judge, load

__all__ = ["Judge", "load"]
