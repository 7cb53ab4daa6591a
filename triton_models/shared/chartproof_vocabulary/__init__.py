"""The clinical vocabulary, and `expand`: clinical shorthand as readable English.

The words stand in `data/` as tab-separated tables, each with its source; `data/README.md` says what
a row is. Model code imports this package; `agents/vocabulary.py` reads the same files.
"""

from chartproof_vocabulary.expanded import Expanded, Replacement
from chartproof_vocabulary.expansion import expand, expand_text

__all__ = ["Expanded", "Replacement", "expand", "expand_text"]
