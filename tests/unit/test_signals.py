"""A signal ends a command once, and only after it has cleaned up."""

import asyncio
import os
import signal
from contextlib import suppress

import pytest

from streams.signals import ENDING, Ended, cancelled_on_ending


@pytest.mark.parametrize("number", ENDING)
async def test_a_signal_cancels_and_a_second_one_does_not_break_off_the_end(number) -> None:
    cleaned = []

    async def command() -> None:
        try:
            os.kill(os.getpid(), number)
            await asyncio.sleep(30)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(0.1)
            cleaned.append(True)

    with pytest.raises(Ended) as caught, cancelled_on_ending():
        await command()
    assert cleaned == [True]
    assert caught.value.exit_code == 128 + number


async def test_a_command_whose_work_went_on_to_its_end_still_says_what_ended_it() -> None:
    """Some libraries take the cancellation for that of a task of theirs, and go on."""

    async def command() -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(30)

    with pytest.raises(Ended) as caught, cancelled_on_ending():
        await command()
    assert caught.value.exit_code == 128 + signal.SIGTERM


async def test_nohup_is_respected() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with cancelled_on_ending():
            os.kill(os.getpid(), signal.SIGHUP)
            await asyncio.sleep(0.1)
    finally:
        signal.signal(signal.SIGHUP, before)
