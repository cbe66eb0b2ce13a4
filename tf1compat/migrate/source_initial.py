"""New weights as source: what the initializers of variables make."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate import params as params_lib
from tf1compat.migrate.source_body import Body
from tf1compat.migrate.source_module import Module, steps_of
from tf1compat.migrate.source_needs import CannotWrite, known_value
from tf1compat.migrate.source_text import function, nested_text, returning
from tf1compat.migrate.to_jax import to_jax
from tf1compat.runtime.session import Session


class Initial:
    """The initializers of variables, and their source.

    Attributes:
      module: has the functions that it calls.
      lines: `init_params`; None if there is no source for it.
      random: the random operations in the order of their keys.
    """

    def __init__(self, graph: Any, variables: Iterable[str], taken: Iterable[str]):
        self.lines: list[str] | None = None
        self.random: list[Operation] = []
        self._graph = graph
        self._values: dict[str, Tensor] = {}
        try:
            for name in variables:
                self._values[name] = graph.get_operation_by_name(f"{name}/Assign").inputs[1]
            self._write(tuple(taken))
        except (CannotWrite, KeyError, ValueError):  # No such source, or from other variables.
            return

    def _write(self, taken: tuple[str, ...]) -> None:
        targets = list(self._values.values())
        steps = steps_of(targets, set(), self._graph) if targets else []
        module = Module(set(), steps, taken)
        body = Body(module, {}, "", {"key", "keys"})
        body.write(steps, set(targets))
        texts = {name: _array(body, tensor) for name, tensor in self._values.items()}
        if module.constants or module.functions:
            return  # Arrays that only the graph has, and functions that only new weights need.
        self.random = module.random
        lines = body.finished()
        if self.random:
            lines = [f"keys = jax.random.split(key, {len(self.random)})", *lines]
        argument = "key" if self.random else ""
        title = "New weights, as the graph's initializers make them."
        whole = nested_text(params_lib.by_scope(texts))
        self.lines = function("init_params", argument, title, returning(lines, whole, 1))

    def wanted(self, draws: list[Any]) -> dict[str, np.ndarray]:
        """What the graph's initializers make of random numbers."""
        fed = [tensor for op in self.random for tensor in op._outputs]
        fn, params = to_jax(self._values, fed, Session(graph=self._graph))
        return {name: np.asarray(value) for name, value in fn(params, *draws).items()}


def _array(body: Body, tensor: Tensor) -> str:
    """The expression of a value as an array, which a number is not."""
    text = body.value(tensor).text
    return (
        text
        if known_value(tensor) is None or tensor._shape
        else f"jnp.{tensor._dtype.name}({text})"
    )
