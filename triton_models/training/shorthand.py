"""Where the shared shorthand expander is plugged in: `expand(text) -> text`."""

import importlib
from collections.abc import Callable

Expand = Callable[[str], str]


def plain(text: str) -> str:
    """The text as it is."""
    return text


def load(path: str) -> Expand:
    """The expander named as `package.module:function`; empty: none."""
    if not path:
        return plain
    module, _, name = path.partition(":")
    function: Expand = getattr(importlib.import_module(module), name)
    return function
