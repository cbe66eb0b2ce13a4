"""Reference variables: the kind that `tf.Variable` and `tf.get_variable` make in TF 1.15 by
default.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import initial_values, state_ops, variable_base
from tf1compat.core import dtypes, export, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor_shape import TensorShape, unknown_shape


@export.internal_class("tensorflow.python.ops.variables")
class RefVariable(variable_base.VariableV1):
    """A variable whose op, a `VariableV2`, outputs a reference to its buffer.

    Records `<name>` (VariableV2), `<name>/Assign` and `<name>/read`, after the initial value.  The
    arguments are those of `tf.Variable`.
    """

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        expected_shape: Any = None,
        import_scope: str | None = None,
        constraint: Callable[..., Any] | None = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
    ):
        if variable_def:
            if initial_value is not None:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            self._variable = self._graph_element_of_proto(variable_def.variable_name, import_scope)
            self._snapshot = self._graph_element_of_proto(variable_def.snapshot_name, import_scope)
            self._init_properties_from_proto(variable_def, import_scope)
            return
        variable_base.check_constructor_arguments(initial_value, constraint)
        self._set_properties(synchronization, aggregation, trainable, name)
        collections = self._collections_to_join(collections)
        self._caching_device = caching_device
        self._save_slice_info = None
        self._constraint = constraint
        with ops.init_scope():
            self._record(initial_value, validate_shape, caching_device, name, dtype, shape)
            ops.add_to_collections(collections, self)

    def _record(
        self,
        initial_value: Any,
        validate_shape: bool,
        caching_device: Any,
        name: str | None,
        dtype: Any,
        shape: Any,
    ) -> None:
        """Records the initial value, the variable, its initializer and its read."""
        make_initial_value = initial_value if callable(initial_value) else None
        values = [] if make_initial_value else [initial_value]
        with ops.name_scope(name, "Variable", values) as scope:
            if make_initial_value:
                # The initial value is made where the variable is: under its name and on its device.
                placement = initial_values.colocated_with(ops.name_from_scope_name(scope))
            else:
                placement = contextlib.nullcontext()
            with placement:
                if make_initial_value:
                    with ops.name_scope("Initializer"), ops.device(None):
                        initial_value = ops.convert_to_tensor(
                            make_initial_value(), name="initial_value", dtype=dtype
                        )
                else:
                    initial_value = ops.convert_to_tensor(
                        initial_value, name="initial_value", dtype=dtype
                    )
                    initial_values.check_not_in_control_flow(scope, initial_value)
                if shape is None:
                    shape = initial_value.get_shape() if validate_shape else unknown_shape()
                self._variable = raw_ops.VariableV2(
                    shape=shape, dtype=initial_value.dtype.base_dtype, name=scope
                )
            self._initial_value = initial_value
            if validate_shape and not initial_value.get_shape().is_fully_defined():
                raise ValueError(f"initial_value must have a shape specified: {initial_value}")
            self._initializer_op = raw_ops.Assign(
                self._variable,
                initial_values.guard_against_uninitialized_dependencies(scope, initial_value),
                validate_shape=validate_shape,
            ).op
            if caching_device is not None:
                place_of_read = ops.device(caching_device)
            else:
                place_of_read = ops.colocate_with(self._variable.op)
            with place_of_read:
                self._snapshot = raw_ops.Identity(self._variable, name="read")

    def _as_graph_element(self) -> ops.Tensor:
        return self._variable

    def _ref(self) -> ops.Tensor:
        return self._variable

    name: str = attribute("_variable.name")
    op: ops.Operation = attribute("_variable.op")
    graph: ops.Graph = attribute("_variable.graph")
    device: str = attribute("_variable.device")
    dtype: dtypes.DType = attribute("_variable.dtype")

    @property
    def shape(self) -> TensorShape:
        return self._variable.get_shape()

    def set_shape(self, shape: Any) -> None:
        """Merges `shape` into the static shape of the variable and of its value."""
        self._variable.set_shape(shape)
        self._snapshot.set_shape(shape)

    def value(self) -> ops.Tensor:
        return self._snapshot

    def read_value(self) -> ops.Tensor:
        return raw_ops.Identity(self._variable, name="read")

    def eval(self, session: Any = None) -> Any:
        return self._variable.eval(session=session)

    def assign(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        assigned = raw_ops.Assign(self._variable, value, use_locking=use_locking, name=name)
        return assigned if read_value else assigned.op

    def assign_add(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        assigned = raw_ops.AssignAdd(self._variable, delta, use_locking=use_locking, name=name)
        return assigned if read_value else assigned.op

    def assign_sub(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        assigned = raw_ops.AssignSub(self._variable, delta, use_locking=use_locking, name=name)
        return assigned if read_value else assigned.op

    def _scatter(
        self, update: str, sparse_delta: Any, use_locking: bool | None, name: str | None
    ) -> ops.Tensor:
        variable_base.check_indexed_slices(sparse_delta)
        return getattr(raw_ops, f"Scatter{update}")(
            self._variable,
            sparse_delta.indices,
            sparse_delta.values,
            use_locking=use_locking,
            name=name,
        )

    def _scatter_nd(self, update: str, indices: Any, updates: Any, name: str | None) -> ops.Tensor:
        record = getattr(raw_ops, f"ScatterNd{update}")
        return record(self._variable, indices, updates, use_locking=True, name=name)

    def batch_scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        return state_ops.batch_scatter_update(
            self, sparse_delta.indices, sparse_delta.values, use_locking=use_locking, name=name
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
    ) -> ops.Tensor:
        masks = {
            "begin_mask": begin_mask,
            "end_mask": end_mask,
            "ellipsis_mask": ellipsis_mask,
            "new_axis_mask": new_axis_mask,
            "shrink_axis_mask": shrink_axis_mask,
        }
        return raw_ops.StridedSliceAssign(
            self._variable, begin, end, strides, value, name=name, **masks
        )

    @deprecated(None, "Prefer Dataset.range instead.", module="tensorflow.python.ops.variables")
    def count_up_to(self, limit: int) -> ops.Tensor:
        return raw_ops.CountUpTo(self._variable, limit=limit)

    def to_proto(self, export_scope: str | None = None) -> Any:
        return self._proto(self._variable, self._snapshot, export_scope)

    def __iadd__(self, other: Any) -> ops.Tensor:
        _warn_in_place("+=", "variable.assign_add", "'x = x + y'")
        return self + other

    def __isub__(self, other: Any) -> ops.Tensor:
        _warn_in_place("-=", "variable.assign_sub", "'x = x - y'")
        return self - other

    def __imul__(self, other: Any) -> ops.Tensor:
        _warn_in_place("*=", "`var.assign(var * other)`", "`x = x * y`")
        return self * other

    def __itruediv__(self, other: Any) -> ops.Tensor:
        _warn_in_place("/=", "`var.assign(var / other)`", "`x = x / y`")
        return self / other

    def __ipow__(self, other: Any) -> ops.Tensor:
        _warn_in_place("**=", "`var.assign(var ** other)`", "`x = x ** y`")
        return self**other


def _warn_in_place(operator: str, assign: str, binary: str) -> None:
    """Says once per operator that `v += x` rebinds the name to a tensor instead of changing the
    variable.
    """
    logging.log_first_n(
        logging.WARN,
        f"Variable {operator} will be deprecated. Use {assign}"
        " if you want assignment to the variable value or "
        f"{binary} if you want a new python Tensor object.",
        1,
    )


def _to_tensor(
    variable: RefVariable, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> ops.Tensor:
    read = variable._ref if as_ref else variable.value
    return variable_base.convert_variable(variable, dtype, read)


ops.register_tensor_conversion_function(RefVariable, _to_tensor)
ops.register_dense_tensor_like_type(RefVariable)
