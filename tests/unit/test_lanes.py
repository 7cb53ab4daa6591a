"""Keys in parallel, each key in order, and an end that keeps its deadline."""

import asyncio

from streams.delivery.lanes import Lanes


async def test_keys_run_in_parallel_and_each_in_order():
    gates = {key: asyncio.Event() for key in "ab"}
    seen: list[str] = []

    async def run(item: str) -> None:
        await gates[item[0]].wait()
        seen.append(item)

    lanes = Lanes[str](run)
    for item in ("a1", "a2", "b1", "a3"):
        lanes.put(item[0], item)
    gates["b"].set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert seen == ["b1"]
    gates["a"].set()
    await lanes.close(10)
    assert seen == ["b1", "a1"], "what waits is dropped when the lanes close"


async def test_a_lane_comes_back_for_a_key_that_was_done():
    seen: list[int] = []

    async def run(item: int) -> None:
        seen.append(item)

    lanes = Lanes[int](run)
    for item in range(3):
        lanes.put("k", item)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert seen == [0, 1, 2]


async def test_what_runs_too_long_is_cancelled_and_nothing_is_taken_any_more():
    ended: list[str] = []

    async def run(item: str) -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            ended.append(item)

    lanes = Lanes[str](run)
    lanes.put("k", "endless")
    await asyncio.sleep(0)
    await lanes.close(0.01)
    assert ended == ["endless"]
    lanes.put("k", "late")
    await asyncio.sleep(0)
    assert ended == ["endless"]
