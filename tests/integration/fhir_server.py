"""Real HTTP servers on loopback for the FHIR client's tests: aiohttp's, and raw sockets for
answers that no proper server gives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Server:
    """`base` is its FHIR base; `answers` maps a path under it to what answers there."""

    origin: str
    answers: dict[str, Handler | web.Response] = field(default_factory=dict)
    requests: list[web.Request] = field(default_factory=list)

    @property
    def base(self) -> str:
        return f"{self.origin}/fhir"

    @property
    def paths(self) -> list[str]:
        return [request.path_qs.removeprefix("/fhir/") for request in self.requests]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(request)
        found = self.answers.get(request.path.removeprefix("/fhir/"))
        if found is None:
            return web.Response(status=404)
        if isinstance(found, web.Response):
            return web.Response(status=found.status, body=found.body, headers=found.headers)
        return await found(request)


@asynccontextmanager
async def serving() -> AsyncIterator[Server]:
    server = Server("")
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", server.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        server.origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield server
    finally:
        await runner.cleanup()


@asynccontextmanager
async def sending(*answers: bytes) -> AsyncIterator[str]:
    """A server that sends the n-th answer's bytes to the n-th connection, the last to all after.

    The connection is closed behind them. Yields its FHIR base.
    """
    sent = 0

    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        answer = answers[min(sent, len(answers) - 1)]
        sent += 1
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(send, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/fhir"
