"""A program of two processes, as it would be written for Horovod; each prints a line of JSON."""

import json
import os
import sys

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
rank = hvd.rank()
found = {"rank": [rank, hvd.size(), hvd.local_rank(), hvd.local_size()]}

x = tf.constant([1.0, 2.0]) * (rank + 1)
rows = tf.fill([rank + 1, 2], float(rank))
slices = tf.IndexedSlices(rows, tf.range(rank + 1), dense_shape=tf.constant([4, 2]))
half = hvd.allreduce(x, compression=hvd.Compression.fp16)
whole = tf.constant([-3, 3]) * (2 * rank - 1) - rank
values = {
    "mean": hvd.allreduce(x),
    "sum": hvd.allreduce(x, average=False),
    "max": hvd.allreduce(x, op=hvd.Max),
    "scaled": hvd.allreduce(x, op=hvd.Sum, prescale_factor=2.0, postscale_factor=10.0),
    "int": hvd.allreduce(whole),
    "half": half,
    "gathered": hvd.allgather(rows),
    "sent": hvd.broadcast(x, 1),
    "slices": hvd.allreduce(slices).values,
    "ops": [hvd.rank_op(), hvd.size_op()],
    "gradient": tf.gradients(hvd.allreduce(x, op=hvd.Sum, name="summed") * 3.0, x)[0],
    "gradient_of_rows": tf.gradients(hvd.allgather(rows, name="rows") * 2.0, rows)[0],
    "in_a_loop": tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, hvd.allreduce(y + rank, name="inside")), [0, x]
    )[1],
}

# Each begins elsewhere, and sees other data.
w = tf.get_variable("w", [2, 3], initializer=tf.constant_initializer(rank + 0.5))
table = tf.get_variable("table", [4, 3], initializer=tf.ones_initializer())
seen = tf.nn.embedding_lookup(table, [rank, 3])
loss = tf.reduce_mean(tf.square(tf.matmul([[1.0, rank]], w) - 1)) + tf.reduce_sum(seen**2)
step = hvd.DistributedOptimizer(tf.train.MomentumOptimizer(0.1, 0.9)).minimize(loss)
failing = hvd.allreduce(tf.zeros([2 + rank]), name="failing")
hooks = [hvd.BroadcastGlobalVariablesHook(0)]
with tf.train.MonitoredTrainingSession(hooks=hooks) as session:
    found |= {name: np.asarray(value).tolist() for name, value in session.run(values).items()}
    found["losses"] = [float(session.run([loss, step])[0]) for _ in range(4)]
    found["variables"] = [v.tolist() for v in session.run([w, table])]
    try:
        session.run(failing)
    except tf.errors.FailedPreconditionError as error:
        found["error"] = error.message.split("\n")[0]

if sys.argv[1:] == ["--lost"]:  # One goes, and the other misses it.
    if rank == 1:
        os._exit(7)
    try:
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(step)
    except tf.errors.UnavailableError as error:
        found["lost"] = error.message.split(",")[0]
print(json.dumps(found), flush=True)
