"""What is slow to read, however small its record, does not hold up the event loop."""

from __future__ import annotations

import asyncio
import threading

import orjson

from agents.intake import read
from agents.intake.receive import Intake


async def test_the_loop_goes_on_while_a_small_record_is_read(
    document, record, clock, emitted, monkeypatch
):
    loop_went_on = threading.Event()
    waited: list[bool] = []
    real = read.first_readable

    def slow(*arguments):
        waited.append(loop_went_on.wait(10))
        return real(*arguments)

    monkeypatch.setattr(read, "first_readable", slow)
    reading = asyncio.create_task(Intake(clock).documents(record(orjson.dumps(document)), emitted))
    while not reading.done():
        await asyncio.sleep(0.01)
        loop_went_on.set()
    await reading
    assert waited == [True]
