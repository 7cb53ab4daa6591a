"""XLM-RoBERTa weights of some hundred kilobytes, seeded, in the folders that a hub would give."""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any

import torch
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import (
    PreTrainedTokenizerFast,
    XLMRobertaConfig,
    XLMRobertaForSequenceClassification,
    XLMRobertaModel,
)

HIDDEN = 32
LONGEST = 512


def tokenizer() -> PreTrainedTokenizerFast:
    """Letters are tokens: enough for every text to have some of its own."""
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    pieces = [*special, "\u2581", *string.ascii_lowercase, *string.digits, *".,:;/%()-+"]
    inner = Tokenizer(models.Unigram([(piece, -1.0) for piece in pieces], unk_id=3))
    inner.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Lowercase(), normalizers.Replace(Regex(r"\s+"), " ")]
    )
    inner.pre_tokenizer = pre_tokenizers.Metaspace()
    inner.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=inner,
        bos_token="<s>",
        cls_token="<s>",
        eos_token="</s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        mask_token="<mask>",
        model_max_length=LONGEST,
    )


def config(words: int, **more: Any) -> XLMRobertaConfig:
    return XLMRobertaConfig(
        vocab_size=words,
        hidden_size=HIDDEN,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=LONGEST + 2,
        type_vocab_size=1,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        # The usual 0.02 leaves every text with one vector, untrained as these are.
        initializer_range=0.6,
        **more,
    )


def embedder(folder: Path, seed: int = 1) -> Path:
    torch.manual_seed(seed)
    words = tokenizer()
    words.save_pretrained(folder)
    XLMRobertaModel(config(len(words))).save_pretrained(folder)
    for name, size in (("colbert_linear", HIDDEN), ("sparse_linear", 1)):
        layer = torch.nn.Linear(HIDDEN, size)
        torch.nn.init.constant_(layer.bias, 1.0)
        torch.save(layer.state_dict(), folder / f"{name}.pt")
    return folder


def reranker(folder: Path, same: str, other: str) -> Path:
    """Of the first seed with which `same` is more relevant to itself than `other` is."""
    words = tokenizer()
    words.save_pretrained(folder)
    pairs = words([same, same], [same, other], padding=True, return_tensors="pt")
    pairs.pop("token_type_ids", None)
    for seed in range(100):
        torch.manual_seed(seed)
        model = XLMRobertaForSequenceClassification(config(len(words), num_labels=1)).eval()
        with torch.no_grad():
            near, far = model(**pairs).logits.reshape(-1).sigmoid().tolist()
        if near > far + 0.01:
            model.save_pretrained(folder)
            return folder
    raise AssertionError("no seed will do")
