"""The tables of the clinical vocabulary: read by agents and by model code, the same for both."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from chartproof_decomposer.vocabulary import DRUGS as DECOMPOSER_DRUGS
from chartproof_vocabulary import tables

from agents import vocabulary
from agents.evaluation.corruption_tables import DRUGS as EXCHANGED_DRUGS
from agents.omissions.salience.names import Kind, concepts
from agents.verification.query_refinement import MOST_NAMES, other_terms

KINDS = ("problem", "drug", "procedure", "result", "care")


@pytest.mark.parametrize("kind", KINDS)
def test_a_thing_is_a_row_and_its_names_are_its_own(kind: str) -> None:
    things = vocabulary.names(kind)
    every = [name for thing in things for name in thing]
    assert len(things) > 20
    assert all(name == name.strip() and vocabulary.matching_words(name) for name in every)
    assert repeated(every) == []


def repeated(names: Iterable[str]) -> list[str]:
    listed = list(names)
    return sorted({name for name in listed if listed.count(name) > 1})


def test_agents_and_model_code_read_the_same_tables() -> None:
    assert vocabulary.DATA.samefile(tables.DATA)
    for table in ("drugs.tsv", "concepts/problem.tsv", "abbreviations/labs.tsv"):
        assert list(vocabulary.rows(table)) == list(tables.rows(tables.DATA / table, 3))


def test_a_drug_is_written_once_for_decomposer_retrieval_omissions_and_evaluation() -> None:
    assert "furosemide" in DECOMPOSER_DRUGS
    assert "lasix" in other_terms("Furosemide was held.").casefold()
    assert concepts("Lasix held", Kind.DRUG) == {"furosemide"}
    known = {name.casefold() for thing in vocabulary.names("drug") for name in thing}
    assert sorted(set(EXCHANGED_DRUGS) - known) == []


def test_a_word_that_is_its_own_opposite_is_none() -> None:
    assert vocabulary.opposites()["left"] == "right"
    assert vocabulary.opposites()["right"] == "left"
    assert all(left != right for left, right in vocabulary.opposites().items())


def test_other_names_are_few_and_none_that_the_statement_has() -> None:
    statement = "Hypertension (htn), takes furosemide."
    added = other_terms(statement).removeprefix(statement).split()
    assert "htn" not in added
    assert len(added) <= 3 * MOST_NAMES


def test_a_name_written_with_a_capital_counts_only_as_written() -> None:
    assert concepts("K 3.2", Kind.RESULT) == {"potassium"}
    assert concepts("special k", Kind.RESULT) == frozenset()


def test_no_table_repeats_a_row() -> None:
    for table in tables.DATA.rglob("*.tsv"):
        lines = [line for line in table.read_text("utf-8").splitlines() if not line.startswith("#")]
        assert repeated(lines) == [], table.name
        assert not [line for line in lines if re.search(r" \t|\t | $", line)], table.name
