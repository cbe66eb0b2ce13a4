"""Skip-gram with NCE or sampled softmax: candidate samplers and sparse gradients."""

import numpy as np

CASES = {"nce": {"kind": "nce_loss"}, "sampled_softmax": {"kind": "sampled_softmax_loss"}}


def build(tf, kind):
    tf.set_random_seed(101)
    inputs = tf.placeholder(tf.int32, shape=[6])
    labels = tf.placeholder(tf.int32, shape=[6, 1])
    embeddings = tf.Variable(tf.random_uniform([30, 8], -1.0, 1.0))
    embed = tf.nn.embedding_lookup(embeddings, inputs)
    weights = tf.Variable(tf.truncated_normal([30, 8], stddev=1.0 / np.sqrt(8)))
    biases = tf.Variable(tf.zeros([30]))
    losses = getattr(tf.nn, kind)(
        weights=weights, biases=biases, labels=labels, inputs=embed, num_sampled=5, num_classes=30
    )
    loss = tf.reduce_mean(losses)
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keep_dims=True))
    similarity = tf.matmul(embeddings[:3] / norm[:3], embeddings / norm, transpose_b=True)

    def feeds(step):
        rng = np.random.RandomState(step)
        return {inputs: rng.randint(30, size=6), labels: rng.randint(30, size=(6, 1))}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"similarity": similarity},
        "random": True,
    }
