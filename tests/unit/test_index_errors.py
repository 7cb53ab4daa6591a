"""Which answers of Milvus are waited out, and which few are the fault of a row."""

from __future__ import annotations

import grpc
import pytest
from pymilvus.exceptions import DataNotMatchException, MilvusException, ParamError

from agents.adapters.index.errors import milvus_errors
from agents.errors import (
    ChartproofError,
    DependencyOverloaded,
    DependencyUnavailable,
    PermanentError,
    TransientError,
)

UPSERT, QUERY = "upsert on facts", "query on facts"


class RpcError(grpc.RpcError):
    def code(self) -> grpc.StatusCode:
        return grpc.StatusCode.UNKNOWN


async def mapped(error: Exception, operation: str) -> ChartproofError:
    with pytest.raises(ChartproofError) as raised:
        async with milvus_errors(operation, "place", 5):
            raise error
    assert "secret" not in str(raised.value)
    return raised.value


@pytest.mark.parametrize("code", [*range(1, 13), 100, 500, 700, 1100, 1800, 2000, 65_535])
@pytest.mark.parametrize("operation", [QUERY, "delete on facts", "search on facts"])
async def test_no_reading_and_no_deleting_makes_a_dead_letter(code: int, operation: str) -> None:
    error = await mapped(MilvusException(code=code, message="secret"), operation)
    assert isinstance(error, TransientError)


@pytest.mark.parametrize("code", [1, 2, 5, 6, 9, 10, 600, 901, 1800, 2000, 65_535])
async def test_a_code_that_says_nothing_of_the_row_is_waited_out(code: int) -> None:
    """As a full disk gives: nobody knows all the codes of an outage."""
    error = await mapped(MilvusException(code=code, message="no space left: secret"), UPSERT)
    assert isinstance(error, DependencyUnavailable)


@pytest.mark.parametrize("code", [3, 4, 7, 8, 12])
async def test_a_server_that_is_full_is_overloaded(code: int) -> None:
    assert isinstance(await mapped(MilvusException(code=code), UPSERT), DependencyOverloaded)


@pytest.mark.parametrize(
    "error",
    [
        MilvusException(code=1100, message="length of varchar field secret exceeds max length"),
        MilvusException(code=1102, message="secret"),
        MilvusException(code=6, message="VARCHAR field 'secret' value length 20 exceeds"),
        DataNotMatchException(message="secret"),
        ParamError(message="secret"),
    ],
)
async def test_a_value_that_no_column_holds_is_the_fault_of_the_row(error: Exception) -> None:
    permanent = await mapped(error, UPSERT)
    assert isinstance(permanent, PermanentError)
    assert permanent.reason == "index_rejected"


async def test_what_grpc_says_is_waited_out() -> None:
    assert isinstance(await mapped(RpcError(), UPSERT), DependencyUnavailable)
