"""Summaries of Synthea encounters: what is salient comes from the structured resources.

Of an encounter with its note: the Conditions (disorders) that are active at its time, the
Procedures and MedicationRequests of the encounter and the patient's allergies, each where the
encounter's note names it. Assessments, screenings and the like are no procedures that a summary
must have: they are in no summary and count neither way.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from agents.evaluation.omission_cases import Stated, SummaryCase
from agents.evaluation.synthea import Item, parsed_time, patient_of, resources
from agents.evaluation.synthea_statements import sentence
from schemas.completeness import Salience
from schemas.events import Position
from schemas.notes import AuthorCategory, DocumentVersion, Note, NoteChanged

FEWEST = 3
"""Salient facts of an encounter that is worth a summary."""
_KINDS = {
    "AllergyIntolerance": Salience.ALLERGY,
    "Condition": Salience.PROBLEM,
    "Procedure": Salience.PROCEDURE,
    "MedicationRequest": Salience.MEDICATION_CHANGE,
}
_TAG = re.compile(r" \((disorder|procedure|regime/therapy|substance|organism)\)$")
_STAGE = re.compile(r" stage \d")
_NO_PROBLEM = re.compile(r"\((?:finding|situation)\)$")
_ROUTINE = re.compile(
    r"assessment|screening|reconciliation|examination|review of systems|face mask|guidance"
    r"|notification|certification|plan of care|care regime|medication review|discharge"
    r"|surveillance|services care|education|referral",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Visit:
    patient_id: str
    encounter_id: str
    note: NoteChanged
    facts: tuple[Stated, ...]


def synthea_cases(folder: Path, seed: int, each: int) -> list[SummaryCase]:
    """At most `each` encounters a patient, drawn by the seed, with the notes of all of them."""
    visits: dict[str, list[_Visit]] = defaultdict(list)
    for visit in _visits(folder):
        visits[visit.patient_id].append(visit)
    random = Random(seed)  # noqa: S311 - a sample, not a secret
    cases = []
    for patient_id in sorted(visits):
        worth = [visit for visit in visits[patient_id] if len(visit.facts) >= FEWEST]
        drawn = random.sample(worth, min(each, len(worth)))
        notes = tuple(visit.note for visit in drawn)
        for visit in drawn:
            as_of = visit.note.note.note_time + timedelta(days=1)
            cases.append(
                SummaryCase("Synthea", patient_id, visit.encounter_id, as_of, notes, visit.facts)
            )
    return cases


def _visits(folder: Path) -> Iterator[_Visit]:
    recorded: dict[str, list[Any]] = defaultdict(list)
    for kind in _KINDS:
        for resource in resources(folder, kind):
            recorded[patient_of(resource.get("subject") or resource["patient"])].append(resource)
    for document in sorted(resources(folder, "DocumentReference"), key=lambda d: str(d["id"])):
        note = _note(document)
        facts = [fact for r in recorded[note.patient_id] if (fact := _stated(r, note))]
        encounter = str(note.note.encounter_id)
        yield _Visit(note.patient_id, encounter, note, _latest_stages(dict.fromkeys(facts)))


def _latest_stages(facts: Iterable[Stated]) -> tuple[Stated, ...]:
    """Stages 1 to 3 of one disease are all recorded and never ended: the last one counts."""
    last = {_STAGE.sub("", f.statement): f for f in sorted(facts, key=lambda f: f.statement)}
    return tuple(last.values())


def _note(document: Any) -> NoteChanged:  # noqa: ANN401 - a resource as it is
    time = parsed_time(document["date"])
    return NoteChanged(
        occurred_at=time,
        patient_id=patient_of(document["subject"]),
        document_id=document["id"],
        version=DocumentVersion(content_hash=document["id"]),
        note=Note(
            text=b64decode(document["content"][0]["attachment"]["data"]).decode(),
            note_time=time,
            encounter_id=document["context"]["encounter"][0]["reference"].rpartition("/")[2],
            author_category=AuthorCategory.CLINICIAN,
        ),
        source=Position(topic="evaluation", partition=0, offset=0),
    )


def _stated(resource: Any, note: NoteChanged) -> Stated | None:  # noqa: ANN401
    """The resource as a fact of the note's encounter; None where it is none that is salient."""
    kind = resource["resourceType"]
    given = resource["medicationCodeableConcept" if kind == "MedicationRequest" else "code"]["text"]
    name = _TAG.sub("", given)
    if name.casefold() not in note.note.text.casefold() or not _is_of(resource, note, given):
        return None
    return Stated(_KINDS[kind], sentence(Item(kind, name)), ((name,),))


def _is_of(resource: Any, note: NoteChanged, given: str) -> bool:  # noqa: ANN401
    encounter, time = note.note.encounter_id, note.note.note_time
    match resource["resourceType"]:
        case "Condition":
            ended = resource.get("abatementDateTime")
            here = resource["encounter"]["reference"].rpartition("/")[2] == encounter
            active = parsed_time(resource["recordedDate"]) <= time and (
                ended is None or parsed_time(ended) > time
            )
            return (here or active) and not _NO_PROBLEM.search(given)
        case "AllergyIntolerance":
            return "no known allergies" not in note.note.text.casefold()
        case _:
            here = resource["encounter"]["reference"].rpartition("/")[2] == encounter
            return here and not _ROUTINE.search(given)
