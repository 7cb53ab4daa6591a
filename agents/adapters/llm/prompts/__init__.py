"""The prompt files, by name, with the version that provenance names.

A version is the number at the head of the file and a hash of the words, so that a changed word
cannot pass for the same prompt.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files

_HEAD = re.compile(r"\Aversion: (\d+)\n\n")


@dataclass(frozen=True)
class Prompt:
    """`version`: `judge/1:3fa9c2d1`, of all its parts."""

    text: str
    version: str


def load_prompt(name: str, *parts: str) -> Prompt:
    """The file `name`, with the files `parts` behind it. Raises `ValueError` for one without a
    version."""
    texts, versions = [], []
    for each in (name, *parts):
        given = files(__name__).joinpath(f"{each}.md").read_text("utf-8")
        head = _HEAD.match(given)
        if head is None:
            raise ValueError(f"the prompt {each} does not begin with its version")
        texts.append(given[head.end() :].strip())
        versions.append(f"{each}/{head[1]}")
    text = "\n\n".join(texts)
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return Prompt(text, f"{'+'.join(versions)}:{digest}")
