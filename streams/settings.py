"""All configuration, and the only place that reads the environment (prefix `CHARTPROOF_`)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from schemas.topics import DEFAULT_PREFIX

REPOSITORY = Path(__file__).resolve().parent.parent
"""Where `triton_models/` lies: the checkout, or site-packages of an installed wheel."""

ENV_FILE = Path(".chartproof.env")
"""Settings of the stack that `chartproof up` runs from this folder; the environment comes first."""

Agent = Literal["intake", "chart", "alerter"]


class Settings(BaseSettings):
    """Settings of a worker and of the CLI. Secrets are `SecretStr`: they do not print."""

    model_config = SettingsConfigDict(
        env_prefix="CHARTPROOF_", env_file=ENV_FILE, extra="ignore", frozen=True
    )

    broker: str = Field("127.0.0.1:9092", description="Kafka bootstrap servers, host:port[,...]")
    topic_prefix: str = DEFAULT_PREFIX
    group: str = Field("chartproof", description="Consumer group of the workers")
    security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    sasl_mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = "PLAIN"
    sasl_username: str | None = None
    sasl_password: SecretStr | None = None
    ssl_cafile: Path | None = Field(None, description="CA of the broker; the system's when absent")
    topic_partitions: int | None = Field(
        None, ge=1, description="Overrides the table's partition counts when topics are created"
    )
    topic_replication: int = Field(1, ge=1)

    milvus_uri: str = "http://127.0.0.1:19530"
    milvus_token: SecretStr | None = None
    milvus_database: str = Field("", description="Milvus' default when empty")
    milvus_prefix: str = Field("", description="Before the names of the index's collections")
    milvus_ca_file: Path | None = Field(
        None, description="CA of Milvus, for an https URI; the system's when absent"
    )
    milvus_spread: int = Field(
        1, ge=1, description="Collections the patients are spread over: 1 on a cluster, 32 on Lite"
    )

    triton_url: str = Field("127.0.0.1:8001", description="gRPC address, host:port")
    triton_ssl: bool = False
    triton_ca_file: Path | None = Field(
        None, description="CA of Triton, with TLS; the system's when absent"
    )
    triton_cert_file: Path | None = Field(
        None, description="Our certificate chain, where Triton asks its clients for one"
    )
    triton_key_file: Path | None = Field(None, description="Its private key")
    models: Literal["triton", "in-process"] = "triton"
    model_repository: Path = REPOSITORY / "triton_models" / "cpu"
    model_timeout_s: float = Field(30.0, gt=0, description="Deadline of one model call")

    fhir_bases: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="FHIR base URLs, comma separated, from which attachments and notices by "
        "reference are fetched; relative ones from the first. Nothing else is ever asked",
    )
    fhir_home_bases: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="Base URLs of the one server whose ids stand alone, comma separated; the first "
        "of the FHIR bases when absent. Ids of any other base keep that base: "
        "`https://b.example/fhir|1`",
    )
    fhir_allow_http: bool = Field(
        False, description="Accept http bases; without, http is for loopback only"
    )
    fhir_ca_file: Path | None = Field(
        None, description="CA of the FHIR servers; the system's when absent"
    )
    fhir_max_bytes: int = Field(
        32 * 1024 * 1024, ge=1, description="Largest attachment fetched, decompressed"
    )
    fhir_timeout_s: float = Field(
        60.0, gt=0, description="Deadline of one fetch, with its retries and redirects"
    )
    fhir_token: SecretStr | None = Field(
        None,
        description="Bearer token for the first base. Credentials are sent to no other base: "
        "those after it are open servers, or stores of presigned urls",
    )
    fhir_client_id: str | None = Field(
        None, description="SMART Backend Services client at the first base, in place of a token"
    )
    fhir_private_key_file: Path | None = Field(
        None, description="Its private key: PEM or JWK, RSA or P-384"
    )
    fhir_key_id: str | None = Field(None, description="`kid` of the key; a JWK's own when absent")
    fhir_scope: str = "system/*.read"
    fhir_token_url: str | None = Field(
        None, description="Discovered at the base's smart-configuration when absent"
    )

    agents: tuple[Agent, ...] = ("intake", "chart", "alerter")
    alert_policy: Path | None = Field(
        None,
        description="TOML or JSON table of severities and of which verdicts alert; when absent"
        " `agents/alert/policy.toml`",
    )
    max_in_flight: int = Field(64, ge=1, description="Records one agent works on at a time")
    backfill_in_flight: int = Field(
        2, ge=1, description="Notes of a backfill that one worker lets in before they are indexed"
    )
    fetch_max_wait_ms: int = Field(100, ge=1, description="How long a fetch waits for records")
    producer_max_batch_bytes: int = Field(
        16384, ge=1, description="1 on Tansu, whose end offsets are wrong for larger batches"
    )
    session_timeout_s: float = Field(
        30.0, gt=0, description="A silent worker is dropped after this"
    )
    start_timeout_s: float = Field(60.0, gt=0, description="Deadline to find every dependency")

    site_zone: str = Field("UTC", description="IANA zone of times that engines send without one")
    patient_identifiers: Path | None = Field(
        None,
        description="File that says who has an identifier, for subjects that give no more: Patient "
        "resources (NDJSON, Bundle), or one object of `system|value` to patient id",
    )
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = Field(None, description="Serve /metrics there; off when absent")
    log_level: str = "WARNING"

    @field_validator("fhir_bases", "fhir_home_bases", mode="before")
    @classmethod
    def _split(cls, said: object) -> object:
        return said.replace(",", " ").split() if isinstance(said, str) else said

    @field_validator("site_zone")
    @classmethod
    def _zone_exists(cls, name: str) -> str:
        ZoneInfo(name)
        return name

    @property
    def home_bases(self) -> tuple[str, ...]:
        """URLs of the server that references without a base are to."""
        return self.fhir_home_bases or self.fhir_bases[:1]
