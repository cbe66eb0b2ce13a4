"""What layers use to make variables and to know where tensors come from
(`tensorflow.python.keras.engine.base_layer_utils`)."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distribute import distribution_strategy_context as strategies
from tf1compat.api.functions import auto_control_deps
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine.call_context import call_context as _context
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variables as variables_lib
from tf1compat.core import context, dtypes, nest, ops, tensor_util, tf2
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name


def call_context() -> Any:
    """The innermost layer call of the thread."""
    return _context


def make_variable(
    name: Any, shape: Any = None, dtype: Any = dtypes.float32, initializer: Any = None,
    trainable: Any = None, caching_device: Any = None, validate_shape: bool = True,
    constraint: Any = None, use_resource: bool | None = None, collections: Any = None,
    synchronization: Any = variables_lib.VariableSynchronization.AUTO,
    aggregation: Any = variables_lib.VariableAggregation.NONE, partitioner: Any = None,
) -> Any:  # fmt: skip
    """A variable of a layer that variable scopes know nothing of."""
    value, variable_dtype = initializer, None
    if callable(initializer):
        if inspect.isclass(initializer) and issubclass(initializer, init_ops.Initializer):
            initializer = initializer()
        value = functools.partial(initializer, shape, dtype=dtype)
        variable_dtype = dtype.base_dtype
    static = TensorShape(shape)
    return variables_lib.VariableV1(
        initial_value=value, name=name, trainable=trainable, caching_device=caching_device,
        dtype=variable_dtype, validate_shape=validate_shape, constraint=constraint,
        use_resource=True if use_resource is None else use_resource, collections=collections,
        synchronization=synchronization, aggregation=aggregation,
        shape=static if static else None,
    )  # fmt: skip


def create_mean_metric(value: Any, name: Name = None) -> tuple[Any, Any]:
    """A `Mean` metric of values, and its result."""
    from tf1compat.api.keras import metrics

    metric = metrics.Mean(name=name)
    return metric, metric(value)


def collect_previous_mask(input_tensors: Any) -> Any:
    """The masks of tensors, in the same structure."""
    return nest.map_structure(lambda x: getattr(x, "_keras_mask", None), input_tensors)


def have_all_keras_metadata(tensors: Any) -> bool:
    """Whether all come from layers."""
    return all(hasattr(x, "_keras_history") for x in nest.flatten(tensors))


def generate_placeholders_from_shape(shape: Any) -> Any:
    """A float placeholder."""
    return array_ops.placeholder(shape=shape, dtype=backend.floatx())


def needs_keras_history(tensors: Any, ignore_call_context: bool = False) -> bool:
    """Whether operations lie between outputs of layers and these tensors."""
    if _context.in_call and not ignore_call_context:
        return False
    if all(getattr(x, "_keras_history", None) is not None for x in nest.flatten(tensors)):
        return False
    return uses_keras_history(tensors)


def uses_keras_history(tensors: Any) -> bool:
    """Whether a tensor is computed from the output of a layer."""
    checked: set[int] = set()
    pending = nest.flatten(tensors)
    while pending:
        following = []
        for tensor in pending:
            if id(tensor) in checked:
                continue
            checked.add(id(tensor))
            if getattr(tensor, "_keras_history_checked", None) is not None:
                continue
            if getattr(tensor, "_keras_history", None) is not None:
                return True
            operation = getattr(tensor, "op", None)
            if operation is not None:
                following.extend(operation.inputs)
        pending = following
    mark_checked(tensors)
    return False


def mark_checked(tensors: Any) -> None:
    """Says that tensors have nothing to do with layers."""

    def mark(tensor: Any) -> None:
        tensor._keras_history_checked = True

    nest.map_structure(mark, tensors)


def create_keras_history(tensors: Any) -> list[Any]:
    """Makes layers of the operations between outputs of layers and these tensors; returns them."""
    created: list[Any] = []
    _create_keras_history(tensors, set(), created)
    return created


def _create_keras_history(tensors: Any, processed: set[Any], created: list[Any]) -> None:
    from tf1compat.api.keras.engine import op_layers

    for tensor in nest.flatten(tensors):
        if getattr(tensor, "_keras_history", None) is not None:
            continue
        operation = tensor.op
        if operation in processed:
            continue
        constants, layer_inputs = {}, []
        in_eager = ops.executing_eagerly_outside_functions()
        for i, x in enumerate(operation.inputs):
            if uses_keras_history(x):
                layer_inputs.append(x)
            elif strategies.in_cross_replica_context() and not in_eager:
                constants[i] = x  # Has no value until the strategy's session is made.
            else:
                with ops.init_scope():
                    constants[i] = backend.function([], x)([])
        _create_keras_history(layer_inputs, processed, created)
        layer = op_layers.TensorFlowOpLayer(
            operation.node_def.SerializeToString(), constants=constants, name=operation.name
        )
        created.append(layer)
        layer._add_inbound_node(layer_inputs, operation.outputs)
        processed.add(operation)


def is_in_keras_graph() -> bool:
    """Whether operations join the graph that Keras has in eager execution."""
    return backend.in_keras_graph()


def is_in_tf_function() -> bool:
    """Whether operations join a `tf.function`."""
    return (
        not context.executing_eagerly()
        and ops.executing_eagerly_outside_functions()
        and not is_in_keras_graph()
    )


def is_in_eager_or_tf_function() -> bool:
    """Whether layers compute at once."""
    return context.executing_eagerly() or is_in_tf_function()


def call_in_order(call: Any, *args: Any, **kwargs: Any) -> Any:
    """Calls `call`; in Keras's graph of eager execution its effects happen in the order in which
    they are written, before anything reads its results."""
    if not ops.executing_eagerly_outside_functions() or is_in_eager_or_tf_function():
        return call(*args, **kwargs)
    with auto_control_deps.AutomaticControlDependencies() as dependencies:
        return mark_as_return(call(*args, **kwargs), dependencies)


def mark_as_return(outputs: Any, acd: Any) -> Any:
    """Copies of results, with their masks, that wait for the effects which `acd` has seen."""

    def marked(tensor: Any) -> Any:
        if not tensor_util.is_tensor(tensor):
            return tensor
        result = acd.mark_as_return(tensor)
        mask = getattr(tensor, "_keras_mask", None)
        result._keras_mask = None if mask is None else acd.mark_as_return(mask)
        return result

    return nest.map_structure(marked, outputs)


def training_arg_passed_to_call(argspec: Any, args: Any, kwargs: Any) -> bool:
    """Whether a call is told if it trains."""
    given = {**dict(zip(argspec.args[2:], args, strict=False)), **kwargs}
    return given.get("training") is not None


def default(method: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a method as one that layers need not define."""
    method._is_default = True  # type: ignore[attr-defined]
    return method


#: What was asked for of `v2_dtype_behavior_enabled`; None if nothing was.
V2_DTYPE_BEHAVIOR: bool | None = None


def v2_dtype_behavior_enabled() -> bool:
    """Whether layers have the dtype `floatx()` and cast their inputs, as in TF 2; else they take
    the dtype of their first input."""
    return tf2.enabled() if V2_DTYPE_BEHAVIOR is None else V2_DTYPE_BEHAVIOR


def enable_v2_dtype_behavior() -> None:
    """Gives layers that are made from now on the dtype `floatx()`, to which they cast."""
    global V2_DTYPE_BEHAVIOR
    V2_DTYPE_BEHAVIOR = True


def disable_v2_dtype_behavior() -> None:
    """Gives layers that are made from now on the dtype of their first input."""
    global V2_DTYPE_BEHAVIOR
    V2_DTYPE_BEHAVIOR = False


def autocast_context_manager(dtype: Any) -> contextlib.AbstractContextManager[None]:
    """A context in which variables that cast themselves are read in `dtype`, if it is floating."""
    floating = dtype is not None and dtypes.as_dtype(dtype).is_floating
    graph = ops.get_default_graph()
    return graph._enable_auto_casting_variables(dtype if floating else None)


def is_subclassed(layer: Any) -> bool:
    """Whether a layer is of a class that is not Keras's own.

    Args:
      layer: the layer.
    """
    return not any(part in type(layer).__module__ for part in ("keras.engine", "keras.layers"))


def from_saved_model(layer: Any) -> bool:
    """Whether a layer was loaded from a SavedModel."""
    return "keras.saving.saved_model" in layer.__module__
