"""URLs that can be read in one way only.

What could make a server or a proxy read a URL otherwise than we do (dot segments in any encoding,
backslashes, userinfo, letters that become others) is refused rather than normalised. httpx parses
once, and what it parsed is what it connects to.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from urllib.parse import unquote

import httpx

from agents.adapters.fhir.errors import AttachmentError, AttachmentReason

_MAX_URL = 8192
_MAX_ENCODINGS = 3
"""Times that a path may be percent-encoded; a proxy or two may each decode it once."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SPLIT = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)(://([^/?#]*).*)", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def has_scheme(text: str) -> bool:
    return _SCHEME.match(text) is not None


def plain_url(text: str) -> httpx.URL:
    """`text` as an absolute URL. Raises `AttachmentError` (`url_not_allowed`)."""
    if not text or len(text) > _MAX_URL or _CONTROL.search(text):
        raise not_allowed("it is no URL")
    if _climbs(re.split(r"[?#]", text, maxsplit=1)[0]):
        raise not_allowed("its path has dot segments or backslashes")
    split = _SPLIT.fullmatch(text)
    if split is None or not split[3].isascii() or "@" in split[3]:
        raise not_allowed("it names no host, or not plainly")
    try:
        return httpx.URL(split[1].lower() + split[2])  # httpx knows `http`'s port, not `HTTP`'s
    except (httpx.InvalidURL, ValueError):
        raise not_allowed("it is no URL") from None


def is_secure(url: httpx.URL, *, allow_http: bool) -> bool:
    """https, or http where nobody can listen in (loopback) or where that is accepted."""
    if url.scheme != "http":
        return url.scheme == "https"
    return allow_http or url.host == "localhost" or _is_loopback(url.host)


def not_allowed(why: str) -> AttachmentError:
    return AttachmentError(
        AttachmentReason.URL_NOT_ALLOWED,
        f"The reference is not fetched: {why}. Configure its FHIR base if it should be.",
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _climbs(path: str) -> bool:
    for _ in range(_MAX_ENCODINGS):
        path = unicodedata.normalize("NFKC", unquote(path))
    if unquote(path) != path or "\\" in path or "\ufffd" in path or _CONTROL.search(path):
        return True
    # Tomcat and others cut `;parameters` off a segment before they look at it.
    return any(part.partition(";")[0].strip() in {".", ".."} for part in path.split("/"))
