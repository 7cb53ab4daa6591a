"""Settings -> the ports: the index on Milvus, the models on Triton or in this process, the notes
on FHIR servers."""

from __future__ import annotations

from agents.adapters.fhir import BearerToken, FhirBase, FhirClient, Limits, SmartBackendServices
from agents.adapters.index.milvus import MilvusIndex
from agents.adapters.models import Models, in_process, triton
from agents.errors import ChartproofError
from streams.settings import Settings


async def open_index(settings: Settings, *, dim: int | None) -> MilvusIndex:
    """`dim` is the embedder's; None where it is not known, which is enough to see Milvus answer.

    Raises `DependencyUnavailable` when it does not, `PermanentError` when the index is another's.
    """
    token, ca_file = settings.milvus_token, settings.milvus_ca_file
    return await MilvusIndex.connect(
        settings.milvus_uri,
        token=token.get_secret_value() if token else None,
        ca_file=str(ca_file) if ca_file else None,
        database=settings.milvus_database,
        prefix=settings.milvus_prefix,
        spread=settings.milvus_spread,
        dim=dim,
    )


async def stored_dim(settings: Settings) -> int | None:
    """Of the vectors in the index, whatever embedder made them; None while it is empty."""
    index = await open_index(settings, dim=None)
    try:
        return await index.stored_dim()
    finally:
        await index.close()


async def open_models(settings: Settings) -> Models:
    """Raises `DependencyUnavailable` when Triton or one of its models does not answer."""
    if settings.models == "in-process":
        return await in_process.load(settings.model_repository, timeout_s=settings.model_timeout_s)
    files = triton_certificates(settings)
    try:
        return await triton.connect(
            settings.triton_url,
            timeout_s=settings.model_timeout_s,
            ssl=settings.triton_ssl,
            certificates=files,
        )
    except OSError as error:
        raise ChartproofError(f"CHARTPROOF_TRITON_*_FILE: {error}") from None


def triton_certificates(settings: Settings) -> triton.Certificates:
    return triton.Certificates(
        root=settings.triton_ca_file,
        private_key=settings.triton_key_file,
        chain=settings.triton_cert_file,
    )


def open_source(settings: Settings) -> FhirClient | None:
    """The client of the configured FHIR bases, None without one. Call it in a running loop.

    Raises `ChartproofError` where the settings contradict each other or a file cannot be read.
    """
    if not settings.fhir_bases:
        return None
    seconds = settings.fhir_timeout_s
    limits = Limits(
        max_bytes=settings.fhir_max_bytes,
        connect_s=min(Limits.connect_s, seconds),
        read_s=min(Limits.read_s, seconds),
        total_s=seconds,
    )
    try:
        auth = _fhir_auth(settings)
        bases = [
            FhirBase(url, None if number else auth, settings.fhir_allow_http)
            for number, url in enumerate(settings.fhir_bases)
        ]
        return FhirClient(bases, limits, ca_file=settings.fhir_ca_file)
    except (ValueError, OSError) as error:
        raise ChartproofError(f"CHARTPROOF_FHIR_*: {error}") from None


def _fhir_auth(settings: Settings) -> BearerToken | SmartBackendServices | None:
    client_id, key_file = settings.fhir_client_id, settings.fhir_private_key_file
    if (client_id is None) != (key_file is None):
        raise ValueError("client id and private key file belong together")
    if settings.fhir_token and client_id:
        raise ValueError("give a token or a client id, not both")
    if settings.fhir_token:
        return BearerToken(settings.fhir_token.get_secret_value())
    if client_id is None or key_file is None:
        return None
    return SmartBackendServices(
        client_id,
        key_file.read_text("utf-8"),
        key_id=settings.fhir_key_id,
        scope=settings.fhir_scope,
        token_url=settings.fhir_token_url,
    )
