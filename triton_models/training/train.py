"""Trains the evidence reader, bounded by wall clock, from checkpoints where there are some.

    python -m training.train OUT --start STATE_OR_ENCODER --minutes 20 --shares nli=1

`OUT/state.pt` has the averaged weights, `OUT/resume-RANK.pt` what is needed to go on. The forward
and backward pass run in bfloat16 on a copy of the weights; the weights themselves stay float32.
"""

import argparse
import copy
import json
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn

from . import shorthand
from .batches import Batch, batches
from .checkpoints import Average, resume, save
from .encoding import EvidenceEncoder
from .items import Item, read_items, read_pairs
from .reader import EvidenceReader, from_encoder
from .sampling import Example, Sampler
from .workers import Workers

NEUTRAL_WEIGHT = 0.3
"""Most facts say nothing of a statement: their part in the loss."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--start", type=Path, required=True, help="an ONNX encoder, or a state")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("--items", type=Path, nargs="*", default=[])
    parser.add_argument("--shares", default="nli=1", help="nli, hard (C*), draft (D*, E*), card")
    parser.add_argument("--part", type=float, default=1.0, help="part of the items to use")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--decay", type=float, default=1.0, help="last part with falling rate")
    parser.add_argument("--rate", type=float, default=7e-5)
    parser.add_argument("--tokens", type=int, default=3072)
    parser.add_argument("--limit", type=int, default=384)
    parser.add_argument("--smoothing", type=float, default=0.05)
    parser.add_argument("--fact-loss", type=float, default=0.5)
    parser.add_argument("--corrupt", type=float, default=0.12, help="part of true claims changed")
    parser.add_argument("--alone", type=Path, help="what `claim_only` wrote")
    parser.add_argument("--debias", type=float, default=0.6, help="weight of that")
    parser.add_argument("--average", type=float, default=0.8)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save-every", type=float, default=3, help="minutes")
    parser.add_argument("--all", action="store_true", help="train on the development part too")
    parser.add_argument("--expand", default="", help="module:function of the shorthand expander")
    return parser.parse_args()


def group(item: Item) -> str:
    """Which share an item counts to."""
    letter = item.source[:1]
    return {"C": "hard", "D": "draft", "E": "draft"}.get(letter, "card")


def examples(given: argparse.Namespace, sampler: Sampler, items: list[Item]) -> Iterator[Example]:
    shares = {k: float(v) for k, v in (part.split("=") for part in given.shares.split(","))}
    streams: dict[str, Iterator[Example]] = {}
    if shares.get("nli"):
        streams["nli"] = sampler.pairs(read_pairs(given.pairs))
    for name in ("hard", "draft", "card"):
        own = [item for item in items if group(item) == name]
        own = own[: round(len(own) * given.part)]
        print(name, len(own), "items,", sum(len(i.claims) for i in own), "claims", flush=True)
        if own:
            streams[name] = sampler.claims(own)
    return sampler.mixed(streams, shares)


def loss_of(reader: nn.Module, batch: Batch, given: argparse.Namespace) -> torch.Tensor:
    label, fact = reader(**batch.inputs)
    loss = nn.functional.cross_entropy(
        label.float() + given.debias * batch.alone, batch.labels, label_smoothing=given.smoothing
    )
    here = batch.roles >= 0
    if given.fact_loss and bool(here.any()):
        weight = torch.tensor([1.0, 1.0, NEUTRAL_WEIGHT])
        loss = loss + given.fact_loss * nn.functional.cross_entropy(
            fact[here].float(), batch.roles[here], weight=weight
        )
    return loss


def main() -> None:
    given = arguments()
    given.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(given.threads)
    workers = Workers(given.out)
    torch.manual_seed(given.seed + 1000 * workers.rank)
    if given.start.suffix == ".onnx":
        reader = from_encoder(given.start)
    else:
        reader = EvidenceReader()
        reader.load_state_dict(torch.load(given.start))
    reader.bert.embeddings.word_embeddings.weight.requires_grad_(False)
    trained = [p for p in reader.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in trained if p.ndim > 1], "weight_decay": 0.01},
            {"params": [p for p in trained if p.ndim == 1], "weight_decay": 0.0},
        ],
        lr=given.rate,
        fused=True,
    )
    average = Average(reader, given.average)
    spent, steps = resume(given.out, workers.rank, reader, optimizer, average)
    workers.start_at(spent)
    fast = copy.deepcopy(reader).to(torch.bfloat16).train()
    quick: list[torch.Tensor] = [p for p in fast.parameters() if p.requires_grad]
    encoder = EvidenceEncoder(Tokenizer.from_file(str(given.tokenizer)), given.limit)
    items = [i for i, development in read_items(given.items) if not development or given.all]
    sampler = Sampler(
        given.seed + steps + 1000 * workers.rank,
        shorthand.load(given.expand),
        corrupt=given.corrupt,
        alone=json.loads(given.alone.read_text()) if given.alone else None,
    )
    feed = batches(examples(given, sampler, items), encoder, sampler.random, tokens=given.tokens)
    begun, saved, seen, mean, met = time.monotonic() - spent, spent, 0, 1.5, False
    while not (met and spent >= given.minutes * 60):
        part = min(1.0, spent / 60 / given.minutes)
        warm = min(1.0, spent / 45 + 0.02)
        for place in optimizer.param_groups:
            place["lr"] = given.rate * warm * min(1.0, (1 - part) / max(given.decay, 1e-9))
        batch = next(feed)
        loss = loss_of(fast, batch, given)
        loss.backward()  # type: ignore[no-untyped-call]
        for own, copied in zip(trained, quick, strict=True):
            own.grad = None if copied.grad is None else copied.grad.float()
            copied.grad = None
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        steps, seen = steps + 1, seen + len(batch.labels)
        mean = 0.98 * mean + 0.02 * loss.item()
        met, spent = workers.meet(time.monotonic() - begun, trained)
        if met:
            begun = time.monotonic() - spent
            average.update(reader)
        with torch.no_grad():
            torch._foreach_copy_(quick, [p.detach() for p in trained])
        if steps % 50 == 0:
            print(
                f"{workers.rank}: {spent:.0f} s, step {steps}, {seen} examples, loss {mean:.3f}",
                flush=True,
            )
        if met and spent - saved > given.save_every * 60:
            save(given.out, workers.rank, reader, optimizer, average, spent, steps)
            saved = spent
    save(given.out, workers.rank, reader, optimizer, average, spent, steps)
    print("end", steps, "steps", seen, "examples", flush=True)


if __name__ == "__main__":
    main()
