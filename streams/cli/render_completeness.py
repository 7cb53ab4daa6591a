"""What a text leaves out, cites and does not state, for people, in a terminal."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from schemas.completeness import Citations, Omissions
from schemas.propositions import FlaggedSpan
from schemas.verdicts import ScoreSheetIssued

_CUT = "; the chart holds more, so the list may lack some"
_SHOWN = 120
"""Characters of a quote."""


def completeness(sheet: ScoreSheetIssued) -> list[Table]:
    """A table each for omissions and citations, where asked for, and for what states nothing."""
    tables = []
    if sheet.omissions is not None:
        tables.append(_omissions(sheet.omissions))
    if sheet.citations is not None:
        tables.append(_citations(sheet.citations))
    if sheet.flagged:
        tables.append(_flagged(sheet.flagged))
    return tables


def _flagged(flagged: tuple[FlaggedSpan, ...]) -> Table:
    table = Table(
        title=f"Not judged, for they state nothing: {len(flagged)}",
        title_justify="left",
    )
    for column in ("why", "sentence"):
        table.add_column(column)
    for each in flagged:
        table.add_row(each.flag, escape(" ".join(each.text.split())[:_SHOWN]))
    return table


def _omissions(omissions: Omissions) -> Table:
    table = Table(
        title=f"Left out: {omissions.covered} of {omissions.checked} salient facts are covered"
        f" ({_share(omissions.recall)}), of the {omissions.scope}; {omissions.undecided} open,"
        f" {omissions.not_checked} not checked{_CUT if omissions.cut else ''}",
        title_justify="left",
    )
    for column in ("why it matters", "the text", "note", "quote"):
        table.add_column(column)
    for each in omissions.omissions:
        note = f"{each.evidence.note_type or 'note'}, {each.evidence.note_time:%Y-%m-%d %H:%M}"
        quote = each.evidence.words[:_SHOWN]
        in_text = "is silent" if each.coverage == "left_out" else "states otherwise, or a part"
        table.add_row(each.salience.value.replace("_", " "), in_text, escape(note), escape(quote))
    return table


def _citations(citations: Citations) -> Table:
    table = Table(
        title=f"Citations: recall {_share(citations.recall)},"
        f" precision {_share(citations.precision)}",
        title_justify="left",
    )
    for column in ("characters", "cites", "supported", "needed", "unknown markers"):
        table.add_column(column)
    for row in citations.sentences:
        cells = (", ".join(row.documents), "yes" if row.supported else "no",
                 ", ".join(row.needed), ", ".join(row.unknown))  # fmt: skip
        table.add_row(f"{row.start}-{row.end}", *map(escape, cells))
    return table


def _share(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.0%}"
