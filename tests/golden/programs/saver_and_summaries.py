"""The nodes that tf.train.Saver and tf.summary add, and the serialised scalar summary."""

import numpy as np


def build(tf):
    tf.set_random_seed(79)
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.get_variable("w", [2, 3], initializer=tf.glorot_uniform_initializer())
    b = tf.get_variable("b", [3], initializer=tf.zeros_initializer(), use_resource=True)
    logits = tf.nn.softmax(tf.matmul(x, w) + b, name="probabilities")
    loss = -tf.reduce_mean(tf.log(logits[:, 0]))
    with tf.name_scope("summaries"):
        loss_summary = tf.summary.scalar("loss", loss)
        tf.summary.histogram("weights", w)
        tf.summary.scalar("largest", tf.reduce_max(w), collections=["other"])
    merged = tf.summary.merge_all()
    train = tf.train.AdamOptimizer(0.1).minimize(loss)
    saver = tf.train.Saver(max_to_keep=2)
    tf.train.Saver({"weights": w}, name="partial")
    tf.train.Saver(tf.trainable_variables(), sharded=True)

    def feeds(step):
        return {x: np.random.RandomState(step).randn(4, 2)}

    assert saver.saver_def.restore_op_name == "save/restore_all"
    assert merged is not None
    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"summary": tf.strings.length(loss_summary), "w": w},
    }
