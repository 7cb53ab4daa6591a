"""Which error is which, and how long to wait."""

import pytest
from aiokafka import errors
from faust.exceptions import NotReady, ProducerSendError
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import (
    DeadlineExceeded,
    DependencyOverloaded,
    DependencyUnavailable,
    InvalidEvent,
    ModelError,
    PermanentError,
)
from streams.delivery.error_classes import ErrorClass, Failure, backoff, classify
from streams.delivery.faust_adapter import kafka_errors


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (DependencyUnavailable("milvus", "m"), Failure(ErrorClass.TRANSIENT, "milvus", "m")),
        (DependencyOverloaded("triton", "m"), Failure(ErrorClass.TRANSIENT, "triton", "m")),
        (DeadlineExceeded("fhir", "m"), Failure(ErrorClass.TRANSIENT, "fhir", "m")),
        (InvalidEvent("not_json", "m"), Failure(ErrorClass.PERMANENT, "not_json", "m")),
        (ModelError("judge", "m"), Failure(ErrorClass.PERMANENT, "model_error", "m")),
        (
            ExceptionGroup(
                "", [InvalidEvent("not_json", "p"), DependencyUnavailable("milvus", "m")]
            ),
            Failure(ErrorClass.TRANSIENT, "milvus", "m"),
        ),
        (ValueError("Jane Doe"), Failure(ErrorClass.UNKNOWN, "internal_error", "ValueError")),
    ],
)
def test_the_table_of_errors(error, failure):
    assert classify(error) == failure


@pytest.mark.parametrize(
    "error",
    [
        errors.KafkaConnectionError("away"),
        errors.KafkaTimeoutError(),
        errors.NotLeaderForPartitionError(),
        errors.TopicAuthorizationFailedError("t"),
        ProducerSendError("wrapped"),
        NotReady("not yet"),
    ],
)
def test_errors_of_the_broker_are_waited_out(error):
    with pytest.raises(DependencyUnavailable) as raised, kafka_errors():
        raise error
    assert raised.value.dependency == "kafka"


def test_what_is_too_large_for_a_record_stays_too_large():
    wrapped = ProducerSendError("wrapped")
    wrapped.__cause__ = errors.MessageSizeTooLargeError("x")
    for error in (wrapped, errors.MessageSizeTooLargeError("x")):
        with pytest.raises(PermanentError) as raised, kafka_errors():
            raise error
        assert raised.value.reason == "too_large"


@given(st.integers(1, 10_000))
def test_backoff_grows_to_its_cap_and_keeps_half_of_it(attempt):
    bound = min(30.0, 0.2 * 2 ** min(attempt - 1, 20))
    assert bound / 2 <= backoff(attempt, 0.2, 30.0) <= bound
