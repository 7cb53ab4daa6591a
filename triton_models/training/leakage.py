"""What a classifier learns from the statements alone: it should stay near the largest label.

python -m training.leakage --items FILES
"""

import argparse
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from .items import read_items


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=Path, nargs="+", required=True)
    given = parser.parse_args()
    everything = list(read_items(given.items))
    for name, letters in (("hard", "C"), ("drafts", "DE"), ("cards", "g")):
        rows = [
            (claim.text, claim.label, kept)
            for item, kept in everything
            if item.source[0] in letters
            for claim in item.claims
        ]
        if not rows:
            continue
        words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
        x = words.fit_transform([text for text, _, kept in rows if not kept])
        y = np.array([label for _, label, kept in rows if not kept])
        gold = np.array([label for _, label, kept in rows if kept])
        model = LogisticRegression(max_iter=300).fit(x, y)
        scores = model.predict_proba(words.transform([text for text, _, kept in rows if kept]))
        largest = np.bincount(gold).max() / len(gold)
        print(
            f"{name}: {len(y)} training, {len(gold)} development claims;"
            f" largest label {largest:.3f}, statement alone"
            f" {(scores.argmax(1) == gold).mean():.3f},"
            f" AUROC of unsupported {roc_auc_score(gold != 0, 1 - scores[:, 0]):.3f}"
        )


if __name__ == "__main__":
    main()
