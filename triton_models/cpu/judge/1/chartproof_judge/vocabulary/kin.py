"""Relatives, and whom the words for several of them name."""

from __future__ import annotations

from .tables import word_map

_SAME = word_map(
    """mom=mother mothers=mother dad=father fathers=father sisters=sister brothers=brother
    sons=son daughters=daughter aunts=aunt uncles=uncle cousins=cousin wives=wife husbands=husband
    kids=children child=children grandma=grandmother grandpa=grandfather nieces=niece
    nephews=nephew sibling=siblings grandparent=grandparents parent=parents grandmothers=grandmother
    grandfathers=grandfather boyfriend=partner girlfriend=partner fiance=partner fiancee=partner
    grandson=grandchildren granddaughter=grandchildren grandchild=grandchildren"""
)
_SEVERAL = {
    "parents": ("mother", "father"), "siblings": ("brother", "sister"),
    "children": ("son", "daughter"), "grandparents": ("grandmother", "grandfather"),
    "spouse": ("wife", "husband", "partner"),
}  # fmt: skip
_ONE = (
    "mother", "father", "sister", "brother", "son", "daughter", "grandmother", "grandfather",
    "aunt", "uncle", "cousin", "niece", "nephew", "wife", "husband", "partner", "grandchildren",
)  # fmt: skip
SIDES = frozenset(("maternal", "paternal"))


def persons(word: str) -> frozenset[str]:
    """Who a lower-case word may name: `parents` mother and father; empty for other words."""
    word = _SAME.get(word, word)
    if word in _SEVERAL:
        return frozenset(_SEVERAL[word])
    return frozenset((word,)) if word in _ONE else frozenset()
