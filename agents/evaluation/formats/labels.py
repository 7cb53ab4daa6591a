"""Labels as sets write them -> ours. Other words than ours are mapped where the caller says how."""

from __future__ import annotations

from collections.abc import Mapping

from agents.evaluation.dataset import NOT_VERIFIABLE, SpanLabel
from agents.evaluation.measures.outcomes import LABELS, Label

_OURS: dict[str, SpanLabel] = {label: label for label in (*LABELS, NOT_VERIFIABLE)}


class Labels:
    """`mapping`: a set's own label -> one of ours, as `--label OWN=OURS` gives it."""

    def __init__(self, mapping: Mapping[str, str] | None = None) -> None:
        self._known = dict(_OURS)
        for own, ours in (mapping or {}).items():
            if _plain(ours) not in _OURS:
                raise ValueError(f"a label is mapped to none of {', '.join(_OURS)}")
            self._known[_plain(own)] = _OURS[_plain(ours)]

    def of_span(self, own: object) -> SpanLabel:
        """Case, spaces and hyphens do not matter. Raises `ValueError`, without the value."""
        label = self._known.get(_plain(str(own)))
        if label is None:
            known = ", ".join(self._known)
            raise ValueError(f"is none of {known}; map it with --label OWN=LABEL")
        return label

    def of_claim(self, own: object) -> Label:
        label = self.of_span(own)
        if label == "not_verifiable":
            raise ValueError("a claim cannot be not_verifiable")
        return label


def _plain(own: str) -> str:
    return own.strip().casefold().replace(" ", "_").replace("-", "_")
