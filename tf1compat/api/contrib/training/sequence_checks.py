"""What is checked, while recording and in runs, of sequences that are cut into pieces
(`tensorflow.contrib.training.python.training.sequence_queueing_state_saver`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.text import string_ops
from tf1compat.core import dtypes, ops, tensor_shape, tensor_util
from tf1compat.core.tensor import Tensor


class SequenceInputs:
    """A sequence: its length and key, tensors over time, and tensors that go for all steps.

    Args:
      length: int32 scalar.
      key: string scalar.
      sequences: name -> tensor [time, ...].
      context: name -> tensor.

    Raises:
      TypeError: `sequences` or `context` is no dict of strings.
      ValueError: there are no sequences, or a name has a colon.
    """

    def __init__(self, length: Any, key: Any, sequences: Any, context: Any):
        self.length = ops.convert_to_tensor(length, name="length")
        self.key = ops.convert_to_tensor(key, name="key")
        for word, given in (("sequences", sequences), ("context", context)):
            if not isinstance(given, dict):
                raise TypeError(f"{word} must be a dict")
        if not sequences:
            raise ValueError("must have at least one sequence tensor")
        check_names(sequences, "sequence key must be string: {}", "sequence key")
        check_names(context, "context key must be string: {}", "context key")
        self.sequences = {
            k: ops.convert_to_tensor(v, name=f"sequence_{k}") for k, v in sequences.items()
        }
        self.context = {
            k: ops.convert_to_tensor(v, name=f"context_{k}") for k, v in context.items()
        }


def check_names(names: Any, no_string: str, what: str) -> None:
    """Refuses names that are no strings or have colons."""
    for name in names:
        if not isinstance(name, str):
            raise TypeError(no_string.format(name))
        if ":" in name:
            raise ValueError(f"{what} may not have a colon: '{name}'")


def is_multiple(length: Any, rest: Any, num_unroll: Any, label: str) -> Any:
    """The operation that fails a run unless a length, which leaves a rest when it is divided by
    `num_unroll`, is a positive multiple of it."""
    return control_flow_ops.Assert(
        math_ops.logical_and(math_ops.equal(rest, 0), math_ops.not_equal(length, 0)),
        [
            string_ops.string_join(
                [
                    f"{label} should be a multiple of: ",
                    string_ops.as_string(num_unroll),
                    ", but saw value: ",
                    string_ops.as_string(length),
                    ". Consider setting pad=True.",
                ]
            )
        ],
    )


def check_multiple_of(value: Tensor, multiple_of: Any) -> Tensor:
    """A scalar, checked in the run to be a positive multiple."""
    rest = math_ops.mod(value, multiple_of)
    checked = is_multiple(value, rest, multiple_of, f"Tensor {value.name}")
    with ops.control_dependencies([checked]):
        return array_ops.identity(value, name="multiple_of_checked")


def check_rank(value: Tensor, expected_rank: Any) -> Tensor:
    """A tensor, checked to have a rank.

    Raises:
      ValueError: its static shape tells that it has another one.
    """
    assert isinstance(value, Tensor)
    same = math_ops.equal(expected_rank, array_ops.rank(value))
    text = string_ops.string_join(
        [
            f"Rank of tensor {value.name} should be: ",
            string_ops.as_string(expected_rank),
            ", shape received:",
        ]
    )
    with ops.control_dependencies([control_flow_ops.Assert(same, [text, array_ops.shape(value)])]):
        checked = array_ops.identity(value, name="rank_checked")
    if isinstance(expected_rank, Tensor):
        known = tensor_util.constant_value(expected_rank)
        expected_rank = expected_rank if known is None else int(known)
    if not isinstance(expected_rank, Tensor):
        try:
            checked.set_shape(checked.get_shape().with_rank(expected_rank))
        except ValueError as error:
            raise ValueError(f"Rank check failed for {value.name}: {error}") from None
    return checked


def check_shape(value: Tensor, expected_shape: Any) -> Tensor:
    """A tensor, checked to have a shape.

    Raises:
      ValueError: its static shape tells that it has another one.
    """
    assert isinstance(value, Tensor)
    if isinstance(expected_shape, tensor_shape.TensorShape):
        expected_shape = expected_shape.as_list()
    if isinstance(expected_shape, Tensor):
        known = tensor_util.constant_value(expected_shape)
        expected_shape = expected_shape if known is None else [int(size) for size in known]
    if isinstance(expected_shape, Tensor):
        value = check_rank(value, array_ops.size(expected_shape))
    else:
        value = check_rank(value, len(expected_shape))
    same = math_ops.reduce_all(math_ops.equal(expected_shape, array_ops.shape(value)))
    text = string_ops.string_join(
        [
            f"Shape of tensor {value.name} should be: ",
            string_ops.as_string(expected_shape),
            ", shape received: ",
            string_ops.as_string(array_ops.shape(value)),
        ]
    )
    with ops.control_dependencies([control_flow_ops.Assert(same, [text])]):
        checked = array_ops.identity(value, name="shape_checked")
    if not isinstance(expected_shape, Tensor):
        try:
            checked.set_shape(checked.get_shape().merge_with(expected_shape))
        except ValueError as error:
            raise ValueError(f"Shape check failed for {value.name}: {error}") from None
    return checked


def check_dimensions(
    value: Any, dimensions: Sequence[int], expected_sizes: Any, debug_prefix: str
) -> Tensor:
    """A tensor, checked to have sizes in some dimensions.

    Args:
      value: the tensor.
      dimensions: which dimensions.
      expected_sizes: an int or scalar for each.
      debug_prefix: what the tensor is called in errors.

    Raises:
      TypeError: `value` is no tensor, or `dimensions` no list.
      ValueError: its static shape tells that it has other sizes.
    """
    if not isinstance(dimensions, list | tuple):
        raise TypeError("dimensions must be a list or tuple")
    if len(set(dimensions)) != len(dimensions):
        raise ValueError(f"dimensions are not unique: {dimensions}")
    if not isinstance(value, Tensor):
        raise TypeError(f"value is not a Tensor: {value}")
    if not isinstance(expected_sizes, Tensor):
        _merge_sizes(value, dimensions, expected_sizes, debug_prefix)
    checks = []
    for dimension, size in zip(dimensions, expected_sizes, strict=True):
        same = math_ops.equal(size, array_ops.shape(value)[dimension])
        text = string_ops.string_join(
            [
                f"Dimension {dimension} of tensor labeled {debug_prefix} should be: ",
                string_ops.as_string(size),
                ", shape received: ",
                string_ops.as_string(array_ops.shape(value)),
            ]
        )
        checks.append(control_flow_ops.Assert(same, [text]))
    with ops.control_dependencies(checks):
        return array_ops.identity(value, name=f"dims_checked_{debug_prefix}")


def _merge_sizes(
    value: Tensor, dimensions: Sequence[int], expected_sizes: Any, debug_prefix: str
) -> None:
    """Adds sizes that are known to a static shape."""
    if len(dimensions) != len(expected_sizes):
        raise ValueError(
            f"len(dimensions) != len(expected_sizes): {len(dimensions)} vs. {len(expected_sizes)}"
        )
    shape = value.get_shape()
    if shape.ndims is None:
        return
    if shape.ndims <= max(dimensions):
        raise ValueError(
            f"{debug_prefix}: rank of input is not greater than max(dimensions): {shape.ndims} "
            f"vs. {max(dimensions)}"
        )
    sizes = shape.as_list()
    for dimension, size in zip(dimensions, expected_sizes, strict=True):
        if not isinstance(size, Tensor):
            sizes[dimension] = size
    try:
        value.set_shape(value.get_shape().merge_with(sizes))
    except ValueError as error:
        raise ValueError(f"Dimensions check failed for {debug_prefix}: {error}") from None


def prepare_sequence_inputs(inputs: SequenceInputs, states: dict[str, Any]) -> Any:
    """The parts of a sequence, checked.

    Args:
      inputs: the sequence.
      states: name -> the first state.

    Returns:
      (length, key, states, sequences, context), the dicts sorted by name.

    Raises:
      ValueError: shapes are not known, but for the lengths of sequences.
      TypeError: length or key are of another dtype.
    """
    states = {k: ops.convert_to_tensor(v, name=f"state_{k}") for k, v in states.items()}
    for label, values, ignored in (
        ("state", states, 0),
        ("context", inputs.context, 0),
        ("sequence", inputs.sequences, 1),
    ):
        for name, value in values.items():
            if not value.get_shape()[ignored:].is_fully_defined():
                where = "(ignoring first dimension)" if ignored else ""
                raise ValueError(
                    f"Shape for {label} {name} is not fully defined {where}: {value.get_shape()}"
                )
    length = check_rank(inputs.length, 0)
    key = check_rank(inputs.key, 0)
    if length.dtype != dtypes.int32:
        raise TypeError(f"length dtype must be int32, but received: {length.dtype}")
    if key.dtype != dtypes.string:
        raise TypeError(f"key dtype must be string, but received: {key.dtype}")
    return (
        length,
        key,
        *(dict(sorted(d.items())) for d in (states, inputs.sequences, inputs.context)),
    )
