"""`tf.wrap_function`: code of TF 1 as a function that owns its variables."""

from __future__ import annotations

import collections.abc
import weakref
from collections.abc import Callable
from typing import Any

from tf1compat.api.eager import lift_to_graph
from tf1compat.api.framework import importer
from tf1compat.api.functions import function_tracing
from tf1compat.api.functions.concrete_function import ConcreteFunction
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model import utils_impl
from tf1compat.api.training.tracking import data_structures
from tf1compat.api.variables import resource_variable_ops, variable_scope
from tf1compat.core import composite_tensor, nest, ops, protos
from tf1compat.core.attribute import attribute
from tf1compat.core.export import internal_class, tf_export
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.graph import Graph
from tf1compat.core.tensor_shape import TensorShape


class VariableHolder:
    """Keeps the variables that a Python function makes.

    Args:
      fn: the function.
      share_variables: whether a variable whose name is taken is the one of that name.
    """

    def __init__(self, fn: Callable[..., Any] | None = None, share_variables: bool = False):
        self._fn = fn
        self._share_variables = share_variables
        self._variables_by_name = data_structures._DictWrapper()

    variables = attribute("_variables_by_name", "The variables by name.")

    def variable_creator_scope(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        """A variable creator that keeps what is made, and adds it to collections as TF 1 does."""
        collections = kwargs.pop("collections", None)
        with ops.name_scope(kwargs.get("name"), "Variable") as name:
            own_name = ops.name_from_scope_name(name)
            kwargs["name"] = name
        variable = self._variables_by_name.get(own_name) if self._share_variables else None
        if variable is None:
            variable = next_creator(**kwargs)
            self._variables_by_name[own_name] = variable
        keys = [ops.GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
        if variable.trainable and ops.GraphKeys.TRAINABLE_VARIABLES not in keys:
            keys.append(ops.GraphKeys.TRAINABLE_VARIABLES)
        ops.add_to_collections(keys, variable)
        return variable

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        assert self._fn is not None
        return self.call_with_variable_creator_scope(self._fn)(*args, **kwargs)

    def call_with_variable_creator_scope(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        """A function whose variables are kept."""

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with variable_scope.variable_creator_scope(self.variable_creator_scope):
                return fn(*args, **kwargs)

        return wrapped


def _lift_variables(graph: FuncGraph, holder: VariableHolder) -> None:
    """Makes variables of handles inside a body, that an imported graph has, variables outside.

    The body captures them then; it is called after variables were made as well as again later.
    """
    captured = {id(tensor) for tensor in graph.internal_captures}
    lifted: dict[int, Any] = {}
    with graph.as_default():
        for key in (ops.GraphKeys.GLOBAL_VARIABLES, ops.GraphKeys.LOCAL_VARIABLES):
            collection = ops.get_collection_ref(key)
            for i, old in enumerate(collection):
                if id(old) not in lifted and _is_inside(old) and id(old.handle) not in captured:
                    lifted[id(old)] = _lifted(old, graph, holder)
                    captured.add(id(old.handle))
                    _join_only(lifted[id(old)], key)
                collection[i] = lifted.get(id(old), old)
                if not resource_variable_ops.is_resource_variable(collection[i]):
                    logging.warning(
                        f"Unable to create a python object for variable {collection[i]} because it "
                        "is a reference variable. It may not be visible to training APIs. If this "
                        "is a problem, consider rebuilding the SavedModel after running "
                        "tf.compat.v1.enable_resource_variables()."
                    )


def _is_inside(variable: Any) -> bool:
    return (
        isinstance(variable, resource_variable_ops.BaseResourceVariable)
        and variable._in_graph_mode
        and variable.graph.building_function
    )


def _lifted(old: Any, graph: FuncGraph, holder: VariableHolder) -> Any:
    """A variable outside, whose handle the body's own handle becomes."""
    new = resource_variable_ops.UninitializedVariable(
        shape=old.shape, dtype=old.dtype, name=old.op.name, trainable=old.trainable
    )
    new._initializer_op = old._initializer_op
    graph.add_capture(new.handle, old.handle)
    holder._variables_by_name[new.name.split(":")[0]] = new
    graph._weak_variables.append(weakref.ref(new))
    graph.watch_variable(new)
    return new


def _join_only(variable: Any, key: str) -> None:
    """Moves a variable outside from the collection that it joined to that of the old one."""
    if variable._in_graph_mode and key != ops.GraphKeys.GLOBAL_VARIABLES:
        outer = variable.graph
        outer.get_collection_ref(ops.GraphKeys.GLOBAL_VARIABLES).remove(variable)
        outer.add_to_collection(key, variable)


@internal_class("tensorflow.python.eager.wrap_function")
class WrappedFunction(ConcreteFunction):
    """A function made of TF 1's code.

    Args:
      fn_graph: the body.
      variable_holder: keeps its variables.
      attrs, signature: see `ConcreteFunction`.
    """

    def __init__(
        self,
        fn_graph: FuncGraph,
        variable_holder: VariableHolder,
        attrs: dict[str, Any] | None = None,
        signature: Any = None,
    ):
        self._variable_holder = variable_holder
        _lift_variables(fn_graph, variable_holder)
        super().__init__(fn_graph, attrs=attrs, signature=signature)

    def prune(
        self, feeds: Any, fetches: Any, name: str | None = None, input_signature: Any = None
    ) -> WrappedFunction:
        """A function of a part of the body.

        Args:
          feeds: what it takes: nested tensors of the body, or their names.
          fetches: what it returns: nested tensors, operations (None is returned for them),
            `TensorInfo` protos, or names.
          name: its name, "pruned" by default.
          input_signature: its `structured_input_signature`.

        Raises:
          ValueError: a feed is no tensor, or something is not in the body.
          UnliftableError: a fetch hangs on a placeholder that is no feed.
        """
        graph: Any = self.graph
        captured = {id(tensor) for tensor in graph.internal_captures}
        given = [graph.as_graph_element(t) for t in nest.flatten(feeds, expand_composites=True)]
        if not all(isinstance(feed, ops.Tensor) for feed in given):
            raise ValueError("Feeds must be tensors.")
        given = [feed for feed in given if id(feed) not in captured]
        infos = [leaf for leaf in nest.flatten(fetches) if isinstance(leaf, protos.TensorInfo)]
        fetches = nest.map_structure(lambda fetch: _element(fetch, graph), fetches)
        found = nest.flatten(fetches, expand_composites=True)
        operations = [fetch for fetch in found if isinstance(fetch, ops.Operation)]
        tensors = [fetch for fetch in found if not isinstance(fetch, ops.Operation)]
        for element in (*given, *tensors, *operations):
            if element.graph is not graph:
                raise ValueError(
                    "Can only prune function whose feeds and fetches are from this graph "
                    f"({graph}). Input {element} is from graph {element.graph}"
                )
        with graph.as_default():
            pruned = FuncGraph(name or "pruned")
        pruned._functions.update(graph._functions)
        copies = lift_to_graph.lift_to_graph(
            operations + tensors,
            pruned,
            sources=given + graph.internal_captures,
            add_sources=True,
            base_graph=graph,
        )
        pruned.outputs.extend(copies[tensor] for tensor in tensors)
        pruned.control_outputs.extend(copies[op] for op in operations)
        pruned.inputs.extend(copies[feed] for feed in given)
        for outer, inner in graph.captures:
            pruned.add_capture(outer, copies[inner])
        for info in infos:
            if info.WhichOneof("encoding") == "name":
                element = pruned.as_graph_element(info.name)
                if isinstance(element, ops.Tensor):
                    element.set_shape(TensorShape(info.tensor_shape))
        pruned.variables = graph.variables
        pruned.structured_outputs = nest.map_structure(
            lambda fetch: None if isinstance(fetch, ops.Operation) else copies[fetch],
            fetches,
            expand_composites=True,
        )
        pruned.structured_input_signature = input_signature
        made = WrappedFunction(pruned, self._variable_holder)
        made._num_positional_args = len(given)
        made._arg_keywords = [feed.op.name for feed in given]
        return made


def _element(fetch: Any, graph: Graph) -> Any:
    """The tensor or operation of a body that a fetch means."""
    if isinstance(fetch, protos.TensorInfo):
        if fetch.WhichOneof("encoding") == "name":
            return graph.as_graph_element(fetch.name)
        return utils_impl.get_tensor_from_tensor_info(fetch, graph)
    known = (ops.Tensor, ops.Operation, composite_tensor.CompositeTensor)
    return fetch if isinstance(fetch, known) else graph.as_graph_element(fetch)


class WrappedGraph:
    """A graph in which several functions are wrapped: they share variables and collections.

    Args:
      variable_holder: keeps the variables.
      **kwargs: `name`, `collections` and other arguments of a body.
    """

    def __init__(self, variable_holder: VariableHolder | None = None, **kwargs: Any):
        self._variable_holder = variable_holder or VariableHolder(share_variables=True)
        name = kwargs.pop("name", "wrapped_function_graph")
        collections = kwargs.pop("collections", {})
        self.graph = FuncGraph(name, collections=collections, **kwargs)
        self._wrapped_function = WrappedFunction(self.graph, self._variable_holder)
        self._functions: dict[str, WrappedFunction] = {}

    functions: dict[str, WrappedFunction] = attribute("_functions", "The functions by name.")
    variables: collections.abc.Mapping[str, Any] = attribute(
        "_variable_holder.variables", "The variables by name."
    )

    def wrap_function(
        self, fn: Callable[..., Any], signature: Any, name: str | None = None
    ) -> WrappedFunction:
        """Wraps a function.

        Args:
          fn: a Python function of tensors, which may return tensors, variables and operations.
          signature: the `TensorSpec`s of its arguments.
          name: its name here; that of the Python function by default.
        """
        operations: dict[int, ops.Operation] = {}
        call = self._variable_holder.call_with_variable_creator_scope(fn)

        def without_operations(*args: Any, **kwargs: Any) -> Any:
            outputs = call(*args, **kwargs)
            flat = nest.flatten(outputs)
            for i, output in enumerate(flat):
                if isinstance(output, ops.Operation):
                    operations[i], flat[i] = output, None
            return nest.pack_sequence_as(outputs, flat)

        function_tracing.func_graph_from_py_func(
            "", without_operations, [], {}, signature, self.graph, add_control_dependencies=False
        )
        captures = len(self.graph.captures)
        feeds = self.graph.inputs[: len(self.graph.inputs) - captures]
        outputs = self.graph.structured_outputs
        flat = [operations.get(i, output) for i, output in enumerate(nest.flatten(outputs))]
        fetches = nest.pack_sequence_as(outputs, flat)
        name = name or fn.__name__
        made = self._wrapped_function.prune(
            feeds, fetches, name, self.graph.structured_input_signature
        )
        self._functions[name] = made
        return made


@tf_export("wrap_function")
def wrap_function(
    fn: Callable[..., Any], signature: Any, name: str | None = None
) -> WrappedFunction:
    """Makes code of TF 1 a function, as `tf.compat.v1.wrap_function` in TF 1.15.

    The Python function is called once. The function keeps the variables that it makes, and runs
    what its results need, as `Session.run` does.

    Args:
      fn: a Python function.
      signature: its arguments; `TensorSpec`s become those of the function.
      name: a name.

    Returns:
      A `WrappedFunction`, a ConcreteFunction with variables of its own.
    """
    holder = VariableHolder(fn)
    graph_name = "wrapped_function" if name is None else f"wrapped_function_{name}"
    graph = FuncGraph(graph_name, collections={})
    function_tracing.func_graph_from_py_func(
        graph_name, holder, [], {}, signature, graph, add_control_dependencies=False
    )
    return WrappedFunction(graph, variable_holder=holder, signature=signature)


def function_from_graph_def(graph_def: Any, inputs: Any, outputs: Any) -> WrappedFunction:
    """A function of a `GraphDef`.

    Args:
      graph_def: the proto.
      inputs, outputs: nested names of tensors.
    """

    def imported() -> None:
        importer.import_graph_def(graph_def, name="")

    wrapped = wrap_function(imported, [])
    element = wrapped.graph.as_graph_element
    return wrapped.prune(nest.map_structure(element, inputs), nest.map_structure(element, outputs))
