"""Profiles for TensorBoard: the profiler's own functions, and Keras' callback."""

import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.core.protobuf import trace_events_pb2
from tensorflow.python.eager import profiler


def written(folder):
    """What was written of profiles; the name of a profile's own folder is a time."""
    found = set()
    for path, _, names in os.walk(folder):
        where = os.sep.join(os.path.relpath(path, folder).split(os.sep)[:2])
        for name in names:
            if name.endswith((".trace", ".profile-empty")):
                found.add((where, name.split(".")[-1]))
    return sorted(found)


product = tf.matmul([[1.0, 2.0]], [[3.0], [4.0]])
with tf.Session() as sess:
    sess.run(product)
    profiler.start()
    try:
        profiler.start()
    except profiler.ProfilerAlreadyRunningError as error:
        print("start:", error)
    sess.run(product)
    result = profiler.stop()
try:
    profiler.stop()
except profiler.ProfilerNotRunningError as error:
    print("stop:", error)
trace = trace_events_pb2.Trace.FromString(result)
print([(key, device.name, device.device_id) for key, device in trace.devices.items()])
print([event.name.strip() for event in trace.trace_events if "SessionRun" in event.name])
print(all(event.resource_id in trace.devices[0].resources for event in trace.trace_events))

folder = tempfile.mkdtemp()
with profiler.Profiler(folder):
    pass
profiler.save(folder, result)
print(written(folder))

for batch in range(5):
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
    model.compile("sgd", "mse")
    folder = tempfile.mkdtemp()
    board = tf.keras.callbacks.TensorBoard(folder, profile_batch=batch)
    x, y = np.zeros((6, 3), np.float32), np.zeros((6, 2), np.float32)
    model.fit(x, y, batch_size=2, verbose=0, callbacks=[board])
    print(batch, written(folder))
