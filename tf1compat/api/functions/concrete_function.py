"""A recorded function that can be called and differentiated.

A call records one PartitionedCall (StatefulPartitionedCall if the body has effects). Its gradient
is recorded when asked for: the call then becomes one of a forward function that also returns what
the backward function needs, and the gradient is a call of that.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tf1compat.api.control_flow import control_flow_state
from tf1compat.api.eager import context
from tf1compat.api.eager.cancellation import CancellationManager
from tf1compat.api.functions import function_tracing
from tf1compat.api.gradients import gradients_walk
from tf1compat.api.variables import resource_variable_ops
from tf1compat.core import (
    composite_tensor,
    dtypes,
    errors,
    export,
    gradient_registry,
    nest,
    ops,
    raw_ops,
    tape,
    waiting,
)
from tf1compat.core.attribute import attribute
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.function_def import GraphFunction
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.type_spec import TensorSpec

_FORWARD = "forward_function_name"
_BACKWARD = "backward_function_name"
# ConfigProtos as TF 1.15 writes them into calls: of its eager context on a machine with a CPU, and
# one that turns the graph optimizer off, in calls that return nothing.
_CONFIG = b"\n\x07\n\x03CPU\x10\x01\n\x07\n\x03GPU\x10\x002\x02J\x008\x01"
NO_OPTIMIZER_CONFIG = b"R\x05R\x03\x98\x01\x01"
_EXECUTORS = ("SINGLE_THREADED_EXECUTOR", "", "DEFAULT")


def function_attrs(attributes: dict[str, Any]) -> dict[str, Any]:
    """Attributes of a function in the form in which it keeps them.

    Raises:
      ValueError: a value that can't be an attr.
    """
    attrs: dict[str, Any] = {}
    for key, value in attributes.items():
        if isinstance(value, str):
            attrs[key] = value.encode()
        elif isinstance(value, bool | int | float | bytes) or type(value).__name__ == "AttrValue":
            attrs[key] = value
        else:
            raise ValueError(f"Unsupported attribute type for {key} with type {type(value)}")
    return attrs


class _Gradient:
    """The forward and backward functions of a body, made when a gradient is asked for."""

    def __init__(self, graph: FuncGraph, attrs: dict[str, Any]):
        self._graph = graph
        self._attrs = attrs
        self._pairs: dict[int, tuple[GraphFunction, ConcreteFunction]] = {}
        self._of_all: tuple[GraphFunction, ConcreteFunction] | None = None
        self._name: str | None = None
        self.inference = GraphFunction(
            f"__inference_{graph.name}_{ops.uid()}", graph, graph.inputs, graph.outputs, attrs
        )

    def register(self) -> str:
        """Registers the gradient and returns the name that a call is stamped with."""
        if self._name is None:
            self._name = f"PartitionedCall-{ops.uid()}"
            gradient_registry.RegisterGradient(self._name)(self._differentiate)
        return self._name

    def pair(self, output_grads: int | None = None) -> tuple[GraphFunction, ConcreteFunction]:
        """The forward and backward functions for gradients of the first `output_grads` outputs."""
        if output_grads is None:
            output_grads = len(self.inference.outputs)
        if output_grads not in self._pairs:
            self._pairs[output_grads] = self._make_pair(self._graph.outputs[:output_grads])
        return self._pairs[output_grads]

    def pair_for_all(self) -> tuple[GraphFunction, ConcreteFunction]:
        """The forward and backward functions for gradients of all that the forward one returns.

        So gradients of gradients reach what the backward function takes from the forward one.
        """
        if self._of_all is None:
            outputs = self._graph.outputs
            seen = 0
            while seen < len(outputs):  # The gradients of these outputs may take further ones.
                new = outputs[seen:]
                seen = len(outputs)
                self._make_pair(new)
            self._of_all = self._make_pair(outputs)
        return self._of_all

    def _make_pair(
        self, of_outputs: Sequence[ops.Tensor]
    ) -> tuple[GraphFunction, ConcreteFunction]:
        graph = self._graph
        outputs = [t for t in of_outputs if gradients_walk.is_trainable(t)]
        signature = []
        for tensor in outputs:
            shape, dtype = control_flow_state.shape_and_dtype(tensor)
            signature.append(TensorSpec(TensorShape(shape), dtype))

        def backward(*grad_ys: Any) -> Any:
            return gradients_walk.gradients(outputs, graph.inputs, grad_ys=grad_ys, src_graph=graph)

        with graph.as_default():
            body = FuncGraph(f"__backward_{graph.name}_{ops.uid()}")
            function_tracing.func_graph_from_py_func(
                body.name, backward, [], {}, signature=signature, func_graph=body
            )
            forward_name = f"__forward_{graph.name}_{ops.uid()}"
            # What the backward function takes from the forward one, that one has to return.
            have = {id(t) for t in graph.outputs}
            for tensor in body.external_captures:
                if not tensor._is_eager and tensor.graph is graph and id(tensor) not in have:
                    have.add(id(tensor))
                    graph.outputs.append(tensor)
            backward_function = ConcreteFunction(body, {_FORWARD: forward_name, **self._attrs})
            attrs = function_attrs({_BACKWARD: backward_function.name}) | self._attrs
            forward = GraphFunction(forward_name, graph, graph.inputs, graph.outputs, attrs)
        return forward, backward_function

    def _differentiate(self, op: ops.Operation, *grads: Any) -> Any:
        """The gradient of a call, that becomes one of the forward function: a backward call."""
        forward, backward = self.pair(len(grads))
        if not backward.outputs:
            return []
        forward.add_to_graph(op.graph)
        _call_instead(op, forward)
        results = {id(t): result for t, result in zip(self._graph.outputs, op.outputs)}
        captured = [results.get(id(t), t) for t in backward.captured_inputs]
        given = [
            control_flow_state.zeros_like(output) if grad is None else grad
            for grad, output in zip(grads, self._graph.outputs)
            if gradients_walk.is_trainable(output)
        ]
        return backward._call_flat(given, captured)


def _call_instead(op: ops.Operation, function: GraphFunction) -> None:
    """Makes a call one of another function, that has more outputs."""
    op._set_func_attr("f", function.name)
    op._attrs["Tout"] = [t.dtype for t in function.outputs]
    for i, source in enumerate(function.outputs):
        if i == len(op._outputs):
            output = ops.Tensor(op, i, source.dtype)
            output._shape = source._shape
            op._outputs.append(output)
        op._outputs[i]._handle_data = source._handle_data
    op._output_dtypes = [t.dtype for t in function.outputs]
    op.graph._changed()


@export.internal_class("tensorflow.python.eager.function")
class ConcreteFunction:
    """A function body with what it needs to be called (as in TF 1.15).

    Args:
      func_graph: the body.
      attrs: attributes of the function.
      signature: `TensorSpec`s of the arguments, if there are such.
    """

    def __init__(
        self,
        func_graph: FuncGraph,
        attrs: dict[str, Any] | None = None,
        signature: Sequence[Any] | None = None,
    ):
        self._func_graph = func_graph
        self._captured_inputs = func_graph.external_captures
        # Captured variables with copies, by their place: a call takes its replica's.
        self._captured_copies: dict[int, Any] = {}
        self._signature = signature
        self._arg_keywords: list[str] | None = None
        self._num_positional_args: int | None = None
        self._gradient = _Gradient(func_graph, function_attrs(attrs or {}))
        self._output_shapes = tuple(t.shape for t in func_graph.outputs)

    @property
    def name(self) -> bytes:
        """The name in the library."""
        return self._gradient.inference.name.encode()

    graph: FuncGraph = attribute("_func_graph", "The body.")
    inputs: list[ops.Tensor] = attribute(
        "_func_graph.inputs", "The body's inputs, captured ones last."
    )
    outputs: list[ops.Tensor] = attribute("_func_graph.outputs", "The body's outputs.")
    structured_input_signature = attribute(
        "_func_graph.structured_input_signature",
        "The `(args, kwargs)` that the Python function was called with, specs for tensors.",
    )
    structured_outputs = attribute(
        "_func_graph.structured_outputs",
        "What the Python function returned, as tensors of the body.",
    )
    function_def = attribute("_gradient.inference.definition", "The `FunctionDef` proto.")

    @property
    def captured_inputs(self) -> list[ops.Tensor]:
        """The tensors outside that a call passes after the arguments.

        Raises:
          ValueError: one is of a variable of a strategy, and no replica runs.
        """
        called = self._func_graph.deferred_external_captures
        if not self._captured_copies and not called:
            return self._captured_inputs
        inputs = [*self._captured_inputs, *(t for one in called for t in one())]
        for place, variable in self._captured_copies.items():
            inputs[place] = variable.handle
        return inputs

    @property
    def output_shapes(self) -> Any:
        """The static shapes of the results, structured as they are."""
        return self._like_results(self._output_shapes, TensorShape(None))

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the results, structured as they are."""
        return self._like_results([t.dtype for t in self.outputs], None)

    def _like_results(self, flat: Iterable[Any], of_none: Any) -> Any:
        """Values for the results, structured as they are; a composite's for its components."""
        values = iter(flat)
        return nest.map_structure(
            lambda leaf: of_none if leaf is None else next(values),
            composite_tensor.replace_composites_with_components(self.structured_outputs),
            expand_composites=False,
        )

    def add_to_graph(self, g: ops.Graph | None = None) -> None:
        """Adds the function to the library of a graph (the default one by default)."""
        self._gradient.inference.add_to_graph(g or ops.get_default_graph())

    def add_gradient_functions_to_graph(self, g: ops.Graph | None = None) -> None:
        """Adds the function, its forward and its backward function to the library of a graph."""
        graph = g or ops.get_default_graph()
        self._gradient.inference.add_to_graph(graph)
        forward, backward = self._gradient.pair()
        forward.add_to_graph(graph)
        backward.add_to_graph(graph)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Records a call.

        Args:
          *args: tensors (or resource variables), if the Python function's arguments are all such.
          **kwargs: tensors by the names of their arguments (or of their `TensorSpec`s).

        Raises:
          TypeError: arguments are missing or unknown.
          ValueError: one is not a tensor, or of another shape.
        """
        if self._arg_keywords is None or self._num_positional_args is None:
            if self._signature is None:
                raise AssertionError(
                    "Tried to call a concrete function obtained from an internal API "
                    "through the public interface. Use get_concrete_function instead."
                )
            if kwargs:
                raise NotImplementedError(
                    "Keyword arguments not supported when calling a wrap_function-decorated "
                    "function."
                )
            return self._call_flat(args, self.captured_inputs)
        return self._call_flat(self._bound(args, kwargs), self.captured_inputs)

    def _experimental_with_cancellation_manager(
        self, cancellation_manager: CancellationManager
    ) -> Callable[..., Any]:
        """The function as one whose calls `cancellation_manager` ends.

        Returns:
          What is called as the function is.
        """

        def call(*args: Any, **kwargs: Any) -> Any:
            if cancellation_manager.is_cancelled and ops.executing_eagerly():
                name = self._gradient.inference.name
                stack = re.sub(r"^__inference_|_\d+$", "", name)
                text = f"  [Op:{name}]\n\nFunction call stack:\n{stack}\n"
                raise errors.CancelledError(None, None, text)
            with waiting.cancelled_by(cancellation_manager._impl):
                return self(*args, **kwargs)

        return call

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        keywords = self._arg_keywords
        assert keywords is not None and self._num_positional_args is not None
        if len(args) > self._num_positional_args:
            raise TypeError(
                f"Expected at most {self._num_positional_args} positional arguments (and the rest "
                f"keywords, of {keywords}), got {args}. When calling a concrete function, "
                "positional arguments may not be bound to Tensors within nested structures."
            )
        bound = list(args)
        for keyword in keywords[len(args) :]:
            if keyword not in kwargs:
                given = [*keywords[: len(bound)], *kwargs]
                missing = list(set(keywords) - set(given))
                raise TypeError(
                    f"Expected argument names {keywords} but got values for {given}. "
                    f"Missing: {missing}."
                )
            bound.append(kwargs.pop(keyword))
        for unused in kwargs:
            if unused in keywords[: len(args)]:
                raise TypeError(f"Got two values for keyword '{unused}'.")
        if kwargs:
            raise TypeError(f"Keyword arguments {list(kwargs)} unknown. Expected {keywords}.")
        return bound

    def _filtered_call(self, args: Any, kwargs: Any) -> Any:
        """Records a call with the Python function's arguments, of which only tensors are passed."""
        flat = nest.flatten((args, kwargs), expand_composites=True)
        passed = (ops.Tensor, resource_variable_ops.BaseResourceVariable)
        return self._call_flat([t for t in flat if isinstance(t, passed)], self.captured_inputs)

    def _call_flat(self, args: Iterable[Any], captured_inputs: list[ops.Tensor]) -> Any:
        graph = ops.get_default_graph()
        if isinstance(graph, FuncGraph) and not self._func_graph.saveable:
            graph.mark_as_unsaveable(self._func_graph.saving_errors)
        for variable in self._func_graph.variables:
            tape.variable_accessed(variable)
        inputs = self._tensors_of(args) + captured_inputs
        nested = tape.may_be_nested(inputs)
        # A recorded call gets another function when a gradient is asked for, which tapes that are
        # asked again don't see.
        if nested or (ops.executing_eagerly() and tape.recording(inputs)):
            return self._results(self._run_on_tape(inputs, nested))
        return self._results(self._differentiably(self._gradient.inference, inputs))

    def _differentiably(self, function: GraphFunction, inputs: list[ops.Tensor]) -> Any:
        """Records a call that has a gradient, or runs it."""
        if ops.executing_eagerly():
            return _run_call(function, inputs)
        gradient = self._gradient.register()
        overrides = {"PartitionedCall": gradient, "StatefulPartitionedCall": gradient}
        with ops.get_default_graph().gradient_override_map(overrides):
            return _record_call(function, inputs)

    def _run_on_tape(self, inputs: list[ops.Tensor], nested: bool) -> Any:
        """Runs the forward function, and notes on the tapes how to run the backward one.

        Args:
          nested: whether gradients of gradients may be asked for.
        """
        forward, backward = self._gradient.pair_for_all() if nested else self._gradient.pair()
        results_count = len(self._gradient.inference.outputs)
        count = len(forward.outputs) if nested else results_count
        outputs = self._func_graph.outputs
        with tape.stop_recording():
            flat = self._differentiably(forward, inputs)
        if not isinstance(flat, list):
            return flat
        results = {id(t): result for t, result in zip(outputs, flat)}
        captured = [results.get(id(t), t) for t in backward.captured_inputs]

        def differentiate(*grads: Any) -> list[Any]:
            given = [
                control_flow_state.zeros_like(result) if grad is None else grad
                for grad, result, output in zip(grads, flat, outputs[:count])
                if gradients_walk.is_trainable(output)
            ]
            return as_gradients(backward._call_flat(given, captured), inputs)

        tape.record(inputs, flat[:count], differentiate)
        return flat[:results_count]

    def _tensors_of(self, args: Iterable[Any]) -> list[ops.Tensor]:
        tensors: list[ops.Tensor] = []
        handles: set[int] = set()
        for i, arg in enumerate(args):
            if isinstance(arg, resource_variable_ops.BaseResourceVariable):
                # A variable that is passed twice is one input.
                if id(arg.handle) not in handles:
                    tape.variable_accessed(arg)
                    tensors.append(arg.handle)
                    handles.add(id(arg.handle))
            elif isinstance(arg, ops.Tensor):
                if ops.executing_eagerly():
                    self._check_dtype(i, arg)
                else:
                    self._check_shape(i, arg)
                tensors.append(arg)
            elif self._signature is not None and isinstance(self._signature[i], TensorSpec):
                tensors.append(ops.convert_to_tensor(arg, self._signature[i].dtype))
            else:
                raise ValueError(
                    "All inputs to `ConcreteFunction`s must be Tensors; on invocation of "
                    f"{self._func_graph.name}, the {i}-th input ({arg}) was not a Tensor."
                )
        return tensors

    def _check_dtype(self, index: int, arg: ops.Tensor) -> None:
        """As TF does when an operation runs at once; a recorded one is checked when it is run."""
        expected = self._func_graph.inputs[index].dtype.base_dtype
        if arg.dtype.base_dtype is not expected:
            name = self._gradient.inference.name
            raise errors.InvalidArgumentError(
                None,
                None,
                f"cannot compute {name} as input #{index}(zero-based) was expected to be a "
                f"{dtypes.cpp_name(expected)} tensor but is a {dtypes.cpp_name(arg.dtype)} tensor "
                f"[Op:{name}]",
            )

    def _check_shape(self, index: int, arg: ops.Tensor) -> None:
        expected = self._func_graph.inputs[index].shape
        if expected.is_compatible_with(arg.shape):
            return
        if self._arg_keywords:
            name = f"'{self._arg_keywords[index]}'"
        else:
            name = f"with index {index}"
        raise ValueError(
            f"The argument {name} (value {arg}) is not compatible with the shape this function was "
            f"traced with. Expected shape {expected}, but got shape {arg.shape}.\n\nIf you called "
            "get_concrete_function, you may need to pass a tf.TensorSpec(..., shape=...) with a "
            "less specific shape, having None on axes which can vary."
        )

    def _results(self, flat: Any) -> Any:
        """The results as the Python function returned them; the call itself if it returned none."""
        structure = self._func_graph.structured_outputs
        if structure is None:
            return flat
        leaves = nest.flatten(structure, expand_composites=True)
        results = iter(flat if isinstance(flat, list) else ())
        packed = [None if leaf is None else next(results) for leaf in leaves]
        return nest.pack_sequence_as(structure, packed, expand_composites=True)


def as_gradients(results: Any, inputs: list[ops.Tensor]) -> list[Any]:
    """What a backward function returned, as one gradient for each of `inputs`."""
    found = list(results) if isinstance(results, list | tuple) else [results]
    return found if len(found) == len(inputs) else [None] * len(inputs)


def _record_call(function: GraphFunction, args: list[ops.Tensor]) -> Any:
    """Records a call, or runs it at once: a list of outputs, or the operation if there are none."""
    if ops.executing_eagerly():
        return _run_call(function, args)
    graph = ops.get_default_graph()
    op_type = _call_type(function)
    output_types = [t.dtype.base_dtype for t in function.outputs]
    executor_type = context.context().function_call_options.executor_type or ""
    with ops.control_dependencies(list(function.graph.control_captures)):
        if not output_types:
            function.add_to_graph(graph)
            attrs = {
                "Tin": [t.dtype.base_dtype for t in args],
                "Tout": [],
                "f": function.name,
                "config_proto": NO_OPTIMIZER_CONFIG,
                "executor_type": executor_type.encode(),
            }
            return graph.create_op(op_type, args, [], name="PartitionedFunctionCall", attrs=attrs)
        outputs = raw_ops.function(op_type)(
            args,
            Tout=output_types,
            f=function,
            config_proto=_CONFIG,
            executor_type=executor_type,
        )
    return _like(function, outputs)


def _call_type(function: GraphFunction) -> str:
    return "StatefulPartitionedCall" if function.stateful_ops else "PartitionedCall"


def _run_call(function: GraphFunction, args: list[ops.Tensor]) -> Any:
    """Runs a call at once: a list of outputs, or None if there are none."""
    executor_type = context.context().function_call_options.executor_type or ""
    graph = ops.get_default_graph()  # whose library gets the function
    known = function.call_attrs.get(executor_type)
    if known is None or known[0]() is not graph:
        if executor_type not in _EXECUTORS:
            raise errors.NotFoundError(
                None,
                None,
                f"{{{{function_node {function.name}}}}} No executor factory registered for the "
                f"given executor type: {executor_type} Registered factories are "
                f"{{{', '.join(_EXECUTORS)}}}. [Op:{function.name}]",
            )
        call = raw_ops.function(_call_type(function))
        given: dict[str, Any] = {"config_proto": NO_OPTIMIZER_CONFIG}
        if function.outputs:
            given = {"config_proto": _CONFIG, "executor_type": executor_type}
        types = [t.dtype.base_dtype for t in function.outputs]
        attrs = call.attrs(Tout=types, f=function, **given)
        known = function.call_attrs[executor_type] = weakref.ref(graph), call, attrs
    _, call, attrs = known
    outputs = call.call([args], attrs)
    if not function.outputs:
        return None
    return _like(function, outputs)


def _like(function: GraphFunction, outputs: Sequence[Any]) -> list[Any]:
    """A call's outputs, of which is known what is known of the body's."""
    for output, source in zip(outputs, function.outputs):
        if not output._is_eager:  # Which may be of another shape than the body was recorded for.
            output.set_shape(source.shape)
        output._handle_data = source._handle_data
    return list(outputs)
