"""The operations of a `tf.train.Saver`."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.text import string_ops
from tf1compat.api.training.saving import saveable_object, saveable_object_util
from tf1compat.api.variables.partitioned_variables import PartitionedVariable
from tf1compat.core import context, device, ops, protos, raw_ops
from tf1compat.core.graph import Graph

V1, V2 = 1, 2  # Of SaverDef.CheckpointFormatVersion.


class BaseSaverBuilder:
    """Records the operations that save and restore variables, one that restores for each.

    Subclasses may record others.

    Args:
      write_version: the version of checkpoints that are written.
    """

    SaveSpec = saveable_object.SaveSpec
    SaveableObject = saveable_object.SaveableObject
    VariableSaveable = saveable_object_util.ReferenceVariableSaveable
    ResourceVariableSaveable = saveable_object_util.ResourceVariableSaveable

    def __init__(self, write_version: int = V2):
        self._write_version = write_version

    def save_op(self, filename_tensor: Any, saveables: Sequence[Any]) -> Any:
        """Records the operation that saves.

        Raises:
          RuntimeError: no such version of checkpoints.
        """
        names, slices, tensors = [], [], []
        for saveable in saveables:
            for spec in saveable.specs:
                names.append(spec.name)
                tensors.append(spec.tensor)
                slices.append(spec.slice_spec)
        if self._write_version == V1:
            return raw_ops.SaveSlices(filename_tensor, names, slices, tensors, name="save")
        if self._write_version == V2:
            return raw_ops.SaveV2(filename_tensor, names, slices, tensors)
        raise RuntimeError(f"Unexpected write_version: {self._write_version}")

    def bulk_restore(
        self,
        filename_tensor: Any,
        saveables: Sequence[Any],
        preferred_shard: int,
        restore_sequentially: bool,
    ) -> Any:
        """Records what reads the tensors of all saveables; returns them in order."""
        found: list[Any] = []
        for saveable in saveables:
            where = saveable_object_util.set_cpu0(saveable.device) if saveable.device else None
            with ops.device(where):
                found.extend(self.restore_op(filename_tensor, saveable, preferred_shard))
        return found

    def restore_op(self, filename_tensor: Any, saveable: Any, preferred_shard: int) -> list[Any]:
        """Records what reads the tensors of one saveable."""
        return [
            raw_ops.RestoreV2(filename_tensor, [spec.name], [spec.slice_spec], [spec.dtype])[0]
            for spec in saveable.specs
        ]

    def sharded_filename(self, filename_tensor: Any, shard: int, num_shards: Any) -> Any:
        """Records the name of a shard's file."""
        return raw_ops.ShardedFilename(filename_tensor, shard, num_shards)

    def _AddSaveOps(self, filename_tensor: Any, saveables: Sequence[Any]) -> Any:  # noqa: N802
        save = self.save_op(filename_tensor, saveables)
        return control_flow_ops.with_dependencies([save], filename_tensor)

    def _AddShardedSaveOpsForV2(self, checkpoint_prefix: Any, per_device: Any) -> Any:  # noqa: N802
        suffix = f"_temp_{uuid.uuid4().hex}/part"
        temporary = string_ops.string_join([checkpoint_prefix, suffix])
        count = constant_op.constant(len(per_device), name="num_shards")
        saves, prefixes = [], []
        last = None
        for shard, (where, saveables) in enumerate(per_device):
            last = where
            with ops.device(saveable_object_util.set_cpu0(where)):
                prefix = self.sharded_filename(temporary, shard, count)
                prefixes.append(prefix)
                saves.append(self._AddSaveOps(prefix, saveables))
        with (
            ops.control_dependencies([save.op for save in saves]),
            ops.device(saveable_object_util.set_cpu0(last)),  # pyright: ignore
        ):
            merged = raw_ops.MergeV2Checkpoints(prefixes, checkpoint_prefix, delete_old_dirs=True)
            with ops.control_dependencies([merged]):
                return array_ops.identity(checkpoint_prefix)

    def _AddShardedSaveOps(self, filename_tensor: Any, per_device: Any) -> Any:  # noqa: N802
        if self._write_version == V2:
            return self._AddShardedSaveOpsForV2(filename_tensor, per_device)
        count = constant_op.constant(len(per_device), name="num_shards")
        saves = []
        for shard, (where, saveables) in enumerate(per_device):
            with ops.device(where):
                name = self.sharded_filename(filename_tensor, shard, count)
                saves.append(self._AddSaveOps(name, saveables))
        with ops.control_dependencies([save.op for save in saves]):
            return raw_ops.ShardedFilespec(filename_tensor, count)

    def _AddRestoreOps(  # noqa: N802
        self,
        filename_tensor: Any,
        saveables: Sequence[Any],
        restore_sequentially: bool,
        reshape: bool,
        preferred_shard: int = -1,
        name: str = "restore_all",
    ) -> Any:
        tensors = self.bulk_restore(
            filename_tensor, saveables, preferred_shard, restore_sequentially
        )
        assigned = []
        at = 0
        for saveable in saveables:
            shapes = None
            if reshape:
                shapes = [_shape_of(spec.tensor) for spec in saveable.specs]
            count = len(saveable.specs)
            assigned.append(saveable.restore(tensors[at : at + count], shapes))
            at += count
        return control_flow_ops.group(*assigned, name=name)

    def _AddShardedRestoreOps(  # noqa: N802
        self, filename_tensor: Any, per_device: Any, restore_sequentially: bool, reshape: bool
    ) -> Any:
        restored = []
        for shard, (where, saveables) in enumerate(per_device):
            with ops.device(where):
                restored.append(
                    self._AddRestoreOps(
                        filename_tensor,
                        saveables,
                        restore_sequentially,
                        reshape,
                        preferred_shard=shard,
                        name="restore_shard",
                    )
                )
        return control_flow_ops.group(*restored, name="restore_all")

    def _GroupByDevices(self, saveables: Sequence[Any]) -> list[tuple[str, list[Any]]]:  # noqa: N802
        """The saveables of each device, in the order of the devices' names.

        Raises:
          ValueError: the tensors of one are on several devices.
        """
        found: dict[str, list[Any]] = {}
        for saveable in saveables:
            places = {device.canonical_name(spec.tensor.device) for spec in saveable.specs}
            if len(places) != 1:
                raise ValueError(
                    f"All tensors of a saveable object must be on the same device: {saveable.name}"
                )
            found.setdefault(places.pop(), []).append(saveable)
        return sorted(found.items(), key=lambda item: item[0])

    def build(
        self,
        names_to_saveables: Any,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        filename: str | None = "model",
    ) -> Any:
        """Records the operations, or in eager mode does the work; returns a `SaverDef`.

        Args:
          names_to_saveables: {name in the checkpoint: a variable or a `SaveableObject`}.
          reshape: whether values may be restored to variables of another shape.
          sharded: whether there is a file for each device.
          max_to_keep, keep_checkpoint_every_n_hours: written to the `SaverDef`.
          name: the name scope, "save" by default.
          restore_sequentially: not used.
          filename: the default name of checkpoints.

        Raises:
          TypeError: a name is no string, or a value can't be saved.
          ValueError: a name or a value is given twice.
        """
        return self._build_internal(
            names_to_saveables,
            reshape,
            sharded,
            max_to_keep,
            keep_checkpoint_every_n_hours,
            name,
            restore_sequentially,
            filename,
        )

    def _build_internal(
        self,
        names_to_saveables: Any,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        filename: str | None = "model",
        build_save: bool = True,
        build_restore: bool = True,
    ) -> Any:
        eager = context.executing_eagerly()
        if not eager and not (build_save and build_restore):
            raise ValueError(
                "save and restore operations need to be built together  when eager execution is "
                "not enabled."
            )
        saveables = saveable_object_util.validate_and_slice_inputs(names_to_saveables)
        saved: Any = None
        restored: Any = None
        with ops.name_scope(name, "save", [saveable.op for saveable in saveables]) as name:
            path: Any = array_ops.placeholder_with_default(filename or "model", (), name="filename")
            path = array_ops.placeholder_with_default(path, (), name="Const")
            how = (restore_sequentially, reshape)
            if sharded:
                per_device = self._GroupByDevices(saveables)
                if build_save:
                    saved = self._AddShardedSaveOps(path, per_device)
                if build_restore:
                    restored = self._AddShardedRestoreOps(path, per_device, *how)
            else:
                if build_save:
                    saved = self._AddSaveOps(path, saveables)
                if build_restore:
                    restored = self._AddRestoreOps(path, saveables, *how)
        settings = {
            "max_to_keep": max_to_keep or 0,
            "sharded": sharded,
            "keep_checkpoint_every_n_hours": keep_checkpoint_every_n_hours,
            "version": self._write_version,
        }
        if eager:
            return protos.SaverDef(
                filename_tensor_name=path.numpy(),
                save_tensor_name=saved.numpy() if build_save else "",
                restore_op_name="",
                **settings,
            )
        _join_partitions(ops.get_default_graph())
        return protos.SaverDef(
            filename_tensor_name=path.name,
            save_tensor_name=saved.name,
            restore_op_name=restored.name,
            **settings,
        )


def _shape_of(tensor: Any) -> Any:
    shape = tensor.get_shape()
    return shape if shape.is_fully_defined() else array_ops.shape(tensor)


def _join_partitions(graph: Graph) -> None:
    """Records the tensors of partitioned variables in collections: a meta graph names them."""
    for key in graph.get_all_collection_keys():
        for element in graph.get_collection(key):
            if isinstance(element, PartitionedVariable):
                try:
                    graph.get_operation_by_name(element.name)
                except KeyError:
                    element.as_tensor()


class BulkSaverBuilder(BaseSaverBuilder):
    """A `BaseSaverBuilder` that reads all tensors by one operation."""

    def bulk_restore(
        self,
        filename_tensor: Any,
        saveables: Sequence[Any],
        preferred_shard: int,
        restore_sequentially: bool,
    ) -> Any:
        specs = [spec for saveable in saveables for spec in saveable.specs]
        names = [spec.name for spec in specs]
        slices = [spec.slice_spec for spec in specs]
        types = [spec.dtype for spec in specs]
        with ops.device("cpu:0"):
            return raw_ops.RestoreV2(filename_tensor, names, slices, types)
