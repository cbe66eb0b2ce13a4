"""tf.py_func whose gradient is another py_func, by gradient_override_map on PyFunc."""

import numpy as np


def build(tf):
    tf.set_random_seed(59)

    def cube_gradient(op, grad):
        def scaled(a, g):
            return (3 * a**2 * g).astype(np.float32)

        result = tf.py_func(scaled, [op.inputs[0], grad], tf.float32)
        result.set_shape(op.inputs[0].shape)
        return result

    try:
        tf.RegisterGradient("GoldenCube")(cube_gradient)
    except KeyError:
        pass  # this process has built the program before

    def cube(a, name=None):
        with tf.name_scope(name, "Cube", [a]) as scope:
            graph = tf.get_default_graph()
            with graph.gradient_override_map({"PyFunc": "GoldenCube"}):
                return tf.py_func(lambda v: v**3, [a], [tf.float32], stateful=True, name=scope)[0]

    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.Variable(tf.random_uniform([2, 2], -1.0, 1.0), name="w")
    cubed = cube(w)
    cubed.set_shape([2, 2])
    stateless = tf.py_func(np.sort, [x], tf.float32, stateful=False)
    size, text = tf.py_func(
        lambda a: (np.int64(a.size), b"n=%d" % a.size), [x], [tf.int64, tf.string], name="both"
    )
    loss = tf.reduce_sum(tf.square(tf.matmul(x, cubed) - 0.1))
    gradient = tf.gradients(loss, w)[0]
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)

    def feeds(step):
        return {x: np.random.RandomState(step).randn(3, 2)}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"gradient": gradient, "sorted": stateless, "size": size, "text": text},
    }
