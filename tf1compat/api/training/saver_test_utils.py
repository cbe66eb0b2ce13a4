"""`tensorflow.python.training.saver_test_utils`: something that is saved in a way of its own."""

from __future__ import annotations

from typing import Any

from tf1compat.api.training.saving.saveable_object import SaveableObject, SaveSpec
from tf1compat.core import dtypes, ops, raw_ops


class CheckpointedOp:
    """A table of strings and floats, of which checkpoints have the keys and values.

    Args:
      name: its name, in the graph and in checkpoints.
      table_ref: the handle of the table, if there is one already.
    """

    def __init__(self, name: str, table_ref: Any = None):
        if table_ref is None:
            table_ref = raw_ops.MutableHashTableV2(
                key_dtype=dtypes.string, value_dtype=dtypes.float32, name=name
            )
        self.table_ref = table_ref
        self._name = name
        if not ops.executing_eagerly():
            self._saveable = CheckpointedOp.CustomSaveable(self, name)
            ops.add_to_collection(ops.GraphKeys.SAVEABLE_OBJECTS, self._saveable)

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def saveable(self) -> CustomSaveable:
        """What a saver takes."""
        if ops.executing_eagerly():
            return CheckpointedOp.CustomSaveable(self, self.name)
        return self._saveable

    def insert(self, keys: Any, values: Any) -> Any:
        """An operation that puts pairs in."""
        return raw_ops.LookupTableInsertV2(self.table_ref, keys, values)

    def lookup(self, keys: Any, default: Any) -> Any:
        """The values of keys."""
        return raw_ops.LookupTableFindV2(self.table_ref, keys, default)

    def keys(self) -> Any:
        """All keys."""
        return self._export()[0]

    def values(self) -> Any:
        """All values."""
        return self._export()[1]

    def _export(self) -> Any:
        return raw_ops.LookupTableExportV2(self.table_ref, dtypes.string, dtypes.float32)

    class CustomSaveable(SaveableObject):
        """The keys and values of a table.

        Args:
          table: a `CheckpointedOp`.
          name: its name in checkpoints.
        """

        def __init__(self, table: CheckpointedOp, name: str):
            keys, values = table._export()
            specs = [SaveSpec(keys, "", f"{name}-keys"), SaveSpec(values, "", f"{name}-values")]
            super().__init__(table, specs, name)

        def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
            return raw_ops.LookupTableImportV2(self.op.table_ref, *restored_tensors[:2])
