"""`tensorflow.python.training.saving.functional_saver`: operations that save and restore
`SaveableObject`s."""

from __future__ import annotations

import uuid
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.functions import function
from tf1compat.api.text import string_ops
from tf1compat.api.training.saving import saveable_object, saveable_object_util
from tf1compat.core import dtypes, ops, protos, raw_ops
from tf1compat.core.type_spec import TensorSpec

# The argument of functions that save and restore.
_FILE_PREFIX = TensorSpec([], dtypes.string)


class _SingleDeviceSaver:
    """Those of one device."""

    def __init__(self, saveable_objects: Any):
        self._saveable_objects = list(saveable_objects)

    def save(self, file_prefix: Any) -> Any:
        """Records the operation that saves."""
        specs = [spec for saveable in self._saveable_objects for spec in saveable.specs]
        tensors = [spec.tensor for spec in specs]
        with ops.device("cpu:0"):
            return raw_ops.SaveV2(
                file_prefix,
                [spec.name for spec in specs],
                [spec.slice_spec for spec in specs],
                tensors,
            )

    def restore(self, file_prefix: Any) -> dict[str, Any]:
        """Records the operations that restore, by name."""
        specs = [spec for saveable in self._saveable_objects for spec in saveable.specs]
        with ops.device("cpu:0"):
            restored = raw_ops.RestoreV2(
                file_prefix,
                [spec.name for spec in specs],
                [spec.slice_spec for spec in specs],
                [spec.dtype.base_dtype for spec in specs],
            )
        tensors = iter(restored)
        found = {}
        for saveable in self._saveable_objects:
            values = [next(tensors) for _ in saveable.specs]
            found[saveable.name] = saveable.restore(values, restored_shapes=None)
        return found


class MultiDeviceSaver:
    """Saves and restores `SaveableObject`s, those of each device in a file of their own.

    Args:
      saveable_objects: the objects.

    Raises:
      ValueError: something else is among them.
    """

    def __init__(self, saveable_objects: Any):
        by_device: dict[str, list[Any]] = {}
        for saveable in saveable_objects:
            if not isinstance(saveable, saveable_object.SaveableObject):
                raise ValueError(f"Expected a dictionary of SaveableObjects, got {saveable}.")
            by_device.setdefault(saveable.device, []).append(saveable)
        self._savers = {device: _SingleDeviceSaver(group) for device, group in by_device.items()}

    def to_proto(self) -> Any:
        """Records calls that save and restore, with a path that is fed: a `SaverDef`."""
        file_name = array_ops.placeholder(shape=[], dtype=dtypes.string, name="saver_filename")
        save, restore = self._traced_save(file_name), self._traced_restore(file_name)
        proto = protos.SaverDef(
            filename_tensor_name=file_name.name,
            save_tensor_name=save.name,
            restore_op_name=restore.op.name,
        )
        proto.version = proto.V2
        return proto

    @function.function(input_signature=(_FILE_PREFIX,), autograph=False)
    def _traced_save(self, file_prefix: Any) -> Any:
        save_op = self.save(file_prefix)
        with ops.device("cpu:0"), ops.control_dependencies([save_op]):
            return array_ops.identity(file_prefix)

    @function.function(input_signature=(_FILE_PREFIX,), autograph=False)
    def _traced_restore(self, file_prefix: Any) -> Any:
        restore_ops = self.restore(file_prefix)
        with ops.device("cpu:0"), ops.control_dependencies(list(restore_ops.values())):
            return array_ops.identity(file_prefix)

    def save(self, file_prefix: Any) -> Any:
        """Records the operation that saves.

        Args:
          file_prefix: where to, a string scalar.
        """
        with ops.device("cpu:0"):
            suffix = f"_temp_{uuid.uuid4().hex}/part"
            prefix = string_ops.string_join([file_prefix, suffix])
        count = constant_op.constant(len(self._savers), name="num_shards")
        saves, prefixes, last = [], [], ""
        for i, (device, saver) in enumerate(sorted(self._savers.items())):
            last = saveable_object_util.set_cpu0(device)
            with ops.device(last):
                prefixes.append(raw_ops.ShardedFilename(prefix, i, count))
            with ops.device(device):
                saves.append(saver.save(prefixes[-1]))
        with ops.control_dependencies(saves), ops.device(last):
            return raw_ops.MergeV2Checkpoints(prefixes, file_prefix, delete_old_dirs=True)

    def restore(self, file_prefix: Any) -> dict[str, Any]:
        """Records the operations that restore, by name.

        Args:
          file_prefix: where from, a string scalar.
        """
        found = {}
        for device, saver in sorted(self._savers.items()):
            with ops.device(device):
                found.update(saver.restore(file_prefix))
        return found


def sharded_filename(filename_tensor: Any, shard: Any, num_shards: Any) -> Any:
    """The name of a part of a checkpoint: a string tensor "<name>-00001-of-00003".

    Args:
      filename_tensor: the checkpoint's name.
      shard, num_shards: which part, of how many.
    """
    return raw_ops.ShardedFilename(basename=filename_tensor, shard=shard, num_shards=num_shards)
