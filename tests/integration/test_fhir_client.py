"""The FHIR client against real servers: slow, refusing, redirecting, throttling, lying, hostile."""

from __future__ import annotations

import asyncio
import base64
import gzip
import itertools
import logging
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import orjson
import pytest
from aiohttp import web

from agents.adapters.fhir import (
    AttachmentError,
    AttachmentReason,
    BearerToken,
    FhirBase,
    FhirClient,
    Limits,
)
from agents.errors import (
    ChartproofError,
    DeadlineExceeded,
    DependencyOverloaded,
    DependencyUnavailable,
    PermanentError,
    TransientError,
)
from streams.local.ports import free_port
from tests.integration.fhir_server import Handler, Server, sending, serving

NOTE = b"Afebrile overnight. Drain out on day two."
QUICK = Limits(
    max_bytes=50_000, connect_s=5, read_s=5, total_s=10, backoff_s=0.001, retry_after_s=0.05
)
Reason = AttachmentReason


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving() as running:
        yield running


@asynccontextmanager
async def client(*bases: FhirBase | str, limits: Limits = QUICK) -> AsyncIterator[FhirClient]:
    made = FhirClient([FhirBase(base) if isinstance(base, str) else base for base in bases], limits)
    try:
        yield made
    finally:
        await made.close()


async def reason(fetching: Awaitable[object]) -> AttachmentReason:
    with pytest.raises(PermanentError) as caught:
        await fetching
    assert isinstance(caught.value, AttachmentError)
    return caught.value.reason


def in_turn(*answers: web.Response | Handler) -> Handler:
    """The answers one after the other, the last for ever."""
    turns = itertools.chain(answers, itertools.repeat(answers[-1]))

    async def answer(request: web.Request) -> web.StreamResponse:
        turn = next(turns)
        if not isinstance(turn, web.Response):
            return await turn(request)
        return web.Response(status=turn.status, body=turn.body, headers=turn.headers)

    return answer


def text(body: bytes = NOTE, status: int = 200, **headers: str) -> web.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return web.Response(body=body, status=status, headers={"Content-Type": "text/plain", **named})


def resource(body: object) -> web.Response:
    return web.Response(
        body=orjson.dumps(body), headers={"Content-Type": "application/fhir+json; charset=utf-8"}
    )


# What is fetched


async def test_a_binary_as_bytes(server: Server) -> None:
    server.answers["Binary/1"] = web.Response(
        body=NOTE, headers={"Content-Type": "text/plain; charset=iso-8859-1"}
    )
    async with client(server.base) as source:
        fetched = await source.fetch("Binary/1")
    assert fetched.content == NOTE
    assert fetched.content_type == "text/plain; charset=iso-8859-1"
    assert fetched.url_base == server.base


@pytest.mark.parametrize("element", ["data", "content"], ids=["R4", "STU3"])
@pytest.mark.parametrize(
    "encode",
    [
        base64.b64encode,
        base64.encodebytes,
        base64.urlsafe_b64encode,
        lambda raw: base64.b64encode(raw).rstrip(b"="),
    ],
    ids=["standard", "wrapped", "url-safe", "unpadded"],
)
async def test_a_binary_as_fhir_json(
    server: Server, element: str, encode: Callable[[bytes], bytes]
) -> None:
    content = bytes(range(256))
    server.answers["Binary/1"] = resource(
        {
            "resourceType": "Binary",
            "contentType": "application/pdf",
            element: encode(content).decode(),
        }
    )
    async with client(server.base) as source:
        fetched = await source.fetch("Binary/1")
    assert (fetched.content, fetched.content_type) == (content, "application/pdf")


async def test_a_binary_as_json_under_another_type_and_behind_a_bom(server: Server) -> None:
    body = {"resourceType": "Binary", "data": base64.b64encode(NOTE).decode()}
    server.answers["Binary/1"] = text(b"\xef\xbb\xbf\n" + orjson.dumps(body))
    async with client(server.base) as source:
        fetched = await source.fetch("Binary/1")
    assert (fetched.content, fetched.content_type) == (NOTE, None)


async def test_a_masked_binary_is_empty(server: Server) -> None:
    server.answers["Binary/1"] = resource({"resourceType": "Binary", "_data": {"extension": []}})
    server.answers["Binary/2"] = web.Response(status=204)
    async with client(server.base) as source:
        assert (await source.fetch("Binary/1")).content == b""
        assert (await source.fetch("Binary/2")).content == b""


@pytest.mark.parametrize("reference", ["Binary/1", "Binary/1/_history/2?_format=json"])
async def test_data_that_hapi_keeps_elsewhere_are_fetched_from_there(
    server: Server, reference: str
) -> None:
    elsewhere = {
        "url": "http://hapifhir.io/fhir/StructureDefinition/externalized-binary-id",
        "valueString": "blob-1",
    }
    server.answers[reference.partition("?")[0]] = resource(
        {"resourceType": "Binary", "_data": {"extension": [elsewhere]}}
    )
    server.answers["Binary/1/$binary-access-read"] = text()
    async with client(server.base) as source:
        assert (await source.fetch(reference)).content == NOTE
    assert server.paths == [reference, "Binary/1/$binary-access-read?path=Binary"]


async def test_a_resource_comes_as_it_is(server: Server) -> None:
    body = {"resourceType": "DocumentReference", "id": "1", "meta": {"versionId": "2"}}
    server.answers["DocumentReference/1/_history/2"] = resource(body)
    async with client(server.base) as source:
        fetched = await source.fetch("DocumentReference/1/_history/2")
    assert orjson.loads(fetched.content) == body
    assert "application/fhir+json" in server.requests[0].headers["Accept"]


async def test_text_that_looks_like_json_stays_text(server: Server) -> None:
    server.answers["Binary/1"] = text(b"{plan: unchanged")
    server.answers["Binary/2"] = text(b'{"plan": "unchanged"}')
    async with client(server.base) as source:
        assert (await source.fetch("Binary/1")).content == b"{plan: unchanged"
        assert (await source.fetch("Binary/2")).content == b'{"plan": "unchanged"}'


async def test_absolute_references_go_to_their_own_base(server: Server) -> None:
    server.answers["Binary/1"] = text()
    async with serving() as other:
        other.answers["Binary/1"] = text(b"Another note.")
        async with client(server.base, other.base) as source:
            assert (await source.fetch(f"{other.base}/Binary/1")).content == b"Another note."
            assert (await source.fetch(f"{server.base}/Binary/1")).content == NOTE
            assert (await source.fetch("Binary/1")).url_base == server.base
        assert other.paths == ["Binary/1"]


@pytest.mark.parametrize(
    "body",
    [
        b'{"resourceType": "Binary", "data": "no base64!"}',
        b'{"resourceType": "Binary", "data": 5}',
        b'{"resourceType": "Binary", "da',
        b"",
    ],
)
async def test_a_binary_that_cannot_be_read_is_broken(server: Server, body: bytes) -> None:
    server.answers["Binary/1"] = web.Response(
        body=body, headers={"Content-Type": "application/fhir+json"}
    )
    async with client(server.base) as source:
        assert await reason(source.fetch("Binary/1")) is Reason.BROKEN


async def test_an_operation_outcome_is_no_note(server: Server) -> None:
    server.answers["Binary/1"] = resource({"resourceType": "OperationOutcome", "issue": []})
    async with client(server.base) as source:
        assert await reason(source.fetch("Binary/1")) is Reason.REFUSED


# Answers that are final


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (404, Reason.NOT_FOUND),
        (410, Reason.NOT_FOUND),
        (401, Reason.FORBIDDEN),
        (403, Reason.FORBIDDEN),
        (400, Reason.REFUSED),
        (406, Reason.REFUSED),
        (206, Reason.REFUSED),
        (302, Reason.REFUSED),
        (304, Reason.REFUSED),
    ],
)
async def test_a_final_answer_is_asked_for_once(
    server: Server, status: int, expected: AttachmentReason
) -> None:
    server.answers["Binary/1"] = web.Response(status=status)
    async with client(server.base) as source:
        assert await reason(source.fetch("Binary/1")) is expected
    assert len(server.requests) == 1


# Answers that may change


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
async def test_a_failure_that_passes_is_not_seen(server: Server, status: int) -> None:
    failure = web.Response(status=status)
    server.answers["Binary/1"] = in_turn(failure, failure, text())
    async with client(server.base) as source:
        assert (await source.fetch("Binary/1")).content == NOTE
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (429, DependencyOverloaded),
        (503, DependencyOverloaded),
        (500, DependencyUnavailable),
        (502, DependencyUnavailable),
        (504, DependencyUnavailable),
    ],
)
async def test_a_storm_is_left_to_the_caller_after_a_few_attempts(
    server: Server, status: int, expected: type[TransientError]
) -> None:
    server.answers["Binary/1"] = web.Response(status=status)
    async with client(server.base) as source:
        with pytest.raises(expected) as caught:
            await source.fetch("Binary/1")
    assert caught.value.dependency == "fhir"
    assert len(server.requests) == QUICK.attempts


async def test_retry_after_is_waited_for(server: Server) -> None:
    at: list[float] = []

    async def answer(_: web.Request) -> web.StreamResponse:
        at.append(time.monotonic())
        return text(status=429, Retry_After="1") if len(at) == 1 else text()

    server.answers["Binary/1"] = answer
    limits = Limits(backoff_s=0.001, retry_after_s=1)
    async with client(server.base, limits=limits) as source:
        assert (await source.fetch("Binary/1")).content == NOTE
    assert at[1] - at[0] >= 1


async def test_a_date_in_the_past_asks_for_no_wait(server: Server) -> None:
    past = format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)
    server.answers["Binary/1"] = in_turn(text(status=503, Retry_After=past), text())
    async with client(server.base) as source:
        assert (await source.fetch("Binary/1")).content == NOTE


@pytest.mark.parametrize("ahead", ["3600", format_datetime(datetime.now(UTC) + timedelta(hours=1))])
async def test_a_long_retry_after_is_left_to_the_caller_at_once(server: Server, ahead: str) -> None:
    server.answers["Binary/1"] = text(status=503, Retry_After=ahead)
    async with client(server.base) as source:
        with pytest.raises(DependencyOverloaded):
            await source.fetch("Binary/1")
    assert len(server.requests) == 1


async def test_a_port_that_refuses() -> None:
    async with client(f"http://127.0.0.1:{free_port()}/fhir") as source:
        with pytest.raises(DependencyUnavailable, match="does not answer"):
            await source.fetch("Binary/1")


async def silent(_: web.Request) -> web.StreamResponse:
    await asyncio.Event().wait()
    raise AssertionError


async def dripping(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b"a")
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    "limits",
    [Limits(read_s=0.05), Limits(total_s=0.05)],
    ids=["silence", "total"],
)
async def test_a_server_that_says_nothing_ends_at_the_deadline(
    server: Server, limits: Limits
) -> None:
    server.answers["Binary/1"] = silent
    async with client(server.base, limits=limits) as source:
        with pytest.raises(DeadlineExceeded):
            await source.fetch("Binary/1")
    assert len(server.requests) == 1


async def test_a_body_that_drips_ends_at_the_deadline(server: Server) -> None:
    server.answers["Binary/1"] = dripping
    async with client(server.base, limits=Limits(read_s=5, total_s=0.1)) as source:
        with pytest.raises(DeadlineExceeded):
            await source.fetch("Binary/1")


async def test_cancelling_a_fetch_frees_its_turn(server: Server) -> None:
    server.answers |= {"Binary/1": silent, "Binary/2": text()}
    async with client(server.base, limits=Limits(concurrency=1)) as source:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await source.fetch("Binary/1")
        assert (await source.fetch("Binary/2")).content == NOTE


async def test_a_base_has_so_many_requests_at_a_time(server: Server) -> None:
    running, most = 0, 0

    async def answer(_: web.Request) -> web.StreamResponse:
        nonlocal running, most
        running, most = running + 1, max(most, running + 1)
        await asyncio.sleep(0.01)
        running -= 1
        return text()

    server.answers["Binary/1"] = answer
    async with client(server.base, limits=Limits(concurrency=2)) as source:
        await asyncio.gather(*(source.fetch("Binary/1") for _ in range(8)))
    assert most == 2


# One attachment that fails for ever, beside others


@pytest.mark.parametrize("failing", [web.Response(status=500), dripping], ids=["500", "drips"])
async def test_what_fails_again_while_others_come_is_the_attachments_own_fault(
    server: Server, failing: web.Response | Handler
) -> None:
    server.answers |= {"Binary/bad": failing, "Binary/good": text()}
    limits = Limits(total_s=0.3, backoff_s=0.001)
    async with client(server.base, limits=limits) as source:
        await source.fetch("Binary/good")
        with pytest.raises(TransientError):
            await source.fetch("Binary/bad")
        await source.fetch("Binary/good")
        assert await reason(source.fetch("Binary/bad")) is Reason.BROKEN


async def test_a_server_that_fails_on_everything_is_waited_for(server: Server) -> None:
    server.answers |= dict.fromkeys(("Binary/1", "Binary/2"), web.Response(status=500))
    async with client(server.base) as source:
        for reference in ("Binary/1", "Binary/2") * 3:
            with pytest.raises(TransientError):
                await source.fetch(reference)
        server.answers["Binary/1"] = text()
        assert (await source.fetch("Binary/1")).content == NOTE


async def test_a_busy_server_is_waited_for_whatever_it_answers_others(server: Server) -> None:
    server.answers |= {"Binary/1": web.Response(status=503), "Binary/2": text()}
    async with client(server.base) as source:
        for _ in range(3):
            with pytest.raises(DependencyOverloaded):
                await source.fetch("Binary/1")
            await source.fetch("Binary/2")


# Sizes


async def endless(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    response.enable_chunked_encoding()
    await response.prepare(request)
    while True:
        await response.write(b"x" * 1000)


async def endless_gzip(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Encoding": "gzip"})
    await response.prepare(request)
    while True:  # empty members: nothing ever comes out
        await response.write(gzip.compress(b"") * 50)


def packed(body: bytes, encoding: str = "gzip") -> web.Response:
    return web.Response(
        body=body, headers={"Content-Encoding": encoding, "Content-Type": "text/plain"}
    )


@pytest.mark.parametrize(
    "answer",
    [
        text(b"x" * 50_001),
        packed(gzip.compress(bytes(50_001))),
        packed(gzip.compress(bytes(20_000_000))),
        packed(gzip.compress(bytes(30_000)) * 2),
        packed(zlib.compress(bytes(20_000_000)), "deflate"),
        resource({"resourceType": "Binary", "data": base64.b64encode(bytes(50_001)).decode()}),
        endless,
        endless_gzip,
    ],
    ids=["long", "gzip", "bomb", "members", "zlib", "binary", "endless", "endless gzip"],
)
async def test_what_is_too_large_is_not_read_to_its_end(
    server: Server, answer: web.Response | Handler
) -> None:
    server.answers |= {"Binary/1": answer, "Binary/2": text()}
    async with client(server.base) as source:
        assert await reason(source.fetch("Binary/1")) is Reason.TOO_LARGE
        assert (await source.fetch("Binary/2")).content == NOTE


@pytest.mark.parametrize(
    "answer",
    [
        text(b"x" * 50_000),
        packed(gzip.compress(b"x" * 50_000)),
        packed(gzip.compress(b"x" * 25_000) * 2, "X-GZIP"),
        packed(zlib.compress(b"x" * 50_000), "deflate"),
        resource({"resourceType": "Binary", "data": base64.encodebytes(b"x" * 50_000).decode()}),
    ],
    ids=["plain", "gzip", "members", "zlib", "binary"],
)
async def test_what_just_fits_is_read(server: Server, answer: web.Response) -> None:
    server.answers["Binary/1"] = answer
    async with client(server.base) as source:
        assert (await source.fetch("Binary/1")).content == b"x" * 50_000


@pytest.mark.parametrize(
    "answer",
    [
        packed(gzip.compress(NOTE)[:-4]),
        packed(NOTE),
        packed(gzip.compress(NOTE) + b"rest"),
        packed(NOTE, "br"),
        packed(gzip.compress(gzip.compress(NOTE)), "gzip, gzip"),
    ],
    ids=["cut", "plain", "rest", "brotli", "twice"],
)
async def test_what_does_not_decompress_is_broken(server: Server, answer: web.Response) -> None:
    server.answers["Binary/1"] = answer
    async with client(server.base) as source:
        assert await reason(source.fetch("Binary/1")) is Reason.BROKEN


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
LENGTH = HEAD + b"Content-Length: %d\r\n\r\n"
WHOLE = LENGTH % len(NOTE) + NOTE


async def test_a_content_length_longer_than_the_body_is_asked_for_again() -> None:
    cut = LENGTH % 1000 + NOTE
    async with sending(cut, WHOLE) as base, client(base) as source:
        assert (await source.fetch("Binary/1")).content == NOTE
    async with sending(cut) as base, client(base) as source:
        with pytest.raises(DependencyUnavailable):
            await source.fetch("Binary/1")


async def test_a_content_length_over_the_limit_is_believed_before_the_body_is_read() -> None:
    async with sending(LENGTH % 10**12) as base, client(base) as source:
        assert await reason(source.fetch("Binary/1")) is Reason.TOO_LARGE


async def test_what_stands_behind_a_short_content_length_is_no_answer_to_the_next(
    server: Server,
) -> None:
    """What is left over on a connection must not become another patient's note."""
    smuggled = LENGTH % 5 + b"Note." + LENGTH % 6 + b"Other."

    async def answer(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.write(smuggled)
        return await silent(request)

    server.answers |= {"Binary/1": answer, "Binary/2": text()}
    async with client(server.base) as source:
        assert (await source.fetch("Binary/1")).content == b"Note."
        assert (await source.fetch("Binary/2")).content == NOTE


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"220 ftp.example.org ready\r\n",
        b"\x16\x03\x01\x00\x00",
        b"HTTP/1.1 200 OK\r\n" + b"X: " + b"x" * 200_000,
        b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nNote.\r\n",
        b"HTTP/1.1 302 Found\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: \xff\xfe\r\nContent-Encoding: \xff\r\n\r\n",
        b"HTTP/1.1 503 \xff\r\nRetry-After: \xff\r\n\r\n",
    ],
)
async def test_no_answer_whatever_raises_what_is_not_ours(answer: bytes) -> None:
    async with sending(answer) as base, client(base) as source:
        with pytest.raises(ChartproofError):
            await source.fetch("Binary/1")


# Redirects and server-side request forgery


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, object]]:
    """Every host and port that a connection is opened to."""
    opened: list[tuple[object, object]] = []
    real = asyncio.base_events.BaseEventLoop.create_connection

    async def recording(self, factory, host=None, port=None, **options):
        opened.append((host, port))
        return await real(self, factory, host, port, **options)

    monkeypatch.setattr(asyncio.base_events.BaseEventLoop, "create_connection", recording)
    return opened


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_within_the_base_is_followed(server: Server, status: int) -> None:
    there = {"Location": f"{server.base}/Binary/2"}
    server.answers |= {
        "Binary/1": web.Response(status=status, headers=there),
        "Binary/2": web.Response(status=status, headers={"Location": "3"}),
        "Binary/3": text(),
    }
    async with client(server.base) as source:
        assert (await source.fetch("Binary/1")).content == NOTE
    assert server.paths == ["Binary/1", "Binary/2", "Binary/3"]


async def test_redirects_without_end_are_refused(server: Server) -> None:
    server.answers["Binary/1"] = web.Response(status=302, headers={"Location": "1"})
    async with client(server.base) as source:
        assert await reason(source.fetch("Binary/1")) is Reason.REFUSED
    assert len(server.requests) == 1 + QUICK.redirects


@pytest.mark.parametrize(
    "location",
    [
        "http://169.254.169.254/latest/meta-data/iam/",
        "{other}/fhir/Binary/1",
        "//{other_host}/fhir/Binary/1",
        "{origin}/admin",
        "/admin",
        "../../admin",
        "%2e%2e/%2e%2e/admin",
        "{origin}/fhir-evil/Binary/1",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "http://{host}@{other_host}/fhir/Binary/1",
        "https://{host}/fhir/Binary/1",
        "/",
    ],
)
async def test_a_redirect_off_the_base_is_not_followed(
    server: Server, connections: list[tuple[object, object]], location: str
) -> None:
    async with serving() as other, client(server.base) as source:
        names = {"origin": server.origin, "other": other.origin}
        hosts = {f"{name}host": url.removeprefix("http://") for name, url in names.items()}
        place = location.format(**names, host=hosts["originhost"], other_host=hosts["otherhost"])
        server.answers["Binary/1"] = web.Response(status=302, headers={"Location": place})
        connections.clear()
        assert await reason(source.fetch("Binary/1")) is Reason.URL_NOT_ALLOWED
        assert len(server.requests) == len(connections) == 1
        assert not other.requests


@pytest.mark.parametrize(
    "reference",
    [
        "file:///etc/passwd",
        "ftp://127.0.0.1:{port}/fhir/Binary/1",
        "gopher://127.0.0.1:{port}/fhir/Binary/1",
        "http://169.254.169.254/latest/meta-data/",
        "http://[fd00:ec2::254]/latest/meta-data/",
        "http://127.0.0.1:{port}@evil.example/fhir/Binary/1",
        "http://evil.example@127.0.0.1:{port}/fhir/Binary/1",
        "http://127.0.0.1:{port}.evil.example/fhir/Binary/1",
        "http://127.0.0.1:{port}/fhir-evil/Binary/1",
        "http://127.0.0.1:{port}/admin",
        "http://127.0.0.1:{port}/fhir/../admin",
        "http://127.0.0.1:{port}/fhir/%2e%2e/admin",
        "http://127.0.0.1:{port}1/fhir/Binary/1",
        "http://2130706433:{port}/fhir/Binary/1",
        "http://0x7f.1:{port}/fhir/Binary/1",
        "http://[::ffff:7f00:1]:{port}/fhir/Binary/1",
        "http://localhost:{port}/fhir/Binary/1",
        "http://１２７.0.0.1:{port}/fhir/Binary/1",
        "//127.0.0.1:{port}/fhir/Binary/1",
        "../admin",
        "Binary/../../admin",
        "Binary/1\r\nX-Injected: 1",
    ],
)
async def test_a_forged_reference_opens_no_connection(
    server: Server, connections: list[tuple[object, object]], reference: str
) -> None:
    port = server.origin.rpartition(":")[2]
    async with client(server.base) as source:
        connections.clear()
        fetching = source.fetch(reference.format(port=port))
        assert await reason(fetching) is Reason.URL_NOT_ALLOWED
    assert connections == []


async def test_the_environment_sends_nothing_elsewhere(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login someone password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    server.answers["Binary/1"] = text()
    async with serving() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.origin)
        async with client(server.base) as source:
            assert (await source.fetch("Binary/1")).content == NOTE
        assert not proxy.requests
    assert "Authorization" not in server.requests[0].headers


async def test_cookies_are_not_kept(server: Server) -> None:
    server.answers["Binary/1"] = text(Set_Cookie="session=1; Path=/")
    async with client(server.base) as source:
        await source.fetch("Binary/1")
        await source.fetch("Binary/1")
    assert all("Cookie" not in request.headers for request in server.requests)


# What is said about it


async def test_logs_and_errors_hold_no_url_token_or_answer(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("aiohttp").setLevel(logging.CRITICAL)
    answers = [text(b"MRN-4711", status) for status in (401, 403, 404, 418, 429, 500, 502, 302)]
    base = FhirBase(server.base, BearerToken("secret-token"))
    assert "secret" not in repr(base)
    async with client(base) as source:
        for answer in answers:
            server.answers["Patient/jane-roe"] = answer
            with pytest.raises(ChartproofError) as caught:
                await source.fetch("Patient/jane-roe")
            assert caught.value.__suppress_context__ or caught.value.__context__ is None
            for secret in ("jane", "secret", "MRN", "127.0.0.1"):
                assert secret not in repr(caught.value)
    said = [record for record in caplog.records if record.name.split(".")[0] != "asyncio"]
    assert said == []
