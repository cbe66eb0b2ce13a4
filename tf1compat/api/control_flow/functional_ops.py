"""`tf.foldl`, `tf.foldr` and `tf.scan`; calls of functions as operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import tensor_array_ops, while_loop
from tf1compat.api.control_flow.map_fn import Structure, reads_cached, set_first_dimension
from tf1compat.api.functions import defun
from tf1compat.api.functions.concrete_function import NO_OPTIMIZER_CONFIG
from tf1compat.api.math import math_ops
from tf1compat.core import context, dtypes, nest, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import Initializer, ShapeLike


@tf_export("foldl")
def foldl(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Initializer | None = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Folds the parts of `elems` along its first dimension, from the first to the last (as
    `tf.foldl` of TF 1.15).

    Args:
      fn: takes what it returned before and one part of `elems` (structured like it).
      elems: a tensor, or tensors nested at will, with equal first dimensions.
      initializer: what `fn` is given first; the first part of `elems` by default.
      parallel_iterations, back_prop, swap_memory: as in `tf.while_loop`.
      name: the name scope, "foldl" by default.

    Returns:
      What `fn` returned last.

    Raises:
      TypeError: `fn` is not callable.
    """
    if not callable(fn):
        raise TypeError("fn must be callable.")
    with ops.name_scope(name, "foldl", [elems]), reads_cached():
        count, arrays = _unstacked(elems)
        if initializer is None:
            start = nest.map_structure(lambda array: array.read(0), arrays)
            first = constant_op.constant_v1(1)
        else:
            start = initializer
            first = constant_op.constant_v1(0)

        def step(i: Any, a: Any) -> Any:
            a = fn(a, nest.map_structure(lambda array: array.read(i), arrays))
            return [i + 1, a]

        _, result = while_loop.while_loop(
            lambda i, _: i < count,
            step,
            [first, start],
            parallel_iterations=parallel_iterations,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=count,
        )
        return result


@tf_export("foldr")
def foldr(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Initializer | None = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """As `foldl`, from the last part of `elems` to the first (as `tf.foldr` of TF 1.15).

    Args:
      fn, elems, parallel_iterations, back_prop, swap_memory: as in `foldl`.
      initializer: what `fn` is given first; the last part of `elems` by default.
      name: the name scope, "foldr" by default.

    Returns:
      What `fn` returned last.

    Raises:
      TypeError: `fn` is not callable.
    """
    if not callable(fn):
        raise TypeError("fn must be callable.")
    with ops.name_scope(name, "foldr", [elems]), reads_cached():
        count, arrays = _unstacked(elems)
        if initializer is None:
            last = count - 1
            start = nest.map_structure(lambda array: array.read(last), arrays)
        else:
            last = count
            start = initializer

        def step(i: Any, a: Any) -> Any:
            i -= 1
            part = nest.map_structure(lambda array: array.read(i), arrays)
            return [i, fn(a, part)]

        _, result = while_loop.while_loop(
            lambda i, _: i > 0,
            step,
            [last, start],
            parallel_iterations=parallel_iterations,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=count,
        )
        return result


def _unstacked(elems: Any) -> tuple[Any, Any]:
    """(the size of the first dimension: an int if it is known and not 0; arrays of the parts)."""
    # Recorded even though what follows takes the elems as they were given: so does TF.
    flat = [ops.convert_to_tensor(elem, name="elem") for elem in nest.flatten(elems)]
    count = dimension_value(flat[0].shape[0]) or array_ops.shape(flat[0])[0]

    return count, nest.map_structure(lambda elem: _array(elem, count).unstack(elem), elems)


def _array(like: Any, size: Any, shape: ShapeLike | None = None, infer_shape: bool = True) -> Any:
    """An array of `size` elements, of one shape and of the dtype of `like`."""
    return tensor_array_ops.TensorArray(
        dtype=like.dtype,
        size=size,
        dynamic_size=False,
        element_shape=shape,
        infer_shape=infer_shape,
    )


@tf_export("scan")
def scan(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Initializer | None = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """As `foldl`, but stacks all that `fn` returned (as `tf.scan` of TF 1.15).

    Args:
      fn: takes what it returned before and one part of `elems` (structured like it).
      elems: a tensor, or tensors nested at will, with equal first dimensions.
      initializer: what `fn` is given first, and how its results are structured; by default the
        first part of `elems`, which then is the first result.
      parallel_iterations, back_prop, swap_memory: as in `tf.while_loop`.
      infer_shape: all results of `fn` have one shape.
      reverse: begin with the last part.
      name: the name scope, "scan" by default.

    Returns:
      The structure of the initial value, each tensor with a first dimension of the number of steps.

    Raises:
      TypeError: `fn` is not callable, or returns another structure.
    """
    if not callable(fn):
        raise TypeError("fn must be callable.")
    given = Structure(elems)
    returned = given if initializer is None else Structure(initializer)
    elems_flat = given.flat(elems)
    with ops.name_scope(name, "scan", elems_flat), reads_cached():
        elems_flat = [ops.convert_to_tensor(elem, name="elem") for elem in elems_flat]
        count: Any = dimension_value(elems_flat[0].shape[0])
        if count is None:
            count = array_ops.shape(elems_flat[0])[0]
        arrays = [_array(elem, count, elem.shape[1:]) for elem in elems_flat]
        arrays = [array.unstack(elem) for array, elem in zip(arrays, elems_flat)]
        if initializer is None:
            start = [array.read(count - 1 if reverse else 0) for array in arrays]
            done = 1
        else:
            start = [ops.convert_to_tensor(value) for value in returned.flat(initializer)]
            done = 0
        results = [
            _array(value, count, value.shape if infer_shape else None, infer_shape)
            for value in start
        ]
        if initializer is None:
            results = [
                array.write(count - 1 if reverse else 0, value)
                for array, value in zip(results, start)
            ]

        def compute(i: Any, a: Any, results: Any) -> Any:
            parts = given.packed([array.read(i) for array in arrays])
            value = fn(returned.packed(a), parts)
            nest.assert_same_structure(elems if initializer is None else initializer, value)
            flat = returned.flat(value)
            results = [array.write(i, part) for array, part in zip(results, flat)]
            return i - 1 if reverse else i + 1, flat, results

        _, _, results = while_loop.while_loop(
            (lambda i, *_: i >= 0) if reverse else (lambda i, *_: i < count),
            compute,
            (count - 1 - done if reverse else done, start, results),
            parallel_iterations=parallel_iterations,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=count,
        )
        stacked = [array.stack() for array in results]
        set_first_dimension(stacked, elems_flat)
    return returned.packed(stacked)


# Functions of the library. `tensorflow.python.ops.functional_ops` has these; they are not public.


def remote_call(args: Any, Tout: Any, f: Any, target: Any = None, name: str | None = None) -> Any:  # noqa: N803
    """The results of `f` on the device `target`."""
    return raw_ops.RemoteCall(target, args, Tout, f, name=name)


def symbolic_gradient(input: Any, Tout: Any, f: Any, name: str | None = None) -> Any:  # noqa: N803
    """The gradients of the inputs of `f`, given inputs and the gradients of results."""
    return raw_ops.SymbolicGradient(input=input, Tout=Tout, f=f, name=name)


def Gradient(inputs: Sequence[Any], f: Any, name: str | None = None) -> Any:  # noqa: N802
    """The gradients of the inputs of the function `f`.

    Args:
      inputs: the inputs of `f`, then the gradients of its results.
      f: a `Defun`.
      name: the operation's name.
    """
    types = [dtypes.as_dtype(arg.type) for arg in f.definition.signature.input_arg]
    return symbolic_gradient(input=inputs, Tout=types, f=f, name=name)


def _result_types(f: Any) -> list[Any]:
    return [dtypes.as_dtype(arg.type) for arg in f.definition.signature.output_arg]


def If(  # noqa: N802
    cond: Any, inputs: Sequence[Any], then_branch: Any, else_branch: Any, name: str | None = None
) -> Any:
    """The results of one of two functions.

    Args:
      cond: a scalar: a bool, a number that is not zero, or a string that is not empty.
      inputs: what the functions are given.
      then_branch, else_branch: `Defun`s that return as many tensors of the same dtypes.
      name: the operation's name.
    """
    return raw_ops.If(cond, inputs, _result_types(then_branch), then_branch, else_branch, name=name)


def _returning_captures(func: Any) -> Any:
    """A function that also returns what `func` captures."""

    @defun.Defun(*func.declared_input_types, func_name=f"{func.name}_Wrapper")
    def wrapper(*args: Any) -> Any:
        """A wrapper that handles loop-carried captured inputs."""
        result = func(*args)
        extra = tuple(defun.get_extra_args())
        if isinstance(result, ops.Operation):
            return extra
        return (result if isinstance(result, tuple) else (result,)) + extra

    return wrapper


def While(  # noqa: N802
    input_: list[Any],
    cond: Any,
    body: Callable[..., Any],
    name: str | None = None,
    hostmem: Sequence[int] | None = None,
) -> Any:
    """What comes of `input_` when the function `body` is applied to it while `cond` holds.

    Args:
      input_: tensors.
      cond: a `Defun` of them that captures nothing; it returns a scalar.
      body: a `Defun` of them that returns as many.
      name: the operation's name.
      hostmem: the numbers of those that lie in the host's memory.

    Raises:
      ValueError: `cond` captures tensors, or the two take different dtypes.
    """
    if cond.captured_inputs:
        raise ValueError(
            "While op 'cond' argument must be a function without implicitly captured inputs."
        )
    types = tuple(cond.declared_input_types), tuple(body.declared_input_types)
    if types[0] != types[1]:
        raise ValueError(
            f"While op 'cond' and 'body' signatures do not match. {types[0]!r} vs {types[1]!r}"
        )
    captured = body.captured_inputs
    if captured:
        taken = [*body.declared_input_types, *(tensor.dtype for tensor in captured)]

        @defun.Defun(*taken, func_name=f"{cond.name}_Wrapper")
        def cond_wrapper(*args: Any) -> Any:
            """A wrapper that handles loop-carried captured inputs."""
            return cond(*args[: len(body.declared_input_types)])

        results = raw_ops.While(
            input_ + captured, cond_wrapper, _returning_captures(body), name=name
        )
        results = results[: -len(captured)]
    else:
        results = raw_ops.While(input_, cond, body, name=name)
    if hostmem:
        results[0].op._attrs["_input_hostmem"] = list(hostmem)
        results[0].op._attrs["_output_hostmem"] = list(hostmem)
    return results


def _for_using_while(
    start: Any,
    limit: Any,
    delta: Any,
    inputs: list[Any],
    body: Callable[..., Any],
    name: str | None,
    hostmem: Sequence[int] | None,
) -> list[Any]:
    step = math_ops.abs(delta)
    count = math_ops.cast(
        math_ops.cast((math_ops.abs(limit - start) + step - 1), dtypes.float32)
        / math_ops.cast(step, dtypes.float32),
        dtypes.int32,
    )
    types = [dtypes.int32] * 4 + list(body.declared_input_types)[1:]

    @defun.Defun(*types, func_name=f"{body.name}_Cond")
    def while_cond(i: Any, n: Any, *args: Any) -> Any:
        return i < n

    @defun.Defun(*types, func_name=f"{body.name}_Body")
    def while_body(i: Any, n: Any, start: Any, delta: Any, *args: Any) -> Any:
        """A While wrapper for forbody that handles loop-carried captured inputs."""
        result = body(start + i * delta, *args)
        if isinstance(result, ops.Operation):
            result = ()
        elif isinstance(result, ops.Tensor):
            result = (result,)
        return (i + 1, n, start, delta, *result)

    own = [0, 1, 2, 3]
    results = While(
        input_=[0, count, start, delta, *inputs],
        cond=while_cond,
        body=while_body,
        name=name,
        hostmem=own if hostmem is None else own + [4 + i for i in hostmem],
    )
    return list(results[4:])


def For(  # noqa: N802
    start: Any,
    limit: Any,
    delta: Any,
    inputs: list[Any],
    body: Callable[..., Any],
    name: str | None = None,
    hostmem: Sequence[int] | None = None,
    rewrite_with_while: bool | None = None,
) -> Any:
    """What comes of `inputs` when the function `body` is applied for each number from `start` up
    (or down) to `limit`, without it, in steps of `delta`.

    Args:
      start, limit, delta: int32 scalars.
      inputs: tensors.
      body: a `Defun` of the number and the tensors that returns as many tensors.
      name: the operation's name.
      hostmem: the numbers of the tensors that lie in the host's memory.
      rewrite_with_while: record a While in place of a For.
    """
    if rewrite_with_while:
        return _for_using_while(start, limit, delta, inputs, body, name, hostmem)
    captured = body.captured_inputs
    if captured:
        results = raw_ops.For(
            start, limit, delta, inputs + captured, _returning_captures(body), name=name
        )
        results = results[: -len(captured)]
    else:
        results = raw_ops.For(start, limit, delta, inputs, body, name=name)
    if hostmem:
        results[0].op._attrs["_input_hostmem"] = [3 + i for i in hostmem]
        results[0].op._attrs["_output_hostmem"] = list(hostmem)
    return results


def partitioned_call(
    args: Sequence[Any],
    f: Any,
    tout: Sequence[Any] | None = None,
    executing_eagerly: bool | None = None,
    config: bytes | None = None,
    executor_type: str | None = None,
) -> Any:
    """The results of the function `f`.

    Args:
      args: its arguments, captured tensors included.
      f: a function of a library.
      tout: the dtypes of its results, if not those of its signature.
      executing_eagerly: whether it runs now; by default what the context says.
      config: a serialized `ConfigProto`; by default one that switches graph rewriting off.
      executor_type: the executor that runs the function.

    Returns:
      A list of results. If there are none the operation, or None if it runs now.
    """
    types = _result_types(f) if tout is None else [dtypes.as_dtype(each) for each in tout]
    if executing_eagerly is None:
        executing_eagerly = context.executing_eagerly()
    config = NO_OPTIMIZER_CONFIG if config is None else config
    op_type = "StatefulPartitionedCall" if f.stateful_ops else "PartitionedCall"
    if executing_eagerly or types:
        outputs = getattr(raw_ops, op_type)(
            args=args, Tout=types, f=f, config_proto=config, executor_type=executor_type or ""
        )
        return outputs or None
    args = [ops.internal_convert_to_tensor(x) for x in args]
    graph = ops.get_default_graph()
    f.add_to_graph(graph)
    attrs = {
        "Tin": [x.dtype.base_dtype for x in args],
        "Tout": [],
        "f": f.name,
        "config_proto": NO_OPTIMIZER_CONFIG,
        "executor_type": (executor_type or "").encode(),
    }
    return graph.create_op(op_type, args, [], name="PartitionedFunctionCall", attrs=attrs)
