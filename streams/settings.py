"""All configuration, and the only place that reads the environment (prefix `CHARTPROOF_`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import orjson
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from agents.errors import ChartproofError
from agents.intake.statuses import MEANINGS, plain_status
from schemas.texts import FactUnit
from schemas.topics import DEFAULT_PREFIX

REPOSITORY = Path(__file__).resolve().parent.parent
"""Where `triton_models/` lies: the checkout, or site-packages of an installed wheel."""

PREFIX = "CHARTPROOF_"
ENV_FILE = Path(".chartproof.env")
"""Settings of the stack that `chartproof up` runs from this folder; the environment comes first."""

Agent = Literal["intake", "chart", "alerter"]
LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]

SITE = (
    "site_zone",
    "patient_identifiers",
    "document_statuses",
    "bundle_patient",
    "alert_policy",
    "log_level",
)


class Settings(BaseSettings):
    """Settings of a worker and of the CLI. Secrets are `SecretStr`: they do not print."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=ENV_FILE,
        env_parse_none_str="",
        extra="ignore",
        frozen=True,
    )

    broker: str = Field("127.0.0.1:9092", description="Kafka bootstrap servers, host:port[,...]")
    topic_prefix: str = DEFAULT_PREFIX
    group: str = Field("chartproof", description="Consumer group of the workers")
    security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    sasl_mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = "PLAIN"
    sasl_username: str | None = None
    sasl_password: SecretStr | None = None
    ssl_cafile: Path | None = Field(None, description="CA of the broker; the system's when absent")
    ssl_certfile: Path | None = Field(
        None, description="Our certificate, PEM, for a broker that asks clients for one"
    )
    ssl_keyfile: Path | None = Field(
        None, description="Its private key, PEM, without a password; when absent in `ssl_certfile`"
    )
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

    judge: Literal["embedded", "llm", "cascade"] = Field(
        "embedded",
        description="`embedded`: the model repository's; `llm`: a language model; `cascade`: the"
        " embedded one where it is sure, the language model for the rest",
    )
    decomposer: Literal["embedded", "llm"] = Field("embedded", description="Of texts to verify")
    note_decomposer: Literal["embedded", "llm"] = Field(
        "embedded", description="Of notes; a language model takes part with `fact_unit` `claim`"
    )
    llm_api: Literal["openai", "triton"] = Field(
        "openai", description="An OpenAI-compatible server, or Triton's vLLM backend"
    )
    llm_url: str | None = Field(
        None,
        description="`http://host:8000/v1`, or host:port of Triton's gRPC (`triton_url` when"
        " absent; its TLS settings hold for both)",
    )
    llm_model: str = Field("llm", description="As the server calls it")
    llm_key: SecretStr | None = None
    llm_ca_file: Path | None = Field(
        None, description="CA of the server, for https; the system's when absent"
    )
    llm_chat_template: Path | None = Field(
        None,
        description="For Triton: the model's chat template (its `chat_template.jinja` or"
        " `tokenizer_config.json`); ChatML when absent",
    )
    llm_structured: Literal["json_schema", "strict", "json_object", "none"] = Field(
        "json_schema",
        description="What the server holds answers to: `strict` for OpenAI and Azure, `json_object`"
        " or `none` where it knows no schemas",
    )
    llm_context_tokens: int = Field(8192, ge=1024, description="Of prompt and answer together")
    llm_timeout_s: float = Field(120.0, gt=0, description="Deadline of one request")
    llm_concurrent: int = Field(8, ge=1, description="Requests of one worker at a time")
    llm_overload_s: float = Field(
        60.0, ge=0, description="How long a server that is too busy is asked again"
    )
    llm_together: int = Field(4, ge=1, description="Propositions of a text in one request at most")
    llm_samples: int = Field(
        3, ge=1, description="Answers to take a share of, where the server gives no probabilities"
    )
    llm_reasoning: bool = Field(True, description="The reason before the verdict")
    llm_few_shot: bool = Field(True, description="With examples")
    llm_dual_label: bool = Field(False, description="Also whether it is true in general")
    llm_own_queries: bool = Field(False, description="The model words the next search itself")
    llm_calibration: Path | None = Field(
        None, description="Curves that `chartproof calibrate` has written"
    )
    llm_away: Literal["wait", "embedded"] = Field(
        "wait", description="While the server is away: wait, or let the embedded models decide"
    )
    cascade_confidence_threshold: float = Field(
        0.9, ge=0.0, le=1.0, description="The embedded judge's confidence that is enough"
    )
    llm_calls_per_text: int | None = Field(
        None, ge=0, description="Of a cascade; without a bound when absent, as those below"
    )
    llm_tokens_per_text: int | None = Field(None, ge=0)
    llm_seconds_per_text: float | None = Field(None, ge=0)

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

    agents: Annotated[tuple[Agent, ...], NoDecode] = ("intake", "chart", "alerter")
    alert_policy: Path | None = Field(
        None,
        description="TOML or JSON table of severities and of which verdicts alert; when absent"
        " `agents/alerting/policy.toml`",
    )
    fact_unit: FactUnit = Field(
        "sentence",
        description="What notes are taken apart into: `sentence` or `claim`, whatever the unit of"
        " the texts. Notes already indexed keep theirs until they change",
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
    document_statuses: Annotated[dict[str, str], NoDecode] = Field(
        {},
        description="What the site's own words in status and docStatus mean, as"
        " `word=draft,other word=final`: `final`, `draft` or `entered-in-error`",
    )
    bundle_patient: bool = Field(
        False,
        description="A document without a subject is of its Bundle's Patient, where that is alone",
    )
    patient_identifiers: Path | None = Field(
        None,
        description="File that says who has an identifier, for subjects that give no more: Patient "
        "resources (NDJSON, Bundle), or one object of `system|value` to patient id",
    )
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = Field(None, description="Serve /metrics there; off when absent")
    log_level: LogLevel = "WARNING"

    @field_validator("fhir_bases", "fhir_home_bases", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if value is None:
            return ()
        return value.replace(",", " ").split() if isinstance(value, str) else value

    @field_validator("topic_prefix", "milvus_database", "milvus_prefix", mode="before")
    @classmethod
    def _may_be_empty(cls, value: object) -> object:
        return "" if value is None else value

    @field_validator("site_zone")
    @classmethod
    def _zone_exists(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError("is not the name of an IANA time zone") from None
        return name

    @field_validator("agents", mode="before")
    @classmethod
    def _list(cls, value: object) -> object:
        """Names with commas or spaces between them, or a JSON list."""
        return re.findall(r"[^\s,\[\]\"]+", value) if isinstance(value, str) else value

    @field_validator("document_statuses", mode="before")
    @classmethod
    def _statuses(cls, value: object) -> object:
        """`word=meaning` with commas between them, or a JSON object."""
        if value is None:
            return {}
        if isinstance(value, str) and not value.lstrip().startswith("{"):
            pairs = (pair.partition("=") for pair in value.split(",") if pair.strip())
            value = {word.strip(): meaning.strip() for word, _, meaning in pairs}
        return orjson.loads(value) if isinstance(value, str) else value

    @field_validator("document_statuses")
    @classmethod
    def _statuses_mean_something(cls, statuses: dict[str, str]) -> dict[str, str]:
        if not set(statuses.values()) <= set(MEANINGS):
            raise ValueError(f"a status means one of {', '.join(MEANINGS)}")
        return {plain_status(word): meaning for word, meaning in statuses.items()}

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @property
    def home_bases(self) -> tuple[str, ...]:
        """URLs of the server that references without a base are to."""
        return self.fhir_home_bases or self.fhir_bases[:1]

    def environment(self, *, changed: bool = False) -> dict[str, str]:
        """As environment variables, None as an empty one; `changed`: what is not as by default.

        Secrets are left out, as lists of processes show what a command is given.
        """
        values = self.model_dump(mode="json", exclude_defaults=changed)
        return {
            PREFIX + name.upper(): _variable(value)
            for name, value in values.items()
            if not isinstance(getattr(self, name), SecretStr)
        }

    def of_site(self) -> dict[str, Any]:
        """What says something of the site and its notes, wherever the services run."""
        names = [name for name in type(self).model_fields if name.startswith("fhir_")]
        return {name: getattr(self, name) for name in (*names, *SITE)}


class CompleteSettings(Settings):
    """Settings that stand by themselves: nothing is taken from the environment or the file."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)


class WrongSettings(ChartproofError):
    """`faults` has a line for each variable that is wrong, without its value."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)


def load_settings() -> Settings:
    """The settings that the environment and the file give. Raises `WrongSettings`."""
    try:
        return Settings()
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        raise WrongSettings(
            [
                f"{PREFIX}{str(fault['loc'][0]).upper()}: "
                + fault["msg"].removeprefix("Value error, ")
                for fault in faults
            ]
        ) from None


def _variable(value: object) -> str:
    if isinstance(value, list):
        return ",".join(value)
    return "" if value is None else str(value)
