"""Reading JSON that may have any shape: a wrong type reads as absent, one as a list of one.

FHIR versions differ in what is a list and what is one object (DSTU2 `context.encounter`, R4 the
list), and engines differ more; with these few functions no reader needs to ask which it has.
"""

from __future__ import annotations

from typing import Any

JsonObject = dict[str, Any]


def child(node: object, *path: str) -> object:
    """What stands at `path`; None where anything on the way is missing or is not an object.

    A list of one is what it holds: converters write `meta: [{...}]`.
    """
    for name in path:
        if isinstance(node, list) and len(node) == 1:
            node = node[0]
        if not isinstance(node, dict):
            return None
        node = node.get(name)
    return node


def each(node: object) -> list[object]:
    """A list as it is, None as empty, anything else as a list of one."""
    if node is None:
        return []
    return node if isinstance(node, list) else [node]


def objects(node: object) -> list[JsonObject]:
    return [item for item in each(node) if isinstance(item, dict)]


def string(node: object) -> str | None:
    """A stripped string that is not empty; a whole number as its digits (`versionId: 3`)."""
    if isinstance(node, int) and not isinstance(node, bool):
        return str(node)
    return (node.strip() or None) if isinstance(node, str) else None


def codings(node: object) -> list[JsonObject]:
    """Codings of a CodeableConcept, of several, or of a bare Coding (`meta.tag`)."""
    result: list[JsonObject] = []
    for concept in objects(node):
        result += objects(concept["coding"]) if "coding" in concept else [concept]
    return result


def codes(node: object) -> list[str]:
    """Codes of a `code` (R4) or CodeableConcept (DSTU2 docStatus, R5 relatesTo.code)."""
    plain = [item for item in map(string, each(node)) if item]
    return plain + [code for coding in codings(node) if (code := string(coding.get("code")))]
