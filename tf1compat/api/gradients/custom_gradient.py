"""`tf.custom_gradient`, `tf.grad_pass_through`, `tf.recompute_grad`."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.eager import backprop
from tf1compat.api.platform import tf_logging
from tf1compat.api.variables import resource_variable_ops, variable_scope
from tf1compat.core import gradient_registry, nest, ops, raw_ops, tape, tf_decorator
from tf1compat.core.export import tf_export

_VARIABLE_OPS = ("VariableV2", "VarHandleOp")


@tf_export("custom_gradient")
def custom_gradient(f: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: `f` says itself what its gradient is (as `tf.custom_gradient` in TF 1.15).

    Args:
      f: a function of tensors that returns `(y, grad_fn)`. `y` is a tensor or a structure of
        tensors; `grad_fn` takes one gradient for each tensor of `y` and returns one for each
        argument of `f`. If `f` uses variables, `grad_fn` takes them too, as keyword `variables`,
        and returns `(gradients of the arguments, list of the variables' gradients)`.

    Returns:
      A function of the same arguments that returns `y`.

    Raises:
      ValueError: (when called) keyword arguments.
      TypeError: (when called) variables that are no resource variables, or a `grad_fn` that has no
        use for the variables.
    """

    def decorated(*args: Any, **kwargs: Any) -> Any:
        if ops.executing_eagerly():
            return _run(f, args, kwargs)
        return _record(f, args, kwargs)

    return tf_decorator.make_decorator(f, decorated)


def _run(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Runs `f` in eager execution; tapes take the gradient that it gives."""
    with tape.VariableWatcher() as watcher:
        result, grad_fn = f(*args, **kwargs)  # arguments as they are given, as in TF 1.15
    given = {id(x) for x in (*args, *kwargs.values())}
    variables = [v for v in watcher.variables if id(v) not in given]
    _check_takes_variables(grad_fn, variables)
    # Only what is carried forward goes through the function itself.
    hidden = contextlib.nullcontext() if tape.carrying_forward() else tape.stop_recording()
    with hidden:
        flat = [raw_ops.Identity(x) for x in nest.flatten(result)]

    def backward(*grads: Any) -> list[Any]:
        input_grads, variable_grads = _called(grad_fn, grads, variables)
        flat_grads = nest.flatten(input_grads)
        if len(flat_grads) != len(args):
            # TF gives what would be the words of one text.
            raise ValueError(
                "custom_gradient function expected to return",
                len(args),
                "gradients but returned",
                len(flat_grads),
                "instead.",
            )
        return [*flat_grads, *variable_grads]

    sources = [ops.convert_to_tensor(x) for x in args] + [v.handle for v in variables]
    tape.record(sources, flat, backward)
    return nest.pack_sequence_as(result, flat)


def _record(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Records `f(*args)` behind an IdentityN whose gradient is the one that `f` gives."""
    if kwargs:
        raise ValueError(
            "The custom_gradient decorator currently supports keywords arguments only when eager "
            "execution is enabled."
        )
    name = f"CustomGradient-{ops.uid()}"
    args = [ops.convert_to_tensor(x) for x in args]
    result, grad_fn, variables = _call(f, args)
    _check_takes_variables(grad_fn, variables)
    flat_result = nest.flatten(result)
    gradient = _Gradient(grad_fn, len(flat_result), variables)
    gradient_registry.RegisterGradient(name)(gradient)
    values = [*flat_result, *args, *variables]
    with ops.get_default_graph().gradient_override_map({"IdentityN": name}):
        identities = raw_ops.IdentityN(values)
    # TF reads the variables a second time here.
    for source, target in zip([ops.convert_to_tensor(x) for x in values], identities):
        target._handle_data = source._handle_data
    return nest.pack_sequence_as(result, identities[: len(flat_result)])


def _call(f: Callable[..., Any], args: list[Any]) -> tuple[Any, Any, list[Any]]:
    """Calls `f`.

    Returns:
      Its result, its gradient function, and the variables used that are no arguments.
    """
    scope = variable_scope.get_variable_scope()

    def existing() -> dict[int, Any]:
        return {id(v): v for v in scope.global_variables() + scope.local_variables()}

    before = existing()
    with tape.VariableWatcher() as watcher:
        result, grad_fn = f(*args)
    for key, variable in existing().items():
        if key not in before and not resource_variable_ops.is_resource_variable(variable):
            raise TypeError(
                "All variables used by a function wrapped with @custom_gradient must "
                "be `ResourceVariable`s. Ensure that no `variable_scope` is created "
                "with `use_resource=False`."
            )
    given = {id(x) for x in args}
    used = [v for v in watcher.variables if id(v) not in given]
    used += _variables_between(args, result)
    return result, grad_fn, list({id(v): v for v in used}.values())


def _check_takes_variables(grad_fn: Callable[..., Any], variables: list[Any]) -> None:
    """Refuses a gradient function that takes no variables if there are some.

    Raises:
      TypeError: so it is, or it takes some and could not get any.
    """
    # It may be one of these functions itself, with a gradient of its own.
    signature = inspect.getfullargspec(tf_decorator.unwrap(grad_fn)[1])
    takes_variables = "variables" in signature.args or signature.varkw
    if variables and not takes_variables:
        raise TypeError(
            "If using @custom_gradient with a function that uses variables, then grad_fn must "
            "accept a keyword argument 'variables'."
        )
    if takes_variables and not variables and not ops.executing_eagerly():
        if not variable_scope.get_variable_scope().use_resource:
            raise TypeError(
                "If using @custom_gradient with a function that uses variables, the enclosing "
                "variable scope must have use_resource=True."
            )
        tf_logging.warn(
            "@custom_gradient grad_fn has 'variables' in signature, but no ResourceVariables were "
            "used on the forward pass."
        )


class _Gradient:
    """The gradient of the IdentityN: of its outputs, arguments and variables."""

    def __init__(self, grad_fn: Callable[..., Any], results: int, variables: list[Any]):
        self._grad_fn = grad_fn
        self._results = results
        self._variables = variables

    def __call__(self, op: ops.Operation, *grads: Any) -> list[Any]:
        grads = grads[: self._results]
        input_grads, variable_grads = _called(self._grad_fn, grads, self._variables)
        # The IdentityN's first inputs, what f computed, get no gradient: f is not differentiated.
        return [None] * self._results + nest.flatten(input_grads) + list(variable_grads)


def _called(
    grad_fn: Callable[..., Any], grads: Sequence[Any], variables: list[Any]
) -> tuple[Any, Sequence[Any]]:
    """What a gradient function gives for the arguments, and for the variables.

    Raises:
      ValueError: it does not give one gradient for each variable.
    """
    if not variables:
        return grad_fn(*grads), []
    input_grads, variable_grads = grad_fn(*grads, variables=variables)
    if len(variable_grads) != len(variables):
        raise ValueError("Must return gradient for each variable from @custom_gradient grad_fn.")
    return input_grads, variable_grads


def _variables_between(args: list[Any], result: Any) -> list[Any]:
    """The trainable variables that `result` depends on other than through `args`."""
    # TF makes these copies so that a result that is an argument does not end the search.
    copies = nest.flatten(nest.map_structure(raw_ops.Identity, result))
    found = []
    for op in _operations_behind(copies, args):
        if op.type in _VARIABLE_OPS:
            variable = _variable_named(op.name)
            if variable is not None:
                found.append(variable)
    return found


def _operations_behind(tensors: list[Any], stop_at: list[Any]) -> list[ops.Operation]:
    """The operations that `tensors` are computed from by differentiable operations."""
    stops = {id(t) for t in stop_at}
    seen: set[ops.Operation] = set()
    stack = [t.op for t in tensors]
    while stack:
        op = stack.pop()
        if gradient_registry.is_differentiable(op.type):
            sources = [t.op for t in op.inputs if id(t) not in stops and t.op not in seen]
            seen.update(sources)
            stack.extend(sources)
    return sorted(seen, key=lambda op: op._id)


def _variable_named(name: str) -> Any:
    """The trainable variable of this name; None if it is not trainable.

    Raises:
      ValueError: there is no such variable, or more than one.
    """
    named = ops.get_collection(ops.GraphKeys.GLOBAL_VARIABLES, scope=f"{name}:0")
    if not named:
        raise ValueError(f"Unsuccessful at finding variable {name}.")
    trainable = [v for v in named if v.trainable]
    if len(trainable) > 1:
        raise ValueError(
            f"Unsuccessful at finding trainable variable {name}. Number of candidates: "
            f"{len(trainable)}. Candidates: {trainable}"
        )
    return trainable[0] if trainable else None


@tf_export("recompute_grad")
def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function like `f` that is computed a second time for its gradient, to save memory.

    Args:
      f: a function of tensors that returns a tensor or a sequence of tensors.

    Returns:
      The function; its arguments are tensors, and variables that it uses get gradients, too.
    """

    @custom_gradient
    def inner(*args: Any, **kwargs: Any) -> Any:
        def grad(dresult: Any, variables: Any = None) -> Any:
            sources = [*args, *(variables or ())]
            with backprop.GradientTape() as tape:
                tape.watch(sources)
                # Not before it is needed: that is what saves memory.
                with ops.control_dependencies([dresult]):
                    again = f(*args, **kwargs)
            grads = tape.gradient(again, sources, output_gradients=[dresult])
            return grads[: len(args)], grads[len(args) :]

        return f(*args, **kwargs), grad

    return inner


@tf_export("grad_pass_through")
def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function like `f` whose gradient is the identity's (as `tf.grad_pass_through`).

    Args:
      f: a function of tensors that returns a tensor or a structure of tensors.

    Returns:
      A function of the same arguments.
    """

    @custom_gradient
    def pass_through(*args: Any, **kwargs: Any) -> Any:
        def grad(*args: Any, **kwargs: Any) -> Any:
            variables = kwargs.get("variables")
            return args if variables is None else (args, [None] * len(variables))

        return f(*args, **kwargs), grad

    return tf_decorator.make_decorator(f, pass_through)
