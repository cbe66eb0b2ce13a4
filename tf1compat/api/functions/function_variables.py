"""Variables that a `tf.function` creates; a part of TF's `tensorflow.python.eager.def_function`."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.eager import lift_to_graph
from tf1compat.api.functions import function_tracing
from tf1compat.api.variables import resource_variable_ops, variable_base
from tf1compat.core import ops, raw_ops
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.typing import DTypeLike, ShapeLike

Pending = list[tuple[Any, ops.Tensor]]


class UnliftedInitializerVariable(resource_variable_ops.UninitializedVariable):
    """A variable made while a function is recorded; it is one of the graph around.

    Its initial value is recorded in the function and copied to the graph around.

    Args:
      initial_value: a tensor, what becomes one, or a function that gives such.
      pending: where, in eager execution, the variable and its initial value are put, as nothing is
        computed yet.
      The others are as in `tf.Variable`.

    Raises:
      ValueError: there is no initial value.
      UnliftableError: the initial value hangs on the function's arguments.
    """

    _made_by_function = True

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        caching_device: Any = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        constraint: Callable[..., Any] | None = None,
        pending: Pending | None = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: ShapeLike | None = None,
        **unused_kwargs: Any,
    ):
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        variable_base.check_constructor_arguments(initial_value, constraint)
        values = [] if callable(initial_value) else [initial_value]
        with ops.name_scope(name, "Variable", values) as scope, ops.device(None):
            value, shape = resource_variable_ops.initial_tensor(initial_value, dtype, shape)
        super().__init__(
            trainable=trainable,
            caching_device=caching_device,
            name=name,
            shape=shape,
            dtype=value.dtype,
            constraint=constraint,
            synchronization=synchronization,
            aggregation=aggregation,
        )
        if ops.executing_eagerly():  # in an init_scope
            self._assigned(value)
            return
        if not self._in_graph_mode:
            assert pending is not None
            pending.append((self, value))
            # It acts where the value could not be copied.
            with ops.name_scope(scope):
                control_flow_ops.cond(
                    raw_ops.VarIsInitializedOp(self._handle),
                    lambda: ops.convert_to_tensor(0),
                    lambda: self._assigned(value),
                )
            return
        inner = ops.get_default_graph()
        assert isinstance(inner, FuncGraph)
        arguments = {tensor.op for tensor in [*inner.inputs, *inner.internal_captures]}
        with ops.name_scope(scope):
            with ops.init_scope():
                outer = ops.get_default_graph()
            lifted = lift_to_graph.lift_to_graph([value], outer, disallowed_placeholders=arguments)[
                value
            ]
            with ops.init_scope():
                self._initial_value = lifted
                with ops.name_scope("IsInitialized"):
                    raw_ops.VarIsInitializedOp(self._handle)
                with ops.name_scope("Assign") as assign, ops.colocate_with(self._handle):
                    self._initializer_op = raw_ops.AssignVariableOp(
                        self._handle, lifted, name=assign
                    )

    def _assigned(self, value: ops.Tensor) -> ops.Tensor:
        with ops.name_scope("Assign") as assign, ops.colocate_with(self._handle):
            raw_ops.AssignVariableOp(self._handle, value, name=assign)
        return ops.convert_to_tensor(1)


def creating_variables(
    python_function: Callable[..., Any], created: list[Any], pending: Pending
) -> Any:
    """The Python function; the variables that it creates are those of the graph around.

    Args:
      python_function: the Python function.
      created: references to the variables are noted here.
      pending: those that have no value yet, and which it is.
    """

    def create(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        if not ops.inside_function():  # of an init_scope in there
            with ops.init_scope():
                variable = next_creator(**kwargs)
            variable._made_by_function = True
        else:
            variable = UnliftedInitializerVariable(pending=pending, **kwargs)
        created.append(weakref.ref(variable))
        return variable

    return _with_creator(python_function, create)


def without_new_variables(python_function: Callable[..., Any]) -> Any:
    """The Python function, refused if it creates variables."""

    def refuse(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        raise ValueError(
            "tf.function-decorated function tried to create variables on non-first call."
        )

    return _with_creator(python_function, refuse)


def _with_creator(python_function: Callable[..., Any], creator: Callable[..., Any]) -> Any:
    @functools.wraps(python_function)
    def scoped(*args: Any, **kwargs: Any) -> Any:
        # Creators of scopes around come first: they may change the arguments, or make others.
        with ops.get_default_graph()._variable_creator_scope(creator, priority=50):
            return python_function(*args, **kwargs)

    return function_tracing.keeps_around(
        scoped, python_function, lambda inner: _with_creator(inner, creator)
    )
