"""One inference that shows a language model to be healthy."""

from __future__ import annotations

from agents.adapters.llm.errors import DEPENDENCY
from agents.errors import DependencyUnavailable, ModelError
from agents.ports import LanguageModel, Message

CANARY_TOKENS = 8


async def check_model(model: LanguageModel) -> None:
    """Raises `DependencyUnavailable` when it does not answer a plain question at all."""
    try:
        result = await model.complete(
            [Message("user", "Answer with the word: ready")], max_tokens=CANARY_TOKENS
        )
    except ModelError as error:
        raise DependencyUnavailable(
            DEPENDENCY, f"the language model is not healthy: {error}"
        ) from None
    if not result.text.strip():
        raise DependencyUnavailable(DEPENDENCY, "the language model gave an empty answer")
