"""tf.summary, event files, and the summaries of contrib.layers and slim.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_summary.py`. A case
takes the `tensorflow` module and returns a `Done`: what the summaries are, as text, is compared;
the very bytes are in the rows of the op table.
"""

from __future__ import annotations

import numpy as np
from case_runs import collect
from session_runs import Done, describe_value, lasting


def _run(tf, *summaries):
    """Runs summaries: what they hold."""
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = session.run(list(summaries))
    return [
        "; ".join(describe_value(v) for v in tf.Summary.FromString(data).value) for data in found
    ]


def functions(tf):
    x = tf.constant([[1.0, -2.0], [3.0, 0.5]], name="x")
    with tf.name_scope("outer"):
        made = [
            tf.summary.scalar("s", 1.5),
            tf.summary.scalar("s", tf.reduce_sum(x)),
            tf.summary.scalar("in family", 2, family="fam ily"),
            tf.summary.scalar("/a b:c", 1.0, collections=["mine"]),
            tf.summary.histogram("h", x, family="f"),
            tf.summary.histogram(None, x),
            tf.summary.image("i", tf.reshape(x, [2, 2, 1, 1])),
            tf.summary.image("one", tf.reshape(x, [2, 2, 1, 1]), 1, ["mine"], "f"),
            tf.summary.audio("a", x, 8000),
            tf.summary.audio("one", x, tf.constant(44100.0), max_outputs=1),
            tf.summary.text("t", tf.constant(["a", "b"])),
            tf.summary.tensor_summary("ts", x, "about", display_name="Shown", family="f"),
        ]
    made.append(tf.summary.merge(made[:3]))
    made.append(tf.summary.merge(made[3:5], ["merged"], "bad name"))
    made.append(tf.summary.merge_all("mine", name="all_of_mine"))
    said = [tf.summary.merge_all("nothing")] + made
    said += [tf.summary.merge_all(scope="outer/h"), tf.get_collection("merged")]
    return Done(said + _run(tf, *made))


def descriptions(tf):
    node = tf.NodeDef(op="TensorSummary")
    node.attr["description"].s = b'{"typeHint": "scalar"}'
    return Done([tf.summary.get_summary_description(node)])


def of_layers(tf):
    layers = tf.contrib.layers
    x = tf.constant([[1.0, -2.0], [3.0, 0.5]], name="x")
    ones = {"weights_initializer": tf.ones_initializer(), "outputs_collections": ["activations"]}
    y = layers.fully_connected(x, 3, scope="fc", **ones)
    relu6 = tf.nn.relu6(y, name="relu6")
    made = [
        layers.summarize_activation(relu6),
        layers.summarize_activation(tf.tanh(y)),
        layers.summarize_tensor(tf.reduce_sum(x)),
        layers.summarize_tensor(x, "named"),
    ]
    said = [layers.summarize_tensor(tf.constant("a")), layers.summarize_tensor(tf.constant(True))]
    made += layers.summarize_tensors([x, y])
    made += layers.summarize_collection("activations", "fc/R")
    made += layers.summarize_activations()
    slim = tf.contrib.slim
    made += slim.summarize_variables("fc/w") + slim.summarize_biases() + slim.summarize_weights()
    return Done(said + made + _run(tf, *made))


def _loss(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    ones = {"weights_initializer": tf.ones_initializer()}
    y = tf.contrib.layers.fully_connected(x, 1, activation_fn=None, scope="fc", **ones)
    return tf.losses.mean_squared_error([[1.0], [2.0]], y)


def of_optimize_loss(tf):
    tf.contrib.layers.optimize_loss(
        _loss(tf),
        tf.train.create_global_step(),
        0.1,
        "Adagrad",
        clip_gradients=1.0,
        summaries=tf.contrib.layers.OPTIMIZER_SUMMARIES,
    )
    made = tf.get_collection(tf.GraphKeys.SUMMARIES)
    return Done(made + _run(tf, *made))


def of_optimize_loss_by_default(tf):
    from tensorflow.contrib.layers.python.layers import optimizers

    tf.contrib.layers.optimize_loss(
        _loss(tf), tf.train.create_global_step(), tf.constant(0.1), "SGD",
        clip_gradients=optimizers.adaptive_clipping_fn(report_summary=True),
    )  # fmt: skip
    return Done(tf.get_collection(tf.GraphKeys.SUMMARIES))


def of_slim(tf):
    loss = _loss(tf)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    gradients = optimizer.compute_gradients(loss) + [(None, tf.Variable(1.0, name="alone"))]
    made = tf.contrib.slim.learning.add_gradients_summaries(gradients)
    made += tf.contrib.training.add_gradients_summaries(gradients)
    return Done(made + _run(tf, *made))


@lasting
def file_writer(tf, log, folder):
    said = []
    tf.constant(1.0, name="c")
    with tf.summary.FileWriter(folder.path, tf.get_default_graph(), filename_suffix=".x") as w:
        said.append(w.get_logdir() == folder.path)
        w.add_summary(tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=1.0)]), 3)
        text = tf.Summary(value=[tf.Summary.Value(tag="t", simple_value=2.0)])
        text.value[0].metadata.display_name = "T"
        w.add_summary(text.SerializeToString(), np.int64(4))
        w.add_summary(text)
        w.add_session_log(tf.SessionLog(status=tf.SessionLog.STOP, msg="bye"), 5)
        w.add_run_metadata(tf.RunMetadata(), "run", 6)
        w.add_event(tf.Event(step=9))
        w.add_graph(None, 7, tf.GraphDef())
        w.add_meta_graph(tf.MetaGraphDef())
        try:
            w.add_run_metadata(tf.RunMetadata(), "run")
        except ValueError as error:
            said.append(error)
        w.flush()
    w.reopen()
    w.add_summary(tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=5.0)]), 8)
    w.close()
    return said, []


@lasting
def writer_cache(tf, log, folder):
    tf.constant(1.0, name="c")
    first = tf.summary.FileWriterCache.get(folder.path)
    return [first is tf.summary.FileWriterCache.get(folder.path)], []


@lasting
def no_events(tf, log, folder):
    tf.summary.FileWriter(folder.path).close()
    return [], []


CASES = {
    "summary": collect(functions, descriptions),
    "contrib": collect(
        of_layers, of_optimize_loss, of_optimize_loss_by_default, of_slim
    ),
    "writer": collect(file_writer, writer_cache, no_events),
}  # fmt: skip


def _writer(method, *args, **kwargs):
    @lasting
    def mistake(tf, log, folder):
        with tf.summary.FileWriter(folder.path) as writer:
            getattr(writer, method)(*args, **kwargs)
        return [], []

    return mistake


MISTAKES = {
    "summary": {
        "scalar_bool": lambda tf: tf.summary.scalar("a", True),
        "scalar_string": lambda tf: tf.summary.scalar("a", "x"),
        "scalar_none": lambda tf: tf.summary.scalar("a", None),
        "histogram_complex": lambda tf: tf.summary.histogram("a", 1j),
        "image_outputs": lambda tf: tf.summary.image("a", np.zeros([1, 1, 1, 1]), 0),
        "text_float": lambda tf: tf.summary.text("a", tf.constant(1.0)),
        "merge_nothing": lambda tf: tf.summary.merge([]),
        "merge_floats": lambda tf: tf.summary.merge([1.0]),
        "description": lambda tf: tf.summary.get_summary_description(tf.NodeDef(op="Const")),
    },
    "writer": {
        "graph_nothing": _writer("add_graph", None),
        "graph_type": _writer("add_graph", 1),
        "meta_graph": _writer("add_meta_graph", 1),
    },
}
