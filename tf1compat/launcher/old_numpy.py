"""What calls and assignments of old sources do where today's NumPy refuses (see rewrite.py).

Each function first does what the source says.  Only if NumPy refuses that, for a reason that it
had not in TF 1.15's day, it does what NumPy 1.16 did.
"""

from __future__ import annotations

import functools
import math
import operator  # noqa: F401 - rewritten code finds it here
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.core.object_arrays import object_array


class _Slot:
    """`slot[i, 1:]` is the key that `x[i, 1:]` looks up."""

    def __getitem__(self, key: Any) -> Any:
        return key


slot = _Slot()
# What made a tuple of a list of indices, and how many of them were a list in any case.
_SEVERAL = (slice, type(Ellipsis), np.ndarray, list, tuple, range)
_MAXDIMS = 32


def _refuses(action: Callable[[], object]) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            action()
        except (AttributeError, TypeError, ValueError):
            return True
    return False


# Whether an array with one element is no scalar (NumPy 2.4), and can't be put in a slot.
REFUSES_SCALARS = _refuses(lambda: float(np.zeros(1)))  # type: ignore[arg-type]
REFUSES_SLOTS = _refuses(lambda: np.zeros(3).__setitem__(0, np.zeros(1)))


def tostring(self: np.ndarray, order: Any = "C") -> bytes:
    """`ndarray.tostring`."""
    return self.tobytes(order)


def itemset(self: np.ndarray, *args: Any) -> None:
    """`ndarray.itemset`: `(value)`, `(index, value)` or `(i, j, value)`."""
    *index, value = args
    if len(index) == 1:
        (index,) = index
    elif not index:
        index = 0
    if isinstance(index, (int, np.integer)):
        self.flat[index] = value
    else:
        self[tuple(index)] = value


def newbyteorder(self: np.ndarray, new_order: str = "S") -> np.ndarray:
    """`ndarray.newbyteorder`: a view with the byte order changed."""
    return self.view(self.dtype.newbyteorder(new_order))  # type: ignore[arg-type]


def ptp(self: np.ndarray, axis: Any = None, out: Any = None, **kwargs: Any) -> Any:
    """`ndarray.ptp`: the greatest value less the least."""
    return np.ptp(self, axis, out, **kwargs)


def _frombytes(self: Any, data: Any) -> None:
    """`array.fromstring`."""
    self.frombytes(data.encode("latin-1") if isinstance(data, str) else data)


def _getiterator(self: Any, tag: str | None = None) -> list[Any]:
    """`Element.getiterator`."""
    return list(self.iter(tag))


# Methods that classes written in C lost, which can't be given to them again: name -> class -> it.
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "tostring": {"numpy.ndarray": tostring, "array.array": lambda self: self.tobytes()},
    "fromstring": {"array.array": _frombytes},
    "itemset": {"numpy.ndarray": itemset},
    "newbyteorder": {"numpy.ndarray": newbyteorder},
    "ptp": {"numpy.ndarray": ptp},
    "getchildren": {"xml.etree.ElementTree.Element": list},
    "getiterator": {"xml.etree.ElementTree.Element": _getiterator},
}


def attribute(value: Any, name: str) -> Any:
    """`value.name`, where `name` is one of METHODS."""
    if not hasattr(value, name):
        if isinstance(value, np.generic):
            value = np.asarray(value)
        for cls in type(value).__mro__:
            function = METHODS[name].get(f"{cls.__module__}.{cls.__qualname__}")
            if function is not None:
                return functools.partial(function, value)
    return getattr(value, name)


def _is_single(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim > 0 and value.size == 1


def _scalar(value: Any) -> Any:
    return value.item() if _is_single(value) else value


def scalars(function: Callable[..., Any], *args: Any) -> Any:
    """`function(*args)` for a function of numbers: an array with one element is one too."""
    try:
        return function(*args)
    except TypeError:
        if not any(_is_single(arg) for arg in args):
            raise
    return function(*map(_scalar, args))


def percent(text: Any, values: Any) -> Any:
    """`text % values`."""
    try:
        return text % values
    except TypeError:
        several = isinstance(values, tuple)
        if not any(map(_is_single, values if several else (values,))):
            raise
    return text % (tuple(map(_scalar, values)) if several else _scalar(values))


def indices(target: Any, key: Any) -> Any:
    """The key of `target[key]`: a short list with more than numbers in it was a tuple (NumPy 1.22).

    Otherwise it would be refused if there are slices in it and, if there are lists or arrays, be
    one array: other elements, in silence.
    """
    if type(key) is not list or not isinstance(target, np.ndarray) or len(key) >= _MAXDIMS:
        return key
    several = any(part is None or isinstance(part, _SEVERAL) for part in key)
    return tuple(key) if several else key


def store(value: Any, target: Any, key: Any) -> None:
    """`target[key] = value`."""
    try:
        target[key] = value
        return
    except ValueError:
        if not isinstance(target, np.ndarray) or not _is_single(value):
            raise
    target[key] = value.item()


def item(target: Any, key: Any) -> tuple[Any, Any, Any]:
    """What `augment` changes: `target[key]` as it is before the other operand is evaluated."""
    return target, key, target[key]


def augment(operation: Callable[[Any, Any], Any], place: tuple[Any, Any, Any], value: Any) -> None:
    """`target[key] += value`, with `operator.iadd` and the like as the operation."""
    target, key, old = place
    store(operation(old, value), target, key)


def array(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`np.array(…)`: `copy=False` copies if it must, and lists of uneven lengths are objects.

    So are symbolic tensors in lists.
    """
    if function not in (np.array, np.asarray, np.asanyarray):
        return function(*args, **kwargs)
    if function is np.array and kwargs.get("copy", True) is False:
        kwargs["copy"] = None
    given = len(args) > 1 or kwargs.get("dtype") is not None
    try:
        return function(*args, **kwargs)
    except NotImplementedError:  # A tensor's refusal.
        objects = object_array(args[0]) if args else None
        if objects is None:
            raise
        return function(objects, *args[1:], **kwargs)
    except ValueError as error:
        if given or "inhomogeneous shape" not in str(error):
            raise
    return function(*args, **{**kwargs, "dtype": object})


def saved(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`np.save(…)` and `np.savez(…)`, of lists of uneven lengths too."""

    def given(value: Any) -> Any:
        return array(np.asanyarray, value) if isinstance(value, (list, tuple)) else value

    return function(*map(given, args), **{key: given(value) for key, value in kwargs.items()})


# Functions that gave a list of arrays before NumPy 2.
LISTS = frozenset(
    ("atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "gradient", "meshgrid")
)


def listed(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`np.meshgrid(…)`, or another of LISTS: a list."""
    result = function(*args, **kwargs)
    of_numpy = type(result) is tuple and function is getattr(np, function.__name__, None)
    return list(result) if of_numpy else result


# Functions that add or multiply what is in a list, tensors too.
REDUCTIONS = frozenset(("prod", "sum"))


def reduced(function: Callable[..., Any], values: Any, *args: Any, **kwargs: Any) -> Any:
    """`np.sum(…)` or another of REDUCTIONS, of lists of symbolic tensors too."""
    try:
        return function(values, *args, **kwargs)
    except NotImplementedError:
        objects = object_array(values)
        if objects is None:
            raise
    return function(objects, *args, **kwargs)


def summed(function: Callable[..., Any], values: Any, *args: Any, **kwargs: Any) -> Any:
    """`np.sum(x for x in …)`, which was Python's `sum`."""
    if function is np.sum and not args and not kwargs:
        return sum(values)
    return function(values, *args, **kwargs)


# Functions of scalars in `math`, which took arrays with one element.
MATH = frozenset(name for name in vars(math) if callable(getattr(math, name)))
