"""What the Triton models share, without Triton: rows kept apart, terms, and the bounded cache."""

from __future__ import annotations

from pathlib import Path

import pytest

MODELS = Path(__file__).parents[2] / "triton_models"

from chartproof_encoder import BoundedCache, terms  # noqa: E402
from chartproof_encoder.terms import canonical_number, rarity, sparse_vector  # noqa: E402
from chartproof_serving import JsonModel, ServedModel, text_tensor  # noqa: E402


class Plain:
    version = "plain/1"


class Upper(JsonModel):
    """Answers with the row in capitals and refuses rows that say `bad`."""

    inputs = ("TEXT",)
    output = "SAID"

    def load(self) -> Plain:
        return Plain()

    def documents(self, rows):
        if ("bad",) in rows:
            raise ValueError("a secret")
        return [f'"{text.upper()}"' for (text,) in rows]


class Tensor(Upper, ServedModel):
    """The same, of a kind that cannot refuse a single row."""

    def refusal(self, code: str) -> None:
        return None


def said(answer) -> list[str]:
    return [value.decode() for value in answer["SAID"].reshape(-1)]


def served(kind: type[ServedModel]) -> ServedModel:
    model = kind()
    model.initialize()
    return model


def test_requests_are_answered_together_and_apart() -> None:
    one, two = served(Upper).answers([[("a",), ("b",)], [("c",)]])
    assert said(one) == ['"A"', '"B"']
    assert said(two) == ['"C"']
    assert two["VERSION"].reshape(-1)[0] == b"plain/1"


def test_a_bad_row_is_refused_alone_and_its_text_is_not_repeated(
    caplog: pytest.LogCaptureFixture,
) -> None:
    one, two = served(Upper).answers([[("a",), ("bad",)], [("c",)]])
    assert said(one) == ['"A"', '{"error": "ValueError"}']
    assert "ValueError at" in caplog.text
    assert "a secret" not in caplog.text
    assert said(two) == ['"C"']


def test_a_request_that_cannot_be_refused_by_row_fails_alone() -> None:
    one, two = served(Tensor).answers([[("a",), ("bad",)], [("c",)]])
    assert isinstance(one, ValueError)
    assert said(two) == ['"C"']


def test_no_requests_have_no_answers() -> None:
    assert served(Upper).answers([]) == []


def test_text_tensors_hold_nul_and_any_script() -> None:
    tensor = text_tensor(["a\x00b", "患者", ""])
    assert tensor.shape == (3, 1)
    assert [value.decode() for value in tensor.reshape(-1)] == ["a\x00b", "患者", ""]


@pytest.mark.parametrize(
    ("text", "some"),
    [
        ("Aspirin 81 mg", {"aspirin", "#81", "#81mg"}),
        ("aspirin 81mg", {"aspirin", "#81", "#81mg"}),
        ("12.5 mg", {"#12.5", "#12.5mg"}),
        ("BP 120/80", {"bp", "#120/80", "#120", "#80"}),
        ("WBC 1,000", {"wbc", "#1000"}),
        ("SpO2 95%", {"spo", "#95", "#95%"}),
        ("2 tablets", {"#2", "#2tablet"}),
        ("2 started", {"#2", "started"}),
        ("2026-03-04", {"#2026-03-04", "#2026", "#3", "#4"}),
        ("the patient's allergies", {"allergy"}),
        ("No fever", {"no", "fever"}),
        ("café", {"cafe"}),
        ("発熱", {"発", "熱"}),
        ("", set()),
        ("--- \x00 \n", set()),
    ],
)
def test_terms_are_words_and_whole_numbers_with_their_units(text: str, some: set[str]) -> None:
    assert some <= set(terms(text))
    if not some:
        assert not terms(text)


@pytest.mark.parametrize(
    ("written", "meant"),
    [("05", "5"), ("0.50", "0.5"), ("1,234,567", "1234567"), ("10", "10"), ("000", "0")],
)
def test_a_number_is_the_same_however_it_is_written(written: str, meant: str) -> None:
    assert canonical_number(written) == meant


def test_rare_words_weigh_more() -> None:
    assert rarity(1996) < rarity(3000) < rarity(20_000) < rarity(None)


def test_a_sparse_vector_has_unit_length_and_small_ids() -> None:
    weights = sparse_vector("Aspirin 81 mg daily, aspirin again", {"daily": 3679})
    assert sum(weight**2 for weight in weights.values()) == pytest.approx(1.0, abs=1e-3)
    assert all(0 < term < 2**31 for term in weights)


def test_the_cache_holds_what_was_used_last_within_its_bytes() -> None:
    asked: list[list[str]] = []

    def make(texts: list[str]) -> list[str]:
        asked.append(texts)
        return [text * 40 for text in texts]

    cache: BoundedCache[str] = BoundedCache(100, len)
    assert cache.get_all(["a", "b", "a"], make) == {"a": "a" * 40, "b": "b" * 40}
    cache.get_all(["a"], make)
    cache.get_all(["c"], make)
    cache.get_all(["a", "c"], make)
    assert asked == [["a", "b"], ["c"]]
    assert cache.get_all(["b", "dd", "c"], make)["b"] == "b" * 40
    assert asked[-1] == ["b", "dd"]
