"""Gradient boosted trees on a table of houses: what they predict, and why.

The table is made up. Numbers are put into buckets by their quantiles, categories one by one.

python -m tf1compat examples/boosted_trees.py
"""

from __future__ import absolute_import, division, print_function

import os
import shutil
import tempfile

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)

QUARTERS = ["harbour", "hills", "old town", "station"]
trees = int(os.environ.get("TREES", 40))
rounds = int(os.environ.get("ROUNDS", 3))
folder = tempfile.mkdtemp()


def table(rows, seed):
    """Features of houses, and whether each was sold within a month."""
    rng = np.random.RandomState(seed)
    area, age = rng.uniform(40, 200, rows), rng.uniform(0, 90, rows)
    quarter = rng.randint(len(QUARTERS), size=rows)
    wanted = 2.0 * (quarter == 1) - 1.5 * (quarter == 3) + (area > 90) - (age > 30) * (age < 60)
    sold = wanted + 0.7 * rng.randn(rows) > 0.5
    names = np.array(QUARTERS, dtype=object)[quarter]
    features = {"area": area.astype("f"), "age": age.astype("f"), "quarter": names}
    return features, sold.astype("i")


def input_fn(data, batch_size=None, repeat=False):
    """A function that reads a table in batches, all at once by default."""

    def read():
        dataset = tf.data.Dataset.from_tensor_slices(data)
        dataset = dataset.repeat() if repeat else dataset
        return dataset.batch(batch_size or len(data[1]))

    return read


train, test = table(400, 0), table(200, 1)
fc = tf.feature_column
quarter = fc.categorical_column_with_vocabulary_list("quarter", QUARTERS)
columns = [
    fc.numeric_column("area"),
    fc.bucketized_column(fc.numeric_column("age"), [15, 30, 45, 60, 75]),
    fc.indicator_column(quarter),
]
model = tf.estimator.BoostedTreesClassifier(
    columns, n_batches_per_layer=1, n_trees=trees, max_depth=3, learning_rate=0.3,
    center_bias=True, quantile_sketch_epsilon=0.002,
    config=tf.estimator.RunConfig(os.path.join(folder, "model"), tf_random_seed=1),
)  # fmt: skip
for _ in range(rounds):
    model.train(input_fn(train, repeat=True), steps=trees)
    found = model.evaluate(input_fn(test))
    print("step %4d  loss %.4f" % (found["global_step"], found["average_loss"]), end="  ")
    print("accuracy %.3f  auc %.4f" % (found["accuracy"], found["auc"]))

for name, gain in model.experimental_feature_importances(normalize=True).items():
    print("%-20s %.3f of the gain" % (name, gain))
few = {key: value[:3] for key, value in test[0].items()}, test[1][:3]
for explained in model.experimental_predict_with_explanations(input_fn(few)):
    print("probability %.3f = %.2f" % (explained["probabilities"][1], explained["bias"]), end="")
    print("".join(" %+.3f %s" % (move, name) for name, move in explained["dfc"].items()))
shutil.rmtree(folder)
