"""`tensorflow.python.saved_model.signature_serialization`: the signatures of an object that is
saved: functions from tensors with names to tensors with names."""

from __future__ import annotations

import collections.abc
from collections.abc import Iterator
from typing import Any

from tf1compat.api.functions import function as def_function
from tf1compat.api.functions.concrete_function import ConcreteFunction
from tf1compat.api.saved_model import revived_types, signature_constants
from tf1compat.api.training.tracking import base
from tf1compat.api.util import compat
from tf1compat.core import nest, ops
from tf1compat.core.type_spec import TensorSpec

# Of Keras models: the function that is exported unless others are given.
DEFAULT_SIGNATURE_ATTR = "_default_save_signature"
SIGNATURE_ATTRIBUTE_NAME = "signatures"


def _concrete(function: Any) -> ConcreteFunction | None:
    """The recorded function that a signature calls; None if there is no such."""
    kinds = (def_function.Function, def_function.TracedFunction)
    if isinstance(function, kinds) and function.input_signature is not None:
        function = function.get_concrete_function()
    return function if isinstance(function, ConcreteFunction) else None


def _can_be_signature(function: ConcreteFunction) -> bool:
    """Whether it returns tensors to which names can be given."""
    if not function.outputs:
        return False
    try:
        _named_outputs(function.structured_outputs, "unused", "unused")
    except ValueError:
        return False
    return True


def find_function_to_export(saveable_view: Any) -> ConcreteFunction | None:
    """The function that becomes the signature of an object for which none is given.

    Args:
      saveable_view: lists the functions of objects.

    Returns:
      The one that the object names itself, else its only `tf.function` that can be a signature,
      else None.
    """
    functions = saveable_view.list_functions(saveable_view.root)
    own = functions.get(DEFAULT_SIGNATURE_ATTR)
    if own is not None:
        return own
    concrete = [_concrete(function) for function in functions.values()]
    possible = [found for found in concrete if found is not None and _can_be_signature(found)]
    return possible[0] if len(possible) == 1 else None


def canonicalize_signatures(signatures: Any) -> dict[str, ConcreteFunction]:
    """Signatures as recorded functions that take tensors by name and return a dict.

    Args:
      signatures: None, a function, or a dict of such: concrete functions, or `tf.function`s with
        an input signature.

    Raises:
      ValueError: something else, or a function whose outputs can't be named.
    """
    if signatures is None:
        return {}
    if not isinstance(signatures, collections.abc.Mapping):
        signatures = {signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signatures}
    found = {}
    for key, function in signatures.items():
        concrete = _concrete(function)
        if concrete is None:
            raise ValueError(
                f"Expected a TensorFlow function to generate a signature for, but got {function}. "
                "Only `tf.functions` with an input signature or concrete functions can be used as "
                "a signature."
            )
        found[key] = _returning_names(concrete, key)
    return found


def _returning_names(concrete: ConcreteFunction, key: str) -> ConcreteFunction:
    @def_function.function
    def signature_wrapper(**kwargs: Any) -> Any:
        return _named_outputs(concrete(**kwargs), concrete.name, key)

    keywords = [compat.as_text(keyword) for keyword in concrete._arg_keywords or ()]
    specs = {
        keyword: TensorSpec.from_tensor(tensor, name=keyword)
        for keyword, tensor in zip(keywords, concrete.inputs)
    }
    made = signature_wrapper.get_concrete_function(**specs)
    # Of several arguments none is the first: a SignatureDef's inputs have no order.
    made._num_positional_args = 1 if len(made._arg_keywords or ()) == 1 else 0
    return made


def _named_outputs(outputs: Any, function_name: Any, signature_key: str) -> Any:
    """The outputs of a signature as a dict: "output_0" and so on unless they have names.

    Raises:
      ValueError: they are nested, or no tensors.
    """
    if isinstance(outputs, collections.abc.Mapping):
        for key, value in outputs.items():
            if not isinstance(value, ops.Tensor):
                raise ValueError(
                    f"Got a dictionary containing non-Tensor value {value} for key {key} in the "
                    f"output of the function {compat.as_text(function_name)} used to generate a "
                    "SavedModel signature. Dictionaries outputs for functions used as signatures "
                    "should have one Tensor output per string key."
                )
        return outputs
    flat = outputs if isinstance(outputs, collections.abc.Sequence) else [outputs]
    if any(nest.is_sequence(value) for value in flat):
        raise ValueError(
            f"Got non-flat outputs '{outputs}' from '{compat.as_text(function_name)}' for "
            f"SavedModel signature '{signature_key}'. Signatures have one Tensor per output, so to "
            "have predictable names Python functions used to generate these signatures should "
            "avoid outputting Tensors in nested structures."
        )
    return {f"output_{i}": value for i, value in enumerate(flat)}


class _SignatureMap(collections.abc.Mapping[str, ConcreteFunction], base.Trackable):
    """The signatures of a loaded object."""

    def __init__(self) -> None:
        self._signatures: dict[str, ConcreteFunction] = {}

    def _add_signature(self, name: str, concrete_function: ConcreteFunction) -> None:
        self._signatures[name] = concrete_function

    def __getitem__(self, key: str) -> ConcreteFunction:
        return self._signatures[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._signatures)

    def __len__(self) -> int:
        return len(self._signatures)

    def __repr__(self) -> str:
        return f"_SignatureMap({self._signatures})"

    def _list_functions_for_serialization(self, serialization_cache: Any) -> dict[str, Any]:
        return {key: value for key, value in self.items() if def_function.is_saved_function(value)}


revived_types.register_revived_type(
    "signature_map",
    lambda obj: isinstance(obj, _SignatureMap),
    versions=[
        revived_types.VersionedTypeRegistration(
            object_factory=lambda proto: _SignatureMap(),
            version=1,
            min_producer_version=1,
            min_consumer_version=1,
            setter=_SignatureMap._add_signature,
        )
    ],
)


def create_signature_map(signatures: dict[str, ConcreteFunction]) -> _SignatureMap:
    """The object that holds signatures as `canonicalize_signatures` gives them."""
    made = _SignatureMap()
    for name, function in signatures.items():
        made._add_signature(name, function)
    return made


def validate_saveable_view(saveable_view: Any) -> None:
    """Refuses an object that has an attribute of the signatures' name.

    Args:
      saveable_view: lists what objects depend on.

    Raises:
      ValueError: it has one.
    """
    root = saveable_view.root
    for name, dependency in saveable_view.list_dependencies(root):
        if name == SIGNATURE_ATTRIBUTE_NAME and not isinstance(dependency, _SignatureMap):
            raise ValueError(
                f"Exporting an object {root} which has an attribute named '{name}'. This is a "
                "reserved attribute used to store SavedModel signatures in objects which come from "
                f"`tf.saved_model.load`. Delete this attribute (e.g. 'del obj.{name}') before "
                "saving if this shadowing is acceptable."
            )
