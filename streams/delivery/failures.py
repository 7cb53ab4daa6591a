"""What an error means for the record at hand. This is the one table.

| error                            | meaning   | what happens                                   |
|----------------------------------|-----------|------------------------------------------------|
| `agents.errors.TransientError`   | transient | retried while it lasts; the partition pauses   |
| `agents.errors.PermanentError`   | permanent | a dead letter with the error's reason          |
| any other exception: a bug       | unknown   | retried a few times, then a dead letter with   |
|                                  |           | reason `internal_error` and the class's name   |
|                                  |           | (its message could hold a patient's data)      |

Kafka's own errors are mapped to that tree where the producer is called, by `kafka_errors`:

| aiokafka or Faust error          | becomes                                                    |
|----------------------------------|------------------------------------------------------------|
| `MessageSizeTooLargeError`       | `PermanentError("too_large")`: a repeat is as large        |
| any other `KafkaError`, NotReady | `DependencyUnavailable("kafka")`: the broker comes back,   |
|                                  | or an operator grants the right that is missing            |
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum

from aiokafka.errors import KafkaError, MessageSizeTooLargeError
from faust.exceptions import NotReady, ProducerSendError

from agents.errors import DependencyUnavailable, InvalidEvent, PermanentError, TransientError

INTERNAL_ERROR = "internal_error"
TOO_LARGE = "too_large"
MAX_DETAIL = 500


class Meaning(Enum):
    TRANSIENT = "transient"
    PERMANENT = "permanent"
    UNKNOWN = "unknown"


_PATIENCE = (Meaning.TRANSIENT, Meaning.UNKNOWN, Meaning.PERMANENT)


@dataclass(frozen=True)
class Failure:
    """`code` is the dependency of a transient failure, else the reason of a dead letter."""

    meaning: Meaning
    code: str
    detail: str
    item: tuple[int, int] | None = None
    """Which of how many resources of the record failed, where the error says so."""


def classify(error: BaseException) -> Failure:
    """The table above, as a function. Of a group, what is worth most patience counts."""
    match error:
        case ExceptionGroup():
            parts = [classify(each) for each in error.exceptions]
            return min(parts, key=lambda failure: _PATIENCE.index(failure.meaning))
        case TransientError():
            return Failure(Meaning.TRANSIENT, error.dependency, str(error)[:MAX_DETAIL])
        case InvalidEvent():
            numbers = (error.item, error.items) if error.items > 1 else None
            detail = str(error)[:MAX_DETAIL]
            return Failure(Meaning.PERMANENT, error.reason, detail, numbers)
        case PermanentError():
            return Failure(Meaning.PERMANENT, error.reason, str(error)[:MAX_DETAIL])
        case _:
            return Failure(Meaning.UNKNOWN, INTERNAL_ERROR, type(error).__name__)


@contextmanager
def kafka_errors() -> Iterator[None]:
    """Errors of the producer as ours."""
    try:
        yield
    except (KafkaError, ProducerSendError, NotReady) as error:
        cause = error.__cause__ if isinstance(error, ProducerSendError) else error
        if isinstance(cause, MessageSizeTooLargeError):
            raise PermanentError(
                TOO_LARGE, "The event is larger than a record may be; split its source."
            ) from None
        raise DependencyUnavailable(
            "kafka", f"The broker did not take a record ({type(cause).__name__})."
        ) from error


def backoff(attempt: int, base: float, cap: float) -> float:
    """Seconds before the next attempt: doubling from `base` to `cap`, half of it at random.

    The random half keeps lanes and workers that failed together from coming back together.
    """
    delay = min(cap, base * 2.0 ** min(attempt - 1, 30))
    return delay * (0.5 + random.random() / 2)  # noqa: S311 - jitter, no secret
