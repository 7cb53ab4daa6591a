"""HTML notes to text, through Lexbor (selectolax), which repairs markup as browsers do.

For each tag Lexbor looks through the elements that are open, so 100,000 nested ones take 27 s
(measured). Markup that would cost far more than any note does is stripped of its tags instead: its
words and lines stay, what it hides with them.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from agents.intake.formats.layout import Layout, Node, gap_of, is_hidden

MAX_WORK = 200_000_000
"""About a second of parsing. A note of 5 MB with 400,000 tags, 50 deep, is a tenth of that."""

_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)")
_MARKUP = re.compile(r"<[/a-zA-Z!?][^<>]*>?")  # no "<" inside, so that it stays linear
# Elements without content, and those that the next of their kind closes.
_FLAT_NAMES = """
area base br col embed hr img input link meta source track wbr
p li td th tr dt dd option thead tbody tfoot colgroup
"""
_FLAT = frozenset(_FLAT_NAMES.split())
# Left open at the end of a block, these are opened again in the next, each of them.
_FORMATTING_NAMES = "a b big code em font i nobr s small strike strong tt u"
_FORMATTING = frozenset(_FORMATTING_NAMES.split())
_RECONSTRUCTION = 400  # measured: 4 µs to make an element, 10 ns to look at one


def html_to_text(markup: str) -> str:
    """The readable text; lines and list items are lines, table rows too. Never raises."""
    if _work(markup) > MAX_WORK:
        return _without_tags(markup)
    root = LexborHTMLParser(markup).root
    return Layout().add(_walk(root, _class_styles(markup))).result() if root else ""


_STYLE = re.compile(r"<style\b[^>]{0,200}>([^<]{1,100000})", re.IGNORECASE)
_MEDIA = re.compile(
    r"@[a-z-]+[^{}]{0,200}\{(?:[^{}]{0,2000}\{[^{}]{0,2000}\}){0,500}[^{}]{0,200}\}", re.IGNORECASE
)
_RULE = re.compile(r"([^{}]{1,500})\{([^{}]{1,2000})\}")
_CLASS = re.compile(r"[a-z0-9]{0,10}\.([A-Za-z_][\w-]{0,80})", re.IGNORECASE)
_MAX_RULES = 2000


def _class_styles(markup: str) -> dict[str, str]:
    """What a style sheet in the document says of classes; selectors of more than one are left."""
    styles: dict[str, str] = {}
    for sheet in _STYLE.findall(markup):
        for selectors, declarations in _RULE.findall(_MEDIA.sub("", sheet))[:_MAX_RULES]:
            for selector in selectors.split(","):
                if name := _CLASS.fullmatch(selector.strip()):
                    styles[name[1]] = f"{styles.get(name[1], '')};{declarations}"
    return styles


def _with_classes(
    attributes: dict[str, str | None], styles: dict[str, str]
) -> dict[str, str | None]:
    names = (attributes.get("class") or "").split() if styles else ()
    rules = [styles[name] for name in names if name in styles]
    if not rules:
        return attributes
    return attributes | {"style": ";".join((*rules, attributes.get("style") or ""))}


def _work(markup: str) -> int:
    """About how many open elements the parser will look at, counted without a tree.

    An end tag ends only its own kind: others are ignored by the parser, and must be here.
    """
    depth = work = formatting = 0
    open_names: Counter[str] = Counter()
    for closing, name in _TAG.findall(markup.lower()):
        if name not in _FLAT and (not closing or open_names[name]):
            step = -1 if closing else 1
            open_names[name] += step
            depth += step
            formatting += step * (name in _FORMATTING)
        work += depth + _RECONSTRUCTION * max(0, formatting - 8)
    return work


def _without_tags(markup: str) -> str:
    text = _MARKUP.sub("\n", _without_comments(markup))
    lines = (" ".join(line.split()) for line in text.splitlines())
    return html.unescape("\n".join(filter(None, lines)))


def _without_comments(markup: str) -> str:
    kept, at = [], 0
    while (start := markup.find("<!--", at)) >= 0:
        kept.append(markup[at:start])
        end = markup.find("-->", start)
        if end < 0:
            return "".join(kept)
        at = end + 3
    return "".join((*kept, markup[at:]))


def _walk(root: LexborNode, styles: dict[str, str]) -> Iterator[Node]:
    """Depth first without recursion. What is hidden is passed over with all in it."""
    node: LexborNode | None = root
    open_names: list[str] = []
    while node is not None:
        name = node.tag or ""
        child = None
        if name == "-text":
            yield Node("text", node.text_content or "")
        elif name.startswith("-"):  # comments, doctype
            pass
        elif is_hidden(name, attributes := _with_classes(node.attributes, styles)):
            yield from gap_of(name)
        else:
            yield Node("start", name, attributes)
            child = node.child
            if child is None:
                yield Node("end", name)
        if child is not None:
            open_names.append(name)
            node = child
            continue
        while node.next is None:
            if not open_names or node.parent is None:
                return
            yield Node("end", open_names.pop())
            node = node.parent
        node = node.next
