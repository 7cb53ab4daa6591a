"""What goes wrong with language models, beyond the common tree."""

from __future__ import annotations

from agents.errors import DependencyOverloaded

DEPENDENCY = "llm"
"""The name in errors and metrics, whichever server it is."""


class Overloaded(DependencyOverloaded):
    """`retry_after_s`: when the server would be asked again, where it says so."""

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        super().__init__(DEPENDENCY, message)
        self.retry_after_s = retry_after_s


class BadAnswer(Exception):
    """An answer that cannot be used. The message is for the model; it repeats nothing of the answer
    or the prompt, both of which a note may have had a hand in."""
