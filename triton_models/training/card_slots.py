"""Fill the slots of a scenario card, and write its sentences with them.

A slot is a short text:

``i 82 96``            a whole number (``i 10 50 5``: in steps of five)
``d 2.6 2.9``          a number with one decimal (``d 0.10 0.30 2``: with two)
``… ~ 120 140``        after a number: the range from which a clearly different value is drawn
``t side`` / ``T side``  a row of a shared table; with a capital another row contradicts it
``p a;b|c;d``  / ``P …`` a choice written in the card, with forms ``{x}``, ``{x.1}``; capital as above
``=1 a - b``           worked out from slots above it, rounded to one decimal

In sentences, ``{x}`` is a slot, ``{x.w}`` a column, ``{x!}`` the same of another row, ``{x#w}`` a number
in words (``#W`` with a capital, ``#o`` as an ordinal), ``{D:-3}`` a date three days before the card's day
in figures, ``{L}`` in words, ``{W}`` its weekday. ``{he}``, ``{His}``, ``{age}`` … come from the patient.
"""

import ast
import math
import operator
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .card_words import TABLES

PLACE = re.compile(r"\{(\w+)(?:([.!])(\w*))?(?::([+-]\d+))?(?:#(\w))?\}")
OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


class CardError(ValueError):
    """A card asks for something that the generator cannot write."""


@dataclass(frozen=True)
class Number:
    """A number and how many decimals it is written with."""

    value: float
    places: int

    def text(self) -> str:
        """Write the number in figures."""
        return f"{self.value:.{self.places}f}"


@dataclass(frozen=True)
class Row:
    """A chosen row and another one of the same table, which contradicts it."""

    columns: tuple[str, ...]
    chosen: tuple[str, ...]
    other: tuple[str, ...]


Value = Number | Row
Filling = dict[str, Value]


def round_half_up(value: float, places: int) -> float:
    """Round as a clinician would, halves away from zero, blind to floating-point dust."""
    scaled = abs(value) * 10**places
    return math.copysign(math.floor(scaled + 0.5 + 1e-9) / 10**places, value) if value else 0.0


def _work_out(node: ast.expr, filling: Mapping[str, Value]) -> float:
    """Evaluate a small sum over the slots filled so far."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](
            _work_out(node.left, filling), _work_out(node.right, filling)
        )
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_work_out(node.operand, filling)
    if isinstance(node, ast.Name):
        value = filling[node.id]
        return value.value if isinstance(value, Number) else float(value.chosen[0])
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        row = filling[node.value.id]
        if isinstance(row, Row):
            return float(row.chosen[row.columns.index(node.attr)])
    raise CardError(f"cannot work out {ast.dump(node)}")


def _draw_number(parts: list[str], rng: random.Random) -> Number:
    """Draw a whole or decimal number from its range."""
    low, high = float(parts[1]), float(parts[2])
    third = float(parts[3]) if len(parts) > 3 else 1.0
    places = 0 if parts[0] == "i" else int(third)
    step = third if parts[0] == "i" else 10.0**-places
    count = round((high - low) / step)
    return Number(round(low + step * rng.randint(0, count), places), places)


def _draw_row(spec: str, rng: random.Random, avoid: Value | None) -> Row:
    """Draw a row of a shared table or of a choice, and one that contradicts it."""
    name = spec[2:].strip()
    if spec[0] in "tT":
        columns, rows = TABLES[name].columns, TABLES[name].rows
    else:
        rows = tuple(tuple(option.strip().split(";")) for option in name.split("|"))
        columns = tuple(str(place) for place in range(len(rows[0])))
    free = [row for row in rows if not (isinstance(avoid, Row) and row == avoid.chosen)]
    if not free:
        raise CardError(f"only one choice in {spec!r}")
    chosen = rng.choice(free)
    others = [row for row in rows if row != chosen] or [chosen]
    return Row(columns, chosen, rng.choice(others))


def fill(
    slots: Mapping[str, str], rng: random.Random, flipped: str = "", base: Filling | None = None
) -> Filling:
    """Fill all slots; with ``base``, keep its values but make the ``flipped`` slot differ clinically."""
    filling: Filling = {}
    for name, spec in slots.items():
        if spec.startswith("="):
            places = int(spec[1])
            value = _work_out(ast.parse(spec[2:].strip(), mode="eval").body, filling)
            filling[name] = Number(round_half_up(value, places), places)
        elif base is not None and name != flipped:
            filling[name] = base[name]
        elif spec[0] in "id":
            usual, _, changed = spec.partition("~")
            parts = usual.split()
            if flipped:
                parts[1:3] = changed.split()
            filling[name] = _draw_number(parts, rng)
        elif spec[0] in "tTpP":
            filling[name] = _draw_row(spec, rng, base[name] if base else None)
        else:
            raise CardError(f"unknown slot {name}: {spec}")
    return filling


def can_flip(spec: str) -> bool:
    """Say whether another value of the slot contradicts the first."""
    return spec[0] in "TP" or (spec[0] in "id" and "~" in spec)


def contradicts(template: str, slots: Mapping[str, str], first: Filling, second: Filling) -> bool:
    """Say whether a sentence names a slot whose two values differ enough to exclude one another."""
    names = [match.group(1) for match in PLACE.finditer(template)]
    values = [second[name] for name in names if name in slots]
    if any(isinstance(value, Number) and value.value < 0 for value in values):
        return False
    for name in names:
        if name not in slots or first[name] == second[name]:
            continue
        one, two = first[name], second[name]
        if isinstance(one, Row) or isinstance(two, Row):
            if isinstance(one, Row) and isinstance(two, Row) and one.chosen != two.chosen:
                return True
        elif not slots[name].startswith("=") or abs(one.value - two.value) >= 0.1 * max(
            abs(one.value), 1.0
        ):
            return True
    return False
