"""How to reach the broker, from the settings, in aiokafka's terms."""

from __future__ import annotations

from typing import Any

from aiokafka.helpers import create_ssl_context

from streams.settings import Settings


def kafka_options(settings: Settings) -> dict[str, Any]:
    """Keyword arguments that every aiokafka client takes: servers, TLS, SASL."""
    options: dict[str, Any] = {
        "bootstrap_servers": settings.broker,
        "security_protocol": settings.security_protocol,
    }
    if settings.security_protocol.endswith("SSL"):
        cafile = str(settings.ssl_cafile) if settings.ssl_cafile else None
        options["ssl_context"] = create_ssl_context(cafile=cafile)
    if settings.security_protocol.startswith("SASL"):
        options["sasl_mechanism"] = settings.sasl_mechanism
        options["sasl_plain_username"] = settings.sasl_username
        options["sasl_plain_password"] = (
            settings.sasl_password.get_secret_value() if settings.sasl_password else None
        )
    return options
