"""The judge's documents: a judge of an earlier version reads them still, a new one reads more."""

from datetime import UTC, datetime

import orjson
import pytest

from agents.adapters.models.wire import judge_context, read_judgement
from agents.errors import ModelError
from agents.ports import ShownFact

FACT = ShownFact("f1", "Cough.", "Plan", datetime(2031, 1, 1, tzinfo=UTC), "Note", "d1", 0.5)


def test_what_a_judge_of_an_earlier_version_reads_is_all_there() -> None:
    said = orjson.loads(judge_context([FACT], "Plan", None))
    assert said == {
        "section": "Plan",
        "as_of": None,
        "facts": [
            {
                "id": "f1",
                "text": "Cough.",
                "section": "Plan",
                "time": "2031-01-01T00:00:00Z",
                "note_type": "Note",
                "document_id": "d1",
                "score": 0.5,
            }
        ],
    }


def test_surroundings_stand_beside_the_facts() -> None:
    said = orjson.loads(judge_context([FACT], None, None, "She fell. \ud800"))
    assert said["surroundings"] == "She fell. ?"
    assert len(said["facts"]) == 1


@pytest.mark.parametrize("said", [True, False, None])
def test_the_dual_label_is_read_where_the_judge_offers_it(said: bool | None) -> None:
    answer = {"verdict": "not_addressed", "confidence": 0.9, "reason": "r"}
    document = orjson.dumps(answer | ({} if said is None else {"true_in_general": said}))
    assert read_judgement(document, [FACT]).true_in_general is said


def test_a_dual_label_that_is_not_one_breaks_the_contract() -> None:
    answer = {"verdict": "not_addressed", "confidence": 0.9, "reason": "r", "true_in_general": "y"}
    with pytest.raises(ModelError):
        read_judgement(orjson.dumps(answer), [FACT])


@pytest.mark.parametrize(
    "wrong",
    [
        {"cited": ["f2"]},
        {"confidence": 1.1},
        {"confidence": "high"},
        {"reason": ""},
        {"reason": None},
        {"verdict": "failed"},
        {"verdict": "true"},
    ],
)
def test_a_verdict_that_breaks_the_contract_is_a_model_error(wrong: dict[str, object]) -> None:
    answer = {"verdict": "supported", "confidence": 0.9, "reason": "r", "cited": ["f1", "f1"]}
    assert read_judgement(orjson.dumps(answer), [FACT]).cited == ("f1",)
    with pytest.raises(ModelError):
        read_judgement(orjson.dumps(answer | wrong), [FACT])
