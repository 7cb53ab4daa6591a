"""`publish --backfill` as a process of its own, slow enough to be killed in the middle.

Usage: python -m tests.integration.slow_publisher PATH STATE_FILE
"""

import asyncio
import sys
from collections.abc import Awaitable
from pathlib import Path

from schemas.events import Position
from schemas.topics import Topic
from streams.cli.client import Client
from streams.cli.publish_backfill import backfill
from streams.settings import Settings


class SlowClient(Client):
    async def send(self, topic: Topic, value: bytes, key: str | None = None) -> Awaitable[Position]:
        await asyncio.sleep(0.02)
        return await super().send(topic, value, key)


async def main() -> None:
    path, state_file = map(Path, sys.argv[1:])
    async with SlowClient(Settings()) as client:
        await backfill(client, [path], state_file=state_file)


if __name__ == "__main__":
    asyncio.run(main())
