"""The exception tree. Third-party errors are mapped to it once, at the edge where the call is.

ChartproofError
├── TransientError                 retried with backoff while it lasts; the partition pauses
│   ├── DependencyUnavailable      broker, Milvus or Triton does not answer
│   ├── DependencyOverloaded       it answers that it cannot take more now
│   └── DeadlineExceeded           it did not answer in time
└── PermanentError                 a dead letter with `reason`; a repeat would end the same
    ├── InvalidEvent               the event itself is wrong; `reason` says how
    └── ModelError                 a model refused or gave what its contract does not allow

Messages say what to do next and never hold note text, propositions or patient ids.
"""

from __future__ import annotations

from schemas.usage import NO_USAGE, Usage


class ChartproofError(Exception):
    """Base of all errors that chartproof raises on purpose."""


class TransientError(ChartproofError):
    """Worth a retry. `dependency` is a bounded name: kafka, milvus, triton, fhir."""

    def __init__(self, dependency: str, message: str) -> None:
        super().__init__(message)
        self.dependency = dependency


class DependencyUnavailable(TransientError):
    pass


class DependencyOverloaded(TransientError):
    pass


class DeadlineExceeded(TransientError):
    pass


class PermanentError(ChartproofError):
    """A repeat would end the same. `reason` is a code of the table of reasons in docs/intake.md."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class InvalidEvent(PermanentError):
    """`item` of `items` is the resource at fault: the others of the record have their outcome."""

    def __init__(self, reason: str, message: str, *, item: int = 0, items: int = 1) -> None:
        super().__init__(reason, message)
        self.item = item
        self.items = items


class ModelError(PermanentError):
    """`model` broke its contract or refused its input; `usage` is what language models spent."""

    def __init__(self, model: str, message: str, usage: Usage = NO_USAGE) -> None:
        super().__init__("model_error", message)
        self.model = model
        self.usage = usage
