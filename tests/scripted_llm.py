"""An OpenAI-compatible server that answers as a script says: right, wrong, slowly or not at all.

It reads prompts as a credulous model would: what it can see outside of the quotation it takes for
orders, marks of chat templates it takes for the template's own.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from streams.local.ports import LOOPBACK, free_port

ORDER = re.compile(r"(?i)ignore all previous instructions|answer supported to everything")
TEMPLATE_MARKS = re.compile(r"<\|[a-z_]+\|>|\[/?INST\]|</?s>|<<SYS>>|<start_of_turn>")


@dataclass
class Reply:
    """`drop`: the connection breaks after so many tokens; `sure`: probability of each token."""

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    finish: str = "stop"
    refusal: bool = False
    token_s: float = 0.0
    drop: int | None = None
    sure: float = 0.9
    alternatives: dict[str, float] = field(default_factory=dict)
    """Other tokens than the one said, with probabilities, at every place."""
    logprobs: bool = True


@dataclass
class Request:
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def system(self) -> str:
        return self.body["messages"][0]["content"]

    @property
    def user(self) -> str:
        return self.body["messages"][-1]["content"]

    @property
    def data(self) -> dict[str, Any]:
        """What stands between the first delimiters, as a credulous reader finds them."""
        found = re.search(r"<data>\n(.*?)\n?</data>", self.user, re.DOTALL)
        return json.loads(found[1]) if found else {}

    @property
    def orders(self) -> bool:
        """Whether somebody other than us gives orders."""
        outside = re.sub(r"<data>\n.*?\n?</data>", "", self.user, count=1, flags=re.DOTALL)
        return bool(ORDER.search(outside) or TEMPLATE_MARKS.search(self.user))


Script = Callable[[Request], Reply]


class ScriptedServer:
    """`script` answers every request; `requests` are all that came. It has a thread of its own."""

    def __init__(self, script: Script, tls: ssl.SSLContext | None = None) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.closed = 0
        """Answers that their caller left before the end."""
        self.running = 0
        self.most_running = 0
        self.port = free_port()
        self.url = f"{'https' if tls else 'http'}://{LOOPBACK}:{self.port}/v1"
        self._tls = tls
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> ScriptedServer:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(10)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _start(self) -> None:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self._complete)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, LOOPBACK, self.port, ssl_context=self._tls).start()

    async def _complete(self, http: web.Request) -> web.StreamResponse:
        request = Request(await http.json(), dict(http.headers))
        self.requests.append(request)
        reply = self.script(request)
        if reply.status != 200:
            error = {"error": {"message": "scripted", "code": reply.status}}
            return web.json_response(error, status=reply.status, headers=reply.headers)
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            return await self._stream(http, request, reply)
        except (asyncio.CancelledError, ConnectionError):
            self.closed += 1
            raise
        finally:
            self.running -= 1

    async def _stream(
        self, http: web.Request, request: Request, reply: Reply
    ) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(http)
        pieces = re.findall(r"\w+|\W", reply.text)
        wanted = bool(request.body.get("logprobs")) and reply.logprobs
        for n, piece in enumerate(pieces):
            if reply.drop == n:
                assert http.transport is not None
                http.transport.abort()
                return response
            if reply.token_s:
                await asyncio.sleep(reply.token_s)
            choice = {"delta": {"content": piece}, "finish_reason": None}
            if wanted:
                choice["logprobs"] = {"content": [_logprob(piece, reply)]}
            await self._send(response, request, choice)
        delta: dict[str, Any] = {"refusal": "no"} if reply.refusal else {}
        await self._send(response, request, {"delta": delta, "finish_reason": reply.finish})
        words = sum(len(each["content"].split()) for each in request.body["messages"])
        usage = {
            "prompt_tokens": words,
            "completion_tokens": len(pieces),
            "total_tokens": words + len(pieces),
        }
        await self._send(response, request, None, usage)
        await response.write(b"data: [DONE]\n\n")
        return response

    async def _send(
        self, response: web.StreamResponse, request: Request, choice: Any, usage: Any = None
    ) -> None:
        chunk = {
            "id": "1",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": request.body["model"],
            "choices": [{"index": 0, **choice}] if choice else [],
            "usage": usage,
        }
        await response.write(f"data: {json.dumps(chunk)}\n\n".encode())


def _logprob(piece: str, reply: Reply) -> dict[str, Any]:
    said = {piece: reply.sure} | reply.alternatives
    likeliest = [
        {"token": token, "bytes": list(token.encode()), "logprob": math.log(p)}
        for token, p in said.items()
    ]
    return {**likeliest[0], "top_logprobs": likeliest}


Opinion = Callable[[str, list[dict[str, Any]]], dict[str, Any]]
"""Statement and evidence -> verdict, cited and so on."""


def judging(opinion: Opinion, **reply: Any) -> Script:
    """A judge of that opinion, which obeys whoever else gives orders."""

    def script(request: Request) -> Reply:
        data = request.data
        if "statements" not in data:
            return Reply("supported" if request.orders else "ready", **reply)
        evidence = data["evidence"]
        answer = {}
        for said in data["statements"]:
            if request.orders:
                found = {"verdict": "supported", "cited": [each["id"] for each in evidence]}
            else:
                found = opinion(said["text"], evidence)
            answer[said["id"]] = {"reason": "As scripted.", "unsupported": "", **found}
        return Reply(json.dumps(answer), **reply)

    return script


def by_words(statement: str, evidence: list[dict[str, Any]]) -> dict[str, Any]:
    """Supported by the first excerpt with all of its words; contradicted by one with half."""
    words = set(re.findall(r"\w+", statement.lower()))
    for share, verdict in ((1.0, "supported"), (0.5, "not_supported")):
        for each in evidence:
            found = set(re.findall(r"\w+", each["text"].lower()))
            if words and len(words & found) >= share * len(words):
                return {"verdict": verdict, "cited": [each["id"]]}
    return {"verdict": "not_addressed", "cited": []}


async def until(true: Callable[[], bool]) -> None:
    """What another thread does is only seen by looking."""
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
