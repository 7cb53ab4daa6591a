"""Nothing but `InvalidEvent` escapes intake, whatever the bytes, and its events can be sent."""

from __future__ import annotations

import asyncio
import base64
import gzip
import itertools
import json
from datetime import UTC, datetime

import orjson
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agents.adapters.fhir import AttachmentReason
from agents.errors import InvalidEvent, PermanentError
from agents.intake.explain import explain_bytes
from agents.intake.inspect import inspect_bytes
from agents.intake.reasons import Reason
from agents.intake.receive import Intake
from agents.ports import Fetched, Record
from schemas.events import Event
from schemas.topics import topic_for

# No deadline: a busy machine is no failure of intake.
fuzz = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
NOW = datetime(2024, 6, 1, tzinfo=UTC)


class Clock:
    def now(self) -> datetime:
        return NOW


class FetchedByReference:
    """A source that gives these fetched, one after the other, whatever it is asked."""

    def __init__(self, fetched: list[Fetched | PermanentError]) -> None:
        self._answers = itertools.cycle(fetched)

    async def fetch(self, reference: str) -> Fetched:
        answer = next(self._answers)
        if isinstance(answer, PermanentError):
            raise answer
        return answer

    async def close(self) -> None: ...


def run_documents(value: bytes, source: FetchedByReference | None = None) -> None:
    """One record through intake: every item has exactly one outcome, every outcome has a topic."""
    emitted: list[Event] = []

    async def emit(event: Event) -> None:
        topic_for(event)
        event.to_json()
        event.headers()
        event.key.encode()
        emitted.append(event)

    items: list[tuple[int, int]] = []
    reasons: set[str] = set()
    record = Record("inbound.documents", 0, 0, None, value, timestamp=NOW.timestamp())
    try:
        asyncio.run(Intake(Clock(), source=source).documents(record, emit))
    except InvalidEvent as error:
        reasons.add(error.reason)
        items = [(error.item, error.items)]
    assert reasons <= set(Reason)
    items += [event_item(event) for event in emitted]
    count = items[0][1]
    assert sorted(items) == [(number, count) for number in range(count)]
    orjson.dumps(list(inspect_bytes(value)))
    assert len(list(explain_bytes(value))) == count


def encoded(value: object) -> bytes:
    """With the standard library: orjson cannot write the large numbers that it must read."""
    return json.dumps(value).encode()


def event_item(event: Event) -> tuple[int, int]:
    return event.item, event.items


def run_texts(value: bytes) -> None:
    async def emit(event: Event) -> None:
        event.to_json()
        assert event.key

    reasons: set[str] = set()
    record = Record("inbound.texts", 0, 0, None, value, timestamp=NOW.timestamp())
    try:
        asyncio.run(Intake(Clock()).texts(record, emit))
    except InvalidEvent as error:
        reasons.add(error.reason)
    assert reasons <= set(Reason)


words = st.sampled_from(
    [
        "", " ", "#1", "Patient/1", "Patient/", "urn:uuid:1", "Patient?identifier=s|1", "current",
        "entered-in-error", "preliminary", "2024-05-01", "0001-01-01", "9999-12-31T23:59:59Z",
        "text/plain", "text/plain; charset=utf-16", "Bundle", "DocumentReference", "AIAST",
        "DELETE", "data:,x", "aGVsbG8", "aGVsbG8=", "%%%", "\0", "é", "\U0001f600", "x" * 600,
        "é" * 400,
        "http://loinc.org", "Device/1", "Encounter/1", "1", "/", "//", "a/b/c",
        "https://h/Patient/1", "DocumentReference/1/_history/2", "projects/p/fhir/Binary/1",
        "DeleteResource", "notification-event", "FhirResourceDeleted", "data:text/plain,x",
        "PATCH", "Parameters", "Patient", "DiagnosticReport", "replaced-by", "replaces", "update",
        '{"resourceType":"DocumentReference"}', "eyJpZCI6MX0=", "[]", "20240501083000-0500",
        "RG9jdW1lbnRSZWZlcmVuY2UvMQ==", 'W/"2"', "PUT",
    ]
)  # fmt: skip
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), words, st.text(max_size=8)
)
names = st.sampled_from(
    [
        "resourceType", "id", "meta", "versionId", "lastUpdated", "status", "docStatus", "subject",
        "reference", "identifier", "system", "value", "type", "coding", "code", "display", "text",
        "date", "indexed", "created", "context", "encounter", "period", "start", "author",
        "content", "attachment", "contentType", "data", "url", "creation", "title", "description",
        "contained",
        "entry", "resource", "fullUrl", "request", "method", "security", "tag", "payload",
        "masterIdentifier", "securityLabel", "class", "resourceFhirId", "patient_id", "text_id",
        "message", "attributes", "action", "payloadId", "operationType", "resourceVersionId",
        "parameter", "part", "name", "Message", "detail", "value", "after", "data_base64",
        "Records", "payloadVersion", "lastModified", "link", "other", "replaced-by", "actor",
        "performer", "presentedForm", "relatesTo", "target", "valueReference",
        "notificationEvent", "focus", "response",
        "location", "etag", "eventType",
        "occurred_at", "as_of", "settings", "specversion", "source", "generator",
    ]
)  # fmt: skip
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(names, inner, max_size=6)),
    max_leaves=25,
)


def references() -> st.SearchStrategy[object]:
    return st.one_of(st.fixed_dictionaries({"reference": words}), anything)


documents = st.fixed_dictionaries(
    {
        "resourceType": st.just("DocumentReference"),
        "subject": st.one_of(st.just({"reference": "Patient/p"}), references()),
        "content": st.one_of(
            st.lists(
                st.fixed_dictionaries(
                    {
                        "attachment": st.fixed_dictionaries(
                            {
                                "data": st.one_of(
                                    st.binary(max_size=64).map(
                                        lambda b: base64.b64encode(b).decode()
                                    ),
                                    words,
                                )
                            },
                            optional={"contentType": words, "title": anything, "creation": words},
                        )
                    }
                ),
                max_size=3,
            ),
            anything,
        ),
    },
    optional={
        name: st.one_of(words, references())
        for name in (
            "id", "status", "docStatus", "date", "indexed", "created", "type", "author", "context",
            "meta", "identifier", "masterIdentifier", "contained", "description", "period",
        )
    },
)  # fmt: skip
resources = st.one_of(documents, anything)
bundles = st.fixed_dictionaries(
    {
        "resourceType": st.just("Bundle"),
        "entry": st.lists(
            st.one_of(
                st.fixed_dictionaries(
                    {"resource": resources}, optional={"fullUrl": words, "request": anything}
                ),
                anything,
            ),
            max_size=4,
        ),
    },
    optional={"type": words},
)


@fuzz
@given(st.binary(max_size=300))
def test_arbitrary_bytes(value):
    run_documents(value)
    run_texts(value)


@fuzz
@given(anything)
def test_arbitrary_json(value):
    run_documents(encoded(value))
    run_texts(encoded(value))


@fuzz
@given(documents)
def test_mutated_documents(value):
    run_documents(encoded(value))


@fuzz
@given(bundles)
def test_mutated_bundles(value):
    run_documents(encoded(value))


@fuzz
@given(st.lists(st.one_of(documents.map(encoded), st.binary(max_size=30)), max_size=5))
def test_ndjson_with_damaged_lines(lines):
    run_documents(b"\n".join(lines))


@fuzz
@given(documents, st.integers(0, 10_000), st.binary(max_size=3))
def test_a_document_damaged_at_any_byte(value, at, put):
    raw = encoded(value)
    at %= len(raw)
    run_documents(raw[:at] + put + raw[at + 1 :])


@fuzz
@given(
    st.fixed_dictionaries(
        {
            "text_id": st.one_of(st.just("t"), anything),
            "patient_id": st.one_of(words, anything),
            "text": st.one_of(st.text(), anything),
            "occurred_at": st.one_of(st.just("2024-05-01T00:00:00Z"), words, anything),
        },
        optional={"as_of": words, "settings": anything, "type": words, "source": anything},
    )
)
def test_mutated_texts(value):
    run_texts(encoded(value))


SEEDS = (
    b"<html><body><table><tr><td>Na</td><td hidden>138</td></tr></table>"
    b"<ol><li>x<pre>y</ol></html>",
    rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset204 A;}}\f0 a\'e9\u233?\b b"
    rb"\v c\plain\par{\*\x y}\bin2 }}}",
    b"<ClinicalDocument xmlns='urn:hl7-org:v3'><component><section><title>T</title><text>x<list>"
    b"<item>y</item></list></text></section></component></ClinicalDocument>",
    b"<ClinicalDocument><nonXMLBody><text mediaType='text/rtf' representation='B64'>e1xydGYxIGF9"
    b"</text></nonXMLBody></ClinicalDocument>",
    b"\x1f\x8b" + gzip.compress(b"<p>Na 138</p>", mtime=0)[2:],
    "\ufeffNa 138 \u2013 ok".encode("utf-16-le"),
    b'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n--b\n'
    b"Content-Type: text/plain; charset=x\nContent-Transfer-Encoding: base64\n\nTmEgMTM4\n--b--\n",
    base64.b64encode(b"Na 138, K 4.1, seen on the ward, home tomorrow."),
    b"&lt;p&gt;Na 138&lt;/p&gt;<br><input type=checkbox checked><textarea>a</textarea>",
    rb"Labs:\.br\Na 138\T\10\S\3",
    b'<?xml version="1.0" encoding="utf-16"?><html xmlns="http://www.w3.org/1999/xhtml">&nbsp;A&O',
)
pieces = st.one_of(
    st.binary(max_size=4),
    st.sampled_from(
        [
            b"{", b"}", b"\\", b"\\bin9 ", b"\\u-1?", b"\\'", b"\\ansicpg0 ", b"\\f99", b"<", b">",
            b"</", b"<p", b"<!--", b"&", b"&#0;", b"&#xD800;", b"<![CDATA[", b"]]>", b"\0",
            b"\xff", b"<?xml ", b"\n\n", b"--b", b":", b"&lt;", b"\\.br\\", b"charset=utf-32",
        ]
    ),
)  # fmt: skip


@fuzz
@given(
    st.sampled_from(SEEDS),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 3), pieces), max_size=5),
    st.sampled_from(
        ["text/plain", "text/html", "text/rtf", "application/xml", "x; charset=utf-16"]
    ),
)
@example(rb"{\rtf1\ansicpg65001 \'ff}", [], "text/rtf")
@example(b"<?xml version='1.0' encoding='utf-16'?><ClinicalDocument/>", [], "text/xml")
@example(b"<ClinicalDocument><section><text>&#xD800;</text></section>", [], "text/xml")
@example(b"<ClinicalDocument xmlns='}'><section><text>x</text></section>", [], "text/xml")
def test_mutated_attachments(seed, changes, content_type):
    for at, gone, put in changes:
        seed = seed[:at] + put + seed[at + gone :]
    data = base64.b64encode(seed).decode()
    attachment = {"contentType": content_type, "data": data}
    document = {
        "resourceType": "DocumentReference",
        "subject": {"reference": "Patient/p"},
        "content": [{"attachment": attachment}],
    }
    run_documents(encoded(document))


fetched = st.one_of(
    st.builds(
        Fetched,
        st.one_of(
            st.binary(max_size=60),
            documents.map(encoded),
            anything.map(encoded),
            st.just(b'{"resourceType": "DocumentReference", "id": "1"}'),
        ),
        st.one_of(st.none(), words),
        st.just("https://h/fhir"),
    ),
    st.builds(
        PermanentError, st.sampled_from([*AttachmentReason, "from another source"]), st.just("why")
    ),
)
by_url = st.fixed_dictionaries(
    {"url": st.one_of(words, st.just("Binary/1"))}, optional={"contentType": words, "data": words}
)
notifications = st.fixed_dictionaries(
    {
        "data": st.fixed_dictionaries(
            {
                "resourceType": st.sampled_from(["DocumentReference", "DiagnosticReport", "x"]),
                "resourceFhirId": st.one_of(st.just("1"), words),
            },
            optional={"resourceVersionId": st.one_of(st.integers(), anything)},
        )
    },
    optional={"eventType": words},
)


@fuzz
@given(
    st.lists(
        st.one_of(
            notifications,
            bundles,
            st.tuples(documents, st.lists(by_url, max_size=3)).map(
                lambda made: made[0] | {"content": [{"attachment": one} for one in made[1]]}
            ),
        ),
        max_size=4,
    ),
    st.lists(fetched, min_size=1, max_size=4),
)
def test_whatever_a_server_answers(values, given_answers):
    run_documents(encoded(values), FetchedByReference(given_answers))
