"""Reads the weights of a BERT encoder out of an ONNX file (fp32 or dynamic int8)."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper

Array = npt.NDArray[np.float32]

_DEPTH = 6
"""How many nodes lie at most between a bias and the product it is added to."""


class _Graph:
    """The constants of an ONNX graph and which node makes which tensor."""

    def __init__(self, path: Path) -> None:
        graph = onnx.load(str(path)).graph
        self.nodes = list(graph.node)
        self.constants = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
        for node in self.nodes:
            if node.op_type == "Constant":
                for attribute in node.attribute:
                    if attribute.name == "value":
                        self.constants[node.output[0]] = numpy_helper.to_array(attribute.t)
        self.maker = {name: node for node in self.nodes for name in node.output}

    def real(self, name: str) -> Array:
        """The constant as real numbers, dequantised where it is stored as int8."""
        if not name.endswith("_quantized"):
            return np.asarray(self.constants[name], dtype=np.float32)
        base = name[: -len("_quantized")]
        scale = self.constants[base + "_scale"].astype(np.float32)
        zero = self.constants[base + "_zero_point"].astype(np.float32)
        return np.asarray((self.constants[name].astype(np.float32) - zero) * scale, np.float32)

    def matrix_before(self, name: str, depth: int = 0) -> Array | None:
        """The matrix of the product that `name` comes from, a few nodes back at most."""
        node = self.maker.get(name)
        if node is None or depth > _DEPTH:
            return None
        if node.op_type in ("MatMul", "MatMulInteger"):
            for source in node.input:
                if source in self.constants and self.constants[source].ndim == 2:
                    return self.real(source)
            return None
        for source in node.input:
            result = self.matrix_before(source, depth + 1)
            if result is not None:
                return result
        return None


def encoder_weights(path: Path) -> dict[str, Array]:
    """The encoder's weights by the names that PyTorch's BERT gives them."""
    graph = _Graph(path)
    weights: dict[str, Array] = {}
    for name, value in graph.constants.items():
        if name.endswith("_quantized"):
            if not name.startswith("onnx::") and "MatMul" not in name:
                weights[name[: -len("_quantized")]] = graph.real(name)
        elif (
            value.dtype == np.float32
            and "." in name
            and not name.startswith("/")
            and not name.endswith("_scale")
        ):
            weights[name] = np.array(value)
    for node in graph.nodes:
        if node.op_type != "Add":
            continue
        biases = [
            name
            for name in node.input
            if name in graph.constants and name.endswith(".bias") and "LayerNorm" not in name
        ]
        if not biases:
            continue
        other = next(name for name in node.input if name != biases[0])
        maker = graph.maker.get(other)
        if maker is None or maker.op_type not in ("MatMul", "Mul"):
            continue
        matrix = graph.matrix_before(other)
        if matrix is not None and matrix.shape[1] == graph.constants[biases[0]].shape[0]:
            weights[biases[0][: -len("bias")] + "weight"] = np.ascontiguousarray(matrix.T)
    return weights
