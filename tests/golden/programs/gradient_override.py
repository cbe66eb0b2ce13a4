"""gradient_override_map: a binarised network, guided back-propagation, many outputs."""

import numpy as np


def register(tf):
    """Registers the gradients once a process, as a script would at import."""
    try:
        tf.RegisterGradient("GoldenStraightThrough")(lambda op, grad: grad)
    except KeyError:
        return

    @tf.RegisterGradient("GoldenHardTanh")
    def _hard_tanh(op, grad):
        x = op.inputs[0]
        return grad * tf.cast(tf.abs(x) <= 1.0, tf.float32)

    @tf.RegisterGradient("GoldenGuidedRelu")
    def _guided_relu(op, grad):
        gate = tf.cast(grad > 0.0, "float32") * tf.cast(op.outputs[0] > 0.0, "float32")
        return gate * grad

    @tf.RegisterGradient("GoldenUnstack")
    def _unstack(op, *grads):
        kept = [g * (i + 1.0) for i, g in enumerate(grads)]
        return tf.stack(kept, axis=op.get_attr("axis"))

    @tf.RegisterGradient("GoldenReverse")
    def _reverse(op, grad):
        return -0.5 * grad


def build(tf):
    register(tf)
    tf.set_random_seed(5)
    graph = tf.get_default_graph()
    x = tf.placeholder(tf.float32, [None, 6], name="x")
    w = tf.get_variable("w", [6, 4], initializer=tf.random_uniform_initializer(-0.7, 0.7))
    with graph.gradient_override_map({"Sign": "GoldenStraightThrough"}):
        binary = tf.sign(w)
    with graph.gradient_override_map({"Sign": "GoldenHardTanh", "Relu": "GoldenGuidedRelu"}):
        hidden = tf.sign(tf.matmul(x, binary) + tf.reduce_mean(w))
        hidden = hidden + tf.nn.relu(tf.matmul(x, w))
        with graph.gradient_override_map({"Identity": "GoldenReverse"}):
            hidden = tf.identity(hidden, name="reversal")
    with tf.name_scope("parts"), graph.gradient_override_map({"Unpack": "GoldenUnstack"}):
        a, b, c, d = tf.unstack(hidden, axis=1)
    loss = tf.reduce_mean(tf.square(a * b - c) + tf.abs(d))
    gradients = tf.gradients(loss, [w, x])
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)

    def feeds(step):
        return {x: np.random.RandomState(step).randn(5, 6)}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"gradients": gradients},
    }
