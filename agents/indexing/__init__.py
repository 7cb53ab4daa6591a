"""Notes to facts, and following documents through their versions and each other.

`extract` splits a note into facts, `versions` says which of two versions is newer, `standing` which
of a patient's documents are evidence, `placing` moves facts between chart and `shelf`, `follow`
applies an event, and `log` says what has changed.
"""
