"""A random forest that learns handwritten digits from batches, as the tutorials of 2017 did it.

python -m tf1compat examples/random_forest.py
"""

from __future__ import absolute_import, division, print_function

import os

import numpy as np
import tensorflow as tf
from tensorflow.contrib.tensor_forest.python import tensor_forest
from tensorflow.python.ops import resources

tf.logging.set_verbosity(tf.logging.ERROR)

num_steps = int(os.environ.get("STEPS", 60))
batch_size = 256

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
with np.load(os.path.join(folder, "digits.npz")) as data:
    x_train, x_test = [
        data[key].reshape(-1, 64).astype(np.float32) for key in ("x_train", "x_test")
    ]
    y_train, y_test = [data[key].astype(np.int64) for key in ("y_train", "y_test")]

X = tf.placeholder(tf.float32, shape=[None, 64])
Y = tf.placeholder(tf.int64, shape=[None])

# Leaves are split when they have seen 60 images, by the best of ten pixels.
hparams = tensor_forest.ForestHParams(
    num_classes=10, num_features=64, num_trees=10, max_nodes=1000, split_after_samples=60,
    base_random_seed=1,
).fill()  # fmt: skip
forest = tensor_forest.RandomForestGraphs(hparams)
train_op = forest.training_graph(X, Y)
loss_op = forest.training_loss(X, Y)
infer_op, _, _ = forest.inference_graph(X)
correct = tf.equal(tf.argmax(infer_op, 1), tf.cast(Y, tf.int64))
accuracy_op = tf.reduce_mean(tf.cast(correct, tf.float32))
importance_op = forest.feature_importances()

init = tf.group(
    tf.global_variables_initializer(),
    resources.initialize_resources(resources.shared_resources()),
)
# One thread: on several, TensorFlow takes the images in no fixed order.
one_thread = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
with tf.Session(config=one_thread) as session:
    session.run(init)
    batches = np.random.RandomState(1)
    for step in range(1, num_steps + 1):
        chosen = batches.randint(len(x_train), size=batch_size)
        session.run(train_op, {X: x_train[chosen], Y: y_train[chosen]})
        if step % max(num_steps // 4, 1) == 0:
            nodes = -session.run(loss_op)
            accuracy = session.run(accuracy_op, {X: x_test, Y: y_test})
            print("step %4d  nodes a tree %5.1f  test accuracy %.4f" % (step, nodes, accuracy))
    importance = session.run(importance_op).reshape(8, 8)

print("the pixels that the trees look at:")
for row in importance:
    print(" ".join(" .:+#"[min(int(160 * share), 4)] for share in row).rstrip())
