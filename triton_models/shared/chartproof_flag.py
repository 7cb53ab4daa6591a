"""What the FlagEmbedding models share: parameters, weights from a mounted folder, a version.

Parameters stand in a model's `config.pbtxt`, so that a site changes a file and no code:

- `model`: folder of the weights, as the hub has them; a hub's name needs `allow_hub`.
- `batch_size`, `max_length`: of one pass over the model.
- `devices`: `cuda:0`, `cuda:0,cuda:1` or `cpu`; empty: a GPU where there is one.
- `fp16`: `true`, `false`, or `auto`: on a GPU.
- `allow_hub`: `true` to load from the hub by name. Without it nothing is asked of any network.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_PARAMETER = re.compile(r'key:\s*"(\w+)"\s*,?\s*value:\s*\{\s*string_value:\s*"([^"]*)"')


class NoWeights(RuntimeError):
    """The folder of weights cannot be used; the message says what to do."""


@dataclass(frozen=True)
class Parameters:
    model: str
    batch_size: int
    max_length: int
    devices: list[str]
    fp16: bool
    allow_hub: bool
    kind: str
    colbert: bool

    @property
    def version(self) -> str:
        """Name and a digest of the weights' configuration and sizes: other weights in the same
        folder are another model, to which the vectors of an index do not belong."""
        folder = Path(self.model)
        if not folder.is_dir():
            return self.model
        digest = hashlib.sha256()
        for path in sorted(folder.glob("*")):
            if path.suffix in (".json", ".safetensors", ".bin", ".pt"):
                digest.update(f"{path.name} {path.stat().st_size}\n".encode())
                if path.name == "config.json":
                    digest.update(path.read_bytes())
        return f"{folder.name}-{digest.hexdigest()[:8]}"


def parameters(args: Mapping[str, str] | None, config: Path) -> Parameters:
    """Of Triton's `args`, or of the file `config` without Triton. Raises `NoWeights`."""
    if args:
        content = json.loads(args["model_config"])["parameters"]
        given = {name: value["string_value"] for name, value in content.items()}
    else:
        given = dict(_PARAMETER.findall(config.read_text("utf-8")))
    devices = [each for each in re.split(r"[\s,]+", given.get("devices", "")) if each]
    result = Parameters(
        model=given["model"],
        batch_size=int(given.get("batch_size", "64")),
        max_length=int(given.get("max_length", "512")),
        devices=devices or _devices(),
        fp16=False,
        allow_hub=given.get("allow_hub") == "true",
        kind=given.get("kind", "encoder"),
        colbert=given.get("colbert") == "true",
    )
    fp16 = given.get("fp16", "auto")
    half = fp16 == "true" or (fp16 == "auto" and result.devices[0].startswith("cuda"))
    return _usable(Parameters(**{**vars(result), "fp16": half}))


def _devices() -> list[str]:
    import torch  # noqa: PLC0415 - only where these models run

    return ["cuda:0"] if torch.cuda.is_available() else ["cpu"]


def _usable(result: Parameters) -> Parameters:
    if result.allow_hub:
        return result
    folder = Path(result.model)
    if not (folder / "config.json").is_file():
        raise NoWeights(
            f"there are no weights in {folder}: mount them there, name their folder in config.pbtxt"
            " (parameter model), or set allow_hub to load them from a hub by name"
        )
    # Read by huggingface_hub when it is imported, which is later.
    os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
    return result
