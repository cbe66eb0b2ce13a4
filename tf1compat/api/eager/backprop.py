"""`tf.GradientTape`, and functions that differentiate functions."""

from __future__ import annotations

import collections
import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.gradients import gradient_aggregation
from tf1compat.api.gradients.gradients_walk import UnconnectedGradients
from tf1compat.api.parallel_for import control_flow_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.variables import resource_variable_ops
from tf1compat.core import (
    context,
    dtypes,
    eager,
    errors,
    gradient_registry,
    nest,
    ops,
    raw_ops,
    tape,
)
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import Dimension


class _Executed(ops.Operation):
    """An operation that ran at once, as its gradient function sees it."""

    def __init__(self, spec: Any, attrs: dict[str, Any], inputs: list[Any], outputs: list[Any]):
        self._spec = spec
        self._name = spec.name
        self._attrs = attrs
        self._inputs = inputs
        self._outputs = outputs
        self._output_dtypes = [tensor._dtype for tensor in outputs]
        self._control_inputs = []
        self._device = ""
        self._graph = ops.get_default_graph()

    def _get_control_flow_context(self) -> Any:
        raise NotImplementedError(
            "tf.GradientTape.gradients() does not support graph control flow operations like "
            "tf.cond or tf.while at this time. Use tf.gradients() instead. If you need this "
            "feature, please file a feature request at "
            "https://github.com/tensorflow/tensorflow/issues/new"
        )


def record_executed(
    spec: Any, attrs: dict[str, Any], inputs: Sequence[Any], outputs: Sequence[Any]
) -> None:
    """Notes on the tapes an operation that ran at once."""
    tapes = tape.recording(inputs)
    if tapes:
        _note(_Executed(spec, attrs, list(inputs), list(outputs)), tapes)


def record_operation(op: ops.Operation) -> None:
    """Notes an operation on the tapes that it concerns."""
    tapes = tape.recording(op._inputs)
    if tapes:
        _note(op, tapes)


def _note(op: ops.Operation, tapes: Sequence[tape.Tape]) -> None:
    entry = tape.Entry(list(op._inputs), list(op._outputs), _Backward(op), may_skip=True)
    for each in tapes:
        each.record(entry)


class _Backward:
    """An operation's gradient function, called with the gradients of its outputs."""

    __slots__ = ("_op",)

    def __init__(self, op: ops.Operation):
        self._op = op

    def __call__(self, *grads: Any, skipped: Sequence[int]) -> Sequence[Any]:
        op: Any = self._op
        function = gradient_registry.get_gradient_function(op)
        if function is None:
            return [None] * len(op._inputs)
        op.skip_input_indices = skipped
        try:
            result = function(op, *grads)
        finally:
            del op.skip_input_indices
        return result if isinstance(result, list | tuple) else [result]


eager.record_executed = record_executed
eager.record_operation = record_operation


@tf_export("GradientTape", "contrib.eager.GradientTape")
class GradientTape:
    """Records operations inside a `with` block, to differentiate them (as `tf.GradientTape`).

    Operations are recorded that compute something from a watched tensor, at once or in a graph.

    Args:
      persistent: whether `gradient` may be called more than once.
      watch_accessed_variables: whether trainable variables are watched as soon as they are read.
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True):
        self._tape: tape.Tape | None = None
        self._persistent = persistent
        self._watch_accessed_variables = watch_accessed_variables
        self._recording = False

    def __enter__(self) -> GradientTape:
        self._push_tape()
        return self

    def __exit__(self, *exc_info: Any) -> None:
        if self._recording:
            self._pop_tape()

    def _push_tape(self) -> None:
        if self._recording:
            raise ValueError("Tape is already recording.")
        if self._tape is None:
            self._tape = tape.Tape(self._watch_accessed_variables, self._persistent)
        tape.push(self._tape)
        self._recording = True

    def _pop_tape(self) -> None:
        if not self._recording or self._tape is None:
            raise ValueError("Tape is not recording.")
        tape.pop(self._tape)
        self._recording = False

    def watch(self, tensor: Any) -> None:
        """Follows what is computed from tensors or variables.

        Raises:
          ValueError: something else is given.
          AttributeError: the tape was never entered.
        """
        for item in nest.flatten(tensor):
            is_variable = resource_variable_ops.is_resource_variable(item)
            if not isinstance(item, ops.Tensor) and not is_variable:
                raise ValueError(f"Passed in object of type {type(item)}, not tf.Tensor")
            if not item.dtype.is_floating:
                logging.log_first_n(
                    logging.WARN,
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r",
                    5,
                    item.dtype,
                )
            if is_variable:
                self._tape.watch_variable(item)  # pyright: ignore[reportOptionalMemberAccess]
            else:
                self._tape.watch(item)  # pyright: ignore[reportOptionalMemberAccess]

    @contextlib.contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Inside the `with` block nothing is recorded on this tape.

        Raises:
          RuntimeError: the tape is not recording.
        """
        if self._tape is None:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        with self._paused():
            yield

    @contextlib.contextmanager
    def _paused(self) -> Iterator[None]:
        self._pop_tape()
        try:
            yield
        finally:
            self._push_tape()

    def reset(self) -> None:
        """Forgets what was recorded.

        Raises:
          ValueError: the tape is not recording.
        """
        with self._paused():
            self._tape = None

    def watched_variables(self) -> tuple[Any, ...]:
        """The variables that were watched, in the order of their first use.

        Raises:
          AttributeError: the tape was used up, or never entered.
        """
        return self._tape.watched_variables()  # pyright: ignore[reportOptionalMemberAccess]

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """The gradients of `target` with respect to `sources`.

        Args:
          target: tensors or variables; gradients of several are added up.
          sources: a structure of tensors and variables.
          output_gradients: gradients of the targets; ones by default.
          unconnected_gradients: what stands for a gradient with no path: "none" or "zero".

        Returns:
          The structure of `sources` with tensors, `IndexedSlices` or None.

        Raises:
          RuntimeError: a tape that is not persistent is asked again.
          AttributeError: a target or source is no tensor.
        """
        if self._tape is None:
            raise RuntimeError(
                "GradientTape.gradient can only be called once on non-persistent tapes."
            )
        if self._recording:
            if not self._persistent:
                self._pop_tape()
            else:
                logging.log_first_n(
                    logging.WARN,
                    "Calling GradientTape.gradient on a persistent tape inside its context is "
                    "significantly less efficient than calling it outside the context (it causes "
                    "the gradient ops to be recorded on the tape, leading to increased CPU and "
                    "memory usage). Only call GradientTape.gradient inside the context if you "
                    "actually want to trace the gradient in order to compute higher order "
                    "derivatives.",
                    1,
                )
        targets = []
        for item in nest.flatten(target):
            _tell_of_integers("target", item)
            if resource_variable_ops.is_resource_variable(item):
                with contextlib.nullcontext() if self._recording else self:
                    item = ops.convert_to_tensor(item)
            targets.append(item)
        flat_sources = nest.flatten(sources)
        for item in flat_sources:
            _tell_of_integers("source", item)
        if output_gradients is not None:
            output_gradients = [
                None if x is None else ops.convert_to_tensor(x)
                for x in nest.flatten(output_gradients)
            ]
        flat = imperative_grad(
            self._tape, targets, flat_sources, output_gradients, unconnected_gradients
        )
        if not self._persistent:
            self._tape = None
        return nest.pack_sequence_as(sources, flat)

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The gradients of each element of `target` with respect to `sources`.

        Args:
          target: a tensor of shape [y1, …].
          sources: a structure of tensors and variables of shapes [x1, …].
          unconnected_gradients: as in `gradient`.
          parallel_iterations: as in `tf.while_loop`.
          experimental_use_pfor: as in `parallel_for.control_flow_ops.pfor`.

        Returns:
          The structure of `sources` with tensors of shapes [y1, …, x1, …], or None.

        Raises:
          RuntimeError: an eager tape is not persistent, without `experimental_use_pfor`.
        """
        flat_sources = nest.flatten(sources)
        static_shape, shape = target.shape, array_ops.shape(target)
        with self._also_recording():
            target = array_ops.reshape(target, [-1])

        def rows(i: Any) -> Any:
            with self._also_recording():
                element = array_ops.gather(target, i)
            return self.gradient(element, flat_sources, unconnected_gradients=unconnected_gradients)

        size = target.shape.as_list()[0]
        found = self._for_each(
            rows,
            [target.dtype] * len(flat_sources),
            array_ops.shape(target)[0] if size is None else size,
            "jacobian",
            experimental_use_pfor,
            parallel_iterations,
        )
        for i, part in enumerate(found):
            if part is not None:
                new_shape = array_ops.concat([shape, array_ops.shape(part)[1:]], axis=0)
                found[i] = array_ops.reshape(part, new_shape)
                if context.executing_eagerly():
                    found[i].set_shape(static_shape.concatenate(flat_sources[i].shape))
        return nest.pack_sequence_as(sources, found)

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The jacobians of `target[i]` with respect to `source[i]`.

        Args:
          target: a tensor of shape [batch, y1, …], whose rows hang on the same rows of `source`.
          source: a tensor of shape [batch, x1, …].
          unconnected_gradients, parallel_iterations, experimental_use_pfor: as in `jacobian`.

        Returns:
          A tensor of shape [batch, y1, …, x1, …].

        Raises:
          RuntimeError: as in `jacobian`.
          ValueError: the first dimensions differ.
        """
        shape: Any = target.shape
        rows = Dimension(None) if shape.rank is None else shape.dims[0]
        if not (
            shape.with_rank_at_least(2)
            and source.shape.with_rank_at_least(2)
            and rows.is_compatible_with(source.shape[0])
        ):
            raise ValueError(
                f"Need first dimension of target shape ({target.shape}) and source shape "
                f"({source.shape}) to match."
            )
        if shape.is_fully_defined():
            batch_size: Any = int(shape[0])
            row_size: Any = shape.num_elements() // batch_size
        else:
            shape = array_ops.shape(target)
            batch_size = shape[0]
            row_size = array_ops.size(target) // batch_size
        source_shape = array_ops.shape(source)
        with self._also_recording():
            check = check_ops.assert_equal(batch_size, source_shape[0])
            with ops.control_dependencies([check]):
                target = array_ops.reshape(target, [batch_size, row_size])

        def columns(i: Any) -> Any:
            with self._also_recording():
                column = array_ops.gather(target, i, axis=1)
            return self.gradient(column, source, unconnected_gradients=unconnected_gradients)

        found = self._for_each(
            columns,
            target.dtype,
            row_size,
            "batch_jacobian",
            experimental_use_pfor,
            parallel_iterations,
        )
        new_shape = array_ops.concat([shape, source_shape[1:]], axis=0)
        if found is None:
            return array_ops.zeros(new_shape)
        found = array_ops.reshape(found, [row_size, batch_size, -1])
        return array_ops.reshape(array_ops.transpose(found, [1, 0, 2]), new_shape)

    @contextlib.contextmanager
    def _also_recording(self) -> Iterator[None]:
        """What is computed in the `with` block is recorded."""
        self._push_tape()
        try:
            yield
        finally:
            self._pop_tape()

    def _for_each(
        self,
        gradients_of: Callable[[Any], Any],
        types: Any,
        count: Any,
        name: str,
        use_pfor: bool,
        parallel_iterations: int | None,
    ) -> Any:
        """The stacked results of `gradients_of` for each index."""
        if use_pfor:
            try:
                return control_flow_ops.pfor(gradients_of, count, parallel_iterations)
            except ValueError as error:
                raise ValueError(
                    f"{error}\nEncountered an exception while vectorizing the {name} computation. "
                    "Vectorization can be disabled by setting experimental_use_pfor to False."
                ) from error
        if context.executing_eagerly() and not self._persistent:
            and_with = "and with " if name == "jacobian" else "and  with"
            raise RuntimeError(
                f"GradientTape must be created with persistent=True to compute the {name} with "
                f"eager execution enabled {and_with} experimental_use_pfor set to False."
            )
        return control_flow_ops.for_loop(gradients_of, types, count, parallel_iterations)


def _tell_of_integers(what: str, item: Any) -> None:
    if not item.dtype.is_floating:
        logging.vlog(
            logging.WARN,
            f"The dtype of the {what} tensor must be floating (e.g. tf.float32) when calling "
            "GradientTape.gradient, got %r",
            item.dtype,
        )


def imperative_grad(
    recorded: tape.Tape,
    targets: Sequence[Any],
    sources: Sequence[Any],
    output_gradients: Sequence[Any] | None = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> list[Any]:
    """Walks a tape backwards; the arguments are those of `GradientTape.gradient`, flat.

    Raises:
      ValueError: an unknown value of `unconnected_gradients`.
    """
    try:
        unconnected = UnconnectedGradients(unconnected_gradients)
    except ValueError:
        raise ValueError(
            f"Unknown value for unconnected_gradients: {unconnected_gradients!r}"
        ) from None
    ends = [getattr(source, "handle", source) for source in sources]
    received: dict[int, list[Any]] = {}
    given = output_gradients if output_gradients is not None else [None] * len(targets)
    for target, grad in zip(targets, given):
        if recorded.follows(target) or any(target is end for end in ends):
            grad = _filled(array_ops.ones, target) if grad is None else grad
            received.setdefault(id(target), []).append(grad)
    for entry in _backwards(recorded.entries, targets):
        found = [received.get(id(tensor)) for tensor in entry.outputs]
        if not any(found):
            continue
        grads = [_or_zeros(_total(f), t) for f, t in zip(found, entry.outputs)]
        followed = [recorded.follows(tensor) for tensor in entry.inputs]
        if entry.may_skip:
            skipped = [i for i, follows in enumerate(followed) if not follows]
            inputs = entry.backward(*grads, skipped=skipped)
        else:
            inputs = entry.backward(*grads)
        for tensor, grad, follows in zip(entry.inputs, inputs, followed, strict=True):
            # As in TF 1.15, of what the tape does not follow there is no gradient.
            if grad is not None and follows:
                received.setdefault(id(tensor), []).append(grad)
    results = []
    for source, end in zip(sources, ends, strict=True):
        total = _total(received.get(id(end)))
        if total is None and unconnected is UnconnectedGradients.ZERO:
            total = array_ops.zeros_like(source)
        results.append(total)
    return results


def _backwards(entries: Sequence[tape.Entry], targets: Sequence[Any]) -> Iterator[tape.Entry]:
    """The entries that lead to the targets, each after all that use its outputs: those first whose
    last user comes first, as in TF 1.15, where that decides in which order gradients are added."""
    makers = {id(tensor): entry for entry in entries for tensor in entry.outputs}
    uses: dict[int, int] = {}
    reached: dict[int, tape.Entry] = {}
    pending = [id(target) for target in targets]
    while pending:
        entry = makers.get(pending.pop())
        if entry is None or id(entry) in reached:
            continue
        reached[id(entry)] = entry
        for tensor in entry.inputs:
            key = id(tensor)
            if key in makers:
                uses[key] = uses.get(key, 0) + 1
                pending.append(key)
    waits = dict.fromkeys(reached, 0)
    for key in uses:
        waits[id(makers[key])] += 1
    ready = collections.deque(entry for key, entry in reached.items() if not waits[key])
    while ready:
        entry = ready.popleft()
        yield entry
        for tensor in entry.inputs:
            key = id(tensor)
            if key not in uses:
                continue
            uses[key] -= 1
            if not uses[key]:
                maker = makers[key]
                waits[id(maker)] -= 1
                if not waits[id(maker)]:
                    ready.append(maker)


def _total(grads: list[Any] | None) -> Any:
    """The sum of the gradients that reached a tensor; None if there are none."""
    if not grads:
        return None
    if len(grads) > 1:
        if all(isinstance(grad, ops.Tensor) for grad in grads):
            grads[:] = [raw_ops.AddN(grads)]
        else:
            op = None
            grads[:] = [gradient_aggregation.aggregate(grads, op, "", 0)]  # pyright: ignore
    return grads[0]


def _or_zeros(grad: Any, tensor: Any) -> Any:
    if grad is not None:
        return grad
    if tensor._dtype.base_dtype in (dtypes.resource, dtypes.variant):
        return None
    return _filled(array_ops.zeros, tensor)


def _filled(fill: Callable[..., Any], tensor: Any) -> Any:
    """A tensor of the shape and type of `tensor` that `fill` (zeros or ones) makes."""
    shape = tensor._shape
    known = shape is not None and None not in shape
    return fill(shape if known else raw_ops.Shape(tensor), tensor._dtype.base_dtype)


# Functions that differentiate functions: `tf.contrib.eager`.


def _returned_none(f: Callable[..., Any]) -> ValueError:
    return ValueError(
        "Cannot differentiate a function that returns None; did you forget to return a value "
        f"from {f.__name__}?"
    )


@tf_export("contrib.eager.implicit_value_and_gradients")
def implicit_val_and_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that gives what `f` does and [(gradient, variable)] for the variables it used.

    Args:
      f: a function of tensors that gives a scalar.

    Returns:
      A function of the same arguments.
    """

    def grad_fn(*args: Any, **kwds: Any) -> Any:
        with GradientTape() as recorder:
            value = f(*args, **kwds)
            if value is None:
                raise _returned_none(f)
        variables = recorder.watched_variables()
        if not variables:
            raise ValueError(
                "No trainable variables were accessed while the function was being computed."
            )
        return value, list(zip(recorder.gradient(value, list(variables)), variables))

    return grad_fn


@tf_export("contrib.eager.implicit_gradients")
def implicit_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that gives [(gradient of `f`, variable)] for the variables it used.

    Args:
      f: a function of tensors that gives a scalar.

    Returns:
      A function of the same arguments.
    """

    def grad_fn(*args: Any, **kwds: Any) -> Any:
        return implicit_val_and_grad(f)(*args, **kwds)[1]

    return grad_fn


def _positions(f: Callable[..., Any], params: Any, args: Sequence[Any]) -> Sequence[int]:
    """Which arguments to differentiate with respect to."""
    if params is None:
        return range(len(args))
    if all(isinstance(param, int) for param in params):
        return params
    if not all(isinstance(param, str) for param in params):
        raise ValueError("params must be all strings or all integers; got %s." % params)  # noqa: UP031
    names = list(inspect.signature(f).parameters)
    return [names.index(param) for param in params]


def make_vjp(
    f: Callable[..., Any], params: Any = None, persistent: bool = True
) -> Callable[..., Any]:
    """A function that gives what `f` does and a function: gradient of it -> gradients of arguments.

    Raises:
      ValueError: (when called) `f` returns None.
    """

    def decorated(*args: Any, **kwds: Any) -> Any:
        positions = _positions(f, params, args)
        assert not kwds, "The gradient function can't take keyword arguments."
        given = list(args)
        with GradientTape(persistent=persistent) as recorder:
            for i in positions:
                if not resource_variable_ops.is_resource_variable(given[i]):
                    given[i] = ops.convert_to_tensor(given[i])
            sources: list[Any] = []
            for i in positions:
                if any(given[i] is source for source in sources):
                    # The same tensor for two arguments has a gradient for each.
                    given[i] = raw_ops.Identity(given[i])
                sources.append(given[i])
            for source in sources:
                recorder.watch(source)
            result = f(*given)
            if result is None:
                raise _returned_none(f)
            flat = [raw_ops.Identity(x) for x in nest.flatten(result)]
            result = nest.pack_sequence_as(result, flat)

        def vjp(dy: Any = None) -> Any:
            if recorder._tape is None:
                raise errors.InternalError(
                    None,
                    None,
                    "Internal state of the gradient tape is invalid: failed to find operation "
                    "producing a tensor",
                )
            return recorder.gradient(flat, sources, dy)

        return result, vjp

    return decorated


@tf_export("contrib.eager.value_and_gradients_function")
def val_and_grad_function(f: Callable[..., Any], params: Any = None) -> Callable[..., Any]:
    """A function that gives what `f` does and its gradients with respect to its arguments.

    Args:
      f: a function of tensors.
      params: names or positions of the arguments; all by default.

    Returns:
      A function of the same arguments, and of `dy`, a gradient of the result.
    """

    @functools.wraps(f)
    def decorated(*args: Any, dy: Any = None, **kwds: Any) -> Any:
        if kwds:
            raise ValueError("Functions to be differentiated cannot receive keyword arguments.")
        value, vjp = make_vjp(f, params)(*args)
        return value, vjp(dy)

    return decorated


@tf_export("contrib.eager.gradients_function")
def gradients_function(f: Callable[..., Any], params: Any = None) -> Callable[..., Any]:
    """As `value_and_gradients_function`; it gives only the gradients.

    Args:
      f, params: as in `value_and_gradients_function`.

    Returns:
      A function of the arguments of `f`.
    """

    @functools.wraps(f)
    def decorated(*args: Any, **kwds: Any) -> Any:
        return val_and_grad_function(f, params)(*args, **kwds)[1]

    return decorated
