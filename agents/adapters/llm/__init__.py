"""Language models: two adapters of the `LanguageModel` port, and judge and decomposer over it.

`openai_server` speaks to any OpenAI-compatible server, `triton_vllm` to Triton's vLLM backend;
`patience` bounds and repeats their calls. `judge` and `decomposer` stand behind the same ports as
the embedded models, `cascade` and `fallback` put the two kinds together. What notes and texts say
reaches a prompt through `quoting` only.
"""
