"""Reports of runs: one dictionary, and the same as JSON, Markdown and one HTML page."""
