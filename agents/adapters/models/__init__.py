"""The model ports on Triton, and on the same models hosted in this process.

`ports` holds the four, once, over `port`, which is what they share; they speak to a `Transport`
in rows of strings and tensors, as `triton_models/` defines them. `triton.connect` and
`in_process.load` build them over the two transports. Nothing else in chartproof knows Triton.
"""

from agents.adapters.models.bundle import Models

__all__ = ["Models"]
