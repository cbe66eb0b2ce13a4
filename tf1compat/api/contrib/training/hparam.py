"""Hyperparameters (`tensorflow.contrib.training.python.training.hparam`)."""

from __future__ import annotations

import json
import numbers
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from tf1compat.api.util import compat
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.export import tf_export
from tf1compat.formats import hparam_pb2

__all__ = ["HParams", "parse_values"]

# name, perhaps [index], = and then a value without commas or [a list].
PARAM_RE = re.compile(
    r"""
    (?P<name>[a-zA-Z][\w\.]*)
    (\[\s*(?P<index>\d+)\s*\])?
    \s*=\s*
    ((?P<val>[^,\[]*)|\[(?P<vals>[^\]]*)\])
    ($|,\s*)""",
    re.VERBOSE,
)


def _parse_fail(name: str, var_type: type, value: str, values: str) -> NoReturn:
    raise ValueError(
        f"Could not parse hparam '{name}' of type '{var_type.__name__}' with value '{value}' in "
        f"{values}"
    )


def _reuse_fail(name: str, values: str) -> NoReturn:
    raise ValueError(f"Multiple assignments to variable '{name}' in {values}")


def _parse_bool(value: str) -> bool:
    if value in ["true", "True"]:
        return True
    if value in ["false", "False"]:
        return False
    return bool(int(value))


def _set_element(found: dict[str, Any], name: str, index: int, value: Any, values: str) -> None:
    elements = found.setdefault(name, {})
    if not isinstance(elements, dict):
        _reuse_fail(name, values)
    if index in elements:
        _reuse_fail(f"{name}[{index}]", values)
    elements[index] = value


@tf_export("contrib.training.parse_values")
def parse_values(
    values: str, type_map: Mapping[str, Any], ignore_unknown: bool = False
) -> dict[str, Any]:
    """Reads hyperparameters from text such as "a=1,b=[2,3],c[1]=4".

    Args:
      values: the text.
      type_map: name -> type.
      ignore_unknown: whether to leave out names that `type_map` hasn't.

    Returns:
      Name -> value, list of values, or dict of values by index.

    Raises:
      ValueError: it is no such text, or a name is unknown or set twice.
    """
    found: dict[str, Any] = {}
    position = 0
    while position < len(values):
        match = PARAM_RE.match(values, position)
        if not match:
            raise ValueError(f"Malformed hyperparameter value: {values[position:]}")
        position = match.end()
        name, index = match["name"], match["index"]
        if name not in type_map:
            if ignore_unknown:
                continue
            raise ValueError(f"Unknown hyperparameter type for {name}")
        type_ = type_map[name]
        parse: Callable[[str], Any] = _parse_bool if type_ is bool else type_
        text, texts = match["val"], match["vals"]
        if text is not None:
            try:
                value = parse(text)
            except ValueError:
                _parse_fail(name, type_, text, values)
            if index:
                _set_element(found, name, int(index), value, values)
            elif name in found:
                _reuse_fail(name, values)
            else:
                found[name] = value
        elif texts is not None:
            if index is not None:
                raise ValueError("Assignment of a list to a list index.")
            if name in found:
                _reuse_fail(name, values)
            try:
                found[name] = [parse(part) for part in re.split("[ ,]", texts) if part]
            except ValueError:
                _parse_fail(name, type_, texts, values)
        else:
            _parse_fail(name, type_, "", values)
    return found


def _cast_to_type_if_compatible(name: str, param_type: Any, value: Any) -> Any:
    """The value as one of the type, unless that would change what it is.

    Raises:
      ValueError: it would: text for a number, a float for an int, a number for a bool, ….
    """
    if type(value) is param_type or issubclass(param_type, type(None)):
        return value
    fits = issubclass(param_type, bool) == isinstance(value, bool)
    for kind in (str | bytes, numbers.Integral, numbers.Number):
        fits = fits and (isinstance(value, kind) or not issubclass(param_type, kind))
    if not fits:
        raise ValueError(
            f"Could not cast hparam '{name}' of type '{param_type}' from value {value!r}"
        )
    return param_type(value)


# In the order in which they are looked for: a bool is an int.
_MESSAGE_KINDS: dict[type | tuple[type, ...], str] = {
    bool: "bool", int: "int64", (str, bytes): "bytes", float: "float",
}  # fmt: skip


def _message_kind(param_type: type) -> str:
    """What the fields for values of a type are named after."""
    for types, kind in _MESSAGE_KINDS.items():
        if issubclass(param_type, types):
            return kind
    raise ValueError(f"Unsupported parameter type: {param_type}")


@tf_export("contrib.training.HParams")
class HParams:
    """Hyperparameters: attributes whose types stay as they are.

    Args:
      hparam_def: an `HParamDef` of them, or None.
      model_structure: anything; see `get_model_structure`.
      **kwargs: the names and values.

    Raises:
      AssertionError: `hparam_def` is no such message.
      ValueError: both a message and values are given, a name is reserved, or a list is empty.
    """

    _HAS_DYNAMIC_ATTRIBUTES = True

    def __init__(self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any):
        # Name -> (type, whether it is a list of these).
        self._hparam_types: dict[str, tuple[type, bool]] = {}
        self._model_structure = model_structure
        if hparam_def:
            self._add_all(hparam_def)
            if kwargs:
                raise ValueError("hparam_def and initialization values are mutually exclusive")
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def _add_all(self, hparam_def: Any) -> None:
        """Adds what is in a message."""
        if not isinstance(hparam_def, hparam_pb2.HParamDef):
            raise AssertionError
        for name, entry in hparam_def.hparam.items():
            kind = entry.WhichOneof("kind")
            # An entry without a kind is an AttributeError in TensorFlow, and so it is here.
            is_list = kind.endswith("_list")
            values = list(getattr(entry, kind).value) if is_list else [getattr(entry, kind)]
            if kind.startswith("bytes"):
                values = [compat.as_text(v) for v in values]
            self.add_hparam(name, values if is_list else values[0])

    def add_hparam(self, name: str, value: Any) -> None:
        """Adds a hyperparameter, whose type is that of its value.

        Raises:
          ValueError: there is an attribute of that name, or the value is an empty list.
        """
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        is_list = isinstance(value, list | tuple)
        if is_list and not value:
            raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
        self._hparam_types[name] = (type(value[0] if is_list else value), is_list)
        setattr(self, name, value)

    def set_hparam(self, name: str, value: Any) -> None:
        """Sets a hyperparameter to a value of its type.

        Raises:
          KeyError: there is none of that name.
          ValueError: the value is of another type.
        """
        param_type, is_list = self._hparam_types[name]
        gives_list = isinstance(value, list)
        if gives_list and not is_list:
            raise ValueError(f"Must not pass a list for single-valued parameter: {name}")
        if is_list and not gives_list:
            raise ValueError(f"Must pass a list for multi-valued parameter: {name}.")
        cast = [
            _cast_to_type_if_compatible(name, param_type, v)
            for v in (value if is_list else [value])
        ]
        setattr(self, name, cast if is_list else cast[0])

    def del_hparam(self, name: str) -> None:
        """Removes a hyperparameter, if there is one of that name."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values: str) -> HParams:
        """Sets hyperparameters from text such as "a=1,b=[2,3]"; see `parse_values`.

        Returns:
          self.
        """
        types = {name: param_type for name, (param_type, _) in self._hparam_types.items()}
        return self.override_from_dict(parse_values(values, types))

    def override_from_dict(self, values_dict: Mapping[str, Any]) -> HParams:
        """Sets hyperparameters from a dict.

        Returns:
          self.
        """
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    @deprecated(
        None,
        "Use `override_from_dict`.",
        module="tensorflow.contrib.training.python.training.hparam",
    )
    def set_from_map(self, values_map: Mapping[str, Any]) -> HParams:
        """`override_from_dict`."""
        return self.override_from_dict(values_dict=values_map)

    def set_model_structure(self, model_structure: Any) -> None:
        """Sets what `get_model_structure` gives."""
        self._model_structure = model_structure

    def get_model_structure(self) -> Any:
        """What was set with `set_model_structure` or the constructor."""
        return self._model_structure

    def to_json(self, indent: Any = None, separators: Any = None, sort_keys: bool = False) -> str:
        """The hyperparameters as JSON. Args: as for `json.dumps`."""
        return json.dumps(
            self.values(), indent=indent, separators=separators, sort_keys=sort_keys
        )  # fmt: skip

    def parse_json(self, values_json: str) -> HParams:
        """Sets hyperparameters from a JSON object.

        Returns:
          self.
        """
        return self.override_from_dict(json.loads(values_json))

    def values(self) -> dict[str, Any]:
        """Name -> value."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a hyperparameter, or `default` if there is none of that name.

        Raises:
          ValueError: there is one, of another type than `default`.
        """
        if key not in self._hparam_types:
            return default
        if default is not None:
            self._check_default(key, default)
        return getattr(self, key)

    def _check_default(self, key: str, default: Any) -> None:
        param_type, is_list = self._hparam_types[key]
        type_text = f"list<{param_type}>" if is_list else str(param_type)
        text = f"Hparam '{key}' of type '{type_text}' is incompatible with default={default}"
        if is_list != isinstance(default, list):
            raise ValueError(text)
        try:
            for value in default if is_list else [default]:
                _cast_to_type_if_compatible(key, param_type, value)
        except ValueError as error:
            raise ValueError(f"{text}. {error}") from None

    def __contains__(self, key: object) -> bool:
        return key in self._hparam_types

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.values().items())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({sorted(self.values().items())})"

    def to_proto(self, export_scope: Any = None) -> Any:
        """The hyperparameters as a message.

        Args:
          export_scope: not used.

        Returns:
          An `HParamDef`.

        Raises:
          ValueError: a value is no bool, int, float or text.
        """
        found = hparam_pb2.HParamDef()
        for name, (param_type, is_list) in self._hparam_types.items():
            kind = _message_kind(param_type)
            value = getattr(self, name)
            values = value if is_list else [value]
            if kind == "bytes":
                values = [compat.as_bytes(v) for v in values]
            if is_list:
                getattr(found.hparam[name], f"{kind}_list").value.extend(values)
            else:
                setattr(found.hparam[name], f"{kind}_value", values[0])
        return found

    @staticmethod
    def from_proto(hparam_def: Any, import_scope: Any = None) -> HParams:
        """The hyperparameters of a message.

        Args:
          hparam_def: an `HParamDef`.
          import_scope: not used.

        Returns:
          An `HParams`.
        """
        return HParams(hparam_def=hparam_def)
