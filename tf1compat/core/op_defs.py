"""The schema of TF 1.15's op types, read from `data/op_defs.json` (facts taken out of the real TF
1.15.5)."""

from __future__ import annotations

import functools
import importlib.resources
import json
import keyword
import re
from typing import Any

import numpy as np

from tf1compat.core import dtypes, tensor_shape
from tf1compat.core.attribute import attribute


class ArgDef:
    """One input or output of an op type: a tensor, or a list of tensors."""

    __slots__ = ("is_list", "is_ref", "name", "number_attr", "type", "type_attr", "type_list_attr")

    def __init__(self, raw: dict[str, Any]):
        self.name: str = raw["name"]
        self.type = dtypes.as_dtype(_dtype_name(raw["type"])) if "type" in raw else None
        self.type_attr: str | None = raw.get("type_attr")
        self.type_list_attr: str | None = raw.get("type_list_attr")
        self.number_attr: str | None = raw.get("number_attr")
        self.is_ref: bool = raw.get("is_ref", False)
        self.is_list = bool(self.number_attr or self.type_list_attr)


class AttrDef:
    """One attr of an op type: its kind, its default and what it may be.

    `any_kernel` says that TF's kernels on CPUs are chosen without a look at this dtype.
    """

    __slots__ = ("allowed", "any_kernel", "default", "has_default", "minimum", "name", "type")

    def __init__(self, raw: dict[str, Any]):
        self.name: str = raw["name"]
        self.type: str = raw["type"]
        self.has_default = "default" in raw
        self.default = _plain(raw["default"], self.type) if self.has_default else None
        self.minimum: int | None = raw.get("minimum")
        self.any_kernel: bool = raw.get("any_kernel", False)
        allowed = raw.get("allowed")
        if allowed is not None:
            element = self.type.removeprefix("list(").removesuffix(")")
            allowed = tuple(_plain(value, element) for value in allowed)
        self.allowed: tuple[Any, ...] | None = allowed


class OpDef:
    """The schema of one op type.

    Attributes:
      name: the op type, e.g. "MatMul".
      input_args, output_args: lists of `ArgDef`.
      attrs: dict of attr name to `AttrDef`, in TF's order.
      is_aggregate, is_commutative, is_stateful: whether TF marks the op as that.
      gradient: "registered", "not_differentiable" or "none", as in TF 1.15.
      removed: (GraphDef version, explanation) of an op type that only older graphs may have.
    """

    __slots__ = (
        "allows_uninitialized_input",
        "attrs",
        "gradient",
        "has_list_inputs",
        "inferred",
        "input_args",
        "is_aggregate",
        "is_commutative",
        "is_stateful",
        "name",
        "output_args",
        "parameters",
        "removed",
    )

    def __init__(self, name: str, raw: dict[str, Any]):
        self.name = name
        self.input_args = [ArgDef(arg) for arg in raw["inputs"]]
        self.output_args = [ArgDef(arg) for arg in raw["outputs"]]
        self.attrs = {attr["name"]: AttrDef(attr) for attr in raw["attrs"]}
        self.is_aggregate: bool = raw.get("is_aggregate", False)
        self.is_commutative: bool = raw.get("is_commutative", False)
        self.is_stateful: bool = raw.get("is_stateful", False)
        self.allows_uninitialized_input: bool = raw.get("allows_uninitialized_input", False)
        self.gradient: str = raw["gradient"]
        self.removed: tuple[int, str] | None = tuple(raw["removed"]) if "removed" in raw else None
        self.has_list_inputs = any(arg.is_list for arg in self.input_args)
        # Attrs that the inputs determine; the others are parameters of the op's Python function.
        self.inferred = {
            attr
            for arg in self.input_args
            for attr in (arg.type_attr, arg.type_list_attr, arg.number_attr)
            if attr
        }
        own = [attr for attr in self.attrs.values() if attr.name not in self.inferred]
        self.parameters = [arg.name for arg in self.input_args]
        self.parameters += [attr.name for attr in own if not attr.has_default]
        self.parameters += [attr.name for attr in own if attr.has_default]

    @property
    def python_parameters(self) -> list[str]:
        """`parameters` as TF's generated Python function names them."""
        renamed = _RENAMED.get(self.name, {})
        names = [renamed.get(name, name) for name in self.parameters]
        return [name + "_" if keyword.iskeyword(name) else name for name in names]

    def removed_text(self, producer: int) -> str | None:
        """What TF says of the op type in a GraphDef of this version, if it had been removed by
        then."""
        if self.removed is None or producer < self.removed[0]:
            return None
        version, explanation = self.removed
        return (
            f"Op {self.name} is not available in GraphDef version {producer}. It has been removed "
            f"in version {version}. {explanation}."
        )

    # The names under which `op_def` protos are read in client code.
    input_arg: list[ArgDef] = attribute("input_args")
    output_arg: list[ArgDef] = attribute("output_args")

    @property
    def attr(self) -> list[AttrDef]:
        return list(self.attrs.values())


# Parameters that TF's Python functions name otherwise than the op definitions do.
_AXIS = {"reduction_indices": "axis"}
_RENAMED: dict[str, dict[str, str]] = {
    "ExpandDims": {"dim": "axis"},
    "Select": {"t": "x", "e": "y"},
    "Split": {"split_dim": "axis"},
    "SplitV": {"split_dim": "axis"},
    "Squeeze": {"squeeze_dims": "axis"},
    "Where": {"input": "condition"},
    **dict.fromkeys(("All", "Any", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum"), _AXIS),
}


def _dtype_name(enum_name: str) -> str:
    """`DT_FLOAT` -> `float32`, in the form `as_dtype` accepts."""
    return _ENUM_NAMES.get(enum_name) or enum_name.removeprefix("DT_").lower()


_ENUM_NAMES = {"DT_FLOAT": "float32", "DT_DOUBLE": "float64", "DT_HALF": "float16"}


def _plain(value: Any, attr_type: str) -> Any:
    """A default or allowed value from the JSON as the plain Python form in which ops keep attrs."""
    if attr_type.startswith("list("):
        element = attr_type[5:-1]
        return [_plain(item, element) for item in value]
    if attr_type == "string":
        return value.encode()
    if attr_type == "float":
        return float(np.float32(value))
    if attr_type == "type":
        return dtypes.as_dtype(_dtype_name(value))
    if attr_type == "shape":
        return tensor_shape.TensorShape(None if isinstance(value, dict) else value)
    if attr_type == "tensor":
        from tf1compat.core.tensor_proto import ShortArray

        proto = value["tensor"]
        dtype = dtypes.as_dtype(_dtype_name(proto["dtype"])).as_numpy_dtype
        sizes = [int(dim["size"]) for dim in proto["tensor_shape"].get("dim", ())]
        array = np.array(proto["int_val"], dtype).reshape(sizes).view(ShortArray)
        array.given = np.array(array)
        return array
    return value


@functools.cache
def _rows() -> dict[str, str]:
    return _read("op_defs.json")


def _read(file_name: str) -> dict[str, str]:
    """Op type -> its row, as the JSON that the file has it in: most are never asked for."""
    text = importlib.resources.files("tf1compat.core").joinpath("data", file_name).read_text()
    rows = [line.rstrip(",").split(":", 1) for line in text.splitlines()[1:-1]]
    return {name[1:-1]: row for name, row in rows}


_loaded: dict[str, str] = {}  # of libraries


def load_library(file_name: str) -> list[str]:
    """Adds the op types of a library that TF loads only when it is asked for.

    Args:
      file_name: a table below `data`, in the form of `op_defs.json`: a line for each op type.

    Returns:
      The op types.
    """
    table = _read(file_name)
    _loaded.update(table)
    get.cache_clear()
    raw.cache_clear()
    by_function.cache_clear()
    return list(table)


@functools.cache
def get(op_type: str) -> OpDef | None:
    """The `OpDef` of an op type, or None if TF 1.15 has no such op."""
    table = raw(op_type)
    return None if table is None else OpDef(op_type, table)


@functools.lru_cache(maxsize=16)
def raw(op_type: str) -> dict[str, Any] | None:
    """An op type's row of its table; None if there is no such op."""
    row = _rows().get(op_type) or _loaded.get(op_type)
    return None if row is None else json.loads(row)


def attr_kinds(op_type: str) -> dict[str, str]:
    """Name -> kind ("int", "list(type)", …) of an op type's attrs, without making its `OpDef`."""
    table = raw(op_type)
    return {} if table is None else {attr["name"]: attr["type"] for attr in table["attrs"]}


def registered() -> list[str]:
    """All op types, with those of the libraries that are loaded."""
    return [*_rows(), *_loaded]


def names() -> list[str]:
    """All op types of TF 1.15, without those of libraries."""
    return list(_rows())


@functools.cache
def by_function() -> dict[str, str]:
    """The name that TF's generated modules give to an op type's function -> the op type."""
    table = {}
    for op_type in registered():
        words = re.sub(r"(\d)D", r"\1d", op_type.lstrip("_"))
        words = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", words)
        table[re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", words).lower()] = op_type
    return table
