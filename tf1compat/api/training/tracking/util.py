"""`tensorflow.python.training.tracking.util`: `tf.train.Checkpoint` and what it is made of."""

from __future__ import annotations

import contextlib
import os
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.client import pywrap_tensorflow
from tf1compat.api.lib.io import file_io
from tf1compat.api.random import init_ops
from tf1compat.api.training import checkpoint_management
from tf1compat.api.training.saving import functional_saver
from tf1compat.api.training.tracking import base, graph_view, tracking
from tf1compat.api.training.tracking.load_status import (
    CheckpointLoadStatus,
    CheckpointRestoreCoordinator,
    InitializationOnlyStatus,
    NameBasedRestoreCoordinator,
    NameBasedSaverStatus,
    get_session,
)
from tf1compat.api.variables import variable_scope, variable_store, variables
from tf1compat.core import dtypes, errors, ops, protos, tensor_shape
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, ShapeLike, TensorLike

# `ops.uid()` and the like are imported by those who stand on this module.
__all__ = [
    "CheckpointV1",
    "TrackableSaver",
    "add_variable",
    "capture_dependencies",
    "frozen_saver",
    "gather_initializers",
    "get_session",
    "list_objects",
    "object_metadata",
    "saver_with_op_caching",
    "streaming_restore",
]


def _default_getter(
    name: str, shape: Any, dtype: Any, initializer: Any = None, partition_info: Any = None,
    **kwargs: Any,
) -> Any:  # fmt: skip
    """A resource variable outside of variable scopes."""
    dtype = dtypes.as_dtype(dtype)
    with ops.init_scope():
        shape_ = tensor_shape.as_shape(shape)
        if initializer is None:
            initializer = variable_store._default_initializer(name, dtype)
        is_value = not callable(initializer)
        if is_value:
            if shape is not None:
                raise ValueError("If initializer is a constant, do not specify shape.")
            initial_value = initializer
        else:
            if isinstance(initializer, type(init_ops.Initializer)):
                initializer = initializer(dtype=dtype)  # pyright: ignore[reportCallIssue]

            def initial_value() -> Any:
                make: Any = initializer
                return make(shape_.as_list(), dtype=dtype, partition_info=partition_info)

        return variables.VariableV1(
            initial_value=initial_value,
            name=name,
            dtype=dtype.base_dtype,
            use_resource=True,
            **kwargs,
        )


def add_variable(
    trackable: Any, name: str, shape: ShapeLike | None = None, dtype: DTypeLike = dtypes.float32,
    initializer: Any = None, trainable: bool = True,
) -> Any:  # fmt: skip
    """Makes a variable that an object depends on.

    Args:
      trackable: the object.
      name, shape, dtype, initializer, trainable: of the variable.
    """
    return trackable._add_variable_with_custom_getter(
        name=name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        getter=_default_getter,
        trainable=trainable,
    )


@tf_export("contrib.checkpoint.object_metadata")
def object_metadata(save_path: str) -> Any:
    """The objects of a checkpoint, a `TrackableObjectGraph`.

    Args:
      save_path: the checkpoint.

    Returns:
      The proto.

    Raises:
      ValueError: it is one of names.
    """
    reader = pywrap_tensorflow.NewCheckpointReader(save_path)
    try:
        text = reader.get_tensor(base.OBJECT_GRAPH_PROTO_KEY)
    except errors.NotFoundError:
        raise ValueError(
            f'The specified checkpoint "{save_path}" does not appear to be object-based (it is '
            f'missing the key "{base.OBJECT_GRAPH_PROTO_KEY}"). Likely it was created with a '
            "name-based saver and does not contain an object dependency graph."
        ) from None
    return protos.TrackableObjectGraph.FromString(text)


@tf_export("contrib.checkpoint.list_objects")
def list_objects(root_trackable: Any) -> list[Any]:
    """All objects that one depends on, itself first.

    Args:
      root_trackable: a trackable object.

    Returns:
      Trackable objects, breadth first.
    """
    return graph_view.ObjectGraphView(root_trackable).list_objects()


def gather_initializers(root_trackable: Any) -> list[Any]:
    """The initializers of all objects that one depends on."""
    return [
        obj.initializer
        for obj in list_objects(root_trackable)
        if getattr(obj, "initializer", None) is not None
    ]


@tf_export("contrib.checkpoint.capture_dependencies")
@contextlib.contextmanager
def capture_dependencies(template: Any) -> Iterator[None]:
    """While a `with` block runs, variables in the scope of a template become its dependencies.

    Args:
      template: a `tf.make_template` template.

    Yields:
      Nothing, once, for the block.
    """
    prefix = template.variable_scope.name

    def creator(
        next_creator: Callable[..., Any], name: Any, initial_value: TensorLike,
        trackable_parent: Any = None,
        **kwargs: Any,
    ) -> Any:  # fmt: skip
        def renamed(initializer: Any, **inner: Any) -> Any:
            inner.pop("name")
            # Not of a variable's arguments.
            inner.pop("shape", None)
            inner.pop("dtype", None)
            return next_creator(initial_value=initializer, name=name, **{**inner, **sizes})

        # The tracking has defaults of its own for these.
        sizes = {key: kwargs.pop(key) for key in ("shape", "dtype") if key in kwargs}
        if name is not None and name.startswith(prefix):
            if not trackable_parent:
                return template._add_variable_with_custom_getter(
                    initializer=initial_value,
                    name=name[len(prefix) + 1 :],
                    getter=renamed,
                    overwrite=True,
                    trackable_parent=(template, prefix),
                    **kwargs,
                )
            parent, parent_prefix = trackable_parent
            template._track_trackable(parent, name=parent_prefix[len(prefix) + 1 :], overwrite=True)
        return next_creator(
            name=name,
            initial_value=initial_value,
            trackable_parent=(template, prefix),
            **{**kwargs, **sizes},
        )

    with variable_scope.variable_creator_scope(creator):
        yield


def streaming_restore(status: Any, session: Any = None) -> None:
    """Restores what is there, and whatever is added later as soon as it is.

    Args:
      status: what `restore` gave.
      session: the session; the default one by default.
    """
    if ops.executing_eagerly():
        return
    session = session or get_session()
    if isinstance(status, NameBasedSaverStatus):
        raise NotImplementedError(
            "Streaming restore not supported from name-based checkpoints when graph building. File "
            "a feature request if this limitation bothers you. As a workaround, consider either "
            "using tf.train.Checkpoint to load name-based checkpoints or enabling eager execution."
        )
    status.run_restore_ops(session=session)
    status._checkpoint.new_restore_ops_callback = lambda added: session.run(
        added, feed_dict=status._feed_dict
    )


class TrackableSaver:
    """Saves and restores an object and those it depends on.

    Args:
      view: an `ObjectGraphView`.
    """

    def __init__(self, view: Any):
        # Recorded once, and fed: a graph doesn't grow with each checkpoint.
        self._file_prefix_placeholder: Any = None
        self._object_graph_feed_tensor: Any = None
        self._file_prefix_feed_tensor: Any = None
        self._last_save_object_graph: Any = None
        self._cached_save_operation: Any = None
        self._restore_op_cache: dict[str, Any] = {}
        self._graph_view = view

    def _save_op(self, file_prefix: Any, object_graph: Any) -> tuple[Any, Any]:
        """Records the operation that saves, unless it is recorded; gives what is fed, too."""
        saveables, graph, feeds = self._graph_view.serialize_object_graph()
        if object_graph is None:
            with ops.device("/cpu:0"):
                object_graph = constant_op.constant(graph.SerializeToString(), dtype=dtypes.string)
        else:
            feeds.update({object_graph: graph.SerializeToString()})
        saveables.append(base.NoRestoreSaveable(object_graph, base.OBJECT_GRAPH_PROTO_KEY))
        if (
            self._last_save_object_graph != graph
            or ops.executing_eagerly()
            or ops.inside_function()
        ):
            save_op = functional_saver.MultiDeviceSaver(saveables).save(file_prefix)
            with ops.device("/cpu:0"), ops.control_dependencies([save_op]):
                self._cached_save_operation = array_ops.identity(file_prefix)
            self._last_save_object_graph = graph
        return self._cached_save_operation, feeds

    def save(self, file_prefix: Any, checkpoint_number: Any = None, session: Any = None) -> Any:
        """Writes a checkpoint.

        Args:
          file_prefix: where to.
          checkpoint_number: a number at the end of its name.
          session: the session; the default one by default.

        Returns:
          The path of the checkpoint.
        """
        if checkpoint_number:
            file_prefix = f"{file_prefix}-{checkpoint_number}"
        in_session = not ops.executing_eagerly() and not ops.inside_function()
        feeds: dict[Any, Any] = {}
        object_graph = None
        if in_session:
            if self._object_graph_feed_tensor is None:
                with ops.device("/cpu:0"):
                    self._object_graph_feed_tensor = constant_op.constant("", dtypes.string)
                    self._file_prefix_feed_tensor = constant_op.constant("", dtypes.string)
            object_graph = self._object_graph_feed_tensor
            prefix = self._file_prefix_feed_tensor
            feeds[prefix] = file_prefix
        else:
            with ops.device("/cpu:0"):
                prefix = constant_op.constant(file_prefix, dtype=dtypes.string)
        file_io.recursive_create_dir(os.path.dirname(file_prefix))
        saved, more = self._save_op(prefix, object_graph)
        feeds.update(more or {})
        if not in_session:
            return saved
        return (session or get_session()).run(saved, feed_dict=feeds)

    def restore(self, save_path: str | None) -> Any:
        """Restores a checkpoint: in eager mode now, in a graph when the result is told to.

        Args:
          save_path: the checkpoint; None for none.

        Returns:
          A status, which can check what was restored.
        """
        if save_path is None:
            return InitializationOnlyStatus(self._graph_view, ops.uid())
        reader = pywrap_tensorflow.NewCheckpointReader(save_path)
        in_graph = not ops.executing_eagerly()
        try:
            text = reader.get_tensor(base.OBJECT_GRAPH_PROTO_KEY)
        except errors.NotFoundError:
            return self._restore_names(
                save_path, None if in_graph else reader.get_variable_to_dtype_map()
            )
        feeds = None
        if in_graph:
            if self._file_prefix_placeholder is None:
                with ops.device("/cpu:0"):
                    self._file_prefix_placeholder = constant_op.constant("model")
            prefix = self._file_prefix_placeholder
            feeds = {prefix: save_path}
        else:
            with ops.device("/cpu:0"):
                prefix = constant_op.constant(save_path)
        checkpoint = CheckpointRestoreCoordinator(
            object_graph_proto=protos.TrackableObjectGraph.FromString(text),
            save_path=save_path,
            save_path_tensor=prefix,
            restore_op_cache=self._restore_op_cache,
            graph_view=self._graph_view,
        )
        base.CheckpointPosition(checkpoint, 0).restore(self._graph_view.root)
        return CheckpointLoadStatus(checkpoint, graph_view=self._graph_view, feed_dict=feeds)

    def _restore_names(self, save_path: str, dtype_map: Any) -> Any:
        """Restores a checkpoint of names."""
        coordinator = NameBasedRestoreCoordinator(save_path=save_path, dtype_map=dtype_map)
        if dtype_map is not None:
            for obj in self._graph_view.list_objects():
                obj._name_based_attribute_restore(coordinator)
        return NameBasedSaverStatus(coordinator, graph_view=self._graph_view)


def frozen_saver(root_trackable: Any) -> Any:
    """A saver of an object, and of those that it depends on now."""
    saveables = graph_view.ObjectGraphView(root_trackable).frozen_saveable_objects()
    return functional_saver.MultiDeviceSaver(saveables)


def saver_with_op_caching(obj: Any) -> TrackableSaver:
    """A `TrackableSaver` that records operations once."""
    cache = None if ops.executing_eagerly() else base.IdentityDict()
    return TrackableSaver(graph_view.ObjectGraphView(weakref.ref(obj), saveables_cache=cache))


@tf_export("train.Checkpoint")
class CheckpointV1(tracking.AutoTrackable):
    """Objects that are saved and restored together, found by the names of attributes.

    Args:
      **kwargs: the objects, which become attributes.

    Raises:
      ValueError: one can't be saved.
    """

    def __init__(self, **kwargs: Any):
        for name, value in sorted(kwargs.items()):
            if not isinstance(value, base.Trackable):
                raise ValueError(
                    "`Checkpoint` was expecting a trackable object (an object derived from "
                    f"`TrackableBase`), got {value}. If you believe this object should be "
                    "trackable (i.e. it is part of the TensorFlow Python API and manages state), "
                    "please open an issue."
                )
            setattr(self, name, value)
        self._save_counter: Any = None
        self._save_assign_op: Any = None
        self._saver = saver_with_op_caching(self)

    def _maybe_create_save_counter(self) -> None:
        if self._save_counter is None:
            with ops.device("/cpu:0"):
                counter = add_variable(
                    self, name="save_counter", initializer=0, dtype=dtypes.int64, trainable=False
                )
            self._save_counter = base.NoDependency(counter)

    def write(self, file_prefix: Any, session: Any = None) -> Any:
        """Writes a checkpoint, and no more: neither is it counted, nor is it the latest one.

        Args:
          file_prefix: where to.
          session: the session; the default one by default.

        Returns:
          The path of the checkpoint.
        """
        return self._write(file_prefix, session)

    def _write(self, file_prefix: Any, session: Any) -> Any:
        output = self._saver.save(file_prefix=file_prefix, session=session)
        if isinstance(output, ops.Tensor):
            if not ops.executing_eagerly():
                return output
            output = output.numpy()  # pyright: ignore[reportAttributeAccessIssue]
        return output.decode() if isinstance(output, bytes) else output

    @property
    def save_counter(self) -> Any:
        """The variable that counts checkpoints."""
        self._maybe_create_save_counter()
        return self._save_counter

    def save(self, file_prefix: Any, session: Any = None) -> Any:
        """Writes a checkpoint with a number, which becomes the latest.

        Args:
          file_prefix: where to, but for the number.
          session: the session; the default one by default.

        Returns:
          The path of the checkpoint.

        Raises:
          NotImplementedError: in a function.
        """
        in_graph = not ops.executing_eagerly()
        if in_graph:
            if ops.inside_function():
                raise NotImplementedError(
                    "Calling tf.train.Checkpoint.save() from a function is not supported, as "
                    "save() modifies saving metadata in ways not supported by TensorFlow "
                    "Operations. Consider using tf.train.Checkpoint.write(), a lower-level API "
                    "which does not update metadata. tf.train.latest_checkpoint and related APIs "
                    "will not see this checkpoint."
                )
            session = session or get_session()
            if self._save_counter is None:
                session.run(self.save_counter.initializer)
        if not in_graph or self._save_assign_op is None:
            with ops.colocate_with(self.save_counter):
                assigned = self.save_counter.assign_add(1, read_value=True)
            if not in_graph:
                number = assigned.numpy()  # pyright: ignore
            else:
                self._save_assign_op = base.NoDependency(assigned)
        if in_graph:
            number = session.run(self._save_assign_op)
        path = self._write(f"{file_prefix}-{number}", session)
        checkpoint_management.update_checkpoint_state_internal(
            save_dir=os.path.dirname(file_prefix),
            model_checkpoint_path=path,
            all_model_checkpoint_paths=[path],
            save_relative_paths=True,
        )
        return path

    def restore(self, save_path: str) -> Any:
        """Restores a checkpoint: in eager mode now, in a graph when the result is told to.

        Args:
          save_path: the checkpoint; None for none.

        Returns:
          A status, which can check what was restored (`assert_consumed`,
          `assert_existing_objects_matched`, `assert_nontrivial_match`), and run what restores
          (`initialize_or_restore`, `run_restore_ops`).
        """
        status = self._saver.restore(save_path=save_path)
        self._maybe_create_save_counter()
        return status


@tf_export("compat.v2.train.Checkpoint")
class Checkpoint(CheckpointV1):
    """As `CheckpointV1`, in the session that there is. Args: see there."""

    def write(self, file_prefix: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """See `CheckpointV1`."""
        return self._write(file_prefix, None)

    def save(self, file_prefix: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """See `CheckpointV1`."""
        return super().save(file_prefix)
