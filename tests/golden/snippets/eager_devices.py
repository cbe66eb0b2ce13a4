"""Devices that are not there, in eager execution."""

import tensorflow as tf

tf.enable_eager_execution()
a = tf.constant([1.0, 2.0])
i = tf.constant([1, 2])
v = tf.Variable(1.0)
CASES = [
    ("float", lambda: tf.constant(1.0)),
    ("int", lambda: tf.constant(1)),
    ("int64", lambda: tf.constant(1, tf.int64)),
    ("zeros", lambda: tf.zeros([2], tf.int32)),
    ("add", lambda: a + a),
    ("add a number", lambda: a + 1.0),
    ("add ints", lambda: i + 1),
    ("sum", lambda: tf.reduce_sum(a)),
    ("read", lambda: v.read_value()),
    ("call", lambda: tf.function(lambda z: z * z)(a)),
]
for device in ("/gpu:0", "/cpu:7", "/device:TPU:0", "/job:worker/task:3", "/job:localhost/task:1"):
    for name, function in CASES:
        try:
            with tf.device(device):
                found = function().numpy()
        except Exception as error:
            found = "{}: {}".format(type(error).__name__, str(error).split(" All")[0])
        print(device, name, found)
try:
    with tf.device(3):
        pass
except ValueError as error:
    print(error)
