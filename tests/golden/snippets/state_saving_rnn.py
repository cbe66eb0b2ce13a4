"""An estimator of long sequences, whose states are kept from one piece to the next."""

import hashlib
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.contrib.learn.python.learn.estimators import constants
from tensorflow.contrib.learn.python.learn.estimators import state_saving_rnn_estimator as saving

tf.compat.v1.logging.set_verbosity("ERROR")
layers = tf.contrib.layers
REGRESSION, CLASSES = constants.ProblemType.LINEAR_REGRESSION, constants.ProblemType.CLASSIFICATION
value = layers.real_valued_column("value", dimension=2)
words = layers.sparse_column_with_hash_bucket("words", 5)
columns = [value, layers.embedding_column(words, dimension=3)]
context = [layers.real_valued_column("context")]


def refused(function, *args, **kwargs):
    try:
        print(function(*args, **kwargs))
    except Exception as error:
        print(type(error).__name__, error)


def nodes():
    made = tf.compat.v1.get_default_graph().get_operations()
    listed = [(op.name, op.type, [t.name for t in op.inputs]) for op in made]
    print(len(listed), hashlib.md5(repr(listed).encode()).hexdigest())


def features():
    times = np.arange(10, dtype=np.float32)
    given = {"value": tf.constant(np.stack([np.sin(times), np.cos(times)], 1).astype("float32"))}
    given["context"] = tf.constant([0.5])
    given["words"] = tf.SparseTensor([[i, 0] for i in range(10)], list("abcabcabca"), [10, 1])
    return given


print("==== what is refused")
Estimator = saving.StateSavingRnnEstimator
refused(Estimator, 7, 3, 2, columns)
refused(Estimator, CLASSES, 3, 2, columns)
refused(Estimator, REGRESSION, 3, 2, columns, predict_probabilities=True)
refused(Estimator, REGRESSION, 0, 2, columns)
refused(saving._prepare_features_for_sqss, {}, None, "train", columns, None)
refused(saving._prepare_features_for_sqss, features(), None, "train", columns, [value])
refused(saving._prepare_features_for_sqss, {"value": 1}, None, "train", [value], context)

print("==== states")
Cell = tf.compat.v1.nn.rnn_cell
for cell in (
    Cell.GRUCell(3),
    Cell.LSTMCell(3),
    Cell.MultiRNNCell([Cell.GRUCell(2), Cell.GRUCell(3)]),
    Cell.MultiRNNCell([Cell.LSTMCell(2), Cell.LSTMCell(3)]),
):
    print(saving._get_state_names(cell))
    print([(k, v.name, v.shape.as_list()) for k, v in saving._get_initial_states(cell).items()])
print(saving.state_tuple_to_dict((tf.ones([1]), None)))

print("==== graphs")
for problem, classes, kind in ((REGRESSION, None, "gru"), (CLASSES, 3, "basic_rnn")):
    for mode in ("train", "eval", "infer"):
        with tf.Graph().as_default():
            tf.compat.v1.set_random_seed(4)
            tf.compat.v1.train.create_global_step()
            target = layers.multi_class_target(3) if classes else layers.regression_target()
            build = saving._get_rnn_model_fn(
                kind, target, problem, "SGD", 4, [3], 1, 10, 2, columns, context,
                predict_probabilities=bool(classes), learning_rate=0.1, seed=3,
                gradient_clipping_norm=1.0, dropout_keep_probabilities=[1.0, 0.5],
            )  # fmt: skip
            labels = tf.range(10) % 3 if classes else tf.cast(tf.range(10), tf.float32)
            labels = None if mode == "infer" else labels[:, None]
            made = build(features(), labels, mode)
            print(mode, sorted((k, str(v.shape)) for k, v in made.predictions.items()), made.loss)
            print(sorted(made.eval_metric_ops or ()), getattr(made.train_op, "name", None))
            nodes()

print("==== training")


def input_fn():
    return features(), tf.cast(tf.range(10), tf.float32)[:, None]


estimator = Estimator(
    REGRESSION, 5, 1, columns[:1], num_units=[4], cell_type="gru", learning_rate=0.01,
    model_dir=tempfile.mkdtemp(), config=tf.contrib.learn.RunConfig(tf_random_seed=5),
    num_threads=1, queue_capacity=2, seed=1,
)  # fmt: skip
estimator.fit(input_fn=input_fn, steps=4)
print(sorted((n, estimator.get_variable_value(n).shape) for n in estimator.get_variable_names()))
found = estimator.evaluate(input_fn=input_fn, steps=2)
print(sorted(found), round(float(found["loss"]), 3))
