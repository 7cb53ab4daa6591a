"""How the Faust app is tuned."""

import logging
import ssl

from faust.types.auth import AuthProtocol, SASLMechanism

from streams.delivery.faust_adapter import Tuning, make_app


def test_the_app_listens_nowhere_and_makes_no_topics():
    app = make_app({"bootstrap_servers": "a:1,b:2"}, group="g", prefix="p.")
    assert not app.conf.web_enabled
    assert not app.conf.topic_allow_declare
    assert app.conf.topic_disable_leader
    assert app.conf.producer_acks == -1
    assert app.conf.stream_wait_empty
    assert [str(url) for url in app.conf.broker] == ["kafka://a:1", "kafka://b:2"]


def test_a_producer_takes_a_dead_letter_of_the_largest_record():
    tuning = Tuning()
    app = make_app({"bootstrap_servers": "a:1"}, group="g", tuning=tuning)
    assert app.conf.producer_max_request_size > tuning.max_record_bytes


def test_credentials_reach_faust_and_do_not_print():
    context = ssl.create_default_context()
    app = make_app(
        {
            "bootstrap_servers": "a:1",
            "security_protocol": "SASL_SSL",
            "ssl_context": context,
            "sasl_mechanism": "SCRAM-SHA-512",
            "sasl_plain_username": "chartproof",
            "sasl_plain_password": "hunter2",
        },
        group="g",
    )
    credentials = app.conf.broker_credentials
    assert credentials.protocol is AuthProtocol.SASL_SSL
    assert credentials.mechanism is SASLMechanism.SCRAM_SHA_512
    assert credentials.ssl_context is context
    assert "hunter2" not in repr(credentials)


def test_loggers_that_would_print_keys_and_values_are_held_above_debug(caplog):
    caplog.set_level(logging.DEBUG)
    make_app({"bootstrap_servers": "a:1"}, group="g")
    for name in (
        "faust.transport",
        "aiokafka.conn",
        "streams.delivery.faust_adapter",
        "mode.services",
    ):
        assert logging.getLogger(name).getEffectiveLevel() > logging.DEBUG
