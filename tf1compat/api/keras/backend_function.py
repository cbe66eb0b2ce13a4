"""`tf.keras.backend.function`: a part of the graph as a function of arrays."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.functions.concrete_function import ConcreteFunction
from tf1compat.api.math import math_ops
from tf1compat.api.variables import state_ops, variables
from tf1compat.core import context, dtypes, export, nest, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.graph import Graph
from tf1compat.core.session_conversions import AnyShape
from tf1compat.core.typing import Name

__all__ = ["EagerExecutionFunction", "GraphExecutionFunction", "function"]


def _fed(tensor: Any, array: Any) -> Any:
    """What feeds an array: a function takes one of another shape than its placeholder has."""
    shape = tensor._shape
    fits = shape is None or (
        len(shape) == array.ndim and all(map(lambda d, s: d is None or d == s, shape, array.shape))
    )
    return array if fits else AnyShape(array)


class GraphExecutionFunction:
    """Runs outputs and updates for given inputs.

    Args:
      inputs: placeholders, or a structure of them.
      outputs: tensors or variables, or a structure of them.
      updates: operations, or pairs of a variable and its new value; they run after the first
        output is computed.
      name: ignored, as in TF.
      **session_kwargs: `feed_dict`, `fetches`, `options` and `run_metadata` of each run.

    Attributes:
      fetch_callbacks: fetch -> a function that gets its value after each run.
    """

    def __init__(
        self, inputs: Any, outputs: Any, updates: Any = None, name: Name = None,
        **session_kwargs: Any,
    ):  # fmt: skip
        updates = updates or []
        if not isinstance(updates, list | tuple):
            raise TypeError("`updates` in a Keras backend function should be a list or tuple.")
        self.inputs = nest.flatten(inputs, expand_composites=True)
        self._outputs_structure = outputs
        self.outputs = [
            array_ops.identity(x) if isinstance(x, variables.Variable) else x
            for x in nest.flatten(outputs, expand_composites=True)
        ]
        with ops.control_dependencies([self.outputs[0]]):
            self.updates_op = control_flow_ops.group(
                *[state_ops.assign(*x) if isinstance(x, tuple) else x for x in updates]
            )
        self.name = name
        self.feed_dict = session_kwargs.pop("feed_dict", None)
        fetches = session_kwargs.pop("fetches", [])
        self.run_options = session_kwargs.pop("options", None)
        self.run_metadata = session_kwargs.pop("run_metadata", None)
        self.fetches = [
            array_ops.identity(x) for x in (fetches if isinstance(fetches, list) else [fetches])
        ]
        self.fetch_callbacks: dict[Any, Any] = {}
        self.session_kwargs = session_kwargs
        if session_kwargs:
            raise ValueError(
                "Some keys in session_kwargs are not supported at this time: "
                f"{session_kwargs.keys()}"
            )
        # A list stays the same object, so that the session finds its program by identity.
        self._run_fetches = [*self.outputs, *self.fetches, self.updates_op]
        self._dtypes = [dtypes.as_dtype(x.dtype).base_dtype.as_numpy_dtype for x in self.inputs]
        # id of a fed tensor -> it in the dtype of the input that it takes the place of
        self._cast_symbols: dict[tuple[int, Any], Any] = {}

    def __call__(self, inputs: Any) -> Any:
        """The outputs for arrays (or tensors of the graph, which are evaluated in each run).

        An input of None is not fed.
        """
        values = nest.flatten(inputs, expand_composites=True)
        session = backend.get_session(values)
        feeds: dict[Any, Any] = {}
        symbols: dict[Any, Any] = {}
        for tensor, value, dtype in zip(self.inputs, values, self._dtypes, strict=False):
            if value is None:
                continue
            if tensor_util.is_tensor(value) and hasattr(value, "graph"):
                symbols[tensor] = self._as(value, tensor.dtype)
            else:
                feeds[tensor] = _fed(tensor, np.asarray(value, dtype=dtype))
        if symbols:
            computed = session.run(list(symbols.values()))
            feeds.update(zip(symbols, computed, strict=True))
        for key in sorted(self.feed_dict or (), key=lambda key: key.name):
            feeds[key] = np.asarray(self.feed_dict[key], dtype=key.dtype.base_dtype.as_numpy_dtype)
        if len(self._run_fetches) != len(self.outputs) + len(self.fetches) + 1:
            # A callback has added fetches.
            self._run_fetches = [*self.outputs, *self.fetches, self.updates_op]
        fetched = session.run(self._run_fetches, feeds, self.run_options, self.run_metadata)
        count = len(self.outputs)
        for fetch, value in zip(self.fetches, fetched[count:-1], strict=True):
            if fetch in self.fetch_callbacks:
                self.fetch_callbacks[fetch](value)
        return nest.pack_sequence_as(
            self._outputs_structure, fetched[:count], expand_composites=True
        )

    def _as(self, value: Any, dtype: Any) -> Any:
        if value.dtype == dtype:
            return value
        key = id(value), dtype
        if key not in self._cast_symbols:
            self._cast_symbols[key] = math_ops.cast(value, dtype)
        return self._cast_symbols[key]


class EagerExecutionFunction:
    """A part of the graph that Keras has in eager execution, as a function.

    Args:
      inputs, outputs, updates, name: as of `GraphExecutionFunction`.
    """

    def __init__(self, inputs: Any, outputs: Any, updates: Any = None, name: Name = None):
        self.name = name
        self.inputs = nest.flatten(inputs, expand_composites=True)
        self._structure = outputs
        self.outputs = nest.flatten(outputs, expand_composites=True)
        source = backend.get_graph()
        with source.as_default():
            wanted = [ops.convert_to_tensor(x) for x in self.outputs]
            changes = [state_ops.assign(*x) if isinstance(x, tuple) else x for x in updates or ()]
        graph = FuncGraph(name or "keras_function")
        graph._functions.update(source._functions)
        with graph.as_default():
            copies: dict[Any, Any] = {}
            for x in self.inputs:
                copies[x] = graph.placeholder(x.dtype, x.shape)
            graph.inputs = list(copies.values())
            for outer, inner in source.captures:
                copies[inner] = outer
            done = _copied(graph, wanted, [getattr(x, "op", x) for x in changes], copies)
            graph.outputs = [graph.capture(copies[x]) for x in wanted]
        graph.structured_outputs = list(graph.outputs)
        graph.control_outputs = done
        self._function = ConcreteFunction(graph)

    def __call__(self, inputs: Any) -> Any:
        """The outputs for arrays or tensors, as arrays."""
        values = nest.flatten(inputs, expand_composites=True)
        given = []
        for tensor, value in zip(self.inputs, values, strict=True):
            if value is None:
                raise ValueError("You must feed a value for placeholder " + str(tensor))
            if not isinstance(value, ops.Tensor):
                value = ops.convert_to_tensor(value, dtype=tensor.dtype)
            given.append(math_ops.cast(value, tensor.dtype))
        results = self._function._call_flat(given, self._function.captured_inputs)
        return nest.pack_sequence_as(
            self._structure, [x.numpy() for x in nest.flatten(results)], expand_composites=True
        )


def _copied(graph: Graph, tensors: Any, targets: Any, copies: dict[Any, Any]) -> list[Any]:
    """Records in `graph` what computes `tensors` and does `targets`.

    Args:
      graph: the graph to record in.
      tensors: of another graph.
      targets: its operations.
      copies: what stands for a tensor of that graph in this one; what is recorded joins.

    Returns:
      The operations that stand for `targets`.
    """
    made: dict[Any, Any] = {}
    pending = [x.op for x in tensors if x not in copies] + list(targets)
    needed: dict[Any, None] = {}
    while pending:
        op = pending.pop()
        if op in needed or (op.outputs and all(x in copies for x in op.outputs)):
            continue
        needed[op] = None
        pending += [x.op for x in op.inputs if x not in copies] + list(op.control_inputs)
    for op in sorted(needed, key=lambda op: op._id):
        waits = [made[before] for before in op.control_inputs if before in made]
        with graph.control_dependencies(waits), graph.device(op.device):
            made[op] = graph.create_op(
                op.type, [copies[x] for x in op.inputs], attrs=dict(op._attrs), name=op.name
            )
        copies.update(zip(op.outputs, made[op].outputs, strict=True))
    return [made[op] for op in targets]


@tf_export("keras.backend.function")
def function(
    inputs: Any, outputs: Any, updates: Any = None, name: Name = None, **kwargs: Any
) -> Any:
    """A function of arrays that computes `outputs` and runs `updates`. Args: see
    `GraphExecutionFunction`.

    Args:
      inputs, outputs, updates, name: as in `GraphExecutionFunction`.
      **kwargs: `feed_dict`, `fetches`, `options`, `run_metadata`, as in `GraphExecutionFunction`.

    Returns:
      As `GraphExecutionFunction`.

    Raises:
      ValueError: an unknown keyword argument.
    """
    if context.executing_eagerly():
        if kwargs:
            raise ValueError(
                f"Session keyword arguments are not support during eager execution. You passed: "
                f"{kwargs}"
            )
        return EagerExecutionFunction(inputs, outputs, updates=updates, name=name)
    known = inspect.getfullargspec(export.find("Session").run).args
    for key in kwargs:
        if key not in known and key not in ("inputs", "outputs", "updates", "name"):
            raise ValueError(
                f'Invalid argument "{key}" passed to K.function with TensorFlow backend'
            )
    return GraphExecutionFunction(inputs, outputs, updates=updates, **kwargs)


# Last, as that module takes all that is above.
from tf1compat.api.keras import backend  # noqa: E402
