"""Weights averaged over the last meetings of the workers, and checkpoints that are replaced whole."""

import os
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn


class Average:
    """A running mean of the trained weights, which scores better than the last ones."""

    def __init__(self, module: nn.Module, keep: float) -> None:
        self._keep = keep
        self._steps = 0
        self.weights: dict[str, Tensor] = {
            name: value.detach().clone()
            for name, value in module.named_parameters()
            if value.requires_grad
        }

    def update(self, module: nn.Module) -> None:
        """Take the module's weights into the mean."""
        self._steps += 1
        keep = min(self._keep, self._steps / (self._steps + 2))
        own = [p.detach() for _, p in module.named_parameters() if p.requires_grad]
        torch._foreach_lerp_(list(self.weights.values()), own, 1 - keep)

    def state(self, module: nn.Module) -> dict[str, Tensor]:
        """The module's state with the mean in place of what is trained."""
        return {**module.state_dict(), **self.weights}

    def weights_in(self, module: nn.Module) -> nn.Module:
        """A copy of the module with the mean weights."""
        import copy

        other = copy.deepcopy(module)
        other.load_state_dict(self.state(module))
        return other.eval()


def _replace(value: Any, path: Path) -> None:
    part = path.with_suffix(".part")
    torch.save(value, part)
    os.replace(part, path)


def save(
    out: Path,
    rank: int,
    module: nn.Module,
    optimizer: torch.optim.Optimizer,
    average: Average,
    spent: float,
    steps: int,
) -> None:
    """Write `state.pt` (mean weights, by the first worker) and `resume-RANK.pt`."""
    if rank == 0:
        _replace(average.state(module), out / "state.pt")
    _replace(
        {
            "module": module.state_dict(),
            "optimizer": optimizer.state_dict(),
            "average": average.weights,
            "spent": spent,
            "steps": steps,
        },
        out / f"resume-{rank}.pt",
    )


def resume(
    out: Path, rank: int, module: nn.Module, optimizer: torch.optim.Optimizer, average: Average
) -> tuple[float, int]:
    """Go on from `resume-RANK.pt`, if there is one: seconds and steps so far."""
    path = out / f"resume-{rank}.pt"
    if not path.exists():
        return 0.0, 0
    kept = torch.load(path)
    module.load_state_dict(kept["module"])
    optimizer.load_state_dict(kept["optimizer"])
    average.weights = kept["average"]
    return float(kept["spent"]), int(kept["steps"])
