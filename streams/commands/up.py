"""`chartproof up`: the embedded stack and a worker, until Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from streams.local.stack import Stack
from streams.settings import ENV_FILE

WATCH_SECONDS = 2.0


async def up(console: Console) -> int:
    """Run until SIGINT or SIGTERM; what dies is started again, except the broker.

    The addresses are written to `.chartproof.env` in the current folder, so that other chartproof
    commands started there find this stack; it is removed at the end.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    with tempfile.TemporaryDirectory(prefix="chartproof-") as folder:
        stack = Stack(Path(folder))
        try:
            with console.status("starting Tansu, Milvus Lite, Triton and a worker ..."):
                await asyncio.to_thread(stack.start)
                await asyncio.to_thread(stack.start_worker)
            lines = [f"{name}={value}\n" for name, value in stack.environment.items()]
            ENV_FILE.write_text("".join(lines))
            console.print(_addresses(stack))
            console.print(
                f"Addresses stand in {ENV_FILE}, so commands in this folder find them:\n"
                "  chartproof publish --wait PATH\n"
                "  chartproof verify --patient ID --text FILE\n"
                "  chartproof doctor"
            )
            return await _watch(stack, stopped, console)
        finally:
            ENV_FILE.unlink(missing_ok=True)
            console.print("stopping ...")
            await asyncio.to_thread(stack.stop)


async def _watch(stack: Stack, stopped: asyncio.Event, console: Console) -> int:
    while True:
        try:
            await asyncio.wait_for(stopped.wait(), WATCH_SECONDS)
        except TimeoutError:
            for name in await asyncio.to_thread(stack.heal):
                console.print(f"[yellow]{name} had ended and was started again[/]")
        else:
            return 0


def _addresses(stack: Stack) -> Table:
    table = Table(title="chartproof is up; Ctrl-C stops everything", title_justify="left")
    table.add_column("part")
    table.add_column("address")
    table.add_row("Kafka (Tansu)", stack.bootstrap)
    table.add_row("Milvus Lite", stack.milvus.uri)
    models = stack.triton.grpc_url if stack.triton else "in the worker's process"
    table.add_row("Triton (gRPC)", models)
    table.add_row("logs and data", str(stack.folder))
    return table
