"""What nobody reads and keeps no state is not computed, so that nothing is said of its inputs."""

import numpy as np
import tensorflow as tf
from tensorflow.core.protobuf import rewriter_config_pb2


def twice(c, *after):
    with tf.control_dependencies(after):
        return (tf.identity(c) + 1.0) * 2


def gather(x, c):
    return tf.gather(c * [1.0, 2.0], tf.cast(c, tf.int32))


def loop(x, c):
    return tf.while_loop(lambda i: i < 9.0, lambda i: twice(i, tf.matmul(x * i, x)), [c])


def branch(x, c):
    return tf.cond(c > 0, lambda: twice(c, tf.matmul(x, x)), lambda: c)


def function(x, c):
    return tf.function(lambda x, c: twice(c, tf.matmul(x, x)))(x, c)


def elements(x, c):
    numbers = tf.data.Dataset.range(3).map(
        lambda i: twice(tf.cast(i, tf.float32), tf.gather([1.0] * 2, i + 5))
    )
    return tf.data.make_one_shot_iterator(numbers).get_next()


def variable(x, c):
    return tf.sqrt(tf.Variable(c, validate_shape=False, use_resource=False))


cases = [
    ("product", lambda x, c: tf.matmul(x, x)),
    ("root of a product", lambda x, c: tf.sqrt(tf.matmul(x, x))),
    ("identity of a product", lambda x, c: tf.identity(tf.matmul(x, x))),
    ("gather", gather),
    ("sum", lambda x, c: -(x + tf.zeros([7, 7]))),
    ("reshape", lambda x, c: tf.reshape(x, [7])),
    ("split", lambda x, c: tf.split(x, 5)[0]),
    ("file", lambda x, c: tf.io.read_file(tf.as_string(c))),
    ("function of Python", lambda x, c: tf.py_func(lambda v: 1 / 0, [c], tf.float32, False)),
    ("shape of a draw", lambda x, c: tf.random.uniform(tf.shape(tf.matmul(x, x)))),
    ("default", lambda x, c: tf.placeholder_with_default(tf.matmul(x, x), [None, None])),
    ("printed", lambda x, c: tf.Print(tf.matmul(x, x), [c])),
    ("numbers", lambda x, c: tf.check_numerics(tf.log(-c), "log")),
    ("assertion", lambda x, c: tf.Assert(c < 0, ["negative"])),
    ("branch", lambda x, c: tf.cond(c > 0, lambda: tf.matmul(x, x), lambda: x)),
    ("variable", variable),
    ("unfed", lambda x, c: tf.sqrt(tf.placeholder(tf.float32, [], name="unfed"))),
    ("in a loop", loop),
    ("in a branch", branch),
    ("in a function", function),
    ("in a dataset", elements),
    ("not taken", lambda x, c: tf.sqrt(tf.raw_ops.Switch(data=c, pred=c < 0)[1])),
]


def show(name, session, fetch, feed):
    try:
        found = session.run(fetch, feed)
        print(name, float(np.ravel(found)[0]))
    except tf.errors.OpError as error:
        print(name, type(error).__name__, error.message.split("\n")[0])


for name, make in cases:
    with tf.Graph().as_default(), tf.Session() as session:
        x, c = tf.placeholder(tf.float32, [None, None]), tf.placeholder(tf.float32, [])
        feed = {x: np.ones((2, 3)), c: 7.0}
        unread = make(x, c)
        result = twice(c, unread)
        show(name, session, unread if name.startswith("in a") else result, feed)
        if name in ("product", "gather", "root of a product"):
            show(name, session, [result, unread.name], feed)

# Where a session asks that graphs stay as they are, everything is computed.
for options in ({"disable_meta_optimizer": True}, {"dependency_optimization": 2}):
    rewrites = rewriter_config_pb2.RewriterConfig(**options)
    config = tf.ConfigProto(graph_options=tf.GraphOptions(rewrite_options=rewrites))
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        x = tf.placeholder(tf.float32, [None, None])
        show(sorted(options), session, twice(1.0, tf.matmul(x, x)), {x: np.ones((2, 3))})

# What waits for it waits for what it waits for.
with tf.Graph().as_default(), tf.Session() as session:
    v = tf.Variable(1.0, use_resource=True)
    with tf.control_dependencies([v.assign_add(1.0)]):
        unread = tf.constant(2.0) * 3.0
    with tf.control_dependencies([unread]):
        read = v.read_value()
    session.run(v.initializer)
    print([float(session.run(read)) for _ in range(3)])
