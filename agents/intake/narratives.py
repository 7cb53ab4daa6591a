"""Notes that stand in a resource's narratives, not in an attachment: made attachments of html.

A FHIR document (a Composition with its sections; FHIR R4 "Documents", the discharge summaries of
the UK, India, Australia and the EU) says all that its author wrote in `section.text`. A
DiagnosticReport without `presentedForm` says it in `conclusion`, or in its own narrative.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from agents.intake.references import Scope, held, link_of
from agents.intake.shape import JsonObject, child, each, objects, string

MAX_SECTIONS = 2000
MAX_DEPTH = 16
"""Sections in sections."""
_STATED = ("generated", "extensions", "additional", None)
"""Of `Narrative.status` what has words; `empty` says that there is nothing to read."""


def is_document(composition: JsonObject) -> bool:
    """Whether a Composition has sections, or was a document before it was entered in error."""
    return bool(objects(composition.get("section"))) or "error" in (
        string(composition.get("status")) or ""
    )


def narrative_attachments(composition: JsonObject, scope: Scope) -> list[JsonObject]:
    """The narratives of all sections as one attachment, or none."""
    parts = list(_sections(composition, composition, scope, 0))
    if not any(narrative for _, narrative in parts):
        own = _narrative(composition)
        parts = [("", own)] if own else []
    body = "".join(
        (f"<h2>{escape(title)}</h2>" if title else "") + f"<div>{narrative}</div>"
        for title, narrative in parts[:MAX_SECTIONS]
    )
    return [_html(body)] if parts else []


def report_forms(report: JsonObject) -> list[JsonObject]:
    """The attachments of a DiagnosticReport; its conclusion and narrative where it has none."""
    forms = objects(report.get("presentedForm"))
    if any(form.get("data") or form.get("url") for form in forms):
        return forms
    conclusion, own = string(report.get("conclusion")), _narrative(report)
    if own and conclusion and conclusion.split()[0] in own:
        conclusion = None if _holds(own, conclusion) else conclusion
    body = (f"<p>{escape(conclusion)}</p>" if conclusion else "") + own
    if not body or not (conclusion or _words(own)):
        return forms
    return [_html(body.replace("\n", "<br/>") if conclusion and not own else body)]


def _sections(
    node: JsonObject, resource: JsonObject, scope: Scope, depth: int
) -> Iterator[tuple[str, str]]:
    for section in objects(node.get("section"))[:MAX_SECTIONS] if depth < MAX_DEPTH else ():
        narrative = _narrative(section)
        inner = list(_sections(section, resource, scope, depth + 1))
        if not narrative and not inner:
            links = map(link_of, each(section.get("entry"))[:MAX_SECTIONS])
            entries = (held(link, resource, scope) for link in links if link)
            narrative = "".join(f"<div>{_narrative(entry)}</div>" for entry in entries if entry)
        if narrative or inner:
            title = string(section.get("title")) or string(child(section, "code", "text")) or ""
            yield title, narrative
        yield from inner


def _narrative(resource: JsonObject) -> str:
    status = string(child(resource, "text", "status"))
    div = string(child(resource, "text", "div")) or ""
    return div if status in _STATED and _words(div) else ""


def _words(markup: str) -> bool:
    return any(
        character.isalnum() for part in markup.split("<") for character in part.partition(">")[2]
    )


def _holds(markup: str, text: str) -> bool:
    return "".join(escape(text).split()) in "".join(markup.split())


def _html(body: str) -> JsonObject:
    return {
        "contentType": "text/html; charset=utf-8",
        "data": f"<html><body>{body}</body></html>".encode(),
    }
