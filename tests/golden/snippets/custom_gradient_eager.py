import tensorflow as tf

tf.enable_eager_execution()


@tf.custom_gradient
def log1pexp(x):
    e = tf.exp(x)

    def grad(dy):
        return dy * (1 - 1 / (1 + e))

    return tf.log(1 + e), grad


grad_log1pexp = tf.contrib.eager.gradients_function(log1pexp)
print(grad_log1pexp(100.0)[0].numpy())
x = tf.constant(100.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = log1pexp(x)
print(y.numpy(), tape.gradient(y, x).numpy())
