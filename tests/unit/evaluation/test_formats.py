"""What people have is read as it is; what is wrong is fields with its line and field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator

from agents.evaluation.dataset import KeptAnswer
from agents.evaluation.formats.answer_lines import answer_lines
from agents.evaluation.formats.errors import WrongData
from agents.evaluation.formats.json_schema import format_schemas
from agents.evaluation.formats.labels import Labels
from agents.evaluation.formats.positions import line_of
from agents.evaluation.formats.read import read_datasets
from agents.evaluation.formats.shapes import SHAPES, Reading
from tests.unit.evaluation.cases import case, note

CLAIM = {"id": "1", "claim": "He has gout.", "evidence": "PMH: gout.", "label": "supported"}
VISIT = {
    "patient": "v1",
    "note": "Ms. Invented takes naproxen 500 mg for left knee pain.",
    "dialogue": ["how is your knee ?"],
    "claims": [{"section": "plan", "claim": "The patient takes naproxen 500 mg."}],
}
DOCLENS = {
    "example_id": "e1",
    "input": "Dr: how old? Pt: 50",
    "reference": "50 years old.",
    "output": "He is 51.",
}
TEXT = {
    "text_id": "t1",
    "text": "He has gout. He is well.",
    "notes": [note("n1", "2031-03-02T09:00:00+00:00", "PMH: gout.")],
    "spans": [{"quote": "He has gout.", "label": "supported", "evidence": ["n1"]}],
}
EXAMPLES = {
    "chart_case": case(),
    "claims": CLAIM,
    "visits": VISIT,
    "references": DOCLENS,
    "texts": TEXT,
}


def lines(path: Path, *records: Any) -> Path:
    path.write_bytes(
        b"\n".join(each if isinstance(each, bytes) else orjson.dumps(each) for each in records)
    )
    return path


def faults(path: Path, **fields: Any) -> list[tuple[int, str]]:
    with pytest.raises(WrongData) as raised:
        read_datasets([path], **fields)
    return [(fault.line, fault.field) for fault in raised.value.faults]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_each_format_reads_what_its_schema_allows(tmp_path: Path, shape: Any) -> None:
    Draft202012Validator(format_schemas()[shape.name]).validate(EXAMPLES[shape.name])
    [read] = read_datasets([lines(tmp_path / "data.jsonl", EXAMPLES[shape.name])])
    assert read.format == shape.name
    assert read.items
    assert {item.chart_id for item in read.items} <= {chart.chart_id for chart in read.charts}


def test_a_chart_case_keeps_notes_claims_and_spans(tmp_path: Path) -> None:
    path = tmp_path / "inv-1.json"
    path.write_bytes(orjson.dumps(case(), option=orjson.OPT_INDENT_2))
    [read] = read_datasets([path])
    [chart] = read.charts
    assert [n.note_id for n in chart.notes] == ["n1", "n2", "n3", "n4", "n5", "n6", "n7"]
    assert chart.group == "patient-inv-1"
    assert chart.notes[5].ai
    text = read.items[-1]
    fields = [text.text[span.start : span.end] for span in text.spans]
    assert fields[2] == "- Insulin glargine at night"
    assert [span.label for span in text.spans][2:] == ["not_addressed", "not_verifiable"]
    assert read.items[0].item_id == "inv-1/c1"


def test_a_folder_of_cases_is_one_set(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_bytes(orjson.dumps(case(name)))
    [read] = read_datasets([tmp_path])
    assert [chart.chart_id for chart in read.charts] == ["a", "b"]


def test_several_raters_and_their_majority(tmp_path: Path) -> None:
    fields = {"claim": "He has gout.", "evidence": ["PMH:", "gout."]}
    path = lines(
        tmp_path / "raters.jsonl",
        {**fields, "annotators": ["supported", "Not Supported", "supported"]},
        {**fields, "annotators": ["supported", "not-addressed"]},
    )
    [read] = read_datasets([path])
    assert [item.spans[0].label for item in read.items] == ["supported", None]
    assert read.items[0].spans[0].raters == ("supported", "not_supported", "supported")
    assert len(read.charts) == 1


def test_every_fault_has_its_line_and_field(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "claims.jsonl",
        CLAIM,
        {**CLAIM, "id": "2", "label": "true"},
        {**CLAIM, "id": "3", "claim": 5},
        {"id": "4", "claim": "x", "label": "supported"},
        b"",
        {**CLAIM, "id": "6", "annotators": ["supported", "maybe"]},
    )
    assert faults(path) == [(2, "label"), (3, "claim"), (4, "evidence"), (6, "annotators[1]")]


def test_a_fault_inside_a_document_has_its_own_line(tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    wrong = case()
    wrong["texts"][0]["spans"][1]["quote"] = "He takes nothing."
    path.write_bytes(orjson.dumps(wrong, option=orjson.OPT_INDENT_2))
    [(line, field)] = faults(path)
    assert field == "texts[0].spans[1].quote"
    assert "He takes nothing." in path.read_text().splitlines()[line - 1]


def test_faults_hold_no_values(tmp_path: Path) -> None:
    path = lines(tmp_path / "claims.jsonl", {**CLAIM, "label": "SECRET", "claim": ["SECRET"]})
    with pytest.raises(WrongData) as raised:
        read_datasets([path])
    assert "SECRET" not in str(raised.value)


def test_references_between_notes_must_hold(tmp_path: Path) -> None:
    wrong = case()
    wrong["notes"][2]["relations"][0]["target"] = "n9"
    assert faults(lines(tmp_path / "a.jsonl", wrong)) == [(1, "notes[2].relations[0].target")]
    wrong = case()
    wrong["claims"][0]["evidence"] = ["n1", "n9"]
    assert faults(lines(tmp_path / "b.jsonl", wrong)) == [(1, "claims[0].evidence[1]")]


def test_what_is_not_json_or_of_no_shape_is_said(tmp_path: Path) -> None:
    assert faults(lines(tmp_path / "a.jsonl", CLAIM, b"{", b"[]")) == [(2, ""), (3, "")]
    assert faults(lines(tmp_path / "b.jsonl", {"claim": "x"})) == [(1, "")]
    (tmp_path / "c.jsonl").write_bytes(b"\n\n")
    assert faults(tmp_path / "c.jsonl") == [(1, "")]
    (tmp_path / "d.jsonl").write_bytes(b'{"a": 1}\n\xff\n')
    assert faults(tmp_path / "d.jsonl") == [(2, "")]


def test_one_id_twice_is_an_error_and_not_a_loss(tmp_path: Path) -> None:
    assert faults(lines(tmp_path / "a.jsonl", CLAIM, CLAIM)) == [(2, "")]


def test_other_labels_are_mapped_only_where_the_caller_says_how(tmp_path: Path) -> None:
    path = lines(tmp_path / "a.jsonl", {**CLAIM, "label": "Partially supported"})
    assert faults(path) == [(1, "label")]
    how = Reading(labels=Labels({"partially_supported": "not_supported"}))
    [read] = read_datasets([path], how)
    assert read.items[0].spans[0].label == "not_supported"
    with pytest.raises(ValueError, match="none of"):
        Labels({"yes": "true"})


def test_fields_that_are_not_read_are_told(tmp_path: Path) -> None:
    [read] = read_datasets([lines(tmp_path / "a.jsonl", {**CLAIM, "split": "dev"})])
    assert read.notices == ("a.jsonl: `split` is not read (1 records)",)


def test_claims_of_visits_stay_with_their_note(tmp_path: Path) -> None:
    other = {**VISIT, "patient": "v2", "note": "x", "claims": [{"claim": "He has asthma today."}]}
    [read] = read_datasets([lines(tmp_path / "a.jsonl", VISIT, other)])
    given = [item for item in read.items if item.spans[0].label == "supported"]
    assert [(item.chart_id, item.text) for item in given] == [
        ("v1", "The patient takes naproxen 500 mg."),
        ("v2", "He has asthma today."),
    ]


def test_doclens_is_three_items_of_one_example(tmp_path: Path) -> None:
    scored = {
        "id": "m1",
        "source": ["a", "b"],
        "reference": "r",
        "generated": "g",
        "human": {"precision": 0.5},
    }
    [read] = read_datasets([lines(tmp_path / "a.jsonl", scored, scored)])
    roles = [item.role for item in read.items[:3]]
    assert roles == ["text", "of_reference", "against_reference"]
    assert read.items[0].human == {"precision": 0.5}
    assert len({item.item_id for item in read.items}) == 6
    assert {chart.group for chart in read.charts} == {"m1"}


def test_the_line_of_a_value_in_a_document() -> None:
    document = '{\n "a": [1,\n  {"b": "x\\"]",\n   "c": 2}],\n "d": 3\n}'
    assert line_of(document, ("a", 1, "c")) == 4
    assert line_of(document, ("d",)) == 5
    assert line_of(document, ("a", 9)) == 2


def test_answers_of_other_systems_are_kept_beside_the_cases(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(orjson.dumps(case("a")))
    (tmp_path / "answers").mkdir()
    answer = KeptAnswer("supported", 0.9, 0.1, False)
    (tmp_path / "answers" / "rules.jsonl").write_bytes(answer_lines([("a/c1", answer)]))
    [read] = read_datasets([tmp_path])
    assert read.answers == {"rules": {"a/c1": answer}}
    (tmp_path / "answers" / "rules.jsonl").write_text('{"span_id": "a/c1", "outcome": "right"}')
    with pytest.raises(WrongData) as raised:
        read_datasets([tmp_path])
    assert {fault.field for fault in raised.value.faults} == {
        "outcome",
        "confidence",
        "score",
        "alerted",
    }
