"""Summaries that an operation writes, in graphs and in eager execution
(`tensorflow.python.ops.summary_ops_v2`): `tf.contrib.summary` and `tf.compat.v2.summary`."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.summary import summary_op_util
from tf1compat.api.summary.summary_writers import (  # noqa: F401
    _INITIALIZERS,
    NoopSummaryWriter,
    ResourceSummaryWriter,
    SummaryWriter,
    _current,
    create_db_writer,
    create_file_writer,
    create_file_writer_v2,
    create_noop_writer,
    create_summary_file_writer,
    flush,
)
from tf1compat.api.training import training_util
from tf1compat.core import context, dtypes, ops, protos, raw_ops
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.typing import Name, TensorLike

_NOT_IN_SCOPES = re.compile(r"[^-_/.A-Za-z0-9]")


# Whether summaries are recorded.


def _should_record(by_default: bool) -> Any:
    conditions = [_current.summary_recording_distribution_strategy, _current.summary_recording]
    replica, own = (value() if callable(value) else value for value in conditions)
    return math_ops.logical_and(replica, by_default if own is None else own)


def _should_record_summaries_v2() -> Any:
    """As `should_record_summaries`, but by default they are."""
    return _should_record(by_default=True)


@tf_export("contrib.summary.should_record_summaries")
def should_record_summaries() -> ops.Tensor:
    """A bool tensor: whether summaries are recorded here; by default they aren't."""
    return _should_record(by_default=False)


@tf_export("compat.v2.summary.record_if")
@contextlib.contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Context manager: within it summaries are recorded where `condition` holds.

    Args:
      condition: a bool, a scalar bool tensor, or a function that gives one.
    """
    before = _current.summary_recording
    _current.summary_recording = condition
    try:
        yield
    finally:
        _current.summary_recording = before


@tf_export("contrib.summary.record_summaries_every_n_global_steps")
def record_summaries_every_n_global_steps(n: Any, global_step: TensorLike | None = None) -> Any:
    """Context manager: within it summaries are recorded in every n-th step.

    Args:
      n: an int.
      global_step: an int64 tensor; the global step by default.

    Returns:
      The context manager.
    """
    if global_step is None:
        global_step = training_util.get_or_create_global_step()

    def is_multiple() -> ops.Tensor:
        return math_ops.equal(global_step % n, 0)

    with ops.device("cpu:0"):
        return record_if(is_multiple if context.executing_eagerly() else is_multiple())


@tf_export("contrib.summary.always_record_summaries")
def always_record_summaries() -> Any:
    """Context manager: within it summaries are recorded.

    Returns:
      The context manager.
    """
    return record_if(True)


@tf_export("contrib.summary.never_record_summaries")
def never_record_summaries() -> Any:
    """Context manager: within it summaries are not recorded.

    Returns:
      The context manager.
    """
    return record_if(False)


@tf_export("compat.v2.summary.experimental.get_step")
def get_step() -> Any:
    """The default step of this thread's summaries; None if none was set.

    Returns:
      An int, or an int64 tensor or variable.
    """
    return _current.summary_step


@tf_export("compat.v2.summary.experimental.set_step")
def set_step(step: Any) -> None:
    """Sets the default step of this thread's summaries: an int64 value, a variable, or None.

    Args:
      step: an int, an int64 scalar or variable, or None.
    """
    _current.summary_step = step


@tf_export("contrib.summary.summary_writer_initializer_op")
def summary_writer_initializer_op() -> list[Any]:
    """The operations that make the writers of the default graph.

    Returns:
      A list of operations.

    Raises:
      RuntimeError: in eager execution.
    """
    if context.executing_eagerly():
        raise RuntimeError(
            "tf.contrib.summary.summary_writer_initializer_op is only supported in graph mode."
        )
    return ops.get_collection(_INITIALIZERS)


@tf_export("summary.initialize")
def initialize(graph: Graph | None = None, session: SessionInterface | None = None) -> None:
    """Makes the writers of the default graph. In eager execution there is nothing to do.

    Args:
      graph: a `Graph` or `GraphDef` to write.
      session: the default session by default.

    Raises:
      RuntimeError: there is no default writer.
      ValueError: there is no session.
    """
    if context.executing_eagerly():
        return
    if _current.summary_writer is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    session = session or ops.get_default_session()
    if session is None:
        raise ValueError("session must be passed if no default session exists")
    session.run(summary_writer_initializer_op())
    if graph is not None:
        data = _serialized(graph)
        fed = array_ops.placeholder(dtypes.string)
        session.run(_write_graph(fed, 0), feed_dict={fed: data})


@tf_export("summary.all_v2_summary_ops")
def all_v2_summary_ops() -> list[Any] | None:
    """The operations of the default graph that write summaries; None when executing eagerly."""
    if context.executing_eagerly():
        return None
    return ops.get_collection(ops.GraphKeys._SUMMARY_COLLECTION)


export_constant("contrib.summary.initialize", initialize)
export_constant("contrib.summary.all_summary_ops", all_v2_summary_ops)


# Summaries of any kind.


def _nothing() -> ops.Tensor:
    return constant_op.constant_v1(False)


def _done(operation: Any) -> ops.Tensor:
    """True, once an operation has run."""
    with ops.control_dependencies([operation]):
        return constant_op.constant_v1(True)


def _where_recorded(should: Any, record: Callable[[], Any], name: str) -> Any:
    """Writes a summary if it should be written: a bool tensor that tells."""
    made = control_flow_ops.smart_cond(should, record, _nothing, name=name)
    if not context.executing_eagerly():
        ops.add_to_collection(ops.GraphKeys._SUMMARY_COLLECTION, made)
    return made


@tf_export("compat.v2.summary.experimental.summary_scope")
@contextlib.contextmanager
def summary_scope(
    name: Any, default_name: str = "summary", values: Any = None
) -> Iterator[tuple[str, str]]:
    """The scope that a summary is recorded in.

    Args:
      name: the summary's name.
      default_name: in place of a name that is None or empty.
      values: what the summary is made of.

    Yields:
      The tag, which is the name in its name scopes, and the name scope.
    """
    name = name or default_name
    outer = ops.get_name_scope()
    with ops.name_scope(_NOT_IN_SCOPES.sub("", name) or None, default_name, values) as scope:
        yield (f"{outer}/{name}" if outer else name), scope


def _with_step(
    name: Name, default_name: str, step: Any, write_op: Callable[[Any, Any, str], Any]
) -> Any:
    """Writes a summary of TF 2's kind: `write_op(handle, step, name)`."""
    with ops.name_scope(name, default_name) as scope:
        if _current.summary_writer is None:
            return _nothing()
        step = get_step() if step is None else step
        if step is None:
            raise ValueError(
                "No step set via 'step' argument or tf.summary.experimental.set_step()"
            )

        def record() -> ops.Tensor:
            with ops.device("cpu:0"):
                return _done(write_op(_current.summary_writer._resource, step, scope))

        with ops.device("cpu:0"):
            return _where_recorded(_should_record_summaries_v2(), record, "summary_cond")


def _bytes_of(metadata: Any) -> Any:
    return metadata.SerializeToString() if hasattr(metadata, "SerializeToString") else metadata


@tf_export("compat.v2.summary.write")
def write(
    tag: Any, tensor: TensorLike, step: Any = None, metadata: Any = None, name: Name = None
) -> Any:
    """Writes a tensor as a summary to this thread's writer.

    Args:
      tag: by which TensorBoard shows it.
      tensor: of any dtype and shape.
      step: an int64; that of `set_step` by default.
      metadata: a SummaryMetadata, or its bytes.
      name: the name scope of the operations.

    Returns:
      A bool tensor: whether it was written.

    Raises:
      ValueError: there is no step.
    """
    serialized = b"" if metadata is None else _bytes_of(metadata)
    return _with_step(
        name,
        "write_summary",
        step,
        lambda handle, step, scope: raw_ops.WriteSummary(
            writer=handle,
            step=step,
            tensor=array_ops.identity(tensor),
            tag=tag,
            summary_metadata=serialized,
            name=scope,
        ),
    )


@tf_export("compat.v2.summary.experimental.write_raw_pb")
def write_raw_pb(tensor: TensorLike, step: Any = None, name: Name = None) -> Any:
    """Writes serialized Summary protos to this thread's writer; see `write`.

    Args:
      tensor: strings of any shape.
      step: an int64; that of `set_step` by default.
      name: the name scope of the operations.

    Returns:
      A bool tensor: whether it was written.
    """
    return _with_step(
        name,
        "write_raw_pb",
        step,
        lambda handle, step, scope: raw_ops.WriteRawProtoSummary(
            writer=handle, step=step, tensor=array_ops.identity(tensor), name=scope
        ),
    )


# Those of `tf.contrib.summary`.


def summary_writer_function(
    name: Any, tensor: Any, function: Callable[[str, str], Any], family: Any = None
) -> Any:
    """Writes a summary where summaries are recorded.

    Args:
      name: the summary's name.
      tensor: what it is made of.
      function: (tag, scope) -> the operation that writes it.
      family: goes before the tag.

    Returns:
      A bool tensor: whether it was written; an operation that does nothing if there is no writer.
    """
    outer = ops.get_name_scope()

    def record() -> ops.Tensor:
        # A conditional has a scope of its own, which is left for that around it.
        scopes = (
            ops.name_scope(outer + "/" if outer else ""),
            summary_op_util.summary_scope(name, family, values=[tensor]),
        )
        with scopes[0], scopes[1] as (tag, scope):
            return _done(function(tag, scope))

    if _current.summary_writer is None:
        return control_flow_ops.no_op()
    with ops.device("cpu:0"):
        return _where_recorded(should_record_summaries(), record, "")


def _chosen_step(step: Any) -> ops.Tensor:
    if step is None:
        return training_util.get_or_create_global_step()
    return step if isinstance(step, ops.Tensor) else ops.convert_to_tensor(step, dtypes.int64)


def _common(step: Any) -> dict[str, Any]:
    return {"writer": _current.summary_writer._resource, "step": _chosen_step(step)}


@tf_export("contrib.summary.generic")
def generic(
    name: Any, tensor: TensorLike, metadata: Any = None, family: Any = None, step: Any = None
) -> Any:
    """Writes a tensor, with a SummaryMetadata; see `scalar`.

    Args:
      name: the summary's name.
      tensor: what is written.
      metadata: a serialized SummaryMetadata, or one.
      family, step: as in `scalar`.

    Returns:
      An operation.
    """

    def function(tag: str, scope: str) -> Any:
        about = metadata
        if metadata is None or hasattr(metadata, "SerializeToString"):
            about = constant_op.constant_v1("" if metadata is None else _bytes_of(metadata))
        return raw_ops.WriteSummary(
            **_common(step), tensor=array_ops.identity(tensor), tag=tag, summary_metadata=about,
            name=scope,
        )  # fmt: skip

    return summary_writer_function(name, tensor, function, family=family)


@tf_export("contrib.summary.scalar")
def scalar(name: Any, tensor: TensorLike, family: Any = None, step: Any = None) -> Any:
    """Writes a number.

    Args:
      name: the summary's name.
      tensor: a scalar.
      family: goes before the tag.
      step: an int64; the global step by default.

    Returns:
      A bool tensor: whether it was written; an operation that does nothing if there is no writer.
    """

    def function(tag: str, scope: str) -> Any:
        return raw_ops.WriteScalarSummary(
            **_common(step), tag=tag, value=array_ops.identity(tensor), name=scope
        )

    return summary_writer_function(name, tensor, function, family=family)


@tf_export("contrib.summary.histogram")
def histogram(name: Any, tensor: TensorLike, family: Any = None, step: Any = None) -> Any:
    """Writes the distribution of a tensor's elements; see `scalar`.

    Args:
      name: the summary's name.
      tensor: real numbers of any shape.
      family, step: as in `scalar`.

    Returns:
      An operation.
    """

    def function(tag: str, scope: str) -> Any:
        return raw_ops.WriteHistogramSummary(
            **_common(step), tag=tag, values=array_ops.identity(tensor), name=scope
        )

    return summary_writer_function(name, tensor, function, family=family)


@tf_export("contrib.summary.image")
def image(
    name: Any,
    tensor: TensorLike,
    bad_color: Any = None,
    max_images: int = 3,
    family: Any = None,
    step: Any = None,
) -> Any:
    """Writes images; see `scalar`.

    Args:
      name: the summary's name.
      tensor: [batch, height, width, channels], of floats or uint8.
      bad_color: uint8 channels of what pixels that are no numbers become; red by default.
      max_images: how many are written.
      family, step: as in `scalar`.

    Returns:
      As `scalar`.
    """

    def function(tag: str, scope: str) -> Any:
        color = bad_color
        if bad_color is None:
            color = constant_op.constant_v1([255, 0, 0, 255], dtype=dtypes.uint8)
        return raw_ops.WriteImageSummary(
            **_common(step), tag=tag, tensor=array_ops.identity(tensor), bad_color=color,
            max_images=max_images, name=scope,
        )  # fmt: skip

    return summary_writer_function(name, tensor, function, family=family)


@tf_export("contrib.summary.audio")
def audio(
    name: Any,
    tensor: TensorLike,
    sample_rate: Any,
    max_outputs: int,
    family: Any = None,
    step: Any = None,
) -> Any:
    """Writes sounds; see `scalar`.

    Args:
      name: the summary's name.
      tensor: [batch, frames] or [batch, frames, channels], float32 from -1 to 1.
      sample_rate: in Hertz.
      max_outputs: how many are written.
      family, step: as in `scalar`.

    Returns:
      As `scalar`.
    """

    def function(tag: str, scope: str) -> Any:
        return raw_ops.WriteAudioSummary(
            **_common(step), tag=tag, tensor=array_ops.identity(tensor), sample_rate=sample_rate,
            max_outputs=max_outputs, name=scope,
        )  # fmt: skip

    return summary_writer_function(name, tensor, function, family=family)


@tf_export("contrib.summary.graph")
def graph(param: Any, step: Any = None, name: Name = None) -> Any:
    """Writes a graph, whether summaries are recorded or not.

    Args:
      param: a string tensor, a serialized GraphDef; in eager execution also a graph.
      step: an int64; the global step by default.
      name: the operation's name.

    Returns:
      The operation; it does nothing if there is no writer.

    Raises:
      TypeError: `param` is no tensor, in graph mode.
    """
    if not context.executing_eagerly() and not isinstance(param, ops.Tensor):
        raise TypeError(
            f"graph() needs a tf.Tensor (e.g. tf.placeholder) in graph mode, but was: {type(param)}"
        )
    writer = _current.summary_writer
    if writer is None:
        return control_flow_ops.no_op()
    with ops.device("cpu:0"):
        if isinstance(param, (ops.Graph, protos.load("graph_pb2", "GraphDef"))):
            tensor = ops.convert_to_tensor(_serialized(param), dtypes.string)
        else:
            tensor = array_ops.identity(param)
        return raw_ops.WriteGraphSummary(
            writer=writer._resource, step=_chosen_step(step), tensor=tensor, name=name
        )


_write_graph = graph


def _serialized(of: Any) -> bytes:
    return (
        of.as_graph_def(add_shapes=True) if isinstance(of, ops.Graph) else of
    ).SerializeToString()


@tf_export("contrib.summary.import_event")
def import_event(tensor: TensorLike, name: Name = None) -> Any:
    """Writes an event, whether summaries are recorded or not.

    Args:
      tensor: a string, a serialized Event.
      name: the operation's name.

    Returns:
      An operation; None in eager execution.
    """
    return raw_ops.ImportEvent(writer=_current.summary_writer._resource, event=tensor, name=name)


@tf_export("contrib.summary.eval_dir")
def eval_dir(model_dir: str, name: str | None = None) -> str:
    """The directory of an evaluation's summaries.

    Args:
      model_dir: the model's directory.
      name: the evaluation's name.

    Returns:
      A path.
    """
    return os.path.join(model_dir, "eval_" + name if name else "eval")
