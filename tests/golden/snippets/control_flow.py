import tensorflow as tf

i = tf.constant(0)
loop = tf.while_loop(lambda i: tf.less(i, 10), lambda i: tf.add(i, 1), [i])
print(loop)
x = tf.placeholder(tf.float32, [])
y = tf.cond(x > 0, lambda: x * 2, lambda: x - 1)
print(y, tf.gradients(y, x))
total = tf.while_loop(lambda k, s: k < 4, lambda k, s: (k + 1, s * x), (0, tf.constant(1.0)))
print(total)
dx = tf.gradients(total[1], x)[0]
mapped = tf.map_fn(lambda e: e * e, tf.constant([1.0, 2.0, 3.0]))
scanned = tf.scan(lambda a, e: a + e, tf.range(5))
print(mapped, scanned)
with tf.Session() as sess:
    print(sess.run(loop), sess.run(mapped), sess.run(scanned))
    print(sess.run([y, tf.gradients(y, x)[0]], {x: 3.0}), sess.run(y, {x: -3.0}))
    print(sess.run([total, dx], {x: 2.0}))
try:
    if x > 0:
        print("never")
except TypeError as e:
    print(e)
try:
    for _ in x:
        pass
except TypeError as e:
    print(e)
