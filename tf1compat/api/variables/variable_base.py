"""`tf.Variable`: the base classes, and how `tf.Variable(...)` becomes a concrete class."""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.training.tracking import base
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import state_ops
from tf1compat.core import dtypes, ops, protos
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.identity import Reference
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike, ShapeLike

# Where TF 1.15 has these classes, for its warnings.
_TF_MODULE = "tensorflow.python.ops.variables"


@tf_export("VariableSynchronization")
class VariableSynchronization(enum.Enum):
    """When the copies of a distributed variable are brought into line."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


@tf_export("VariableAggregation")
class VariableAggregation(enum.Enum):
    """How the updates of a distributed variable's copies are combined."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3  # The older name of ONLY_FIRST_REPLICA.

    def __hash__(self) -> int:
        return hash(self.value)


@tf_export("compat.v2.VariableAggregation")
class VariableAggregationV2(enum.Enum):
    """`VariableAggregation` without its older name."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, VariableAggregation) and self.value == other.value


def validate_synchronization_aggregation_trainable(
    synchronization: Any, aggregation: Any, trainable: bool | None, name: str | None
) -> tuple[VariableSynchronization, VariableAggregation, bool]:
    """Fills in the defaults of three properties of a variable.

    Args:
      synchronization: a `VariableSynchronization`, its number, or None for AUTO.
      aggregation: a `VariableAggregation`, its number, or None for NONE.
      trainable: None means trainable unless `synchronization` is ON_READ.
      name: the variable's name, for the error text.

    Returns:
      The three properties.

    Raises:
      ValueError: a number that names no member.
    """
    modes = {"aggregation": VariableAggregation, "synchronization": VariableSynchronization}
    given = {"aggregation": aggregation, "synchronization": synchronization}
    found: dict[str, Any] = {}
    for mode, members in modes.items():
        value = given[mode]
        if isinstance(value, VariableAggregationV2):
            found[mode] = value
            continue
        try:
            found[mode] = members(0 if value is None else value)
        except ValueError:
            message = f"Invalid variable {mode} mode: {value} for variable: {name}"
            raise ValueError(message) from None
    if trainable is None:
        trainable = found["synchronization"] is not VariableSynchronization.ON_READ
    return found["synchronization"], found["aggregation"], trainable


def default_variable_creator(next_creator: None = None, **kwargs: Any) -> Variable:
    """The end of the chain of variable creators: makes a RefVariable or a ResourceVariable."""
    # The choice hangs on the current variable scope, whose module imports this one.
    from tf1compat.api.variables import variable_scope

    return variable_scope.default_variable_creator(next_creator, **kwargs)


class VariableMetaclass(type):
    """Sends `tf.Variable(...)` through the graph's variable creators
    (`tf.variable_creator_scope`).
    """

    def _variable_v1_call(
        cls,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: DTypeLike | None = None,
        expected_shape: Any = None,
        import_scope: str | None = None,
        constraint: Callable[..., Any] | None = None,
        use_resource: bool | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        shape: ShapeLike | None = None,
    ) -> Variable:
        return _create(
            default_variable_creator,
            initial_value=initial_value,
            trainable=trainable,
            collections=collections,
            validate_shape=validate_shape,
            caching_device=caching_device,
            name=name,
            variable_def=variable_def,
            dtype=dtype,
            expected_shape=expected_shape,
            import_scope=import_scope,
            constraint=constraint,
            use_resource=use_resource,
            synchronization=synchronization,
            aggregation=VariableAggregation.NONE if aggregation is None else aggregation,
            shape=shape,
        )

    def _variable_v2_call(
        cls,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: DTypeLike | None = None,
        import_scope: str | None = None,
        constraint: Callable[..., Any] | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        shape: ShapeLike | None = None,
    ) -> Variable:
        return _create(
            _resource_variable_creator,
            initial_value=initial_value,
            trainable=trainable,
            validate_shape=validate_shape,
            caching_device=caching_device,
            name=name,
            variable_def=variable_def,
            dtype=dtype,
            import_scope=import_scope,
            constraint=constraint,
            synchronization=synchronization,
            aggregation=VariableAggregation.NONE if aggregation is None else aggregation,
            shape=shape,
        )

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is VariableV1:
            return cls._variable_v1_call(*args, **kwargs)
        if cls is Variable:
            return cls._variable_v2_call(*args, **kwargs)
        return super().__call__(*args, **kwargs)


def _create(default_creator: Callable[..., Variable], **kwargs: Any) -> Variable:
    """Sends the creation of a variable through the graph's creators, to the default one at last."""
    create: Callable[..., Variable] = functools.partial(default_creator, None)
    for _, creator in ops.get_default_graph()._variable_creator_stack:
        create = functools.partial(_call_creator, creator, create)
    return create(**kwargs)


def _resource_variable_creator(next_creator: None = None, **kwargs: Any) -> Variable:
    """The end of the chain for TF 2's variables."""
    from tf1compat.api.variables import variable_scope

    return variable_scope.default_variable_creator_v2(next_creator, **kwargs)


def _call_creator(
    creator: Callable[..., Any], next_creator: Callable[..., Any], **kwargs: Any
) -> Any:
    """A creator takes the next one positionally and everything else by name."""
    return creator(next_creator, **kwargs)


class SaveSliceInfo:
    """Which slice of a larger, partitioned variable this variable is.

    Attributes:
      full_name: the name of the whole variable.
      full_shape: its shape, a list of int.
      var_offset: where this slice begins in it, a list of int.
      var_shape: the shape of this slice, a list of int.
    """

    def __init__(
        self,
        full_name: str | None = None,
        full_shape: Sequence[int] | None = None,
        var_offset: Sequence[int] | None = None,
        var_shape: Sequence[int] | None = None,
        save_slice_info_def: Any = None,
        import_scope: str | None = None,
    ):
        if save_slice_info_def is not None:
            assert isinstance(save_slice_info_def, protos.SaveSliceInfoDef)
            full_name = ops.prepend_name_scope(save_slice_info_def.full_name, import_scope)
            full_shape = list(save_slice_info_def.full_shape)
            var_offset = list(save_slice_info_def.var_offset)
            var_shape = list(save_slice_info_def.var_shape)
        self.full_name: Any = full_name
        self.full_shape: Any = full_shape
        self.var_offset: Any = var_offset
        self.var_shape: Any = var_shape

    @property
    def spec(self) -> str:
        """The slice as checkpoints name it: `"10 4 0,5:0,4"`."""
        whole = "".join(f"{dim} " for dim in self.full_shape)
        pairs = zip(self.var_offset, self.var_shape, strict=True)
        return whole + ":".join(f"{offset},{size}" for offset, size in pairs)

    def to_proto(self, export_scope: str | None = None) -> Any:
        """A `SaveSliceInfoDef`, or None when the full name lies outside `export_scope`."""
        if export_scope is not None and not self.full_name.startswith(export_scope):
            return None
        return protos.SaveSliceInfoDef(
            full_name=ops.strip_name_scope(self.full_name, export_scope),
            full_shape=self.full_shape,
            var_offset=self.var_offset,
            var_shape=self.var_shape,
        )


@tf_export("compat.v2.Variable")
class Variable(base.Trackable, metaclass=VariableMetaclass):
    """A value that lives in a session, from one `Session.run` to the next.

    `tf.Variable(initial_value, ...)` records the variable's op, the op that initialises it and one
    that reads it, adds the variable to its collections and returns a `RefVariable`, or a
    `ResourceVariable` where resource variables are asked for.  A variable is used like a tensor: it
    converts to one and has its operators.

    Args:
      initial_value: a tensor, something convertible to one, or a function of no arguments that
        returns one.
      trainable: whether the variable joins `tf.GraphKeys.TRAINABLE_VARIABLES`; None means yes,
        unless `synchronization` is `ON_READ`.
      collections: graph collections to join instead of `[tf.GraphKeys.GLOBAL_VARIABLES]`.
      validate_shape: False allows an initial value of unknown shape.
      caching_device: where reads are cached, if not on the variable's own device.
      name: "Variable" by default; made unique.
      variable_def: a `VariableDef` proto to rebuild the Python object from, instead of all else.
      dtype: the type to convert `initial_value` to.
      expected_shape: ignored, as in TF 1.15.
      import_scope: name scope to put before the names in `variable_def`.
      constraint: a function of the value, applied after each optimizer step.
      use_resource: whether to make a resource variable.
      synchronization: a `tf.VariableSynchronization`.
      aggregation: a `tf.VariableAggregation`.
      shape: the variable's static shape, where it is not the initial value's.

    Raises:
      ValueError: no initial value, or one whose shape is not known.
    """

    SaveSliceInfo = SaveSliceInfo

    # NumPy hands `array + variable` to the variable instead of adding it element by element.
    __array_priority__ = 100

    _in_graph_mode = True
    _distribute_strategy = None

    _synchronization: VariableSynchronization
    _aggregation: VariableAggregation
    _trainable: bool
    _constraint: Callable[..., Any] | None
    _initial_value: Any
    _initializer_op: Any
    _save_slice_info: SaveSliceInfo | None

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {base.VARIABLE_VALUE_KEY: self}

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.get_shape()} dtype={self.dtype.name}>"

    def _set_properties(
        self, synchronization: Any, aggregation: Any, trainable: bool | None, name: str | None
    ) -> None:
        self._synchronization, self._aggregation, self._trainable = (
            validate_synchronization_aggregation_trainable(
                synchronization, aggregation, trainable, name
            )
        )

    def _collections_to_join(self, collections: Any) -> Any:
        """The collections that a new variable joins.

        Raises:
          ValueError: `collections` is not a collection of names.
        """
        if collections is None:
            collections = [ops.GraphKeys.GLOBAL_VARIABLES]
        if not isinstance(collections, (list, tuple, set)):
            raise ValueError(
                "collections argument to Variable constructor must be a list, tuple, "
                f"or set. Got {collections} of type {type(collections)}"
            )
        if self._trainable and ops.GraphKeys.TRAINABLE_VARIABLES not in collections:
            return [*collections, ops.GraphKeys.TRAINABLE_VARIABLES]
        return collections

    # What the variable is.

    @property
    def name(self) -> str:
        """The name of the variable, e.g. "w:0"."""
        raise NotImplementedError

    @property
    def _shared_name(self) -> str:
        return self.name[: self.name.index(":")]

    @property
    def op(self) -> ops.Operation:
        """The operation that is the variable."""
        raise NotImplementedError

    @property
    def graph(self) -> ops.Graph:
        """The graph of the variable."""
        raise NotImplementedError

    @property
    def device(self) -> str:
        """The device of the variable."""
        raise NotImplementedError

    @property
    def dtype(self) -> dtypes.DType:
        """The type of the elements; a reference type for a `RefVariable`."""
        raise NotImplementedError

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
        raise NotImplementedError

    def get_shape(self) -> TensorShape:
        """The static shape."""
        return self.shape

    def set_shape(self, shape: ShapeLike) -> None:
        """Refines the static shape.

        Args:
          shape: what is known besides.

        Raises:
          NotImplementedError: variables of this kind have one shape.
        """
        raise NotImplementedError

    trainable: bool = attribute("_trainable", "Whether the variable was made trainable.")
    synchronization: VariableSynchronization = attribute(
        "_synchronization", "The `tf.VariableSynchronization` given at creation."
    )
    aggregation: VariableAggregation = attribute(
        "_aggregation", "The `tf.VariableAggregation` given at creation."
    )
    constraint: Callable[..., Any] | None = attribute(
        "_constraint", "The function applied to the value after each optimizer step, or None."
    )
    initializer: ops.Operation = attribute(
        "_initializer_op", "The operation that gives the variable its initial value."
    )
    initial_value: ops.Tensor = attribute(
        "_initial_value", "The tensor that `initializer` assigns."
    )

    def _set_save_slice_info(self, save_slice_info: SaveSliceInfo | None) -> None:
        self._save_slice_info = save_slice_info

    def _get_save_slice_info(self) -> SaveSliceInfo | None:
        return self._save_slice_info

    # Reading.

    def value(self) -> ops.Tensor:
        """The tensor that holds the variable's value; this is what an op gets that takes the
        variable as an input.
        """
        raise NotImplementedError

    def read_value(self) -> ops.Tensor:
        """Records a new read of the variable, here and under the current control dependencies."""
        raise NotImplementedError

    @deprecated(
        None,
        "Use Variable.read_value. Variables in 2.X are initialized automatically both in eager and "
        "graph (inside tf.defun) contexts.",
        module=_TF_MODULE,
    )
    def initialized_value(self) -> ops.Tensor:
        """The value if the variable is initialised, else its initial value; fit to initialise
        another variable with.
        """
        with ops.init_scope():
            return control_flow_ops.cond(
                state_ops.is_variable_initialized(self),
                self.read_value,
                lambda: self.initial_value,
            )

    def sparse_read(self, indices: Any, name: str | None = None) -> ops.Tensor:
        """Rows of a resource variable, as `tf.gather`.

        Raises:
          AttributeError: the variable is not a resource variable.
        """
        raise AttributeError

    def gather_nd(self, indices: Any, name: str | None = None) -> ops.Tensor:
        """Slices of a resource variable, as `tf.gather_nd`.

        Raises:
          AttributeError: the variable is not a resource variable.
        """
        raise AttributeError

    # Writing.

    def assign(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Records an assignment of `value`; returns the variable after it, or the op if not
        `read_value`.
        """
        raise NotImplementedError

    def assign_add(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Records the addition of `delta`; returns the variable after it, or the op if not
        `read_value`.
        """
        raise NotImplementedError

    def assign_sub(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Records the subtraction of `delta`; returns the variable after it, or the op if not
        `read_value`.
        """
        raise NotImplementedError

    def _scatter(
        self, update: str, sparse_delta: Any, use_locking: bool | None, name: str | None
    ) -> Any:
        """Records the scatter op `update` ("Add", "Max", …) on the rows that an IndexedSlices
        names.
        """
        raise NotImplementedError

    def _scatter_nd(self, update: str, indices: Any, updates: Any, name: str | None) -> Any:
        """Records the scatter-nd op `update` ("Add", "Sub" or "Update")."""
        raise NotImplementedError

    def scatter_sub(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Subtracts the rows of a `tf.IndexedSlices`; returns the variable after it."""
        return self._scatter("Sub", sparse_delta, use_locking, name)

    def scatter_add(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Adds the rows of a `tf.IndexedSlices`; returns the variable after it."""
        return self._scatter("Add", sparse_delta, use_locking, name)

    def scatter_max(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Takes the maximum with the rows of a `tf.IndexedSlices`; returns the variable after
        it.
        """
        return self._scatter("Max", sparse_delta, use_locking, name)

    def scatter_min(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Takes the minimum with the rows of a `tf.IndexedSlices`; returns the variable after
        it.
        """
        return self._scatter("Min", sparse_delta, use_locking, name)

    def scatter_mul(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Multiplies by the rows of a `tf.IndexedSlices`; returns the variable after it."""
        return self._scatter("Mul", sparse_delta, use_locking, name)

    def scatter_div(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Divides by the rows of a `tf.IndexedSlices`; returns the variable after it."""
        return self._scatter("Div", sparse_delta, use_locking, name)

    def scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replaces rows by those of a `tf.IndexedSlices`; returns the variable after it."""
        return self._scatter("Update", sparse_delta, use_locking, name)

    def batch_scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """`scatter_update` inside each batch of leading dimensions; returns the variable after
        it.
        """
        raise NotImplementedError

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Subtracts `updates` at `indices`, laid out as for `tf.scatter_nd`; returns the variable
        after it.
        """
        return self._scatter_nd("Sub", indices, updates, name)

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Adds `updates` at `indices`, laid out as for `tf.scatter_nd`; returns the variable after
        it.
        """
        return self._scatter_nd("Add", indices, updates, name)

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Writes `updates` at `indices`, laid out as for `tf.scatter_nd`; returns the variable
        after it.
        """
        return self._scatter_nd("Update", indices, updates, name)

    def count_up_to(self, limit: int) -> ops.Tensor:
        """Adds 1 until the value is `limit`, then raises OutOfRangeError; gives the value
        before.
        """
        raise NotImplementedError

    # In a session.

    def eval(self, session: SessionInterface | None = None) -> Any:
        """The value in `session` (or the default one), as a NumPy array."""
        raise NotImplementedError

    @deprecated(
        None,
        "Prefer Variable.assign which has equivalent behavior in 2.X.",
        module=_TF_MODULE,
    )
    def load(self, value: Any, session: SessionInterface | None = None) -> None:
        """Gives the variable a new value in `session` (or the default one); records nothing.

        Raises:
          ValueError: there is no session.
        """
        if not self._in_graph_mode:
            self.assign(value)
            return
        session = session or ops.get_default_session()
        if session is None:
            raise ValueError(
                "Either session argument should be provided or default session should be "
                "established"
            )
        session.run(self.initializer, {self.initializer.inputs[1]: value})

    # As a Python object.

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __iter__(self) -> Any:
        # Python would otherwise iterate over v[0], v[1], … without end.
        raise TypeError("'Variable' object is not iterable.")

    def __getitem__(var, slice_spec: Any) -> ops.Tensor:  # noqa: N805
        """A slice of the value; it has an `assign` method, which assigns to that slice of the
        variable.
        """
        return array_ops._slice_helper(var.value(), slice_spec, var)

    def experimental_ref(self) -> Reference:
        """A hashable reference to this variable."""
        return Reference(self)

    # Protos.

    def to_proto(self, export_scope: str | None = None) -> Any:
        """A `VariableDef` proto, or None when the variable lies outside `export_scope`."""
        raise NotImplementedError

    @staticmethod
    def from_proto(variable_def: Any, import_scope: str | None = None) -> Variable:
        """The variable that a `VariableDef` proto describes; its nodes must be in the graph."""
        from tf1compat.api.variables.ref_variable import RefVariable

        return RefVariable(variable_def=variable_def, import_scope=import_scope)

    def _graph_element_of_proto(self, name: str, import_scope: str | None) -> Any:
        return ops.get_default_graph().as_graph_element(ops.prepend_name_scope(name, import_scope))

    def _init_properties_from_proto(self, variable_def: Any, import_scope: str | None) -> None:
        """What `VariableDef` says about reference and resource variables alike."""
        self._initializer_op = self._graph_element_of_proto(
            variable_def.initializer_name, import_scope
        )
        name = variable_def.initial_value_name
        self._initial_value = self._graph_element_of_proto(name, import_scope) if name else None
        self._set_properties(
            variable_def.synchronization,
            variable_def.aggregation,
            variable_def.trainable,
            variable_def.variable_name,
        )
        self._save_slice_info = None
        if variable_def.HasField("save_slice_info_def"):
            self._save_slice_info = SaveSliceInfo(
                save_slice_info_def=variable_def.save_slice_info_def, import_scope=import_scope
            )
        self._caching_device = None
        self._constraint = None

    def _proto(self, variable: ops.Tensor, snapshot: ops.Tensor, export_scope: str | None) -> Any:
        """The `VariableDef` of a variable whose op gives `variable` and whose read gives
        `snapshot`.
        """
        if export_scope is not None and not variable.name.startswith(export_scope):
            return None

        def exported(name: str) -> str:
            return ops.strip_name_scope(name, export_scope)

        proto = protos.VariableDef(
            variable_name=exported(variable.name),
            initializer_name=exported(self.initializer.name),
            snapshot_name=exported(snapshot.name),
            trainable=self.trainable,
            synchronization=self.synchronization.value,
            aggregation=self.aggregation.value,
        )
        if self._initial_value is not None:
            proto.initial_value_name = exported(self._initial_value.name)
        if self._save_slice_info:
            proto.save_slice_info_def.MergeFrom(self._save_slice_info.to_proto(export_scope))
        return proto


def check_constructor_arguments(initial_value: Any, constraint: Callable[..., Any] | None) -> None:
    """Refuses what no kind of variable can be made from.

    Raises:
      ValueError: there is no initial value, or `constraint` is not a function.
    """
    if initial_value is None:
        raise ValueError("initial_value must be specified.")
    if constraint is not None and not callable(constraint):
        raise ValueError("The `constraint` argument must be a callable.")


def check_indexed_slices(sparse_delta: Any) -> None:
    """Raises TypeError unless the argument is a `tf.IndexedSlices`."""
    if not isinstance(sparse_delta, ops.IndexedSlices):
        raise TypeError(f"sparse_delta is not IndexedSlices: {sparse_delta}")


def _overload_operators() -> None:
    """Gives variables the operators of tensors, applied to `value()`."""

    def overload(name: str) -> None:
        # Looked up at the call: tensors get their operators from modules that may come later.
        def run(self: Variable, *args: Any, **kwargs: Any) -> Any:
            return getattr(ops.Tensor, name)(self.value(), *args, **kwargs)

        run.__name__ = name
        setattr(Variable, name, run)

    for name in ops.Tensor.OVERLOADABLE_OPERATORS:
        if name not in ("__eq__", "__ne__", "__getitem__"):
            overload(name)


_overload_operators()


@tf_export("Variable")
class VariableV1(Variable):
    __doc__ = Variable.__doc__

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: DTypeLike | None = None,
        expected_shape: Any = None,
        import_scope: str | None = None,
        constraint: Callable[..., Any] | None = None,
        use_resource: bool | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        shape: ShapeLike | None = None,
    ):
        """Never runs for `tf.Variable(...)` itself, which makes one of the concrete classes; it
        gives the signature.
        """


def convert_variable(
    variable: Any, dtype: dtypes.DType | None, read: Callable[[], Any]
) -> ops.Tensor:
    """The tensor that `read` gives, if the variable has a type compatible with `dtype`.

    Raises:
      ValueError: it has another type.
    """
    if dtype is not None and not dtype.is_compatible_with(variable.dtype):
        raise ValueError(
            f"Incompatible type conversion requested to type '{dtype.name}' for variable "
            f"of type '{variable.dtype.name}'"
        )
    return read()
