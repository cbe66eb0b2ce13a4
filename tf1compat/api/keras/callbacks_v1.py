"""`tf.keras.callbacks.TensorBoard` (`tensorflow.python.keras.callbacks_v1`)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.eager import profiler
from tf1compat.api.keras import backend, callbacks
from tf1compat.api.keras.engine import standardize
from tf1compat.api.summary import summary_ops_v2
from tf1compat.api.variables import state_ops, variables
from tf1compat.core import context, dtypes, export, ops
from tf1compat.core.deferred import Deferred
from tf1compat.core.export import tf_export
from tf1compat.core.indexed_slices import IndexedSlices

text_format = Deferred("google.protobuf.text_format")

_NOT_LOGGED = ("batch", "size", "num_steps")


@tf_export("keras.callbacks.TensorBoard")
class TensorBoard(callbacks.Callback):
    """Writes event files for TensorBoard.

    Args:
      log_dir: the folder.
      histogram_freq: every how many epochs to write histograms of weights and outputs, with the
        validation data; 0 for never.
      batch_size: of the embeddings' data.
      write_graph: whether to write the graph.
      write_grads: whether to write histograms of gradients too.
      write_images: whether to write weights as images too.
      embeddings_freq: every how many epochs to save embeddings.
      embeddings_layer_names: of which layers; all embedding layers by default.
      embeddings_metadata: the file of their labels, or one for each layer.
      embeddings_data: what to embed.
      update_freq: "epoch", "batch", or after how many samples to write results.
      profile_batch: which batch to profile, the first one being 1; 0 for none.
    """

    writer: Any

    def __init__(
        self, log_dir: str = "./logs", histogram_freq: int = 0, batch_size: int = 32,
        write_graph: bool = True, write_grads: bool = False, write_images: bool = False,
        embeddings_freq: int = 0, embeddings_layer_names: Any = None,
        embeddings_metadata: Any = None, embeddings_data: Any = None, update_freq: Any = "epoch",
        profile_batch: int = 2,
    ):  # fmt: skip
        super().__init__()
        self.log_dir = log_dir
        self.histogram_freq = histogram_freq
        self.merged: Any = None
        self.write_graph = write_graph
        self.write_grads = write_grads
        self.write_images = write_images
        self.batch_size = batch_size
        self._total_batches_seen = 0
        self._total_val_batches_seen = 0
        self.embeddings_freq = embeddings_freq
        self.embeddings_layer_names = embeddings_layer_names
        self.embeddings_metadata = embeddings_metadata
        self.embeddings_data = embeddings_data
        self.update_freq: Any = 1 if update_freq == "batch" else update_freq
        self._samples_seen = 0
        self._samples_seen_at_last_write = 0
        self._profile_batch = profile_batch
        self._is_profiling = False
        self._chief_worker_only = True

    def set_model(self, model: Any) -> None:
        """Tells which model runs; opens the file, records the summaries."""
        self.model = model
        if context.executing_eagerly():
            self.writer = summary_ops_v2.create_file_writer_v2(self.log_dir)
            if self.write_graph and not model.run_eagerly:
                with self.writer.as_default():
                    summary_ops_v2.graph(backend.get_graph(), step=0)
        else:
            graph = backend.get_graph() if self.write_graph else None
            self.writer = export.find("summary.FileWriter")(self.log_dir, graph)
            if self.histogram_freq and self.merged is None:
                for layer in model.layers:
                    self._record_summaries(layer)
            self.merged = export.find("summary.merge_all")()
        if self.embeddings_freq and self.embeddings_data is not None:
            self._record_embeddings()

    def _has_histograms(self) -> bool:
        """As in TF 1.15 there are none in eager execution."""
        return bool(self.histogram_freq) and not context.executing_eagerly()

    def _record_summaries(self, layer: Any) -> None:
        histogram = export.find("summary.histogram")
        for weight in layer.weights:
            name = weight.name.replace(":", "_")
            histogram(name, weight)
            if self.write_images:
                image = as_image(weight)
                if image is not None:
                    export.find("summary.image")(name, image)
        if self.write_grads:
            for weight in layer.trainable_weights:
                name = weight.name.replace(":", "_")
                grads = self.model.optimizer.get_gradients(self.model.total_loss, weight)
                grads = [g.values if isinstance(g, IndexedSlices) else g for g in grads]
                histogram(f"{name}_grad", grads)
        if hasattr(layer, "output"):
            if isinstance(layer.output, list):
                for i, output in enumerate(layer.output):
                    histogram(f"{layer.name}_out_{i}", output)
            else:
                histogram(f"{layer.name}_out", layer.output)

    def _record_embeddings(self) -> None:
        """Records variables for what the layers make of the embeddings' data."""
        self.embeddings_data = standardize.standardize_input_data(
            self.embeddings_data, self.model.input_names
        )
        names = self.embeddings_layer_names or [
            layer.name for layer in self.model.layers if type(layer).__name__ == "Embedding"
        ]
        self.batch_id = array_ops.placeholder(dtypes.int32)
        self.step = array_ops.placeholder(dtypes.int32)
        self.assign_embeddings = []
        found = {}
        for layer in self.model.layers:
            if layer.name in names:
                output = self.model.get_layer(layer.name).output
                size = int(np.prod(output.shape[1:].as_list()))
                output = array_ops.reshape(output, (self.step, size))
                shape = (self.embeddings_data[0].shape[0], size)
                variable = variables.VariableV1(
                    array_ops.zeros(shape), name=f"{layer.name}_embedding", use_resource=True
                )
                found[layer.name] = variable
                rows = variable[self.batch_id : self.batch_id + self.step]
                self.assign_embeddings.append(state_ops.assign(rows, output))
        self.saver = export.find("train.Saver")(list(found.values()))
        metadata = self.embeddings_metadata
        if isinstance(metadata, str):
            metadata = dict.fromkeys(found, metadata)
        try:
            from tensorboard.plugins import projector
        except ImportError:
            raise ImportError(
                "Failed to import TensorBoard. Please make sure that TensorBoard integration is "
                'complete."'
            ) from None
        config = projector.ProjectorConfig()
        for name, variable in found.items():
            embedding = config.embeddings.add()
            embedding.tensor_name = variable.name
            if metadata is not None and name in metadata:
                embedding.metadata_path = metadata[name]
        with open(os.path.join(self.log_dir, "projector_config.pbtxt"), "w") as file:
            file.write(text_format.MessageToString(config))

    def _fetch_callback(self, summary: Any) -> None:
        self.writer.add_summary(summary, self._total_val_batches_seen)
        self._total_val_batches_seen += 1

    def _write_custom_summaries(self, step: int, logs: dict[str, Any]) -> None:
        if context.executing_eagerly():
            with self.writer.as_default(), summary_ops_v2.always_record_summaries():
                for name, value in logs.items():
                    number = value.item() if isinstance(value, np.ndarray) else value
                    summary_ops_v2.scalar(name, number, step=step)
            self.writer.flush()
            return
        summary_class = export.find("Summary")
        for name, value in logs.items():
            summary = summary_class()
            entry = summary.value.add()
            entry.simple_value = value.item() if isinstance(value, np.ndarray) else value
            entry.tag = name
            self.writer.add_summary(summary, step)
        self.writer.flush()

    def on_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Writes results, if it is time."""
        logs = logs or {}
        self._samples_seen += logs.get("size", 1)
        since = self._samples_seen - self._samples_seen_at_last_write
        if self.update_freq != "epoch" and since >= self.update_freq:
            own = {f"batch_{k}": v for k, v in logs.items() if k not in _NOT_LOGGED}
            self._write_custom_summaries(self._total_batches_seen, own)
            self._samples_seen_at_last_write = self._samples_seen
        self._total_batches_seen += 1
        if self._is_profiling:
            self._save_profile()
        elif self._total_batches_seen == self._profile_batch - 1:
            self._start_profile()

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Starts to profile, if it is the first batch's turn."""
        if self._profile_batch == 1:
            self._start_profile()

    def _start_profile(self) -> None:
        profiler.start()
        self._is_profiling = True

    def _save_profile(self) -> None:
        profiler.save(self.log_dir, profiler.stop())
        self._is_profiling = False

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Has validation compute the summaries, if it is time."""
        if self._has_histograms() and epoch % self.histogram_freq == 0:
            self.model._make_test_function()
            function = self.model.test_function
            if self.merged not in function.fetches:
                function.fetches.append(self.merged)
                function.fetch_callbacks[self.merged] = self._fetch_callback

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Writes results."""
        own = {f"epoch_{k}": v for k, v in (logs or {}).items() if k not in _NOT_LOGGED}
        step = epoch if self.update_freq == "epoch" else self._samples_seen
        self._write_custom_summaries(step, own)
        if self._has_histograms():
            function = self.model.test_function
            if self.merged in function.fetches:
                function.fetches.remove(self.merged)
            function.fetch_callbacks.pop(self.merged, None)
        if self.embeddings_freq:
            if self.embeddings_data is None:
                raise ValueError("To visualize embeddings, embeddings_data must be provided.")
            if epoch % self.embeddings_freq == 0:
                self._save_embeddings(epoch)

    def _save_embeddings(self, epoch: int) -> None:
        data: Any = self.embeddings_data
        inputs = self.model.input if isinstance(self.model.input, list) else [self.model.input]
        session = backend.get_session()
        for start in range(0, data[0].shape[0], self.batch_size):
            step = min(self.batch_size, data[0].shape[0] - start)
            feeds = {
                x: values[start : start + step] for x, values in zip(inputs, data, strict=False)
            }
            feeds |= {self.batch_id: start, self.step: step}
            if isinstance(backend.learning_phase(), ops.Tensor):
                feeds[backend.learning_phase()] = False
            session.run(self.assign_embeddings, feed_dict=feeds)
            self.saver.save(session, os.path.join(self.log_dir, "keras_embedding.ckpt"), epoch)

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Closes the file; saves the profile of a batch that was the last one."""
        if self._is_profiling:
            self._save_profile()
        self.writer.close()


def as_image(weight: Any) -> Any:
    """A weight as a batch of images; None if it is of no such rank."""
    image = array_ops.squeeze(weight)
    shape: Any = backend.int_shape(image)
    if len(shape) == 2:
        if shape[0] > shape[1]:
            image = array_ops.transpose(image)
            shape = backend.int_shape(image)
        image = array_ops.reshape(image, [1, shape[0], shape[1], 1])
    elif len(shape) == 3:
        if backend.image_data_format() == "channels_last":
            image = array_ops.transpose(image, perm=[2, 0, 1])
            shape = backend.int_shape(image)
        image = array_ops.reshape(image, [*shape, 1])
    elif len(shape) == 1:
        image = array_ops.reshape(image, [1, shape[0], 1, 1])
    else:
        return None
    shape = backend.int_shape(image)
    assert len(shape) == 4 and shape[-1] in (1, 3, 4)
    return image
