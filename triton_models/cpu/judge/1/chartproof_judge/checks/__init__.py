"""The checks: each compares a proposition with one fact and says what it found, in plain words.

A check is a function `(proposition, fact) -> list[Finding]`; it never decides a verdict alone.
"""
