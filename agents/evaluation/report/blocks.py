"""What a report is made of: headings, text, tables, plots; Markdown and HTML render the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Table:
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Plots:
    """SVG elements, side by side; Markdown has none of them."""

    drawings: Sequence[str]


Block = Heading | Text | Table | Plots

STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:1200px;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:.7rem 0;font-size:13px;display:block;overflow-x:auto}
th,td{padding:.2rem .6rem;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left}
svg{margin:.5rem 1rem .5rem 0;max-width:100%}
@media(prefers-color-scheme:dark){body{background:#161616;color:#ddd}td,th{border-color:#444}}
"""


def share(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:.1f}%"


def figure(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"


def flat(values: Mapping[str, object]) -> list[list[str]]:
    """Rows of name and value; what is nested has the outer name before it."""
    rows: list[list[str]] = []
    for name, value in values.items():
        if isinstance(value, Mapping):
            rows += [[f"{name}: {inner}", cell] for inner, cell in flat(value)]
        elif value is None or isinstance(value, float):
            rows.append([name, figure(value)])
        else:
            rows.append([name, str(value)])
    return rows


def as_markdown(blocks: Iterable[Block]) -> str:
    lines: list[str] = []
    for block in blocks:
        match block:
            case Heading():
                lines += [f"{'#' * block.level} {block.text}", ""]
            case Text():
                lines += [block.text, ""]
            case Table():
                lines += [*_markdown_table(block), ""]
            case Plots():
                pass
    return "\n".join(lines).rstrip() + "\n"


def as_html(title: str, blocks: Iterable[Block]) -> str:
    """One page that needs nothing else: no script, no style or font from anywhere."""
    body: list[str] = []
    for block in blocks:
        match block:
            case Heading():
                body.append(f"<h{block.level}>{escape(block.text)}</h{block.level}>")
            case Text():
                body.append(f"<p>{escape(block.text)}</p>")
            case Table():
                body.append(_html_table(block))
            case Plots():
                body.append(f"<div>{''.join(block.drawings)}</div>")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _markdown_table(table: Table) -> list[str]:
    align = ["---", *["---:"] * (len(table.head) - 1)]
    return [
        f"| {' | '.join(cell.replace('|', '/') for cell in row)} |"
        for row in (table.head, align, *table.rows)
    ]


def _html_table(table: Table) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in table.head)
    rows = "\n".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in table.rows
    )
    return f"<table><tr>{head}</tr>\n{rows}</table>"
