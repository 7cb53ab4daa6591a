"""Two training processes that agree on their weights every few seconds.

On two shared cores, two processes of one thread each see twice the examples of one process with
two threads, which wait for each other whenever another program takes a core.
"""

import os
from collections.abc import Sequence
from pathlib import Path

import torch
import torch.distributed as dist
from torch import Tensor


class Workers:
    """This process's place among the workers (`RANK` of `WORLD`); alone by default."""

    def __init__(self, out: Path, every: float = 20) -> None:
        self.rank = int(os.environ.get("RANK", "0"))
        self.world = int(os.environ.get("WORLD", "1"))
        self._every = every
        self._next = every
        if self.world > 1:
            dist.init_process_group(
                "gloo",
                init_method=f"file://{out.resolve()}/rendezvous",
                rank=self.rank,
                world_size=self.world,
            )

    @property
    def first(self) -> bool:
        return self.rank == 0

    def start_at(self, spent: float) -> None:
        self._next = spent + self._every

    def meet(self, spent: float, weights: Sequence[Tensor]) -> tuple[bool, float]:
        """Where it is time, take the mean of all workers' weights and the first one's clock."""
        if spent < self._next:
            return False, spent
        if self.world > 1:
            flat = torch.cat([w.detach().reshape(-1) for w in weights])
            dist.all_reduce(flat)
            flat /= self.world
            at = 0
            for weight in weights:
                weight.detach().copy_(flat[at : at + weight.numel()].view_as(weight))
                at += weight.numel()
            clock = torch.tensor([spent])
            dist.broadcast(clock, 0)
            spent = float(clock[0])
        self._next += self._every
        return True, spent
