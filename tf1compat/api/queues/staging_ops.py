"""The staging areas of TF's data_flow_ops: tensors handed from one step of a program to another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.core import ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape, unknown_shape
from tf1compat.core.typing import Name


class BaseStagingArea:
    """What the staging areas share.

    Args:
      dtypes: of each component.
      shapes: of each component; unknown by default.
      names: of the components, if tuples are put in as dicts.
      shared_name: areas of one name are the same.
      capacity: how many tuples it takes; 0 for any number.
      memory_limit: how many bytes it takes; 0 for any number.

    Raises:
      ValueError: the arguments do not fit each other.
    """

    def __init__(
        self,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        capacity: int = 0,
        memory_limit: int = 0,
    ):
        if shared_name is None:
            self._name = ops.get_default_graph().unique_name(type(self).__name__)
        elif isinstance(shared_name, str):
            self._name = shared_name
        else:
            raise ValueError("shared_name must be a string")
        self._dtypes = dtypes
        for what, given in (("shapes", shapes), ("names", names)):
            if given is not None and len(given) != len(dtypes):
                raise ValueError(f"StagingArea {what} must be the same length as dtypes")
        if shapes is None:
            self._shapes = [unknown_shape() for _ in dtypes]
        else:
            self._shapes = [TensorShape(shape) for shape in shapes]
        self._names = names
        self._capacity = capacity
        self._memory_limit = memory_limit
        with ops.name_scope(f"{self._name}_root"):
            self._coloc_op = control_flow_ops.no_op()

    name: str = attribute("_name", "The name that it is shared by.")
    dtypes = attribute("_dtypes", "The dtype of each component.")
    shapes = attribute("_shapes", "The shape of each component.")
    names = attribute("_names", "The name of each component, or None.")
    capacity: int = attribute("_capacity", "How many tuples it takes.")
    memory_limit: int = attribute("_memory_limit", "How many bytes it takes.")

    def _settings(self) -> dict[str, Any]:
        return {
            "shared_name": self._name,
            "capacity": self._capacity,
            "memory_limit": self._memory_limit,
        }

    def _check_put_dtypes(self, vals: Any, indices: Any = None) -> tuple[list[Tensor], Any]:
        """The tensors to put in, and which components they are."""
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Staging areas must have names to enqueue a dictionary")
            if not set(vals).issubset(self._names):
                raise ValueError(
                    "Keys in dictionary to put do not match names of staging area. "
                    f"Dictionary: ({sorted(vals)}), Queue: ({sorted(self._names)})"
                )
            present = [(vals[k], i) for i, k in enumerate(self._names) if k in vals]
            vals, indices = zip(*present)
        elif self._names:
            raise ValueError("You must enqueue a dictionary in a staging area with names")
        elif indices is None:
            raise ValueError("Indices must be supplied when inserting a list of tensors")
        elif len(indices) != len(vals):
            raise ValueError("Number of indices '%s' doesn't match number of values '%s'")
        if len(vals) > len(self._dtypes):
            raise ValueError(f"Unexpected number of inputs '{len(vals)}' vs '{len(self._dtypes)}'")
        tensors = []
        for value, i in zip(vals, indices, strict=True):
            if value.dtype != self._dtypes[i]:
                raise ValueError(f"Datatypes do not match. '{value.dtype}' != '{self._dtypes[i]}'")
            value.get_shape().assert_is_compatible_with(self._shapes[i])
            tensors.append(
                ops.convert_to_tensor(value, dtype=self._dtypes[i], name=f"component_{i}")
            )
        return tensors, indices

    def _create_device_transfers(self, tensors: Any) -> Any:
        """The tensors on the device that is wanted now."""
        if not isinstance(tensors, tuple | list):
            tensors = [tensors]
        if control_flow_ops.no_op().device != self._coloc_op.device:
            tensors = [array_ops.identity(tensor) for tensor in tensors]
        return tensors

    def _get_return_value(self, tensors: Any, indices: Any) -> Any:
        """Fetched components as a list, or by name."""
        tensors = self._create_device_transfers(tensors)
        for tensor, i in zip(tensors, indices):
            tensor.set_shape(self._shapes[i])
        if self._names:
            return {self._names[i]: tensor for tensor, i in zip(tensors, indices)}
        return tensors

    def _scope_vals(self, vals: Any) -> Any:
        if isinstance(vals, dict):
            return vals.values()
        return vals if isinstance(vals, list | tuple) else [vals]


class StagingArea(BaseStagingArea):
    """Tuples of tensors in the order they came in (as in TF 1.15)."""

    def put(self, values: Any, name: Name = None) -> Any:
        """An operation that adds a tuple (a tensor, a list, or a dict by name)."""
        with ops.name_scope(name, f"{self._name}_put", self._scope_vals(values)) as scope:
            if not isinstance(values, list | tuple | dict):
                values = [values]
            tensors, _ = self._check_put_dtypes(values, list(range(len(values))))
            with ops.colocate_with(self._coloc_op):
                return raw_ops.Stage(values=tensors, name=scope, **self._settings())

    def _fetched(self, record: Callable[[], Any]) -> Any:
        with ops.colocate_with(self._coloc_op):
            found = record()
        return self._get_return_value(found, list(range(len(self._dtypes))))

    def get(self, name: Name = None) -> Any:
        """The first tuple, which is removed; waits for one."""
        name = f"{self._name}_get" if name is None else name
        return self._fetched(
            lambda: raw_ops.Unstage(dtypes=self._dtypes, name=name, **self._settings())
        )

    def peek(self, index: Any, name: Name = None) -> Any:
        """The tuple at an index; waits until there is one."""
        name = f"{self._name}_peek" if name is None else name
        return self._fetched(
            lambda: raw_ops.StagePeek(index, dtypes=self._dtypes, name=name, **self._settings())
        )

    def size(self, name: Name = None) -> Tensor:
        """How many tuples there are."""
        name = f"{self._name}_size" if name is None else name
        return raw_ops.StageSize(name=name, dtypes=self._dtypes, **self._settings())

    def clear(self, name: Name = None) -> Any:
        """An operation that removes all tuples."""
        name = f"{self._name}_clear" if name is None else name
        return raw_ops.StageClear(name=name, dtypes=self._dtypes, **self._settings())


class MapStagingArea(BaseStagingArea):
    """Tuples of tensors by int64 keys (as in TF 1.15).

    Args:
      dtypes, shapes, names, shared_name, capacity, memory_limit: as there.
      ordered: whether the smallest key comes first.
    """

    def __init__(
        self,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        ordered: bool = False,
        capacity: int = 0,
        memory_limit: int = 0,
    ):
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)
        self._ordered = ordered

    def _record(self, what: str) -> Callable[..., Any]:
        return raw_ops.function(f"{'OrderedMap' if self._ordered else 'Map'}{what}")

    def put(self, key: Any, vals: Any, indices: Any = None, name: Name = None) -> Any:
        """An operation that adds (some components of) a tuple."""
        with ops.name_scope(name, f"{self._name}_put", self._scope_vals(vals)) as scope:
            tensors, indices = self._check_put_dtypes(vals, indices)
            with ops.colocate_with(self._coloc_op):
                return self._record("Stage")(
                    key, indices, tensors, dtypes=self._dtypes, name=scope, **self._settings()
                )

    def _get_indices_and_dtypes(self, indices: Any = None) -> tuple[list[int], list[Any]]:
        if indices is None:
            indices = list(range(len(self._dtypes)))
        if not isinstance(indices, tuple | list):
            raise TypeError(f"Invalid indices type '{type(indices)}'")
        if not indices:
            raise ValueError("Empty indices")
        if all(isinstance(i, str) for i in indices):
            if self._names is None:
                raise ValueError(
                    f"String indices provided '{indices}', but this Staging Area was not created "
                    "with names."
                )
            for name in indices:
                if name not in self._names:
                    raise ValueError(
                        f"Named index '{name}' not in Staging Area names '{self._names}'"
                    )
            indices = [self._names.index(name) for name in indices]
        elif not all(isinstance(i, int) for i in indices):
            raise TypeError(f"Mixed types in indices '{indices}'. May only be str or int")
        return list(indices), [self._dtypes[i] for i in indices]

    def _fetched(self, what: str, name: str, *inputs: Any, indices: Any) -> tuple[Any, Any]:
        indices, dtypes = self._get_indices_and_dtypes(indices)
        with ops.colocate_with(self._coloc_op):
            record = self._record(what)
            found = record(*inputs, indices, dtypes=dtypes, name=name, **self._settings())
        return found, indices

    def peek(self, key: Any, indices: Any = None, name: Name = None) -> Any:
        """(Some components of) the tuple of a key, which stays; waits for it."""
        name = f"{self._name}_pop" if name is None else name
        return self._get_return_value(*self._fetched("Peek", name, key, indices=indices))

    def get(self, key: Any = None, indices: Any = None, name: Name = None) -> tuple[Any, Any]:
        """A key and (some components of) its tuple, which are removed; waits for them.

        Args:
          key: the key; None for any (the smallest one of an ordered area).
          indices: which components, by number or name; all by default.
          name: the operation's name.
        """
        if key is not None:
            name = f"{self._name}_get" if name is None else name
            found = self._fetched("Unstage", name, key, indices=indices)
            return key, self._get_return_value(*found)
        name = f"{self._name}_get_nokey" if name is None else name
        (key, found), indices = self._fetched("UnstageNoKey", name, indices=indices)
        key = self._create_device_transfers(key)[0]
        return key, self._get_return_value(found, indices)

    def size(self, name: Name = None) -> Tensor:
        """How many complete tuples there are."""
        return self._number("Size", "size", name)

    def incomplete_size(self, name: Name = None) -> Tensor:
        """How many tuples lack components."""
        return self._number("IncompleteSize", "incomplete_size", name)

    def _number(self, what: str, suffix: str, name: Name) -> Tensor:
        name = f"{self._name}_{suffix}" if name is None else name
        return self._record(what)(name=name, dtypes=self._dtypes, **self._settings())

    def clear(self, name: Name = None) -> Any:
        """An operation that removes all tuples."""
        name = f"{self._name}_clear" if name is None else name
        return self._record("Clear")(name=name, dtypes=self._dtypes, **self._settings())
