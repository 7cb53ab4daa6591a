"""Text -> verdicts: decompose, retrieve, rerank, judge, score sheet."""
