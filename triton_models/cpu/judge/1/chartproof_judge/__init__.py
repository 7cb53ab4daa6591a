"""The cpu judge: a small model that reads evidence, and a few exact checks beside it.

`request` reads what is asked; `statement` puts a heading before it and a name in the place of its
pronoun (`antecedent`); `chartproof_vocabulary` spells shorthand out; `entailment` reads the
statement beside all facts at once; `checks` decide what can be decided exactly (`findings` runs
them); `combiner` weighs both into three calibrated probabilities; `verdict` adds citations and the
spans that are not supported, `reason` says why. It imports nothing of chartproof: a Triton image
holds this folder and no more.
"""

from .judge import Judge, load

__all__ = ["Judge", "load"]
