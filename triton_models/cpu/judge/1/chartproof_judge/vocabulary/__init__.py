"""What clinicians call things: tables written for chartproof, and the lexicon built from them.

Tables are plain text, one concept a line, so that a clinician can read and correct them.
"""
