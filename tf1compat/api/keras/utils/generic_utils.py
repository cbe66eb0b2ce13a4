"""Objects by name and config, and small helpers
(`tensorflow.python.keras.utils.generic_utils`)."""

from __future__ import annotations

import codecs
import functools
import inspect
import marshal
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tf1compat.api.keras.utils.progbar import Progbar
from tf1compat.core import nest
from tf1compat.core.export import tf_export

__all__ = ["Progbar"]

_custom_objects: dict[str, Any] = {}


@tf_export("keras.utils.CustomObjectScope")
class CustomObjectScope:
    """A `with` block in which names in configs also stand for the objects of some dicts.

    Args:
      *args: dicts {name: class or function}.
    """

    def __init__(self, *args: Any):
        self.custom_objects = args
        self.backup: Any = None

    def __enter__(self) -> CustomObjectScope:
        self.backup = _custom_objects.copy()
        for objects in self.custom_objects:
            _custom_objects.update(objects)
        return self

    def __exit__(self, *args: Any, **kwargs: Any) -> None:
        _custom_objects.clear()
        _custom_objects.update(self.backup)


@tf_export("keras.utils.custom_object_scope")
def custom_object_scope(*args: Any) -> CustomObjectScope:
    """A `with` block in which names in configs also stand for the objects of some dicts.

    Args:
      *args: dicts {name: class or function}.

    Returns:
      A context manager.
    """
    return CustomObjectScope(*args)


@tf_export("keras.utils.get_custom_objects")
def get_custom_objects() -> dict[str, Any]:
    """The names that configs may use besides Keras's own; add to the dict to declare some."""
    return _custom_objects


def serialize_keras_class_and_config(cls_name: str, cls_config: Any) -> dict[str, Any]:
    """An object as configs name it."""
    return {"class_name": cls_name, "config": cls_config}


@tf_export("keras.utils.serialize_keras_object")
def serialize_keras_object(instance: Any) -> Any:
    """An object as its class's name and config, a function as its name.

    Args:
      instance: an object with `get_config`, a function or None.

    Returns:
      A dict, a string or None.

    Raises:
      ValueError: it has neither.
    """
    instance = inspect.unwrap(instance) if inspect.isfunction(instance) else instance
    if instance is None:
        return None
    if hasattr(instance, "get_config"):
        return serialize_keras_class_and_config(type(instance).__name__, instance.get_config())
    if hasattr(instance, "__name__"):
        return instance.__name__
    raise ValueError("Cannot serialize", instance)


def _named(name: str, module_objects: Any, custom_objects: Any) -> Any:
    for objects in (custom_objects, _custom_objects, module_objects):
        if objects and name in objects:
            return objects[name]
    return None


def class_and_config_for_serialized_keras_object(
    config: Any, module_objects: Any = None, custom_objects: dict[str, Any] | None = None,
    printable_module_name: str = "object",
) -> tuple[Any, Any]:  # fmt: skip
    """The class that a config names, and its own config.

    Raises:
      ValueError: it is no such config, or there is no such class.
    """
    if not isinstance(config, dict) or "class_name" not in config or "config" not in config:
        raise ValueError(f"Improper config format: {config}")
    cls = _named(config["class_name"], module_objects, custom_objects)
    if cls is None:
        raise ValueError(f"Unknown {printable_module_name}: {config['class_name']}")
    return cls, config["config"]


@tf_export("keras.utils.deserialize_keras_object")
def deserialize_keras_object(
    identifier: Any, module_objects: Any = None, custom_objects: dict[str, Any] | None = None,
    printable_module_name: str = "object",
) -> Any:  # fmt: skip
    """What `serialize_keras_object` described.

    Args:
      identifier: a dict of "class_name" and "config", or a name; of a class, an instance is made.
      module_objects: name -> object.
      custom_objects: the same, looked at first; those of `get_custom_objects` come between.
      printable_module_name: what it is, for error texts.

    Returns:
      The object or function.

    Raises:
      ValueError: nothing has that name.
    """
    if identifier is None:
        return None
    if isinstance(identifier, str):
        found = _named(identifier, module_objects, custom_objects)
        if found is None:
            raise ValueError(f"Unknown {printable_module_name}:{identifier}")
        return found() if inspect.isclass(found) else found
    if not isinstance(identifier, dict):
        raise ValueError(f"Could not interpret serialized {printable_module_name}: " + identifier)
    cls, config = class_and_config_for_serialized_keras_object(
        identifier, module_objects, custom_objects, printable_module_name
    )
    custom_objects = custom_objects or {}
    if not hasattr(cls, "from_config"):
        with CustomObjectScope(custom_objects):
            return cls(**config)
    if has_arg(cls.from_config, "custom_objects"):
        return cls.from_config(config, custom_objects={**_custom_objects, **custom_objects})
    with CustomObjectScope(custom_objects):
        return cls.from_config(config)


class _Settings:
    """`get_config` of a class: the parent's config and the named attributes.

        class Dropout(Layer):
            get_config = settings("rate", "noise_shape", "seed")

    Initializers, regularizers, constraints and activations are serialized. Keyword arguments give
    values that are not the attribute itself, as functions of the object.
    """

    def __init__(self, *names: str, **computed: Callable[[Any], Any]):
        self._names = names
        self._computed = computed
        self._owner: Any = None

    def __set_name__(self, owner: Any, name: str) -> None:
        self._owner = owner

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self._config, instance)

    def _config(self, instance: Any) -> dict[str, Any]:
        config = dict(super(self._owner, instance).get_config())
        for name in self._names:
            if name in self._computed:
                config[name] = self._computed[name](instance)
                continue
            value = getattr(instance, name)
            kind = name.rpartition("_")[2]
            if kind == "activation":
                from tf1compat.api.keras import activations

                value = activations.serialize(value)
            elif kind in ("initializer", "regularizer", "constraint"):
                value = serialize_keras_object(value)
            config[name] = value
        return config


def settings(*names: str, **computed: Callable[[Any], Any]) -> Any:
    """See `_Settings`, which stands in for a method."""
    return _Settings(*names, **computed)


def func_dump(func: Any) -> tuple[str, Any, Any]:
    """A function as text of its code, its defaults and the values it closes over."""
    code = codecs.encode(marshal.dumps(func.__code__), "base64").decode("ascii")
    closure = tuple(cell.cell_contents for cell in func.__closure__) if func.__closure__ else None
    return code, func.__defaults__, closure


def func_load(code: Any, defaults: Any = None, closure: Any = None, globs: Any = None) -> Any:
    """The function that `func_dump` described."""
    if isinstance(code, tuple | list):
        code, defaults, closure = code
        if isinstance(defaults, list):
            defaults = tuple(defaults)
    if closure is not None:
        closure = tuple(
            value if isinstance(value, types.CellType) else types.CellType(value)
            for value in closure
        )
    raw = codecs.decode(code.encode("ascii"), "base64")
    loaded = marshal.loads(raw)
    return types.FunctionType(
        loaded,
        globals() if globs is None else globs,
        name=loaded.co_name,
        argdefs=defaults,
        closure=closure,
    )


def function_config(value: Any, allow_raw: bool = False) -> tuple[Any, str, Any]:
    """(value, kind, module) of a function in a config.

    Args:
      value: a function, or another callable, of which only the name is kept.
      allow_raw: whether it may also be a value.

    Raises:
      ValueError: it is neither.
    """
    if isinstance(value, types.LambdaType):
        return func_dump(value), "lambda", value.__module__
    if callable(value):
        return value.__name__, "function", value.__module__
    if allow_raw:
        return value, "raw", None
    raise ValueError(f"Invalid input for serialization, type: {type(value)} ")


def function_of_config(
    value: Any, kind: str, module: Any, custom_objects: Any, what: str, names: dict[str, Any]
) -> Any:
    """The function that `function_config` described.

    Args:
      value, kind, module: what it gave.
      custom_objects: more names that the function may use.
      what: what has the function, for the texts.
      names: the names that it may use in any case.

    Raises:
      TypeError: no such kind.
    """
    names = dict(names)
    if module in sys.modules:
        names.update(vars(sys.modules[module]))
    elif module is not None:
        layer = "a Lambda layer" if what == "Lambda layer" else "a layer"
        warnings.warn(
            f"{module} is not loaded, but {layer} uses it. It may cause errors.",
            UserWarning,
            stacklevel=3,
        )
    names.update(custom_objects or {})
    if kind == "function":
        return deserialize_keras_object(
            value, custom_objects=custom_objects, printable_module_name=f"function in {what}"
        )
    if kind == "lambda":
        return func_load(value, globs=names)
    if kind == "raw":
        return value
    raise TypeError("Unknown function type:", kind)


def has_arg(fn: Any, name: str, accept_all: bool = False) -> bool:
    """Whether a function takes an argument of that name."""
    found = inspect.getfullargspec(fn)
    return (accept_all and found.varkw is not None) or name in found.args + found.kwonlyargs


def make_batches(size: int, batch_size: int) -> list[tuple[int, int]]:
    """(start, end) of each batch."""
    return [
        (start, min(size, start + batch_size))
        for start in range(0, int(np.ceil(size / float(batch_size))) * batch_size, batch_size)
    ]


def slice_arrays(arrays: Any, start: Any = None, stop: Any = None) -> Any:
    """Rows of an array or of each of a list: from `start` to `stop`, or those that `start`
    lists."""
    if arrays is None:
        return [None]
    if isinstance(start, list) and stop is not None:
        raise ValueError("The stop argument has to be None if the value of start is a list.")
    rows: Any = slice(start, stop)
    if hasattr(start, "__len__"):
        rows = start
        if hasattr(start, "shape"):
            rows = start.tolist()  # pyright: ignore[reportAttributeAccessIssue]
    if not isinstance(arrays, list):
        return arrays[rows]
    return [x[rows] if x is not None and hasattr(x, "__getitem__") else None for x in arrays]


def to_list(x: Any) -> list[Any]:
    """A list as it is, anything else as a list of it."""
    return x if isinstance(x, list) else [x]


def object_list_uid(object_list: Any) -> str:
    """A text for the identities of objects."""
    return ", ".join(str(abs(id(x))) for x in nest.flatten(object_list))


def to_snake_case(name: str) -> str:
    """A class's name as layers are named: "Conv2D" is "conv2d", "MaxPooling2D" "max_pooling2d"."""
    spaced = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    snake = re.sub(r"([a-z])([A-Z])", r"\1_\2", spaced).lower()
    return "private" + snake if snake[0] == "_" else snake


def is_all_none(structure: Any) -> bool:
    """Whether all leaves are None."""
    return all(element is None for element in nest.flatten(structure))


def check_for_unexpected_keys(name: str, input_dict: Any, expected_values: Any) -> None:
    """Refuses keys that are not expected."""
    unknown = set(input_dict.keys()).difference(expected_values)
    if unknown:
        raise ValueError(
            f"Unknown entries in {name} dictionary: {list(unknown)}. Only expected following keys: "
            f"{expected_values}"
        )


def validate_kwargs(
    kwargs: Any, allowed_kwargs: Iterable[str],
    error_message: str = "Keyword argument not understood:",
) -> None:  # fmt: skip
    """Refuses keyword arguments that are not allowed."""
    for keyword in kwargs:
        if keyword not in allowed_kwargs:
            raise TypeError(error_message, keyword)
