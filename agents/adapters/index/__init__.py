"""The facts of all patients, always asked about one patient at a time.

`milvus.MilvusIndex` is the real one, `memory.MemoryIndex` its twin; both pass
`tests/contract/test_index_contract.py`. `filters` is the only place that writes filter expressions,
`rows` the only place that knows the columns, `ranking` says what a score means.
"""
