"""`tensorflow.python.saved_model.function_deserialization`: functions from the protos of a
SavedModel."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

from tf1compat.api.functions import function as def_function
from tf1compat.api.functions.concrete_function import ConcreteFunction
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model import function_serialization, nested_structure_coder
from tf1compat.api.variables import resource_variable_ops
from tf1compat.core import function_def_to_graph, nest, ops, protos
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.type_spec import TensorSpec, TypeSpec
from tf1compat.core.typing import DTypeLike

# A recorded function's name, and what it was made of.
_RECORDED = re.compile(r"__inference_(.*)_\d+\Z")


def _is_tensor(value: Any) -> bool:
    return isinstance(value, ops.Tensor | resource_variable_ops.BaseResourceVariable)


def setup_bare_concrete_function(
    saved_bare_concrete_function: Any, concrete_functions: dict[str, ConcreteFunction]
) -> ConcreteFunction:
    """A loaded function that is called by itself: it takes tensors by position or name."""
    saved = saved_bare_concrete_function
    found = concrete_functions[saved.concrete_function_name]
    found._arg_keywords = list(saved.argument_keywords)
    found._num_positional_args = saved.allowed_positional_arguments
    found.add_to_graph()
    return found


class RestoredFunction(def_function.TracedFunction):
    """A `tf.function` of a SavedModel: a call is one of the recorded function that its arguments
    fit.

    Args:
      python_function: does that.
      name: the function's name.
      input_signature: the `TensorSpec`s of the arguments, or None.
      concrete_functions: the recorded functions.
    """

    def __init__(
        self,
        python_function: Any,
        name: str,
        input_signature: Any,
        concrete_functions: list[ConcreteFunction],
    ):
        super().__init__(python_function, name, input_signature, autograph=False)
        self.concrete_functions = concrete_functions

    def _list_all_concrete_functions_for_serialization(self) -> list[ConcreteFunction]:
        return self.concrete_functions


def recreate_function(
    saved_function: Any, concrete_functions: dict[str, ConcreteFunction]
) -> RestoredFunction:
    """A `tf.function` of a SavedModel.

    Args:
      saved_function: the `SavedFunction` proto.
      concrete_functions: the recorded functions by name.
    """
    own = [concrete_functions[name] for name in saved_function.concrete_functions]

    def restored_function_body(*args: Any, **kwargs: Any) -> Any:
        # A function that takes the values as they are goes before one that takes tensors of them.
        for converts in (False, True):
            for function in own:
                if _takes(function, (args, kwargs), converts):
                    return _call(function, (args, kwargs))
        raise ValueError(_no_match(args, kwargs, own))

    spec = saved_function.function_spec
    coder = nested_structure_coder.StructureCoder()
    argspec = function_serialization.deserialize_argspec(spec)
    restored_function_body.__signature__ = _signature(argspec)  # type: ignore[attr-defined]
    return RestoredFunction(
        restored_function_body,
        restored_function_body.__name__,
        coder.decode_proto(spec.input_signature),
        own,
    )


def _signature(argspec: inspect.FullArgSpec) -> inspect.Signature:
    """The parameters of a function as `inspect` knows them."""
    kind = inspect.Parameter
    defaults = argspec.defaults or ()
    found = []
    for i, name in enumerate(argspec.args):
        place = i - len(argspec.args) + len(defaults)
        default = defaults[place] if place >= 0 else kind.empty
        found.append(kind(name, kind.POSITIONAL_OR_KEYWORD, default=default))
    if argspec.varargs:
        found.append(kind(argspec.varargs, kind.VAR_POSITIONAL))
    for name in argspec.kwonlyargs:
        default = (argspec.kwonlydefaults or {}).get(name, kind.empty)
        found.append(kind(name, kind.KEYWORD_ONLY, default=default))
    if argspec.varkw:
        found.append(kind(argspec.varkw, kind.VAR_KEYWORD))
    # A parameter without a default may stand after one that has one: they were a partial's.
    return inspect.Signature(found, __validate_parameters__=False)


def _takes(function: ConcreteFunction, inputs: Any, converts: bool) -> bool:
    """Whether a recorded function can be called with arguments, made tensors if need be."""
    expected = function.graph.structured_input_signature
    try:
        flat = nest.flatten_up_to(expected, inputs)
        # The way back tells whether an argument was left out.
        repacked = nest.pack_sequence_as(expected, flat)
        nest.assert_same_structure(inputs, repacked, check_types=False)
    except (TypeError, ValueError):
        return False
    return all(_fits(value, e, converts) for value, e in zip(flat, nest.flatten(expected)))


def _fits(value: Any, expected: Any, converts: bool) -> bool:
    if isinstance(expected, TensorSpec):
        if converts:
            value = _converted_spec(value, expected.dtype)
        return (
            (_is_tensor(value) or isinstance(value, TensorSpec))
            and value.dtype == expected.dtype
            and expected.shape.is_compatible_with(value.shape)
        )
    if isinstance(expected, TypeSpec):
        return expected.is_compatible_with(value)
    return value is expected or (not _is_tensor(value) and value == expected)


def _converted_spec(value: Any, dtype: DTypeLike) -> TensorSpec | None:
    """The spec of what becomes of a value; None if no tensor can be made of it."""
    with FuncGraph("guess_conversion").as_default():
        try:
            tensor = ops.convert_to_tensor(value, dtype_hint=dtype)
        except (TypeError, ValueError):
            return None
    return TensorSpec(tensor.shape, tensor.dtype)


def _call(function: ConcreteFunction, inputs: Any) -> Any:
    expected = function.graph.structured_input_signature
    values = nest.flatten_up_to(expected, inputs, expand_composites=True)
    specs = nest.flatten(expected, expand_composites=True)
    tensors = [
        ops.convert_to_tensor(value, dtype_hint=spec.dtype)
        for value, spec in zip(values, specs)
        if isinstance(spec, TensorSpec)
    ]
    result = function._call_flat(tensors, function.captured_inputs)
    return None if isinstance(result, ops.Operation) else result


def _no_match(args: Any, kwargs: Any, functions: list[ConcreteFunction]) -> str:
    def positional(values: Any) -> str:
        lines = "\n    * ".join(str(value) for value in values)
        return f"Positional arguments ({len(values)} total):\n    * {lines}"

    options = []
    for i, function in enumerate(functions, 1):
        own_args, own_kwargs = function.structured_input_signature
        options.append(f"Option {i}:\n  {positional(own_args)}\n  Keyword arguments: {own_kwargs}")
    listed = "\n\n".join(options)
    return (
        "Could not find matching function to call loaded from the SavedModel. Got:\n  "
        f"{positional(args)}\n  Keyword arguments: {kwargs}\n\nExpected these arguments to match "
        f"one of the following {len(functions)} option(s):\n\n{listed}"
    )


# The library.


def load_function_def_library(
    library: Any, load_shared_name_suffix: str | None = None
) -> dict[str, ConcreteFunction]:
    """The functions of a library, under new names, without what they capture.

    Args:
      library: the `FunctionDefLibrary` proto.
      load_shared_name_suffix: put after names of shared resources, so that those of one loading
        are not those of another; a new one by default.

    Returns:
      {name in the library: function}.

    Raises:
      ValueError: functions call each other in a circle.
    """
    suffix = load_shared_name_suffix or f"_load_{ops.uid()}"
    functions: dict[str, ConcreteFunction] = {}
    for definition in _in_order(library):
        copy = protos.FunctionDef()
        copy.CopyFrom(definition)
        name = definition.signature.name
        for node in copy.node_def:
            fix_node_def(node, functions, suffix, name)
        found = _RECORDED.match(name)
        copy.signature.name = found[1] if found else name
        called = [functions[other] for other in _called(definition) if other in functions]
        graph = function_def_to_graph.function_def_to_graph(
            copy, copy_functions=False, called=called
        )
        functions[name] = function = ConcreteFunction(graph)
        function.add_to_graph()
        with ops.init_scope():
            function._gradient.register()
    return functions


def _called(definition: Any) -> Iterator[str]:
    """The names of what a function calls, and of op types."""
    for node in definition.node_def:
        yield node.op
        for value in node.attr.values():
            for attr in (value.func, *value.list.func):
                if attr.name:
                    yield attr.name


def _in_order(library: Any) -> list[Any]:
    """The functions of a library, each after those that it calls."""
    definitions = {function.signature.name: function for function in library.function}
    done: dict[str, Any] = {}
    begun: set[str] = set()
    for first in definitions:
        stack = [first]
        while stack:
            name = stack[-1]
            if name in done:
                stack.pop()
                continue
            waits = [n for n in _called(definitions[name]) if n in definitions and n not in done]
            if not waits:
                done[stack.pop()] = definitions[name]
            elif name in begun:
                raise ValueError(
                    "There is a cyclic-dependency between functions. ",
                    f"Could not resolve {sorted(set(definitions) - set(done))!r}.",
                )
            else:
                begun.add(name)
                stack += waits
    return list(done.values())


def fix_node_def(
    node_def: Any,
    functions: dict[str, ConcreteFunction],
    shared_name_suffix: str,
    debug_name: str,
) -> None:
    """Gives a node the new names of the functions that it calls and of what it shares.

    Args:
      node_def: the `NodeDef`, which is changed.
      functions: the new functions by their names in the file.
      shared_name_suffix: put after the name of what it shares.
      debug_name: where the node is, for a warning.
    """
    if "_gradient_op_type" in node_def.attr:
        if node_def.op in ("StatefulPartitionedCall", "PartitionedCall"):
            gradient = functions[node_def.attr["f"].func.name]._gradient.register()
            node_def.attr["_gradient_op_type"].s = gradient.encode()
        else:
            logging.warning(
                "Importing a function (%s) with ops with custom gradients. Will likely fail if a "
                "gradient is requested.",
                debug_name,
            )
    if node_def.op in functions:
        node_def.op = functions[node_def.op].name.decode()
    for value in node_def.attr.values():
        for attr in (value.func, *value.list.func):
            if attr.name:
                attr.name = functions[attr.name].name.decode()
    attrs = node_def.attr
    if node_def.op == "HashTableV2" and not attrs["use_node_name_sharing"].b:
        attrs["use_node_name_sharing"].b = True
        # Now that the node's name counts, it has to be one of its own.
        shared_name_suffix += f"_{ops.uid()}"
    if "shared_name" in attrs:
        name = attrs["shared_name"].s or node_def.name.encode()
        attrs["shared_name"].s = name + shared_name_suffix.encode()
