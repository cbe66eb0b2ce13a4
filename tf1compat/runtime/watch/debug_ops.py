"""What the debugger's ops make of a tensor, by their names in a watch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tf1compat.core import dtypes, errors

_NUMBERS = tuple("float32 float64 int8 int16 int32 int64 uint8 uint16".split())
_SUMMARY_FIELDS = 14


def _identity(value: np.ndarray | None, dtype: dtypes.DType, **attrs: Any) -> np.ndarray | None:
    return value


def _nan_count(value: np.ndarray | None, dtype: dtypes.DType, **attrs: Any) -> np.ndarray:
    if value is None or not dtype.is_floating:
        return np.zeros([1], np.int64)
    return np.array([np.isnan(value).sum()], np.int64)


def _numeric_summary(
    value: np.ndarray | None, dtype: dtypes.DType, *, lower_bound: float, upper_bound: float,
    mute_if_healthy: bool, **attrs: Any,
) -> np.ndarray | None:  # fmt: skip
    """The debugger's "health pill"; None where a healthy tensor is not to be told of."""
    found = np.zeros(_SUMMARY_FIELDS if value is None else _SUMMARY_FIELDS + value.ndim)
    found[8:12] = np.inf, -np.inf, np.nan, np.nan
    found[12] = dtype.as_datatype_enum
    if value is not None:
        numbers = value.astype(np.float64).ravel()
        low = numbers <= np.float32(lower_bound)
        high = ~low & (numbers >= np.float32(upper_bound))
        nan = np.isnan(numbers)
        plain = ~(low | high | nan)
        signs = [plain & (numbers < 0), plain & (numbers == 0), plain & (numbers > 0)]
        found[0], found[1] = 1, value.size
        found[2:8] = [mask.sum() for mask in (nan, low, *signs, high)]
        finite = numbers[np.isfinite(numbers)]
        if finite.size:
            found[8:12] = finite.min(), finite.max(), finite.mean(), finite.var()
        found[13] = value.ndim
        found[14:] = value.shape
    is_healthy = not (found[2] or found[3] or found[7])
    return None if mute_if_healthy and is_healthy else found


class _Kind(NamedTuple):
    """A debug op: its function, the dtypes that it takes (all if None), its attributes."""

    function: Callable[..., np.ndarray | None]
    takes: tuple[str, ...] | None
    gives: dtypes.DType | None
    attrs: dict[str, Any]


_KINDS = {
    "DebugIdentity": _Kind(_identity, None, None, {}),
    "DebugNanCount": _Kind(_nan_count, (*_NUMBERS, "bfloat16", "float16"), dtypes.int64, {}),
    "DebugNumericSummary": _Kind(
        _numeric_summary,
        (*_NUMBERS, "bool"),
        dtypes.float64,
        {"lower_bound": -np.inf, "upper_bound": np.inf, "mute_if_healthy": False},
    ),
}


class DebugOp(NamedTuple):
    """One debug op of a watched tensor.

    Attributes:
      name: its type.
      index: its place among those of the tensor.
      attrs: its attributes, those that all debug ops have left out.
      gated: whether it waits until a server asks for it.
      dtype: the dtype of what it gives.
    """

    name: str
    index: int
    attrs: dict[str, Any]
    gated: bool
    dtype: dtypes.DType

    def value(self, value: Any, dtype: dtypes.DType) -> np.ndarray | None:
        """What it sends of a NumPy value of a dtype (None: uninitialized).

        Raises:
          LookupError: nothing.
        """
        found = _KINDS[self.name].function(value, dtype, **self.attrs)
        if found is None and self.attrs.get("mute_if_healthy"):
            raise LookupError(self.name)
        return found


def debug_op(spec: str, index: int, dtype: dtypes.DType, tensor: str) -> DebugOp:
    """The debug op that a watch asks for.

    Args:
      spec: its type, with attributes or without: "DebugNumericSummary(lower_bound=-1; ...)".
      index: its place.
      dtype, tensor: the dtype and name of what is watched.

    Raises:
      FailedPreconditionError: there is none, or none for the dtype; its attributes are not its own.
    """
    plain = spec.replace(" ", "")
    name, bracket, rest = plain.partition("(")
    debug_node = f"__dbg_{tensor}_{index}_{name}"
    copying, watching = "Copy/CopyHost node", f"debug node {plain}"
    if bracket and not rest.endswith(")"):
        raise _failed(copying, tensor, f'Malformed debug op name "{plain}"')
    given = {}
    gated = False
    for part in rest.removesuffix(")").split(";") if rest.removesuffix(")") else ():
        key, _, text = part.partition("=")
        if not (key and text):
            raise _failed(copying, tensor, f'Malformed attributes in debug op name "{plain}"')
        if key == "gated_grpc":
            found = _as_bool(text)
            if found is None:
                raise _failed(copying, tensor, f"Invalid string for bool value: {text}")
            gated = found
        else:
            given[key] = text
    about = f"debug op {name} on watched tensor {tensor}"
    kind = _KINDS.get(name)
    if kind is None:
        raise _failed(watching, tensor, f"Failed to create node definition for {about}")
    if kind.takes is not None and dtype.base_dtype.name not in kind.takes:
        raise _failed(watching, tensor, f"Failed to find kernel definition for {about}")
    attrs: dict[str, Any] = dict(kind.attrs)
    for key in attrs.keys() & given.keys():
        is_bool = isinstance(attrs[key], bool)
        value = _as_bool(given[key]) if is_bool else _as_float(given[key])
        if value is None:
            # No space between the two, as in TF 1.15.
            raise _failed(
                watching,
                tensor,
                f"Invalid value string for {'bool' if is_bool else 'float'}-type attribute {key}"
                f'of debug node {debug_node}: "{given[key]}"',
            )
        attrs[key] = value
    unknown = [key for key in given if key not in attrs]
    if unknown:
        raise _failed(
            watching,
            tensor,
            f"{len(unknown)} attribute key(s) were not valid for debug node {debug_node}: "
            + ", ".join(unknown),
        )
    return DebugOp(name, index, attrs, gated, kind.gives or dtype.base_dtype)


def _as_bool(text: str) -> bool | None:
    if text.lower() in ("true", "1", "t", "y", "yes"):
        return True
    return False if text.lower() in ("false", "0", "f", "n", "no") else None


def _as_float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _failed(node: str, tensor: str, why: str) -> errors.OpError:
    return errors.FailedPreconditionError(
        None, None, f"Failed to create {node} for tensor {tensor}, due to: {why}"
    )
