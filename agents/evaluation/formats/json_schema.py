"""JSON Schema 2020-12 of each format of evaluation data (`chartproof schema evaluation-...`)."""

from __future__ import annotations

from typing import Any

from agents.evaluation.formats.shapes import SHAPES
from schemas.json_schemas import DIALECT


def format_schemas() -> dict[str, dict[str, Any]]:
    """Format -> schema of one record. Fields that it does not name are told and not read."""
    return {
        shape.name: {
            "$schema": DIALECT,
            "$id": f"urn:chartproof:evaluation:{shape.name}:v1",
            **shape.model.model_json_schema(by_alias=False),
        }
        for shape in SHAPES
    }
