"""Lead-ins of lists, and what they mean for the items.

"Denies:" over "chest pain" must not leave "chest pain" standing alone: a list whose lead-in turns
the meaning of its items is one unit. Other items know their lead-in, so that claims can repeat it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from chartproof_decomposer.blocks import Block
from chartproof_decomposer.lexicon import CARRIES_MEANING

_WORD = re.compile(r"[A-Za-z'\u2019/-]+")
_PLAN = re.compile(r"\bplan\b", re.IGNORECASE)
_DONE = re.compile(
    r"\b(?:performed|conducted|completed|administered|given|obtained|underwent|done)\b",
    re.IGNORECASE,
)
_WHOLE_LIMIT = 1000
"""A lead-in and its list stay one unit up to this many characters."""


def gather(text: str, blocks: list[Block]) -> list[Block]:
    """Give the items of a list their lead-in, or keep them together with it."""
    result: list[Block] = []
    at = 0
    while at < len(blocks):
        head, end = blocks[at], _list_end(text, blocks, at)
        items = blocks[at + 1 : end]
        at = end
        if not items:
            result.append(head)
            continue
        turns = _turns(text, head)
        if turns and items[-1].end - head.start <= _WHOLE_LIMIT:
            parts = tuple((block.start, block.end) for block in (head, *items))
            result.append(replace(head, end=items[-1].end, parts=parts))
            continue
        given = " ".join(text[head.start : head.end].split())[:120].rstrip(":")
        result.append(replace(head, leads=True))
        for block in items:
            section = given if turns else _under(block.section, given)
            result.append(replace(block, section=section, lead=(head.start, head.end)))
    return result


def _under(section: str | None, lead: str) -> str | None:
    """The section of an item of a plan: with its lead-in where that says that it was done."""
    if not section or not (_PLAN.search(section) and _DONE.search(lead)):
        return section
    return f"{section}: {lead}"


def _turns(text: str, head: Block) -> bool:
    words = _WORD.findall(text[head.start : head.end][-200:])
    return any(word.lower() in CARRIES_MEANING for word in words)


def _opens_list(text: str, blocks: list[Block], at: int) -> bool:
    """A lead-in ends with a colon, or is a short line right over a list: "STOPPED" over drugs."""
    head = blocks[at]
    if head.opens or text[head.end - 1] == ":":
        return True
    below = blocks[at + 1] if at + 1 < len(blocks) else None
    if head.item or below is None or not below.item or below.apart:
        return False
    return head.end - head.start <= 60 and text[head.end - 1] not in ".;,!?"


def _list_end(text: str, blocks: list[Block], at: int) -> int:
    """Index after the last block that the lead-in at `at` speaks for; `at + 1` when it is none."""
    head = blocks[at]
    if head.silent or head.words is not None:
        return at + 1
    if head.end - head.start > 300 or not _opens_list(text, blocks, at):
        return at + 1
    end, first = at + 1, blocks[min(at + 1, len(blocks) - 1)]
    while end < len(blocks) and blocks[end].section == head.section and not blocks[end].opens:
        block = blocks[end]
        if block.silent or block.words is not None:
            break
        nested = block.indent > head.indent or not head.item
        listed = block.item if first.item else not (block.apart or head.item)
        if not (listed and nested) or (block.apart and end > at + 1):
            break
        end += 1
    return end
