"""The evidence reader: a BERT encoder that reads a statement beside all facts shown with it.

Two heads: one over the whole input gives the label of the statement; one over the marker before
each fact says what that fact does to the statement. Both use the same three labels.
"""

from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from .encoder_weights import encoder_weights

LABELS = ("supported", "not_supported", "not_addressed")


class EvidenceReader(nn.Module):
    """12 layers of 384, 33 million weights."""

    def __init__(self, layers: int = 12, dropout: float = 0.1, attention: str = "eager") -> None:
        super().__init__()
        config = BertConfig(
            vocab_size=30522,
            hidden_size=384,
            num_hidden_layers=layers,
            num_attention_heads=12,
            intermediate_size=1536,
            hidden_dropout_prob=dropout,
            attention_probs_dropout_prob=0.0,
            attn_implementation=attention,
        )
        self.bert = BertModel(config, add_pooling_layer=False)
        self.joint = nn.Linear(2 * config.hidden_size, config.hidden_size)
        self.dropout = nn.Dropout(dropout)
        self.label = nn.Linear(config.hidden_size, len(LABELS))
        self.fact = nn.Linear(config.hidden_size, len(LABELS))

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Scores per label of the statement, and of every token (read them at the markers)."""
        states = self.bert(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        own = ((1 - token_type_ids) * attention_mask).unsqueeze(-1).to(states.dtype)
        mean = (states * own).sum(1) / own.sum(1)
        joint = nn.functional.gelu(self.joint(torch.cat([states[:, 0], mean], dim=-1)))
        return self.label(self.dropout(joint)), self.fact(self.dropout(states))


def from_encoder(path: Path, *, layers: int = 12) -> EvidenceReader:
    """A reader whose encoder is the one in the ONNX file and whose heads are new."""
    reader = EvidenceReader(layers)
    own = reader.bert.state_dict()
    result = {k: torch.tensor(v) for k, v in encoder_weights(path).items() if k in own}
    missing = set(own) - set(result)
    if missing:
        raise ValueError(f"not in {path.name}: {sorted(missing)[:5]}")
    reader.bert.load_state_dict(result)
    return reader
