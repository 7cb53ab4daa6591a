"""What an error means for the record at hand. This is the one table.

| error                            | class     | what happens                                   |
|----------------------------------|-----------|------------------------------------------------|
| `agents.errors.TransientError`   | transient | retried while it lasts; the partition pauses   |
| `agents.errors.PermanentError`   | permanent | a dead letter with the error's reason          |
| any other exception: a bug       | unknown   | retried a few times, then a dead letter with   |
|                                  |           | reason `internal_error` and the class's name   |
|                                  |           | (its message could hold a patient's data)      |
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import Enum

from agents.errors import InvalidEvent, PermanentError, TransientError

INTERNAL_ERROR = "internal_error"
TOO_LARGE = "too_large"
MAX_DETAIL = 500


class ErrorClass(Enum):
    TRANSIENT = "transient"
    PERMANENT = "permanent"
    UNKNOWN = "unknown"


_RETRY_PRECEDENCE = (ErrorClass.TRANSIENT, ErrorClass.UNKNOWN, ErrorClass.PERMANENT)


@dataclass(frozen=True)
class Failure:
    """`code` is the dependency of a transient failure, else the reason of a dead letter."""

    error_class: ErrorClass
    code: str
    detail: str
    item: tuple[int, int] | None = None
    """Which of how many resources of the record failed, where the error says so."""
    text_id: str | None = None
    """Of a refused text, where it could be read."""


def classify(error: BaseException) -> Failure:
    """The table above, as a function. Of a group, the error most worth a retry counts."""
    match error:
        case ExceptionGroup():
            parts = [classify(each) for each in error.exceptions]
            return min(parts, key=lambda failure: _RETRY_PRECEDENCE.index(failure.error_class))
        case TransientError():
            return Failure(ErrorClass.TRANSIENT, error.dependency, str(error)[:MAX_DETAIL])
        case InvalidEvent():
            numbers = (error.item, error.items) if error.items > 1 else None
            detail = str(error)[:MAX_DETAIL]
            return Failure(ErrorClass.PERMANENT, error.reason, detail, numbers, error.text_id)
        case PermanentError():
            return Failure(ErrorClass.PERMANENT, error.reason, str(error)[:MAX_DETAIL])
        case _:
            return Failure(ErrorClass.UNKNOWN, INTERNAL_ERROR, type(error).__name__)


def backoff(attempt: int, base: float, cap: float) -> float:
    """Seconds before the next attempt: doubling from `base` to `cap`, half of it at random.

    The random half keeps lanes and workers that failed together from coming back together.
    """
    delay = min(cap, base * 2.0 ** min(attempt - 1, 30))
    return delay * (0.5 + random.random() / 2)  # noqa: S311 - jitter, no secret
