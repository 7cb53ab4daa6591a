"""Units: a value in any spelling becomes one number in one dimension; `pint` does the arithmetic.

The registry is built once a judge and asked only for the spellings of `vocabulary.units`: what a
note says is looked up, never parsed as an expression. Compounds (`mcg/kg/min`) are quotients of
units already read, and a bounded number of them is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import pint

from .vocabulary.tables import rows, word_list
from .vocabulary.units import (
    ANALYTES,
    APART,
    ASSUMED,
    BASES,
    CLINICAL,
    GLYCATION,
    SPELLINGS,
    STRENGTHS,
)

COMPOUNDS = 512
"""Compound units kept; notes use some dozens."""
MAX_ATOMS = 4
"""`mL/min/kg/m2`: more is no unit."""
TIME = "[time]"
TEMPERATURE = "[temperature]"
RATE = "[beat] / [time]"
BODY_SURFACE = "1.73"
BARE = ("", "[arc]")
"""Dimensions of a number that names no unit, or degrees of nothing."""


class Unit(NamedTuple):
    """A value in the dimension's own unit is `value * scale + offset`."""

    dimension: str
    """As pint writes it: `[mass] / [length] ** 3`; the empty string is no unit."""
    scale: float
    offset: float = 0.0

    def base(self, value: float) -> float:
        return value * self.scale + self.offset


NO_UNIT = Unit("", 1.0)


class Units:
    """Immutable once built, so that threads may share it."""

    def __init__(self) -> None:
        """About a fifth of a second, nearly all of it pint's own definitions."""
        self._registry: pint.UnitRegistry[float] = pint.UnitRegistry(cache_folder=None)
        self._registry.load_definitions(CLINICAL.strip().splitlines())
        bases = [self._registry.parse_units(said) for said in word_list(BASES)]
        self._bases = {str(unit.dimensionality): unit for unit in bases}
        self._atoms: dict[str, pint.Unit] = {}
        for row in rows(SPELLINGS):
            expression, _, spelled = row.partition(":")
            unit = self._registry.parse_units(expression)
            self._atoms |= dict.fromkeys(word_list(spelled), unit)
        self._single = {name: self._unit(unit) for name, unit in self._atoms.items()}
        self.foot, self.inch = self._single["foot"], self._single["inch"]
        self._compound: Callable[[tuple[str, ...]], Unit] = lru_cache(COMPOUNDS)(self._quotient)
        self._analytes: dict[str, dict[str, Unit]] = {}
        for name, mass, *valence in _table(ANALYTES):
            self._analytes[name] = self._conversions(
                ("mole/liter", "equivalent/liter"),
                "milligram/deciliter",
                mw=self._registry.Quantity(float(mass), "g/mol"),
                valence=float(valence[0]) if valence else 1.0,
            )
        for name, strength in _table(STRENGTHS):
            each = self._registry.Quantity(float(strength), "microgram/biological_unit")
            self._analytes[name] = self._conversions(
                ("biological_unit",), "milligram", strength=each
            )
        name, slope, intercept = GLYCATION
        self._analytes[name] = {"[glycation]": Unit("[share]", slope, intercept)}

        self._assumed = {
            anchor: (float(limit), self._single[low], self._single[high])
            for anchor, limit, low, high in _table(ASSUMED)
        }

    def at(self, words: Sequence[str], at: int) -> tuple[Unit, int] | None:
        """The unit that starts at `words[at]` (lower case) and its tokens; None where none does."""
        name, used = self._spelled(words, at)
        if not name:
            return None
        names, end = [name], at + used
        while len(names) < MAX_ATOMS and words[end : end + 1] in (["/"], ["per"]):
            below, size = self._spelled(words, end + 1)
            if words[end + 1 : end + 2] == [BODY_SURFACE]:  # so every clearance is reported
                area, size = self._spelled(words, end + 2)
                end += 2 + size if area == "m2" else 0
                break
            degrees = TEMPERATURE in (self._single[name].dimension, self._dimension(below))
            if not below or below in APART or degrees:
                break
            names.append(below)
            end += 1 + size
        unit = self._single[name] if len(names) == 1 else self._compound(tuple(names))
        return unit, end - at

    def of(self, analyte: str | None, unit: Unit, value: float) -> Unit:
        """The unit in which values of this analyte are compared: of moles, their mass.

        A bare `value` of some analytes has the unit that its size tells.
        """
        if unit.dimension in BARE and analyte in self._assumed:
            limit, low, high = self._assumed[analyte]
            return low if value < limit else high
        step = self._analytes.get(analyte or "", {}).get(unit.dimension)
        if step is None:  # an equivalent of nothing in particular is taken for a mole
            dimension = unit.dimension.replace("[equivalent]", "[substance]")
            return unit._replace(dimension=dimension)
        return Unit(step.dimension, unit.scale * step.scale, step.base(unit.offset))

    def _spelled(self, words: Sequence[str], at: int) -> tuple[str, int]:
        """The longest spelling of one unit at `at`, and its tokens."""
        for size in (3, 2, 1):
            if at + size <= len(words):
                joined = "".join(words[at : at + size])
                for name in (joined, joined.removesuffix("s"), joined.removesuffix("es")):
                    if name in self._atoms:
                        return name, size
        return "", 0

    def _dimension(self, name: str) -> str:
        return self._single[name].dimension if name else ""

    def _quotient(self, names: tuple[str, ...]) -> Unit:
        unit = self._atoms[names[0]]
        for below in names[1:]:
            unit = unit / self._atoms[below]
        return self._unit(unit)

    def _unit(self, unit: pint.Unit) -> Unit:
        dimension = str(unit.dimensionality)
        base = self._bases.get(dimension) or self._registry.get_base_units(unit)[1]
        zero = self._registry.Quantity(0.0, unit).m_as(base)
        one = self._registry.Quantity(1.0, unit).m_as(base)
        return Unit(dimension, one - zero, zero)

    def _conversions(self, units: Sequence[str], target: str, **of: object) -> dict[str, Unit]:
        """Dimension -> what makes a value in that dimension's unit one in the target's."""
        found = {}
        goal = self._unit(self._registry.parse_units(target))
        for said in units:
            unit = self._registry.parse_units(said)
            own = self._unit(unit)
            value = self._registry.Quantity(1.0, unit).to(target, "analyte", **of).magnitude
            found[own.dimension] = Unit(goal.dimension, goal.base(value) / own.scale)
        return found


def _table(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in row.split("|")] for row in rows(table)]
