"""What the statements alone give away: probabilities that the reader need not learn again.

    python -m training.claim_only OUT.json --items FILES

For each training claim, the probabilities of a classifier of words that has not seen its item.
Training adds their logarithms to the reader's scores, so that the reader is left with what only
the facts can tell (a product of experts, of which the reader alone is kept).
"""

import argparse
import json
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from .items import Item, read_items

FOLDS = 4
GROUPS = ("C", "DE", "g")
"""First letters of the sources that share their cues."""


def probabilities(items: list[Item]) -> dict[str, list[float]]:
    """By text of the claim; from the other folds' items."""
    rows = [
        (claim.text, claim.label, f"{item.source}/{item.name}")
        for item in items
        for claim in item.claims
    ]
    texts = [text for text, _, _ in rows]
    labels = np.array([label for _, label, _ in rows])
    words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
    x = words.fit_transform(texts)
    result: dict[str, list[float]] = {}
    for train, test in GroupKFold(FOLDS).split(x, labels, [name for _, _, name in rows]):
        model = LogisticRegression(max_iter=100, tol=1e-3).fit(x[train], labels[train])
        for at, scores in zip(test, model.predict_proba(x[test]), strict=True):
            result[texts[at]] = [round(float(p), 4) for p in np.clip(scores, 0.02, 1)]
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--items", type=Path, nargs="+", required=True)
    given = parser.parse_args()
    items = [item for item, development in read_items(given.items) if not development]
    result: dict[str, list[float]] = {}
    for letters in GROUPS:
        own = [item for item in items if item.source[0] in letters]
        if own:
            result |= probabilities(own)
    given.out.write_text(json.dumps(result))


if __name__ == "__main__":
    main()
