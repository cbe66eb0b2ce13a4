"""`tf.train.Saver`, and meta graphs with the saver that belongs to them."""

from __future__ import annotations

import math
import numbers
import os
import time
from typing import Any

from tf1compat.api.client import pywrap_tensorflow
from tf1compat.api.framework import meta_graph
from tf1compat.api.lib.io import file_io
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import checkpoint_management, training_util
from tf1compat.api.training.checkpoint_management import (
    checkpoint_exists,
    generate_checkpoint_state_proto,
    get_checkpoint_mtimes,
    get_checkpoint_state,
    latest_checkpoint,
    remove_checkpoint,
    update_checkpoint_state,
)
from tf1compat.api.training.saver_builder import V2, BaseSaverBuilder, BulkSaverBuilder
from tf1compat.api.training.saving import saveable_object_util
from tf1compat.api.util.compat import as_str, as_text
from tf1compat.api.variables import variables
from tf1compat.core import context, errors, ops, protos
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.session_interface import SessionInterface

__all__ = [
    "BaseSaverBuilder", "BulkSaverBuilder", "Saver", "checkpoint_exists", "export_meta_graph",
    "generate_checkpoint_state_proto", "get_checkpoint_mtimes", "get_checkpoint_state",
    "import_meta_graph", "latest_checkpoint", "object_graph_key_mapping", "remove_checkpoint",
    "saver_from_object_based_checkpoint", "update_checkpoint_state",
]  # fmt: skip

_OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"


def _get_saver_or_default() -> Any:
    """The saver in the collection, or a new one.

    Raises:
      RuntimeError: there are several.
    """
    key = ops.GraphKeys.SAVERS
    savers = ops.get_collection(key)
    if len(savers) > 1:
        raise RuntimeError(
            f"More than one item in collection {key}. Please indicate which one to use by passing "
            "it to the constructor."
        )
    if savers:
        return savers[0]
    saver = Saver(sharded=True, allow_empty=True)
    ops.add_to_collection(key, saver)
    return saver


@tf_export("train.Saver")
class Saver:
    """Saves variables to checkpoints and restores them, as `tf.train.Saver` in TF 1.15.

    Args:
      var_list: variables and `SaveableObject`s, or {name in the checkpoint: variable}; by default
        all of the graph.
      reshape: whether values may be restored to variables of another shape.
      sharded: whether a checkpoint has a file for each device.
      max_to_keep: how many checkpoints to keep, all if it is None or 0.
      keep_checkpoint_every_n_hours: how often one is kept besides.
      name: the name scope of the operations, "save" by default.
      restore_sequentially: has no effect, as in TF 1.15.
      saver_def: a `SaverDef` whose operations are in the graph already.
      builder: records the operations; a `BulkSaverBuilder` by default.
      defer_build: whether they are only recorded by `build`.
      allow_empty: whether there may be nothing to save.
      write_version: `SaverDef.V2` or `SaverDef.V1`.
      pad_step_number: whether steps in the names have eight digits.
      save_relative_paths: whether the state file has paths from its folder on.
      filename: the default name of checkpoints.

    Raises:
      TypeError: `var_list` is of a wrong type.
      ValueError: there is nothing to save, or something twice.
      RuntimeError: no `var_list` in eager mode.
    """

    def __init__(
        self,
        var_list: Any = None,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        saver_def: Any = None,
        builder: Any = None,
        defer_build: bool = False,
        allow_empty: bool = False,
        write_version: int = V2,
        pad_step_number: bool = False,
        save_relative_paths: bool = False,
        filename: str | None = None,
    ):
        if defer_build and var_list:
            raise ValueError(
                "If `var_list` is provided then build cannot be deferred. Either set "
                "defer_build=False or var_list=None."
            )
        if context.executing_eagerly():
            logging.warning(
                "Saver is deprecated, please switch to tf.train.Checkpoint or "
                "tf.keras.Model.save_weights for training checkpoints. When executing eagerly "
                "variables do not necessarily have unique names, and so the variable.name-based "
                "lookups Saver performs are error-prone."
            )
            if var_list is None:
                raise RuntimeError(
                    "When eager execution is enabled, `var_list` must specify a list or dict of "
                    "variables to save"
                )
        self._var_list = var_list
        self._reshape = reshape
        self._sharded = sharded
        self._max_to_keep = max_to_keep
        self._keep_checkpoint_every_n_hours = keep_checkpoint_every_n_hours
        self._name = name
        self._restore_sequentially = restore_sequentially
        self.saver_def = saver_def
        self._builder = builder
        self._is_built = False
        self._allow_empty = allow_empty
        self._is_empty: bool | None = None
        self._write_version = write_version
        self._pad_step_number = pad_step_number
        self._filename = filename
        # (path, time) of the checkpoints that are kept, the oldest first.
        self._last_checkpoints: list[tuple[str, float]] = []
        self._checkpoints_to_be_deleted: list[tuple[str, float]] = []
        if context.executing_eagerly():
            self._next_checkpoint_time = time.time() + keep_checkpoint_every_n_hours * 3600
        elif not defer_build:
            self.build()
        if self.saver_def:
            self._check_saver_def()
            self._write_version = self.saver_def.version
        self._save_relative_paths = save_relative_paths
        self._object_restore_saver: Any = None

    def build(self) -> None:
        """Records the operations; only needed after `defer_build`.

        Raises:
          RuntimeError: in eager mode.
          ValueError: there is nothing to save.
        """
        if context.executing_eagerly():
            raise RuntimeError("Use save/restore instead of build in eager mode.")
        self._build(self._filename, build_save=True, build_restore=True)

    def _build(self, checkpoint_path: Any, build_save: bool, build_restore: bool) -> None:
        eager = context.executing_eagerly()
        if not eager:
            if self._is_built:
                return
            self._is_built = True
        if not self.saver_def or eager:
            if self._builder is None:
                self._builder = BulkSaverBuilder(self._write_version)
            if self._var_list is None:
                self._var_list = variables._all_saveable_objects()
            if not self._var_list:
                if not self._allow_empty:
                    raise ValueError("No variables to save")
                self._is_empty = True
                return
            self._is_empty = False
            self.saver_def = self._builder._build_internal(
                self._var_list,
                reshape=self._reshape,
                sharded=self._sharded,
                max_to_keep=self._max_to_keep,
                keep_checkpoint_every_n_hours=self._keep_checkpoint_every_n_hours,
                name=self._name,
                restore_sequentially=self._restore_sequentially,
                filename=checkpoint_path,
                build_save=build_save,
                build_restore=build_restore,
            )
        elif self.saver_def and self._name:
            for field in ("filename_tensor_name", "save_tensor_name", "restore_op_name"):
                name = ops.prepend_name_scope(getattr(self.saver_def, field), self._name)
                setattr(self.saver_def, field, name)
        self._check_saver_def()
        if not eager:
            hours = self.saver_def.keep_checkpoint_every_n_hours
            self._next_checkpoint_time = time.time() + hours * 3600

    def _check_saver_def(self) -> None:
        definition = self.saver_def
        if not isinstance(definition, protos.SaverDef):
            raise ValueError(f"saver_def must be a saver_pb2.SaverDef: {definition}")
        if not context.executing_eagerly():
            for field in ("save_tensor_name", "restore_op_name"):
                if not getattr(definition, field):
                    raise ValueError(f"saver_def must specify the {field}: {definition}")

    def _CheckpointFilename(self, p: tuple[str, float]) -> str:  # noqa: N802
        return p[0]

    def _RecordLastCheckpoint(self, latest_save_path: str) -> None:  # noqa: N802
        if not self.saver_def.max_to_keep:
            return
        kept = [p for p in self._last_checkpoints if p[0] != latest_save_path]
        self._last_checkpoints = [*kept, (latest_save_path, time.time())]
        if len(self._last_checkpoints) > self.saver_def.max_to_keep:
            self._checkpoints_to_be_deleted.append(self._last_checkpoints.pop(0))

    def _MaybeDeleteOldCheckpoints(self, meta_graph_suffix: str = "meta") -> None:  # noqa: N802
        if not self._checkpoints_to_be_deleted:
            return
        path, written = self._checkpoints_to_be_deleted.pop(0)
        if written > self._next_checkpoint_time:
            self._next_checkpoint_time += self.saver_def.keep_checkpoint_every_n_hours * 3600
            return
        try:
            checkpoint_management.remove_checkpoint(path, self.saver_def.version, meta_graph_suffix)
        except Exception as error:
            logging.warning("Ignoring: %s", str(error))

    # Protos.

    def as_saver_def(self) -> Any:
        """The `SaverDef`."""
        return self.saver_def

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The `SaverDef`, its names from `export_scope` on; None if they lie outside it."""
        if export_scope is None:
            return self.saver_def
        definition = protos.SaverDef()
        definition.CopyFrom(self.saver_def)
        for field in ("filename_tensor_name", "save_tensor_name", "restore_op_name"):
            name = getattr(definition, field)
            if not name.startswith(export_scope):
                return None
            setattr(definition, field, ops.strip_name_scope(name, export_scope))
        return definition

    @staticmethod
    def from_proto(saver_def: Any, import_scope: str | None = None) -> Saver:
        """The saver whose operations a `SaverDef` names."""
        return Saver(saver_def=saver_def, name=import_scope)

    # Which checkpoints there are.

    @property
    def last_checkpoints(self) -> list[str]:
        """The paths of the checkpoints that are kept, the oldest first."""
        return [self._CheckpointFilename(p) for p in self._last_checkpoints]

    def set_last_checkpoints(self, last_checkpoints: list[str]) -> None:
        """Sets which checkpoints are kept; deprecated for `set_last_checkpoints_with_time`."""
        assert isinstance(last_checkpoints, list)
        self._last_checkpoints = [(path, math.inf) for path in last_checkpoints]

    def set_last_checkpoints_with_time(
        self, last_checkpoints_with_time: list[tuple[str, float]]
    ) -> None:
        """Sets which checkpoints are kept, (path, time) of each, the oldest first."""
        assert isinstance(last_checkpoints_with_time, list)
        self._last_checkpoints = last_checkpoints_with_time

    def recover_last_checkpoints(self, checkpoint_paths: Any) -> None:
        """Takes over checkpoints of an earlier run, those that are still there."""
        found = []
        for path in checkpoint_paths:
            times = checkpoint_management.get_checkpoint_mtimes([path])
            if times:
                found.append((path, times[0]))
        self.set_last_checkpoints_with_time(found)

    # The work.

    def save(
        self,
        sess: Any,
        save_path: str,
        global_step: Any = None,
        latest_filename: str | None = None,
        meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True,
        write_state: bool = True,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> str | None:
        """Saves the variables, as `tf.train.Saver.save` in TF 1.15.

        Args:
          sess: the session that holds them.
          save_path: the checkpoint's name, before the step.
          global_step: a number, or what `sess` can run for one, put behind the name.
          latest_filename: the name of the state file, "checkpoint" by default.
          meta_graph_suffix: what the meta graph's file name ends with.
          write_meta_graph: whether to write the graph, too.
          write_state: whether to note the checkpoint in the state file and to delete old ones.
          strip_default_attrs: whether attrs of default value are left out of the graph.
          save_debug_info: whether to write where operations come from.

        Returns:
          The path for `restore`; None if there is nothing to save.

        Raises:
          TypeError: `sess` is no session.
          ValueError: `latest_filename` has folders or collides with the checkpoint, or there is no
            such folder.
          RuntimeError: `build` was deferred and not called.
        """
        eager = context.executing_eagerly()
        if not self._is_built and not eager:
            raise RuntimeError("`build()` should be called before save if defer_build==True")
        if latest_filename is None:
            latest_filename = "checkpoint"
        if self._write_version != V2:
            _warn_of_version_1()
        if os.path.split(latest_filename)[0]:
            raise ValueError("'latest_filename' must not contain path components")
        save_path = os.fspath(save_path)
        if global_step is not None:
            if not isinstance(global_step, numbers.Integral):
                global_step = training_util.global_step(sess, global_step)
            step = f"{global_step:08d}" if self._pad_step_number else f"{int(global_step)}"
            checkpoint_file = f"{save_path}-{step}"
        else:
            checkpoint_file = save_path
            if os.path.basename(save_path) == latest_filename and not self._sharded:
                raise ValueError(
                    f"'latest_filename' collides with 'save_path': '{latest_filename}' and "
                    f"'{save_path}'"
                )
        if not eager and not _is_session(sess):
            raise TypeError(f"'sess' must be a Session; {sess}")
        path = None
        if not self._is_empty:
            folder = os.path.dirname(save_path)
            try:
                path = as_str(self._write(sess, checkpoint_file))
                if write_state:
                    self._RecordLastCheckpoint(path)
                    checkpoint_management.update_checkpoint_state_internal(
                        save_dir=folder,
                        model_checkpoint_path=path,
                        all_model_checkpoint_paths=self.last_checkpoints,
                        latest_filename=latest_filename,
                        save_relative_paths=self._save_relative_paths,
                    )
                    self._MaybeDeleteOldCheckpoints(meta_graph_suffix=meta_graph_suffix)
            except (errors.FailedPreconditionError, errors.NotFoundError):
                if file_io.is_directory(folder):
                    raise
                raise ValueError(
                    f"Parent directory of {save_path} doesn't exist, can't save."
                ) from None
        if write_meta_graph and not eager:
            name = checkpoint_management.meta_graph_filename(checkpoint_file, meta_graph_suffix)
            with sess.graph.as_default():
                self.export_meta_graph(
                    name,
                    strip_default_attrs=strip_default_attrs,
                    save_debug_info=save_debug_info,
                )
        return path

    def _write(self, sess: SessionInterface, checkpoint_file: str) -> Any:
        if context.executing_eagerly():
            self._build(checkpoint_file, build_save=True, build_restore=False)
            return self.saver_def.save_tensor_name
        return sess.run(
            self.saver_def.save_tensor_name, {self.saver_def.filename_tensor_name: checkpoint_file}
        )

    def export_meta_graph(
        self,
        filename: str | None = None,
        collection_list: Any = None,
        as_text: bool = False,
        export_scope: str | None = None,
        clear_devices: bool = False,
        clear_extraneous_savers: bool = False,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> Any:
        """`tf.train.export_meta_graph` of the default graph, with this saver."""
        return export_meta_graph(
            filename=filename,
            graph_def=ops.get_default_graph().as_graph_def(add_shapes=True),
            saver_def=self.saver_def,
            collection_list=collection_list,
            as_text=as_text,
            export_scope=export_scope,
            clear_devices=clear_devices,
            clear_extraneous_savers=clear_extraneous_savers,
            strip_default_attrs=strip_default_attrs,
            save_debug_info=save_debug_info,
        )

    def restore(self, sess: Any, save_path: str | None) -> None:
        """Gives the variables the values of a checkpoint; they need no initialisation before.

        Args:
          sess: the session that holds them.
          save_path: the checkpoint, as `save` or `tf.train.latest_checkpoint` returned it.

        Raises:
          ValueError: there is no such checkpoint.
          NotFoundError: it lacks a variable.
          InvalidArgumentError: a variable has another shape or type there.
        """
        if self._is_empty:
            return
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        path = as_text(save_path)
        if not checkpoint_management.checkpoint_exists_internal(path):
            raise ValueError("The passed save_path is not a valid checkpoint: " + path)
        logging.info("Restoring parameters from %s", path)
        try:
            if context.executing_eagerly():
                self._build(save_path, build_save=False, build_restore=True)
            else:
                feed = {self.saver_def.filename_tensor_name: save_path}
                sess.run(self.saver_def.restore_op_name, feed)
        except errors.NotFoundError as error:
            try:
                names_to_keys = object_graph_key_mapping(save_path)
            except errors.NotFoundError:
                raise _wrap_restore_error_with_msg(
                    error, "a Variable name or other graph key that is missing"
                ) from None
            logging.warning(
                "Restoring an object-based checkpoint using a name-based saver. This may be "
                "somewhat fragile, and will re-build the Saver. Instead, consider loading "
                "object-based checkpoints using tf.train.Checkpoint()."
            )
            self._object_restore_saver = saver_from_object_based_checkpoint(
                checkpoint_path=save_path,
                var_list=self._var_list,
                builder=self._builder,
                names_to_keys=names_to_keys,
                cached_saver=self._object_restore_saver,
            )
            self._object_restore_saver.restore(sess=sess, save_path=save_path)
        except errors.InvalidArgumentError as error:
            raise _wrap_restore_error_with_msg(
                error, "a mismatch between the current graph and the graph"
            ) from None


def _is_session(sess: SessionInterface) -> bool:
    # A MonitoredSession is none here, as in TF 1.15.
    return all(hasattr(sess, name) for name in ("graph", "run", "partial_run"))


def _warn_of_version_1() -> None:
    for line in (
        "*******************************************************",
        "TensorFlow's V1 checkpoint format has been deprecated.",
        "Consider switching to the more efficient V2 format:",
        "   `tf.train.Saver(write_version=tf.train.SaverDef.V2)`",
        "now on by default.",
        "*******************************************************",
    ):
        logging.warning(line)


def _wrap_restore_error_with_msg(err: Any, extra_verbiage: str) -> Any:
    text = (
        f"Restoring from checkpoint failed. This is most likely due to {extra_verbiage} from the "
        "checkpoint. Please ensure that you have not altered the graph expected based on the "
        f"checkpoint. Original error:\n\n{err.message}"
    )
    return type(err)(err.node_def, err.op, text)


# Meta graphs.


def _check_graph_mode() -> None:
    if context.executing_eagerly():
        raise RuntimeError(
            "Exporting/importing meta graphs is not supported when eager execution is enabled. No "
            "graph exists when eager execution is enabled."
        )


@tf_export("train.import_meta_graph")
def import_meta_graph(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    import_scope: str | None = None,
    **kwargs: Any,
) -> Saver | None:
    """Records the nodes and collections of a meta graph in the default graph, as in TF 1.15.

    Args:
      meta_graph_or_file: a `MetaGraphDef`, or the name of its file.
      clear_devices: whether nodes lose their devices.
      import_scope: name scope to put before the names.
      **kwargs: more arguments of `import_scoped_meta_graph`, `input_map` for example.

    Returns:
      The saver of the meta graph, or a new one for its variables; None if it has none.

    Raises:
      RuntimeError: in eager mode.
      IOError: the file can't be read.
    """
    return _import_meta_graph_with_return_elements(
        meta_graph_or_file, clear_devices, import_scope, **kwargs
    )[0]


def _import_meta_graph_with_return_elements(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    import_scope: str | None = None,
    return_elements: Any = None,
    **kwargs: Any,
) -> tuple[Saver | None, Any]:
    _check_graph_mode()
    if isinstance(meta_graph_or_file, protos.MetaGraphDef):
        definition = meta_graph_or_file
    else:
        definition = meta_graph.read_meta_graph_file(meta_graph_or_file)
    imported, returned = meta_graph.import_scoped_meta_graph_with_return_elements(
        definition,
        clear_devices=clear_devices,
        import_scope=import_scope,
        return_elements=return_elements,
        **kwargs,
    )
    return _create_saver_from_imported_meta_graph(definition, import_scope, imported), returned


def _create_saver_from_imported_meta_graph(
    meta_graph_def: Any, import_scope: str | None, imported_vars: dict[str, Any]
) -> Saver | None:
    if meta_graph_def.HasField("saver_def"):
        scope = import_scope
        if imported_vars:
            # The scope that was used, if the one asked for was taken.
            key, var = next(iter(imported_vars.items()))
            scope = var.name[: -len(key)]
        return Saver(saver_def=meta_graph_def.saver_def, name=scope)
    if variables._all_saveable_objects(scope=import_scope):
        return Saver()
    logging.info("Saver not created because there are no variables in the graph to restore")
    return None


@tf_export("train.export_meta_graph")
def export_meta_graph(
    filename: str | None = None,
    meta_info_def: Any = None,
    graph_def: Any = None,
    saver_def: Any = None,
    collection_list: Any = None,
    as_text: bool = False,
    graph: Graph | None = None,
    export_scope: str | None = None,
    clear_devices: bool = False,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    **kwargs: Any,
) -> Any:
    """A graph with its collections as a `MetaGraphDef`, as in TF 1.15.

    Args:
      filename: the file to write it to, if given.
      meta_info_def: a `MetaInfoDef` to take over.
      graph_def: a `GraphDef` to take in place of the graph's.
      saver_def: the `SaverDef` to put in.
      collection_list: the keys of the collections; all by default.
      as_text: whether the file is text.
      graph: the default graph by default.
      export_scope: only what is in this name scope, names from there on.
      clear_devices: whether nodes lose their devices.
      clear_extraneous_savers: whether operations of other savers are left out.
      strip_default_attrs: whether attrs of default value are left out.
      save_debug_info: whether to write where operations come from.
      **kwargs: more arguments of `export_scoped_meta_graph`.

    Returns:
      A `MetaGraphDef` proto.

    Raises:
      RuntimeError: in eager mode, where no graph is given.
    """
    if graph_def is None or graph is None:
        _check_graph_mode()
    return meta_graph.export_scoped_meta_graph(
        filename=filename,
        meta_info_def=meta_info_def,
        graph_def=graph_def,
        saver_def=saver_def,
        collection_list=collection_list,
        as_text=as_text,
        graph=graph,
        export_scope=export_scope,
        clear_devices=clear_devices,
        clear_extraneous_savers=clear_extraneous_savers,
        strip_default_attrs=strip_default_attrs,
        save_debug_info=save_debug_info,
        **kwargs,
    )[0]


ops.register_proto_function(
    ops.GraphKeys.SAVERS,
    proto_type=lambda: protos.SaverDef(),
    to_proto=Saver.to_proto,
    from_proto=Saver.from_proto,
)


# Checkpoints that `tf.train.Checkpoint` wrote.


def object_graph_key_mapping(checkpoint_path: Any) -> dict[str, str]:
    """{name of a variable: its key in the checkpoint} of a checkpoint of objects.

    Raises:
      NotFoundError: it is none.
    """
    reader = pywrap_tensorflow.NewCheckpointReader(checkpoint_path)
    graph = protos.TrackableObjectGraph.FromString(reader.get_tensor(_OBJECT_GRAPH))
    return {
        attribute.full_name: attribute.checkpoint_key
        for node in graph.nodes
        for attribute in node.attributes
    }


def saver_from_object_based_checkpoint(
    checkpoint_path: str,
    var_list: Any = None,
    builder: Any = None,
    names_to_keys: dict[str, str] | None = None,
    cached_saver: Any = None,
) -> Any:
    """A saver that reads variables by name from a checkpoint of objects.

    Args:
      checkpoint_path: the checkpoint.
      var_list: the variables; all by default.
      builder: for the saver; has no effect, as in TF 1.15.
      names_to_keys: what `object_graph_key_mapping` gives.
      cached_saver: returned if given.

    Raises:
      ValueError: it is no such checkpoint.
      NotFoundError: it lacks a variable.
    """
    if names_to_keys is None:
        try:
            names_to_keys = object_graph_key_mapping(checkpoint_path)
        except errors.NotFoundError:
            raise ValueError(
                f"Checkpoint in {checkpoint_path} not an object-based checkpoint."
            ) from None
    if var_list is None:
        var_list = variables._all_saveable_objects()
    saveables = saveable_object_util.validate_and_slice_inputs(var_list)
    wanted = {spec.name for saveable in saveables for spec in saveable.specs}
    missing = wanted - set(names_to_keys)
    if missing:
        extra = set(names_to_keys) - wanted
        raise errors.NotFoundError(
            None,
            None,
            f"\n\nExisting variables not in the checkpoint: {', '.join(sorted(missing))}\n\n"
            "Variables names when this checkpoint was written which don't exist now: "
            f"{', '.join(sorted(extra))}\n\n"
            f"({len(wanted & set(names_to_keys))} variable name(s) did match)\n\n"
            "Could not find some variables in the checkpoint (see names above). Saver was "
            "attempting to load an object-based checkpoint (saved using tf.train.Checkpoint or "
            "tf.keras.Model.save_weights) using variable names. If the checkpoint was written with "
            "eager execution enabled, it's possible that variable names have changed (for example "
            "missing a '_1' suffix). It's also possible that there are new variables which did not "
            "exist when the checkpoint was written. You can construct a Saver(var_list=...) with "
            "only the variables which previously existed, and if variable names have changed you "
            "may need to make this a dictionary with the old names as keys. If you're using an "
            "Estimator, you'll need to return a tf.train.Saver inside a tf.train.Scaffold from "
            "your model_fn.",
        )
    for saveable in saveables:
        for spec in saveable.specs:
            spec.name = names_to_keys[spec.name]
    return Saver(saveables) if cached_saver is None else cached_saver
