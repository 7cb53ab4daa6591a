"""What delivery promises, on both brokers, with real worker processes."""

import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from schemas.failures import DeadLetter
from schemas.outcomes import OutcomeRecorded
from schemas.topics import MAX_INBOUND_BYTES, OUTCOMES
from tests.integration.delivery_bench import Bench, assert_in_order, ids


@pytest.fixture
async def bench(broker, tmp_path: Path) -> AsyncIterator[Bench]:
    found = Bench(tmp_path, broker=broker.bootstrap)
    yield found
    found.close()


async def test_nothing_is_lost_and_keys_stay_in_order_over_a_kill_a_stop_and_joins(bench):
    await bench.topics(partitions=2)
    numbers = range(400)
    await bench.publish((f"k{n % 20}", {"id": n, "takes": 0.02}) for n in numbers)

    await bench.join("first")
    await bench.until(lambda: len(bench.ended()) > 60)
    bench.workers["first"].kill()
    await bench.join("second")
    third = bench.start("third")
    await bench.until(lambda: len(set(bench.ended())) > 200)
    assert await bench.stop("second") == 0
    await bench.until_ended(numbers)

    assert_in_order(bench.journal())
    outcomes = await bench.outcomes(distinct=len(numbers))
    assert len(ids(outcomes)) == len(numbers)
    assert third.alive
    assert await bench.stop("third") == 0

    await bench.publish([("k0", {"id": "sentinel"})])
    await bench.join("fourth")
    await bench.until_ended(["sentinel"])
    handled = [line["id"] for line in bench.journal("fourth") if line["what"] == "start"]
    assert handled == ["sentinel"], "a clean stop leaves nothing to be handled again"


async def test_poison_ends_as_dead_letters_and_the_key_goes_on(bench):
    await bench.topics(partitions=1)
    large = b"x" * (MAX_INBOUND_BYTES + 1)
    await bench.publish(
        [
            ("k", {"id": 1}),
            ("k", {"id": 2, "invalid": True}),
            ("k", {"id": 3, "bug": True}),
            ("k", large),
            ("k", {"id": 4, "cancelled": True}),
            ("k", None),
            (None, {"id": "no key"}),
            ("k", {"id": 7}),
        ]
    )
    await bench.join("worker")
    await bench.until_ended([1, None, "no key", 7])

    letters = await bench.dead_letters(distinct=4)
    causes = [DeadLetter.from_headers(dict(letter.headers)) for letter in letters]
    assert [(c.reason, c.source.offset, c.attempts, c.stage) for c in causes] == [
        ("not_json", 1, 1, "intake"),
        ("internal_error", 2, 3, "intake"),
        ("too_large", 3, 1, "intake"),
        ("internal_error", 4, 3, "intake"),
    ]
    assert causes[1].detail == "RuntimeError", "no message: it could hold a patient's data"
    assert [letter.key for letter in letters] == [b"k"] * 4
    assert letters[0].value == b'{"id": 2, "invalid": true}'
    assert letters[2].value == large

    recorded = [OutcomeRecorded.model_validate_json(r.value) for r in await bench.outcomes(8)]
    told = {o.source.offset: o.reason for o in recorded if o.outcome == "dead_lettered"}
    assert told == {1: "not_json", 2: "internal_error", 3: "too_large", 4: "internal_error"}
    assert bench.started().count(3) == 3, "an unknown error is tried a few times"
    assert "secret" not in bench.workers["worker"].log.read_text()


async def test_a_slow_record_is_not_stepped_over(bench):
    await bench.topics(partitions=1)
    await bench.publish([("slow", {"id": 0, "takes": 60})])
    await bench.publish((f"k{n}", {"id": n}) for n in range(1, 40))
    await bench.join("first")
    await bench.until_ended(range(1, 40))
    assert await bench.committed() == 0
    bench.workers["first"].kill()

    await bench.join("second")
    await bench.until(lambda: bench.started().count(0) == 2)
    await bench.until(lambda: bench.ended().count(39) == 2)
    assert await bench.committed() == 0


async def test_a_key_that_floods_does_not_keep_others_waiting(bench):
    await bench.topics(partitions=1)
    await bench.publish(("flood", {"id": n, "takes": 0.03}) for n in range(100))
    await bench.publish((f"k{n}", {"id": 1000 + n}) for n in range(10))
    await bench.join("worker", max_in_flight=4)
    await bench.until_ended(range(1000, 1010))
    assert len(bench.ended()) < 70, "others end while most of the flood still waits"
    await bench.until_ended(range(100))
    assert_in_order(bench.journal())


async def test_a_flooded_partition_stops_being_fetched_and_the_others_go_on(bench):
    await bench.topics(partitions=2)
    await bench.publish((("flood", {"id": n, "takes": 0.01}) for n in range(250)), partition=0)
    await bench.join("worker", max_buffered=20)
    await bench.until(bench.ended)
    await bench.publish([("other", {"id": "other"})], partition=1)
    await bench.until_ended(["other"])
    assert 249 not in bench.ended(), "the other partition did not wait for the flood"
    await bench.until_ended(range(250))


async def test_an_outage_pauses_the_partition_and_nothing_is_lost(bench):
    await bench.topics(partitions=2)
    await bench.publish([("a", {"id": 0, "needs": True})], partition=0)
    await bench.join("worker")
    await bench.until(lambda: bench.started().count(0) > 2)
    await bench.publish(((f"k{n}", {"id": n}) for n in range(1, 100)), partition=0)
    await bench.publish([("other", {"id": "other"})], partition=1)
    await bench.until_ended(["other"])
    before = bench.started().count(0)
    await bench.until(lambda: bench.started().count(0) > before + 3)
    assert set(bench.started()) == {0, "other"}, "the partition with the outage is not read on"

    bench.flag.touch()
    await bench.until_ended(range(100))
    outcomes = await bench.outcomes(distinct=101)
    assert all(b"dead_lettered" not in outcome.value for outcome in outcomes)


async def test_a_rebalance_on_one_partition_hands_it_over_without_overlap(bench):
    await bench.topics(partitions=1)
    numbers = range(60)
    await bench.publish((f"k{n % 3}", {"id": n, "takes": 0.1}) for n in numbers)
    await bench.join("first")
    await bench.until(lambda: len(bench.ended()) > 5)
    await bench.join("second")
    await bench.join("third")
    owner = bench.journal()[-1]["worker"]
    await bench.stop(owner)
    await bench.until_ended(numbers)

    assert_in_order(bench.journal())
    running: set[str] = set()
    for line in bench.journal():
        if line["what"] == "start":
            assert line["key"] not in running, "a record was handled by two workers at once"
            running.add(line["key"])
        elif line["what"] == "end":
            running.discard(line["key"])
    assert len(bench.ended()) == len(numbers), "what was running when it was revoked was finished"


async def test_acknowledged_records_are_not_handled_again_after_a_rebalance(bench):
    """faust-streaming #502, and #611: no commit by the clock, so the rebalance has to make it."""
    await bench.topics(partitions=2)
    await bench.join("first", commit_interval=600.0)
    await bench.publish((f"k{n}", {"id": n}) for n in range(40))
    await bench.until_ended(range(40))
    await bench.join("second", commit_interval=600.0)
    await bench.publish((f"k{n}", {"id": n}) for n in range(40, 80))
    await bench.until_ended(range(80))
    assert sorted(bench.started()) == list(range(80))


async def test_records_that_arrive_during_a_rebalance_are_not_lost(bench):
    """Of faust-streaming #221's kind: a fetch that spans the rebalance, nothing committed yet."""
    await bench.topics(partitions=4)
    await bench.join("first", fault="revoked")
    await bench.join("second")
    await bench.until_ended(tp * 10 + number for tp in range(4) for number in range(5))


async def test_a_commit_that_fails_is_made_again(bench):
    """faust-streaming #611: nothing else arrives, so only a retry can commit."""
    await bench.topics(partitions=1)
    await bench.publish((f"k{n}", {"id": n}) for n in range(10))
    await bench.join("worker", fault="commit")
    await bench.until(lambda: any(line["what"] == "commit_failed" for line in bench.journal()))
    for _ in range(100):
        if await bench.committed() == 10:
            break
    assert await bench.committed() == 10
    assert bench.workers["worker"].alive


async def test_a_handler_slower_than_the_poll_interval_keeps_its_partition(bench):
    """aiokafka #848: it left the group, was repeated elsewhere, and so on for ever."""
    await bench.topics(partitions=1)
    await bench.join("first", max_poll_interval=1.0)
    await bench.publish([("slow", {"id": 0, "takes": 4}), ("k", {"id": 1})])
    await bench.until_ended([0, 1])
    assert bench.started() == [0, 1]
    assert [line["what"] for line in bench.journal()].count("assigned") == 1


async def test_a_stop_finishes_what_runs_within_its_deadline(bench):
    await bench.topics(partitions=1)
    await bench.publish([("a", {"id": 0, "takes": 1.5}), ("a", {"id": 1}), ("b", {"id": 2})])
    await bench.join("first")
    await bench.until(lambda: 0 in bench.started())
    assert await bench.stop("first") == 0
    assert sorted(bench.ended()) == [0, 2], "what runs is finished, what waits is left"

    await bench.publish([("endless", {"id": 3, "takes": 600})])
    await bench.join("second", drain_seconds=0.5)
    await bench.until(lambda: 3 in bench.started())
    await bench.until_ended([1])
    assert await bench.stop("second") == 0
    assert sorted(bench.started()) == [0, 1, 2, 2, 3], "2 had ended behind 1, which had not"
    assert await bench.committed() == 3


async def test_repeats_of_an_event_have_the_same_id(bench):
    await bench.topics(partitions=1)
    await bench.publish([("k", {"id": 0, "takes": 0.5}), ("k", {"id": 1, "takes": 60})])
    await bench.join("first", commit_interval=600.0)
    await bench.until(lambda: 1 in bench.started())
    bench.workers["first"].send_signal(signal.SIGKILL)
    await bench.join("second")
    await bench.until(lambda: bench.ended().count(0) == 2)
    outcomes = await bench.read(OUTCOMES, lambda found: len(found) >= 2)
    assert len(ids(outcomes)) == 1, "a consumer drops the repeat by its id"
