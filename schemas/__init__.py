"""Contracts only: events, the table of topics, and the JSON documents generated from them.

Nothing here does I/O or knows Kafka, Milvus or Triton. `topics` is the page to read first.
"""
