"""A recurrent computation as a function with a loop of functions
(`tensorflow.contrib.recurrent.python.ops.recurrent`).

Forward keeps the state of each step in an accumulator; its gradient is a loop backwards, which
calls the gradient of a cell at each step and works out again what the cell gave. The functions
take lists of tensors, made of structures and made structures of again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, inplace_ops
from tf1compat.api.array.constant_op import constant
from tf1compat.api.control_flow import functional_ops
from tf1compat.api.functions import defun
from tf1compat.api.gradients import gradients_impl
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.export import tf_export

# (theta, state0, inputs) -> (state1, extras); its gradient.
CellFn = Callable[[Any, Any, Any], tuple[Any, Any]]
CellGrad = Callable[[Any, Any, Any, Any, Any], tuple[Any, Any, Any]]


def _row(struct: Any, index: Any) -> Any:
    """The row of each tensor at a scalar index."""
    index = ops.convert_to_tensor(index)
    index.get_shape().assert_has_rank(0)
    return nest.map_structure(lambda x: array_ops.gather(x, index), struct)


def _with_row(accumulators: Any, values: Any, t: Any) -> Any:
    """Accumulators with row `t` written over."""
    t = math_ops.cast([t], dtypes.int32)
    rows = [
        inplace_ops.alias_inplace_update(accumulator, t, array_ops.expand_dims(value, 0))
        for accumulator, value in zip(nest.flatten(accumulators), nest.flatten(values))
    ]
    return nest.pack_sequence_as(accumulators, rows)


def _accumulators(length: Any, struct: Any) -> Any:
    """Zeros with a row for each step."""

    def rows(x: Any) -> Any:
        shape = array_ops.concat([[length], array_ops.shape(x)], axis=0)
        return inplace_ops.empty(shape, x.dtype, init=True)

    return nest.map_structure(rows, struct)


def _zeros(struct: Any) -> Any:
    return nest.map_structure(lambda x: inplace_ops.empty_like(x, init=True), struct)


def _sum(xs: Any, ys: Any) -> Any:
    pairs = zip(nest.flatten(xs), nest.flatten(ys))
    return nest.pack_sequence_as(xs, [math_ops.add(x, y) for x, y in pairs])


def _length(struct: Any) -> Any:
    return array_ops.shape(nest.flatten(struct)[0])[0]


def _packed(values: Any, struct: Any) -> Any:
    """A list of tensors, or one tensor, as a structure."""
    return nest.pack_sequence_as(struct, values if nest.is_sequence(values) else [values])


def _dtypes(struct: Any) -> list[Any]:
    return [x.dtype for x in nest.flatten(struct)]


def _with_zeros(xs: Any, gradients: Any) -> Any:
    """Gradients with zeros in place of None."""
    pairs = zip(nest.flatten(xs), nest.flatten(gradients))
    found = [array_ops.zeros_like(x) if grad is None else grad for x, grad in pairs]
    return nest.pack_sequence_as(gradients, found)


def _gradient_of(cell_fn: CellFn) -> CellGrad:
    """The gradient of a cell, by recording it again."""

    def gradient(theta: Any, state0: Any, inputs: Any, extras: Any, d_state1: Any) -> Any:
        del extras
        state1, _ = cell_fn(theta, state0, inputs)
        taken = [theta, state0, inputs]
        found = gradients_impl.gradients(
            ys=nest.flatten([state1]), xs=nest.flatten(taken), grad_ys=nest.flatten([d_state1])
        )
        return _with_zeros(taken, _packed(found, taken))

    return gradient


def named_function(name: str, *types: Any, **kwargs: Any) -> Callable[[Any], Any]:
    """`Defun` of a Python function whose name in graphs, before its hash, is `name`."""

    def decorated(function: Any) -> Any:
        function.__name__ = name
        return defun.Defun(*types, **kwargs)(function)

    return decorated


class _Loops:
    """The functions of one recurrent computation.

    Args:
      cell_fn, cell_grad: the cell and its gradient.
      theta, state0, inputs, extras: structures of tensors, as `Recurrent` has them.
      max_input_length: how many steps; by default all.
      use_tpu: whether loops are While in place of For.
      aligned_end: whether the steps are the last ones.
    """

    def __init__(
        self,
        cell_fn: CellFn,
        cell_grad: CellGrad,
        theta: Any,
        state0: Any,
        inputs: Any,
        extras: Any,
        max_input_length: Any,
        use_tpu: bool,
        aligned_end: bool,
    ):
        if max_input_length is None:
            max_input_length = math_ops.reduce_max(_length(inputs))
        self._theta, self._state, self._inputs, self._extras = theta, state0, inputs, extras
        self._count = max_input_length
        self._while = use_tpu
        self._counter = dtypes.int32 if use_tpu else dtypes.int64
        self._aligned_end = aligned_end
        self._noinline = not use_tpu
        backward = self._backward(self._backward_body(self._cell_gradient(cell_grad)))
        self._forward = self._forward_function(self._forward_body(self._cell(cell_fn)), backward)

    def __call__(self) -> tuple[Any, Any]:
        """The states of all steps, and the last one."""
        given = [self._theta, self._state, self._inputs, self._count, self._extras]
        found = self._forward(*nest.flatten(given))
        states, state, _ = _packed(found, [self._state, self._state, self._extras])
        return states, state

    def _loop(
        self,
        start: Any,
        limit: Callable[[], Any],
        delta: int,
        inputs: list[Any],
        body: Callable[..., Any],
    ) -> list[Any]:
        """A loop whose body takes the number twice: as it counts, and as it is on the device."""
        counter = math_ops.cast(start, self._counter)
        return functional_ops.For(
            start=start,
            limit=limit(),
            delta=delta,
            inputs=[counter, *nest.flatten(inputs)],
            body=body,
            rewrite_with_while=self._while,
        )[1:]

    def _cell(self, cell_fn: CellFn) -> Any:
        taken = [self._theta, self._state, self._inputs]

        @named_function("Fwd", *_dtypes(taken))
        def cell(*args: Any) -> Any:
            results = cell_fn(*_packed(args, taken))
            captured = defun.get_extra_args()
            assert not captured, f"cell_fn is not pure with extra args: {captured}."
            return nest.flatten(list(results))

        return cell

    def _forward_body(self, cell: Any) -> Any:
        carried = [self._theta, self._state, self._inputs, self._state, self._extras]

        @named_function("ForwardLoopBody", dtypes.int32, self._counter, *_dtypes(carried))
        def body(*args: Any) -> Any:
            """The body of forward loop."""
            t, dev_t, *rest = args
            theta, state0, inputs, states, extras = _packed(rest, carried)
            found = cell(*nest.flatten([theta, state0, _row(inputs, t)]))
            state1, more = _packed(found, [self._state, self._extras])
            states = _with_row(states, state1, dev_t)
            extras = _with_row(extras, more, dev_t)
            following = math_ops.add(dev_t, 1)
            return [following, *nest.flatten([theta, state1, inputs, states, extras])]

        return body

    def _forward_function(self, body: Callable[..., Any], backward: Any) -> Any:
        taken = [self._theta, self._state, self._inputs, self._count, self._extras]
        given = [self._state, self._state, self._extras]

        def gradient(op: Any, *grads: Any) -> Any:
            found = [
                array_ops.zeros_like(output) if grad is None else grad
                for output, grad in zip(op.outputs, grads)
            ]
            theta, state0, inputs, count, _ = _packed(list(op.inputs), taken)
            states, _, extras = _packed(list(op.outputs), given)
            d_states, d_state1, _ = _packed(found, given)
            return backward(
                *nest.flatten([theta, state0, inputs, count, states, extras, d_states, d_state1])
            )

        @named_function(
            "Forward",
            *_dtypes(taken),
            python_grad_func=gradient,
            noinline=self._noinline,
        )
        def forward(*args: Any) -> Any:
            """Forward pass of the recurrent net."""
            theta, state0, inputs, count, extras = _packed(args, taken)
            length = _length(inputs)
            states = _accumulators(length, state0)
            extras = _accumulators(length, extras)
            start = length - count if self._aligned_end else 0
            limit = length if self._aligned_end else count
            found = self._loop(
                start, lambda: limit, 1, [theta, state0, inputs, states, extras], body
            )
            _, state1, _, states, extras = _packed(
                found, [self._theta, self._state, self._inputs, self._state, self._extras]
            )
            return nest.flatten([states, state1, extras])

        return forward

    def _cell_gradient(self, cell_grad: CellGrad) -> Any:
        taken = [self._theta, self._state, self._inputs, self._extras, self._state]

        @named_function("Bak", *_dtypes(taken))
        def gradient(*args: Any) -> Any:
            """Backward step."""
            theta, state0, inputs, extras, d_state1 = _packed(args, taken)
            found = cell_grad(theta, state0, inputs, extras, d_state1)
            captured = defun.get_extra_args()
            assert not captured, f"cell_grad is not pure with extra args: {captured}."
            return nest.flatten(_with_zeros([theta, state0, inputs], list(found)))

        return gradient

    def _one_of_states(self, which: int, name: str, doc: str) -> Any:
        taken = [self._state, self._state]

        def chosen(*args: Any) -> Any:
            return nest.flatten(_packed(args, taken)[which])

        chosen.__doc__ = doc
        return named_function(name, *_dtypes(taken))(chosen)

    def _backward_body(self, cell_gradient: Any) -> Any:
        own = [self._theta, self._state, self._inputs]
        carried = [*own, self._state, self._extras, *own, self._state]
        from_before = self._one_of_states(
            0, "ReturnAccState", "Returns acc_state[t-1] from inputs."
        )
        from_begin = self._one_of_states(
            1, "ReturnOrigState0", "Returns original state0 from inputs."
        )

        @named_function("BackwardLoopBody", dtypes.int32, self._counter, *_dtypes(carried))
        def body(*args: Any) -> Any:
            """Backward loop body function."""
            t, dev_t, *rest = args
            theta, state0, inputs, states, extras, d_theta, d_state1, d_inputs, d_states = _packed(
                rest, carried
            )
            before = _row(states, math_ops.maximum(0, t - 1))
            begin = math_ops.equal(t, constant(0, dtypes.int32))
            state = functional_ops.If(
                begin, nest.flatten([before, state0]), from_begin, from_before
            )
            state = _packed(state, state0)
            now, more = _row(inputs, t), _row(extras, t)
            d_state1 = _sum(_row(d_states, t), d_state1)
            found = cell_gradient(*nest.flatten([theta, state, now, more, d_state1]))
            d_theta_now, d_state0, d_now = _packed(found, own)
            d_theta = _sum(d_theta, d_theta_now)
            d_inputs = _with_row(d_inputs, d_now, dev_t)
            rest = [theta, state0, inputs, states, extras, d_theta, d_state0, d_inputs, d_states]
            return [math_ops.subtract(dev_t, 1), *nest.flatten(rest)]

        return body

    def _backward(self, body: Callable[..., Any]) -> Any:
        own = [self._theta, self._state, self._inputs]
        taken = [*own, self._count, self._state, self._extras, self._state, self._state]

        @named_function("Backward", *_dtypes(taken), noinline=self._noinline)
        def backward(*args: Any) -> Any:
            """Backward pass for the recurrent net."""
            theta, state0, inputs, count, states, extras, d_states, d_state1 = _packed(args, taken)
            d_theta, d_inputs = _zeros(theta), _zeros(inputs)
            length = _length(inputs)
            start = length - 1 if self._aligned_end else count - 1
            found = self._loop(
                start,
                lambda: length - count - 1 if self._aligned_end else -1,
                -1,
                [theta, state0, inputs, states, extras, d_theta, d_state1, d_inputs, d_states],
                body,
            )
            carried = [*own, self._state, self._extras, *own, self._state]
            _, _, _, _, extras, d_theta, d_state0, d_inputs, _ = _packed(found, carried)
            d_count = constant(0, dtype=count.dtype)
            return nest.flatten([d_theta, d_state0, d_inputs, d_count, extras])

        return backward


def _is_one_step(inputs: Any, max_input_length: Any) -> bool:
    if not isinstance(max_input_length, ops.Tensor):
        return max_input_length == 1
    return all(x.shape.ndims is not None and x.shape[0].value == 1 for x in nest.flatten(inputs))


@tf_export("contrib.recurrent.Recurrent")
def Recurrent(  # noqa: N802
    theta: Any,
    state0: Any,
    inputs: Any,
    cell_fn: CellFn,
    cell_grad: CellGrad | None = None,
    extras: Any = None,
    max_input_length: Any = None,
    use_tpu: bool = False,
    aligned_end: bool = False,
) -> tuple[Any, Any]:
    """Applies a cell to its state and the rows of inputs, one after the other.

    As tf.contrib.recurrent's in TF 1.15.

    Args:
      theta: the weights, a structure of tensors, as are `state0`, `inputs` and `extras`.
      state0: the state at the beginning.
      inputs: tensors with a row for each step.
      cell_fn: (theta, state, row of inputs) -> the next state, extras. It captures nothing.
      cell_grad: (theta, state, row, extras, gradient of the next state) -> gradients of the first
        three; by default tf.gradients of `cell_fn`.
      extras: what the cell gives besides for its gradient.
      max_input_length: how many steps, a scalar; by default all.
      use_tpu: whether While operations are recorded in place of For.
      aligned_end: whether the steps are the last ones, not the first.

    Returns:
      The states of all steps, with a row for each, and the last one.
    """
    if cell_grad is None and _is_one_step(inputs, max_input_length):
        row = nest.map_structure(lambda x: array_ops.squeeze(x, axis=0), inputs)
        state1, _ = cell_fn(theta, state0, row)
        return nest.map_structure(lambda x: array_ops.expand_dims(x, axis=0), state1), state1
    cell_grad = cell_grad or _gradient_of(cell_fn)
    # The cell is recorded here too, for the shapes of its extras.
    found = cell_fn(theta, state0, _row(inputs, 0))[1]
    if extras is None:
        extras = nest.map_structure(array_ops.zeros_like, found)
    return _Loops(
        cell_fn,
        cell_grad,
        theta,
        state0,
        inputs,
        extras,
        max_input_length,
        use_tpu,
        aligned_end,
    )()
