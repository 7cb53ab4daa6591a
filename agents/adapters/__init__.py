"""The ports on what lies outside: Milvus, Triton and FHIR servers. The only clients of each."""
