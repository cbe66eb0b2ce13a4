"""What a `tf.train.Saver` saves: variables and tensors as `SaveableObject`s."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.training.saving import saveable_object
from tf1compat.api.variables import (
    ref_variable,
    resource_variable_ops,
    state_ops,
    variable_base,
)
from tf1compat.api.variables.partitioned_variables import PartitionedVariable
from tf1compat.core import context, ops
from tf1compat.core.device import DeviceSpec

_REFERENCES = ("Variable", "VariableV2", "AutoReloadVariable")
_VARIABLE_OPS = frozenset((*_REFERENCES, "VarHandleOp", "ReadVariableOp"))


def set_cpu0(device_string: str) -> str:
    """The same device, but its first CPU."""
    spec = DeviceSpec.from_string(device_string)
    return spec.replace(device_type="CPU", device_index=0).to_string()


class ReferenceVariableSaveable(saveable_object.SaveableObject):
    """A reference variable in a checkpoint.

    Args:
      var: its tensor, or the variable.
      slice_spec: which slice of a larger one it is; "" for none.
      name: its name in the checkpoint.
    """

    def __init__(self, var: Any, slice_spec: str, name: str):
        spec = saveable_object.SaveSpec(var, slice_spec, name, dtype=var.dtype)
        super().__init__(var, [spec], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        restored = restored_tensors[0]
        if restored_shapes is not None:
            restored = array_ops.reshape(restored, restored_shapes[0])
        validate = restored_shapes is None and self.op.get_shape().is_fully_defined()
        return state_ops.assign(self.op, restored, validate_shape=validate)


class ResourceVariableSaveable(saveable_object.SaveableObject):
    """A resource variable in a checkpoint.

    Args:
      var: the variable, or a tensor that reads it.
      slice_spec: which slice of a larger one it is; "" for none.
      name: its name in the checkpoint.

    Raises:
      ValueError: `var` is neither.
    """

    def __init__(self, var: Any, slice_spec: str, name: str):
        self._var_device = var.device
        self._var_shape = var.shape
        if isinstance(var, ops.Tensor):
            self.handle_op = var.op.inputs[0]
            tensor = var
        elif resource_variable_ops.is_resource_variable(var):
            self.handle_op = var.handle

            def read() -> Any:
                with ops.device(var.device):
                    value = var.read_value()
                    with ops.device("/device:CPU:0"):
                        return array_ops.identity(value)

            tensor = read
        else:
            raise ValueError(
                f"Saveable is neither a resource variable nor a read operation. Got: {var!r}"
            )
        spec = saveable_object.SaveSpec(
            tensor, slice_spec, name, dtype=var.dtype, device=var.device
        )
        super().__init__(var, [spec], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        restored = restored_tensors[0]
        if restored_shapes is not None:
            restored = array_ops.reshape(restored, restored_shapes[0])
        with ops.device(self._var_device):
            restored = array_ops.identity(restored)
            return resource_variable_ops.shape_safe_assign_variable_handle(
                self.handle_op, self._var_shape, restored
            )


def _is_of_variable(tensor: Any) -> bool:
    return isinstance(tensor, ops.Tensor) and tensor.op.type in _VARIABLE_OPS


def _is_trackable(value: Any) -> Any:
    return hasattr(value, "_gather_saveables_for_checkpoint")


def saveable_objects_for_op(op: Any, name: Any) -> Iterator[Any]:
    """The `SaveableObject`s that save and restore `op` under `name`.

    Args:
      op: a variable, a list of the slices of one, a tensor of one, or a `SaveableObject`.
      name: its name in the checkpoint.

    Raises:
      TypeError: `name` is no string, or a tensor is not a variable's.
      ValueError: slices that are none, or not of the same tensor.
    """
    if not isinstance(name, str):
        raise TypeError(
            "names_to_saveables must be a dict mapping string names to trackable operations. Name "
            f"is not a string: {name}"
        )
    if isinstance(op, saveable_object.SaveableObject):
        yield op
    elif isinstance(op, list | tuple | PartitionedVariable):
        yield from _slices(list(op), name)
    elif _is_trackable(op) and not isinstance(op, variable_base.Variable):
        for attr, factory in op._gather_saveables_for_checkpoint().items():
            full_name = name if attr == "VARIABLE_VALUE" else f"{name}_{attr}"
            made: Any = factory(full_name) if callable(factory) else factory
            yield from saveable_objects_for_op(made, made.name)
    elif isinstance(op, resource_variable_ops.BaseResourceVariable):
        yield ResourceVariableSaveable(op._graph_element if op._in_graph_mode else op, "", name)
    else:
        if context.executing_eagerly():
            raise ValueError(
                f"Can only save/restore ResourceVariables when executing eagerly, got type: "
                f"{type(op)}."
            )
        variable = ops.internal_convert_to_tensor(op, as_ref=True)
        if not _is_of_variable(variable):
            raise TypeError(
                "names_to_saveables must be a dict mapping string names to Tensors/Variables. Not "
                f"a variable: {variable}"
            )
        yield _kind(variable)(variable, "", name)


def _kind(variable: Any) -> Any:
    if variable.op.type in _REFERENCES:
        return ReferenceVariableSaveable
    return ResourceVariableSaveable


# Variables of one value each; those of strategies say how they are saved.
_SINGLE = (resource_variable_ops.BaseResourceVariable, ref_variable.RefVariable)


def _slices(parts: list[Any], name: str) -> Iterator[Any]:
    whole = None
    for variable in parts:
        if not isinstance(variable, variable_base.Variable):
            raise ValueError(f"Slices must all be Variables: {variable}")
        info: Any = variable._save_slice_info
        if not info:
            raise ValueError(f"Slices must all be slices: {variable}")
        if whole is None:
            whole = info.full_name
        elif whole != info.full_name:
            raise ValueError(
                f"Slices must all be from the same tensor: {whole} != {info.full_name}"
            )
        yield _kind(variable)(variable, info.spec, name)


def op_list_to_dict(op_list: Any, convert_variable_to_tensor: bool = True) -> dict[str, Any]:
    """What is to be saved, by its name in the checkpoint; the slices of a variable in a list.

    Args:
      op_list: a list, tuple or set of variables and `SaveableObject`s.
      convert_variable_to_tensor: whether to replace a variable by its tensor.

    Raises:
      TypeError: `op_list` is none of these, or an item is no variable.
      ValueError: two have the same name.
    """
    if not isinstance(op_list, list | tuple | set):
        raise TypeError(f"Variables to save should be passed in a dict or a list: {op_list}")
    found: dict[str, Any] = {}
    # In the order of names: conversions may record operations.
    items: list[Any] = sorted(op_list, key=lambda x: x.name)
    for var in items:
        if isinstance(var, saveable_object.SaveableObject):
            found[var.name] = var
        elif isinstance(var, PartitionedVariable):
            _check_new(var.name, found)
            found[var.name] = var
        elif isinstance(var, variable_base.Variable) and var._save_slice_info:
            name = var._save_slice_info.full_name
            if not isinstance(found.setdefault(name, []), list):
                raise ValueError(f"Mixing slices and non-slices with the same name: {name}")
            found[name].append(var)
        elif _is_trackable(var) and not isinstance(var, _SINGLE):
            factories = var._gather_saveables_for_checkpoint().values()
            made = [factory() if callable(factory) else factory for factory in factories]
            found.update(op_list_to_dict(made))
        elif not getattr(var, "_in_graph_mode", True):
            _add_eager(var, found)
        else:
            if convert_variable_to_tensor:
                if resource_variable_ops.is_resource_variable(var):
                    var = var._graph_element  # pyright: ignore[reportAttributeAccessIssue]
                else:
                    var = ops.internal_convert_to_tensor(var, as_ref=True)
                if not _is_of_variable(var):
                    raise TypeError(f"Variable to save is not a Variable: {var}")
            reads = var.op.type == "ReadVariableOp"
            name = var.op.inputs[0].op.name if reads else var.op.name
            _check_new(name, found)
            found[name] = var
    return found


def _check_new(name: str, found: dict[str, Any]) -> None:
    if name in found:
        raise ValueError(f"At least two variables have the same name: {name}")


def _add_eager(var: Any, found: dict[str, Any]) -> None:
    if not isinstance(var, resource_variable_ops.BaseResourceVariable):
        raise ValueError(
            "Can only save/restore ResourceVariables when eager execution is enabled, type: "
            f"{type(var)}."
        )
    if found.setdefault(var._shared_name, var) is not var:
        raise ValueError(
            f"Two different ResourceVariable objects with the same shared_name "
            f"'{var._shared_name}' were passed to the Saver. This likely means that they were "
            "created in different Graphs or isolation contexts, and may not be checkpointed "
            "together."
        )


def validate_and_slice_inputs(names_to_saveables: Any) -> list[Any]:
    """The `SaveableObject`s of what is given, in the order of their names.

    Args:
      names_to_saveables: a dict, or a list as for `op_list_to_dict`.

    Raises:
      TypeError: a name is no string, or a value can't be saved.
      ValueError: one is given twice.
    """
    if not isinstance(names_to_saveables, dict):
        names_to_saveables = op_list_to_dict(names_to_saveables)
    saveables: list[Any] = []
    seen: set[int] = set()
    for name, op in sorted(names_to_saveables.items(), key=lambda item: item[0]):
        for saveable in saveable_objects_for_op(op, name):
            if id(saveable.op) in seen:
                raise ValueError(
                    f"The same saveable will be restored with two names: {saveable.name}"
                )
            saveables.append(saveable)
            seen.add(id(saveable.op))
    return saveables
