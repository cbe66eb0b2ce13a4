"""Metrics and networks of `tf.contrib.eager`, in graphs and eagerly."""

import glob
import tempfile

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
tfe = tf.contrib.eager
metrics = tfe.metrics


def told(what, call):
    try:
        found = call()
    except Exception as error:
        print(what, type(error).__name__, str(error).split(" (defined")[0])
        return
    print(what, found)


def plain(value):
    found = []
    for x in tf.nest.flatten(value):
        x = np.asarray(x.numpy() if hasattr(x, "numpy") else x)
        found.append((x.dtype.name, (np.round(x, 4) if x.dtype.kind == "f" else x).tolist()))
    return found


def written(folder):
    for path in sorted(glob.glob(folder + "/*")):
        for event in tf.train.summary_iterator(path):
            print(event.step, [(v.tag, v.simple_value) for v in event.summary.value])


BATCHES = {
    "Mean": [(np.array([1, 2], "int32"),), (np.array([1.0, 5.0], "float32"), [1.0, 3.0])],
    "Accuracy": [([1, 2, 3], [1, 2, 0]), ([1, 0], [0, 0], [3.0, 1.0]), ([1, 2], [1])],
    "CategoricalAccuracy": [([[0, 1], [1, 0]], [[0.3, 0.7], [0.4, 0.6]]), ([[0, 1]], [[0.2]])],
    "SparseAccuracy": [([1, 0], [[0.3, 0.7], [0.4, 0.6]]), ([1], [[0.2, 0.8], [0.5, 0.5]])],
    "BinaryAccuracy": [([1, 0, 1], [0.7, 0.2, 0.4]), ([1, 0], [0.7, 0.8], [1.0, 2.0])],
}


def made(kind, **options):
    if kind == "BinaryAccuracy":
        options["threshold"] = 0.5
    return getattr(metrics, kind)(**options)


def in_graphs():
    for name, batches in BATCHES.items():
        metric = made(name, name="my " + name)
        update = metric(*[tf.constant(x) for x in batches[0]])
        again = (
            metric(*[tf.constant(x) for x in batches[1]]) if name in ("Mean", "Accuracy") else ()
        )
        result, value, start = metric.result(), metric.value(), metric.init_variables()
        print(metric.name, [v.name for v in metric.variables], value.name, start.type)
        with tf.Session() as session:
            session.run(start)
            told(name, lambda: plain(session.run(update)))
            if name in ("Mean", "Accuracy"):
                told(name, lambda: plain(session.run(again)))
            print(session.run(result))
    print(metrics.Mean("my Mean").name, metrics.Mean("my Mean").name)
    shared = metrics.Mean("shared", use_global_variables=True)
    shared.build()
    told("again", lambda: shared.add_variable("more", ()))
    for key in sorted(tf.get_default_graph().get_all_collection_keys()):
        print(key, [getattr(x, "name", "") for x in tf.get_collection(key)])
    for op in tf.get_default_graph().get_operations():
        if not op.type.startswith("Const"):
            print(op.type, op.name.rstrip("0123456789"), len(op.inputs))


def eagerly():
    for name, batches in BATCHES.items():
        metric = made(name)
        for batch in batches:
            told(name, lambda: plain(metric(*batch)))
        print(metric.name, plain(metric.result()), callable(metric.value()))
        metric.init_variables()
        print(plain(metric.variables))
    one, two = metrics.Mean("mean"), metrics.Mean("mean")
    one(1.0)
    two(3.0)
    told("aggregated", lambda: one.aggregate([two]))
    other = metrics.Mean("other")
    other(2.0)
    told("names", lambda: one.aggregate([other]))
    print(plain(one.result()))
    folder = tempfile.mkdtemp()
    writer = tf.contrib.summary.create_file_writer(folder)
    tf.train.get_or_create_global_step()
    with writer.as_default(), tf.contrib.summary.always_record_summaries():
        one.result()
        one.result(write_summary=False)
        other.result(write_summary=tf.constant(True))
    written(folder)
    network = tfe.Network("net")
    network.track_layer(tf.layers.Dense(1))
    told("slash", lambda: tfe.Network("a/b"))
    told("scope", lambda: tfe.Network(tf.get_variable_scope()))
    told("loss", lambda: network.add_loss(1.0))
    told("variable", lambda: network.add_variable("v", ()))
    told("index", lambda: network.get_layer(index=3))
    told("both", lambda: network.get_layer(index=3, name="a"))

    class Early(tfe.Network):
        def __init__(self):
            self.track_layer(tf.layers.Dense(1))

    told("early", Early)


tf.enable_eager_execution()
eagerly()
with tf.Graph().as_default():
    in_graphs()
