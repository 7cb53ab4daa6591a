"""Every way a resource can end other than in the chart: the one table of intake's reasons.

A skip is a rule: there is nothing to do, and a replay would end the same. A dead letter is damage:
somebody can correct it and replay it. The table in docs/intake.md is this one (`markdown`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Disposition(StrEnum):
    ACCEPTED = "accepted"
    RETRACTED = "retracted"
    SKIPPED = "skipped"
    DEAD_LETTER = "dead_letter"


@dataclass(frozen=True)
class ReasonEntry:
    """`meaning` and `advice` are sentences for people; the code is for programs."""

    disposition: Disposition
    meaning: str
    advice: str


class Reason(StrEnum):
    """A code with its `ReasonEntry`."""

    def __new__(cls, code: str, disposition: Disposition, meaning: str, advice: str) -> Reason:
        member = str.__new__(cls, code)
        member._value_ = code
        member.entry = ReasonEntry(disposition, meaning, advice)
        return member

    entry: ReasonEntry

    # The record as a whole
    EMPTY = (
        "empty",
        Disposition.DEAD_LETTER,
        "The record's value is empty, or only white space.",
        "See why the sender publishes empty messages.",
    )
    TOMBSTONE = (
        "tombstone",
        Disposition.SKIPPED,
        "A record without a value (a Kafka tombstone) whose key names no document that is known.",
        "Nothing to do: the deletion itself comes as an event of its own.",
    )
    TOO_LARGE = (
        "too_large",
        Disposition.DEAD_LETTER,
        "The record is larger than chartproof processes (16 MiB, 100,000 resources).",
        "Split the Bundle or NDJSON, or send the attachment by url.",
    )
    NOT_JSON = (
        "not_json",
        Disposition.DEAD_LETTER,
        "It cannot be parsed as JSON or NDJSON.",
        "Publish FHIR JSON; XML and HL7 v2 must be converted first.",
    )
    NO_DOCUMENTS = (
        "no_documents",
        Disposition.SKIPPED,
        "The Bundle or list holds no resources.",
        "Nothing to do.",
    )

    # The resource
    NOT_FHIR = (
        "not_fhir",
        Disposition.DEAD_LETTER,
        "The JSON has no resourceType, so nothing says what it is.",
        "Publish FHIR resources or Bundles to this topic.",
    )
    UNSUPPORTED_RESOURCE = (
        "unsupported_resource",
        Disposition.SKIPPED,
        "The resource is of a type that carries no note: only DocumentReference, DiagnosticReport "
        "with presentedForm, conclusion or narrative, and Composition with sections do.",
        "Nothing to do, unless a note stands in it: that is read from a DocumentReference.",
    )
    NO_RESOURCE = (
        "no_resource",
        Disposition.SKIPPED,
        "A notification or Bundle entry that names a resource but does not hold it.",
        "Configure CHARTPROOF_FHIR_BASES, so that it is fetched, or the sender to include it.",
    )
    DELETION = (
        "deletion",
        Disposition.DEAD_LETTER,
        "A deletion names a document but not its patient, and not just one patient has it.",
        "Send the DocumentReference with its subject and status entered-in-error.",
    )
    DELETED = (
        "deleted",
        Disposition.RETRACTED,
        "The document was deleted on its server: its facts leave the index.",
        "Nothing to do.",
    )
    NO_PATIENT = (
        "no_patient",
        Disposition.DEAD_LETTER,
        "The subject, or a Patient's link replaced-by, does not lead to a Patient's id.",
        "Send the reference as Patient/<id>, or the Patient with its id in the same Bundle, or map "
        "its identifier in the file of CHARTPROOF_PATIENT_IDENTIFIERS.",
    )
    NO_IDENTITY = (
        "no_identity",
        Disposition.DEAD_LETTER,
        "A retraction has neither id, identifier nor text: which document it means is unknown.",
        "Send the id of the document that is entered in error.",
    )
    ENTERED_IN_ERROR = (
        "entered_in_error",
        Disposition.RETRACTED,
        "status or docStatus is entered-in-error: the document's facts leave the index.",
        "Nothing to do.",
    )
    DRAFT = (
        "draft",
        Disposition.SKIPPED,
        "status or docStatus says that the note is not finished (preliminary, in-progress, "
        "unsigned, TXA-17 DI, DO, IN, IP, PA ...): kept out of evidence.",
        "Nothing to do: the final version is taken when it comes.",
    )

    # The document among others of its patient
    REPLACED = (
        "replaced",
        Disposition.SKIPPED,
        "Another document replaces it (relatesTo): its facts are no evidence.",
        "Nothing to do: they come back if the other one turns out to be in error.",
    )
    DUPLICATE = (
        "duplicate",
        Disposition.SKIPPED,
        "The same note is in the chart under another id, which evidence cites.",
        "Nothing to do.",
    )
    OTHER_FORM = (
        "other_form",
        Disposition.SKIPPED,
        "It is another form (relatesTo transforms) of a document that is in the chart.",
        "Nothing to do.",
    )

    # Patients
    NO_MERGE = (
        "no_merge",
        Disposition.SKIPPED,
        "A Patient resource without a link to or from a merged record.",
        "Nothing to do; if it was merged before, the merge is undone.",
    )
    MERGE_CIRCLE = (
        "merge_circle",
        Disposition.SKIPPED,
        "The merge would lead back to the same patient.",
        "Correct the links in the source, and send both Patient resources again.",
    )

    # The attachment
    NO_ATTACHMENT = (
        "no_attachment",
        Disposition.SKIPPED,
        "No attachment has data or a url.",
        "Send the note's text as content.attachment.data.",
    )
    NO_TEXT = (
        "no_text",
        Disposition.SKIPPED,
        "The attachment's data is absent, masked, empty or white space.",
        "Nothing to do, unless the note should have text.",
    )
    URL_ONLY = (
        "url_only",
        Disposition.SKIPPED,
        "The attachment is given by url only, and no FHIR server is configured: "
        "with one it would be fetched.",
        "Configure CHARTPROOF_FHIR_BASES, or send the text inline as content.attachment.data.",
    )
    ATTACHMENT_NOT_FOUND = (
        "attachment_not_found",
        Disposition.SKIPPED,
        "What the url or notification names is not there: 404 or 410, or nothing of the record.",
        "Nothing to do, unless it should be there.",
    )
    URL_NOT_ALLOWED = (
        "url_not_allowed",
        Disposition.SKIPPED,
        "The url lies under no configured FHIR base, so it is never asked for.",
        "Add its base to CHARTPROOF_FHIR_BASES if it should be fetched.",
    )
    ATTACHMENT_TOO_LARGE = (
        "attachment_too_large",
        Disposition.DEAD_LETTER,
        "What the url leads to has more bytes than CHARTPROOF_FHIR_MAX_BYTES.",
        "Raise the limit and replay, or offer a smaller format.",
    )
    ATTACHMENT_FORBIDDEN = (
        "attachment_forbidden",
        Disposition.DEAD_LETTER,
        "The FHIR server does not let chartproof read it (401 or 403).",
        "Correct the credentials or their scopes and replay.",
    )
    ATTACHMENT_REFUSED = (
        "attachment_refused",
        Disposition.DEAD_LETTER,
        "The FHIR server fetched that it will not give it (400, an OperationOutcome, redirects).",
        "See what the server says of it, then replay.",
    )
    ATTACHMENT_BROKEN = (
        "attachment_broken",
        Disposition.DEAD_LETTER,
        "The FHIR server keeps failing on it while it sends others, or sends something else.",
        "Mend it on the server and replay.",
    )
    UNSUPPORTED_CONTENT_TYPE = (
        "unsupported_content_type",
        Disposition.SKIPPED,
        "The attachment is in a format that this version cannot read (images, spreadsheets).",
        "Send the note as text/plain beside it.",
    )
    NO_TEXT_LAYER = (
        "no_text_layer",
        Disposition.SKIPPED,
        "The PDF holds pictures of its pages, and no text but perhaps a fax's cover sheet.",
        "Send the text beside it; chartproof does no optical character recognition.",
    )
    BAD_BASE64 = (
        "bad_base64",
        Disposition.DEAD_LETTER,
        "The attachment's data is not base64 in any known dialect.",
        "Correct the sender's encoding and replay.",
    )
    DAMAGED_ATTACHMENT = (
        "damaged_attachment",
        Disposition.DEAD_LETTER,
        "The attachment's bytes are broken in their own format, or built to do harm.",
        "Correct the document at its source and replay.",
    )
    NOTE_TOO_LARGE = (
        "note_too_large",
        Disposition.DEAD_LETTER,
        "The note has more than 5,000,000 characters, or unpacks to more than 32 MiB.",
        "Split the note.",
    )

    # Generated texts
    UNKNOWN_SCHEMA_VERSION = (
        "unknown_schema_version",
        Disposition.DEAD_LETTER,
        "The event's type names a version that this chartproof does not know.",
        "Publish chartproof.text-generated.v1, or upgrade chartproof and replay.",
    )
    INVALID_TEXT_EVENT = (
        "invalid_text_event",
        Disposition.DEAD_LETTER,
        "A field of the TextGenerated event is missing, wrong or unknown, or its text is empty.",
        "Compare the event with the JSON Schema of TextGenerated.",
    )
    TEXT_TOO_LARGE = (
        "text_too_large",
        Disposition.DEAD_LETTER,
        "The text has more than 200,000 characters.",
        "Verify it in parts.",
    )


class RecordRejected(Exception):
    """A resource ends here with `reason`. `detail` holds no note text, name or patient id.

    `missing_reference` is a reference that could be fetched to come further.
    """

    def __init__(
        self, reason: Reason, detail: str | None = None, *, missing_reference: str | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.missing_reference = missing_reference
        self.detail = f"{detail or reason.entry.meaning} {reason.entry.advice}"


def markdown() -> str:
    """The table of intake's reasons in docs/intake.md."""
    rows = [
        f"| `{reason}` | {reason.entry.disposition.replace('_', ' ')} | "
        f"{reason.entry.meaning} | {reason.entry.advice} |"
        for reason in Reason
    ]
    return "\n".join(["| reason | ends as | meaning | what to do |", "|---|---|---|---|", *rows])
