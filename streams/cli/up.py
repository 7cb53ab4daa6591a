"""`chartproof up`: the embedded stack and a worker, until Ctrl-C."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table

from streams.cli.llm_options import NO_LLM, LlmChoice
from streams.local.ports import LOOPBACK, listening
from streams.local.running import running_stack
from streams.local.stack import Stack
from streams.settings import ENV_FILE, load_settings

WATCH_SECONDS = 2.0
MARK = "# Written by `chartproof up`, which removes it when it ends.\n"
BROKER = f"CHARTPROOF_BROKER={LOOPBACK}:"


class FileInTheWay(Exception):
    """The file of addresses is not ours to replace; the message says what to do."""


async def up(console: Console, llm: LlmChoice = NO_LLM) -> int:
    """Run until the task is cancelled; what dies is started again, except the broker.

    The addresses are written to `.chartproof.env` in the current folder, so that other chartproof
    commands started there find this stack; it is removed at the end. Raises `FileInTheWay`.
    """
    remove_stale(ENV_FILE)
    site = load_settings().of_site()
    async with running_stack(console, llm=llm.small, **site, **llm.changes) as stack:
        with addresses_in(ENV_FILE, stack):
            console.print(_addresses(stack))
            console.print(
                f"Addresses stand in {ENV_FILE}, so commands in this folder find them:\n"
                "  chartproof publish --wait PATH\n"
                "  chartproof verify --patient ID --text FILE\n"
                "  chartproof doctor"
            )
            try:
                await _watch(stack, console)
            finally:
                console.print("stopping ...")
    return 0


def remove_stale(path: Path) -> None:
    """Remove what an `up` that was killed has left. Raises `FileInTheWay` for any other file."""
    if not path.exists():
        return
    text = path.read_text(encoding="utf-8", errors="replace")
    if not text.startswith(MARK):
        raise FileInTheWay(
            f"{path} was not written by `chartproof up`, and would be read by commands in this "
            "folder. Move it away, or start in another folder."
        )
    for line in text.splitlines():
        if line.startswith(BROKER) and listening(int(line.removeprefix(BROKER))):
            raise FileInTheWay(
                f"{path} names a broker that answers: another `chartproof up` runs in this folder. "
                "Use that one, end it, or start in another folder."
            )
    path.unlink()


@contextmanager
def addresses_in(path: Path, stack: Stack) -> Iterator[None]:
    """The file that says how to reach the stack; at the end it is removed if it is still ours."""
    changed = stack.settings.environment(changed=True)
    text = MARK + "".join(f"{name}={value}\n" for name, value in changed.items())
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise FileInTheWay(f"{path} was written meanwhile, by another `chartproof up`.") from None
    try:
        yield
    finally:
        if path.exists() and path.read_text(encoding="utf-8", errors="replace") == text:
            path.unlink()


async def _watch(stack: Stack, console: Console) -> None:
    while True:
        await asyncio.sleep(WATCH_SECONDS)
        for name in await asyncio.to_thread(stack.heal):
            console.print(f"[yellow]{name} had ended and was started again[/]")


def _addresses(stack: Stack) -> Table:
    table = Table(title="chartproof is up; Ctrl-C stops everything", title_justify="left")
    table.add_column("part")
    table.add_column("address")
    table.add_row("Kafka (Tansu)", stack.bootstrap)
    table.add_row("Milvus Lite", stack.milvus.uri)
    models = stack.triton.grpc_url if stack.triton else "in the worker's process"
    table.add_row("Triton (gRPC)", models)
    if stack.settings.llm_url:
        table.add_row("language model", stack.settings.llm_url)
    table.add_row("logs and data", str(stack.folder))
    return table
