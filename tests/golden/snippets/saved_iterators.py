"""Which iterators can be saved, and what is said of those that can't."""

import os
import tempfile

import tensorflow as tf

FOLDER = tempfile.mkdtemp()
Dataset = tf.data.Dataset
experimental = tf.data.experimental


def normal(_):
    return tf.random_normal([])


def variable():
    return tf.get_variable("v", [], initializer=tf.zeros_initializer(), use_resource=True)


def with_variable(function):
    v = variable()
    return Dataset.range(4).map(lambda x: function(v, x))


def with_dependencies(x):
    with tf.control_dependencies([tf.print(x), tf.Assert(x > -1, [x])]):
        return tf.identity(x)


def identity(value):
    return value


def table():
    pairs = tf.contrib.lookup.KeyValueTensorInitializer(
        tf.constant([1], tf.int64), tf.constant([1], tf.int64)
    )
    return tf.contrib.lookup.HashTable(pairs, -1)


def with_table(function):
    found = table()
    return Dataset.range(4).map(lambda x: function(found, x))


def in_a_function(x):
    return tf.contrib.eager.defun(lambda y: y + tf.random_uniform([], maxval=3, dtype=tf.int64))(x)


REDUCER = experimental.Reducer(lambda _: tf.random_normal([]), lambda s, x: s, lambda s: s)
PIPELINES = [
    ("plain", lambda: Dataset.range(9).shuffle(3, seed=1).repeat(2).batch(2)),
    ("generator", lambda: Dataset.from_generator(lambda: iter([1, 2, 3]), tf.int32)),
    ("a variable read", lambda: with_variable(lambda v, x: v + 1.0)),
    ("a variable assigned", lambda: with_variable(lambda v, x: v.assign_add(1.0))),
    ("prints and assertions", lambda: Dataset.range(4).map(with_dependencies)),
    ("random in a branch", lambda: Dataset.range(4).map(
        lambda x: tf.cond(x > 2, lambda: tf.random_normal([]), lambda: 1.0))),
    ("a loop", lambda: Dataset.range(4).map(
        lambda x: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [x]))),
    ("random in a dataset within", lambda: Dataset.range(4).flat_map(
        lambda x: Dataset.range(x).map(normal))),
    ("the last step first", lambda: Dataset.range(4).map(normal).filter(
        lambda x: tf.py_func(identity, [True], tf.bool))),
    ("stateless", lambda: Dataset.range(4).map(lambda x: tf.random.stateless_uniform([], [1, 2]))),
    ("a lookup", lambda: with_table(lambda t, x: t.lookup(x))),
    ("a table's size", lambda: with_table(lambda t, x: t.size())),
    ("a table's contents", lambda: with_table(lambda t, x: t.export()[0])),
    ("Python without state", lambda: Dataset.range(4).map(
        lambda x: tf.py_func(identity, [x], tf.int64, stateful=False))),
    ("Python, eager", lambda: Dataset.range(4).map(
        lambda x: tf.py_function(identity, [x], tf.int64))),
    ("random in a function", lambda: Dataset.range(4).map(in_a_function)),
    ("scan", lambda: Dataset.range(4).apply(
        experimental.scan(0.0, lambda s, x: (s, tf.random_normal([]))))),
    ("a key", lambda: Dataset.range(4).apply(experimental.group_by_window(
        lambda x: tf.random_uniform([], maxval=3, dtype=tf.int64), lambda k, d: d.batch(2), 2))),
    ("a group", lambda: Dataset.range(4).apply(experimental.group_by_window(
        lambda x: x % 2, lambda k, d: d.map(normal), 2))),
    ("take while", lambda: Dataset.range(4).apply(
        experimental.take_while(lambda x: tf.random_normal([]) < 9.0))),
    ("a reducer", lambda: Dataset.range(4).apply(
        experimental.group_by_reducer(lambda x: x % 2, REDUCER))),
    ("zip", lambda: Dataset.zip((Dataset.range(4), Dataset.range(4).map(normal)))),
    ("time", lambda: Dataset.range(4).map(lambda x: tf.timestamp())),
    ("an unused number", lambda: Dataset.range(4).map(lambda x: (tf.random_normal([]), x)[1])),
]  # fmt: skip


def graph_of(make):
    iterator = tf.data.make_initializable_iterator(make())
    saveable = experimental.make_saveable_from_iterator(iterator)
    tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, saveable)
    return iterator.initializer, iterator.get_next(), tf.train.Saver(allow_empty=True)


def begin(session, initializer):
    session.run(tf.global_variables_initializer())
    session.run(tf.tables_initializer())
    session.run(initializer)


def first_line(error):
    return "%s: %s" % (type(error).__name__, error.message.split("\n")[0])


for what, make in PIPELINES:
    with tf.Graph().as_default(), tf.Session() as session:
        initializer, _, saver = graph_of(make)
        begin(session, initializer)
        try:
            saver.save(session, os.path.join(FOLDER, "ck"))
        except tf.errors.OpError as error:
            print(what, "->", first_line(error))
        else:
            print(what, "-> saved")


def dataset():
    return Dataset.range(9).shuffle(4, seed=3).map(lambda x: {"a": x, "b": (x, tf.as_string(x))})


with tf.Graph().as_default(), tf.Session() as session:
    initializer, element, saver = graph_of(dataset)
    try:
        saver.save(session, os.path.join(FOLDER, "ck"))
    except tf.errors.OpError as error:
        print(first_line(error))
    begin(session, initializer)
    before = [session.run(element)["a"] for _ in range(4)]
    saver.save(session, os.path.join(FOLDER, "ck"))
    after = [session.run(element)["a"] for _ in range(5)]
with tf.Graph().as_default(), tf.Session() as session:
    initializer, element, saver = graph_of(dataset)
    try:
        saver.restore(session, os.path.join(FOLDER, "ck"))
    except tf.errors.OpError as error:
        print(first_line(error))
    begin(session, initializer)
    saver.restore(session, os.path.join(FOLDER, "ck"))
    print([session.run(element)["a"] for _ in range(5)] == after, sorted(before + after))
with tf.Graph().as_default(), tf.Session() as session:
    initializer, element, saver = graph_of(lambda: Dataset.range(30).batch(2))
    begin(session, initializer)
    try:
        saver.restore(session, os.path.join(FOLDER, "ck"))
    except tf.errors.OpError as error:
        print("another pipeline ->", first_line(error))
