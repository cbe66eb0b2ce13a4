"""Clusters of flowers by `KMeansClustering` of tf.contrib.factorization, which knows no species.

python -m tf1compat examples/iris_clusters.py
"""

from __future__ import absolute_import, division, print_function

import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.contrib import learn
from tensorflow.contrib.factorization import KMeansClustering

tf.logging.set_verbosity(tf.logging.ERROR)
rounds = int(os.environ.get("ROUNDS", 10))

iris = learn.datasets.load_dataset("iris")
points = iris.data.astype(np.float32)


def input_fn():
    """All flowers, once."""
    return tf.train.limit_epochs(tf.convert_to_tensor(points), num_epochs=1)


def main():
    """Moves three centers until they rest, and compares their clusters with the species."""
    kmeans = KMeansClustering(
        num_clusters=3,
        model_dir=tempfile.mkdtemp(),
        initial_clusters=points[::60],
        use_mini_batch=False,
    )
    before = None
    for i in range(rounds):
        kmeans.train(input_fn)
        centers = kmeans.cluster_centers()
        moved = np.inf if before is None else np.abs(centers - before).max()
        print("iteration %2d  score %.3f  moved %.4f" % (i, kmeans.score(input_fn), moved))
        if moved < 1e-3:
            break
        before = centers
    print("centers")
    for center in centers:
        print("  ", " ".join("%.3f" % x for x in center))
    clusters = np.array(list(kmeans.predict_cluster_index(input_fn)))
    for species in range(3):
        counts = np.bincount(clusters[iris.target == species], minlength=3)
        print("species", species, "in the clusters:", " ".join(map(str, counts)))


main()
