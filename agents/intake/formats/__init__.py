"""Formats that notes come in, each to plain text with its lines, list items and cells kept apart.

Every reader is bounded: linear in its input, capped in depth, and blind to what is hidden, struck
out or deleted, since a fact that its author took back must not become evidence.
"""
