"""Readers of evaluation data: strict, each error with its file, line and field.

Nothing is paired anew, changed or dropped in silence: what is not read is told (`Dataset.notices`).
The formats are pydantic models, from which `docs/evaluation.md` and the JSON Schemas come.
"""
