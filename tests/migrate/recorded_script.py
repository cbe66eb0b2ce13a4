"""What is recorded under TensorFlow 1.15.5.

The recording is made by

    python tf1compat/migrate/recorder.py -o tests/migrate/recorded_script.tfrec \
        tests/migrate/recorded_script.py
"""

import numpy as np
import tensorflow as tf

tf.set_random_seed(4)
x = tf.placeholder(tf.float32, [None, 6], name="x")
y = tf.placeholder(tf.int32, [None], name="y")
hidden = tf.nn.dropout(tf.layers.dense(x, 8, tf.nn.relu, name="hidden"), 0.8)
logits = tf.layers.dense(hidden, 3, name="logits")
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.MomentumOptimizer(0.1, momentum=0.9).minimize(loss)
hits = tf.equal(tf.argmax(logits, 1, output_type=tf.int32), y)
accuracy = tf.reduce_mean(tf.cast(hits, tf.float32), name="accuracy")

random = np.random.RandomState(0)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(5):
        batch = {x: random.rand(8, 6), y: random.randint(0, 3, 8)}
        session.run([train, loss], batch)
        session.run(accuracy, batch)
