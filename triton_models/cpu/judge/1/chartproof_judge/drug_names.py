"""Drug names and their classes, from the shared vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from chartproof_vocabulary.tables import DATA, rows


@lru_cache(1)
def _names() -> Mapping[str, tuple[str, str]]:
    """Word -> generic name and class; a class's own word has no generic name."""
    known: dict[str, tuple[str, str]] = {}
    for generic, others, classes in rows(DATA / "drugs.tsv", 3):
        kind = classes.split(";")[0].strip().lower()
        for name in (generic, *others.split(";")):
            if " " not in name.strip():
                known.setdefault(name.strip().lower(), (generic, kind))
        if kind and " " not in kind:
            known.setdefault(kind, ("", kind))
            known.setdefault(f"{kind}s", ("", kind))
    known.pop("", None)
    return MappingProxyType(known)


def drug_of(word: str) -> tuple[str, str] | None:
    """Generic name and class of a lower-case word; None: no drug that we know."""
    return _names().get(word)
