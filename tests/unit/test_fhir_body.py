"""Bodies and Binaries, whatever their bytes: the limit holds, and every end is one of ours."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import zlib
from collections.abc import AsyncIterator
from contextlib import suppress

import httpx
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.adapters.fhir.binary import Externalised, unwrap, wire_limit
from agents.adapters.fhir.body import read_body
from agents.adapters.fhir.errors import AttachmentError, AttachmentReason


def read(chunks: list[bytes], encoding: str, limit: int) -> bytes:
    async def stream() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    response = httpx.Response(200, headers={"Content-Encoding": encoding}, content=stream())
    return asyncio.run(read_body(response, limit))


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


BODIES = st.one_of(
    st.binary(max_size=300),
    st.builds(lambda byte, n: byte * n, st.just(b"a"), st.integers(0, 3000)),
)


@given(
    parts=st.lists(BODIES, min_size=1, max_size=3),
    size=st.integers(1, 400),
    encoding=st.sampled_from(["gzip", "identity", ""]),
    slack=st.integers(-1, 1),
)
def test_a_body_is_read_up_to_the_limit_however_it_is_cut(
    parts: list[bytes], size: int, encoding: str, slack: int
) -> None:
    whole = b"".join(parts)
    sent = b"".join(map(gzip.compress, parts)) if encoding == "gzip" else whole
    limit = max(len(whole), len(sent)) + slack
    if slack >= 0:
        assert read(cut(sent, size), encoding, limit) == whole
    elif limit >= 0:
        with pytest.raises(AttachmentError) as caught:
            read(cut(sent, size), encoding, limit)
        assert caught.value.reason is AttachmentReason.TOO_LARGE


@given(st.binary(max_size=200), st.sampled_from([b"", gzip.compress(b"a"), zlib.compress(b"b")]))
def test_what_is_not_gzip_is_broken_or_read(tail: bytes, head: bytes) -> None:
    with suppress(AttachmentError):
        read(cut(head + tail, 50), "gzip", 1000)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
RESOURCES = st.fixed_dictionaries(
    {"resourceType": st.sampled_from(["Binary", "OperationOutcome", "DocumentReference"]) | JSON},
    optional=dict.fromkeys(("data", "_data", "content", "contentType", "extension"), JSON),
)
TYPES = st.sampled_from([None, "", "text/plain", "application/fhir+json", "application/json"])


@given(RESOURCES, TYPES)
def test_whatever_resource_comes_ends_as_said(resource: object, content_type: str | None) -> None:
    with suppress(AttachmentError, Externalised):
        unwrap(json.dumps(resource).encode(), content_type)


@given(st.binary(max_size=100), TYPES)
def test_whatever_bytes_come_end_as_said(body: bytes, content_type: str | None) -> None:
    with suppress(AttachmentError):
        assert unwrap(body, content_type) == (body, content_type)


def test_nesting_is_no_way_out() -> None:
    deep = b'{"resourceType": "Binary", "_data": ' + b"[" * 1000 + b"]" * 1000 + b"}"
    assert unwrap(deep, "application/fhir+json") == (b"", None)
    deeper = b'{"resourceType": "Binary", "_data": ' + b"[" * 100_000
    with pytest.raises(AttachmentError):
        unwrap(deeper, "application/fhir+json")


@given(st.binary(max_size=2000))
def test_a_binary_gives_what_went_in_and_fits_its_limit(content: bytes) -> None:
    data = base64.encodebytes(content).decode().replace("\n", "\r\n")
    body = orjson.dumps({"resourceType": "Binary", "contentType": "text/plain", "data": data})
    assert unwrap(body, "application/fhir+json") == (content, "text/plain")
    assert len(body) <= wire_limit(len(content), "application/fhir+json")
