"""tf.train.Checkpoint, CheckpointManager and tf.contrib.checkpoint.

Read by `record_cases.py` under TensorFlow 1.15, replayed by `tests/api/test_object_checkpoints.py`.
"""

from __future__ import annotations

import os
import tempfile

import numpy as np
from case_runs import Case, collect


class Done(Case):
    """A case that has run while it was built."""

    def __init__(self, values, said):
        super().__init__(said=said)
        self.values = values

    def run(self, tf):
        return self.values


def contents(tf, path):
    """(key, value) of all of a checkpoint but its objects, and these as text."""
    reader = tf.train.NewCheckpointReader(path)
    keys = sorted(reader.get_variable_to_shape_map())
    values = [(key, reader.get_tensor(key)) for key in keys if not key.startswith("_CHECKP")]
    return keys, values, str(tf.contrib.checkpoint.object_metadata(path))


def program(tf):
    """Objects of several kinds, and a training step."""

    class Net(tf.contrib.checkpoint.Checkpointable):
        def __init__(self):
            self.w = tf.Variable([1.0, 2.0], name="w")
            self.odd_name = tf.get_variable("r", initializer=[[3.0]], use_resource=True)
            self.dense = tf.layers.Dense(2, kernel_initializer=tf.ones_initializer(), name="d")
            self.same = self.dense
            self.number = 3

    net = Net()
    y = net.dense(tf.ones([1, 2])) * net.w
    loss = tf.reduce_sum(y * y) + tf.reduce_sum(net.odd_name**2)
    optimizer = tf.train.AdamOptimizer(0.1)
    step = tf.train.get_or_create_global_step()
    return net, optimizer, step, optimizer.minimize(loss, step)


def _folder():
    return tempfile.mkdtemp()


def training(tf):
    net, optimizer, step, train = program(tf)
    checkpoint = tf.train.Checkpoint(net=net, optimizer=optimizer, step=step)
    folder = _folder()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        paths = []
        for _ in range(2):
            session.run(train)
            paths.append(os.path.basename(checkpoint.save(os.path.join(folder, "ck"))))
        before = session.run([net.w, optimizer.get_slot(net.w, "m")])
        status = checkpoint.restore(tf.train.latest_checkpoint(folder)).assert_consumed()
        session.run(tf.global_variables_initializer())
        status.run_restore_ops()
        after = session.run([net.w, optimizer.get_slot(net.w, "m")])
        count = session.run(checkpoint.save_counter)
    path = tf.train.latest_checkpoint(folder)
    keys, values, graph = contents(tf, path)
    dot = tf.contrib.checkpoint.dot_graph_from_checkpoint(path)
    same = [np.array_equal(a, b) for a, b in zip(before, after)]
    said = [paths, keys, graph, dot, same, count, sorted(os.listdir(folder))]
    return Done(values, said)


def deferred(tf):
    """Restored before the objects are there."""
    net, optimizer, step, train = program(tf)
    path = os.path.join(_folder(), "ck")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        path = tf.train.Checkpoint(net=net, optimizer=optimizer, step=step).write(path)
    tf.reset_default_graph()
    checkpoint = tf.train.Checkpoint()
    status = checkpoint.restore(path).expect_partial()
    said = []
    for check in ("assert_consumed", "assert_existing_objects_matched", "assert_nontrivial_match"):
        try:
            getattr(status, check)()
            said.append(check)
        except AssertionError as error:
            said.append(str(error)[:60])
    checkpoint.net = tf.train.Checkpoint(w=tf.Variable([0.0, 0.0], name="v"))
    checkpoint.net.dense = layer = tf.layers.Dense(2)
    layer.build([None, 2])
    checkpoint.optimizer = optimizer = tf.train.AdamOptimizer(0.1)
    loss = tf.reduce_sum(checkpoint.net.w) + tf.reduce_sum(layer.kernel)
    train = optimizer.minimize(loss)
    extra = checkpoint.extra = tf.Variable(7.0)
    with tf.Session() as session:
        status.initialize_or_restore(session)
        fetches = [checkpoint.net.w, layer.kernel, optimizer.get_slot(layer.kernel, "v"), extra]
        values = list(zip(fetches, session.run(fetches)))
        tf.contrib.checkpoint.list_objects(checkpoint)
        session.run(train)
    return Done(values, said)


def managed(tf):
    folder = _folder()
    v = tf.Variable(1.0, name="v")
    checkpoint = tf.train.Checkpoint(v=v)
    said = []
    with tf.Session() as session:
        session.run(v.initializer)
        manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
        for number in (None, None, None, 77):
            manager.save(checkpoint_number=number)
            said.append([os.path.basename(path) for path in manager.checkpoints])
        again = tf.train.CheckpointManager(checkpoint, folder, 3, checkpoint_name="x")
        said.append([os.path.basename(path) for path in again.checkpoints])
        again.save()
        said.append(os.path.basename(tf.train.latest_checkpoint(folder)))
        said.append(manager.latest_checkpoint == tf.train.latest_checkpoint(folder))
    said.append(sorted(name for name in os.listdir(folder) if name.endswith(".index")))
    return Done([], said)


def containers(tf):
    ck = tf.contrib.checkpoint
    tf.set_random_seed(1)

    class Part(ck.Checkpointable):
        pass

    root = Part()
    root.items = [tf.Variable(1.0, name="a"), {"k": tf.Variable([2.0], name="b")}]
    root.items.append(tf.Variable(3.0, name="c"))
    root.plain = ck.NoDependency([tf.Variable(4.0, name="d")])
    tracker = root.tracker = ck.UniqueNameTracker()
    for i in range(2):
        tracker.track(tf.Variable(float(i), name="t"), "t")
    root.cell = tf.nn.rnn_cell.MultiRNNCell(
        [tf.nn.rnn_cell.BasicLSTMCell(2), tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(2))]
    )
    root.cell(tf.ones([1, 2]), root.cell.zero_state(1, tf.float32))
    template = root.template = tf.make_template(
        "tmpl", lambda: tf.get_variable("inside", initializer=2.0) * 3.0
    )
    template()
    template()
    root.state = ck.NumpyState()
    root.state.array = np.arange(3)

    class Count(ck.PythonStateWrapper):
        count = 5

        def serialize(self):
            return str(self.count)

        def deserialize(self, string_value):
            self.count = int(string_value)

    root.count = count = Count()

    def fill(buffer):
        buffer["x"] = tf.constant(1.5)
        buffer["y"] = tf.constant([2, 3])

    taken = []

    def consume(buffer):
        taken.append(sorted(buffer))
        return tf.group(*[buffer[key].op for key in sorted(buffer)])

    parts = ck.split_dependency(["x", "y"], [tf.float32, tf.int32], fill, consume, "/cpu:0")
    root.x, root.y = parts["x"], parts["y"]
    checkpoint = tf.train.Checkpoint(root=root)
    path = os.path.join(_folder(), "ck")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = checkpoint.save(path)
        count.count, root.state.array = 1, np.zeros(2)
        checkpoint.restore(path).assert_consumed().run_restore_ops()
    keys, values, graph = contents(tf, path)
    said = [keys, graph, count.count, root.state.array.tolist(), taken, type(root.plain).__name__]
    del root.items
    said.append([name for name, _ in root._checkpoint_dependencies])
    return Done([v for v in values if "py_state" not in v[0]], said)


def names(tf):
    """Of checkpoints of names, and none."""
    v = tf.Variable(5.0, name="v")
    path = os.path.join(_folder(), "ck")
    holder = tf.contrib.checkpoint.Checkpointable()
    holder.v = v
    from tensorflow.python.training.tracking import util

    saver = util.saver_with_op_caching(holder)
    said = []
    with tf.Session() as session:
        session.run(v.initializer)
        path = tf.train.Saver([v]).save(session, path, write_meta_graph=False)
        session.run(v.assign(1.0))
        status = saver.restore(path)
        status.run_restore_ops()
        status.assert_consumed()
        found = session.run(v)
        none = saver.restore(None)
        none.initialize_or_restore(session)
        said += [type(status).__name__, type(none).__name__]
        # And an object's variable by its name.
        by_object = tf.train.Checkpoint(v=v).write(path + "-objects")
        session.run(v.assign(2.0))
        tf.train.Saver([v]).restore(session, by_object)
        return Done([("v", found), ("v", session.run(v))], said)


CASES = {"objects": collect(training, deferred, managed, containers, names)}


def _status(tf, check):
    return getattr(tf.train.Checkpoint(v=tf.Variable(1.0)).restore(None), check)()


def _named(tf):
    path = os.path.join(_folder(), "ck")
    v = tf.Variable(1.0)
    with tf.Session() as session:
        session.run(v.initializer)
        path = tf.train.Saver().save(session, path)
    os.chdir(os.path.dirname(path))
    tf.contrib.checkpoint.object_metadata("ck")


def _tracked(tf, value):
    holder = tf.train.Checkpoint(a=tf.Variable(1.0))
    holder._track_trackable(value(tf), "a")


MISTAKES = {
    "objects": {
        "a number": lambda tf: tf.train.Checkpoint(a=3),
        "tracked number": lambda tf: _tracked(tf, lambda tf: 3),
        "tracked twice": lambda tf: _tracked(tf, lambda tf: tf.Variable(2.0)),
        "none consumed": lambda tf: _status(tf, "assert_consumed"),
        "none run": lambda tf: _status(tf, "run_restore_ops"),
        "names": _named,
        "none kept": lambda tf: tf.train.CheckpointManager(tf.train.Checkpoint(), "/x", 0),
        "mapping": lambda tf: tf.contrib.checkpoint.Mapping(a=tf.Variable(1.0)).__setitem__(
            3, tf.Variable(2.0)
        ),
        "numpy": lambda tf: (
            setattr(tf.contrib.checkpoint.UniqueNameTracker(), "a", 1)
            or tf.contrib.checkpoint.UniqueNameTracker().track(3, "a")
        ),
        "missing": lambda tf: tf.train.Checkpoint().restore("/nowhere/at/all"),
    }
}
