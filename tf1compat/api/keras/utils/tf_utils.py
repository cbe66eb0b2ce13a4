"""Branches and reachability, as layers use them (`tensorflow.python.keras.utils.tf_utils`)."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.variables import variables
from tf1compat.core import context, nest, ops, tensor_util
from tf1compat.core.tensor_shape import Dimension, TensorShape
from tf1compat.core.typing import Name, ShapeLike


def smart_cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: Name = None,
) -> Any:
    """`tf.cond`, or the one branch where the predicate is a bool or known; a variable is never
    known."""
    if isinstance(pred, variables.Variable):
        return control_flow_ops.cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return control_flow_ops.smart_cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)


def constant_value(pred: Any) -> bool | None:
    """The value of a predicate if it is known, else None.

    Raises:
      TypeError: it is neither a bool, 0, 1, a tensor nor a variable.
    """
    if isinstance(pred, variables.Variable):
        return None
    return control_flow_ops.smart_constant_value(pred)


_symbolic_types: set[type] = set()


def register_symbolic_tensor_type(cls: type) -> None:
    """Has the objects of a class count as tensors of a graph (as in TF 1.15)."""
    _symbolic_types.add(cls)


def is_symbolic_tensor(value: Any) -> bool:
    """Whether a value is a tensor of a graph, or a variable while graphs are recorded."""
    if isinstance(value, (variables.Variable, *_symbolic_types)):
        return not context.executing_eagerly()
    if nest.is_composite(value):
        return any(hasattr(x, "graph") for x in nest.flatten(value, expand_composites=True))
    return hasattr(value, "graph") and hasattr(value, "dtype")


def get_reachable_from_inputs(inputs: Any, targets: Any = None) -> set[Any]:
    """All operations and tensors that depend on `inputs`; fewer once `targets` are among them."""
    queue = list(nest.flatten(inputs, expand_composites=True))
    reachable = set(map(id, queue))
    found = list(queue)
    remaining = {id(target) for target in nest.flatten(targets)} if targets else None
    while queue:
        x = queue.pop()
        if isinstance(x, ops.Operation):
            outputs = [*x.outputs, *x._control_outputs]
        elif isinstance(x, variables.Variable):
            outputs = [x.op]
        else:
            outputs = x.consumers()
        for y in outputs:
            if id(y) not in reachable:
                reachable.add(id(y))
                found.append(y)
                queue.append(y)
                if remaining is not None:
                    remaining.discard(id(y))
        if remaining is not None and not remaining:
            break
    return set(found)


def are_all_symbolic_tensors(tensors: Any) -> bool:
    """Whether all are tensors of a graph."""
    return all(is_symbolic_tensor(tensor) for tensor in tensors)


def is_tensor_or_variable(x: Any) -> bool:
    """Whether it is a tensor or a variable."""
    return tensor_util.is_tensor(x) or isinstance(x, variables.Variable)


def is_tensor_or_tensor_list(v: Any) -> bool:
    """Whether the first leaf is a tensor."""
    flat = nest.flatten(v)
    return bool(flat) and isinstance(flat[0], ops.Tensor)


def map_structure_with_atomic(
    is_atomic_fn: Callable[[Any], bool], map_fn: Callable[[Any], Any], nested: Any
) -> Any:
    """Applies a function to what is atomic in a structure.

    Raises:
      ValueError: something is neither atomic nor a structure.
    """
    if is_atomic_fn(nested):
        return map_fn(nested)
    if not nest.is_sequence(nested):
        raise ValueError(f"Received non-atomic and non-sequence element: {nested}")
    if isinstance(nested, dict):
        return type(nested)(
            (key, map_structure_with_atomic(is_atomic_fn, map_fn, nested[key]))
            for key in sorted(nested)
        )
    return type(nested)(map_structure_with_atomic(is_atomic_fn, map_fn, x) for x in nested)


def convert_shapes(input_shape: Any, to_tuples: bool = True) -> Any:
    """The shapes in a structure as tuples, or as TensorShapes."""

    def is_size(value: Any) -> bool:
        return value is None or isinstance(value, int | Dimension)

    def is_shape(value: Any) -> bool:
        if is_size(value) or isinstance(value, TensorShape):
            return True
        return isinstance(value, tuple | list) and all(is_size(x) for x in value)

    def convert(shape: ShapeLike) -> Any:
        shape = TensorShape(shape)
        return tuple(shape.as_list()) if to_tuples else shape

    return map_structure_with_atomic(is_shape, convert, input_shape)


def shape_type_conversion(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A method of shapes that gets them as tuples, and whose result becomes TensorShapes."""

    @functools.wraps(fn)
    def wrapper(instance: Any, input_shape: Any) -> Any:
        if input_shape is not None:
            input_shape = convert_shapes(input_shape, to_tuples=True)
        output_shape = fn(instance, input_shape)
        if output_shape is not None:
            output_shape = convert_shapes(output_shape, to_tuples=False)
        return output_shape

    return wrapper


class ListWrapper:
    """A list that is a leaf of structures."""

    def __init__(self, list_to_wrap: list[Any]):
        self._list = list_to_wrap

    def as_list(self) -> list[Any]:
        """The list."""
        return self._list


def convert_inner_node_data(nested: Any, wrap: bool = False) -> Any:
    """The [layer, node, tensor] lists of a config as `ListWrapper`s, or the other way round."""

    def is_node_data(value: Any) -> bool:
        return isinstance(value, list) and len(value) in (3, 4) and isinstance(value[0], str)

    def is_atomic(value: Any) -> bool:
        return isinstance(value, ListWrapper) or is_node_data(value) or not nest.is_sequence(value)

    def convert(value: Any) -> Any:
        if isinstance(value, ListWrapper):
            return value if wrap else value.as_list()
        return ListWrapper(value) if wrap and is_node_data(value) else value

    return map_structure_with_atomic(is_atomic, convert, nested)


def assert_no_legacy_layers(layers: Any) -> None:
    """Refuses layers of `tf.layers`.

    Raises:
      TypeError: there is one.
    """
    legacy = [layer for layer in layers if getattr(layer, "_is_legacy_layer", None)]
    if legacy:
        listed = "\n".join(f"  {layer}" for layer in legacy)
        raise TypeError(
            f"The following are legacy tf.layers.Layers:\n{listed}\nTo use keras as a framework "
            "(for instance using the Network, Model, or Sequential classes), please use the "
            "tf.keras.layers implementation instead. (Or, if writing custom layers, subclass from "
            "tf.keras.layers rather than tf.layers)"
        )


@contextlib.contextmanager
def graph_context_for_symbolic_tensors(*args: Any, **kwargs: Any) -> Iterator[None]:
    """A block in Keras's graph, if any of the arguments is a symbolic tensor.

    Args:
      *args, **kwargs: the arguments.

    Yields:
      Nothing, once, for the block.
    """
    if any(is_symbolic_tensor(value) for value in [*args, *kwargs.values()]):
        from tf1compat.api.keras import backend  # which needs this module

        with backend.get_graph().as_default():
            yield
    else:
        yield


@contextlib.contextmanager
def maybe_init_scope(layer: Any) -> Iterator[None]:
    """`tf.init_scope` in eager execution, for layers of Keras; else nothing.

    Args:
      layer: the layer.

    Yields:
      Nothing, once, for the block.
    """
    leaves = ops.executing_eagerly_outside_functions() and getattr(layer, "_keras_style", True)
    with ops.init_scope() if leaves else contextlib.nullcontext():
        yield
