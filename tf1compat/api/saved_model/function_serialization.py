"""`tensorflow.python.saved_model.function_serialization`: functions as protos of a SavedModel."""

from __future__ import annotations

import inspect
from typing import Any

from tf1compat.api.functions import function_tracing
from tf1compat.api.saved_model import nested_structure_coder
from tf1compat.core import protos


def serialize_concrete_function(concrete_function: Any, node_ids: Any, coder: Any) -> Any:
    """The `SavedConcreteFunction` proto of a recorded function.

    Args:
      concrete_function: the function.
      node_ids: captured tensor -> the number of the object that it belongs to.
      coder: a `StructureCoder`.

    Raises:
      KeyError: it captures a tensor of no object that is saved.
    """
    made = protos.SavedConcreteFunction()
    for capture in concrete_function.captured_inputs:
        if capture not in node_ids:
            raise KeyError(
                f"Failed to add concrete function {concrete_function.name} to object based saved "
                f"model as it captures tensor {capture} which is unsupported or not reachable from "
                "root. One reason could be that a stateful object or a variable that the function "
                "depends on is not assigned to an attribute of the serialized trackable object "
                "(see SaveTest.test_captures_unreachable_variable)."
            )
        made.bound_inputs.append(node_ids[capture])
    made.canonicalized_input_signature.CopyFrom(
        coder.encode_structure(concrete_function.structured_input_signature)
    )
    made.output_signature.CopyFrom(
        coder.encode_structure(function_tracing.signature_of(concrete_function.structured_outputs))
    )
    return made


def serialize_bare_concrete_function(concrete_function: Any) -> Any:
    """The `SavedBareConcreteFunction` proto of a recorded function that is called by itself."""
    return protos.SavedBareConcreteFunction(
        concrete_function_name=concrete_function.name,
        allowed_positional_arguments=concrete_function._num_positional_args,
        argument_keywords=concrete_function._arg_keywords,
    )


def serialize_function(function: Any) -> Any:
    """The `SavedFunction` proto of a `tf.function`."""
    coder = nested_structure_coder.StructureCoder()
    made = protos.SavedFunction()
    spec = function.function_spec
    # Annotations are Python's own, and few can be written.
    argspec = spec.fullargspec._replace(annotations={})
    if spec.self_name is not None:
        # A method's own parameter is written, too.
        argspec = argspec._replace(args=[spec.self_name, *argspec.args])
    made.function_spec.fullargspec.CopyFrom(coder.encode_structure(argspec))
    made.function_spec.is_method = spec.self_name is not None
    made.function_spec.input_signature.CopyFrom(coder.encode_structure(spec.input_signature))
    for concrete_function in function._list_all_concrete_functions_for_serialization():
        made.concrete_functions.append(concrete_function.name)
    return made


def deserialize_argspec(proto: Any) -> inspect.FullArgSpec:
    """The parameters of a saved function, without that of the object whose method it was.

    Raises:
      NotImplementedError: it is a method without such a parameter.
    """
    coder = nested_structure_coder.StructureCoder()
    found = inspect.FullArgSpec(*coder.decode_proto(proto.fullargspec))
    if not proto.is_method:
        return found
    if not found.args:
        raise NotImplementedError(
            "Missing support to deserialize a method function without a named 'self' argument."
        )
    return found._replace(args=found.args[1:])
