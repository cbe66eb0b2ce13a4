import tensorflow as tf

i = tf.Variable(3, name="i")
f = tf.Variable(3.0, name="f")
y = tf.cast(i, tf.float32) * f
print(i, f)
print(tf.gradients(y, [i, f]))
print(tf.gradients(i * 2, i))
opt = tf.train.GradientDescentOptimizer(0.1)
print(opt.compute_gradients(y, [f]))
try:
    opt.compute_gradients(y, [i])
except ValueError as e:
    print("ValueError:", e)
try:
    opt.minimize(i * i)
except ValueError as e:
    print("ValueError:", e)
