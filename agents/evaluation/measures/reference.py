"""Claim recall and precision against a reference text, and of citations.

DocLens (Xie et al. 2024, "DocLens: Multi-aspect fine-grained evaluation for medical text
generation"): recall is the share of the reference's claims that the text entails, precision the
share of the text's claims that the reference entails. Citations: Gao et al. 2023, "Enabling large
language models to generate text with citations", section 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from agents.evaluation.measures.outcomes import Outcome, share


class ClaimScores(TypedDict):
    recall: float | None
    precision: float | None
    f1: float | None


def claim_scores(
    reference_claims: Sequence[Outcome], text_claims: Sequence[Outcome]
) -> ClaimScores:
    """Verdicts on the reference's claims by the text, and on the text's claims by the reference.

    What is not `supported` is not entailed, abstentions and failures too.
    """
    recall = share(sum(o == "supported" for o in reference_claims), len(reference_claims))
    precision = share(sum(o == "supported" for o in text_claims), len(text_claims))
    return ClaimScores(recall=recall, precision=precision, f1=harmonic(recall, precision))


def by_section(
    reference_claims: Sequence[tuple[str, Outcome]], text_claims: Sequence[tuple[str, Outcome]]
) -> dict[str, ClaimScores]:
    """The same for each section that either text has, in alphabetical order."""
    sections = sorted({section for section, _ in (*reference_claims, *text_claims)})
    return {
        section: claim_scores(
            [o for s, o in reference_claims if s == section],
            [o for s, o in text_claims if s == section],
        )
        for section in sections
    }


def citation_recall(borne_out: Sequence[bool]) -> float | None:
    """Share of sentences that all they cite, taken together, bears out."""
    return share(sum(borne_out), len(borne_out))


def citation_precision(needed: Sequence[Mapping[str, bool]]) -> float | None:
    """Share of citations that are needed; one mapping a sentence, citation -> needed."""
    flat = [need for sentence in needed for need in sentence.values()]
    return share(sum(flat), len(flat))


def harmonic(one: float | None, two: float | None) -> float | None:
    if one is None or two is None:
        return None
    return 2 * one * two / (one + two) if one + two else 0.0
