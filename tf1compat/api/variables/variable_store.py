"""What `tf.get_variable` looks variables up in, and makes them with: one store a graph."""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tf1compat
from tf1compat.api.random import init_ops
from tf1compat.api.variables import resource_variable_ops, variables
from tf1compat.api.variables.partitioned_variables import PartitionedVariable
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor_shape import TensorShape, as_shape
from tf1compat.core.typing import Initializer, ShapeLike

_PACKAGE = os.path.dirname(os.path.abspath(tf1compat.__file__))

# Whether variables are resource variables where nothing else says so.
use_resource_by_default = False


class _PartitionInfo:
    """Which part of a partitioned variable an initializer is asked for.

    Args:
      full_shape: the shape of the whole variable, a sequence of int.
      var_offset: where the part begins, a sequence of int.

    Raises:
      TypeError: one of them is no sequence.
      ValueError: the part begins outside the variable.
    """

    def __init__(self, full_shape: Sequence[int], var_offset: Sequence[int]):
        _check_sequence("full_shape", full_shape)
        _check_sequence("var_offset", var_offset)
        if len(var_offset) != len(full_shape):
            raise ValueError(
                f"Expected equal length, but `var_offset` is of length {len(var_offset)} while "
                f"full_shape is of length {len(full_shape)}."
            )
        for offset, shape in zip(var_offset, full_shape):
            if offset < 0 or offset >= shape:
                raise ValueError(
                    f"Expected 0 <= offset < shape but found offset={offset}, shape={shape} for "
                    f"var_offset={var_offset}, full_shape={full_shape}"
                )
        self._full_shape = full_shape
        self._var_offset = var_offset

    full_shape: Sequence[int] = attribute("_full_shape", "The shape of the whole variable.")
    var_offset: Sequence[int] = attribute("_var_offset", "Where the part begins.")

    def single_offset(self, shape: Sequence[int]) -> int:
        """Where a part of shape `shape` begins along the dimension that is cut; 0 if none is."""
        dim = self.single_slice_dim(shape)
        return 0 if dim is None else self._var_offset[dim]

    def single_slice_dim(self, shape: Sequence[int]) -> int | None:
        """The dimension that is cut, given the shape of the part; None if none is.

        Raises:
          TypeError: `shape` is no sequence.
          ValueError: such a part does not fit, or more than one dimension is cut.
        """
        _check_sequence("shape", shape)
        if len(shape) != len(self._full_shape):
            raise ValueError(
                f"Expected equal length, but received shape={shape} of length {len(shape)} while "
                f"self.full_shape={self._full_shape} is of length {len(self._full_shape)}."
            )
        for i, (offset, size, full) in enumerate(zip(self._var_offset, shape, self._full_shape)):
            if offset + size > full:
                raise ValueError(
                    f"With self.var_offset={self._var_offset}, a partition of shape={shape} would "
                    f"exceed self.full_shape={self._full_shape} in dimension {i}."
                )
        cut = [i for i, (size, full) in enumerate(zip(shape, self._full_shape)) if size != full]
        if len(cut) > 1:
            raise ValueError(
                f"Cannot use single_slice_dim() with shape={shape} and self.full_shape="
                f"{self._full_shape} since slice dim could be either dimension {cut[1]} or "
                f"{cut[0]}."
            )
        return cut[0] if cut else None


def _check_sequence(name: str, value: Any) -> None:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise TypeError(
            f"`{name}` must be a sequence (like tuple or list) instead of {type(value).__name__}"
        )


class VariableStore:
    """The variables made by `tf.get_variable` in one graph, by full name.

    Args:
      keeps_eager: whether variables that eager code makes are kept and found again, too. Otherwise
        each call makes a new one, as nothing else would ever let them go.
    """

    def __init__(self, keeps_eager: bool = False) -> None:
        self.keeps_eager = keeps_eager
        self._vars: dict[str, Any] = {}
        self._partitioned_vars: dict[str, PartitionedVariable] = {}

    def get_variable(
        self,
        name: str,
        shape: ShapeLike | None = None,
        dtype: Any = dtypes.float32,
        initializer: Initializer | None = None,
        regularizer: Callable[..., Any] | None = None,
        reuse: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        partitioner: Callable[..., Any] | None = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        custom_getter: Callable[..., Any] | None = None,
        constraint: Callable[..., Any] | None = None,
        synchronization: Any = variables.VariableSynchronization.AUTO,
        aggregation: Any = variables.VariableAggregation.NONE,
    ) -> Any:
        """Gets the variable of that name, or makes it.

        Args:
          name: the full name, scopes included.
          reuse: False: the variable must be new; True: it must exist; None or AUTO_REUSE: either.
          custom_getter: called in place of the getter proper, which is its first argument.
          The others are as in `tf.get_variable`.

        Returns:
          A variable, or a PartitionedVariable.

        Raises:
          ValueError: reuse is violated, or the variable exists with another shape or type.
        """
        if custom_getter is not None and not callable(custom_getter):
            raise ValueError(f"Passed a custom_getter which is not callable: {custom_getter!s}")
        if ops.executing_eagerly():
            if reuse and not self.keeps_eager:
                raise RuntimeError(
                    "When eager execution is enabled variable reuse is only supported when an "
                    "EagerVariableStore is active. See the documentation on EagerVariableStore "
                    "for example usage."
                )
            reuse = None
        synchronization, aggregation, trainable = (
            variables.validate_synchronization_aggregation_trainable(
                synchronization, aggregation, trainable, name
            )
        )
        arguments = {
            "name": name,
            "shape": shape,
            "dtype": getattr(dtype, "base_dtype", dtype),
            "initializer": initializer,
            "regularizer": regularizer,
            "reuse": reuse,
            "trainable": trainable,
            "collections": collections,
            "caching_device": caching_device,
            "partitioner": partitioner,
            "validate_shape": validate_shape,
            "use_resource": use_resource,
            "constraint": constraint,
            "synchronization": synchronization,
            "aggregation": aggregation,
        }
        if custom_getter is None:
            return self._get(**arguments)
        # Getters written before `constraint` existed don't take it.
        if not _accepts(custom_getter, "constraint"):
            del arguments["constraint"]
        return custom_getter(getter=self._get, **arguments)

    def _get(
        self,
        name: str,
        shape: ShapeLike | None = None,
        dtype: Any = dtypes.float32,
        initializer: Initializer | None = None,
        regularizer: Callable[..., Any] | None = None,
        reuse: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        partitioner: Callable[..., Any] | None = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        constraint: Callable[..., Any] | None = None,
        synchronization: Any = variables.VariableSynchronization.AUTO,
        aggregation: Any = variables.VariableAggregation.NONE,
    ) -> Any:
        """The getter proper: what a custom getter is given as its first argument."""
        common = {
            "name": name,
            "shape": shape,
            "dtype": dtype,
            "initializer": initializer,
            "regularizer": regularizer,
            "reuse": reuse,
            "trainable": trainable,
            "collections": collections,
            "caching_device": caching_device,
            "validate_shape": validate_shape,
            "use_resource": use_resource,
            "constraint": constraint,
            "synchronization": synchronization,
            "aggregation": aggregation,
        }
        is_scalar = isinstance(shape, Sequence) and not shape
        if partitioner is not None and not is_scalar:
            if not callable(partitioner):
                raise ValueError(f"Partitioner must be callable, but received: {partitioner!s}")
            with ops.name_scope(None):
                return self._get_partitioned_variable(**common, partitioner=partitioner)
        # A partitioned variable can be had again without naming its partitioner.
        if reuse is True and partitioner is None and name in self._partitioned_vars:
            return self._get_partitioned_variable(**common, partitioner=None)
        if f"{name}/part_0" in self._vars:
            raise ValueError(
                "No partitioner was provided, but a partitioned version of the variable was found: "
                f"{name}/part_0. Perhaps a variable of the same name was already created with "
                "partitioning?"
            )
        return self._get_single_variable(**common)

    def _get_partitioned_variable(
        self,
        name: str,
        partitioner: Callable[..., Any] | None,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        initializer: Any = None,
        reuse: Any = None,
        **common: Any,
    ) -> PartitionedVariable:
        if name in self._vars:
            raise ValueError(
                "A partitioner was provided, but an unpartitioned version of the variable was "
                f"found: {name}.  Perhaps a variable of the same name was already created without "
                "partitioning?"
            )
        shape = as_shape(shape)
        if isinstance(initializer, ops.Tensor):
            shape = shape.merge_with(initializer.get_shape())
        partitions = None
        if not reuse or partitioner:
            partitions = _call_partitioner(partitioner, shape, dtype)
        if name in self._partitioned_vars:
            return self._existing_partitioned_variable(name, shape, dtype, reuse, partitions)
        if reuse is True:
            raise ValueError(
                f"PartitionedVariable {name} does not exist, or was not created with "
                "tf.get_variable(). Did you mean to set reuse=False or reuse=tf.AUTO_REUSE in "
                "VarScope?"
            )
        assert partitions is not None
        axis, count = _axis_and_count(partitions)
        self._check_same_partitioning(name, count)
        parts = []
        full_shape = shape.as_list()
        for i, (offset, part_shape) in enumerate(_parts(full_shape, count, axis)):
            part_name = f"{name}/part_{i}"
            with ops.name_scope(part_name + "/PartitionedInitializer"):
                part_initializer, takes_shape = self._initializer_of_part(
                    name, initializer, dtype, offset, part_shape
                )
            if isinstance(initializer, ops.Tensor):
                dtype = part_initializer.dtype.base_dtype
            with ops.name_scope(None):
                part = self._get_single_variable(
                    name=part_name,
                    shape=part_shape if takes_shape else None,
                    dtype=dtype,
                    initializer=part_initializer,
                    partition_info=_PartitionInfo(full_shape, offset),
                    reuse=reuse,
                    **common,
                )
            part._set_save_slice_info(
                variables.SaveSliceInfo(name, shape.as_list(), offset, part_shape)
            )
            parts.append(part)
        whole = PartitionedVariable(
            name=name, shape=shape, dtype=dtype, variable_list=parts, partitions=partitions
        )
        self._partitioned_vars[name] = whole
        return whole

    def _existing_partitioned_variable(
        self, name: str, shape: TensorShape, dtype: Any, reuse: Any, partitions: Any
    ) -> PartitionedVariable:
        if reuse is False:
            raise ValueError(
                f"Partitioned variable with name {name} already exists. Did you mean to set "
                "reuse=True or reuse=tf.AUTO_REUSE in VarScope?"
            )
        found = self._partitioned_vars[name]
        refused = f"Trying to reuse partitioned variable {name}, but specified"
        if not shape.is_compatible_with(found.get_shape()):
            raise ValueError(f"{refused} shape {shape} and found shape {found.get_shape()}.")
        if not dtype.is_compatible_with(found.dtype):
            raise ValueError(f"{refused} dtype {dtype.name} and found dtype {found.dtype.name}.")
        if partitions is not None and found._get_partitions() != partitions:
            raise ValueError(
                f"{refused} partitions {partitions} and found partitions {found._get_partitions()}."
            )
        return found

    def _check_same_partitioning(self, name: str, count: int) -> None:
        """Parts left by an earlier partitioning into another number of parts are an error."""
        first, last, extra = (f"{name}/part_{i}" for i in (0, count - 1, count))
        if first not in self._vars:
            return
        refused = (
            "Partitioner returned a different partitioning than what was already found.  "
            f"Partitioner returned {count} shards, and shard {first} was found, but"
        )
        if last not in self._vars:
            raise ValueError(f"{refused} {last} was not.")
        if extra in self._vars:
            raise ValueError(f"{refused} so was the extra shard {extra}.")

    def _initializer_of_part(
        self, name: str, initializer: Any, dtype: Any, offset: list[int], part_shape: list[int]
    ) -> tuple[Any, bool]:
        """The initializer of one part, and whether it wants to be told the part's shape."""
        if initializer is None:
            return _default_initializer(name, dtype), True
        if callable(initializer):
            return initializer, True
        if not isinstance(initializer, ops.Tensor):
            initializer = ops.convert_to_tensor(initializer, dtype=dtype)
        return raw_ops.Slice(initializer, offset, part_shape), False

    def _get_single_variable(
        self,
        name: str,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        initializer: Any = None,
        regularizer: Callable[..., Any] | None = None,
        partition_info: _PartitionInfo | None = None,
        reuse: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        constraint: Callable[..., Any] | None = None,
        synchronization: Any = variables.VariableSynchronization.AUTO,
        aggregation: Any = variables.VariableAggregation.NONE,
    ) -> Any:
        is_value = initializer is not None and not callable(initializer)
        if shape is not None and is_value:
            raise ValueError("If initializer is a constant, do not specify shape.")
        dtype = dtypes.as_dtype(dtype)
        shape = as_shape(shape)
        eager = ops.executing_eagerly()
        is_kept = self.keeps_eager or not eager
        if name in self._vars and is_kept:
            return self._existing_variable(name, shape, dtype, reuse)
        if reuse is True and not eager:
            raise ValueError(
                f"Variable {name} does not exist, or was not created with tf.get_variable(). "
                "Did you mean to set reuse=tf.AUTO_REUSE in VarScope?"
            )
        if initializer is None:
            initializer = _default_initializer(name, dtype)
        if is_value:
            initial_value, variable_dtype = initializer, None
        else:
            with ops.init_scope():
                if inspect.isclass(initializer):
                    initializer = initializer()
                initial_value, variable_dtype = _initial_value(
                    initializer, shape, dtype, partition_info
                )
        variable = variables.VariableV1(
            initial_value=initial_value,
            name=name,
            trainable=trainable,
            collections=collections,
            caching_device=caching_device,
            dtype=variable_dtype,
            validate_shape=validate_shape,
            constraint=constraint,
            use_resource=use_resource_by_default if use_resource is None else use_resource,
            synchronization=synchronization,
            aggregation=aggregation,
        )
        if is_kept:
            self._vars[name] = variable
        if eager and is_kept:
            ops.add_to_collections(collections or [ops.GraphKeys.GLOBAL_VARIABLES], variable)
            if trainable:
                ops.add_to_collection(ops.GraphKeys.TRAINABLE_VARIABLES, variable)
        if regularizer:
            with ops.colocate_with(variable), ops.name_scope(name + "/Regularizer/"):
                with ops.init_scope():
                    loss = regularizer(variable)
                if loss is not None:
                    ops.add_to_collection(ops.GraphKeys.REGULARIZATION_LOSSES, loss)
        return variable

    def _existing_variable(self, name: str, shape: TensorShape, dtype: Any, reuse: Any) -> Any:
        found = self._vars[name]
        if reuse is False:
            message = (
                f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or "
                "reuse=tf.AUTO_REUSE in VarScope?"
            )
            if isinstance(found, resource_variable_ops.ResourceVariable):
                raise ValueError(message)
            # The five innermost lines of the caller's own code.
            lines = [line for line in found.op.traceback[::-1] if not line[0].startswith(_PACKAGE)]
            origin = "".join(traceback.format_list(lines[:5]))
            raise ValueError(f"{message} Originally defined at:\n\n{origin}")
        refused = f"Trying to share variable {name}, but specified"
        if not shape.is_compatible_with(found.get_shape()):
            raise ValueError(f"{refused} shape {shape} and found shape {found.get_shape()}.")
        if not dtype.is_compatible_with(found.dtype):
            raise ValueError(f"{refused} dtype {dtype.name} and found dtype {found.dtype.name}.")
        return found


def _accepts(function: Callable[..., Any], keyword: str) -> bool:
    """Whether `function` can be called with `keyword`."""
    parameters = inspect.signature(function).parameters
    return keyword in parameters or any(
        p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values()
    )


def _default_initializer(name: str, dtype: dtypes.DType) -> Any:
    """The initializer of a variable for which none is named anywhere.

    Raises:
      ValueError: the type has none.
    """
    if dtype.is_floating:
        return init_ops.glorot_uniform_initializer()
    if dtype.is_integer or dtype.is_unsigned or dtype.is_bool or dtype == dtypes.string:
        return init_ops.zeros_initializer()
    raise ValueError(f"An initializer for variable {name} of {dtype.base_dtype} is required")


def _initial_value(
    initializer: Callable[..., Any],
    shape: TensorShape,
    dtype: dtypes.DType,
    partition_info: _PartitionInfo | None,
) -> tuple[Callable[[], Any], Any]:
    """A function that makes the initial value, and the type to convert that to (None: as it comes).

    Raises:
      ValueError: `initializer` wants a shape, and there is none.
    """
    if shape.is_fully_defined():
        make = functools.partial(
            initializer, shape.as_list(), dtype=dtype, partition_info=partition_info
        )
        return make, dtype.base_dtype
    spec = inspect.getfullargspec(initializer)
    if len(spec.args) == len(spec.defaults or ()):
        return initializer, None
    raise ValueError(
        "The initializer passed is not valid. It should be a callable with no arguments and the "
        "shape should not be provided or an instance of `tf.keras.initializers.*' and `shape` "
        "should be fully defined."
    )


def _call_partitioner(
    partitioner: Callable[..., Any] | None, shape: TensorShape, dtype: Any
) -> Sequence[int]:
    """The number of parts along each dimension, checked."""
    if not shape.is_fully_defined():
        raise ValueError(
            f"Shape of a new partitioned variable must be fully defined, but instead was {shape}."
        )
    if shape.ndims == 0:
        raise ValueError(f"A partitioned Variable must have rank at least 1, shape: {shape}")
    assert partitioner is not None
    slicing = partitioner(shape=shape, dtype=dtype)
    if not isinstance(slicing, Sequence):
        raise ValueError(f"Partitioner must return a sequence, but saw: {slicing}")
    if len(slicing) != shape.ndims:
        raise ValueError(
            "Partitioner returned a partition list that does not match the Variable's rank: "
            f"{slicing} vs. {shape}"
        )
    if any(count < 1 for count in slicing):
        raise ValueError(f"Partitioner returned zero partitions for some axes: {slicing}")
    if sum(count > 1 for count in slicing) > 1:
        raise ValueError(
            f"Can only slice a variable along one dimension: shape: {shape}, partitioning: "
            f"{slicing}"
        )
    return slicing


def _axis_and_count(partitions: Sequence[int]) -> tuple[int, int]:
    """The axis that is cut and into how many parts; (0, 1) if none is."""
    return next(((axis, count) for axis, count in enumerate(partitions) if count > 1), (0, 1))


def _parts(full_shape: list[int], count: int, axis: int) -> Iterator[tuple[list[int], list[int]]]:
    """(offset, shape) of each part; the first parts take one more where the size does not
    divide.
    """
    smallest, larger = divmod(full_shape[axis], count)
    offset = [0] * len(full_shape)
    for i in range(count):
        shape = list(full_shape)
        shape[axis] = smallest + (i < larger)
        yield list(offset), shape
        offset[axis] += shape[axis]


# The store lives in the graph's collections, under a key that is no string and so is not exported.
_VARSTORE_KEY = ("__variable_store",)


def kept_in_graph(key: tuple[str], make: Callable[[], Any]) -> Any:
    """The one object of a kind that the default graph keeps, made when it is first asked for.

    Args:
      key: the collection that it is kept in.
      make: makes it.
    """
    found = ops.get_collection(key)
    if not found:
        found = [make()]
        ops.add_to_collection(key, found[0])
    return found[0]


def _get_default_variable_store() -> VariableStore:
    """The one of the default graph."""
    return kept_in_graph(_VARSTORE_KEY, VariableStore)


@contextlib.contextmanager
def with_variable_store(store: VariableStore) -> Iterator[None]:
    """Context manager: `tf.get_variable` gets its variables from `store`."""
    current = ops.get_collection_ref(_VARSTORE_KEY)
    before = list(current)
    current[:] = [store]
    try:
        yield
    finally:
        current[:] = before


class EagerVariableStore:
    """The variables that `tf.get_variable` makes in eager execution, kept for a second call.

    Args:
      store: the store of another one, to share its variables.

    Raises:
      ValueError: `store` keeps no eager variables.
    """

    def __init__(self, store: VariableStore | None = None):
        if store is not None and not store.keeps_eager:
            raise ValueError(
                "Cannot construct EagerVariableStore from a VariableStore object that does not "
                "hold eager variables."
            )
        self._store = store or VariableStore(keeps_eager=True)

    def as_default(self) -> contextlib.AbstractContextManager[None]:
        """Context manager: variables come from here."""
        return with_variable_store(self._store)

    def variables(self) -> list[Any]:
        """All variables, in the order of their names."""
        return sorted(self._store._vars.values(), key=lambda variable: variable.name)

    def trainable_variables(self) -> list[Any]:
        """The trainable ones."""
        return [variable for variable in self.variables() if variable.trainable]

    def non_trainable_variables(self) -> list[Any]:
        """The other ones."""
        return [variable for variable in self.variables() if not variable.trainable]

    def copy(self) -> EagerVariableStore:
        """A store with new variables of the same names and values."""
        copied = EagerVariableStore()
        for key, variable in self._store._vars.items():
            copied._store._vars[key] = resource_variable_ops.ResourceVariable(
                variable.read_value(),
                name=variable.name.partition(":")[0],
                trainable=variable.trainable,
            )
        return copied
