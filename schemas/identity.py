"""Ids that no two servers share.

Servers count each for themselves: `Patient/1` of one is not `Patient/1` of another. An id of the
home server, which needs no base, stands alone (`1`); an id of any other server keeps the server's
base (`https://b.example/fhir|1`). No id of a FHIR server holds a slash, so the two never meet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

_REFERENCE = re.compile(
    r"(?:(?P<base>(?i:https?)://.+)/)?(?P<type>[A-Z][A-Za-z]+)/(?P<id>[^/?#|]*)(?s:/_history/.*)?/?"
)
MAX_REFERENCE = 8192
"""Characters; longer ones name nothing: ids end at 512."""
_PORTS = {"http": ":80", "https": ":443"}


def canonical_base(url: str) -> str:
    """A server's base URL in the one form that ids hold; scheme and host say nothing by case."""
    given = urlsplit(url.strip())
    scheme = given.scheme.lower()
    host = given.netloc.lower().removesuffix(_PORTS.get(scheme, " "))
    return f"{scheme}://{host}{given.path.rstrip('/')}"


def qualified(base: str | None, name: str) -> str:
    """`name` of the server at `base`, canonical; None for the home server."""
    return f"{base}|{name}" if base else name


def base_of(url: str | None) -> str | None:
    """The server of a resource whose absolute URL is given."""
    match = _match((url or "").strip())
    return canonical_base(match["base"]) if match and match["base"] else None


def of_reference(given: str, resource_type: str) -> str:
    """The id in `Patient/1`, also with a base or a version; any other text stays as it is."""
    match = _match(given)
    if match is None or match["type"] != resource_type:
        return given
    if not match["id"].strip():
        raise ValueError(f"names no {resource_type}")
    return qualified(base_of(given), match["id"].strip())


def _match(given: str) -> re.Match[str] | None:
    return _REFERENCE.fullmatch(given) if len(given) <= MAX_REFERENCE else None


def of_document(given: str) -> str:
    """As documents are named: a DiagnosticReport may have the id of a DocumentReference."""
    kind = "DiagnosticReport"
    named = of_reference(given, kind)
    if named == given:
        return of_reference(given, "DocumentReference")
    base, bar, local = named.rpartition("|")
    return f"{base}{bar}{kind}/{local}"


def at_home(name: str, homes: Iterable[str]) -> str:
    """`name` without its base where that is the home server's."""
    base, bar, local = name.partition("|")
    return local if bar and base in homes else name
