"""Plots as SVG, drawn here: a page with them needs no script, and the same figures give the same
bytes, which no plotting library promises.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

SIDE = 300
"""Of the square that is drawn in, in pixels."""
LEFT, TOP, RIGHT, BOTTOM = 46, 28, 14, 40
COLOURS = ("#2563a8", "#c2410c", "#4d7c0f", "#7e22ce")

Point = tuple[float, float]


@dataclass(frozen=True)
class Line:
    name: str
    points: Sequence[Point]
    """x and y from 0 to 1."""


def lines(title: str, x: str, y: str, drawn: Sequence[Line], *, diagonal: bool = False) -> str:
    parts = _axes(title, x, y)
    if diagonal:
        parts.append(_path([(0, 0), (1, 1)], "#999", dashed=True))
    for n, line in enumerate(drawn):
        colour = COLOURS[n % len(COLOURS)]
        parts.append(_path(line.points, colour))
        parts += [
            f'<circle cx="{_x(a):.1f}" cy="{_y(b):.1f}" r="2" fill="{colour}"/>'
            for a, b in line.points
        ]
        if len(drawn) > 1:
            parts.append(_label(_x(0.04), TOP + 14 + 14 * n, line.name, colour))
    return _svg(parts)


def bars(title: str, rows: Mapping[str, Mapping[str, float | None]]) -> str:
    """A group of bars from 0 to 1 for each row, one a name; what is undefined has no bar."""
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    height = 13 * len(names) + 8
    left = 150
    whole = TOP + height * len(rows) + 14 * len(names) + 8
    parts = [_label(8, 18, title, "currentColor", bold=True)]
    for n, (label, row) in enumerate(rows.items()):
        top = TOP + n * height
        parts.append(_label(left - 6, top + height / 2 + 2, label, "currentColor", end=True))
        for m, name in enumerate(names):
            value = row.get(name)
            if value is not None:
                place = f'x="{left}" y="{top + 13 * m}" width="{value * SIDE:.1f}" height="11"'
                parts.append(f'<rect {place} fill="{COLOURS[m % len(COLOURS)]}"/>')
                percent = f"{100 * value:.0f}%"
                at = left + value * SIDE + 4
                parts.append(_label(at, top + 13 * m + 10, percent, "currentColor"))
    for m, name in enumerate(names):
        at = TOP + height * len(rows) + 14 * (m + 1)
        parts.append(_label(left, at, name, COLOURS[m % len(COLOURS)]))
    return _svg(parts, left + SIDE + 50, whole)


def heatmap(title: str, table: Mapping[str, Mapping[str, int]]) -> str:
    """Rows of counts, each cell as dark as its share of the row."""
    columns = list(next(iter(table.values()), {}))
    cell, left, top = 88, 110, 46
    parts = [_label(8, 18, title, "currentColor", bold=True)]
    parts += [
        _label(left + cell * (n + 0.5), top - 6, name.replace("_", " "), "currentColor", mid=True)
        for n, name in enumerate(columns)
    ]
    for m, (label, row) in enumerate(table.items()):
        y = top + 34 * m
        parts.append(_label(left - 6, y + 22, label.replace("_", " "), "currentColor", end=True))
        whole = sum(row.values()) or 1
        for n, name in enumerate(columns):
            dark = row[name] / whole
            parts.append(
                f'<rect x="{left + cell * n}" y="{y}" width="{cell - 2}" height="32"'
                f' fill="{COLOURS[0]}" fill-opacity="{0.06 + 0.8 * dark:.2f}"/>'
            )
            colour = "#fff" if dark > 0.55 else "currentColor"
            parts.append(_label(left + cell * (n + 0.5), y + 21, str(row[name]), colour, mid=True))
    return _svg(parts, left + cell * len(columns) + 10, top + 34 * len(table) + 10)


def _axes(title: str, x: str, y: str) -> list[str]:
    frame = f'<rect x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#999"/>'
    parts = [frame, _label(LEFT, 18, title, "currentColor", bold=True)]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(_label(_x(tick), TOP + SIDE + 14, f"{tick:g}", "#777", mid=True))
        parts.append(_label(LEFT - 5, _y(tick) + 4, f"{tick:g}", "#777", end=True))
    parts.append(_label(_x(0.5), TOP + SIDE + 32, x, "currentColor", mid=True))
    turned = f'transform="rotate(-90 12 {_y(0.5)})"'
    parts.append(_label(12, _y(0.5), y, "currentColor", mid=True, extra=turned))
    return parts


def _path(points: Sequence[Point], colour: str, *, dashed: bool = False) -> str:
    coordinates = " ".join(f"{_x(a):.1f},{_y(b):.1f}" for a, b in points)
    dash = ' stroke-dasharray="4 4"' if dashed else ""
    return (
        f'<polyline points="{coordinates}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>'
    )


def _label(  # noqa: PLR0913 - what a label may be
    x: float,
    y: float,
    text: str,
    colour: str,
    *,
    mid: bool = False,
    end: bool = False,
    bold: bool = False,
    extra: str = "",
) -> str:
    anchor = "middle" if mid else "end" if end else "start"
    weight = ' font-weight="600"' if bold else ""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"'
    return f'<text {place} font-size="11"{weight} {extra}>{escape(text)}</text>'


def _x(value: float) -> float:
    return LEFT + value * SIDE


def _y(value: float) -> float:
    return TOP + (1 - value) * SIDE


def _svg(
    parts: Sequence[str], width: float = LEFT + SIDE + RIGHT, height: float = TOP + SIDE + BOTTOM
) -> str:
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    font = 'font-family="system-ui,sans-serif"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>{"".join(parts)}</svg>'
