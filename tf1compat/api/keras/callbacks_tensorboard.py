"""`TensorBoard` of TF 2, which `tensorflow.python.keras.callbacks` has under that name."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.eager import context as eager_context
from tf1compat.api.keras import backend, backend_names, callbacks_v1
from tf1compat.api.keras.callbacks_base import Callback
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.summary import summary_ops_v2, summary_trace
from tf1compat.api.variables import variables
from tf1compat.core import context, ops
from tf1compat.core.deferred import Deferred
from tf1compat.core.export import tf_export

text_format = Deferred("google.protobuf.text_format")

_TRAIN, _VALIDATION = "train", "validation"
_NOT_LOGGED = ("batch", "size", "num_steps")
# The arguments of the older callback, and what is said of them.
_OLDER = {
    "write_grads": "`write_grads` will be ignored in TensorFlow 2.0 for the `TensorBoard` "
    "Callback.",
    "batch_size": "`batch_size` is no longer needed in the `TensorBoard` Callback and will be "
    "ignored in TensorFlow 2.0.",
    "embeddings_layer_names": "`embeddings_layer_names` is not supported in TensorFlow 2.0. "
    "Instead, all `Embedding` layers will be visualized.",
    "embeddings_data": "`embeddings_data` is not supported in TensorFlow 2.0. Instead, all "
    "`Embedding` variables will be visualized.",
}


@tf_export("compat.v2.keras.callbacks.TensorBoard")
class TensorBoard(Callback):
    """Writes event files for TensorBoard, in one folder for training and one for validation.

    Args:
      log_dir: the folder around these.
      histogram_freq: every how many epochs to write histograms of weights; 0 for never.
      write_graph: whether to write the graph and the model.
      write_images: whether to write weights as images too.
      update_freq: "epoch", "batch", or after how many batches to write results.
      profile_batch: which batch to profile, in eager execution; 0 for none.
      embeddings_freq: every how many epochs to save the weights for embeddings.
      embeddings_metadata: the file of their labels, or one for each layer by its name.
      **kwargs: arguments of the older callback, which are ignored with a warning.

    Raises:
      ValueError: another argument.
    """

    def __init__(
        self,
        log_dir: str = "logs",
        histogram_freq: int = 0,
        write_graph: bool = True,
        write_images: bool = False,
        update_freq: Any = "epoch",
        profile_batch: int = 2,
        embeddings_freq: int = 0,
        embeddings_metadata: Any = None,
        **kwargs: Any,
    ):
        super().__init__()
        for name, text in _OLDER.items():
            if kwargs.get(name, False):
                logging.warning(text)
        unknown = kwargs.keys() - _OLDER.keys()
        if unknown:
            raise ValueError(f"Unrecognized arguments in `TensorBoard` Callback: {unknown}")
        self.log_dir = log_dir
        self.histogram_freq = histogram_freq
        self.write_graph = write_graph
        self.write_images = write_images
        self.update_freq: Any = 1 if update_freq == "batch" else update_freq
        self.embeddings_freq = embeddings_freq
        self.embeddings_metadata = embeddings_metadata
        self._profile_batch = profile_batch
        self._is_tracing = False
        self._writers: dict[str, Any] = {}
        self._total_batches_seen: dict[str, Any] = {}
        self._chief_worker_only = True

    def set_model(self, model: Any) -> None:
        """Tells which model runs; opens the file, and writes the graph."""
        self.model = model
        self._close_writers()
        if self.write_graph:
            with self._writing(_TRAIN):
                if not model.run_eagerly:
                    summary_ops_v2.graph(backend.get_graph(), step=0)
                if model._is_graph_network or type(model).__name__ == "Sequential":
                    summary_trace.keras_model("keras", model, step=0)
        if self.embeddings_freq:
            self._configure_embeddings()
        current = eager_context.context()
        self._before = (current.summary_writer, current.summary_recording, current.summary_step)

    def _configure_embeddings(self) -> None:
        """Writes what TensorBoard has to know of embeddings."""
        try:
            from tensorboard.plugins import projector
        except ImportError:
            raise ImportError(
                "Failed to import TensorBoard. Please make sure that TensorBoard integration is "
                'complete."'
            ) from None
        config = projector.ProjectorConfig()
        labels: Any = self.embeddings_metadata
        for layer in self.model.layers:
            if type(layer).__name__ == "Embedding":
                embedding = config.embeddings.add(tensor_name=layer.embeddings.name)
                if isinstance(labels, str):
                    embedding.metadata_path = labels
        # A dict is looked for in an empty path, so that TF takes none.
        if labels:
            # Of a path it is an AttributeError, as in TF.
            names = labels.keys()  # pyright: ignore[reportAttributeAccessIssue]
            raise ValueError(
                "Unrecognized `Embedding` layer names passed to `keras.callbacks.TensorBoard` "
                f"`embeddings_metadata` argument: {names}"
            )
        os.makedirs(self.log_dir, exist_ok=True)
        with open(os.path.join(self.log_dir, "projector_config.pbtxt"), "w") as file:
            file.write(text_format.MessageToString(config))

    @contextlib.contextmanager
    def _writing(self, name: str) -> Iterator[None]:
        """A block in which summaries are written at once, to one of the folders."""
        record = summary_ops_v2.always_record_summaries
        with context.mode(True), record(), self._writer(name).as_default():
            yield

    def _writer(self, name: str) -> Any:
        if name not in self._writers:
            with context.mode(True):
                path = os.path.join(self.log_dir, name)
                self._writers[name] = summary_ops_v2.create_file_writer_v2(path)
        return self._writers[name]

    def _close_writers(self) -> None:
        with context.mode(True):
            for writer in self._writers.values():
                writer.close()
        self._writers.clear()

    def _set_default_writer(self, name: str) -> None:
        """Has the program's own summaries written to one of the folders."""
        if self.update_freq == "epoch":
            return
        current, step = eager_context.context(), self._total_batches_seen[name]
        current.summary_writer = self._writer(name)
        current.summary_recording = lambda: math_ops.equal(step % self.update_freq, 0)
        summary_ops_v2.set_step(step)

    def _increment_step(self, name: str) -> None:
        step = self._total_batches_seen[name]
        if isinstance(step, variables.Variable):
            step.assign_add(1)
        else:
            self._total_batches_seen[name] += 1

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Begins to count batches, and to profile, if it is the first batch's turn."""
        in_variables = ops.executing_eagerly_outside_functions()
        self._total_batches_seen = {
            name: variables.VariableV1(0, dtype="int64") if in_variables else 0
            for name in (_TRAIN, _VALIDATION)
        }
        if self._profile_batch == 1:
            self._start_trace()

    def on_test_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Has summaries written for validation."""
        self._set_default_writer(_VALIDATION)

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Writes results, if it is time."""
        if self.update_freq == "epoch" and self._profile_batch is None:
            return
        if self.update_freq != "epoch" and batch % self.update_freq == 0:
            self._log_metrics(logs, "batch_", self._total_batches_seen[_TRAIN])
        self._increment_step(_TRAIN)
        if not context.executing_eagerly():
            return
        if self._is_tracing:
            self._write_trace()
        elif backend.get_value(self._total_batches_seen[_TRAIN]) == self._profile_batch - 1:
            self._start_trace()

    def _start_trace(self) -> None:
        summary_trace.trace_on(graph=True, profiler=True)
        self._is_tracing = True

    def _write_trace(self) -> None:
        self._is_tracing = False
        if context.executing_eagerly():
            step = backend.get_value(self._total_batches_seen[_TRAIN])
            with self._writing(_TRAIN):
                summary_trace.trace_export(
                    f"batch_{step}", step, profiler_outdir=os.path.join(self.log_dir, "train")
                )

    def on_test_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Counts a batch of validation."""
        if self.update_freq != "epoch":
            self._increment_step(_VALIDATION)

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Has summaries written for training."""
        self._set_default_writer(_TRAIN)

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Writes results, weights and embeddings, if it is time."""
        self._log_metrics(logs, "epoch_", epoch)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            self._log_weights(epoch)
        if self.embeddings_freq and epoch % self.embeddings_freq == 0:
            path = os.path.join(self.log_dir, "train", f"keras_embedding.ckpt-{epoch}")
            self.model.save_weights(path)

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Closes the files; writes the trace of a batch that was the last one."""
        if self._is_tracing:
            self._write_trace()
        self._close_writers()
        current = eager_context.context()
        current.summary_writer, current.summary_recording, current.summary_step = self._before

    def _log_metrics(self, logs: dict[str, Any] | None, prefix: str, step: Any) -> None:
        found: dict[str, list[tuple[str, Any]]] = {_TRAIN: [], _VALIDATION: []}
        for name, value in (logs or {}).items():
            if name not in _NOT_LOGGED:
                folder = _VALIDATION if name.startswith("val_") else _TRAIN
                found[folder].append((prefix + name.removeprefix("val_"), value))
        for folder, values in found.items():
            if values:
                with self._writing(folder):
                    for name, value in values:
                        summary_ops_v2.scalar(name, value, step=step)

    def _log_weights(self, epoch: int) -> None:
        weights = [weight for layer in self.model.layers for weight in layer.weights]
        values = backend.batch_get_value(weights)
        with self._writing(_TRAIN):
            for weight, value in zip(weights, values, strict=True):
                name = weight.name.replace(":", "_")
                summary_ops_v2.histogram(name, value, step=epoch)
                if self.write_images:
                    image = _as_image(value)
                    if image is not None:
                        summary_ops_v2.image(name, image, step=epoch)
            self._writers[_TRAIN].flush()


def _as_image(weight: Any) -> Any:
    """A weight as a batch of images; None if it is of no such rank, or has no such channels."""
    image = array_ops.squeeze(weight)
    shape: Any = backend_names.int_shape(image)
    if len(shape) == 4:
        return image if shape[-1] in (1, 3, 4) else None
    return callbacks_v1.as_image(image)
