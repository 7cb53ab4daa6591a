"""Invented messages of every kind that senders publish: small, and valid unless said otherwise."""

from __future__ import annotations

import base64
import gzip
from typing import Any

import orjson

Json = dict[str, Any]

TEXT = "Seen on the ward. Temperature 37.1. No cough since Tuesday."
WHEN = "2026-03-02T09:30:00Z"
PATIENT = {"reference": "Patient/p-1"}
CDA = '<ClinicalDocument xmlns="urn:hl7-org:v3"><component>{}</component></ClinicalDocument>'


def b64(raw: bytes | str) -> str:
    return base64.b64encode(raw.encode() if isinstance(raw, str) else raw).decode()


def note(text: str | bytes = TEXT, content_type: str = "text/plain", **changes: Any) -> Json:
    """An R4 DocumentReference; `changes` are its fields, None takes one away."""
    made = {
        "resourceType": "DocumentReference",
        "id": "doc-1",
        "meta": {"versionId": "1"},
        "status": "current",
        "docStatus": "final",
        "subject": PATIENT,
        "date": WHEN,
        "content": [attached(text, content_type)],
    }
    return {name: said for name, said in (made | changes).items() if said is not None}


def attached(text: str | bytes = TEXT, content_type: str = "text/plain") -> Json:
    return {"attachment": {"contentType": content_type, "data": b64(text)}}


def by_url(url: str) -> Json:
    return note(content=[{"attachment": {"contentType": "text/plain", "url": url}}])


def with_data(data: object, content_type: str = "text/plain") -> Json:
    return note(content=[{"attachment": {"contentType": content_type, "data": data}}])


def version(number: int, text: str = TEXT, **changes: Any) -> Json:
    return note(text, meta={"versionId": str(number)}, **changes)


def report(**changes: Any) -> Json:
    made = {
        "resourceType": "DiagnosticReport",
        "id": "rep-1",
        "status": "final",
        "subject": PATIENT,
        "effectiveDateTime": WHEN,
        "presentedForm": [attached()["attachment"]],
    }
    return {name: said for name, said in (made | changes).items() if said is not None}


def bundle(kind: str, *entries: Json) -> Json:
    """`entries` are resources, or whole entries."""
    wrapped = [{"resource": e} if "resourceType" in e else e for e in entries]
    return {"resourceType": "Bundle", "type": kind, "entry": wrapped}


def lines(*values: object) -> bytes:
    return b"\n".join(v if isinstance(v, bytes) else orjson.dumps(v) for v in values)


def section(title: str, text: str) -> str:
    return f"<component><section><title>{title}</title><text>{text}</text></section></component>"


def ccda() -> bytes:
    body = section("Allergies", "None known.") + section("Plan", "Home tomorrow.")
    return CDA.format(f"<structuredBody>{body}</structuredBody>").encode()


def ccda_around(raw: bytes, kind: str) -> bytes:
    text = f'<text mediaType="{kind}" representation="B64">{b64(raw)}</text>'
    return CDA.format(f"<nonXMLBody>{text}</nonXMLBody>").encode()


def rtf() -> bytes:
    return rb"{\rtf1\ansi Seen on the ward.\par Temperature 37.1.}"


def html() -> bytes:
    return b"<html><body><p>Seen on the ward.</p><p>Temperature 37.1.</p></body></html>"


def zipped() -> bytes:
    return gzip.compress(TEXT.encode(), mtime=0)


def pdf(words: str | None = "Seen on the ward.") -> bytes:
    """One page; without words it only has a filled rectangle, as a scan has a picture."""
    drawn = f"BT /F1 12 Tf 20 200 Td ({words}) Tj ET" if words else "0 0 100 100 re f"
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(drawn), drawn.encode()),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    )
    body = b"".join(b"%d 0 obj%s endobj\n" % (n, o) for n, o in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>\n%%EOF"


def azure(what: str = "Updated", number: int = 2, kind: str = "DocumentReference") -> Json:
    """A change as Azure Health Data Services tells of it, in the schema of CloudEvents."""
    return {
        "id": "5f1c8a52-0d53-4b0b-9a52-6b1f4a3f0c11",
        "source": "/subscriptions/0/resourceGroups/g/providers/"
        "Microsoft.HealthcareApis/workspaces/w",
        "specversion": "1.0",
        "type": f"Microsoft.HealthcareApis.FhirResource{what}",
        "subject": f"ward-notes.fhir.azurehealthcareapis.com/{kind}/doc-1",
        "time": "2026-03-02T09:30:04.1234567Z",
        "data": {
            "resourceType": kind,
            "resourceFhirAccount": "ward-notes.fhir.azurehealthcareapis.com",
            "resourceFhirId": "doc-1",
            "resourceVersionId": number,
        },
    }


def google(name: str = "DocumentReference/doc-1") -> Json:
    store = "projects/p/locations/europe-west4/datasets/d/fhirStores/s/fhir"
    message = {
        "attributes": {"action": "UpdateResource", "payloadType": "NameOnly", "versionId": "2"},
        "data": b64(f"{store}/{name}"),
        "messageId": "1",
    }
    return {"message": message, "subscription": "projects/p/subscriptions/notes"}


def hapi(resource: Json | None = None, operation: str = "UPDATE") -> Json:
    """A delivery of HAPI's message channel: the resource as a string, or its id alone."""
    inner: Json = {"operationType": operation, "payloadId": "DocumentReference/doc-1/_history/2"}
    if resource is not None:
        inner["payload"] = orjson.dumps(resource).decode()
    return {"headers": {"retryCount": 0, "customHeaders": {}}, "payload": inner}


def ibm() -> Json:
    """An event of the IBM FHIR Server (LinuxForHealth), which publishes to Kafka itself."""
    return {
        "lastUpdated": "2026-03-02T09:30:04.561Z",
        "location": "DocumentReference/doc-1/_history/2",
        "operationType": "update",
        "resourceId": "doc-1",
        "tenantId": "default",
    }


def subscription_notice() -> Json:
    status = {
        "resourceType": "SubscriptionStatus",
        "type": "event-notification",
        "notificationEvent": [{"focus": {"reference": "DocumentReference/doc-1"}}],
    }
    return bundle("subscription-notification", status)


def patient(patient_id: str = "p-1", number: int = 1, **changes: Any) -> Json:
    made = {"resourceType": "Patient", "id": patient_id, "meta": {"versionId": str(number)}}
    return made | changes


def merged(number: int = 2) -> Json:
    link = {"other": {"reference": "Patient/p-2"}, "type": "replaced-by"}
    return patient("p-1", number, active=False, link=[link])


def other(document_id: str = "doc-2", text: str = "Walks without help.", **changes: Any) -> Json:
    """A second document of the same patient."""
    return note(text, id=document_id, **changes)


def relates(code: str, document_id: str = "doc-1") -> list[Json]:
    return [{"code": code, "target": {"reference": f"DocumentReference/{document_id}"}}]


def deletion(document_id: str = "doc-1", number: int = 3) -> Json:
    """The entry of a history Bundle that says that a document is gone."""
    entry = {
        "request": {"method": "DELETE", "url": f"DocumentReference/{document_id}"},
        "response": {"etag": f'W/"{number}"'},
    }
    return bundle("history", entry)
