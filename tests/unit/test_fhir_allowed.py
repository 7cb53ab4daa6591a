"""What may be fetched: whatever a feed says, nothing but what lies under a configured base."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import quote, unquote

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agents.adapters.fhir.allowed import Allowed, FhirBase
from agents.adapters.fhir.errors import AttachmentError, AttachmentReason

BASE = "https://fhir.example.org/r4"
INNER = "https://fhir.example.org/r4/lab"
LOCAL = "http://127.0.0.1:8080/fhir"


def allowed() -> Allowed:
    return Allowed([FhirBase(BASE), FhirBase(INNER), FhirBase(LOCAL)])


def resolved(reference: str) -> tuple[str, str] | None:
    """Base and URL of what may be fetched."""
    try:
        target = allowed().resolve(reference)
    except AttachmentError as error:
        if error.reason is not AttachmentReason.URL_NOT_ALLOWED:
            raise
        return None
    return target.base.url, str(target.url)


@pytest.mark.parametrize(
    ("reference", "url"),
    [
        ("Binary/1", f"{BASE}/Binary/1"),
        (" Binary/1\n", f"{BASE}/Binary/1"),
        ("/r4/Binary/1", f"{BASE}/Binary/1"),
        ("DocumentReference/1/_history/2", f"{BASE}/DocumentReference/1/_history/2"),
        ("Binary/1?_format=json", f"{BASE}/Binary/1?_format=json"),
        ("Binary/a.b-c..d", f"{BASE}/Binary/a.b-c..d"),
        ("Binary/a%2Fb", f"{BASE}/Binary/a%2Fb"),
        ("files/Befund Müller.pdf", f"{BASE}/files/Befund%20M%C3%BCller.pdf"),
        (f"{BASE}/Binary/1", f"{BASE}/Binary/1"),
        ("HTTPS://FHIR.example.org:443/r4/Binary/1#page=2", f"{BASE}/Binary/1"),
        (f"{INNER}/Binary/1", f"{INNER}/Binary/1"),
        (f"{LOCAL}/Binary/1", f"{LOCAL}/Binary/1"),
    ],
)
def test_a_reference_under_a_base_is_fetched_from_there(reference: str, url: str) -> None:
    found = resolved(reference)
    assert found is not None
    assert found[1] == url


def test_the_innermost_base_lends_its_credentials() -> None:
    assert resolved(f"{INNER}/Binary/1") == (INNER, f"{INNER}/Binary/1")
    assert resolved(f"{BASE}/laboratory/1") == (BASE, f"{BASE}/laboratory/1")


REFUSED = [
    "",
    "#contained",
    "urn:uuid:8a1b",
    "urn:oid:1.2.3",
    "data:text/plain;base64,YQ==",
    "mailto:someone@example.org",
    # other schemes
    "file:///etc/passwd",
    "ftp://fhir.example.org/r4/Binary/1",
    "gopher://127.0.0.1:8080/fhir/Binary/1",
    "http://fhir.example.org/r4/Binary/1",
    "https://127.0.0.1:8080/fhir/Binary/1",
    # other hosts and ports
    "http://169.254.169.254/latest/meta-data/",
    "https://evil.example/r4/Binary/1",
    "https://fhir.example.org.evil.example/r4/Binary/1",
    "https://fhir.example.org./r4/Binary/1",
    "https://fhir.example.org:8443/r4/Binary/1",
    "http://127.0.0.1/fhir/Binary/1",
    "http://127.0.0.1:8080.evil.example/fhir/Binary/1",
    "//evil.example/r4/Binary/1",
    "///evil.example/r4/Binary/1",
    # the same host in another spelling, userinfo
    "https://fhir.example.org@evil.example/r4/Binary/1",
    "https://fhir.example.org:443@evil.example/r4/Binary/1",
    "https://someone:secret@fhir.example.org/r4/Binary/1",
    "https://@fhir.example.org/r4/Binary/1",
    "https://evil.example#@fhir.example.org/r4/Binary/1",
    "https://evil.example?@fhir.example.org/r4/Binary/1",
    r"https://evil.example\@fhir.example.org/r4/Binary/1",
    r"https:\\fhir.example.org\r4\Binary\1",
    "https:/fhir.example.org/r4/Binary/1",
    "https:fhir.example.org/r4/Binary/1",
    "https://ｆhir.example.org/r4/Binary/1",
    "https://fhir。example。org/r4/Binary/1",
    "https://fhir.example.org%2Fr4/Binary/1",
    "https://fhir%2Eexample.org/r4/Binary/1",
    "http://2130706433:8080/fhir/Binary/1",
    "http://0x7f000001:8080/fhir/Binary/1",
    "http://0177.0.0.1:8080/fhir/Binary/1",
    "http://127.1:8080/fhir/Binary/1",
    "http://[::ffff:127.0.0.1]:8080/fhir/Binary/1",
    "http://[::1]:8080/fhir/Binary/1",
    "http://[::1/fhir/Binary/1",
    "http://localhost:8080/fhir/Binary/1",
    # beside the base
    BASE,
    f"{BASE}/",
    f"{BASE}-evil/Binary/1",
    f"{BASE}evil/Binary/1",
    "https://fhir.example.org/R4/Binary/1",
    "https://fhir.example.org/admin",
    "/admin",
    # out of the base
    "../admin",
    "Binary/../../admin",
    "Binary/./1",
    "Binary/..;/..;/admin",
    "Binary/%2e%2e/%2E%2E/admin",
    "Binary/%252e%252e/%252e%252e/admin",
    "Binary/%25252525252e%25252525252e/admin",
    "Binary/..%2f..%2fadmin",
    "Binary/..%5c..%5cadmin",
    r"Binary\..\..\admin",
    "Binary/．．/．．/admin",
    "Binary/%c0%ae%c0%ae/admin",
    f"{BASE}/../admin",
    f"{BASE}/%2e%2e/admin",
    # what would become another request
    "Binary/1\r\nHost: evil.example",
    "Binary/1%0d%0aHost:%20evil.example",
    "Binary/\x00",
    "Binary/" + "a" * 10_000,
]


@pytest.mark.parametrize("reference", REFUSED)
def test_what_lies_elsewhere_is_refused(reference: str) -> None:
    assert resolved(reference) is None


def test_a_refusal_does_not_repeat_the_reference() -> None:
    with pytest.raises(AttachmentError) as caught:
        allowed().resolve("https://evil.example/Patient/jane-roe?sig=secret")
    assert "jane" not in str(caught.value)
    assert "secret" not in str(caught.value)


_SYNTAX = ["/", "//", "..", ".", "%2e", "%2E%2e", "%252e", "%2f", "%5c", "\\", ";", "?", "#", "@"]
_LOOKALIKES = [":", "．", "。", "‥", "／", "[::1]", "%00", "http:", "https:", " ", "\t"]
_NAMES = f"{BASE} {LOCAL} fhir.example.org evil.example 127.0.0.1 :8080 r4 fhir Binary".split()
_PIECE = st.one_of(
    st.sampled_from([*_SYNTAX, *_LOOKALIKES, *_NAMES]),
    st.text(max_size=5),
    st.text(max_size=3).map(quote),
)
_START = st.sampled_from(["", "", f"{BASE}/", f"{LOCAL}/", "/r4/", f"{BASE}/Binary/"])
REFERENCES = st.tuples(_START, st.lists(_PIECE, max_size=8).map("".join)).map("".join)


def assert_under_a_base(base: str, url: str) -> None:
    """`url` is under `base` for every reader: each decoding, each treatment of dots."""
    parsed, root = httpx.URL(url), httpx.URL(base)
    assert (parsed.scheme, parsed.host, parsed.port) == (root.scheme, root.host, root.port)
    assert not parsed.userinfo
    path = parsed.raw_path.partition(b"?")[0].decode()
    for _ in range(5):
        assert path.startswith(root.path + "/")
        assert not {".", ".."} & {part.partition(";")[0] for part in path.split("/")}
        assert "\\" not in path
        path = unquote(path)


@given(REFERENCES)
@example(f"{BASE}/..")
def test_whatever_is_fetched_lies_under_its_base(reference: str) -> None:
    if found := resolved(reference):
        assert_under_a_base(*found)


@given(REFERENCES)
@example("https://fhir.example.org@evil.example/r4/x")
@example("//evil.example/r4/x")
@example("/../../admin")
def test_whatever_a_redirect_says_it_stays_under_the_same_base(location: str) -> None:
    target = allowed().resolve(f"{INNER}/Binary/1")
    with suppress(AttachmentError):
        assert_under_a_base(INNER, str(allowed().redirected(target, location).url))


@pytest.mark.parametrize(
    ("location", "url"),
    [
        (f"{BASE}/Binary/2", f"{BASE}/Binary/2"),
        ("/r4/Binary/2", f"{BASE}/Binary/2"),
        ("2", f"{BASE}/Binary/2"),
        ("//fhir.example.org/r4/Binary/2", f"{BASE}/Binary/2"),
    ],
)
def test_a_redirect_within_the_base_is_followed(location: str, url: str) -> None:
    target = allowed().resolve("Binary/1")
    assert str(allowed().redirected(target, location).url) == url


@pytest.mark.parametrize(
    "location",
    ["http://fhir.example.org/r4/Binary/2", f"{LOCAL}/Binary/2", "/admin", "//evil.example/r4/x"],
)
def test_a_redirect_off_the_base_is_refused_even_to_another_base(location: str) -> None:
    with pytest.raises(AttachmentError):
        allowed().redirected(allowed().resolve("Binary/1"), location)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "fhir.example.org/r4",
        "file:///srv/fhir",
        "http://fhir.example.org/r4",
        "https://fhir.example.org/r4?tenant=1",
        "https://fhir.example.org/r4#a",
        "https://user:secret@fhir.example.org/r4",
        "https://fhir.example.org/r4/../x",
        "https:///r4",
    ],
)
def test_what_is_no_base_cannot_be_configured(url: str) -> None:
    with pytest.raises(ValueError, match="a FHIR base") as caught:
        FhirBase(url)
    assert "secret" not in str(caught.value)


def test_http_is_for_loopback_unless_it_is_allowed() -> None:
    assert FhirBase("http://127.0.0.1/fhir").url == "http://127.0.0.1/fhir"
    assert FhirBase("http://[::1]:80/fhir/").url == "http://[::1]/fhir"
    assert FhirBase("http://fhir.local/", allow_http=True).url == "http://fhir.local"
