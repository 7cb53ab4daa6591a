"""Units of the judge: spellings, conversions, what depends on the analyte, and what is no unit."""

from __future__ import annotations

from typing import Never

import pint
import pytest
from chartproof_judge.units import COMPOUNDS, Units

from tests.unit.judge_asking import LEXICON, ask, statement, verdict


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("levothyroxine 88 mcg", "levothyroxine 88 \u00b5g"),
        ("levothyroxine 88 ug", "levothyroxine 88 \u03bcg"),
        ("levothyroxine 88 micrograms", "levothyroxine 0.088 mg"),
        ("vitamin D 1000 IU", "vitamin D 1000 units"),
        ("potassium 4 mEq/L", "potassium 4 meq per liter"),
        ("WBC 12.5 K/uL", "WBC 12.5 x10^9/L"),
        ("WBC 12.5 x10^3/uL", "WBC 12.5 10\u2079/L"),
        ("WBC 12,500/mm3", "WBC 12.5 thou/uL"),
        ("WBC 12.5", "WBC 12,500"),
        ("hemoglobin 9.1 g/dl", "hemoglobin 91 g/L"),
        ("BP 120/80 mm Hg", "BP 120/80 mmHg"),
        ("weight 154 lbs", "weight 154 pounds"),
        ("temperature 101.3 \u00b0F", "temperature 38.5 \u00b0C"),
        ("temperature 101.3", "temperature 38.5 degrees Celsius"),
        ("heart rate 88 bpm", "heart rate 88 beats per minute"),
        ("norepinephrine 0.1 mcg/kg/min", "norepinephrine 6 mcg/kg/hr"),
        ("height 5 ft 10 in", "height 177.8 cm"),
        ("height 5'10\"", "height 70 inches"),
        ("insulin 10 U", "insulin 10 units"),
    ],
)
def test_two_spellings_of_one_value(one: str, other: str) -> None:
    (first,) = statement(one).quantities
    (second,) = statement(other).quantities
    assert first.dimension == second.dimension
    assert (first.low, first.high) == pytest.approx((second.low, second.high), rel=1e-6)


@pytest.mark.parametrize(
    ("conventional", "molar"),
    [
        ("glucose 126 mg/dL", "glucose 7.0 mmol/L"),
        ("creatinine 1.2 mg/dL", "creatinine 106 umol/L"),
        ("cholesterol 200 mg/dL", "cholesterol 5.17 mmol/L"),
        ("LDL 100 mg/dL", "LDL 2.59 mmol/L"),
        ("triglycerides 150 mg/dL", "triglycerides 1.69 mmol/L"),
        ("bilirubin 1.2 mg/dL", "bilirubin 20.5 umol/L"),
        ("calcium 9.0 mg/dL", "calcium 2.25 mmol/L"),
        ("calcium 9.0 mg/dL", "calcium 4.49 mEq/L"),
        ("magnesium 2.0 mg/dL", "magnesium 1.65 mEq/L"),
        ("potassium 4.1 mEq/L", "potassium 4.1 mmol/L"),
        ("BUN 28 mg/dL", "BUN 10 mmol/L"),
        ("A1c 6.5%", "A1c 48 mmol/mol"),
        ("vitamin D 25 mcg", "vitamin D 1000 IU"),
    ],
)
def test_moles_and_masses_of_one_analyte(conventional: str, molar: str) -> None:
    (one,), (two,) = statement(conventional).quantities, statement(molar).quantities
    assert one.dimension == two.dimension
    assert one.low == pytest.approx(two.low, rel=0.01)
    assert verdict(f"The {molar}.", conventional) == "supported"


def test_the_same_moles_of_two_analytes_are_different_masses() -> None:
    (glucose,) = statement("glucose 5 mmol/L").quantities
    (calcium,) = statement("calcium 5 mmol/L").quantities
    assert glucose.low == pytest.approx(90.08, rel=1e-3)
    assert calcium.low == pytest.approx(20.04, rel=1e-3)


@pytest.mark.parametrize(
    ("proposition", "chart"),
    [
        ("Glucose was 126 mmol/L.", "Glucose 126 mg/dL"),
        ("Levothyroxine 88 mg daily.", "Levothyroxine 88 mcg daily"),
        ("Albuterol 2 tablets.", "Albuterol 2 puffs"),
        ("Weight is 154 kg.", "Weight 154 lb"),
        ("The wound measures 2 x 3 mm.", "Wound measures 2 x 3 cm"),
    ],
)
def test_the_right_number_in_another_unit_is_named_so(proposition: str, chart: str) -> None:
    found = ask(proposition, chart)
    assert (found["verdict"], found["checks"]) == ("not_supported", ["units"]), found
    assert found["reason"].count(" not ") == 1


def test_what_weighs_a_patient_is_not_compared_with_a_dose() -> None:
    said, given = statement("She lost 10 kg."), statement("She was given 25 mg.")
    assert said.quantities[0].dimension == given.quantities[0].dimension
    assert "kg" not in ask("She was given 10 kg.", "She was given 25 mg.")["reason"]


HOSTILE = (
    "9 mg**999999999", "5 __import__('os')", "3 lambda", "2 mg/dL/((((((", "7 (mg*1e9)**9**9**9",
    "1 mg per 0", "4 meter/second/second/second/second", "6 \u221e mg", "5 pg/f/kg", "40 c/min",
    "8 mg/kg/min/hr/day/week",
)  # fmt: skip


@pytest.fixture(name="deaf")
def _deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """pint that parses nothing any more."""

    def refuse(*_: object, **__: object) -> Never:
        raise AssertionError("text of a note reached pint's parser")

    for name in ("parse_units", "parse_expression", "parse_units_as_container", "__call__"):
        monkeypatch.setattr(pint.UnitRegistry, name, refuse, raising=False)
    monkeypatch.setattr("pint.util.string_preprocessor", refuse)


@pytest.mark.usefixtures("deaf")
@pytest.mark.parametrize("text", [*HOSTILE, "dopamine 5 mcg/kg/hr", "urine 300 mL/kg/week"])
def test_what_a_note_says_is_never_parsed(text: str) -> None:
    assert "error" not in ask(f"The dose was {text}.", f"Dose {text}")
    assert statement(text).quantities


def test_units_that_notes_make_up_are_bounded() -> None:
    units = Units()
    names = [name for name in units._atoms if name.isalpha()][:30]
    for over in names:
        for below in names:
            units.at([over, "/", below, "/", "kg"], 0)
    kept = units._compound.cache_info()  # type: ignore[attr-defined]
    assert kept.currsize <= kept.maxsize == COMPOUNDS


@pytest.mark.parametrize(
    ("words", "used"),
    [
        ("mg", 1), ("mg / dl", 3), ("mg per kg", 3), ("mm hg", 2), ("ml / min / 1.73 m2", 6),
        ("mg / day", 1), ("degrees f", 2), ("mcg / kg / min", 5), ("x-ray", 0), ("", 0),
        ("l / fortnight", 1), ("/ min", 2),
    ],
)  # fmt: skip
def test_a_unit_ends_where_it_ends(words: str, used: int) -> None:
    found = LEXICON.units.at(words.split(), 0)
    assert (found[1] if found else 0) == used
