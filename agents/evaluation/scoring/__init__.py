"""From results to figures: each labelled statement becomes a row, each system an answer to it."""
