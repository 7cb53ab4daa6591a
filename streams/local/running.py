"""A stack for as long as a command runs, in a folder that is ours alone and goes with it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from streams.local.stack import Stack


@asynccontextmanager
async def running_stack(
    console: Console,
    *,
    worker: bool = True,
    llm: bool = False,
    **changes: Any,  # noqa: ANN401
) -> AsyncIterator[Stack]:
    """A stack, by default with a worker, that is stopped however the context is left.

    That holds too when the task is cancelled while it starts. `changes`: settings that are not as
    by default; `llm` starts a small language model. The temporary folder (mode 0700) holds the
    notes. Raises `ServiceFailed`.
    """
    with tempfile.TemporaryDirectory(prefix="chartproof-") as folder:
        stack = Stack(Path(folder), llm=llm, **changes)
        try:
            with console.status("starting Tansu, Milvus Lite, Triton and a worker ..."):
                await asyncio.to_thread(stack.start)
                if worker:
                    await asyncio.to_thread(stack.start_worker)
            _say_where_models_run(stack, console)
            yield stack
        finally:
            await asyncio.to_thread(stack.stop)


def _say_where_models_run(stack: Stack, console: Console) -> None:
    if stack.triton_failure:
        why = stack.triton_failure.partition("\n")[0]
        console.print(
            f"[yellow]Triton did not start, so the models run in the worker's process.[/] "
            f"{escape(why)}"
        )
