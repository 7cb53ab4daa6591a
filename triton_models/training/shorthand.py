"""Where the shared shorthand expander is plugged in: `expand(text) -> text`."""

import importlib
from collections.abc import Callable
from functools import lru_cache

Expand = Callable[[str], str]


def plain(text: str) -> str:
    """The text as it is."""
    return text


def load(path: str) -> Expand:
    """The expander named as `package.module:function`, remembering texts; empty: none."""
    if not path:
        return plain
    module, _, name = path.partition(":")
    function: Expand = getattr(importlib.import_module(module), name)
    return lru_cache(maxsize=100_000)(function)
