"""Values that TF's shape functions come to know, and such as they could know but do not."""

import tensorflow as tf

raw = tf.raw_ops


def counted(name, limit):
    print(name, raw.Range(start=0, limit=limit, delta=1).shape)


x = tf.placeholder(tf.float32, [5, 3])
n = tf.constant(4)


def inside(seen):
    seen.update(
        range=tf.range(n),
        twice=tf.range(n + n),
        reshape=tf.reshape(x, tf.stack([n - 1, -1])),
        sum=tf.reduce_sum(x, n - 4),
        tile=tf.tile(x, tf.stack([n, 1])),
        fill=tf.fill(tf.expand_dims(n, 0), 1.0),
        slice=x[: n - 2],
        unique=tf.range(tf.size(tf.unique(tf.stack([n, n, 1])).y)),
    )
    return tf.zeros([])


true, false = tf.constant(True), tf.constant(False)
for name, predicate in [
    ("true", true),
    ("false", false),
    ("fed", tf.placeholder(tf.bool, [])),
    ("identity", tf.identity(true)),
    ("less", tf.less(1, 2)),
]:
    taken, other = {}, {}
    tf.cond(predicate, lambda: inside(taken), lambda: inside(other))
    for branch in (taken, other):
        print(name, *["%s %s" % (key, branch[key].shape) for key in sorted(branch)])

switch = raw.Switch(data=n, pred=true)
counted("taken", switch.output_true)
counted("not taken", switch.output_false)
counted("merged", raw.Merge(inputs=list(switch)).output)


def body(i):
    counted("in a loop", n)
    counted("in a loop, one more", n + 1)
    return i + 1


tf.while_loop(lambda i: i < n, body, [0])

rank, size, shape = raw.Rank(input=x), raw.Size(input=x), raw.Shape(input=x)
counted("rank", rank)
counted("size", size)
counted("identity", tf.identity(rank))
counted("rank + rank", rank + rank)
counted("rank + size", rank + size)
counted("(rank + 1) * (rank + 2)", (rank + 1) * (rank + 2))
counted("shape[0] * shape[1]", shape[0] * shape[1])
rows, columns = shape[0], shape[1]
counted("rows", rows)
counted("rows * columns", rows * columns)
constant = tf.constant([2, 3])
counted("rank of a constant", raw.Rank(input=constant))
counted("sum of sizes", raw.Size(input=constant) + raw.Size(input=constant))
print(raw.Transpose(x=x, perm=rank - 1 - raw.Range(start=0, limit=rank, delta=1)).shape)
print(raw.OneHot(indices=[1], depth=rank, on_value=1.0, off_value=0.0, axis=-1).shape)
print(raw.ExpandDims(input=x, axis=rank).shape, raw.ExpandDims(input=x, axis=rank - 1).shape)

# A run may be fed another predicate: nothing of the above is a constant there.
choice = tf.cond(true, lambda: tf.range(n + 1), lambda: tf.range(n))
with tf.Session() as session:
    print(choice.shape, session.run(choice), session.run(choice, {true: False}))
    print(session.run(tf.range(rows * columns), {x: [[0.0] * 3] * 5}).shape)
