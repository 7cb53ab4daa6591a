"""TLS and tokens, against Milvus Lite's service behind a gRPC server that asks for both."""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from milvus_lite.adapter.grpc.servicer import MilvusServicer
from milvus_lite.db import MilvusLite as Database
from pymilvus.grpc_gen import milvus_pb2_grpc

from agents.adapters.index.milvus import MilvusIndex
from agents.errors import DependencyUnavailable
from streams.local.ports import LOOPBACK

TOKEN = "chartproof:pass word"


@dataclass
class SecureServer:
    uri: str
    ca_file: str


class AsksForToken(grpc.ServerInterceptor):
    def intercept_service(self, continuation: Callable, details: grpc.HandlerCallDetails):
        sent = dict(details.invocation_metadata).get("authorization", "")
        if base64.b64decode(sent).decode() == TOKEN:
            return continuation(details)

        def refuse(_request: object, context: grpc.ServicerContext):
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "wrong token")

        return grpc.unary_unary_rpc_method_handler(refuse)


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[SecureServer]:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=milvus", "-addext", f"subjectAltName=IP:{LOOPBACK}", "-keyout", key, "-out",
         certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    database = Database(str(tmp_path / "data"))
    server = grpc.server(ThreadPoolExecutor(1), interceptors=[AsksForToken()])
    milvus_pb2_grpc.add_MilvusServiceServicer_to_server(MilvusServicer(database), server)
    pair = (key.read_bytes(), certificate.read_bytes())
    port = server.add_secure_port(f"{LOOPBACK}:0", grpc.ssl_server_credentials([pair]))
    server.start()
    yield SecureServer(f"https://{LOOPBACK}:{port}", str(certificate))
    server.stop(1).wait()
    database.close()


async def test_a_private_authority_and_a_token(secure: SecureServer):
    index = await MilvusIndex.connect(
        secure.uri, token=TOKEN, ca_file=secure.ca_file, spread=1, dim=4
    )
    await index.check()
    assert await index.count("p") == 0
    await index.close()


@pytest.mark.parametrize("token", [None, "chartproof:wrong"])
async def test_a_wrong_token_is_said_and_not_a_dead_letter(secure: SecureServer, token: str | None):
    with pytest.raises(DependencyUnavailable, match="token") as refused:
        await MilvusIndex.connect(secure.uri, token=token, ca_file=secure.ca_file, timeout_s=5)
    assert "wrong" not in str(refused.value)


async def test_a_certificate_of_an_unknown_authority_is_refused(secure: SecureServer):
    with pytest.raises(DependencyUnavailable, match="TLS"):
        await MilvusIndex.connect(secure.uri, token=TOKEN, timeout_s=5)


async def test_plain_text_to_a_tls_server_is_refused(secure: SecureServer):
    with pytest.raises(DependencyUnavailable, match="TLS"):
        await MilvusIndex.connect(secure.uri.replace("https", "http"), token=TOKEN, timeout_s=5)
