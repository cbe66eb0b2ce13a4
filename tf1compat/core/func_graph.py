"""The body of a function: a graph that takes tensors of other graphs in through placeholders."""

from __future__ import annotations

import contextlib
import itertools
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from tf1compat.core import context, eager, errors, export, nest, tape
from tf1compat.core.device import DeviceScope, MergeDevice
from tf1compat.core.graph import Graph
from tf1compat.core.graph_keys import GraphKeys
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor, TensorBase, uid
from tf1compat.core.type_spec import TensorSpec

# Collections that a body shares with the graph around it; of the others it has copies.
SHARED_COLLECTIONS = (
    GraphKeys.GLOBAL_VARIABLES,
    GraphKeys.LOCAL_VARIABLES,
    GraphKeys.TRAINABLE_VARIABLES,
    ("__variable_store",),
    ("__varscope",),
)

# An eager tensor of at most so many elements is taken in as a constant.
_SMALL = 128

_bodies = itertools.count()


class CapturingGraph(Graph):
    """A function body: an input of an operation that belongs to another graph is captured.

    Attributes:
      name: the function's name.
      outer_graph: the graph around the body.
      inputs: the placeholders for arguments and captured tensors.
      outputs: the tensors that the function returns.
      made_into: the functions of which this is the body.
    """

    building_function = True

    def __init__(self, name: str):
        super().__init__()
        self.name = name
        self.resource_prefix = f"{name}/{next(_bodies)}/"
        self.outer_graph: Any = context.default_graph()
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []
        self.control_outputs: list[Operation] = []
        self.made_into: list[Any] = []
        # id of the captured tensor -> (it, its placeholder), in the order of capture
        self._captures: dict[int, tuple[Tensor, Tensor]] = {}
        self._sources: dict[int, Tensor] = {}

    @property
    def captures(self) -> list[tuple[Tensor, Tensor]]:
        """The (captured tensor, placeholder) pairs, in the order of capture."""
        return list(self._captures.values())

    @property
    def external_captures(self) -> list[Tensor]:
        """The captured tensors."""
        return [outer for outer, _ in self._captures.values()]

    @property
    def internal_captures(self) -> list[Tensor]:
        """The placeholders of the captured tensors."""
        return [inner for _, inner in self._captures.values()]

    def captured_as(self, tensor: Tensor) -> Tensor | None:
        """The placeholder of a captured tensor; None if it is not captured."""
        found = self._captures.get(id(tensor))
        return None if found is None else found[1]

    def captured_source(self, placeholder: Tensor) -> Tensor | None:
        """The captured tensor that a placeholder stands for; None if it stands for none."""
        return self._sources.get(id(placeholder))

    def add_capture(self, tensor: Tensor, placeholder: Tensor) -> None:
        """Makes `placeholder`, of this graph, stand for `tensor`."""
        self._note_capture(tensor, placeholder)
        self.inputs.append(placeholder)

    def _note_capture(self, tensor: Tensor, placeholder: Tensor) -> None:
        self._captures[id(tensor)] = (tensor, placeholder)
        self._sources[id(placeholder)] = tensor

    def capture(self, tensor: Tensor, name: str | None = None) -> Tensor:
        """`tensor` if it belongs to this graph, else its placeholder, made if there is none yet."""
        raise NotImplementedError(type(self).__name__)

    def create_op(self, op_type: str, inputs: list[Any], *args: Any, **kwargs: Any) -> Operation:
        """As `Graph.create_op`; inputs from elsewhere are captured."""
        taken = [self.capture(t) if isinstance(t, Tensor) else t for t in inputs]
        return super().create_op(op_type, taken, *args, **kwargs)

    def _placeholder(self, tensor: Tensor, name: str | None) -> Tensor:
        """A placeholder like `tensor`, outside control flow."""
        with self.control_dependencies(None):
            placeholder = self.placeholder(tensor._dtype, tensor.shape, name)
        placeholder._handle_data = tensor._handle_data
        return placeholder

    def placeholder(self, dtype: Any, shape: Any, name: str | None = None) -> Tensor:
        """A new placeholder in this graph.

        Raises:
          ValueError: `name` can't be a node's name.
        """
        with self.name_scope("placeholder" if name is None else name) as scope:
            attrs = {"dtype": dtype.base_dtype, "shape": shape}
            return self.create_op("Placeholder", [], name=scope, attrs=attrs)._outputs[0]


def new_constant(graph: Any, array: Any, dtype: Any) -> Tensor:
    """Adds a constant with an array to a graph."""
    return graph.create_op("Const", [], attrs={"value": array, "dtype": dtype})._outputs[0]


def new_placeholder(graph: Graph, dtype: Any) -> Tensor:
    """A placeholder of unknown shape in `graph`."""
    return graph.create_op("Placeholder", [], attrs={"dtype": dtype})._outputs[0]


@export.internal_class("tensorflow.python.framework.func_graph")
class FuncGraph(CapturingGraph):
    """The body of a `tf.function`.

    Args:
      name: the function's name.
      collections: the collections it starts with; by default those of the graph around it (those of
        variables by reference, the others as copies).
      capture_by_value: read variables outside and capture their values.

    Attributes:
      control_outputs: operations that must run when the function runs.
      control_captures: operations outside that it has to run after.
      structured_input_signature, structured_outputs: arguments and results as the Python function
        takes and returns them.
    """

    def __init__(
        self,
        name: str,
        collections: dict[Any, list[Any]] | None = None,
        capture_by_value: bool | None = None,
    ):
        super().__init__(name)
        outer = self.outer_graph
        self.control_captures: dict[Any, None] = {}
        self.structured_input_signature: Any = None
        self.structured_outputs: Any = None
        self.saveable = True
        self.saving_errors: set[str] = set()
        # What a call works out and passes, by keys: (a function of nothing, its placeholders).
        self._deferred: dict[Any, tuple[Callable[[], list[Tensor]], Any]] = {}
        self._weak_variables: list[Any] = []
        self._watched: dict[int, Any] = {}
        if capture_by_value is None:
            capture_by_value = getattr(outer, "capture_by_value", False)
        self.capture_by_value = capture_by_value
        self._seed = eager.global_seed if context.executing_eagerly() else outer.seed
        if not context.executing_eagerly():
            self._colocation_scopes = list(outer._colocation_scopes)
        if collections is None:
            collections = {
                key: outer.get_collection(key)
                for key in outer.get_all_collection_keys()
                if key not in SHARED_COLLECTIONS
            }
            collections |= {key: outer.get_collection_ref(key) for key in SHARED_COLLECTIONS}
        self._collections = collections

    def __str__(self) -> str:
        return f"FuncGraph(name={self.name}, id={id(self)})"

    # Variables.

    def watch_variable(self, v: Any) -> None:
        """Notes that the body uses the variable `v`."""
        graph: Any = self
        while isinstance(graph, FuncGraph):
            graph._watched[id(v)] = weakref.ref(v)
            graph = graph.outer_graph

    @property
    def watched_variables(self) -> list[Any]:
        """The variables used so far, in the order of their first use."""
        return [v for v in (ref() for ref in self._watched.values()) if v is not None]

    @property
    def variables(self) -> list[Any]:
        """The variables that the finished body uses; only weakly held.

        Raises:
          AssertionError: one of them no longer exists.
        """
        found = [ref() for ref in self._weak_variables]
        if any(v is None for v in found):
            raise AssertionError(
                "Called a function referencing variables which have been deleted. This likely "
                "means that function-local variables were created and not referenced elsewhere in "
                "the program. This is generally a mistake; consider storing variables in an object "
                "attribute on first call."
            )
        return found

    @variables.setter
    def variables(self, variables: Any) -> None:
        self._weak_variables = [weakref.ref(v) for v in variables]

    def mark_as_unsaveable(self, error_message: Any) -> None:
        """Notes why this function can't be part of a SavedModel."""
        self.saveable = False
        messages = [error_message] if isinstance(error_message, str) else error_message
        self.saving_errors.update(messages)

    # Captures.

    def capture(self, tensor: Tensor, name: str | None = None) -> Tensor:
        """`tensor` if it belongs to this graph, else its placeholder, made if there is none yet.

        Raises:
          InaccessibleTensorError: it belongs to a function inside this one.
        """
        if tensor._is_eager:
            found = self._capture_eager(tensor, name)
            tape.record_alias(tensor, found)
            return found
        if tensor._op._graph is self:
            return tensor
        graph = tensor._op._graph
        while isinstance(graph, FuncGraph):
            if graph is self:
                raise errors.InaccessibleTensorError(
                    f"The tensor '{tensor}' cannot be accessed here: it is defined"
                    " in another function or code block. Use return values,"
                    " explicit Python locals or TensorFlow collections to access"
                    f" it. Defined in: {tensor.graph}; accessed from: {self}.\n"
                )
            graph = graph.outer_graph
        found = self._capture_from_outside(tensor, name or tensor._op._name)
        tape.record_alias(tensor, found)
        return found

    def _capture_from_outside(self, tensor: Tensor, name: str) -> Tensor:
        found = self.captured_as(tensor)
        if found is None:
            found = self._placeholder(tensor, name)
            self.add_capture(tensor, found)
        return found

    def _capture_eager(self, tensor: Any, name: str | None) -> Tensor:
        name = str(uid()) if name is None else name
        found = self.captured_as(tensor)
        if found is not None:
            return found
        numeric = tensor._dtype.is_numpy_compatible
        if not numeric or np.prod(tensor.shape.as_list()) > _SMALL:
            return self._capture_from_outside(tensor, name)
        return self._constant_of(tensor, name)

    def _constant_of(self, tensor: Any, name: str) -> Tensor:
        # A scalar string is `bytes`.
        value = np.asarray(tensor.numpy(), tensor._dtype.as_numpy_dtype)
        attrs = {"value": value, "dtype": tensor._dtype}
        with self.control_dependencies(None), self.device(tensor.device):
            constant = self.create_op("Const", [], name=name, attrs=attrs)._outputs[0]
        self.add_capture(tensor, constant)
        return constant

    def capture_eager_tensor(self, tensor: Any, name: str) -> Tensor:
        """A constant of this graph with an eager tensor's value, made if there is none yet."""
        found = self.captured_as(tensor)
        if found is None:
            found = self._constant_of(tensor, name)
        tape.record_alias(tensor, found)
        return found

    def capture_distributed_variable(self, variable: Any, placeholder: Tensor) -> None:
        """Makes a placeholder stand for a variable with copies."""
        self._note_capture(variable, placeholder)
        tape.record_alias(variable, placeholder)

    def capture_call_time_value(
        self, closure: Callable[[], Any], spec: Any, key: Any = None
    ) -> Any:
        """Placeholders of what a function of nothing gives whenever this function is called.

        Args:
          closure: the function.
          spec: nested `TensorSpec`s of what it gives.
          key: what is captured under the same key is the same; None for a new one.

        Raises:
          TypeError: `spec` has something else in it.
        """
        key = object() if key is None else key
        if key not in self._deferred:

            def placeholder(one: Any) -> Tensor:
                if not isinstance(one, TensorSpec):
                    raise TypeError(
                        f"Expected a nest of `TypeSpec` objects, found {one} of type {type(one)}."
                    )
                return self.placeholder(one.dtype, one.shape, "Placeholder")

            def called() -> list[Tensor]:
                given = closure()
                nest.assert_same_structure(spec, given, expand_composites=True)
                parts = nest.map_structure(lambda s, value: s._to_components(value), spec, given)
                return nest.flatten(parts, expand_composites=True)

            made = nest.map_structure(placeholder, spec, expand_composites=True)
            self._deferred[key] = called, made
        return self._deferred[key][1]

    @property
    def deferred_external_captures(self) -> list[Callable[[], list[Tensor]]]:
        """What `capture_call_time_value` was given: functions of nothing that give lists."""
        return [called for called, _ in self._deferred.values()]

    @property
    def deferred_internal_captures(self) -> list[Any]:
        """The nested placeholders of what `capture_call_time_value` was given."""
        return [made for _, made in self._deferred.values()]

    @property
    def variable_captures(self) -> dict[int, Any]:
        """The captured variables, by the ids of their handles' placeholders."""
        handles = ((self.captured_as(v.handle), v) for v in self.variables)
        return {placeholder._id: v for placeholder, v in handles if placeholder is not None}

    def clear_captures(self) -> None:
        """Forgets all that is captured; the graph is of no use after that."""
        self.reset_captures([])
        self._deferred.clear()

    def reset_captures(self, captures: Iterable[tuple[Tensor, Tensor]]) -> None:
        """Makes (tensor outside, placeholder) pairs all that is captured."""
        self._captures, self._sources = {}, {}
        for tensor, placeholder in captures:
            self._note_capture(tensor, placeholder)

    @property
    def output_types(self) -> list[Any]:
        """The dtypes of the outputs."""
        return [tensor.dtype for tensor in self.outputs]

    @property
    def output_shapes(self) -> list[Any]:
        """The static shapes of the outputs."""
        return [tensor.shape for tensor in self.outputs]

    def pop_capture(self, tensor: Tensor) -> Tensor | None:
        """Forgets a capture and returns its placeholder, or None if there is none."""
        found = self._captures.pop(id(tensor), None)
        if found is None:
            return None
        self._sources.pop(id(found[1]))
        return found[1]

    def _add(
        self, spec: Any, name: str, inputs: list[Tensor], *args: Any, **kwargs: Any
    ) -> Operation:
        inside = self._control_flow_context
        taken = []
        for tensor in inputs:
            if inside is not None and hasattr(inside, "AddValue"):
                tensor = inside.AddValue(tensor)
            taken.append(self.capture(tensor))
        return super()._add(spec, name, taken, *args, **kwargs)

    def control_dependencies(self, control_inputs: Any) -> contextlib.AbstractContextManager[None]:
        """As `Graph.control_dependencies`; operations outside are kept for whoever calls."""
        if control_inputs is None:
            return super().control_dependencies(None)
        own = []
        item: Any
        for item in control_inputs:
            # A composite (or a variable just assigned) stands for its operation.
            is_composite: bool = isinstance(item, TensorBase) and not isinstance(item, Tensor)
            if is_composite or (hasattr(item, "_handle") and hasattr(item, "op")):
                item = item.op  # pyright: ignore[reportAttributeAccessIssue]
            as_element = getattr(item, "_as_graph_element", None)
            element = item if as_element is None else as_element()
            if getattr(element, "graph", None) is self:
                own.append(element)
            else:
                self.control_captures[element] = None
        return super().control_dependencies(own)

    @contextlib.contextmanager
    def as_default(self) -> Iterator[FuncGraph]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Makes this the graph that new operations join, inside the `with` block.

        Variable creators, strategies and the dtype that variables are read in hold inside as in the
        graph around it; its devices only in a strategy, or where
        one is a function, so that a call can be placed as a whole.
        """
        around = context.default_graph()
        before = self._variable_creators, self._device_stack, self._graph_key
        strategies, read_dtype = (
            self._distribution_strategy_stack, self._auto_cast_variable_read_dtype,
        )  # fmt: skip
        self._auto_cast_variable_read_dtype = around._auto_cast_variable_read_dtype
        self._variable_creators, self._graph_key = around._variable_creators, around._graph_key
        self._distribution_strategy_stack = list(around._distribution_strategy_stack)
        if not context.executing_eagerly() and (
            self._distribution_strategy_stack
            or any(_calls_a_function(scope) for scope in around._device_stack)
        ):
            self._device_stack = list(around._device_stack)
        try:
            with super().as_default():
                yield self
        finally:
            self._variable_creators, self._device_stack, self._graph_key = before
            self._distribution_strategy_stack = strategies
            self._auto_cast_variable_read_dtype = read_dtype


def _calls_a_function(scope: DeviceScope) -> bool:
    return scope._function is not None and not isinstance(scope._function, MergeDevice)
