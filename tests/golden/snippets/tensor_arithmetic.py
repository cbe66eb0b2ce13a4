import numpy as np
import tensorflow as tf

a = tf.constant([7, -7])
b = tf.constant([2, 2])
f = tf.constant([7.0, -7.0])
for name, t in (
    ("/", a / b),
    ("//", a // b),
    ("%", a % b),
    ("**", a**b),
    ("-", -a),
    ("abs", abs(a)),
    ("<", a < b),
    ("==", a == b),
    ("f//", f // 2),
    ("f%", f % 4),
    ("r-", 1 - a),
    ("r/", 1 / f),
    ("np", np.float32(2) * f),
    ("@", tf.constant([[1.0, 2.0]]) @ tf.constant([[3.0], [4.0]])),
    ("not", ~tf.constant([True, False])),
    ("and", tf.constant([True, False]) & True),
    ("[]", tf.constant([[1, 2, 3], [4, 5, 6]])[:, ::-1]),
    ("[-1]", tf.constant([1, 2, 3])[-1]),
    ("newaxis", tf.constant([1, 2])[tf.newaxis, ..., None]),
):
    with tf.Session() as sess:
        value = t if isinstance(t, bool) else sess.run(t).tolist()
    print(name, t, value)
print(a == a, a != b, a in {a: 1}, len({a, b}))
for wrong in (lambda: a + f, lambda: f + "x", lambda: a[1.5], lambda: len(a), lambda: np.array(a)):
    try:
        print(wrong())
    except Exception as e:
        print(type(e).__name__ + ":", str(e).split("\n")[0])
