"""`agents.ports.NoteSource` on FHIR servers: what an event names by reference, read over HTTP.

References come from feeds, so they are hostile until `allowed` has matched them with a configured
base. `client` asks, `body` reads within bounds, `binary` unwraps a Binary, `auth` holds the
tokens, `retry` says what is worth asking again, `errors` names every other end.
"""

from agents.adapters.fhir.allowed import FhirBase
from agents.adapters.fhir.auth import BearerToken, SmartBackendServices
from agents.adapters.fhir.client import FhirClient
from agents.adapters.fhir.errors import AttachmentError, AttachmentReason
from agents.adapters.fhir.limits import Limits

__all__ = [
    "AttachmentError",
    "AttachmentReason",
    "BearerToken",
    "FhirBase",
    "FhirClient",
    "Limits",
    "SmartBackendServices",
]
