"""TF 2's canned estimators: baselines, wide and deep, recurrent; graphs, and what they learn."""

import hashlib
import itertools
import tempfile

import numpy as np
import tensorflow as tf

tf.compat.v1.logging.set_verbosity("ERROR")
v2 = tf.compat.v2.estimator
fc = tf.feature_column
WORDS = ["red", "green", "blue"]


def refused(function, *args, **kwargs):
    try:
        print("made", type(function(*args, **kwargs)).__name__)
    except Exception as error:
        print(type(error).__name__, error)


def features():
    r = np.random.RandomState(0)
    return {
        "x": r.randn(12, 2).astype("f"),
        "w": (r.rand(12, 1) + 0.5).astype("f"),
        "word": np.array([WORDS[i] for i in r.randint(0, 3, 12)]),
    }


def classes(n):
    return np.random.RandomState(1).randint(0, n, 12)


def steps():
    """Sequences of one to three steps, as sparse features."""
    r = np.random.RandomState(2)
    lengths = r.randint(1, 4, 6)
    where = [[i, j] for i, length in enumerate(lengths) for j in range(length)]
    values = tf.SparseTensor(where, r.randn(len(where)).astype("f"), [6, 3])
    words = tf.SparseTensor(where, [WORDS[i] for i in r.randint(0, 3, len(where))], [6, 3])
    return {"s": values, "word": words, "x": r.randn(6, 2).astype("f")}


def digest(graph):
    lines = []
    for op in graph.get_operations():
        inputs = [t.name for t in op.inputs] + sorted("^" + c.name for c in op.control_inputs)
        lines.append("{} {} {}".format(op.name, op.type, inputs))
    return "{} nodes, {}".format(len(lines), hashlib.md5("\n".join(lines).encode()).hexdigest())


class Graphs(tf.estimator.SessionRunHook):
    def begin(self):
        print("   graph:", digest(tf.compat.v1.get_default_graph()))


def tried(name, make, data, labels, show="logits"):
    """Trains, evaluates and asks an estimator."""
    print("====", name)

    def input_fn(mode=None):
        with_labels = labels() if callable(labels) else labels
        dataset = tf.data.Dataset.from_tensors((data(), with_labels)).repeat(4)
        return dataset

    config = tf.estimator.RunConfig(model_dir=tempfile.mkdtemp(), tf_random_seed=3)
    estimator = make(config)
    estimator.train(input_fn, steps=3, hooks=[Graphs()])
    for variable in estimator.get_variable_names():
        value = np.asarray(estimator.get_variable_value(variable), dtype=np.float64)
        print("  ", variable, value.shape, "%.4f" % np.abs(value).sum())
    metrics = estimator.evaluate(input_fn, steps=1, hooks=[Graphs()])
    print("  ", {key: round(float(value), 4) for key, value in sorted(metrics.items())})
    # A baseline of batches of known size asks its input for nothing, and so never ends.
    for answer in itertools.islice(estimator.predict(input_fn, hooks=[Graphs()]), 2):
        print("  ", sorted(answer), np.round(answer.get(show, 0.0), 3).tolist())


def columns():
    x = fc.numeric_column("x", 2)
    word = fc.categorical_column_with_vocabulary_list("word", WORDS)
    return [word], [x, fc.indicator_column(word)]


def wide_and_deep(kind, **kwargs):
    wide, deep = columns()
    return getattr(v2, "DNNLinearCombined" + kind)(
        linear_feature_columns=wide, dnn_feature_columns=deep, dnn_hidden_units=[3, 2], **kwargs
    )


tried("baseline", lambda c: v2.BaselineClassifier(config=c), features, classes(2))
tried(
    "weighted baseline of names",
    lambda c: v2.BaselineClassifier(
        n_classes=3, weight_column="w", label_vocabulary=WORDS, optimizer="Adam", config=c
    ),
    features,
    np.array(WORDS)[classes(3)],
)
tried(
    "baseline of numbers",
    lambda c: v2.BaselineRegressor(
        optimizer=lambda: tf.keras.optimizers.SGD(0.1), loss_reduction="sum", config=c
    ),
    features,
    np.arange(12.0, dtype="f")[:, None],
    "predictions",
)
tried(
    "baseline of sets",
    lambda c: v2.BaselineEstimator(v2.MultiLabelHead(3), config=c),
    features,
    np.eye(3, dtype="i")[classes(3)],
)
tried("wide and deep", lambda c: wide_and_deep("Classifier", config=c), features, classes(2))
tried(
    "wide and deep, normalized",
    lambda c: wide_and_deep(
        "Regressor", batch_norm=True, dnn_optimizer="SGD", linear_optimizer="Adam", config=c
    ),
    features,
    np.arange(12.0, dtype="f")[:, None],
    "predictions",
)
tried(
    "deep alone under a head",
    lambda c: v2.DNNLinearCombinedEstimator(
        v2.PoissonRegressionHead(),
        dnn_feature_columns=columns()[1],
        dnn_hidden_units=[3],
        config=c,
    ),
    features,
    np.arange(12.0, dtype="f")[:, None],
    "predictions",
)
tried(
    "wide alone",
    lambda c: v2.DNNLinearCombinedClassifier(
        linear_feature_columns=columns()[0], n_classes=3, loss_reduction="sum", config=c
    ),
    features,
    classes(3),
)


def sequences():
    word = fc.sequence_categorical_column_with_vocabulary_list("word", WORDS)
    return [fc.sequence_numeric_column("s"), fc.indicator_column(word)]


rnn = v2.experimental
tried(
    "recurrent",
    lambda c: rnn.RNNClassifier(sequences(), units=[3, 2], config=c),
    steps,
    classes(2)[:6],
)
tried(
    "recurrent with context",
    lambda c: rnn.RNNEstimator(
        v2.RegressionHead(),
        sequences(),
        [fc.numeric_column("x", 2)],
        rnn_cell_fn=lambda: tf.keras.layers.GRUCell(3),
        optimizer=tf.keras.optimizers.SGD(0.1),
        config=c,
    ),
    steps,
    np.arange(6.0, dtype="f")[:, None],
    "predictions",
)


def of_steps():
    where = steps()["s"].indices
    return tf.SparseTensor(where, tf.cast(tf.reduce_sum(where, axis=1) % 2, tf.int64), [6, 3])


tried(
    "each step",
    lambda c: rnn.RNNClassifier(
        sequences(), units=[3], cell_type="gru", return_sequences=True, config=c
    ),
    steps,
    of_steps,
)

print("==== what is refused")
refused(v2.BaselineClassifier, n_classes=1)
refused(v2.DNNLinearCombinedClassifier)
refused(rnn.RNNClassifier, sequences(), units=[3], rnn_cell_fn=lambda: None)
refused(rnn.RNNEstimator, v2.BinaryClassHead(), sequences(), units=[3], return_sequences=True)
from tensorflow_estimator.python.estimator.canned import rnn as rnn_lib  # noqa: E402
from tensorflow_estimator.python.estimator.head import sequential_head  # noqa: E402

refused(rnn_lib._make_rnn_cell_fn([3], "mine"))
refused(rnn_lib._make_rnn_cell_fn([3], lambda units: units))
refused(rnn_lib.RNNModel, tf.keras.layers.SimpleRNN(2), 1.5, sequences())
wrapper = sequential_head.SequentialHeadWrapper
refused(wrapper, v2.BinaryClassHead(), 3)
refused(wrapper, v2.BinaryClassHead(), "mask", 3)
refused(wrapper, v2.BinaryClassHead(), "mask", [3])
refused(wrapper, v2.MultiHead([v2.BinaryClassHead(name="a")]))
head = wrapper(v2.BinaryClassHead(name="mine"), "mask", "w")
print(head.name, head.logits_dimension, head.loss_reduction, head.input_sequence_mask_key)
mask = tf.constant([[True, False], [True, True]])
logits = tf.constant([[[1.0], [2.0]], [[3.0], [4.0]]])
refused(head._flatten, logits, logits, {})
refused(head._flatten, logits, logits, {"mask": mask[0]})
refused(head._flatten, logits, logits, {"mask": mask})
refused(head._flatten, tf.constant([1.0]), logits, {"mask": mask, "w": logits})
flat = head._flatten(logits, logits, {"mask": mask, "w": logits[:, :, 0]})
with tf.compat.v1.Session() as session:
    print([value.tolist() for value in session.run(flat)[:2]], session.run(flat)[2])

print("==== a model of its settings")
model = rnn_lib.RNNModel(tf.keras.layers.SimpleRNN(2), 1, sequences(), activation="relu", name="m")
config = model.get_config()
print(sorted(config), config["rnn_layer"]["class_name"], config["units"], config["activation"])
again = rnn_lib.RNNModel.from_config(config)
print(again.name, again.get_config() == model.get_config())

print("==== parsing")
x = fc.numeric_column("x", 2)
print(sorted(v2.classifier_parse_example_spec([x], "y", weight_column="w").items()))
print(sorted(v2.regressor_parse_example_spec([x], "y", label_dimension=2).items()))
refused(v2.classifier_parse_example_spec, [x], "x")
from tensorflow.python.feature_column import feature_column as old  # noqa: E402

refused(v2.regressor_parse_example_spec, [old._numeric_column("x")], "y")
