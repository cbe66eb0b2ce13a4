"""`tf.keras.backend.function`: a part of the graph as a function of arrays."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from tf1compat.api import array_ops, control_flow_ops, math_ops, state_ops, tensor_util, variables
from tf1compat.api.keras import backend
from tf1compat.core import context, dtypes, export, nest, ops
from tf1compat.core.export import tf_export

__all__ = ["GraphExecutionFunction", "function"]


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
        self, inputs: Any, outputs: Any, updates: Any = None, name: Any = None,
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
                feeds[tensor] = np.asarray(value, dtype=dtype)
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


@tf_export("keras.backend.function")
def function(
    inputs: Any, outputs: Any, updates: Any = None, name: Any = None, **kwargs: Any
) -> GraphExecutionFunction:
    """A function of arrays that computes `outputs` and runs `updates`. Args: see
    `GraphExecutionFunction`.

    Raises:
      ValueError: an unknown keyword argument.
    """
    if context.executing_eagerly():
        raise NotImplementedError(
            "tf.keras.backend.function in eager execution is not supported by tf1compat yet"
        )
    known = inspect.getfullargspec(export.find("Session").run).args
    for key in kwargs:
        if key not in known and key not in ("inputs", "outputs", "updates", "name"):
            raise ValueError(
                f'Invalid argument "{key}" passed to K.function with TensorFlow backend'
            )
    return GraphExecutionFunction(inputs, outputs, updates=updates, **kwargs)
