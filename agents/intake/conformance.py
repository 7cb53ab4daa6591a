"""How a received resource departs from FHIR: a report for people, never a gate.

fhir.resources holds R5, R4B and STU3; R4 is held against R4B, which differs from it in nothing that
a DocumentReference has. Which release a sender means is not written in the resource, so all are
tried and the one with the fewest faults is reported. It is stricter than engines are (R4B refuses
a `date` without a time), which is why intake does not ask it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from pydantic import BaseModel, ValidationError

from agents.events import faults

RELEASES = {"R4B": "fhir.resources.R4B", "R5": "fhir.resources", "STU3": "fhir.resources.STU3"}
"""Release -> package, in the order of preference when two fit equally."""


@dataclass(frozen=True)
class Conformance:
    """`faults`: "element: kind of fault; ..." without values; empty when the resource conforms."""

    release: str
    faults: str


def conformance(resource: Mapping[str, Any]) -> Conformance | None:
    """The release that `resource` fits best, and its faults. None: no release has its type."""
    resource_type = resource.get("resourceType")
    if not isinstance(resource_type, str):
        return None
    result = [
        Conformance(release, _faults(model, resource))
        for release in RELEASES
        if (model := _model(release, resource_type)) is not None
    ]
    return min(result, key=lambda each: each.faults.count("; ") + bool(each.faults), default=None)


def _faults(model: type[BaseModel], resource: Mapping[str, Any]) -> str:
    try:
        model.model_validate(resource)
    except ValidationError as error:
        return faults(error)
    except (ValueError, TypeError, RecursionError) as error:
        # fhir.resources raises some of its checks bare.
        return f"{resource['resourceType']}: {type(error).__name__}"
    return ""


@cache
def _model(release: str, resource_type: str) -> type[BaseModel] | None:
    package = import_module(RELEASES[release])
    try:
        return package.get_fhir_model_class(resource_type)  # type: ignore[no-any-return]
    except ValueError:  # "not a valid FHIR Model"
        return None
