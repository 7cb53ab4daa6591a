"""The cpu judge: clinical checks that decide whether a chart's facts bear a statement out.

Rules rather than a learnt model, so that every verdict can say why and the same input always gives
the same answer. It imports nothing of chartproof: a Triton image holds this folder and no more.
"""

from .judge import Judge, load

__all__ = ["Judge", "load"]
