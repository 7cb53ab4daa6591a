"""A block: what the lines of a text come to before sentences are sought in it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """A stretch of text that no sentence crosses. `whole`: it is one unit, not to be split.

    `number`: of the list item that this is, 0 for a bulleted one, None for no item.
    `lead`: offsets of the lead-in ("The patient was given:") whose list this is an item of.
    `leads`: this is such a lead-in. `parts`: the lead-in and the items of a block that is `whole`.
    """

    start: int
    end: int
    section: str | None
    indent: int = 0
    number: int | None = None
    apart: bool = True
    opens: bool = False
    leads: bool = False
    parts: tuple[tuple[int, int], ...] = ()
    lead: tuple[int, int] | None = None
    words: str | None = None
    """What a field of a form or a cell of a table says, in place of its characters."""
    silent: str | None = None
    """The flag of a part that states nothing: an empty field, the row of a table's names."""

    @property
    def whole(self) -> bool:
        return bool(self.parts)

    @property
    def item(self) -> bool:
        return self.number is not None
