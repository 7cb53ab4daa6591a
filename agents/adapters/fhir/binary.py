"""What is inside a FHIR Binary, when a server sends the resource rather than the bytes.

Asked for a Binary, servers answer either way whatever was accepted (FHIR R4 section 2.29). The data
stand in `data` since R4 and in `content` before.
"""

from __future__ import annotations

import orjson
import pybase64

from agents.adapters.fhir.errors import AttachmentError, AttachmentReason

_EXTERNALISED = "http://hapifhir.io/fhir/StructureDefinition/externalized-binary-id"
ENVELOPE_BYTES = 64 * 1024
"""What a Binary may have around its data."""
_WHITE = b" \t\r\n"
_BOM = b"\xef\xbb\xbf"
_URL_SAFE = str.maketrans("-_", "+/")


class Externalised(Exception):
    """HAPI keeps the data out of the Binary: they are at its `$binary-access-read`."""


def wire_limit(max_bytes: int, content_type: str) -> int:
    """Bytes to read for an attachment of `max_bytes`: base64, wrapped in lines, needs more."""
    return max_bytes * 10 // 7 + ENVELOPE_BYTES if "json" in content_type.lower() else max_bytes


def unwrap(body: bytes, content_type: str | None) -> tuple[bytes, str | None]:
    """Content and its type: out of a Binary, and as they are if `body` is none.

    Raises `AttachmentError` for an OperationOutcome and for a Binary that cannot be read, and
    `Externalised`.
    """
    declared = "fhir" in (content_type or "").lower() and "json" in (content_type or "").lower()
    if not declared and not body[:64].removeprefix(_BOM).lstrip(_WHITE).startswith(b"{"):
        return body, content_type
    try:
        resource = orjson.loads(body.removeprefix(_BOM))
    except orjson.JSONDecodeError:
        if declared:
            raise _broken("is not the JSON that its type says") from None
        return body, content_type
    kind = resource.get("resourceType") if isinstance(resource, dict) else None
    if kind == "OperationOutcome":
        raise AttachmentError(
            AttachmentReason.REFUSED, "The FHIR server answers with an OperationOutcome."
        )
    if kind != "Binary":
        return body, content_type
    data = resource.get("data", resource.get("content"))
    if data is None and _is_elsewhere(resource.get("_data")):
        raise Externalised
    given = resource.get("contentType")
    return _decoded(data), given if isinstance(given, str) else None


def _is_elsewhere(beside_data: object) -> bool:
    result = beside_data.get("extension") if isinstance(beside_data, dict) else None
    return isinstance(result, list) and any(
        isinstance(one, dict) and one.get("url") == _EXTERNALISED for one in result
    )


def _decoded(data: object) -> bytes:
    if data is None:
        return b""
    if not isinstance(data, str):
        raise _broken("has data that are no string")
    try:
        return pybase64.b64decode(data, validate=True)
    except ValueError:  # wrapped in lines, URL-safe, or without padding
        pass
    clean = "".join(data.split()).translate(_URL_SAFE).rstrip("=")
    try:
        return pybase64.b64decode(clean + "=" * (-len(clean) % 4), validate=True)
    except ValueError:
        raise _broken("has data that are not base64") from None


def _broken(what: str) -> AttachmentError:
    return AttachmentError(AttachmentReason.BROKEN, f"The Binary that the server sends {what}.")
