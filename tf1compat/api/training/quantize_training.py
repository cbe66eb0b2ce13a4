"""`tensorflow.python.training.quantize_training`: a graph whose products are of rounded inputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, errors, protos, tensor_util
from tf1compat.core.export import tf_export

_ROUNDED = ("MatMul", "Conv2D")
# What gives known values -> (signed, their range if it is known).
_RANGES: dict[str, tuple[bool, tuple[float, float] | None]] = {
    "Const": (True, None),
    "Variable": (True, None),
    "VariableV2": (True, None),
    "Relu": (False, None),
    "Relu6": (False, (0.0, 6.0)),
    "Sigmoid": (False, (0.0, 1.0)),
    "Tanh": (True, (-1.0, 1.0)),
}
_HANDED_ON = ("Identity", "Reshape", "ConcatV2", "Concat", "MaxPool", "AvgPool", "MaxPool3D",
              "AvgPool3D")  # fmt: skip
_DECAY = 0.999
_MOST_INPUTS = 2


@tf_export("train.do_quantize_training_on_graphdef")
@deprecated(None, "GraphDef quantized training rewriter is deprecated in the long term")
def do_quantize_training_on_graphdef(input_graph: Any, num_bits: int) -> Any:
    """A graph whose matrix products and convolutions take values rounded to so many bits.

    The range of an input is known from what gives it, or is a moving average of its least and
    greatest values.

    Args:
      input_graph: a GraphDef.
      num_bits: how many, 1 to 63.

    Returns:
      A GraphDef.

    Raises:
      OutOfRangeError: another number of bits.
      UnimplementedError: more than two of the inputs are given by operations that are not known.
    """
    graph = protos.GraphDef.FromString(input_graph.SerializeToString())
    if not 1 <= num_bits <= 63:
        raise errors.OutOfRangeError(
            None, None, f"num_bits should be in range [1, 63] but is: {num_bits}"
        )
    nodes = {node.name: node for node in graph.node}
    inputs: list[tuple[Any, int, str, str, tuple[bool, Any]]] = []
    unknown = 0
    for node in graph.node:
        if node.op not in _ROUNDED or node.name.startswith("gradients"):
            continue
        for i, text in enumerate(node.input):
            if text.startswith("^"):
                continue
            source = nodes[text.partition(":")[0]]
            found = _range(source, nodes)
            if found is None:
                unknown += 1
                if unknown > _MOST_INPUTS:
                    raise errors.UnimplementedError(
                        None,
                        None,
                        f"Found an unknown op: {source.name} with type: {source.op}; Unknown ops "
                        f"are considered as model input for now and only {_MOST_INPUTS} inputs are "
                        "supported currently.",
                    )
            inputs.append((node, i, text, source.name, found or (True, None)))
    # As in TF, one rounded input stands for all outputs of a node.
    rounded: dict[str, str] = {}
    for node, i, text, name, (signed, limits) in inputs:
        if name not in rounded:
            rounded[name] = _Rounding(graph, text, name).record(signed, limits, num_bits)
        node.input[i] = rounded[name]
    return graph


def _range(node: Any, nodes: dict[str, Any]) -> tuple[bool, tuple[float, float] | None] | None:
    """(signed, range) of what a node gives; None if its type is not known."""
    if node.op in _HANDED_ON:
        place = 1 if node.op == "Concat" else 0
        return _range(nodes[node.input[place].partition(":")[0]], nodes)
    return _RANGES.get(node.op)


class _Rounding:
    """The nodes that round one input.

    Args:
      graph: the GraphDef to add to.
      text: the input.
      name: of the node that gives it, with which the new names begin.
    """

    def __init__(self, graph: Any, text: str, name: str):
        self._graph = graph
        self._text = text
        self._name = name

    def record(self, signed: bool, limits: tuple[float, float] | None, bits: int) -> str:
        """Adds them; gives the name of the last one."""
        if limits is None:
            ends = self._averages()
        else:
            low, high = limits
            ends = [self._const("InputMin", low), self._const("InputMax", high)]
        made = self._add("QuantizeAndDequantizeV2", "QuantizeAndDequantizeV2", self._text, *ends)
        for key, value in {
            "signed_input": signed,
            "range_given": True,
            "narrow_range": False,
        }.items():
            made.attr[key].b = value
        made.attr["num_bits"].i = bits
        made.attr["round_mode"].s = b"HALF_TO_EVEN"
        return made.name

    def _add(self, name: str, op: str, *inputs: str, dtype: str = "T") -> Any:
        node = self._graph.node.add(name=f"{self._name}/{name}", op=op, input=inputs)
        node.attr[dtype].type = dtypes.float32.as_datatype_enum
        return node

    def _const(self, name: str, value: Any, dtype: Any = np.float32) -> str:
        node = self._add(name, "Const", dtype="dtype")
        node.attr["dtype"].type = dtypes.as_dtype(dtype).as_datatype_enum
        node.attr["value"].tensor.CopyFrom(tensor_util.make_tensor_proto(dtype(value)))
        return node.name

    def _averages(self) -> list[str]:
        decay = self._const("Decay", _DECAY)
        begin = self._const("ReductionAxes/RangeStart", 0, np.int32)
        step = self._const("ReductionAxes/RangeDelta", 1, np.int32)
        rank = self._add("ReductionAxes/InputRank", "Rank", self._text).name
        axes = self._graph.node.add(
            name=f"{self._name}/ReductionAxes/ReductionAxes", op="Range", input=[begin, rank, step]
        )
        axes.attr["Tidx"].type = dtypes.int32.as_datatype_enum
        values = []
        for end in ("Min", "Max"):
            node = self._add(end, end, self._text, axes.name)
            node.attr["Tidx"].type = dtypes.int32.as_datatype_enum
            node.attr["keep_dims"].b = False
            values.append(node.name)
        return [
            self._average(end, value, decay)
            for end, value in zip(("Min", "Max"), values, strict=True)
        ]

    def _average(self, end: str, value: str, decay: str) -> str:
        """A variable that follows `value`, and begins with it."""
        variable = self._add(f"{end}/Variable", "VariableV2", dtype="dtype")
        variable.attr["shape"].shape.SetInParent()
        variable.attr["container"].s = variable.attr["shared_name"].s = b""
        is_set = self._add(
            f"{end}/IsInitialized", "IsVariableInitialized", variable.name, dtype="dtype"
        )
        switch = self._add(f"{end}/Switch", "Switch", value, is_set.name).name
        one = self._const(f"{end}/EMA/OneConst", 1.0)
        rest = self._add(f"{end}/EMA/DecayComplement", "Sub", one, decay).name
        apart = self._add(f"{end}/EMA/ValueDiff", "Sub", variable.name, f"{switch}:1").name
        change = self._add(f"{end}/EMA/UpdateValue", "Mul", apart, rest).name
        moved = self._add(f"{end}/EMA/EMAValue", "Sub", variable.name, change).name
        merged = self._add(f"{end}/Merge", "Merge", switch, moved)
        merged.attr["N"].i = 2
        assigned = self._add(f"{end}/AssignValue", "Assign", variable.name, merged.name)
        assigned.attr["use_locking"].b = assigned.attr["validate_shape"].b = True
        return assigned.name
