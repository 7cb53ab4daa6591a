"""What in a chart a summary should not leave out: one module a kind, and `reading` for all of them.

The words that these modules go by are of general clinical use and of no data set.
"""
