"""Verdicts and score sheets for people, in a terminal."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.table import Table

from schemas.verdicts import JudgedProposition, ScoreSheetIssued, Verdict
from streams.cli.publish import Published

STYLE = {
    Verdict.SUPPORTED: "green",
    Verdict.NOT_SUPPORTED: "bold red",
    Verdict.NOT_ADDRESSED: "yellow",
    Verdict.ABSTAINED: "cyan",
    Verdict.FAILED: "magenta",
}
_WIDTH = max(len(label) for label in Verdict)


def document(markdown: str, console: Console) -> None:
    """Print Markdown: drawn on a terminal, as it is into a file or a pipe."""
    if console.is_terminal:
        console.print(Markdown(markdown))
    else:
        console.file.write(f"{markdown}\n")


def verdict(judged: JudgedProposition) -> Table:
    """One verdict: label, confidence, proposition; below it the reason and the first quote."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=_WIDTH)
    grid.add_column(width=4, justify="right")
    grid.add_column()
    label = f"[{STYLE[judged.verdict]}]{judged.verdict.value}[/]"
    grid.add_row(label, f"{judged.confidence:.0%}", escape(_one_line(judged.proposition.text)))
    if judged.verdict != Verdict.SUPPORTED:
        grid.add_row("", "", f"[dim]{escape(_one_line(judged.reason))}[/]")
    for cited in judged.evidence[:1]:
        where = f"{cited.note_type or 'note'}, {utc(cited.note_time)}"
        quote = _one_line(cited.words, 90)
        grid.add_row("", "", f"[dim]{escape(where)}: “{escape(quote)}”[/]")
    return grid


def score_sheet(sheet: ScoreSheetIssued) -> Table:
    """Counts, shares and summaries of a text."""
    table = Table(title="Score sheet", title_justify="left")
    table.add_column("verdict")
    table.add_column("propositions", justify="right")
    table.add_column("share", justify="right")
    table.add_column("summary")
    for label in Verdict:
        style = STYLE[label] if sheet.counts[label] else "dim"
        table.add_row(
            f"[{style}]{label.value}[/]",
            str(sheet.counts[label]),
            f"{sheet.shares[label]:.0%}",
            escape(sheet.summaries.get(label, "")),
        )
    position = sheet.provenance.chart_position
    models = ", ".join(f"{name} {version}" for name, version in sheet.provenance.models.items())
    table.caption = escape(
        f"facts in the chart: {sheet.facts_in_chart}; judged at {position.topic}"
        f"[{position.partition}]@{position.offset}; {models}{_costs(sheet)}"
    )
    table.caption_justify = "left"
    return table


def _costs(sheet: ScoreSheetIssued) -> str:
    """What language models have cost, by stage, and how many verdicts each judge decided."""
    given = [
        f"{stage}: {usage.llm_calls} calls, {usage.prompt_tokens:,} + {usage.output_tokens:,} "
        f"tokens, {usage.seconds:.1f} s"
        for stage, usage in sheet.usage.items()
        if usage.llm_calls
    ]
    deciders = Counter(row.judged_by for row in sheet.judged if row.judged_by)
    decided = [f"{n} decided by {name}" for name, n in sorted(deciders.items())]
    return "".join(f"\n{line}" for line in (*given, *decided))


def published(report: Published) -> Table:
    """What became of what was published: outcome, reason, how many."""
    table = Table(title=f"{report.records} records published", title_justify="left")
    table.add_column("outcome")
    table.add_column("reason")
    table.add_column("resources", justify="right")
    for (outcome, reason), n in sorted(
        report.outcomes.items(), key=lambda row: (row[0][0], row[0][1] or "")
    ):
        table.add_row(outcome.value, reason or "", str(n))
    if report.unresolved:
        table.add_row("[red]no outcome yet[/]", "is a worker running?", str(report.unresolved))
    if report.refused:
        table.add_row("[red]not sent[/]", "too large for the topic", str(len(report.refused)))
    return table


def utc(time: datetime) -> str:
    """A time as terminals show it: to the minute, in UTC, as the index keeps it."""
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M}Z"


def error(console: Console, message: str) -> None:
    console.print(f"[bold red]error:[/] {escape(message)}", soft_wrap=True)


def _one_line(text: str, limit: int = 200) -> str:
    joined = " ".join(text.split())
    return joined if len(joined) <= limit else joined[: limit - 1] + "…"
