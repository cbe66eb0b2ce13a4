"""Steps of clusters and of towers.

    python benchmarks/many_devices.py cluster --oracle tf115/bin/python
    python benchmarks/many_devices.py towers

`cluster`: a step of a worker that updates a variable of a parameter server, and a step of a net of
six layers with Adam on two of them. Each task is a process; the two TensorFlows take turns. What is
counted is the time of `Session.run`, the median over the rounds and the least, and on Linux the
processor time of a step in all processes together, of the best round; here also the calls of other
tasks that a step makes.

`towers`: a convolutional net with dropout and Adam in 8 towers, on 8 of JAX's CPU devices, as
one program of all of them and without grouping them, in a process with one device, and with one
tower: the first call and a step, in seconds of the processor.
"""

from __future__ import annotations

import argparse
import functools
import glob
import json
import os
import socket
import statistics
import subprocess
import sys
import time

import numpy as np

SIZES = {"4 bytes": 1, "1 MB": 1 << 18, "4 MB": 1 << 20}
TOWERS, IMAGES = 8, 128


# What a task of a cluster does; also under Python 3.7.


def serve(tf, cluster, job, index):
    """A parameter server, until it is killed."""
    tf.train.Server(cluster, job_name=job, task_index=index).join()


def updated(tf, size):
    """A step that subtracts what the worker makes from a server's variable."""
    with tf.device("/job:ps/task:0"):
        w = tf.get_variable("w%d" % size, [size], initializer=tf.zeros_initializer())
    with tf.device("/job:worker/task:0"):
        change = w * 0.5 + 1.0
    return tf.group(w.assign_sub(change, use_locking=True).op)


def trained(tf, cluster):
    """A step of six layers with Adam, variables in turn on the servers."""
    with tf.device(tf.train.replica_device_setter(cluster=cluster)):
        hidden = tf.random_normal([32, 64])
        for i in range(6):
            hidden = tf.layers.dense(hidden, 64, tf.nn.relu, name="layer%d" % i)
        loss = tf.reduce_mean(tf.square(hidden - 1.0))
        count = tf.train.get_or_create_global_step()
        return tf.train.AdamOptimizer(1e-3).minimize(loss, count)


def processor_time(processes):
    """The milliseconds of processors that some processes have had, where that is known."""
    found = 0
    for process in processes:
        for path in glob.glob("/proc/%s/task/*/schedstat" % process):
            try:
                with open(path) as file:
                    found += int(file.read().split()[0])
            except EnvironmentError:  # The thread ended just now.
                pass
    return found / 1e6


def calls_of(run):
    """How many calls of other tasks `run` makes; None under another TensorFlow than this one."""
    if "tf1compat" not in sys.modules:
        return None
    from tf1compat.runtime.cluster.channel import Channel

    call, made = Channel.call, []

    def counted(self, method, *args, **kwargs):
        made.append(method)
        return call(self, method, *args, **kwargs)

    Channel.call = counted
    try:
        run()
    finally:
        Channel.call = call
    return len(made)


def work(tf, cluster, runs, servers):
    """{step: [milliseconds of each run, processor time of one, calls of one]} of the worker."""
    server = tf.train.Server(cluster, job_name="worker", task_index=0)
    found = {}
    steps = {name: lambda size=size: updated(tf, size) for name, size in SIZES.items()}
    steps["Adam"] = lambda: trained(tf, cluster)
    for name, make in steps.items():
        with tf.Graph().as_default():
            step = make()
            with tf.Session(server.target) as session:
                session.run(tf.global_variables_initializer())
                for _ in range(20):
                    session.run(step)
                times = []
                processes = [os.getpid()] + servers
                before = processor_time(processes)
                for _ in range(runs):
                    begin = time.perf_counter()
                    session.run(step)
                    times.append(1e3 * (time.perf_counter() - begin))
                used = (processor_time(processes) - before) / runs
                found[name] = times, used, calls_of(functools.partial(session.run, step))
    return found


def _addresses():
    held = [socket.socket() for _ in range(3)]
    for one in held:
        one.bind(("localhost", 0))
    found = ["localhost:%d" % one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return {"ps": found[:2], "worker": found[2:]}


def _round(command, runs):
    cluster = json.dumps(_addresses())
    task = [*command, os.path.abspath(__file__), "task"]
    quiet = {"stderr": subprocess.DEVNULL, "stdout": subprocess.PIPE}
    servers = [subprocess.Popen([*task, cluster, "ps", str(i)], **quiet) for i in range(2)]
    try:
        numbers = [str(server.pid) for server in servers]
        told = subprocess.check_output(
            [*task, cluster, "worker", str(runs), *numbers], stderr=subprocess.DEVNULL
        )
        return json.loads(told.splitlines()[-1].decode())
    finally:
        for server in servers:
            server.kill()
            server.wait()


def compare_clusters(oracle, rounds, runs):
    """Prints the steps of clusters here and under TensorFlow 1.15."""
    commands = {"tf1compat": [sys.executable, "-m", "tf1compat"]}
    if oracle:
        commands["TF 1.15"] = [oracle, "-W", "ignore"]
    times = {which: {} for which in commands}
    processor = {which: {} for which in commands}
    calls = {}
    for _ in range(rounds):
        for which, command in commands.items():
            for name, (of_round, used, made) in _round(command, runs).items():
                times[which].setdefault(name, []).extend(of_round)
                processor[which].setdefault(name, []).append(used)
                calls[which, name] = made
    for name in times["tf1compat"]:
        for which, found in times.items():
            median, least = statistics.median(found[name]), min(found[name])
            used = min(processor[which][name])
            text = "%-8s %-10s median %7.3f ms, least %7.3f ms, processor %7.3f ms"
            made = calls[which, name]
            counted = "" if made is None else ", %d calls of other tasks" % made
            print(text % (name, which, median, least, used) + counted)


# Towers.


def towers(tf, count):
    """A graph's (step, loss, images, labels), with `count` towers."""
    tf.set_random_seed(1)
    images = tf.placeholder(tf.float32, [count * IMAGES, 16, 16, 3])
    labels = tf.placeholder(tf.int32, [count * IMAGES])
    parts = zip(tf.split(images, count), tf.split(labels, count))
    optimizer = tf.train.AdamOptimizer(1e-3)
    losses, grads = [], []
    for i, (x, y) in enumerate(parts):
        with tf.device("/cpu:%d" % i), tf.variable_scope("net", reuse=i > 0):
            for j, width in enumerate((16, 32)):
                x = tf.layers.conv2d(x, width, 3, 1, "same", activation=tf.nn.relu, name="c%d" % j)
                x = tf.layers.max_pooling2d(x, 2, 2)
            x = tf.layers.dense(tf.layers.flatten(x), 64, tf.nn.relu, name="d")
            x = tf.layers.dropout(x, 0.3, training=True, seed=3)
            logits = tf.layers.dense(x, 10, name="out")
            losses.append(tf.losses.sparse_softmax_cross_entropy(y, logits))
            grads.append(optimizer.compute_gradients(losses[-1]))
    with tf.device("/cpu:0"):
        averaged = [(tf.add_n([g for g, _ in same]) / count, same[0][1]) for same in zip(*grads)]
        step = optimizer.apply_gradients(averaged)
        return step, tf.add_n(losses) / count, images, labels


def measure_towers(count, steps):
    """{"first call": …, "step": …, "losses": …} of a process of its own."""
    import tensorflow as tf

    step, loss, images, labels = towers(tf, count)
    draw = np.random.RandomState(0)
    feed = {
        images: draw.randn(*images.shape.as_list()),
        labels: draw.randint(10, size=labels.shape[0]),
    }
    config = tf.ConfigProto(device_count={"CPU": count}, allow_soft_placement=True)
    with tf.Session(config=config) as session:
        session.run(tf.global_variables_initializer())
        begin, processor = time.perf_counter(), time.process_time()
        losses = [session.run([loss, step], feed)[0]]
        found = {
            "first call": time.process_time() - processor,
            "first call, by the clock": time.perf_counter() - begin,
        }
        losses += [session.run([loss, step], feed)[0] for _ in range(4)]
        times = []
        for _ in range(steps):
            processor = time.process_time()
            losses.append(session.run([loss, step], feed)[0])
            times.append(time.process_time() - processor)
        found |= {"step": statistics.median(times), "least step": min(times)}
        return found | {"losses": [float(value) for value in losses[:5]]}


def compare_towers(rounds, steps):
    """Prints what 8 towers take together and one by one, and what one takes."""
    flags = f"--xla_force_host_platform_device_count={TOWERS}"
    kinds = {
        "8 towers, all devices": (TOWERS, {"XLA_FLAGS": flags}, []),
        "8 towers, not grouped": (TOWERS, {"XLA_FLAGS": flags}, ["apart"]),
        "8 towers, one device": (TOWERS, {}, []),
        "1 tower": (1, {}, []),
    }
    found = {name: [] for name in kinds}
    for _ in range(rounds):
        for name, (count, more, how) in kinds.items():
            env = os.environ | {"TF1COMPAT_CACHE_DIR": "off", "TF1COMPAT_TIER": "xla"} | more
            command = [
                sys.executable,
                "-m",
                "tf1compat",
                os.path.abspath(__file__),
                "tower",
                str(count),
                str(steps),
                *how,
            ]
            told = subprocess.check_output(command, env=env, stderr=subprocess.DEVNULL)
            found[name].append(json.loads(told.splitlines()[-1]))
    for name, of_rounds in found.items():
        least = {key: min(one[key] for one in of_rounds) for key in of_rounds[0] if key != "losses"}
        print(f"{name:22}", *(f"{key} {1e3 * value:7.1f} ms" for key, value in least.items()))
        print(" " * 22, "losses", *(f"{value:.6f}" for value in of_rounds[0]["losses"]))


def main():
    """What the command line says."""
    if sys.argv[1:2] == ["task"]:
        import tensorflow as tf

        cluster = tf.train.ClusterSpec(json.loads(sys.argv[2]))
        if sys.argv[3] == "ps":
            serve(tf, cluster, "ps", int(sys.argv[4]))
        servers = [int(number) for number in sys.argv[5:]]
        print(json.dumps(work(tf, cluster, int(sys.argv[4]), servers)))
        sys.stdout.flush()
        os._exit(0)
    if sys.argv[1:2] == ["tower"]:
        if sys.argv[4:] == ["apart"]:
            from tf1compat.runtime.plan import towers as plan_towers

            plan_towers.group = lambda *given: None
        print(json.dumps(measure_towers(int(sys.argv[2]), int(sys.argv[3]))))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["cluster", "towers"])
    parser.add_argument("--oracle", help="a Python that has TensorFlow 1.15")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--runs", type=int, default=100, help="of a round")
    options = parser.parse_args()
    if options.what == "cluster":
        compare_clusters(options.oracle, options.rounds, options.runs)
    else:
        compare_towers(options.rounds, options.runs)


if __name__ == "__main__":
    main()
