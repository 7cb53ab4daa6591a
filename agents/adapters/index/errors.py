"""pymilvus and gRPC errors as ours, at the one place where the calls are.

Messages name the operation and a code, never what Milvus said: that may quote the filter, and the
filter holds the patient's id. For the same reason the original is not chained (`from None`), and
pymilvus' own loggers, which print whole requests with their tracebacks, are silenced.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc  # type: ignore[import-untyped]
from pymilvus.client.types import Status
from pymilvus.exceptions import ErrorCode, MilvusException

from agents.errors import (
    ChartproofError,
    DeadlineExceeded,
    DependencyOverloaded,
    DependencyUnavailable,
    PermanentError,
)

MILVUS = "milvus"
NOT_READY = frozenset({ErrorCode.COLLECTION_NOT_FOUND, 101, 103})
"""Collection not found, not loaded, not fully loaded: what a restarted Milvus Lite answers."""
_OVERLOADED = frozenset({3, 4, 7, ErrorCode.RATE_LIMIT, 12})
"""Milvus' merr codes: memory limit, request limit, disk limit, rate limit, resources."""
_DENIED = frozenset({grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED})


def silence_pymilvus() -> None:
    for name in ("pymilvus", "pymilvus.milvus_client", "pymilvus.bulk_writer"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def code_of(error: MilvusException | grpc.RpcError) -> object:
    """Milvus' error code, or gRPC's status code where the answer never came from Milvus."""
    code: object = error.code() if isinstance(error, grpc.RpcError) else error.code
    return code


@asynccontextmanager
async def milvus_errors(operation: str, address: str, timeout: float) -> AsyncIterator[None]:
    """Run one call to Milvus with a deadline of `timeout` seconds, and map what it raises.

    Raises `DeadlineExceeded`, `DependencyUnavailable`, `DependencyOverloaded`, or a
    `PermanentError` with reason `index_rejected` for what a repeat cannot mend.
    """
    task = asyncio.current_task()
    try:
        async with asyncio.timeout(timeout):
            yield
    except TimeoutError:
        raise DeadlineExceeded(
            MILVUS, f"Milvus at {address} did not finish {operation} within {timeout:g} s"
        ) from None
    except (MilvusException, grpc.RpcError) as error:
        raise _mapped(error, operation, address) from None
    except asyncio.CancelledError:
        # A channel that pymilvus closes while reconnecting cancels the calls on it.
        if task is not None and task.cancelling():
            raise
        raise _unavailable(operation, address, "the connection was closed") from None


def _mapped(
    error: MilvusException | grpc.RpcError, operation: str, address: str
) -> ChartproofError:
    code = code_of(error)
    if code in _DENIED:
        # Waiting is right: a wrong token must not turn every event into a dead letter.
        return _unavailable(operation, address, "it refuses our credentials: check the token")
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return DeadlineExceeded(MILVUS, f"Milvus at {address} did not finish {operation} in time")
    if code is grpc.StatusCode.RESOURCE_EXHAUSTED or code in _OVERLOADED:
        return DependencyOverloaded(
            MILVUS, f"Milvus at {address} cannot take {operation} now (code {code})"
        )
    if code == Status.CONNECT_FAILED or code in NOT_READY or isinstance(code, grpc.StatusCode):
        return _unavailable(operation, address, f"code {code}")
    if isinstance(error, MilvusException) and error.retriable:
        return _unavailable(operation, address, f"code {code}")
    return PermanentError(
        "index_rejected",
        f"Milvus rejected {operation} (code {code}); its own log says why",
    )


def _unavailable(operation: str, address: str, why: str) -> DependencyUnavailable:
    return DependencyUnavailable(
        MILVUS,
        f"Milvus at {address} does not answer {operation} ({why}): check that it runs there "
        "(`chartproof up` starts a local one) and that address, TLS and token are right",
    )
