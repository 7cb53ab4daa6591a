"""`chartproof doctor`: what is reachable and healthy, and what to do about what is not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from agents.adapters.fhir import AttachmentError, AttachmentReason
from agents.errors import ChartproofError
from schemas.topics import TOPICS
from streams.cli.client import Client
from streams.dependencies import open_index, open_models, open_source
from streams.settings import Settings, WrongSettings, load_settings

CHECK_SECONDS = 20.0


@dataclass(frozen=True)
class Finding:
    part: str
    ok: bool
    detail: str


async def doctor(console: Console) -> int:
    """Print a finding per part; 0 when all is well, 1 otherwise."""
    try:
        settings = load_settings()
    except WrongSettings as error:
        findings = [Finding("settings", False, fault) for fault in error.faults]
    else:
        findings = await examine(settings)
    _print(findings, console)
    return 0 if all(each.ok for each in findings) else 1


async def examine(settings: Settings) -> list[Finding]:
    """What is to be said of each part that the settings name."""
    dims: list[int] = []

    async def models_then_index() -> list[Finding]:
        models = await _examine("models", lambda: _models(settings, dims))
        return [models, await _examine("index", lambda: _index(settings, dims))]

    broker, parts, fhir = await asyncio.gather(
        _examine("broker", lambda: _broker(settings)),
        models_then_index(),
        asyncio.gather(*(check_fhir(settings, base) for base in settings.fhir_bases)),
    )
    return [broker, *parts, *fhir]


def _print(findings: Sequence[Finding], console: Console) -> None:
    table = Table(title="chartproof doctor", title_justify="left")
    table.add_column("part")
    table.add_column("state")
    table.add_column("detail")
    for each in findings:
        state = "[green]ok[/]" if each.ok else "[bold red]not ok[/]"
        table.add_row(each.part, state, escape(each.detail))
    console.print(table)


async def _examine(part: str, check: Callable[[], Awaitable[str]]) -> Finding:
    """Run one check with a deadline; its result or its error is the detail."""
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            return Finding(part, True, await check())
    except (ChartproofError, OSError, ValueError) as error:
        return Finding(part, False, str(error))
    except TimeoutError:
        return Finding(part, False, f"No answer within {CHECK_SECONDS:g} s.")


async def _broker(settings: Settings) -> str:
    async with Client(settings) as client, client.follow(TOPICS):
        return f"{settings.broker} has all {len(TOPICS)} topics of {settings.topic_prefix}*"


async def _index(settings: Settings, dims: list[int]) -> str:
    """`dims`: the embedder's dimension, where it said one."""
    index = await open_index(settings, dim=dims[0] if dims else None)
    try:
        await index.check()
    finally:
        await index.close()
    compared = "" if dims else "; the models are away, so its vectors are not compared with theirs"
    return f"{settings.milvus_uri} answers{compared}"


async def _models(settings: Settings, dims: list[int]) -> str:
    models = await open_models(settings)
    try:
        await models.check()
        dims.append(models.embedder.dim)
    finally:
        await models.close()
    where = settings.triton_url if settings.models == "triton" else "this process"
    return f"{where}: {', '.join(f'{port.name} {port.version}' for port in models.ports)}"


async def check_fhir(settings: Settings, base: str) -> Finding:
    """Whether one of the configured bases answers and takes our credentials."""
    return await _examine("fhir", lambda: _fhir(settings, base))


async def _fhir(settings: Settings, base: str) -> str:
    """Asks for the CapabilityStatement with our credentials, so that a token is tried too."""
    source = open_source(settings)
    assert source is not None
    try:
        await source.fetch(f"{base.rstrip('/')}/metadata")
    except AttachmentError as error:
        if error.reason in {AttachmentReason.FORBIDDEN, AttachmentReason.URL_NOT_ALLOWED}:
            raise
        return f"{base} answers, without a CapabilityStatement"
    finally:
        await source.close()
    return f"{base} answers"
