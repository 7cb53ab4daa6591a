"""One connection to Milvus: every call with a deadline, on a collection that is there and loaded.

Data goes through pymilvus' asynchronous client, so nothing blocks the event loop and a cancelled
caller cancels its call. A server that went away and came back needs nothing from the caller: the
client reconnects, and a collection that Milvus Lite forgot to load is loaded again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from pymilvus import AsyncMilvusClient
from pymilvus.exceptions import MilvusException

from agents.adapters.index import schema
from agents.adapters.index.errors import NOT_READY, milvus_errors, silence_pymilvus
from agents.adapters.index.schema import Collection
from agents.errors import DependencyUnavailable, PermanentError

_CHANNEL = {
    # pymilvus reconnects on an error; a shared subchannel would still be backing off, up to 120 s.
    "grpc.use_local_subchannel_pool": 1,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 2_000,
}


@dataclass(frozen=True)
class Address:
    """Where Milvus is and how long it may take. `repr` never shows the token."""

    uri: str
    token: str | None
    database: str
    timeout_s: float
    ca_file: str | None = None
    """PEM of the authority that signed the server's certificate; None means the system's."""

    @property
    def place(self) -> str:
        """Host and port, without credentials, for messages."""
        return urlsplit(self.uri).netloc.rpartition("@")[2]

    def arguments(self) -> dict[str, Any]:
        """Of `MilvusClient` and `AsyncMilvusClient`."""
        authority = {"server_pem_path": self.ca_file} if self.ca_file else {}
        return {
            **authority,
            "uri": self.uri,
            "token": self.token or "",
            "db_name": self.database,
            "timeout": self.timeout_s,
            "dedicated": True,
            "grpc_options": _CHANNEL,
        }

    def __repr__(self) -> str:
        return f"Address({self.place!r})"


class Session:
    """A connection that outlives restarts of the server."""

    def __init__(self, address: Address, dim: int | None) -> None:
        silence_pymilvus()
        self.address = address
        self._dim = dim
        self._client = AsyncMilvusClient(**address.arguments())
        self._ready: set[str] = set()
        self._making = asyncio.Lock()

    async def version(self) -> str:
        async with self._deadline("check"):
            return str(await self._client.get_server_version(retry_times=1))

    async def collections(self) -> list[str]:
        async with self._deadline("list collections"):
            return list(await self._client.list_collections(retry_times=1))

    async def describe(self, collection: Collection) -> Mapping[str, Any]:
        async with self._deadline(f"describe {collection.kind}"):
            return dict(await self._client.describe_collection(collection.name, retry_times=1))

    async def search(self, collection: Collection, **arguments: object) -> list[dict[str, Any]]:
        """Hits of one search: dictionaries with `distance` and `entity`."""
        (hits,) = await self._call("search", collection, arguments)
        return list(hits)

    async def query(self, collection: Collection, **arguments: object) -> list[dict[str, Any]]:
        return list(await self._call("query", collection, arguments))

    async def upsert(self, collection: Collection, data: list[dict[str, Any]]) -> None:
        dims = {len(row["dense"]) for row in data if "dense" in row}
        if dims - {self._dim}:
            # The embedder was exchanged under us. No note is to blame: they wait.
            raise DependencyUnavailable(
                "milvus",
                f"the index holds vectors of {self._dim} dimensions and the embedder gives "
                f"{max(dims)}: serve the embedder that made the index, or start the worker anew",
            )
        await self._call("upsert", collection, {"data": data})

    async def delete(self, collection: Collection, where: str) -> None:
        await self._call("delete", collection, {"filter": where})

    async def close(self) -> None:
        await self._client.close()

    async def _call(
        self, method: str, collection: Collection, arguments: Mapping[str, object]
    ) -> Any:  # noqa: ANN401 - each method of pymilvus has its own kind of answer
        """Call a method of the client; once more where the collection has to be made or loaded."""
        call = getattr(self._client, method)
        async with self._deadline(f"{method} on {collection.kind}"):
            await self._ensure(collection)
            try:
                return await call(collection.name, retry_times=1, **arguments)
            except MilvusException as error:
                if error.code not in NOT_READY:
                    raise
            self._ready.discard(collection.name)
            await self._ensure(collection)
            return await call(collection.name, retry_times=1, **arguments)

    async def _ensure(self, collection: Collection) -> None:
        if collection.name in self._ready:
            return
        async with self._making:
            if collection.name not in self._ready:
                # Fails at once where nothing answers; the synchronous client would wait.
                await self._client.get_server_version(retry_times=1)
                assert self._dim is not None, "an index to look at is not written"
                arguments = self.address.arguments()
                try:
                    await asyncio.to_thread(schema.ensure, arguments, collection, self._dim)
                except PermanentError as error:
                    # Another worker made it since we connected. No event is to blame: they wait.
                    raise DependencyUnavailable("milvus", str(error)) from None
                self._ready.add(collection.name)

    def _deadline(self, operation: str) -> AbstractAsyncContextManager[None]:
        return milvus_errors(operation, self.address.place, self.address.timeout_s)
