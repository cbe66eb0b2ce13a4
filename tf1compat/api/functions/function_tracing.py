"""Recording the body of a `tf.function`: arguments become placeholders, results become outputs."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.autograph.core import ag_ctx
from tf1compat.api.autograph.core.converter import ConversionOptions
from tf1compat.api.autograph.impl import api as autograph
from tf1compat.api.autograph.impl import errors as autograph_errors
from tf1compat.api.functions.auto_control_deps import AutomaticControlDependencies
from tf1compat.api.variables import resource_variable_ops, variable_scope
from tf1compat.core import dtypes, nest, ops, tape, tf_decorator
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.type_spec import TensorSpec, TypeSpec


class UnknownArgument:
    """Stands in a signature for an argument that is neither a tensor nor a plain value."""


def _is_tensor_array(value: Any) -> bool:
    return hasattr(value, "flow") and hasattr(value, "handle")


def func_graph_from_py_func(
    name: str,
    python_func: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    signature: Sequence[Any] | None = None,
    func_graph: FuncGraph | None = None,
    arg_names: Sequence[str] | None = None,
    autograph: bool = False,
    autograph_options: Any = None,
    capture_by_value: bool | None = None,
    flat_shapes: Sequence[TensorShape | None] | None = None,
    add_control_dependencies: bool = True,
    op_return_value: ops.Tensor | None = None,
) -> FuncGraph:
    """Calls a Python function with placeholders and keeps what it records as a function body.

    Args:
      name: the function's name.
      python_func: the Python function.
      args, kwargs: what it is called with; tensors among them become placeholders.
      signature: `TensorSpec`s to take in place of `args` and `kwargs`.
      func_graph: the graph to record into; a new one by default.
      arg_names: the names of `args`.
      autograph: whether to convert the Python function's control flow.
      autograph_options: `tf.autograph.experimental.Feature`s for that.
      capture_by_value: read variables outside and capture their values.
      flat_shapes: shapes to give the placeholders; None for arguments that are no tensors.
      add_control_dependencies: have operations with effects wait for each other.
      op_return_value: what stands for an operation that the Python function returns; by default
        none may be returned.

    Returns:
      The body.

    Raises:
      TypeError: the Python function returns something that is no tensor.
    """
    if func_graph is None:
        func_graph = FuncGraph(name, capture_by_value=capture_by_value)
    order = AutomaticControlDependencies() if add_control_dependencies else None
    with (
        func_graph.as_default(),
        tape.stop_recording(),
        order or contextlib.nullcontext(),
        _resource_variables(),
    ):
        if signature is not None:
            args, kwargs = signature, {}
        shapes = None if flat_shapes is None else iter(flat_shapes)
        func_args = _placeholders(args, arg_names or [None] * len(args), args, shapes)
        func_kwargs = _keyword_placeholders(kwargs, shapes)
        func_graph.structured_input_signature = (
            signature_of(func_args, arg_names),
            signature_of(func_kwargs),
        )
        flat = nest.flatten((func_args, func_kwargs), expand_composites=True)
        func_graph.inputs = [arg for arg in flat if isinstance(arg, ops.Tensor)]
        before = nest.pack_sequence_as((func_args, func_kwargs), flat, expand_composites=True)
        if autograph:
            python_func = _converted(python_func, autograph_options)
        outputs = python_func(*func_args, **func_kwargs)
        outputs = nest.map_structure(
            lambda x: _result(x, python_func, order, op_return_value),
            outputs,
            expand_composites=True,
        )
        _check_mutation(before, (func_args, func_kwargs))
        _finish(func_graph, flat, outputs)
    if order is not None:
        func_graph.control_outputs.extend(order.ops_which_must_run)
    # Tapes around the body, as of a branch or a loop, follow the variables that it reads.
    for variable in func_graph.variables:
        tape.variable_accessed(variable)
    return func_graph


@contextlib.contextmanager
def _resource_variables() -> Iterator[None]:
    scope = variable_scope.get_variable_scope()
    before = scope.use_resource
    scope.set_use_resource(True)
    try:
        yield
    finally:
        scope.set_use_resource(before)


def _converted(python_func: Callable[..., Any], options: Any) -> Callable[..., Any]:
    """The Python function with its control flow converted; what `keeps_around` noted stays."""
    inner, make = getattr(python_func, "_around", (None, None))
    if inner is not None and make is not None:
        return make(_converted(inner, options))
    _, original = tf_decorator.unwrap(python_func)

    def call(*args: Any, **kwargs: Any) -> Any:
        requested = ConversionOptions(
            recursive=True, optional_features=options, user_requested=True
        )
        try:
            with ag_ctx.ControlStatusCtx(ag_ctx.Status.ENABLED, requested):
                return autograph.converted_call(original, requested, args, kwargs)
        except Exception as error:
            raise autograph_errors.described(error) from None

    return functools.update_wrapper(call, python_func)


def keeps_around(
    wrapper: Callable[..., Any], inner: Callable[..., Any], make: Callable[..., Any]
) -> Callable[..., Any]:
    """Notes that a function only calls another one, which AutoGraph is to convert in its place.

    Args:
      wrapper: the function.
      inner: what it calls.
      make: (another function) -> one like `wrapper` that calls that.
    """
    wrapper._around = inner, make  # pyright: ignore[reportFunctionMemberAccess]
    return wrapper


def _finish(func_graph: FuncGraph, flat_args: list[Any], outputs: Any) -> None:
    """Settles the inputs, outputs and variables of a body; still inside it."""
    watched = func_graph.watched_variables
    inputs = []
    given = set()
    for arg in flat_args:
        if isinstance(arg, ops.Tensor):
            inputs.append(arg)
        elif isinstance(arg, resource_variable_ops.BaseResourceVariable):
            # Captured while making placeholders; an argument is an input, not a capture.
            placeholder = func_graph.pop_capture(arg.handle)
            if placeholder is not None:
                given.add(id(arg))
                inputs.append(placeholder)
    deferred = nest.flatten(func_graph.deferred_internal_captures, expand_composites=True)
    func_graph.inputs = inputs + func_graph.internal_captures + deferred
    func_graph.structured_outputs = outputs
    func_graph.outputs.extend(
        func_graph.capture(x) for x in flatten_results(outputs) if x is not None
    )
    func_graph.variables = [v for v in watched if id(v) not in given]


def _result(
    value: Any,
    python_func: Any,
    order: AutomaticControlDependencies | None,
    op_return_value: ops.Tensor | None,
) -> Any:
    if value is None:
        return None
    if op_return_value is not None and isinstance(value, ops.Operation):
        with ops.control_dependencies([value]):
            value = array_ops.identity(op_return_value)
    elif not _is_tensor_array(value):
        try:
            value = ops.convert_to_tensor_or_composite(value)
        except (ValueError, TypeError):
            raise TypeError(
                "To be compatible with tf.contrib.eager.defun, Python functions must return zero "
                f"or more Tensors; in compilation of {python_func}, found return value of type "
                f"{type(value)}, which is not a Tensor."
            ) from None
    return value if order is None else order.mark_as_return(value)


def flatten_results(structure: Any) -> list[Any]:
    """The leaves of a function's results; of a TensorArray its flow."""
    leaves = nest.flatten(structure, expand_composites=True)
    return [leaf.flow if _is_tensor_array(leaf) else leaf for leaf in leaves]


def _check_mutation(before: Any, after: Any) -> None:
    message = (
        "Function to be traced should not modify structure of input "
        "arguments. Check if your function has list and dictionary "
        "operations that alter input arguments, "
        "such as `list.pop`, `list.append`"
    )
    try:
        nest.assert_same_structure(before, after, expand_composites=True)
    except ValueError:
        raise ValueError(message) from None
    old, new = nest.flatten(before, True), nest.flatten(after, True)
    if any(a is not b for a, b in zip(old, new)):
        raise ValueError(message)


# Arguments.


def _keyword_placeholders(kwargs: dict[str, Any], shapes: Iterator[Any] | None) -> Any:
    names = sorted(kwargs)
    return _placeholders([kwargs[name] for name in names], names, kwargs, shapes)


def _placeholders(
    values: Sequence[Any],
    names: Sequence[str | None],
    structure: Any,
    shapes: Iterator[Any] | None,
) -> Any:
    """`structure` with placeholders in place of the tensors and specs among its `values`."""
    graph: Any = ops.get_default_graph()
    flat = []
    for value, name in zip(values, names):
        leaves = nest.flatten(value, expand_composites=True)
        specs = [leaf for leaf in leaves if isinstance(leaf, TensorSpec)]
        if 0 < sum(bool(spec.name) for spec in specs) < len(specs):
            raise ValueError(
                "If specifying TensorSpec names for nested structures, "
                "either zero or all names have to be specified."
            )
        for leaf in leaves:
            shape = None if shapes is None else next(shapes)
            if isinstance(leaf, ops.Tensor | TensorSpec):
                flat.append(_argument(graph, leaf, name, shape))
                continue
            if isinstance(leaf, resource_variable_ops.BaseResourceVariable):
                placeholder = graph.capture(leaf.handle, name=name)
                if name is not None:
                    placeholder.op._attrs["_user_specified_name"] = name.encode()
            flat.append(leaf)
    return nest.pack_sequence_as(structure, flat, expand_composites=True)


def _argument(graph: Any, leaf: Any, name: str | None, shape: Any) -> ops.Tensor:
    requested = (leaf.name if isinstance(leaf, TensorSpec) else None) or name
    shape = leaf.shape if shape is None else shape
    try:
        placeholder = graph.placeholder(leaf.dtype, shape, requested)
    except ValueError:
        # A parameter's name need not be a valid node name.
        placeholder = graph.placeholder(leaf.dtype, shape)
    if name is not None:
        placeholder.op._attrs["_user_specified_name"] = str(requested).encode()
    # TF knows nothing of a list that is an argument.
    if isinstance(leaf, ops.Tensor) and leaf.dtype is not dtypes.variant:
        placeholder._handle_data = leaf._handle_data
    return placeholder


def signature_of(structure: Any, arg_names: Sequence[str] | None = None) -> Any:
    """`structure` with specs in place of tensors, named after their arguments.

    Raises:
      ValueError: as many names as arguments are not given.
    """
    flattened = nest.flatten_with_tuple_paths(structure)
    if arg_names:
        if len(arg_names) != len(structure):
            raise ValueError(
                f"Passed in arg_names don't match actual signature ({list(arg_names)})."
            )
        flattened = [((arg_names[path[0]], *path[1:]), leaf) for path, leaf in flattened]
    return nest.pack_sequence_as(structure, [_spec_of(leaf, path) for path, leaf in flattened])


def _spec_of(value: Any, path: tuple[Any, ...]) -> Any:
    if isinstance(value, ops.Tensor):
        named = value.op._attrs.get("_user_specified_name", b"").decode()
        own = path and named and named != path[0]
        name = named if own else "/".join(str(key) for key in path)
        return TensorSpec(value.shape, value.dtype, name)
    if hasattr(type(value), "_type_spec"):
        return value._type_spec
    if value is None or isinstance(value, int | float | bool | dtypes.DType | TypeSpec):
        return value
    return UnknownArgument()
