"""Measures: pure functions of labels, verdicts and scores, one family a module.

What is undefined is None: a share of nothing is no share, an AUROC of one class is no AUROC.
Abstained, failed and unjudged items are outcomes of their own and are never dropped silently; each
module says where they count.
"""
