"""`chartproof inspect --explain`: which rule decided what, for people, in a terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import tzinfo

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from agents.intake.charset import without_controls
from agents.intake.explain import Explanation, explain_bytes
from agents.intake.fields import NO_STATUSES
from agents.intake.patient_events import PatientIds
from agents.intake.reasons import Disposition
from agents.intake.statuses import Statuses
from streams.cli.sources import SourceRecord

_STYLE = {
    Disposition.ACCEPTED: "green",
    Disposition.RETRACTED: "cyan",
    Disposition.SKIPPED: "yellow",
    Disposition.DEAD_LETTER: "bold red",
}


def explain(  # noqa: PLR0913 - what a site sets
    records: Iterable[SourceRecord],
    console: Console,
    *,
    default_zone: tzinfo,
    patient_ids: PatientIds | None = None,
    home_bases: Collection[str] = (),
    statuses: Statuses = NO_STATUSES,
    bundle_patient: bool = False,
    strict: bool = False,
) -> bool:
    """Print the explanation of every resource, as they are read. Whether one would be a dead letter
    or, if `strict`, is partial."""
    failed = False
    for record in records:
        for explained in explain_bytes(
            record.value,
            default_zone=default_zone,
            patient_ids=patient_ids,
            home_bases=home_bases,
            statuses=statuses,
            bundle_patient=bundle_patient,
        ):
            console.print(explanation(record.origin, explained))
            console.print()
            dead = explained.reading.outcome is Disposition.DEAD_LETTER
            failed |= dead or (strict and bool(explained.reading.partial))
    return failed


def explanation(origin: str, explained: Explanation) -> Table:
    """A title that says which resource; a row a decision; the rule that ended it last."""
    reading = explained.reading
    where = f"{origin}, {reading.place}" if reading.place else origin
    table = Table(
        title=escape(where), title_justify="left", title_style="bold", box=None, show_header=False
    )
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold", max_width=44)
    table.add_column(overflow="fold")
    for decision in explained.decisions[:-1]:
        table.add_row(decision.question, _shown(decision.answer), _shown(decision.why))
    end = explained.decisions[-1]
    style = _STYLE[reading.outcome]
    table.add_row(end.question, f"[{style}]{_shown(end.answer)}[/]", _shown(end.why))
    return table


def _shown(text: str) -> str:
    """An id from a file must not steer the terminal."""
    return escape(without_controls(text))
