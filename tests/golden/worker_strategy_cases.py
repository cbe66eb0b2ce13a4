"""`tf.distribute.experimental.MultiWorkerMirroredStrategy` in a cluster of two workers: what each
records, and how they train together.

Under TensorFlow 1.15 this file writes `data/worker_strategy.json`; `tests/api/
test_worker_strategy.py` replays it. Both workers are in one process.
"""

import json
import os
import socket
import sys
import threading
from pathlib import Path


def addresses(count=2):
    """The addresses of a cluster's workers."""
    held = [socket.socket() for _ in range(count)]
    for one in held:
        one.bind(("localhost", 0))
    found = ["localhost:%d" % one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return found


def build(tf, cluster, index):
    """What a worker records: its graph, and what is run in it."""
    task = {"type": "worker", "index": index}
    os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": cluster}, "task": task})
    graph = tf.Graph()
    try:
        with graph.as_default():
            tf.set_random_seed(index + 1)
            strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
            with strategy.scope():
                dataset = tf.data.Dataset.range(8).batch(4)
                iterator = strategy.make_dataset_iterator(dataset)

                def step(x):
                    start = tf.random_uniform_initializer(seed=None)
                    w = tf.get_variable("w", [3], initializer=start)
                    table = tf.get_variable("t", [8, 2], initializer=tf.ones_initializer())
                    count = tf.train.get_or_create_global_step()
                    rows = tf.nn.embedding_lookup(table, x)
                    loss = tf.reduce_sum(tf.square(w - index)) + tf.reduce_mean(rows**2)
                    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
                    return loss, optimizer.minimize(loss, count)

                loss, update = strategy.experimental_run(step, iterator)
                total = strategy.reduce(tf.distribute.ReduceOp.MEAN, loss)
                fetches = [total, strategy.group(update)]
                begin = iterator.initialize()
                init = tf.global_variables_initializer()
                read = [v.read_value() for v in tf.global_variables()]
            config = strategy.update_config_proto(tf.ConfigProto())
            about = [
                strategy.num_replicas_in_sync, strategy.extended.should_checkpoint,
                strategy.extended.should_save_summary,
                config.experimental.collective_group_leader, list(config.device_filters),
            ]  # fmt: skip
    finally:
        del os.environ["TF_CONFIG"]
    return graph, config, about, [begin, init, fetches, read]


def nodes(graph):
    """[name, type, device, inputs, control inputs, keys] of each node."""
    found = []
    for op in graph.get_operations():
        keys = [op.get_attr(k) for k in ("group_size", "group_key", "instance_key")
                if "Collective" in op.type]  # fmt: skip
        inputs, controls = [i.name for i in op.inputs], sorted(c.name for c in op.control_inputs)
        found.append([op.name, op.type, op.device, inputs, controls, keys])
    return found


def result(tf):
    """What two workers record, and find in three steps."""
    cluster = addresses()
    built = []
    for index in range(2):  # Each thread counts its collectives for itself.
        thread = threading.Thread(target=lambda i=index: built.append(build(tf, cluster, i)))
        thread.start()
        thread.join()
    config = tf.ConfigProto()
    config.experimental.collective_group_leader = "/job:worker/replica:0/task:0"
    servers = [
        tf.train.Server({"worker": cluster}, "worker", index, config=config) for index in range(2)
    ]
    losses = [None, None]

    def run(index):
        graph, config, _, (begin, init, fetches, read) = built[index]
        with tf.Session(servers[index].target, graph=graph, config=config) as session:
            session.run(begin)
            session.run(init)
            found = [float(session.run(fetches)[0]) for _ in range(2)]
            losses[index] = [found, [value.tolist() for value in session.run(read)]]

    threads = [threading.Thread(target=run, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.daemon = True
        thread.start()
    for thread in threads:
        thread.join(30)
    return [[about, nodes(graph), found] for (graph, _, about, _), found in zip(built, losses)]


if __name__ == "__main__":
    import tensorflow

    _text = json.dumps(result(tensorflow), separators=(",", ":"))
    (Path(__file__).parent / "data" / "worker_strategy.json").write_text(_text + "\n")
    print(_text[-900:])
    sys.stdout.flush()
    os._exit(0)
