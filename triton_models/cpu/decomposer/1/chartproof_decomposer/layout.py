"""Layout: which lines of a note belong together, and under which section.

Hard-wrapped paragraphs are put together again by the fit test: a line was wrapped when the first
word of the next would not have fitted. Breaking a sentence can cut off a negation ("No evidence
of / fracture"), joining two statements cannot, so what is unclear is joined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from chartproof_decomposer.blocks import Block
from chartproof_decomposer.folded import unfold
from chartproof_decomposer.forms import BOX, read_form
from chartproof_decomposer.grids import Grid, grid_at
from chartproof_decomposer.headers import Header, Place, find_header, split_sections
from chartproof_decomposer.leads import gather
from chartproof_decomposer.lexicon import GOES_ON, OPENS
from chartproof_decomposer.lines import Line, Marker, cells, lettered, marker, split_lines
from chartproof_decomposer.titles import SPEAKING

_LABEL = re.compile(r"[A-Z][A-Za-z0-9 /()%-]{0,30}: ?\S")
_DOSE_LINE = re.compile(
    r"\S{3,30}(?: \S{1,20}){0,3} \d[\d.,]* ?(?:mg|mcg|g|units?|ml|meq|%)\b", re.I
)
_WORD = re.compile(r"[A-Za-z'\u2019/-]+")
_PLANS = frozenset({"Assessment", "Assessment and Plan", "Plan", "Hospital Course", "Problem List"})
_BRIEF = frozenset({"Chief Complaint", "Allergies", "Immunizations", *SPEAKING})
_NARROWEST = 40
"""Nobody wraps prose narrower than this; shorter lines are statements of their own."""


def layout(text: str) -> list[Block]:
    """The blocks of a text, in order. What none covers is a header, a list marker or a ruler."""
    return gather(text, _Reader(split_sections(unfold(split_lines(text)))).read())


class _Reader:
    """One pass over the lines."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.blocks: list[Block] = []
        self.section: str | None = None
        self.open: Line | None = None
        """The last line of the block that may go on."""
        self.brief: str | None = None
        """The section, where it began and may have ended on one line."""
        self.number = 0
        self.apart = True
        self.hashed = False
        """Whether sections so far are titled with "#"; if not, "# CHF" is a problem of a plan."""
        written = [line.body for line in lines if any(c.isalpha() for c in line.body[:200])]
        self.shouting = sum(body.isupper() for body in written) * 2 > len(written)
        self.width = _wrap_width(lines)
        self.titled = self._has_hashed_titles()

    def _has_hashed_titles(self) -> bool:
        """Whether some "#" titles a section beyond doubt."""
        result = (
            (line, find_header(Place(self.lines, at, None, self.shouting)))
            for at, line in enumerate(self.lines)
            if line.body.startswith("#") and not line.ruler
        )
        # One that has content behind it says nothing of those that are alone on their line.
        return any(
            header and header.width == len(line.body) and not (header.lead or header.problem)
            for line, header in result
        )

    def read(self) -> list[Block]:
        beyond = 0
        for at, line in enumerate(self.lines):
            if at < beyond:
                continue
            if grid := grid_at(self.lines, at):
                self._grid(grid)
                beyond = grid.last + 1
                continue
            if line.blank or line.ruler:
                self.open, self.apart = None, True
                continue
            self._take(at, line)
            self.apart = False
        return self.blocks

    def _grid(self, grid: Grid) -> None:
        self.open = None
        self._add(Block(*grid.header, self.section, silent="incomplete"))
        for cell in grid.cells:
            self._add(Block(cell.start, cell.end, self.section, words=cell.words))
        self.apart = True

    def _form(self, at: int, line: Line) -> bool:
        """A line of a form: each field is a block of its own."""
        mark = marker(line.body)
        fields = read_form(line.body, mark.width if mark else 0)
        if not fields:
            return False
        header = find_header(Place(self.lines, at, self.section, self.shouting))
        if header and header.width and not BOX.search(line.body[: header.width]):
            if header.width >= len(line.body) and BOX.search(line.body):
                return False
            self.section = header.section
        self.open = None
        for field in fields:
            start, end = line.start + field.start, line.start + field.end
            silent = None if field.words else "unfilled"
            self._add(Block(start, end, self.section, words=field.words, silent=silent))
        return True

    def _take(self, at: int, line: Line) -> None:
        if self._form(at, line):
            return
        header = find_header(Place(self.lines, at, self.section, self.shouting))
        if header is not None:
            self._enter(header, line)
            return
        inside = bool(self.blocks) and self.blocks[-1].item and line.indent > 0
        mark = self._mark(at, line, inside)
        if mark is not None and self._accepts(mark):
            self._start(line, mark.width, mark.number)
            self.number = mark.number or self.number
        elif self.open is not None and not cells(line.body) and self._joins(self.open, line):
            self.blocks[-1] = replace(self.blocks[-1], end=line.end)
            self.open = line
        else:
            self._leave(line)
            self._start(line, 0)

    def _mark(self, at: int, line: Line, inside: bool) -> Marker | None:
        """The list marker of a line; a letter with a full stop is one in a series, or under a
        number; a plus sign is one among other bullets."""
        if result := marker(line.body, inner=inside):
            return result
        near = [self.lines[n].body for n in (at - 1, at + 1) if 0 <= n < len(self.lines)]
        if line.body.startswith("+ ") and any(re.match(r"[-*\u2022+] ", body) for body in near):
            return Marker(2, 0)
        letter = lettered(line.body)
        if letter is None:
            return None
        series = [other.number for body in near if (other := lettered(body))]
        under = bool(self.blocks) and self.blocks[-1].item
        follows = letter.number == 1 and under
        return letter if follows or {letter.number - 1, letter.number + 1} & set(series) else None

    def _leave(self, line: Line) -> None:
        """A section of one line ("Allergies: latex") is over where another label begins."""
        label = _LABEL.match(line.body[:60])
        if self.brief is None or self.section != self.brief or not label:
            return
        if self.section != "Allergies" or any(c.isdigit() for c in line.body):
            self.section = None

    def _enter(self, header: Header, line: Line) -> None:
        self.open, self.number = None, 0
        hashed = line.body.startswith("#")
        plan = self.section in _PLANS or not self.titled
        if header.lead or (header.problem and plan and not self.hashed):
            self._start(line, len(line.body) - len(line.body.lstrip("#*_ \t")))
            self.blocks[-1] = replace(self.blocks[-1], opens=True)
            return
        self.hashed = self.hashed or hashed
        self.section = header.section
        known = 0 < header.width < len(line.body) or header.section in SPEAKING
        self.brief = header.section if known and header.section in _BRIEF else None
        if header.width < len(line.body):
            self._start(line, header.width)

    def _start(self, line: Line, width: int, number: int | None = None) -> None:
        parts = [(at + width, end + width) for at, end in cells(line.body[width:])]
        for at, end in parts or [(width, len(line.body))]:
            self._add(Block(line.start + at, line.start + end, self.section, line.indent, number))
        self.open = None if parts else line

    def _add(self, block: Block) -> None:
        self.blocks.append(replace(block, apart=self.apart))
        self.apart = False

    def _accepts(self, mark: Marker) -> bool:
        """Whether the number starts an item; "fell to / 3. Then" is a wrapped sentence."""
        if not mark.number or self.open is None:
            return True
        above = self.open.body
        if self.blocks[-1].item and (mark.number == self.number + 1 or mark.closed):
            return True
        if above[-1] == "," or _last_word(above) in OPENS:
            return False
        return mark.number == 1 or above[-1] in ".:;?!)"

    def _joins(self, above: Line, line: Line) -> bool:
        last = _last_word(above.body)
        first = line.body.split(maxsplit=1)[0]
        if last in OPENS or above.body[-1] in ",(/":
            return True
        if _DOSE_LINE.match(line.body) and _DOSE_LINE.match(above.body):
            return False
        if self.blocks[-1].item and line.indent > self.blocks[-1].indent:
            return True
        if _LABEL.match(line.body[:60]) and above.body[-1] != "-":
            return False
        full = self.width >= _NARROWEST and len(above.body) + 1 + len(first) > self.width
        if first[0].islower():
            return full or above.body[-1] not in ".:;?!" or first.lower() in GOES_ON
        return full or (above.body[-1] in "-\u2013" and self.width >= _NARROWEST)


def _last_word(body: str) -> str:
    result = _WORD.findall(body[-40:])
    return result[-1].lower() if result and body[-1].isalpha() else ""


def _wrap_width(lines: Sequence[Line]) -> int:
    """The column at which a text is wrapped, or 0 when it is not: two lines must come close."""
    lengths = sorted((len(line.body) for line in lines if not line.ruler), reverse=True)
    if len(lengths) < 2 or lengths[0] > 200 or lengths[1] < lengths[0] - 15:
        return 0
    return lengths[0] if lengths[0] >= _NARROWEST else 0
