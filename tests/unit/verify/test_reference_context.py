"""What the judge is told of each fact, in which order, and what a budget leaves out."""

from datetime import timedelta

import orjson
import pytest

from agents.adapters.models.wire import judge_context, relative_time
from agents.verification.reference_context import tokens, within_budget
from schemas.notes import AuthorCategory
from schemas.texts import VerificationSettings
from tests.unit.verify.bench import NOW, Bench, fact


async def told(format_: str) -> list[dict]:
    """The facts of the judge's CONTEXT; the older one is the more relevant."""
    bench = Bench()
    await bench.add(
        fact("new", "Cough.", note_time=NOW - timedelta(hours=5), section="Plan"),
        fact("old", "Cough since a week ago.", note_time=NOW - timedelta(days=2, hours=5),
             note_type="Progress note", author_category=AuthorCategory.CLINICIAN),
    )  # fmt: skip
    await bench.verify("cough", settings=VerificationSettings(reference_format=format_))
    return orjson.loads(judge_context(bench.judge.last, None, None))["facts"]


async def test_all_tells_score_times_note_type_author_and_section_most_relevant_first() -> None:
    first, second = await told("all")
    assert first == {
        "id": "old",
        "text": "Cough since a week ago.",
        "section": None,
        "note_type": "Progress note",
        "document_id": "d1",
        "time": "2031-05-02T07:00:00Z",
        "relative_time": "2 days 5 hours before the text",
        "score": 23.0,
        "author_category": "clinician",
    }
    assert (second["section"], second["relative_time"]) == ("Plan", "5 hours before the text")
    assert "author_category" not in second  # unknown


@pytest.mark.parametrize(
    ("format_", "order", "keys"),
    [
        ("relevance", ["old", "new"], {"score"}),
        ("absolute_time", ["old", "new"], {"time"}),
        ("relative_time", ["old", "new"], {"relative_time"}),
    ],
)
async def test_a_format_tells_its_own_and_not_the_others(
    format_: str, order: list[str], keys: set[str]
) -> None:
    facts = await told(format_)
    assert [each["id"] for each in facts] == order
    for each in facts:
        assert {"score", "time", "relative_time"} & each.keys() == keys


async def test_along_time_the_oldest_is_first_whatever_its_relevance() -> None:
    bench = Bench()
    await bench.add(
        fact("old", "Cough.", note_time=NOW - timedelta(days=3)),
        fact("new", "Cough since a week ago.", note_time=NOW - timedelta(days=1)),
    )
    await bench.verify("cough", settings=VerificationSettings(reference_format="relative_time"))
    assert [each.fact_id for each in bench.judge.last] == ["old", "new"]


@pytest.mark.parametrize(
    ("age", "says"),
    [
        (timedelta(days=1, hours=1, minutes=59), "1 day 1 hour before the text"),
        (timedelta(days=3), "3 days before the text"),
        (timedelta(minutes=59), "less than 1 hour before the text"),
        (timedelta(hours=-26), "1 day 2 hours after the text"),
    ],
)
def test_relative_time_is_days_and_hours(age: timedelta, says: str) -> None:
    assert relative_time(age) == says


async def test_repeats_tell_when_it_was_first_and_last_said_and_in_how_many_notes() -> None:
    bench = Bench()
    for n in range(3):
        await bench.add(
            fact(f"f{n}", "Cough.", document_id=f"d{n}", note_time=NOW - timedelta(days=n))
        )
    await bench.verify("cough")
    (told_of,) = orjson.loads(judge_context(bench.judge.last, None, None))["facts"]
    assert told_of["time"] == "2031-05-04T12:00:00Z"
    assert told_of["first_time"] == "2031-05-02T12:00:00Z"
    assert told_of["notes"] == 3


async def test_when_it_was_first_said_is_an_absolute_time_too() -> None:
    for format_, told_first in (("absolute_time", True), ("relative_time", False)):
        bench = Bench()
        for n in range(2):
            await bench.add(fact(f"f{n}", "Cough.", document_id=f"d{n}",
                                 note_time=NOW - timedelta(days=n + 1)))  # fmt: skip
        await bench.verify("cough", settings=VerificationSettings(reference_format=format_))
        (told_of,) = orjson.loads(judge_context(bench.judge.last, None, None))["facts"]
        assert ("first_time" in told_of) == told_first


async def test_relative_time_counts_back_from_what_the_text_is_as_of() -> None:
    bench = Bench()
    await bench.add(fact("f", "Cough.", note_time=NOW - timedelta(days=3)))
    await bench.verify("cough", as_of=NOW - timedelta(days=1))
    assert bench.judge.last[0].age == timedelta(days=2)


async def test_the_budget_drops_the_least_relevant_and_the_verdict_says_how_many() -> None:
    bench = Bench()
    await bench.add(*[fact(f"f{n}", "x" * (40 + 4 * n), document_id=f"d{n}") for n in range(10)])
    settings = VerificationSettings(token_budget=100, top_n=10)
    sheet = await bench.verify("one", settings=settings)
    # 20 each for what is told, and 19, 18, 17 tokens of text: the third would make 114.
    assert [len(each.text) for each in bench.judge.last] == [76, 72]
    row = sheet.judged[0]
    assert (row.facts_shown, row.facts_dropped) == (2, 8)


async def test_the_most_relevant_is_shown_whatever_it_costs() -> None:
    bench = Bench()
    await bench.add(fact("f", "x" * 2000), fact("g", "y" * 1000))
    sheet = await bench.verify("one", settings=VerificationSettings(token_budget=100))
    assert [each.fact_id for each in bench.judge.last] == ["f"]
    assert sheet.judged[0].facts_dropped == 1


def test_tokens_round_up() -> None:
    from agents.ports import ScoredFact
    from agents.verification.evidence_groups import deduplicate

    (piece,) = deduplicate([ScoredFact(fact("f", "12345").fact, 1.0)])
    assert tokens(piece) == 22
    assert within_budget([], 100) == ([], 0)
