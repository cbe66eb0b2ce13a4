"""The part of `tensorflow.python.training.input` that makes queues of the rows of tensors."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op, gather_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.io import io_ops
from tf1compat.api.math import math_ops
from tf1compat.api.queues import data_flow_ops
from tf1compat.api.random import random_ops
from tf1compat.api.summary import summary
from tf1compat.api.training import queue_runner_impl
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variable_scope
from tf1compat.core import context, dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.typing import TensorLike

_INSTEAD = "Queue-based input pipelines have been replaced by `tf.data`. Use "


NO_SHUFFLE = " If `shuffle=False`, omit the `.shuffle(...)`."


_MODULE = "tensorflow.python.training.input"


NOT_EAGERLY = (
    "Input pipelines based on Queues are not supported when eager execution is enabled. "
    "Please use tf.data to ingest data into your model instead."
)


def replaced(text: str) -> Any:
    """Decorator: the function is deprecated in favour of something in `tf.data`."""
    return deprecated(None, _INSTEAD + text, module=_MODULE)


def converted(tensors: Any) -> list[Any]:
    return [x if isinstance(x, SparseTensor) else ops.convert_to_tensor(x) for x in tensors]


@tf_export("io.match_filenames_once", "train.match_filenames_once")
def match_filenames_once(pattern: Any, name: str | None = None) -> Any:
    """A local variable with the paths that match patterns when it is initialized.

    Args:
      pattern: a string tensor, a scalar or a vector.
      name: the variable's name.

    Returns:
      A local variable, a string vector.
    """
    with ops.name_scope(name, "matching_filenames", [pattern]) as name:
        return variable_scope.variable(
            name=name,
            initial_value=io_ops.matching_files(pattern),
            trainable=False,
            validate_shape=False,
            collections=[ops.GraphKeys.LOCAL_VARIABLES],
        )


@tf_export("train.limit_epochs")
@replaced("`tf.data.Dataset.from_tensors(tensor).repeat(num_epochs)`.")
def limit_epochs(tensor: Any, num_epochs: int | None = None, name: str | None = None) -> Any:
    """A tensor that can be had `num_epochs` times; then it raises `OutOfRangeError`.

    It counts in a local variable, "epochs".

    Args:
      tensor: a tensor.
      num_epochs: how often; None for no limit.
      name: the operation's name.

    Returns:
      A tensor like the given one.

    Raises:
      ValueError: `num_epochs` is not positive.
    """
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError(f"num_epochs must be > 0 not {num_epochs}.")
    with ops.name_scope(name, "limit_epochs", [tensor]) as name:
        epochs = variable_scope.variable(
            constant_op.constant(0, dtype=dtypes.int64),
            name="epochs",
            trainable=False,
            collections=[ops.GraphKeys.LOCAL_VARIABLES],
        )
        counter = epochs.count_up_to(num_epochs)
        with ops.control_dependencies([counter]):
            return array_ops.identity(tensor, name=name)


_SLICES = "`tf.data.Dataset.from_tensor_slices({}).shuffle"


_SIZE = "(tf.shape(input_tensor, out_type=tf.int64)[0]).repeat(num_epochs)`." + NO_SHUFFLE


@tf_export("train.input_producer")
@replaced(_SLICES.format("input_tensor") + _SIZE)
def input_producer(
    input_tensor: Any,
    element_shape: Any = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    summary_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> data_flow_ops.FIFOQueue:
    """A queue of the rows of a tensor.

    Args:
      input_tensor: the rows.
      element_shape: the shape of a row, where it is not known.
      num_epochs: how often each row comes; None for no limit.
      shuffle: whether the rows come in random order.
      seed: see `tf.set_random_seed`.
      capacity: of the queue.
      shared_name: a name under which sessions share it.
      summary_name: of a summary that says how full it is; None for no summary.
      name: a name scope.
      cancel_op: see `tf.train.QueueRunner`.

    Returns:
      The queue; its runner is in `GraphKeys.QUEUE_RUNNERS`.

    Raises:
      ValueError: the shape of a row is not known.
      RuntimeError: eager execution is on.
    """
    if context.executing_eagerly():
        raise RuntimeError(NOT_EAGERLY)
    with ops.name_scope(name, "input_producer", [input_tensor]):
        input_tensor = ops.convert_to_tensor(input_tensor, name="input_tensor")
        element_shape = input_tensor.shape[1:].merge_with(element_shape)
        if not element_shape.is_fully_defined():
            raise ValueError(
                "Either `input_tensor` must have a fully defined shape or `element_shape` must be "
                "specified"
            )
        if shuffle:
            input_tensor = random_ops.random_shuffle(input_tensor, seed=seed)
        input_tensor = limit_epochs(input_tensor, num_epochs)
        queue = data_flow_ops.FIFOQueue(
            capacity=capacity,
            dtypes=[input_tensor.dtype.base_dtype],
            shapes=[element_shape],
            shared_name=shared_name,
            name=name,
        )
        enqueue = queue.enqueue_many([input_tensor])
        queue_runner_impl.add_queue_runner(
            queue_runner_impl.QueueRunner(queue, [enqueue], cancel_op=cancel_op)
        )
        if summary_name is not None:
            fullness = math_ops.cast(queue.size(), dtypes.float32) * (1.0 / capacity)
            summary.scalar(summary_name, fullness)
        return queue


@tf_export("train.string_input_producer")
@replaced(_SLICES.format("string_tensor") + _SIZE)
def string_input_producer(
    string_tensor: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> data_flow_ops.FIFOQueue:
    """A queue of strings, for example of file names; see `tf.train.input_producer`.

    Args:
      string_tensor: a string vector.
      num_epochs, shuffle, seed, capacity, shared_name, name, cancel_op: as in `input_producer`.

    Returns:
      A queue of string scalars.

    Raises:
      ValueError: there are no strings.
    """
    text = "string_input_producer requires a non-null input tensor"
    if not isinstance(string_tensor, ops.Tensor) and not string_tensor:
        raise ValueError(text)
    with ops.name_scope(name, "input_producer", [string_tensor]) as name:
        string_tensor = ops.convert_to_tensor(string_tensor, dtype=dtypes.string)
        is_filled = math_ops.greater(array_ops.size(string_tensor), 0)
        with ops.control_dependencies([control_flow_ops.Assert(is_filled, [text])]):
            string_tensor = array_ops.identity(string_tensor)
        return input_producer(
            input_tensor=string_tensor,
            element_shape=[],
            num_epochs=num_epochs,
            shuffle=shuffle,
            seed=seed,
            capacity=capacity,
            shared_name=shared_name,
            name=name,
            summary_name=f"fraction_of_{capacity}_full",
            cancel_op=cancel_op,
        )


@tf_export("train.range_input_producer")
@replaced("`tf.data.Dataset.range(limit).shuffle(limit).repeat(num_epochs)`." + NO_SHUFFLE)
def range_input_producer(
    limit: TensorLike,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> data_flow_ops.FIFOQueue:
    """A queue of the numbers below `limit`; see `tf.train.input_producer`.

    Args:
      limit: an int32 scalar.
      num_epochs, shuffle, seed, capacity, shared_name, name: as in `input_producer`.

    Returns:
      A queue of int32 scalars.
    """
    with ops.name_scope(name, "input_producer", [limit]) as name:
        return input_producer(
            math_ops.range(limit),
            [],
            num_epochs,
            shuffle,
            seed,
            capacity,
            shared_name,
            f"fraction_of_{capacity}_full",
            name,
        )


@tf_export("train.slice_input_producer")
@replaced(_SLICES.format("tuple(tensor_list)") + _SIZE)
def slice_input_producer(
    tensor_list: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> list[ops.Tensor]:
    """One row of each of some tensors, another one in each run; see `tf.train.input_producer`.

    Args:
      tensor_list: tensors of one length.
      num_epochs, shuffle, seed, capacity, shared_name, name: as there.

    Returns:
      Tensors of one dimension less.

    Raises:
      ValueError: there are no tensors.
    """
    with ops.name_scope(name, "input_producer", tensor_list):
        tensors = converted(tensor_list)
        if not tensors:
            raise ValueError("Expected at least one tensor in slice_input_producer().")
        count = array_ops.shape(tensors[0])[0]
        queue = range_input_producer(
            count,
            num_epochs=num_epochs,
            shuffle=shuffle,
            seed=seed,
            capacity=capacity,
            shared_name=shared_name,
        )
        index = queue.dequeue()
        return [gather_ops.gather(tensor, index) for tensor in tensors]
