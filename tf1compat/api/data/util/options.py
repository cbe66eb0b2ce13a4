"""Objects of options with checked types, that can be merged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class OptionsBase:
    """Base of the classes of options: their properties come from `create_option`."""

    def __init__(self) -> None:
        object.__setattr__(self, "_options", {})

    _options: dict[str, Any]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, self.__class__):
            return NotImplemented
        names = set(self._options) | set(other._options)
        return all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]

    def __setattr__(self, name: str, value: Any) -> None:
        if not hasattr(self, name):
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        object.__setattr__(self, name, value)


def create_option(
    name: str, ty: Any, docstring: str, default_factory: Callable[[], Any] = lambda: None
) -> property:
    """A property of an `OptionsBase`.

    Args:
      name: its name.
      ty: the type, or types, of its values.
      docstring: what it means.
      default_factory: makes its value before one is set.
    """

    def get(options: OptionsBase) -> Any:
        if name not in options._options:
            options._options[name] = default_factory()
        return options._options[name]

    def put(options: OptionsBase, value: Any) -> None:
        if not isinstance(value, ty):
            raise TypeError(
                f'Property "{name}" must be of type {ty}, got: {value!r} (type: {type(value)!r})'
            )
        options._options[name] = value

    return property(get, put, None, docstring)


def merge_options(*options_list: Any) -> Any:
    """Options with all that is set in any of `options_list`.

    Raises:
      TypeError: they are of different types, or no options.
      ValueError: two of them set an option to different values, or there are none.
    """
    if not options_list:
        raise ValueError("At least one options should be provided")
    kind: Any = type(options_list[0])
    for options in options_list:
        if not isinstance(options, kind):
            raise TypeError(f"Incompatible options type: {type(options)!r} vs {kind!r}")
    if not isinstance(options_list[0], OptionsBase):
        raise TypeError("The inputs should inherit from `OptionsBase`")
    defaults, result = kind(), kind()
    for options in options_list:
        for name in options._options:
            this, that = getattr(result, name), getattr(options, name)
            default = getattr(defaults, name)
            if that == default:
                continue
            if this == default:
                setattr(result, name, that)
            elif isinstance(this, OptionsBase):
                setattr(result, name, merge_options(this, that))
            elif this != that:
                raise ValueError(
                    f"Cannot merge incompatible values ({this!r} and {that!r}) of option: {name}"
                )
    return result
