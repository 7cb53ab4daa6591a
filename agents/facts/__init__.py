"""Notes to facts, and following a document through its versions.

`extract` splits a note into facts, `versions` says which of two versions is newer, `follow` keeps
the index in step with a document.
"""
