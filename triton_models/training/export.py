"""A trained state to ONNX, fp32 and int8 (dynamic, per channel).

python -m training.export STATE OUT_FOLDER
"""

import argparse
import os
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from .reader import EvidenceReader

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUTS = ("label", "fact")


def export(state: Path, out: Path) -> tuple[Path, Path]:
    """Write `fp32.onnx` and `model.onnx` (int8) into the folder, each replaced whole."""
    out.mkdir(parents=True, exist_ok=True)
    reader = EvidenceReader().eval()
    reader.load_state_dict(torch.load(state))
    reader = reader.float()
    sample = tuple(torch.ones(2, 9, dtype=torch.long) for _ in INPUTS)
    sample[2][:, :4] = 0
    axes: dict[str, dict[int, str]] = {name: {0: "batch", 1: "tokens"} for name in INPUTS}
    axes |= {"label": {0: "batch"}, "fact": {0: "batch", 1: "tokens"}}
    full, small = out / "fp32.onnx", out / "model.onnx"
    torch.onnx.export(
        reader,
        sample,
        str(full),
        input_names=list(INPUTS),
        output_names=list(OUTPUTS),
        opset_version=17,
        dynamo=False,
        dynamic_axes=axes,
    )
    part = small.with_suffix(".part")
    quantize_dynamic(
        str(full),
        str(part),
        weight_type=QuantType.QInt8,
        per_channel=True,
        extra_options={"MatMulConstBOnly": True},
    )
    os.replace(part, small)
    return full, small


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("state", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    for path in export(given.state, given.out):
        print(path, path.stat().st_size)


if __name__ == "__main__":
    main()
