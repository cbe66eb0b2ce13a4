"""How many eager tensors calls make: `print` shows their numbers."""

import tensorflow as tf

tf.compat.v1.enable_v2_behavior()

x = tf.constant([1.0, 2.0])
i = tf.constant([1, 2])
v = tf.Variable(1.0)
dense = tf.keras.layers.Dense(2)
dense(tf.ones([1, 2]))


def gradient():
    with tf.GradientTape() as tape:
        y = v * v
    return tape.gradient(y, v)


for name, call in [
    ("constant", lambda: tf.constant(1.0)),
    ("x + 1.0", lambda: x + 1.0),
    ("x // 2", lambda: x // 2),
    ("-x", lambda: -x),
    ("abs(x)", lambda: abs(x)),
    ("x > 1.0", lambda: x > 1.0),
    ("i == 1", lambda: i == 1),
    ("x**2", lambda: x**2),
    ("x[0]", lambda: x[0]),
    ("x[::-1]", lambda: x[::-1]),
    ("list", lambda: list(x)),
    ("zeros", lambda: tf.zeros([2])),
    ("zeros of no dimensions", lambda: tf.zeros(())),
    ("ones", lambda: tf.ones((2, 3))),
    ("ones_like", lambda: tf.ones_like(x)),
    ("fill", lambda: tf.fill([2], 1.0)),
    ("eye", lambda: tf.eye(2)),
    ("linspace", lambda: tf.linspace(0.0, 1.0, 3)),
    ("range", lambda: tf.range(3)),
    ("matmul", lambda: tf.matmul([x], [x], transpose_b=True)),
    ("reduce_sum", lambda: tf.reduce_sum(x)),
    ("reduce_mean", lambda: tf.reduce_mean(x, axis=0)),
    ("clip_by_value", lambda: tf.clip_by_value(x, 0.0, 1.0)),
    ("one_hot", lambda: tf.one_hot(i, 3)),
    ("stack", lambda: tf.stack([x, 1.0 + x])),
    ("concat", lambda: tf.concat([x, x], 0)),
    ("reshape", lambda: tf.reshape(x, (-1,))),
    ("transpose", lambda: tf.transpose(tf.ones([2, 2]))),
    ("pad", lambda: tf.pad(x, [[1, 1]])),
    ("cast", lambda: tf.cast(x, tf.int32)),
    ("where", lambda: tf.compat.v2.where(x > 1, x, x)),
    ("normal", lambda: tf.random.normal([2])),
    ("join", lambda: tf.strings.join(["a", "b"])),
    ("Variable", lambda: tf.Variable(1.0)),
    ("assign_add", lambda: v.assign_add(1.0)),
    ("Dense", lambda: dense(tf.ones([1, 2]))),
    ("mse", lambda: tf.keras.losses.mse(x, x)),
    ("gradient", gradient),
]:
    counts = []
    for _ in range(2):
        before = tf.constant(0.0)._id
        call()
        counts.append(tf.constant(0.0)._id - before - 1)
    print(name, counts)
