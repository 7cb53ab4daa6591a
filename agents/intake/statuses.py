"""What a document's status says, in every spelling that is in use.

Beside FHIR's codes (`CompositionStatus`, `DocumentReferenceStatus`, `DiagnosticReportStatus`),
engines pass on what their source has: HL7 v2 TXA-17 (table 0271) and OBR-25 (table 0123), and words
of record systems. The codes of table 0271 are read as HL7's v2-to-FHIR concept map has them: all
but `AU` and `LA` are preliminary. A site can say what its own words mean
(`CHARTPROOF_DOCUMENT_STATUSES`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from agents.intake.shape import codes, objects, string

FINAL, DRAFT, IN_ERROR = "final", "draft", "entered-in-error"
MEANINGS = (FINAL, DRAFT, IN_ERROR)
Statuses = Mapping[str, str]
"""A site's word, as `plain_status` has it -> one of `MEANINGS`."""

_DRAFTS_WORDS = """
preliminary prelim registered partial cancelled canceled draft drafted in-progress in-process
inprogress inprocess unsigned not-signed incomplete not-complete unfinished not-finished pending
pended pend dictated transcribed unauthenticated not-authenticated unauth unverified not-verified
unapproved not-approved unreviewed pre-authenticated preauthenticated pre-auth documented working
work-in-progress wip tentative provisional interim temporary temp started saved open shared proposed
requested anticipated scheduled rejected abandoned aborted on-hold held hold suspended queued new
awaiting undictated untranscribed unreleased di do in ip pa p prelim-report
"""
_DRAFTS = frozenset(_DRAFTS_WORDS.split())
_DRAFT_PARTS = frozenset(
    ["draft", "unsigned", "pending", "pended", "awaiting", "unfinished", "incomplete"]
)
"""Words that make any status of several an unfinished one: "awaiting signature"."""
_SIGNED = frozenset(["cosign", "cosigned", "cosignature", "attestation", "amendment", "addendum"])
"""Beside these the note itself is signed: "pending cosignature"."""
_IN_ERROR_WORDS = """
entered-in-error in-error error erroneous error-entered nullified nullify retracted withdrawn void
voided deleted removed wrong-patient marked-in-error purged
"""
_IN_ERROR = frozenset(_IN_ERROR_WORDS.split())
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_GAPS = re.compile(r"[^a-z0-9]+")


def plain_status(code: str) -> str:
    """`Entered_in Error`, `enteredInError`: in lower case, with a hyphen between words."""
    return _GAPS.sub("-", _CAMEL.sub("-", code).lower()).strip("-")


def statuses_of(*elements: object) -> frozenset[str]:
    """All codes of `elements`, as `plain_status` has them."""
    texts = [string(concept.get("text")) for one in elements for concept in objects(one)]
    written = [*(code for one in elements for code in codes(one)), *filter(None, texts)]
    return frozenset(filter(None, map(plain_status, written)))


def meaning_of(status: str, site: Statuses) -> str:
    """One of `MEANINGS` for a status as `plain_status` has it; what is unknown is final."""
    if status in site:
        return site[status]
    if status in _IN_ERROR:
        return IN_ERROR
    words = set(status.split("-"))
    unfinished = not words.isdisjoint(_DRAFT_PARTS) and words.isdisjoint(_SIGNED)
    return DRAFT if status in _DRAFTS or unfinished else FINAL
