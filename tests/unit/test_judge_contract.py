"""The judge's contract: JSON in and out, one bad request alone, any input, bounded work."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.judge_asking import JUDGE, ask, fact

CONTEXT = json.dumps({"section": None, "as_of": None, "facts": [fact("HTN, on lisinopril.")]})
LABELS = {"supported", "not_supported", "not_addressed", "abstained"}


def judge(*requests: tuple[str, str, str]) -> list[dict[str, Any]]:
    return [json.loads(answer) for answer in JUDGE.judge(list(requests))]


def assert_verdict(found: dict[str, Any], ids: set[str]) -> None:
    assert set(found) == {
        "verdict", "confidence", "reason", "cited", "checks", "unsupported_spans", "probabilities"
    }  # fmt: skip
    assert sum(found["probabilities"].values()) == pytest.approx(1.0, abs=0.001)
    if found["verdict"] != "abstained":
        assert found["confidence"] == max(found["probabilities"].values())
    assert found["verdict"] in LABELS
    assert 0.0 <= found["confidence"] <= 1.0
    assert found["reason"].endswith(".")
    assert found["checks"]
    assert len(found["cited"]) == len(set(found["cited"]))
    assert set(found["cited"]) <= ids
    if found["verdict"] == "supported":
        assert found["cited"]


def test_it_names_its_version() -> None:
    assert JUDGE.version


def test_a_judge_without_a_check_no_longer_hears_it() -> None:
    context = json.dumps({"facts": [fact("Fracture of the left hip.")]})
    request = ("Fracture of the right hip.", context, "{}")
    (whole,), (less,) = JUDGE.judge([request]), JUDGE.without(["side"]).judge([request])
    assert "side" in json.loads(whole)["checks"]
    assert "side" not in json.loads(less)["checks"]


def test_no_requests_no_answers() -> None:
    assert JUDGE.judge([]) == []


@pytest.mark.parametrize(
    ("context", "options", "code"),
    [
        ("", "{}", "invalid_context"),
        ("not json", "{}", "invalid_context"),
        ("[]", "{}", "invalid_context"),
        ('{"facts": {}}', "{}", "invalid_context"),
        ('{"facts": ["text"]}', "{}", "invalid_context"),
        ("[" * 100_000, "{}", "invalid_context"),
        (CONTEXT, "nope", "invalid_options"),
        (CONTEXT, "3", "invalid_options"),
        (CONTEXT, '{"abstain_below": "high"}', "invalid_options"),
        (CONTEXT, '{"abstain_below": true}', "invalid_options"),
    ],
)
def test_a_bad_request_fails_alone(context: str, options: str, code: str) -> None:
    good = ("The patient takes lisinopril for hypertension.", CONTEXT, "{}")
    first, bad, last = judge(good, ("The patient has asthma.", context, options), good)
    assert bad == {"error": code}
    assert first == last
    assert first["verdict"] == "supported"
    assert first["cited"] == ["f1"]


@pytest.mark.parametrize("options", ["", "{}", '{"abstain_below": 0.0}', '{"else": 1}'])
def test_options_have_defaults(options: str) -> None:
    (found,) = judge(("The patient takes lisinopril for hypertension.", CONTEXT, options))
    assert found["verdict"] == "supported"


def test_it_abstains_below_the_floor_and_keeps_the_reason() -> None:
    sure = ask("The patient has asthma.", "Seen by social work.")
    below = ask("The patient has asthma.", "Seen by social work.", abstain_below=0.9999)
    assert below == sure | {"verdict": "abstained"}
    at = ask("The patient has asthma.", "Seen by social work.", abstain_below=sure["confidence"])
    assert at == sure


@pytest.mark.parametrize("proposition", ["", "   ", "…", "The patient.", "?!"])
def test_an_empty_proposition_is_not_addressed(proposition: str) -> None:
    found = ask(proposition, "HTN, on lisinopril.")
    assert_verdict(found, {"f1"})
    assert found["verdict"] == "not_addressed"


def test_without_facts_nothing_is_addressed() -> None:
    found = ask("The patient takes lisinopril for hypertension.")
    assert found["verdict"] == "not_addressed"
    assert found["cited"] == []


@pytest.mark.parametrize("missing", ["id", "text", "section", "time", "score", "document_id"])
def test_an_odd_fact_is_read_as_far_as_it_goes(missing: str) -> None:
    facts = [fact("HTN, on lisinopril."), fact("gout", "f2") | {missing: None}, {"score": 10**400}]
    context = json.dumps({"facts": facts})
    (found,) = judge(("The patient takes lisinopril for hypertension.", context, "{}"))
    assert found["verdict"] == "supported"


def test_large_input_is_judged() -> None:
    long = " ".join(f"Finding {n} of the {n}th day was stable at {n} mg." for n in range(250))[
        :10_000
    ]
    facts = [fact(f"On day {n} the finding {n} was stable at {n} mg.") for n in range(150)]
    for at, each in enumerate(facts):
        each["id"] = str(at)
    found = ask(long, *facts)
    assert_verdict(found, {str(at) for at in range(150)})
    assert_verdict(ask("x" * 10_000, *facts), {str(at) for at in range(150)})
    assert_verdict(ask("1" * 10_000 + "/" * 10_000, *facts), {str(at) for at in range(150)})
    assert_verdict(ask("no " * 3_000 + "fever", "No fever."), {"f1"})
    assert_verdict(ask("(" * 5_000 + ")" * 5_000, "(a b) " * 2_000), {"f1"})


@pytest.mark.timeout(30)
@pytest.mark.parametrize("said", ["father's ", "right ", "q6h "])
def test_work_does_not_grow_with_the_square_of_the_length(said: str) -> None:
    """Each is done in about a second; what is quadratic takes minutes."""
    texts = [said * (2_400 - n) for n in range(5)]
    assert_verdict(ask(said * 2_400, *texts), {f"f{n}" for n in range(1, 6)})


@pytest.mark.parametrize(
    "text",
    [
        "발열이 없다.",
        "Kein Fieber, keine Schüttelfröste.",
        "Температура 38,5",
        "🩺 BP 120/80",
        "٣٨٫٥",
        "²",
    ],
)
def test_other_scripts_do_not_disturb_it(text: str) -> None:
    found = ask(text, text)
    assert_verdict(found, {"f1"})


CLINICAL_WORDS = """no denies fever left right knee pain mg 25 50 / . , ; : - 3/4 120/80 metoprolol
BID PO was is not without mother 67 yo M F on from to q6h % < > ( ) [ ] \u00b0 C one twenty single
vessel days ago if possible stopped refused but and or PE MI h/o s/p \u2019 \u00b2 \u0664 \x00"""
CLINICAL = st.sampled_from(CLINICAL_WORDS.split())
TEXT = st.one_of(st.text(max_size=80), st.lists(CLINICAL, max_size=14).map(" ".join))


@settings(max_examples=60, deadline=None)
@given(TEXT, st.lists(TEXT, max_size=4), TEXT)
def test_any_text_gets_a_verdict(proposition: str, texts: list[str], section: str) -> None:
    facts = [fact(text, f"f{at}", section=section, score=at) for at, text in enumerate(texts)]
    found = ask(proposition, *facts, section=section)
    assert_verdict(found, {f"f{at}" for at in range(len(texts))})
    assert found == ask(proposition, *reversed(facts), section=section)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["facts", "id", "text", "time", "section", "score", "as_of"]), inner
        )
    ),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40), JSON, JSON)
def test_any_json_gets_a_verdict_or_a_code(proposition: str, context: Any, options: Any) -> None:
    (found,) = judge((proposition, json.dumps(context), json.dumps(options)))
    assert found.get("error") in {None, "invalid_context", "invalid_options"}
