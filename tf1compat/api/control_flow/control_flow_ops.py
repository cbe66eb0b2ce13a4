"""`tensorflow.python.ops.control_flow_ops`: groups, dependencies, cond."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, indexed_slices
from tf1compat.api.control_flow import control_flow_util as util
from tf1compat.api.control_flow.control_flow_context import (
    CondContext,
    ControlFlowContext,
    XLAControlFlowContext,
)
from tf1compat.api.math import math_ops
from tf1compat.api.util.deprecation import deprecated_args, renamed
from tf1compat.core import constants, context, dtypes, errors, nest, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.tensor import Tensor, TensorBase
from tf1compat.core.typing import Name

__all__ = [
    "Assert", "CondContext", "ControlFlowContext", "WhileContext", "XLAControlFlowContext", "case",
    "cond", "exit", "group", "merge", "no_op", "smart_cond", "switch", "switch_case", "tuple",
    "util", "while_loop", "with_dependencies",
]  # fmt: skip


@tf_export("no_op")
def no_op(name: Name = None) -> Any:
    """An operation that does nothing.

    Args:
      name: the operation's name.

    Returns:
      An operation.
    """
    return raw_ops.NoOp(name=name)


def _GroupControlDeps(dev: Any, deps: Any, name: Name = None) -> Any:  # noqa: N802
    with ops.control_dependencies(deps):
        if dev is None:
            return no_op(name=name)
        with ops.device(dev):
            return no_op(name=name)


@tf_export("group")
def group(*inputs: Any, **kwargs: Any) -> Any:
    """An operation that runs after all of `inputs` (tensors and operations, nested at will).

    Args:
      *inputs: tensors, operations and variables, nested at will.
      **kwargs: `name`, the operation's name.

    Returns:
      An operation of type NoOp without outputs; None in eager execution.

    Raises:
      ValueError: unknown keyword arguments.
      TypeError: something that is no tensor or operation.
    """
    if context.executing_eagerly():
        return None
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError("Unknown keyword arguments: " + ", ".join(kwargs))
    with ops.name_scope(name, "group_deps", inputs) as name:
        if not inputs:
            return no_op(name=name)
        on_device: dict[Any, list[Any]] = {}
        for item in nest.flatten(inputs, expand_composites=True):
            # Arrays of NumPy 2 have a device too.
            if not hasattr(item, "device") or isinstance(item, np.ndarray | np.generic):
                raise TypeError(
                    f"Expected tf.group() expected Tensor arguments not '{item}' with type "
                    f"'{type(item)}'"
                )
            on_device.setdefault(item.device, []).append(item)
        if len(on_device) == 1:
            ((dev, deps),) = on_device.items()
            return _GroupControlDeps(dev, deps, name=name)
        # One group for each device, and a group of these.
        parts = [
            _GroupControlDeps(dev, on_device[dev])
            for dev in sorted(on_device, key=lambda d: d or "")
        ]
        with ops.control_dependencies(parts):
            return no_op(name=name)


def _Identity(data: Any, name: Name = None) -> Any:  # noqa: N802
    data = ops.internal_convert_to_tensor_or_composite(data, None, None, True)
    if isinstance(data, Tensor):
        if data.dtype._is_ref_dtype:
            return raw_ops.RefIdentity(data, name=name)
        return array_ops.identity(data, name=name)
    if isinstance(data, TensorBase):
        return nest.map_structure(_Identity, data, expand_composites=True)
    raise TypeError(f"Type {type(data)} not supported")


def with_dependencies(dependencies: Sequence[Any], output_tensor: Any, name: Name = None) -> Any:
    """The value of `output_tensor`, after `dependencies` have run."""
    if context.executing_eagerly():
        return output_tensor
    with (
        ops.name_scope(name, "control_dependency", [*dependencies, output_tensor]) as name,
        ops.colocate_with(output_tensor),
        ops.control_dependencies(dependencies),
    ):
        output_tensor = ops.convert_to_tensor_or_composite(output_tensor)
        if isinstance(output_tensor, Tensor):
            return _Identity(output_tensor, name=name)
        return IndexedSlices(
            _Identity(output_tensor.values, name=name),
            output_tensor.indices,
            output_tensor.dense_shape,
        )


@tf_export("tuple")
def tuple(tensors: Any, name: Name = None, control_inputs: Any = None) -> Any:
    """The values of `tensors`, each given only when all of them (and `control_inputs`) are
    computed.

    Args:
      tensors: a list of tensors, IndexedSlices or Nones.
      control_inputs: further operations or tensors to wait for.
      name: the operation's name.

    Returns:
      A list like `tensors`.

    Raises:
      ValueError: there is no tensor.
      TypeError: a control input that is no operation or tensor.
    """
    if context.executing_eagerly():
        return tensors
    with ops.name_scope(name, "tuple", tensors) as name:
        tensors = [
            t
            if isinstance(t, ops.Operation) or tensor_util.is_tensor(t) or t is None
            else ops.convert_to_tensor(t)
            for t in tensors
        ]
        gating = [t if isinstance(t, ops.Operation) else t.op for t in tensors if t is not None]
        for control in control_inputs or ():
            if isinstance(control, Tensor):
                control = control.op
            elif not isinstance(control, ops.Operation):
                raise TypeError(f"Control input must be Operation or Tensor: {control}")
            gating.append(control)
        gating = sorted(set(gating), key=lambda op: op._id)
        if not gating:
            raise ValueError(f"Must have at least one Tensor: {tensors}")
        gate = group(*gating)
        results: list[Any] = []
        for t in tensors:
            if tensor_util.is_tensor(t):
                results.append(with_dependencies([gate], t))
            elif isinstance(t, ops.Operation):
                with ops.control_dependencies([gate]):
                    results.append(group(t))
            else:
                results.append(None)
        return results


# Switch and Merge.


def switch(data: Any, pred: Any, dtype: Any = None, name: Name = None) -> Any:
    """(`data` if `pred` is false, `data` if it is true): only one of the two is alive."""
    with ops.name_scope(name, "Switch", [data, pred]) as name:
        data = ops.internal_convert_to_tensor_or_composite(data, dtype, "data", True)
        pred = ops.convert_to_tensor(pred, name="pred")
        if isinstance(data, Tensor):
            return raw_ops.Switch(data, pred, name=name)
        parts = nest.flatten(data, expand_composites=True)
        if_false, if_true = zip(*[raw_ops.Switch(part, pred) for part in parts], strict=True)
        return (
            nest.pack_sequence_as(data, if_false, expand_composites=True),
            nest.pack_sequence_as(data, if_true, expand_composites=True),
        )


def ref_switch(data: Any, pred: Any, name: Name = None) -> Any:
    """`switch` of a variable's ref."""
    return raw_ops.RefSwitch(data, pred, name=name)


def _SwitchRefOrTensor(data: Any, pred: Any, name: str = "Switch") -> Any:  # noqa: N802
    data = ops.convert_to_tensor_or_composite(data, name="data")
    # The Switch belongs with its data and with nothing that surrounds it here.
    with ops.colocate_with(data, ignore_existing=True):
        if isinstance(data, Tensor) and data.dtype._is_ref_dtype:
            return ref_switch(data, pred, name=name)
        return switch(data, pred, name=name)


def merge(inputs: Any, name: Name = None) -> Any:
    """(the one of `inputs` that is alive, its index).

    Raises:
      ValueError: an input is None.
    """
    if any(item is None for item in inputs):
        raise ValueError(f"At least one of the merge inputs is None: {inputs}")
    with ops.name_scope(name, "Merge", inputs) as name:
        inputs = [
            ops.internal_convert_to_tensor_or_composite(item, None, None, True) for item in inputs
        ]
        if all(isinstance(item, Tensor) for item in inputs):
            if all(item.dtype._is_ref_dtype for item in inputs):
                return raw_ops.RefMerge(inputs, name=name)
            return raw_ops.Merge(inputs, name=name)
        if all(isinstance(item, IndexedSlices | Tensor) for item in inputs):
            inputs = indexed_slices.from_tensors(inputs, optimize=False)
        for item in inputs[1:]:
            nest.assert_same_structure(inputs[0], item, expand_composites=True)
        flat = [nest.flatten(item, expand_composites=True) for item in inputs]
        merged = [raw_ops.Merge(list(parts)) for parts in zip(*flat, strict=True)]
        return (
            nest.pack_sequence_as(inputs[0], [part for part, _ in merged], expand_composites=True),
            merged[0][1],
        )


# Cond.


def _UnpackIfSingleton(res: Any) -> Any:  # noqa: N802
    return res[0] if isinstance(res, list | builtins.tuple) and len(res) == 1 else res


def _cast_indices(a: Any, b: Any) -> None:
    """Makes the indices of two IndexedSlices int64 where their dtypes differ."""
    if isinstance(a, IndexedSlices) and isinstance(b, IndexedSlices):
        for slices in (a, b) if a.indices.dtype != b.indices.dtype else ():
            slices._indices = math_ops.cast(slices.indices, dtypes.int64)


def _branch(pred: Any, pivot: Any, branch: int, fn: Callable[[], Any], which: str) -> Any:
    inside = CondContext(pred, pivot, branch=branch)
    try:
        inside.Enter()
        original, result = inside.BuildCondBranch(fn)
        if original is None:
            raise ValueError(f"{which} must have a return value.")
        inside.ExitResult(result)
    finally:
        inside.Exit()
    return inside, original, result


@tf_export("cond")
@deprecated_args(
    None, "fn1/fn2 are deprecated in favor of the true_fn/false_fn arguments.", "fn1", "fn2"
)
def cond(
    pred: Any, true_fn: Any = None, false_fn: Any = None, strict: bool = False, name: Name = None,
    fn1: Any = None, fn2: Any = None,
) -> Any:  # fmt: skip
    """`true_fn()` if the bool scalar `pred` is true, else `false_fn()`; only one of them runs.

    Args:
      pred: a scalar bool tensor.
      true_fn, false_fn: record the branches; they return equal structures of tensors.
      strict: keep a list of one element as a list.
      name: the name scope, "cond" by default.
      fn1, fn2: old names of `true_fn` and `false_fn`.

    Returns:
      What the function returned, a structure of tensors.

    Raises:
      TypeError, ValueError: the branches are not callable, or don't return the same structure and
        dtypes.
    """
    if util.EnableControlFlowV2(ops.get_default_graph()) and not context.executing_eagerly():
        from tf1compat.api.control_flow import cond_v2

        return cond_v2.cond_v2(pred, true_fn, false_fn, name)
    for fn, which, older, its_name in (
        (true_fn, "true_fn", fn1, "fn1"),
        (false_fn, "false_fn", fn2, "fn2"),
    ):
        if older is not None and fn is not None:
            raise TypeError(f"cond(): {which} and {its_name} may not be set simultaneously.")
        if older is None and fn is None:
            raise TypeError(f"cond(): {which} argument required")
    true_fn = renamed("true_fn", true_fn, "fn1", fn1)
    false_fn = renamed("false_fn", false_fn, "fn2", fn2)
    for fn, which in ((true_fn, "true_fn"), (false_fn, "false_fn")):
        if not callable(fn):
            raise TypeError(f"{which} must be callable.")
    with ops.name_scope(name, "cond", [pred]):
        if context.executing_eagerly():
            result = true_fn() if pred else false_fn()
            return result if strict else _UnpackIfSingleton(result)
        if isinstance(pred, bool):
            raise TypeError("pred must not be a Python bool")
        p_false, p_true = switch(pred, pred)
        pivot_true = array_ops.identity(p_true, name="switch_t")
        pivot_false = array_ops.identity(p_false, name="switch_f")
        pred = array_ops.identity(pred, name="pred_id")
        for tensor in (p_true, p_false, pivot_true, pivot_false, pred):
            tensor.op.graph.prevent_fetching(tensor.op)
        context_t, orig_t, res_t = _branch(pred, pivot_true, 1, true_fn, "true_fn")
        context_f, orig_f, res_f = _branch(pred, pivot_false, 0, false_fn, "false_fn")
        if not strict:
            orig_t, orig_f = _UnpackIfSingleton(orig_t), _UnpackIfSingleton(orig_f)
        _check_branches(orig_t, orig_f, res_t, res_f)
        flat_t = nest.flatten(res_t, expand_composites=True)
        flat_f = nest.flatten(res_f, expand_composites=True)
        for x, y in zip(flat_t, flat_f, strict=False):
            if x.dtype.base_dtype != y.dtype.base_dtype:
                raise ValueError(
                    f"Outputs of true_fn and false_fn must have the same type: {x.dtype.name}, "
                    f"{y.dtype.name}"
                )
        merges = [merge([f, t])[0] for f, t in zip(flat_f, flat_t, strict=False)]
        if context_t.outer_context is None:
            ops.add_to_collection(ops.GraphKeys.COND_CONTEXT, context_t)
            ops.add_to_collection(ops.GraphKeys.COND_CONTEXT, context_f)
        merges = util.packed(orig_t, merges)
        return merges if strict else _UnpackIfSingleton(merges)


def _difference(a: Any, b: Any) -> Exception | None:
    """What `nest.assert_same_structure` raises, if anything."""
    try:
        nest.assert_same_structure(a, b, expand_composites=True)
    except (TypeError, ValueError) as error:
        return error
    return None


def _check_branches(orig_t: Any, orig_f: Any, res_t: Any, res_f: Any) -> None:
    error = _difference(orig_t, orig_f)
    if error is not None:
        nest.map_structure(_cast_indices, orig_t, orig_f)
        nest.map_structure(_cast_indices, res_t, res_f)
        error = _difference(orig_t, orig_f)
    if error is not None:
        kind, what = (
            (TypeError, "types") if isinstance(error, TypeError) else (ValueError, "values")
        )
        raise kind(f"Incompatible return {what} of true_fn and false_fn: {error}")
    if not res_t:
        raise ValueError("true_fn and false_fn must return at least one result.")


def smart_cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: Name = None) -> Any:
    """`cond`, or simply the one branch where the predicate is known while recording."""
    if not callable(true_fn):
        raise TypeError("`true_fn` must be callable.")
    if not callable(false_fn):
        raise TypeError("`false_fn` must be callable.")
    known = smart_constant_value(pred)
    if known is not None:
        return true_fn() if known else false_fn()
    return cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)


def smart_constant_value(pred: Any) -> Any:
    """The value of a predicate that is a bool, 0, 1 or a tensor, as it is; None if it is not known.

    Raises:
      TypeError: it is none of these.
    """
    if isinstance(pred, Tensor):
        known = tensor_util.constant_value(pred)
        if known is None:
            known = constants.known_value(pred)
            # An array scalar, as TF's own evaluation gives it.
            return None if known is None else known[()]
        return known
    if pred in {0, 1}:
        return bool(pred)
    if isinstance(pred, bool):
        return pred
    raise TypeError(
        "`pred` must be a Tensor, or a Python bool, or 1 or 0. " + f"Found instead: {type(pred)}"
    )


def _summary(tensor: Any, summarize: int | None) -> str:
    """The first elements of an eager tensor, as TF's Assert quotes them."""
    flat = tensor.numpy().reshape(-1) if tensor.ndim else [tensor.numpy()]
    limit = 3 if summarize is None else len(flat) if summarize < 0 else summarize
    return ", ".join(
        [*map(str, flat[:limit]), *(["..."] if tensor.ndim and limit < len(flat) else [])]
    )


@tf_export("debugging.Assert", "Assert")
def Assert(condition: Any, data: Any, summarize: Any = None, name: Name = None) -> Any:  # noqa: N802
    """An operation that fails the run unless `condition` holds.

    Args:
      condition: a scalar bool.
      data: what the error quotes.
      summarize: how many elements of each it quotes.
      name: the name scope.

    Returns:
      An operation; only runs that depend on it check.

    Raises:
      InvalidArgumentError: in eager execution, or when it is run.
    """
    if context.executing_eagerly():
        if not condition:
            quoted = "\n".join(_summary(x, summarize) for x in ops.convert_n_to_tensor(data))
            raise errors.InvalidArgumentError(
                None, None, f"Expected '{condition!s}' to be true. Summarized data: {quoted}"
            )
        return None
    with ops.name_scope(name, "Assert", [condition, data]):
        tensors = ops.convert_n_to_tensor(data)
        if all(tensor.dtype in (dtypes.string, dtypes.int32) for tensor in tensors):
            return raw_ops.Assert(condition, data, summarize, name="Assert")
        condition = ops.convert_to_tensor(condition, name="Condition")

        def true_assert() -> Any:
            return raw_ops.Assert(condition, data, summarize, name="Assert")

        return cond(condition, no_op, true_assert, name="AssertGuard").op


# At the end, as they build on what is above.
from tf1compat.api.control_flow.control_flow_case import case, switch_case  # noqa: E402
from tf1compat.api.control_flow.loop_nodes import exit  # noqa: E402
from tf1compat.api.control_flow.while_context import WhileContext  # noqa: E402
from tf1compat.api.control_flow.while_loop import while_loop  # noqa: E402
