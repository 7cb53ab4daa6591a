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
from pymilvus.exceptions import (
    DataNotMatchException,
    ErrorCode,
    MilvusException,
    ParamError,
)

from agents.errors import (
    ChartproofError,
    DeadlineExceeded,
    DependencyOverloaded,
    DependencyUnavailable,
    PermanentError,
)

MILVUS = "milvus"
WRITING = "upsert"
"""How operations begin that write rows."""
NOT_READY = frozenset({ErrorCode.COLLECTION_NOT_FOUND, 101, 103})
"""Collection not found, not loaded, not fully loaded: what a restarted Milvus Lite answers."""
_OVERLOADED = frozenset({3, 4, 7, ErrorCode.RATE_LIMIT, 12})
"""Milvus' merr codes: memory limit, request limit, disk limit, rate limit, resources."""
_ROW_AT_FAULT = frozenset({1100, 1102})
"""Milvus' merr codes for an upsert with a value that its column cannot hold: parameter invalid,
parameter too large."""
_LITE_ROW_AT_FAULT = 6
"""Milvus Lite's code for the same, with a message that names the field. A cluster has the number
for a routing error, which passes."""
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

    Raises `DeadlineExceeded`, `DependencyUnavailable` or `DependencyOverloaded`. Only where a row
    that is written is itself at fault it is a `PermanentError` with reason `index_rejected`: any
    other code may come from an outage, and an outage must not turn notes into dead letters.
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
    if operation.startswith(WRITING) and _is_row_at_fault(error):
        return PermanentError(
            "index_rejected", f"Milvus cannot hold a value of the document (code {code})"
        )
    return _unavailable(operation, address, f"code {code}; its own log says why")


def _is_row_at_fault(error: MilvusException | grpc.RpcError) -> bool:
    if isinstance(error, DataNotMatchException | ParamError):
        return True  # by pymilvus, before anything is sent
    if isinstance(error, grpc.RpcError) or error.retriable:
        return False
    of_lite = error.code == _LITE_ROW_AT_FAULT and " field '" in f" {error.message}"
    return of_lite or error.code in _ROW_AT_FAULT


def _unavailable(operation: str, address: str, why: str) -> DependencyUnavailable:
    return DependencyUnavailable(
        MILVUS,
        f"Milvus at {address} does not answer {operation} ({why}): check that it runs there "
        "(`chartproof up` starts a local one) and that address, TLS and token are right",
    )
