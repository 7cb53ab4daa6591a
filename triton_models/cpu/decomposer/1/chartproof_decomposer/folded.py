"""Notes whose line breaks are lost: "… since Monday. PMH: gout. Meds: iron. Exam: no rash." """

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from chartproof_decomposer.lines import Line
from chartproof_decomposer.titles import SECTIONS, SPEAKING, by_synonym, normalise

_NAMES = frozenset(by_synonym(SECTIONS | SPEAKING))
_INLINE = re.compile(r"(?<=[.;!?)] )([A-Z][A-Za-z/&]{1,20}(?: [A-Za-z/&]{1,20}){0,4}):(?=\s)")
_FOLDED = 150
"""A longer line with several titles in it is a note whose line breaks are lost. Nobody wraps as
wide as that, so no sentence goes on below it."""


def unfold(lines: Sequence[Line]) -> list[Line]:
    """The lines, with those taken apart that hold several sections one after the other."""
    result: list[Line] = []
    for line in lines:
        cuts = [hit.start() for hit in _INLINE.finditer(line.body) if normalise(hit[1]) in _NAMES]
        if len(line.body) <= _FOLDED or len(cuts) < 2:
            result.append(line)
            continue
        for begin, end in pairwise([0, *cuts, len(line.body)]):
            body = line.body[begin:end].rstrip()
            start = line.start + begin
            result.append(Line(start, start + len(body), line.indent, body))
    return result
