"""An invented patient as a chart case, small enough to read."""

from __future__ import annotations

from typing import Any

ADMISSION = "2031-03-02T09:00:00+00:00"
ROUND = "2031-03-03T09:00:00+00:00"
LATER = "2031-03-05T09:00:00+00:00"
AS_OF = "2031-03-04T09:00:00+00:00"

SUMMARY = """DISCHARGE SUMMARY

He was admitted with a broken left wrist.
Medications:
- Ibuprofen 400 mg three times a day
- Insulin glargine at night
Thank you for choosing our hospital!
"""


def note(note_id: str, time: str, text: str, **fields: Any) -> dict[str, Any]:
    return {
        "note_id": note_id,
        "time": time,
        "type": "Progress note",
        "author": "physician",
        "author_category": "human",
        "status": "current",
        "doc_status": "final",
        "relations": [],
        "text": text,
        **fields,
    }


def case(case_id: str = "inv-1", **fields: Any) -> dict[str, Any]:
    """Admitted with a wrist, one note of each status that does not count, one that is too late."""
    return {
        "case_id": case_id,
        "patient_id": f"patient-{case_id}",
        "specialty": "orthopaedics",
        "notes": [
            note(
                "n1",
                ADMISSION,
                "65M with fracture of the left wrist after a fall. Takes ibuprofen 400 mg tid.",
            ),
            note("n2", ROUND, "Plan: discharge on ibuprofen 400 mg tid. Allergic to latex."),
            note(
                "n3",
                ROUND,
                "Plan: discharge on ibuprofen 400 mg tid. No known allergies.",
                relations=[{"code": "replaces", "target": "n2"}],
            ),
            note("n4", ROUND, "He has asthma.", status="entered-in-error"),
            note("n5", ROUND, "He has epilepsy.", doc_status="preliminary"),
            note("n6", ROUND, "He has gout.", author_category="ai"),
            note("n7", LATER, "He has a wound infection."),
        ],
        "claims": [
            {
                "claim_id": "c1",
                "as_of": AS_OF,
                "text": "He broke his left wrist.",
                "label": "supported",
                "kind": "paraphrase",
                "evidence": ["n1"],
            },
            {
                "claim_id": "c2",
                "as_of": AS_OF,
                "text": "He broke his right wrist.",
                "label": "not_supported",
                "kind": "side",
                "evidence": ["n1"],
            },
        ],
        "texts": [
            {
                "text_id": "t1",
                "type": "discharge summary",
                "as_of": AS_OF,
                "text": SUMMARY,
                "spans": [
                    {
                        "quote": "He was admitted with a broken left wrist.",
                        "label": "supported",
                        "kind": "paraphrase",
                        "evidence": ["n1"],
                    },
                    {
                        "quote": "- Ibuprofen 400 mg three times a day",
                        "label": "supported",
                        "kind": "abbreviation",
                        "evidence": ["n1", "n3"],
                    },
                    {
                        "quote": "- Insulin glargine at night",
                        "label": "not_addressed",
                        "kind": "invention",
                        "evidence": [],
                    },
                    {
                        "quote": "Thank you for choosing our hospital!",
                        "label": "not_verifiable",
                        "kind": "other",
                        "evidence": [],
                    },
                ],
            }
        ],
        **fields,
    }
