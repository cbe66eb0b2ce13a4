"""Layers whose inputs are computed again, not kept, for their gradients
(`tensorflow.contrib.layers.python.layers.rev_block_lib`).

Gomez et al., "The Reversible Residual Network: Backpropagation Without Storing Activations", 2017.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, slicing
from tf1compat.api.contrib.framework import arg_scope as arg_scopes
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.eager import backprop
from tf1compat.api.gradients import custom_gradient, gradients_impl
from tf1compat.api.layers import base
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.util import tf_inspect
from tf1compat.api.variables import variable_scope, variables
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

__all__ = ["RevBlock", "recompute_grad", "rev_block"]

LAYER_RE = re.compile(".*revlayer_([0-9]*)/([fg])/.*")
_USE_DEFAULT = "__rev_block_lib_default"
_WRONG_VARS_ERR = (
    "The variables used on recompute were different than the variables originally\n"
    "used. The function wrapped with @recompute_grad likley creates its own variable\n"
    "scope with a default name and has been called twice in the same enclosing scope.\n"
    "To fix, ensure each call to the function happens in its own unique variable\n"
    "scope.\n"
)
Function = Callable[..., Any]


def _with_side(fn: Function, x: TensorLike, side_input: Any) -> Any:
    return fn(x, side_input) if side_input else fn(x)


def _sums(lists_of_grads: Sequence[Sequence[Any]]) -> list[Any]:
    """The sums of gradients, position by position; None where there are none."""
    summed = []
    for grads in zip(*lists_of_grads):
        grads = [grad for grad in grads if grad is not None]
        summed.append(math_ops.add_n(grads) if grads else None)
    return summed


def _layer_backward(
    ys: Any, grad_ys: Any, f: Function, g: Function, f_vars: list[Any], f_side_input: Any,
    g_vars: list[Any], g_side_input: Any,
) -> Any:  # fmt: skip
    """The inputs of a layer from its outputs, and all gradients."""
    y1, y2 = ys
    grad_y1, grad_y2 = grad_ys
    y1_stop = array_ops.stop_gradient(y1)
    g_side_input = [array_ops.stop_gradient(t) for t in g_side_input]
    gy1 = _with_side(g, y1_stop, g_side_input)
    x2 = y2 - gy1
    x2_stop = array_ops.stop_gradient(x2)
    f_side_input = [array_ops.stop_gradient(t) for t in f_side_input]
    fx2 = _with_side(f, x2_stop, f_side_input)
    x1 = y1 - fx2
    gradients = gradients_impl.gradients
    grad_gy1_y2 = gradients(gy1, y1_stop, grad_y2)[0]
    grad_x1 = grad_y1 + grad_gy1_y2
    grad_x2 = (
        gradients(fx2, x2_stop, grad_y1)[0]
        + grad_y2
        + gradients(fx2, x2_stop, grad_gy1_y2)[0]
    )  # fmt: skip
    grads = gradients(gy1, g_vars + g_side_input, grad_y2)
    of_g = grads[: len(g_vars)], grads[len(g_vars) :]
    first = gradients(fx2, f_vars + f_side_input, grad_y1)
    second = gradients(fx2, f_vars + f_side_input, grad_gy1_y2)
    count = len(f_vars)
    of_f = _sums([first[:count], second[:count]]), _sums([first[count:], second[count:]])
    outputs = ((x1, x2), (grad_x1, grad_x2), of_f, of_g)
    return nest.pack_sequence_as(outputs, control_flow_ops.tuple(nest.flatten(outputs)))


def _wraps(fn: Function) -> Callable[[Function], Function]:
    """`functools.wraps`, also for what has no name."""
    return (lambda f: f) if isinstance(fn, functools.partial) else functools.wraps(fn)


def _in_scope(fn: Function, scope: str) -> Function:
    @_wraps(fn)
    def wrap(*args: Any, **kwargs: Any) -> Any:
        with variable_scope.variable_scope(scope, use_resource=True):
            return fn(*args, **kwargs)

    return wrap


@tf_export("contrib.layers.RevBlock")
class RevBlock(base.Layer):
    """Reversible layers: y1 = x1 + f(x2), y2 = x2 + g(y1).

    Args: see `rev_block`.
      use_efficient_backprop: whether to compute the inputs again for the gradients.
      name, **kwargs: see `tf.layers.Layer`.
    """

    def __init__(
        self, f: Any, g: Any, num_layers: int = 1, f_side_input: Any = None,
        g_side_input: Any = None, use_efficient_backprop: bool = True, name: Name = "revblock",
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name=name, **kwargs)
        f, g = (fn if isinstance(fn, list) else [fn] * num_layers for fn in (f, g))
        assert len(f) == num_layers
        assert len(g) == num_layers
        self.f = [_in_scope(fn, f"revlayer_{i}/f") for i, fn in enumerate(f)]
        self.g = [_in_scope(fn, f"revlayer_{i}/g") for i, fn in enumerate(g)]
        self.num_layers = num_layers
        self.f_side_input = f_side_input or []
        self.g_side_input = g_side_input or []
        self._use_efficient_backprop = use_efficient_backprop

    def call(self, inputs: Any, forward: bool = True) -> Any:
        """Applies the layers to (x1, x2), or their inverses to (y1, y2)."""
        scope = variable_scope.get_variable_scope()
        count = len(scope.global_variables())
        outputs = self._forward(*inputs) if forward else self._backward(*inputs)
        trainable = scope.trainable_variables()
        for variable in scope.global_variables()[count:]:
            is_trainable = any(variable is v for v in trainable)
            weights = self._trainable_weights if is_trainable else self._non_trainable_weights
            weights.append(variable)
        return outputs

    def forward(self, x1: Any, x2: Any) -> Any:
        """(y1, y2)."""
        return self.apply([x1, x2])

    def backward(self, y1: TensorLike, y2: TensorLike) -> Any:
        """(x1, x2) from (y1, y2)."""
        return self.apply([y1, y2], forward=False)

    def build(self, _: Any) -> None:
        """Does nothing: `f` and `g` make their variables."""
        logging.warn("RevBlock constructs its variables on first call, not on build.")
        self.built = True

    def _forward(self, x1: Any, x2: Any) -> Any:
        side_inputs = [self.f_side_input, self.g_side_input]
        flat_side_inputs = nest.flatten(side_inputs)

        def compute(x1: Any, x2: Any, *flat_side_inputs: Any) -> Any:
            f_side, g_side = nest.pack_sequence_as(side_inputs, flat_side_inputs)
            for f, g in zip(self.f, self.g, strict=True):
                y1 = x1 + _with_side(f, x2, f_side)
                x1, x2 = y1, x2 + _with_side(g, y1, g_side)
                if self._use_efficient_backprop:
                    x1, x2 = control_flow_ops.tuple([x1, x2])
            return x1, x2

        if not self._use_efficient_backprop:
            return compute(x1, x2, *flat_side_inputs)

        @custom_gradient.custom_gradient
        def compute_with_gradient(*args: Any) -> Any:
            outputs = compute(*args)
            return outputs, self._efficient_gradient(args, outputs)

        return compute_with_gradient(x1, x2, *flat_side_inputs)

    def _efficient_gradient(self, inputs: Any, outputs: Any) -> Function:
        def places(side_input: Any) -> list[int]:
            """Where the side inputs of f or g are among those of the block."""
            given = inputs[2:]
            found = [next(i for i, t in enumerate(given) if t is own) for own in side_input]
            assert len(found) == len(side_input)
            return found

        def gradient(*grad_ys: Any, **kwargs: Any) -> Any:
            variables = kwargs["variables"]
            assert len(inputs) - 2 == len(self.f_side_input) + len(self.g_side_input)
            f_places, g_places = places(self.f_side_input), places(self.g_side_input)
            # Layer and "f" or "g" -> its variables, as (place among all, variable).
            owned: dict[tuple[int, str], list[tuple[int, Any]]] = {}
            for i, variable in enumerate(variables):
                match = LAYER_RE.match(variable.name)
                assert match is not None
                owned.setdefault((int(match[1]), match[2]), []).append((i, variable))
            variable_grads: list[Any] = [None] * len(variables)
            f_side_grads, g_side_grads = [], []
            ys = outputs
            with variable_scope.variable_scope(self.scope_name, reuse=True):
                for layer in reversed(range(self.num_layers)):
                    f_vars = owned.get((layer, "f"), [])
                    g_vars = owned.get((layer, "g"), [])
                    ys, grad_ys, of_f, of_g = _layer_backward(
                        ys, grad_ys, self.f[layer], self.g[layer], [v for _, v in f_vars],
                        self.f_side_input, [v for _, v in g_vars], self.g_side_input,
                    )  # fmt: skip
                    f_side_grads.append(of_f[1])
                    g_side_grads.append(of_g[1])
                    for (i, _), grad in zip([*f_vars, *g_vars], [*of_f[0], *of_g[0]], strict=True):
                        variable_grads[i] = grad
            side_grads: list[Any] = [None] * (len(inputs) - 2)
            for indices, grads in ((f_places, f_side_grads), (g_places, g_side_grads)):
                for i, grad in zip(indices, _sums(grads)):
                    side_grads[i] = grad
            return [*grad_ys, *side_grads], variable_grads

        return gradient

    def _backward(self, y1: TensorLike, y2: TensorLike) -> Any:
        for f, g in reversed(list(zip(self.f, self.g, strict=True))):
            x2 = y2 - _with_side(g, y1, self.g_side_input)
            x1 = y1 - _with_side(f, x2, self.f_side_input)
            y1, y2 = x1, x2
        return y1, y2


@tf_export("contrib.layers.rev_block")
def rev_block(
    x1: Any, x2: Any, f: Any, g: Any, num_layers: int = 1, f_side_input: Any = None,
    g_side_input: Any = None, is_training: bool = True,
) -> Any:  # fmt: skip
    """Reversible layers: y1 = x1 + f(x2), y2 = x2 + g(y1).

    Args:
      x1, x2: tensors of one shape.
      f, g: functions of a tensor (and a list of side inputs) that keep its shape; or a list of
        functions, one for each layer.
      num_layers: how many layers there are.
      f_side_input, g_side_input: lists of further inputs.
      is_training: whether to compute the inputs again for the gradients.

    Returns:
      (y1, y2) of the last layer.
    """
    block = RevBlock(
        f=f, g=g, num_layers=num_layers, f_side_input=f_side_input, g_side_input=g_side_input,
        use_efficient_backprop=is_training, _reuse=variable_scope.get_variable_scope().reuse,
    )  # fmt: skip
    return block.forward(x1, x2)


# ---- computing any function again ----


def enable_with_args(dec: Function) -> Function:
    """Makes a decorator one that may also be called with arguments first."""

    @_wraps(dec)
    def new_dec(*args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs and callable(args[0]):
            return dec(args[0])
        return lambda fn: dec(fn, *args, **kwargs)

    # Its signature is its own.
    vars(new_dec).pop("__wrapped__", None)
    return new_dec


@tf_export("contrib.layers.recompute_grad")
@enable_with_args
def recompute_grad(fn: Function, use_data_dep: Any = _USE_DEFAULT, tupleize_grads: bool = False):
    """Decorator: the function is called again to compute its gradients.

    Args:
      fn: a function of tensors; its variables must be in scopes of their own.
      use_data_dep: whether data, not only control dependencies, make that happen after the
        gradients of the outputs; by default False.
      tupleize_grads: whether no gradient is used before all are there.

    Returns:
      The function; or, called without `fn`, the decorator.

    Raises:
      ValueError: the function closes over a tensor or a variable; or, when it is called, an
        argument is no tensor.
    """
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or ()):
        value = cell.cell_contents
        if isinstance(value, ops.Tensor | variables.Variable):
            raise ValueError(
                f"fn decorated with @recompute_grad closes over Tensor {value.name} "
                f"(local variable name: {name}). The decorated fn must not close over "
                "Tensors or Variables because gradients will NOT be computed for "
                "them through fn. To ensure correct gradients, make the "
                "Tensor an input to fn."
            )

    @_wraps(fn)
    def wrapped(*args: Any) -> Any:
        return _recompute_grad(fn, args, use_data_dep, tupleize_grads)

    return wrapped


def _recompute_grad(
    fn: Function, args: tuple[Any, ...], use_data_dep: Any, tupleize_grads: bool
) -> Any:
    says_so = "is_recomputing" in tf_inspect.getargspec(fn).args
    for arg in args:
        if not isinstance(arg, ops.Tensor):
            raise ValueError("All inputs to function must be Tensors")
    # TF's default depends on whether the function runs on a TPU.
    use_data_dep = False if use_data_dep == _USE_DEFAULT else use_data_dep

    def call(inputs: Sequence[Any], is_recomputing: bool) -> tuple[Any, set[Any]]:
        """The outputs and the variables that they were computed from."""
        with backprop.GradientTape() as tape:
            kwargs = {"is_recomputing": is_recomputing} if says_so else {}
            outputs = fn(*inputs, **kwargs)
        return outputs, set(tape.watched_variables())

    @custom_gradient.custom_gradient
    def fn_with_recompute(*args: Any) -> Any:
        scope = variable_scope.get_variable_scope()
        arg_scope = arg_scopes.current_arg_scope()
        outputs, used = call(args, False)

        def gradient(*grad_outputs: Any, **kwargs: Any) -> Any:
            variables = kwargs.get("variables", ())
            if used:
                assert variables, (
                    "Fn created variables but the variables were not passed to the gradient fn."
                )
                if set(variables) != used:
                    raise ValueError(_WRONG_VARS_ERR)
            inputs = [array_ops.identity(x) for x in args]
            with contextlib.ExitStack() as scopes:
                known = [grad for grad in grad_outputs if grad is not None]
                scopes.enter_context(ops.control_dependencies(known))
                if use_data_dep:
                    inputs = _force_data_dependency(grad_outputs, inputs)
                scopes.enter_context(arg_scopes.arg_scope(arg_scope))
                scopes.enter_context(variable_scope.variable_scope(scope, reuse=True))
                again, used_again = call(inputs, True)
                if used != used_again:
                    raise ValueError(_WRONG_VARS_ERR)
            again = list(again) if isinstance(again, list | tuple) else [again]
            grads = gradients_impl.gradients(again, inputs + list(variables), grad_outputs)
            if tupleize_grads and use_data_dep:
                grads = _force_data_dependency(grads, grads)
            elif tupleize_grads:
                grads = control_flow_ops.tuple(grads)
            of_inputs, of_variables = grads[: len(inputs)], grads[len(inputs) :]
            return (of_inputs, of_variables)

        if used:
            return outputs, gradient
        return outputs, lambda *grad_outputs: gradient(*grad_outputs)[0]

    return fn_with_recompute(*args)


def _force_data_dependency(first: Sequence[Any], then: Sequence[Any]) -> list[Any]:
    """Tensors that are computed after others."""

    def element(x: Any) -> Any:
        rank = x.get_shape().ndims
        if rank is None:
            raise ValueError(f"Rank of Tensor {x} must be known")
        begin = ops.convert_to_tensor([0] * rank, dtype=dtypes.int32)
        size = ops.convert_to_tensor([1] * rank, dtype=dtypes.int32)
        return array_ops.reshape(slicing.slice(x, begin, size), [])

    total = math_ops.add_n([element(x) for x in first if x is not None])
    if not total.dtype.is_floating:
        raise ValueError("_force_data_dependency only supports floating dtypes.")
    zero = array_ops.stop_gradient(np.finfo(total.dtype.as_numpy_dtype).tiny * total)
    return [x if x is None else array_ops.identity(x) + zero for x in then]
