"""A worker's only listener: /metrics, /live and /ready, on loopback unless told otherwise."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from agents.errors import ChartproofError


class HealthServer:
    """`ready` raises `ChartproofError` while the worker cannot do its work."""

    def __init__(self, registry: CollectorRegistry, ready: Callable[[], Awaitable[None]]) -> None:
        self._registry = registry
        self._ready = ready
        self._runner: web.AppRunner | None = None

    async def start(self, host: str, port: int) -> None:
        app = web.Application()
        app.add_routes(
            [
                web.get("/metrics", self._metrics),
                web.get("/live", self._live),
                web.get("/ready", self._answer_ready),
            ]
        )
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, host, port).start()

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _metrics(self, _: web.Request) -> web.Response:
        headers = {"Content-Type": CONTENT_TYPE_LATEST}
        return web.Response(body=generate_latest(self._registry), headers=headers)

    async def _live(self, _: web.Request) -> web.Response:
        return web.Response(text="live\n")

    async def _answer_ready(self, _: web.Request) -> web.Response:
        try:
            await self._ready()
        except ChartproofError as error:
            return web.Response(status=503, text=f"{error}\n")
        return web.Response(text="ready\n")
