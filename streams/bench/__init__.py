"""`chartproof bench`: what the pipeline costs over its parts, as ratios within one run."""
