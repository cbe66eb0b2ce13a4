"""Traces of functions for TensorBoard: tf.summary.trace_on, and the callback of TF 2."""

import os
import tempfile

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
summary = tf.compat.v2.summary


@tf.function
def square(x):
    return x * x + 1


def written(folder):
    """The names of what was written of traces; the name of a profile's own folder is a time."""
    found = set()
    for path, _, names in os.walk(folder):
        for name in names:
            if name.endswith((".trace", ".profile-empty")):
                found.add((os.path.relpath(path, folder).split(os.sep)[0], name.split(".")[-1]))
            elif "tfevents" in name:
                for event in tf.train.summary_iterator(os.path.join(path, name)):
                    for value in event.summary.value:
                        data = value.metadata.plugin_data
                        if data.plugin_name.startswith("graph_run"):
                            found.add((value.tag, event.step, data.plugin_name, data.content))
    return sorted(found, key=str)


folder = tempfile.mkdtemp()
writer = summary.create_file_writer(folder)
try:
    summary.trace_export("early", step=0)
except ValueError as error:
    print(error)
summary.trace_on(graph=True)
square(tf.constant(2.0))
with writer.as_default():
    summary.trace_export("graphs", step=3)
summary.trace_on(graph=False, profiler=True)
try:
    with writer.as_default():
        summary.trace_export("nowhere", step=3)
except ValueError as error:
    print(error)
with writer.as_default():
    summary.trace_export("all", step=4, profiler_outdir=folder)
writer.flush()
print(written(folder))
(path,) = [name for name in os.listdir(folder) if name.endswith(".v2")]
for event in tf.train.summary_iterator(os.path.join(folder, path)):
    for value in event.summary.value:
        metadata = tf.RunMetadata.FromString(value.tensor.string_val[0])
        for graphs in metadata.function_graphs:
            nodes = graphs.pre_optimization_graph.node
            print(value.tag, sorted((node.name, node.op, list(node.input)) for node in nodes))
        print(value.tag, len(metadata.function_graphs), len(metadata.partition_graphs))

with tf.Graph().as_default():
    summary.trace_on()
    try:
        summary.trace_export("graph", step=0)
    finally:
        summary.trace_off()

for batch in (0, 1, 2, 9):
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
    model.compile("sgd", "mse")
    folder = tempfile.mkdtemp()
    board = tf.compat.v2.keras.callbacks.TensorBoard(folder, profile_batch=batch)
    x, y = np.zeros((6, 3), np.float32), np.zeros((6, 2), np.float32)
    model.fit(x, y, batch_size=2, verbose=0, callbacks=[board])
    print(batch, written(folder))
