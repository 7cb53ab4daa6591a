"""How to reach the broker, from the settings, in aiokafka's terms."""

from __future__ import annotations

from ssl import SSLContext
from typing import Any

from aiokafka.helpers import create_ssl_context

from streams.settings import Settings, WrongSettings


def kafka_options(settings: Settings) -> dict[str, Any]:
    """Keyword arguments that every aiokafka client takes: servers, TLS, SASL.

    Raises `WrongSettings` where they contradict each other or a file of TLS cannot be read.
    """
    options: dict[str, Any] = {
        "bootstrap_servers": settings.broker,
        "security_protocol": settings.security_protocol,
    }
    if settings.security_protocol.endswith("SSL"):
        options["ssl_context"] = _ssl_context(settings)
    if settings.security_protocol.startswith("SASL"):
        if not (settings.sasl_username and settings.sasl_password):
            raise WrongSettings(
                [
                    f"CHARTPROOF_SECURITY_PROTOCOL: {settings.security_protocol} needs "
                    "CHARTPROOF_SASL_USERNAME and CHARTPROOF_SASL_PASSWORD"
                ]
            )
        options["sasl_mechanism"] = settings.sasl_mechanism
        options["sasl_plain_username"] = settings.sasl_username
        options["sasl_plain_password"] = settings.sasl_password.get_secret_value()
    return options


def _ssl_context(settings: Settings) -> SSLContext:
    cafile = str(settings.ssl_cafile) if settings.ssl_cafile else None
    try:
        context: SSLContext = create_ssl_context(cafile=cafile)
    except OSError as error:  # a file that is not there, or no certificate in it
        raise WrongSettings([f"CHARTPROOF_SSL_CAFILE: {error.strerror or error}"]) from None
    if settings.ssl_certfile:
        try:
            context.load_cert_chain(settings.ssl_certfile, settings.ssl_keyfile, password="")
        except OSError as error:
            names = "CHARTPROOF_SSL_CERTFILE, CHARTPROOF_SSL_KEYFILE"
            raise WrongSettings([f"{names}: {error.strerror or error}"]) from None
    elif settings.ssl_keyfile:
        raise WrongSettings(["CHARTPROOF_SSL_KEYFILE: it needs CHARTPROOF_SSL_CERTFILE"])
    return context
