"""Resource variables: variables behind a handle, whose reads and writes are ordered by control
dependencies alone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, NoReturn

from tf1compat.api.array import constant_op
from tf1compat.api.util.deprecation import deprecated, deprecated_args
from tf1compat.api.variables import initial_values, state_ops, variable_base
from tf1compat.core import context, dtypes, eager, errors, export, ops, protos, raw_ops, tape
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor import skip_uids
from tf1compat.core.tensor_shape import TensorShape, as_shape


class BaseResourceVariable(variable_base.VariableV1):
    """What all resource variables do; a subclass records the nodes of one.

    Args:
      handle: the tensor that stands for the variable.
      name: the name of the handle's operation.
      dtype, shape: of the value.
      graph_element: a read of the variable, used when it is fetched.
      cached_value: a copy of such a read that `value` gives, or None.
      unique_id: tells it from others of its name; the name by default.
      initial_value, initializer_op: see `tf.Variable`.
      The others are as in `tf.Variable`.
    """

    _made_by_function = False  # whether a tf.function created it

    @deprecated_args(None, "If using Keras pass *_constraint arguments to layers.", "constraint")
    def __init__(
        self,
        handle: Any,
        name: str,
        dtype: Any,
        shape: Any,
        graph_element: Any,
        trainable: bool | None = None,
        constraint: Callable[..., Any] | None = None,
        synchronization: Any = None,
        aggregation: Any = None,
        initial_value: Any = None,
        initializer_op: Any = None,
        cached_value: Any = None,
        unique_id: str | None = None,
    ):
        self._set_properties(synchronization, aggregation, trainable, name)
        self._handle = handle
        self._handle_name = f"{name}:0"
        self._unique_id = unique_id or name
        self._in_graph_mode = not handle._is_eager
        self._dtype = dtypes.as_dtype(dtype)
        self._shape = as_shape(shape)
        self._graph_element = graph_element
        self._cached_value = cached_value
        self._initial_value = initial_value
        self._initializer_op = initializer_op
        self._constraint = constraint
        self._save_slice_info = None
        self._caching_device = None

    handle: ops.Tensor = attribute(
        "_handle", "The resource tensor by which ops refer to the variable."
    )
    name: str = attribute("_handle_name")
    op: ops.Operation = attribute("_handle.op")
    graph: ops.Graph = attribute("_handle.graph")
    device: str = attribute("_handle.device")
    dtype: dtypes.DType = attribute("_dtype")
    shape: TensorShape = attribute("_shape")

    @property
    def create(self) -> ops.Operation:
        """The operation that initialises the variable.

        Raises:
          RuntimeError: the variable was made in eager execution.
        """
        if not self._in_graph_mode:
            raise RuntimeError("Calling create is not supported when eager execution is enabled.")
        return self._initializer_op

    @property
    def initial_value(self) -> ops.Tensor:
        if ops.executing_eagerly():
            raise RuntimeError("initial_value not supported in EAGER mode.")
        return self._initial_value

    def __repr__(self) -> str:
        text = super().__repr__()
        if ops.executing_eagerly() and not self._in_graph_mode:
            return f"{text[:-1]}, numpy={eager.text(self.read_value(), is_repr=True)}>"
        return text

    def _shape_as_list(self) -> list[int | None] | None:
        return None if self.shape.ndims is None else self.shape.as_list()

    def _shape_tuple(self) -> tuple[int | None, ...] | None:
        shape = self._shape_as_list()
        return None if shape is None else tuple(shape)

    def _as_graph_element(self) -> ops.Tensor:
        return self._graph_element

    def set_shape(self, shape: Any) -> NoReturn:
        """Not possible for a resource variable."""
        raise NotImplementedError("ResourceVariable does not implement set_shape()")

    # Reading.

    def _read_variable_op(self) -> ops.Tensor:
        tape.variable_accessed(self)
        return raw_ops.ReadVariableOp(self._handle, self._dtype)

    def value(self) -> ops.Tensor:
        if self._cached_value is not None:
            return self._cached_value
        if self._is_read_anywhere():
            return self._read_variable_op()
        with ops.colocate_with(None, ignore_existing=True), ops.device(self._handle.device):
            return self._read_variable_op()

    def _is_read_anywhere(self) -> bool:
        """Whether it is read at once, and no device was named where it is or is read."""
        return (
            ops.executing_eagerly()
            and not getattr(self._handle, "_place", "")
            and not context.thread.eager_device
        )

    def read_value(self) -> ops.Tensor:
        if self._is_read_anywhere():
            return raw_ops.Identity(self._read_variable_op())
        with ops.name_scope("Read"), ops.device(self._handle.device):
            value = self._read_variable_op()
        return raw_ops.Identity(value)

    def sparse_read(self, indices: Any, name: str | None = None) -> ops.Tensor:
        """The rows that `indices` (int32 or int64) names, as `tf.gather`."""
        with ops.name_scope("Gather" if name is None else name) as scope:
            tape.variable_accessed(self)
            tape.variable_accessed(self)
            value = raw_ops.ResourceGather(self._handle, indices, dtype=self._dtype, name=scope)
        return raw_ops.Identity(value)

    def gather_nd(self, indices: Any, name: str | None = None) -> ops.Tensor:
        """The slices that `indices` (int32 or int64) names, as `tf.gather_nd`."""
        with ops.name_scope("GatherNd" if name is None else name) as scope:
            tape.variable_accessed(self)
            tape.variable_accessed(self)
            value = raw_ops.ResourceGatherNd(self._handle, indices, dtype=self._dtype, name=scope)
        return raw_ops.Identity(value)

    def is_initialized(self, name: str | None = None) -> ops.Tensor:
        """A scalar bool tensor: whether the variable has a value."""
        return raw_ops.VarIsInitializedOp(self._handle, name=name)

    def eval(self, session: Any = None) -> Any:
        if ops.executing_eagerly():
            raise RuntimeError("Trying to eval in EAGER mode")
        return self._graph_element.eval(session=session)

    def numpy(self) -> Any:
        """The value as a NumPy array, in eager execution.

        Raises:
          NotImplementedError: ops are recorded.
        """
        if ops.executing_eagerly():
            return self.read_value().numpy()  # pyright: ignore[reportAttributeAccessIssue]
        raise NotImplementedError("numpy() is only available when eager execution is enabled.")

    # Writing.

    def _assign_dependencies(self) -> contextlib.AbstractContextManager[None]:
        """A cached value is read before the variable is changed."""
        if self._cached_value is None:
            return contextlib.nullcontext()
        return ops.control_dependencies([self._cached_value])

    def _own_graph(self) -> contextlib.AbstractContextManager[Any]:
        """Outside of any `with graph.as_default()`, updates join the variable's graph."""
        if ops.has_default_graph() or not self._in_graph_mode:
            return contextlib.nullcontext()
        return self._handle.graph.as_default()

    def _tensor(self, value: Any) -> ops.Tensor:
        return ops.convert_to_tensor(value, dtype=self._dtype)

    def _lazy_read(self, op: ops.Operation) -> _UnreadVariable:
        tape.variable_accessed(self)
        tape.variable_accessed(self)
        return _UnreadVariable(self, op)

    def assign(
        self,
        value: Any,
        use_locking: bool | None = None,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        with self._own_graph():
            value = self._tensor(value)
            self._shape.assert_is_compatible_with(value.shape)
            assigned = raw_ops.AssignVariableOp(self._handle, value, name=name)
            return self._lazy_read(assigned) if read_value else assigned

    def assign_add(
        self,
        delta: Any,
        use_locking: bool | None = None,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        with self._own_graph(), self._assign_dependencies():
            assigned = raw_ops.AssignAddVariableOp(self._handle, self._tensor(delta), name=name)
        return self._lazy_read(assigned) if read_value else assigned

    def assign_sub(
        self,
        delta: Any,
        use_locking: bool | None = None,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        with self._own_graph(), self._assign_dependencies():
            assigned = raw_ops.AssignSubVariableOp(self._handle, self._tensor(delta), name=name)
        return self._lazy_read(assigned) if read_value else assigned

    def _scatter(
        self, update: str, sparse_delta: Any, use_locking: bool | None, name: str | None
    ) -> _UnreadVariable:
        variable_base.check_indexed_slices(sparse_delta)
        record = getattr(raw_ops, f"ResourceScatter{update}")
        values = self._tensor(sparse_delta.values)
        return self._lazy_read(record(self._handle, sparse_delta.indices, values, name=name))

    def _scatter_nd(
        self, update: str, indices: Any, updates: Any, name: str | None
    ) -> _UnreadVariable:
        record = getattr(raw_ops, f"ResourceScatterNd{update}")
        return self._lazy_read(record(self._handle, indices, self._tensor(updates), name=name))

    def batch_scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> _UnreadVariable:
        variable_base.check_indexed_slices(sparse_delta)
        return self._lazy_read(
            state_ops.batch_scatter_update(
                self, sparse_delta.indices, sparse_delta.values, use_locking=use_locking, name=name
            )
        )

    def _strided_slice_assign(
        self,
        begin: Any,
        end: Any,
        strides: Any,
        value: Any,
        name: str | None,
        begin_mask: int,
        end_mask: int,
        ellipsis_mask: int,
        new_axis_mask: int,
        shrink_axis_mask: int,
    ) -> _UnreadVariable:
        masks = {
            "begin_mask": begin_mask,
            "end_mask": end_mask,
            "ellipsis_mask": ellipsis_mask,
            "new_axis_mask": new_axis_mask,
            "shrink_axis_mask": shrink_axis_mask,
        }
        with self._own_graph(), self._assign_dependencies():
            value = self._tensor(value)
            return self._lazy_read(
                raw_ops.ResourceStridedSliceAssign(
                    self._handle, begin, end, strides, value, name=name, **masks
                )
            )

    @deprecated(None, "Prefer Dataset.range instead.")
    def count_up_to(self, limit: int) -> ops.Tensor:
        return raw_ops.ResourceCountUpTo(self._handle, limit=limit, T=self._dtype)

    # As a Python object.

    def __bool__(self) -> bool:
        return bool(self.read_value())

    def __int__(self) -> int:
        if self.dtype not in (dtypes.int32, dtypes.int64):
            raise TypeError("Non-integer variable can't be converted to integer.")
        return int(self.numpy())

    def __copy__(self) -> BaseResourceVariable:
        return self

    def __deepcopy__(self, memo: Any) -> ResourceVariable:
        if not ops.executing_eagerly():
            raise NotImplementedError(
                "__deepcopy__() is only available when eager execution is enabled."
            )
        memo[self._unique_id] = copied = ResourceVariable(
            initial_value=self.read_value(),
            trainable=self._trainable,
            constraint=self._constraint,
            dtype=self._dtype,
            name=f"{self._shared_name}_copy",
        )
        return copied

    def to_proto(self, export_scope: str | None = None) -> Any:
        if ops.executing_eagerly():
            raise RuntimeError("to_proto not supported in EAGER mode.")
        snapshot = self._graph_element if self._cached_value is None else self._cached_value
        proto = self._proto(self._handle, snapshot, export_scope)
        if proto is not None:
            proto.is_resource = True
        return proto

    @staticmethod
    def from_proto(variable_def: Any, import_scope: str | None = None) -> ResourceVariable:
        return ResourceVariable(variable_def=variable_def, import_scope=import_scope)

    def _dense_var_to_tensor(
        self, dtype: Any = None, name: str | None = None, as_ref: bool = False
    ) -> ops.Tensor:
        if not as_ref:
            return variable_base.convert_variable(self, dtype, self.value)
        # TF 1.15 reads the variable on the way to its handle: the nodes are part of the graph.
        return variable_base.convert_variable(self, dtype, lambda: self.read_value().op.inputs[0])

    def __iadd__(self, unused_other: Any) -> NoReturn:
        _refuse_in_place("+", "variable.assign_add(value)", "variable = variable + value")

    def __isub__(self, unused_other: Any) -> NoReturn:
        _refuse_in_place("-", "variable.assign_sub(value)", "variable = variable - value")

    def __imul__(self, unused_other: Any) -> NoReturn:
        _refuse_in_place_var("*")

    def __itruediv__(self, unused_other: Any) -> NoReturn:
        _refuse_in_place_var("/")

    def __ipow__(self, unused_other: Any) -> NoReturn:
        _refuse_in_place_var("**")


def _refuse_in_place(operator: str, assign: str, binary: str) -> NoReturn:
    raise RuntimeError(
        f"Variable {operator}= value not supported. Use {assign} to modify the variable "
        f"value and {binary} to get a new Tensor object."
    )


def _refuse_in_place_var(operator: str) -> NoReturn:
    raise RuntimeError(
        f"Variable {operator}= value not supported. Use `var.assign(var {operator} value)` to "
        f"modify the variable or `var = var {operator} value` to get a new Tensor object."
    )


# What eager variables of a name begin with, in place of their initial values
# (`tf.contrib.eager.restore_variables_on_create`).
restoring: list[Callable[[str], Any]] = []


@export.internal_class("tensorflow.python.ops.resource_variable_ops")
class ResourceVariable(BaseResourceVariable):
    """A variable behind a handle, made by `tf.Variable(..., use_resource=True)`.

    Records `<name>` (VarHandleOp), `<name>/IsInitialized/VarIsInitializedOp`, `<name>/Assign` and
    `<name>/Read/ReadVariableOp`, after the initial value.  The arguments are those of
    `tf.Variable`.
    """

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        dtype: Any = None,
        variable_def: Any = None,
        import_scope: str | None = None,
        constraint: Callable[..., Any] | None = None,
        distribute_strategy: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
    ):
        if variable_def:
            if initial_value is not None:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            self._init_from_proto(variable_def, import_scope)
            return
        self._set_properties(synchronization, aggregation, trainable, name)
        variable_base.check_constructor_arguments(initial_value, constraint)
        symbolic = isinstance(initial_value, ops.Tensor) and not initial_value._is_eager
        if symbolic and initial_value.graph.building_function:
            raise ValueError(
                "Tensor-typed variable initializers must either be wrapped in an init_scope or "
                "callable (e.g., `tf.Variable(lambda : tf.truncated_normal([10, 40]))`) when "
                "building functions. Please file a feature request if this restriction "
                "inconveniences you."
            )
        collections = self._collections_to_join(collections)
        self._distribute_strategy = distribute_strategy
        with ops.init_scope():
            if ops.executing_eagerly():
                nodes = self._make(initial_value, caching_device, name, dtype, shape)
                if ops.GraphKeys.GLOBAL_STEP in collections:
                    ops.add_to_collection(ops.GraphKeys.GLOBAL_STEP, self)
            else:
                nodes = self._record(initial_value, caching_device, name, dtype, shape)
                ops.add_to_collections(collections, self)
        super().__init__(
            **nodes,
            trainable=trainable,
            constraint=constraint,
            synchronization=synchronization,
            aggregation=aggregation,
        )

    @staticmethod
    def _make(
        initial_value: Any, caching_device: Any, name: str | None, dtype: Any, shape: Any
    ) -> dict[str, Any]:
        """Makes the variable at once, with its initial value; gives named arguments."""
        with ops.name_scope(name, "Variable") as scope:
            own_name = ops.name_from_scope_name(scope)
            for restored in restoring:
                initial_value, shape = restored(own_name), None
            initial_value, shape = initial_tensor(initial_value, dtype, shape)
            dtype = initial_value.dtype.base_dtype
            handle = raw_ops.VarHandleOp(dtype=dtype, shape=shape, name=scope)
            skip_uids(3)  # It asks whether the handle is in use, and makes another one in a graph.
            raw_ops.AssignVariableOp(handle, initial_value)
            cached_value = None
            if caching_device is not None:
                with ops.device(caching_device):
                    cached_value = raw_ops.ReadVariableOp(handle, dtype)
        return {
            "handle": handle,
            "name": own_name,
            "unique_id": f"{own_name}_{ops.uid()}",
            "dtype": dtype,
            "shape": shape,
            "graph_element": None,
            "initial_value": initial_value,
            "cached_value": cached_value,
        }

    @staticmethod
    def _record(
        initial_value: Any, caching_device: Any, name: str | None, dtype: Any, shape: Any
    ) -> dict[str, Any]:
        """Records the initial value, the handle, the initializer and a read; gives them as named
        arguments.
        """
        values = [] if callable(initial_value) else [initial_value]
        with ops.name_scope(name, "Variable", values) as scope:
            own_name = ops.name_from_scope_name(scope)
            with initial_values.colocated_with(own_name):
                with ops.device(None):
                    initial_value, shape = initial_tensor(initial_value, dtype, shape)
                dtype = initial_value.dtype.base_dtype
                handle = raw_ops.VarHandleOp(
                    dtype=dtype, shape=shape, shared_name=own_name, name=scope
                )
            initial_values.check_not_in_control_flow(scope, initial_value)
            with ops.name_scope("IsInitialized"):
                raw_ops.VarIsInitializedOp(handle)
            with (
                ops.name_scope("Assign") as assign_scope,
                ops.colocate_with(None, ignore_existing=True),
                ops.device(handle.device),
            ):
                safe_value = initial_values.guard_against_uninitialized_dependencies(
                    scope, initial_value
                )
                initializer_op = raw_ops.AssignVariableOp(handle, safe_value, name=assign_scope)
            cached_value = None
            with ops.name_scope("Read"):
                with ops.device(handle.device):
                    graph_element = raw_ops.ReadVariableOp(handle, dtype)
                if caching_device is not None:
                    with ops.colocate_with(None, ignore_existing=True), ops.device(caching_device):
                        cached_value = raw_ops.Identity(graph_element)
        return {
            "handle": handle,
            "name": own_name,
            "dtype": dtype,
            "shape": shape,
            "graph_element": graph_element,
            "initial_value": initial_value,
            "initializer_op": initializer_op,
            "cached_value": cached_value,
        }

    def _init_from_proto(self, variable_def: Any, import_scope: str | None) -> None:
        if not variable_def.is_resource:
            raise ValueError("Trying to restore Variable as ResourceVariable.")
        self._init_properties_from_proto(variable_def, import_scope)
        self._handle = self._graph_element_of_proto(variable_def.variable_name, import_scope)
        self._handle_name = self._unique_id = self._handle.name
        self._shape = TensorShape(self._handle.op.get_attr("shape"))
        self._dtype = dtypes.as_dtype(self._handle.op.get_attr("dtype"))
        if variable_def.snapshot_name:
            read = self._graph_element_of_proto(variable_def.snapshot_name, import_scope)
        else:
            read = self._handle.graph.get_tensor_by_name(
                f"{self._handle.op.name}/Read/ReadVariableOp:0"
            )
        self._cached_value = None if read.op.type == "ReadVariableOp" else read
        while read.op.type != "ReadVariableOp":
            read = read.op.inputs[0]
        self._graph_element = read


def initial_tensor(initial_value: Any, dtype: Any, shape: Any) -> tuple[ops.Tensor, Any]:
    """The initial value as a tensor, and the variable's shape.

    Raises:
      ValueError: the value does not have `shape`.
    """
    with ops.name_scope("Initializer"):
        value = ops.convert_to_tensor(
            initial_value() if callable(initial_value) else initial_value,
            name="initial_value",
            dtype=dtype,
        )
    if shape is None:
        return value, value.shape
    if not value.shape.is_compatible_with(shape):
        raise ValueError(
            f"The initial value's shape ({value.shape}) is not compatible with the explicitly "
            f"supplied `shape` argument ({shape})."
        )
    return value, shape


class UninitializedVariable(BaseResourceVariable):
    """A resource variable with no initializer.

    Args:
      name, shape, dtype, trainable, constraint, synchronization, aggregation: as in `tf.Variable`.
    """

    def __init__(
        self,
        trainable: bool | None = None,
        caching_device: Any = None,
        name: str | None = None,
        shape: Any = None,
        dtype: Any = None,
        constraint: Callable[..., Any] | None = None,
        synchronization: Any = None,
        aggregation: Any = None,
        **unused_kwargs: Any,
    ):
        with ops.init_scope(), ops.name_scope(name, "Variable") as scope:
            own_name = unique_id = ops.name_from_scope_name(scope)
            graph_element = None
            if ops.executing_eagerly():
                unique_id = f"{own_name}_{ops.uid()}"
                handle = raw_ops.VarHandleOp(dtype=dtype, shape=shape, name=scope)
            else:
                handle = raw_ops.VarHandleOp(
                    dtype=dtype, shape=shape, shared_name=own_name, name=scope
                )
                with ops.name_scope("Read"), ops.device(handle.device):
                    graph_element = raw_ops.ReadVariableOp(handle, dtype)
                ops.add_to_collection(ops.GraphKeys.GLOBAL_VARIABLES, self)
        super().__init__(
            handle=handle,
            name=own_name,
            dtype=dtype,
            shape=shape,
            graph_element=graph_element,
            trainable=trainable,
            constraint=constraint,
            synchronization=synchronization,
            aggregation=aggregation,
            unique_id=unique_id,
        )


@export.internal_class("tensorflow.python.ops.resource_variable_ops")
class _UnreadVariable(BaseResourceVariable):
    """A resource variable after an update: whatever reads it here reads what the update left.

    Args:
      variable: the variable.
      parent_op: the update.
    """

    def __init__(self, variable: BaseResourceVariable, parent_op: ops.Operation):
        handle = variable.handle
        graph_element = None
        if not (ops.executing_eagerly() or ops.get_default_graph().building_function):
            with ops.control_dependencies([parent_op]):
                graph_element = raw_ops.ReadVariableOp(handle, variable.dtype)
        super().__init__(
            handle=handle,
            name="" if handle._is_eager else handle.name,
            dtype=variable.dtype,
            shape=variable.shape,
            graph_element=graph_element,
            unique_id=variable._unique_id,
        )
        self._parent_op = parent_op

    @property
    def name(self) -> str:
        return self._parent_op.name if self._in_graph_mode else "UnreadVariable"

    op: ops.Operation = attribute("_parent_op")

    def value(self) -> ops.Tensor:
        return self._read_variable_op()

    def read_value(self) -> ops.Tensor:
        return self._read_variable_op()

    def _read_variable_op(self) -> ops.Tensor:
        with ops.control_dependencies([self._parent_op]):
            return super()._read_variable_op()


def variable_handle_from_shape_and_dtype(
    shape: Any,
    dtype: Any,
    shared_name: str | None,
    name: str | None,
    graph_mode: bool,
    extra_handle_data: Any = None,
) -> ops.Tensor:
    """The handle of a new variable.

    Args:
      shape, dtype: of the variable.
      shared_name, name: of the operation that makes the handle.
      graph_mode: whether the handle is recorded; else it is there at once.
      extra_handle_data: a tensor whose handle data the handle has instead of these.
    """
    container = ops.get_default_graph()._container or ""
    handle = raw_ops.VarHandleOp(
        shape=shape, dtype=dtype, shared_name=shared_name, name=name, container=container
    )
    if not graph_mode and raw_ops.VarIsInitializedOp(handle).numpy():
        raise errors.InvalidArgumentError(
            None, None, "assertion failed: [1] [Op:Assert] name: EagerVariableNameReuse"
        )
    if extra_handle_data is not None and extra_handle_data._handle_data is not None:
        handle._handle_data = extra_handle_data._handle_data
    return handle


def eager_safe_variable_handle(
    initial_value: ops.Tensor,
    shape: Any,
    shared_name: str | None,
    name: str | None,
    graph_mode: bool,
) -> ops.Tensor:
    """The handle of a new variable of the dtype of its initial value.

    Args:
      initial_value: the value.
      shape: of the variable.
      shared_name, name, graph_mode: see `variable_handle_from_shape_and_dtype`.
    """
    return variable_handle_from_shape_and_dtype(
        shape, initial_value.dtype.base_dtype, shared_name, name, graph_mode
    )


class EagerResourceDeleter:
    """Destroys a resource of eager execution when nobody holds this any more.

    Args:
      handle: its handle.
      handle_device: where it is.

    Raises:
      ValueError: `handle` is no tensor.
    """

    def __init__(self, handle: ops.Tensor, handle_device: str):
        if not isinstance(handle, ops.Tensor):
            raise ValueError(
                f"Passed handle={handle} to EagerResourceDeleter. Was expecting a handle Tensor."
            )
        self._handle = handle
        self._handle_device = handle_device

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None:
            # At the end of Python modules are gone.
            with (
                contextlib.suppress(TypeError, AttributeError),
                context.mode(True),
                ops.device(self._handle_device),
            ):
                raw_ops.DestroyResourceOp(handle, ignore_lookup_error=True)


def variable_shape(handle: ops.Tensor, out_type: Any = dtypes.int32) -> ops.Tensor:
    """The shape of the variable behind `handle`, as a vector of `out_type`.

    A constant where the static shape is known, as in TF 1.15, else a `VariableShape` op.
    """
    data = handle._handle_data
    source = handle
    while not source._is_eager and source.op.type == "Identity":
        source = source.op.inputs[0]
    # TF's Python does not know of the variable behind what loops, branches and functions pass on.
    passed_on = not source._is_eager and not source.op._spec.source
    if passed_on or data is None or data[1] is None or None in data[1]:
        return raw_ops.VariableShape(handle, out_type=out_type)
    return constant_op.constant(list(data[1]), dtype=out_type)


def shape_safe_assign_variable_handle(
    handle: Any, shape: TensorShape, value: Any, name: str | None = None
) -> ops.Operation:
    """Records the assignment of a value to a variable.

    Raises:
      ValueError: the value's shape is not compatible with the variable's, `shape`.
    """
    with contextlib.nullcontext() if handle._is_eager else handle.graph.as_default():
        value = ops.convert_to_tensor(value)
    shape.assert_is_compatible_with(value.shape)
    return raw_ops.AssignVariableOp(handle, value, name=name)


def is_resource_variable(var: Any) -> bool:
    """Whether `var` is a resource variable, or asks to be taken for one."""
    return isinstance(var, BaseResourceVariable) or hasattr(var, "_should_act_as_resource_variable")


def copy_to_graph_uninitialized(var: BaseResourceVariable) -> UninitializedVariable:
    """A variable like `var` in the current graph, with no value."""
    return UninitializedVariable(
        trainable=var.trainable,
        constraint=var._constraint,  # a distributed variable has no other
        shape=var.shape,
        dtype=var.dtype,
        name=var._shared_name,
        synchronization=var.synchronization,
        aggregation=var.aggregation,
    )


def _to_tensor(
    var: BaseResourceVariable, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> ops.Tensor:
    return var._dense_var_to_tensor(dtype=dtype, name=name, as_ref=as_ref)


ops.register_tensor_conversion_function(BaseResourceVariable, _to_tensor)
ops.register_dense_tensor_like_type(BaseResourceVariable)


def _to_proto(variable: Any, export_scope: str | None = None) -> Any:
    return variable.to_proto(export_scope=export_scope)


def _from_proto(proto: Any, import_scope: str | None = None) -> variable_base.Variable:
    kind = ResourceVariable if proto.is_resource else variable_base.Variable
    return kind.from_proto(proto, import_scope=import_scope)


for _key in (
    ops.GraphKeys.GLOBAL_VARIABLES,
    ops.GraphKeys.TRAINABLE_VARIABLES,
    ops.GraphKeys.MOVING_AVERAGE_VARIABLES,
    ops.GraphKeys.LOCAL_VARIABLES,
    ops.GraphKeys.MODEL_VARIABLES,
    ops.GraphKeys.GLOBAL_STEP,
    ops.GraphKeys.METRIC_VARIABLES,
):
    ops.register_proto_function(
        _key, proto_type=protos.VariableDef, to_proto=_to_proto, from_proto=_from_proto
    )
