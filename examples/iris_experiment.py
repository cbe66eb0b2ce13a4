"""An `Experiment` of tf.contrib.learn: a canned estimator, monitors, evaluations, an export.

python -m tf1compat examples/iris_experiment.py
"""

from __future__ import absolute_import, division, print_function

import os
import tempfile

import tensorflow as tf
from tensorflow.contrib import learn
from tensorflow.contrib.learn.python.learn import learn_runner

tf.logging.set_verbosity(tf.logging.ERROR)

FEATURES = ["sepal_length", "sepal_width", "petal_length", "petal_width"]

steps = int(os.environ.get("STEPS", 400))
iris = learn.datasets.load_dataset("iris")


def input_fn(rows):
    """The flowers of some rows: their features by name, and their species."""
    features = {
        name: tf.constant(iris.data[rows, i : i + 1], tf.float32) for i, name in enumerate(FEATURES)
    }
    return features, tf.constant(iris.target[rows])


def make_experiment(run_config, hparams):
    """A small net, trained on every other flower and evaluated on the rest."""
    columns = [tf.contrib.layers.real_valued_column(name) for name in FEATURES]
    classifier = learn.DNNClassifier(
        feature_columns=columns,
        hidden_units=hparams.hidden_units,
        n_classes=3,
        optimizer=tf.train.AdamOptimizer(hparams.learning_rate),
        config=run_config,
    )
    spec = tf.contrib.layers.create_feature_spec_for_parsing(columns)
    return learn.Experiment(
        classifier,
        train_input_fn=lambda: input_fn(slice(0, None, 2)),
        eval_input_fn=lambda: input_fn(slice(1, None, 2)),
        eval_metrics={
            "error": learn.MetricSpec(tf.metrics.mean_absolute_error, prediction_key="classes")
        },
        train_steps=steps,
        eval_steps=1,
        train_monitors=[Report()],
        export_strategies=learn.make_export_strategy(learn.build_parsing_serving_input_fn(spec)),
    )


class Report(learn.monitors.EveryN):
    """Prints the loss at every 20th step."""

    def __init__(self):
        super(Report, self).__init__(every_n_steps=20)

    def every_n_step_begin(self, step):
        return [tf.get_collection(tf.GraphKeys.LOSSES)[0]]

    def every_n_step_end(self, step, outputs):
        (loss,) = outputs.values()
        print("step %4d  loss %.4f" % (step, loss))


def main():
    """Trains, evaluates and exports; asks what was exported for the species of a flower."""
    config = learn.RunConfig(
        model_dir=tempfile.mkdtemp(), tf_random_seed=7, save_checkpoints_steps=100
    )
    hparams = tf.contrib.training.HParams(hidden_units=[8, 8], learning_rate=0.02)
    results, (folder,) = learn_runner.run(make_experiment, run_config=config, hparams=hparams)
    print("accuracy %.4f  error %.4f" % (results["accuracy"], results["error"]))

    flower = {name: [float(iris.data[-1, i])] for i, name in enumerate(FEATURES)}
    feature = {
        name: tf.train.Feature(float_list=tf.train.FloatList(value=value))
        for name, value in flower.items()
    }
    example = tf.train.Example(features=tf.train.Features(feature=feature))
    predict = tf.contrib.predictor.from_saved_model(tf.compat.as_str(folder))
    found = predict({"inputs": [example.SerializeToString()]})
    print("the last flower:", " ".join("%.3f" % score for score in found["scores"][0]))


main()
