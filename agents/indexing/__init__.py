"""Notes to facts, and following documents through their versions and each other.

`document_indexer` applies an event, `extraction` splits a note into facts, `versions` says which of
two versions is newer, `document_status` which of a patient's documents are evidence,
`status_changes` writes the rows whose status changes, and `index_events` emits what has changed.
"""
