"""A response's body, within bounds whatever its headers say.

httpx would decompress each chunk whole before anybody can count, and 64 KiB of gzip hold 64 MiB;
so the bytes are taken as they came and inflated here, never further than the limit.
"""

from __future__ import annotations

import zlib

import httpx

from agents.adapters.fhir.errors import AttachmentError, AttachmentReason

ACCEPT_ENCODING = "gzip"
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS


async def read_body(response: httpx.Response, limit: int) -> bytes:
    """The decompressed body. Raises `AttachmentError` when it has more than `limit` bytes."""
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in {"", "identity", "gzip", "x-gzip", "deflate"}:
        raise AttachmentError(
            AttachmentReason.BROKEN, "The attachment comes in a Content-Encoding not asked for."
        )
    declared = response.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared) > limit:
        raise too_large(limit)
    inflate = _Inflate(limit) if encoding not in {"", "identity"} else None
    body, taken = bytearray(), 0
    async for chunk in response.aiter_raw():
        taken += len(chunk)
        body += inflate.feed(chunk) if inflate else chunk
        if max(taken, len(body)) > limit:
            raise too_large(limit)
    if inflate and taken:
        inflate.finish()
    return bytes(body)


def too_large(limit: int) -> AttachmentError:
    return AttachmentError(
        AttachmentReason.TOO_LARGE,
        f"The attachment has more than {limit:,} bytes: raise the limit, or send a smaller format.",
    )


class _Inflate:
    """gzip of any number of members (RFC 1952 section 2.2), or zlib; up to `limit` + 1 bytes."""

    def __init__(self, limit: int) -> None:
        self._room = limit + 1
        self._stream = zlib.decompressobj(_GZIP_OR_ZLIB)

    def feed(self, data: bytes) -> bytes:
        out = bytearray()
        while data and self._room:
            if self._stream.eof:
                self._stream = zlib.decompressobj(_GZIP_OR_ZLIB)
            try:
                piece = self._stream.decompress(data, self._room)
            except zlib.error:
                raise _not_gzip() from None
            self._room -= len(piece)
            out += piece
            data = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail
        return bytes(out)

    def finish(self) -> None:
        if not self._stream.eof:
            raise _not_gzip()


def _not_gzip() -> AttachmentError:
    return AttachmentError(
        AttachmentReason.BROKEN, "The attachment's Content-Encoding does not decompress."
    )
