"""Programs with towers, run by four devices and as if there were none: what they give.

Run in a process of its own, as JAX's devices are settled when it starts: prints what each case
found, as JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import sys
import tempfile
import traceback
from pathlib import Path

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import quick_compilation

import tf1compat as tf
from tf1compat.runtime import tiers
from tf1compat.runtime.compile import cache, executable
from tf1compat.runtime.plan import towers

CASES = {}
TOWERS = 4
_COLLECTIVE = re.compile(r" (all-reduce|all-gather|all-to-all|collective-permute)\(")

# Of the programs of several devices that were compiled: (rows of each step, collectives of XLA's).
compiled = []
# The inputs of which their devices were given parts.
shared = []


def case(function):
    CASES[function.__name__] = function
    return function


def session():
    return tf.Session(config=tf.ConfigProto(device_count={"CPU": TOWERS}))


@contextlib.contextmanager
def grouping(on):
    """Towers are grouped whatever they cost, or not at all."""
    before = towers.LEAST_WORK_ON_SHARED_CORES, towers.MOST_REPEATED
    towers.LEAST_WORK_ON_SHARED_CORES, towers.MOST_REPEATED = (0, 1e9) if on else (1e18, 0)
    try:
        yield
    finally:
        towers.LEAST_WORK_ON_SHARED_CORES, towers.MOST_REPEATED = before


def note_programs():
    compile_it = executable.Compiled.compile

    def compile_and_note(self):
        is_new = self._function is None
        function = compile_it(self)
        if is_new and self._mesh is not None:
            steps = [s for s in self.region.towers[0] if type(s) is towers.Towers]
            found = sorted(_COLLECTIVE.findall(function.as_text()))
            compiled.append(([len(step.rows) for step in steps], found))
            shared.extend(t.name for s, _ in self._inputs._shares for t in s.inputs)
        return function

    executable.Compiled.compile = compile_and_note


def grouped_and_not(make):
    """What `make()` gives with towers grouped and without, and the programs of the first."""
    found = []
    for on in (True, False):
        tf.reset_default_graph()
        compiled.clear()
        with grouping(on):
            found.append(make())
        if on:
            programs = list(compiled)
        elif compiled:
            raise AssertionError("grouped")
    return {"grouped": found[0], "ungrouped": found[1], "programs": programs}


def floats(values):
    return [np.asarray(value, np.float64).ravel().tolist() for value in values]


# A net in the manner of the CIFAR-10 tutorial.


def net(images, labels, training=True):
    with tf.variable_scope("conv"):
        kernel = tf.get_variable(
            "w", [3, 3, 3, 8], initializer=tf.truncated_normal_initializer(0, 0.1)
        )
        bias = tf.get_variable("b", [8], initializer=tf.zeros_initializer())
        hidden = tf.nn.relu(tf.nn.conv2d(images, kernel, [1, 1, 1, 1], "SAME") + bias)
        hidden = tf.nn.max_pool(hidden, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    with tf.variable_scope("logits"):
        hidden = tf.reshape(hidden, [-1, 4 * 4 * 8])
        if training:
            hidden = tf.nn.dropout(hidden, rate=0.4)
        kernel = tf.get_variable("w", [128, 5], initializer=tf.truncated_normal_initializer(0, 0.1))
        tf.add_to_collection("decays", 0.01 * tf.nn.l2_loss(kernel))
        logits = tf.matmul(hidden, kernel)
    cross = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.reduce_mean(cross)


def cnn_graph():
    tf.set_random_seed(7)
    x = tf.placeholder(tf.float32, [None, 8, 8, 3], name="x")
    y = tf.placeholder(tf.int32, [None], name="y")
    optimizer = tf.train.AdamOptimizer(0.01)
    tower_grads, losses = [], []
    images, labels = tf.split(x, TOWERS), tf.split(y, TOWERS)
    for i in range(TOWERS):
        with tf.device(f"/cpu:{i}"), tf.name_scope(f"tower_{i}") as scope:
            with tf.variable_scope("net", reuse=i > 0):
                loss = net(images[i], labels[i])
            loss = tf.add_n([loss, *tf.get_collection("decays", scope)])
            losses.append(loss)
            tower_grads.append(optimizer.compute_gradients(loss))
    average = []
    for grads_and_vars in zip(*tower_grads, strict=True):
        grads = [tf.expand_dims(grad, 0) for grad, _ in grads_and_vars]
        average.append((tf.reduce_mean(tf.concat(grads, 0), 0), grads_and_vars[0][1]))
    train = optimizer.apply_gradients(average, tf.train.get_or_create_global_step())
    with tf.variable_scope("net", reuse=True):
        test = net(x, y, training=False)
    return x, y, train, tf.add_n(losses) / TOWERS, losses, test


def batches(count, size):
    rng = np.random.RandomState(3)
    return [
        (rng.rand(size, 8, 8, 3).astype(np.float32), rng.randint(0, 5, size)) for _ in range(count)
    ]


@case
def replicas():
    """The same net, of which `tf.tpu.shard` makes the towers."""

    def make():
        tf.set_random_seed(7)
        x = tf.placeholder(tf.float32, [8, 8, 8, 3])
        y = tf.placeholder(tf.int32, [8])

        def step(images, labels):
            loss = net(images, labels)
            optimizer = tf.tpu.CrossShardOptimizer(tf.train.AdamOptimizer(0.01))
            return loss, optimizer.minimize(loss)

        losses = tf.tpu.shard(step, [x, y], num_shards=TOWERS)[0]
        with session() as sess:
            sess.run(tf.global_variables_initializer())
            found = [sess.run(losses, {x: a, y: b}) for a, b in batches(4, 8)]
            return floats([*found, *sess.run(tf.trainable_variables())])

    return grouped_and_not(make)


def train_cnn():
    x, y, train, total, losses, test = cnn_graph()
    found = []
    with session() as sess:
        sess.run(tf.global_variables_initializer())
        for i, (images, labels) in enumerate(batches(6, 16)):
            feed = {x: images, y: labels}
            found.append(sess.run([total, losses[2], train], feed)[:2])
            if i % 2:  # by one device, between what several run
                found.append(sess.run(test, feed))
        found += sess.run(tf.trainable_variables())
        found.append(sess.run(tf.train.get_global_step()))
    return floats(found)


@case
def a_convolutional_net():
    return grouped_and_not(train_cnn)


@case
def normalized_by_batches():
    """With conditionals whose predicate is fed, and updates that only the first tower makes."""

    def make():
        tf.set_random_seed(4)
        x = tf.placeholder(tf.float32, [16, 6])
        training = tf.placeholder(tf.bool, [])
        losses = []
        for i, part in enumerate(tf.split(x, TOWERS)):
            with tf.device(f"/cpu:{i}"), tf.variable_scope("net", reuse=i > 0):
                hidden = tf.layers.dense(part, 4, name="dense")
                hidden = tf.layers.batch_normalization(hidden, training=training, name="norm")
                hidden = tf.layers.dropout(hidden, 0.2, training=training)
                losses.append(tf.reduce_mean(tf.square(tf.tanh(hidden) - 0.3)))
        loss = tf.add_n(losses) / TOWERS
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)[:2]):
            train = tf.train.AdamOptimizer(0.05).minimize(loss)
        found = []
        with session() as sess:
            sess.run(tf.global_variables_initializer())
            for i in range(3):
                feed = {x: np.random.RandomState(i).randn(16, 6), training: True}
                found.append(sess.run([loss, train], feed)[0])
                found.append(sess.run(loss, {**feed, training: False}))
            found += sess.run(tf.global_variables())
        return floats(found)

    return grouped_and_not(make)


@case
def mirrored():
    def make():
        tf.set_random_seed(2)
        strategy = tf.distribute.MirroredStrategy([f"/cpu:{i}" for i in range(TOWERS)])

        def step(inputs):
            w = tf.get_variable("w", [6, 4], initializer=tf.random_normal_initializer())
            b = tf.get_variable("b", [4], initializer=tf.zeros_initializer())
            hidden = tf.nn.dropout(tf.nn.tanh(tf.matmul(inputs, w) + b), rate=0.3)
            number = tf.distribute.get_replica_context().replica_id_in_sync_group
            loss = tf.reduce_mean(tf.square(hidden - 0.5)) * tf.cast(number + 1, tf.float32)
            return loss, tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)

        with strategy.scope():
            inputs = tf.constant(np.random.RandomState(0).rand(5, 6), tf.float32)
            loss, update = strategy.experimental_run_v2(step, args=(inputs,))
            total = strategy.reduce(tf.distribute.ReduceOp.SUM, loss)
            update = strategy.group(update)
        with session() as sess:
            sess.run(tf.global_variables_initializer())
            found = [sess.run([total, update])[0] for _ in range(5)]
            copies = strategy.experimental_local_results(tf.trainable_variables()[0])
            return floats([found, *sess.run(list(copies))])

    return grouped_and_not(make)


# What towers are not alike in.


def simple(part, sizes=(3,) * TOWERS, reduce=None):
    """A tower is `part(number, x, w)`: its sum over all, and the gradient of that."""

    def make():
        tf.set_random_seed(5)
        w = tf.get_variable("w", [4, 3], initializer=tf.random_normal_initializer())
        x = tf.placeholder(tf.float32, [sum(sizes), 4])
        pieces = tf.split(x, list(sizes))
        parts = []
        for i, piece in enumerate(pieces):
            with tf.device(f"/cpu:{i}"):
                parts.append(part(i, piece, w))
        total = (reduce or tf.add_n)(parts)
        gradient = tf.gradients(total, w)[0]
        with session() as sess:
            sess.run(tf.global_variables_initializer())
            feed = {x: np.random.RandomState(1).randn(sum(sizes), 4)}
            first = sess.run([total, gradient, parts[1]], feed)
            return floats([*first, *sess.run([total, parts[3]], feed)])

    return grouped_and_not(make)


def dense(number, x, w):
    return tf.reduce_sum(tf.nn.dropout(tf.nn.sigmoid(tf.matmul(x, w)), rate=0.5))


@case
def alike():
    return simple(dense)


@case
def one_constant_differs():
    return simple(lambda i, x, w: dense(i, x, w) * (2.0 if i != 2 else 3.0))


@case
def one_attribute_differs():
    return simple(
        lambda i, x, w: tf.reduce_sum(
            tf.tanh(tf.matmul(x, w if i else tf.transpose(w), False, not i))
        )
    )


@case
def shapes_differ():
    return simple(dense, (3, 3, 2, 4))


@case
def fed_shapes_differ():
    def make():
        w = tf.get_variable("w", [4, 3], initializer=tf.ones_initializer())
        xs, parts = [], []
        for i in range(TOWERS):
            with tf.device(f"/cpu:{i}"):
                xs.append(tf.placeholder(tf.float32, [None, 4]))
                parts.append(tf.reduce_sum(tf.matmul(xs[i], w)))
        total = tf.add_n(parts)
        found = []
        with session() as sess:
            sess.run(tf.global_variables_initializer())
            for sizes in ((2, 2, 2, 2), (2, 3, 2, 2), (2, 2, 2, 2)):
                feed = {x: np.ones([n, 4]) * n for x, n in zip(xs, sizes, strict=True)}
                found.append(sess.run(total, feed))
        return floats(found)

    return grouped_and_not(make)


@case
def a_mean_of_joined_parts():
    return simple(
        lambda i, x, w: tf.nn.relu(tf.matmul(x, w)),
        reduce=lambda parts: tf.reduce_mean(tf.concat(parts, 0), [0, 1]),
    )


@case
def parts_joined_for_more_than_a_mean():
    return simple(
        lambda i, x, w: tf.nn.relu(tf.matmul(x, w)),
        reduce=lambda parts: tf.reduce_sum(tf.square(tf.concat(parts, 0))),
    )


@case
def parts_of_inputs():
    """What is split or fed by tower goes to its device alone, if nothing else looks at it."""

    def make():
        tf.set_random_seed(5)
        w = tf.get_variable("w", [3], initializer=tf.random_normal_initializer())
        feed, draw = {}, np.random.RandomState(2)

        def fed(name, *shape, dtype=tf.float32):
            tensor = tf.placeholder(dtype, shape, name)
            feed[tensor] = (draw.rand(*shape) * 9).astype(dtype.as_numpy_dtype)
            return tensor

        def read(name):
            fed_to = fed(name, 8, 3)
            return tf.py_func(lambda x: x + 1, [fed_to], tf.float32, name=f"{name}_read")

        rows = tf.split(fed("rows", 8, 3), TOWERS)
        columns = tf.split(fed("columns", 3, 8), TOWERS, -1)
        labels = tf.split(fed("labels", 8, dtype=tf.int64), TOWERS)
        read_rows = read("host")
        read_rows.set_shape([8, 3])
        from_host = tf.split(read_rows, TOWERS)
        seen = fed("seen", 8, 3)
        looked_at = tf.split(seen, TOWERS)
        turned = tf.split(fed("turned", 8, 3), TOWERS)
        pieces = tf.split(fed("pieces", 16, 3), 2 * TOWERS)
        own = [fed(f"own{i}", 2, 3) for i in range(TOWERS)]
        swapped = [fed(f"swapped{i}", 2, 3) for i in range(TOWERS)]
        parts = []
        for i in range(TOWERS):
            with tf.device(f"/cpu:{i}"):
                x = rows[i] + tf.transpose(columns[i]) * from_host[i] + looked_at[i] * own[i]
                x += pieces[2 * i] * pieces[2 * i + 1] + swapped[i] * swapped[(i + 1) % TOWERS]
                x = tf.nn.dropout(x * turned[i] + turned[(i + 1) % TOWERS], rate=0.2) * w
                parts.append(tf.reduce_sum(tf.sin(x) * tf.expand_dims(tf.to_float(labels[i]), 1)))
        total = tf.add_n(parts)
        gradient = tf.gradients(total, w)[0]
        shared.clear()
        with session() as sess:
            sess.run(tf.global_variables_initializer())
            fetches = [total, gradient, parts[2], tf.reduce_sum(seen)]
            return floats([*sess.run(fetches, feed), *sess.run([total, rows[1]], feed)])

    found = grouped_and_not(make)
    names = shared[:]
    with grouping(True):
        tf.reset_default_graph()
        make()
    return {**found, "shared": [names, shared[:]]}


@case
def a_failing_tower():
    def make():
        scores = tf.placeholder(tf.float32, [8, 3])
        labels = tf.placeholder(tf.int32, [8])
        w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
        losses = []
        pairs = zip(tf.split(scores, TOWERS), tf.split(labels, TOWERS), strict=True)
        for i, (part, label) in enumerate(pairs):
            with tf.device(f"/cpu:{i}"), tf.name_scope(f"tower_{i}"):
                losses.append(
                    tf.nn.sparse_softmax_cross_entropy_with_logits(labels=label, logits=part * w)
                )
        update = tf.assign_sub(w, tf.gradients(tf.add_n(losses), w)[0])
        with session() as sess:
            sess.run(tf.global_variables_initializer())
            feed = {scores: np.eye(8, 3), labels: [0, 1, 2, 0, 1, 7, 1, 0]}
            try:
                sess.run(update, feed)
            except tf.errors.InvalidArgumentError as error:
                said = error.message.splitlines()[0], error.op.name
            kept = sess.run(w)
            feed[labels] = [0, 1, 2, 0, 1, 2, 1, 0]
            return [*said, *floats([kept, sess.run(update, feed)])]

    return grouped_and_not(make)


# Programs on disk, variables saved by several devices.


@case
def kept_on_disk():
    loads = []
    load = cache._load

    def noting(path, lowered, devices):
        found = load(path, lowered, devices)
        loads.append([len(devices), found is not None])
        return found

    cache._load = noting
    with tempfile.TemporaryDirectory() as folder, grouping(True):
        os.environ[cache.VARIABLE] = folder
        quick, cache.compiled = cache.compiled, own_compiled
        try:
            found = []
            for _ in range(2):
                tf.reset_default_graph()
                found.append(train_some(folder))
        finally:
            cache.compiled, cache._load = quick, load
            del os.environ[cache.VARIABLE]
    return {"losses": found, "loads": [ok for count, ok in loads if count == TOWERS]}


def train_some(folder):
    tf.set_random_seed(5)
    w = tf.get_variable("w", [4, 3], initializer=tf.random_normal_initializer())
    x = tf.placeholder(tf.float32, [8, 4])
    losses = []
    for i, part in enumerate(tf.split(x, TOWERS)):
        with tf.device(f"/cpu:{i}"):
            losses.append(dense(i, part, w))
    loss = tf.add_n(losses)
    update = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    saver = tf.train.Saver()
    feed = {x: np.random.RandomState(1).randn(8, 4)}
    with session() as sess:
        sess.run(tf.global_variables_initializer())
        found = [sess.run([loss, update], feed)[0] for _ in range(3)]
        path = saver.save(sess, os.path.join(folder, "model"))
        before = sess.run(w)
        sess.run(update, feed)
        saver.restore(sess, path)
        assert np.array_equal(sess.run(w), before)
        found.append(sess.run([loss, update], feed)[0])
    return floats([found])[0]


# Random towers.

_STEPS = {
    "dense": lambda x, w, v: tf.matmul(x, w),
    "scaled": lambda x, w, v: x * v,
    "shifted": lambda x, w, v: x + v,
    "tanh": lambda x, w, v: tf.tanh(x),
    "dropout": lambda x, w, v: tf.nn.dropout(x, rate=0.3),
    "noise": lambda x, w, v: x + tf.random_normal(tf.shape(x)),
    "softmax": lambda x, w, v: tf.nn.softmax(x) * v,
    "widened": lambda x, w, v: tf.concat([x, x * v], 0),
    "first": lambda x, w, v: x[: tf.shape(x)[0] // 2 + 1],
    "joined": lambda x, w, v: tf.add_n([x, tf.sin(x), tf.cos(x * v)]),
}
_ENDS = {
    "sum": lambda parts: tf.add_n([tf.reduce_sum(part) for part in parts]),
    "mean": lambda parts: tf.reduce_mean(
        tf.concat([tf.expand_dims(tf.reduce_mean(part, 0), 0) for part in parts], 0), 0
    ),
    "joined": lambda parts: tf.reduce_logsumexp(tf.concat(parts, 0)),
    "product": lambda parts: parts[0][0] * parts[-1][0],
}


def random_towers(seed):
    chosen = random.Random(seed)
    count = chosen.randint(2, TOWERS)
    steps = [(chosen.choice(sorted(_STEPS)), chosen.uniform(0.5, 1.5)) for _ in range(6)]
    end = chosen.choice(sorted(_ENDS))
    odd = chosen.choice([None, "value", "step", "size"])
    odd_tower, odd_step = chosen.randrange(count), chosen.randrange(len(steps))
    known = chosen.random() < 0.5

    def make():
        tf.set_random_seed(seed)
        w = tf.get_variable("w", [3, 3], initializer=tf.random_normal_initializer())
        parts, feed = [], {}
        for i in range(count):
            size = 5 if odd == "size" and i == odd_tower else 4
            mine = list(steps)
            if i == odd_tower and odd == "value":
                mine[odd_step] = mine[odd_step][0], 2.5
            if i == odd_tower and odd == "step":
                mine.insert(odd_step, ("tanh", 1.0))
            with tf.device(f"/cpu:{i}"):
                x = placeholder = tf.placeholder(tf.float32, [size if known else None, 3])
                feed[placeholder] = np.random.RandomState(i).randn(size, 3)
                for name, value in mine:
                    x = _STEPS[name](x, w, value)
                parts.append(x)
        total = _ENDS[end](parts)
        gradient = tf.gradients(total, w)
        with session() as sess:
            sess.run(tf.global_variables_initializer())
            fetches = [total, *(g for g in gradient if g is not None), parts[1]]
            return floats([*sess.run(fetches, feed), *sess.run(fetches, feed)])

    return grouped_and_not(make)


for _seed in (0, 3, 7, 9, 10):
    CASES[f"random_{_seed}"] = lambda seed=_seed: random_towers(seed)

own_compiled = cache.compiled


def main():
    tiers.set_tier(tiers.XLA)
    cache.compiled = quick_compilation.compiled
    note_programs()
    tf.logging.set_verbosity(tf.logging.ERROR)
    names = sys.argv[1:] or CASES
    found = {}
    for name in names:
        try:
            found[name] = CASES[name]()
        except Exception:
            found[name] = {"error": traceback.format_exc()}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
