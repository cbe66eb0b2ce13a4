import tensorflow as tf

tf.enable_eager_execution()


@tf.function
def example(kind):
    a = tf.ones([1, 2])
    b = tf.ones([3, 1])
    return tf.gradients([b], [a], unconnected_gradients=kind)


print(example("none"))
print([g.numpy() for g in example("zero")])
try:
    tf.gradients(tf.constant(1.0), tf.constant(1.0))
except RuntimeError as e:
    print(e)
