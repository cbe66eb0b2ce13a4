"""Variables that a function creates while it is recorded in a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.eager import lift_to_graph
from tf1compat.api.variables import resource_variable_ops
from tf1compat.core import ops, raw_ops


class UnliftedInitializerVariable(resource_variable_ops.UninitializedVariable):
    """A variable of the graph around a function, whose initial value the function records.

    What the initial value is computed from is copied to the graph around, where `initializer`
    assigns it, as in TF 1.15. There such a variable is in no collection but GLOBAL_VARIABLES.

    Args:
      initial_value: a tensor, what can be made one, or a function that gives one.
      name, dtype, shape, trainable, caching_device, constraint, synchronization, aggregation: as
        in `tf.Variable`.

    Raises:
      ValueError: there is no initial value, or the constraint can't be called.
      UnliftableError: the initial value hangs on arguments of the function.
    """

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        caching_device: Any = None,
        name: str | None = None,
        dtype: Any = None,
        constraint: Callable[..., Any] | None = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
        **unused_kwargs: Any,
    ):
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        body = ops.get_default_graph()
        values = [] if callable(initial_value) else [initial_value]
        with ops.name_scope(name, "Variable", values) as scope:
            with ops.device(None):
                value, shape = resource_variable_ops.initial_tensor(initial_value, dtype, shape)
            super().__init__(
                trainable=trainable,
                caching_device=caching_device,
                name=scope,
                shape=shape,
                dtype=value.dtype.base_dtype,
                constraint=constraint,
                synchronization=synchronization,
                aggregation=aggregation,
            )
            captured = (inner for _, inner in body.captures)
            arguments = {tensor.op for tensor in (*body.inputs, *captured)}
            with ops.init_scope():
                graph = ops.get_default_graph()
            copies = lift_to_graph.lift_to_graph([value], graph, disallowed_placeholders=arguments)
            with ops.init_scope():
                self._initial_value = copies[value]
                with ops.name_scope("IsInitialized"):
                    raw_ops.VarIsInitializedOp(self.handle)
                with ops.name_scope("Assign") as assign_scope, ops.colocate_with(self.handle):
                    self._initializer_op = raw_ops.AssignVariableOp(
                        self.handle, self._initial_value, name=assign_scope
                    )
