"""What tables refuse to be filled with."""

import tensorflow as tf
from tensorflow.python.ops import gen_lookup_ops, lookup_ops

Pairs = lookup_ops.KeyValueTensorInitializer


def unknown(value, dtype):
    return tf.placeholder_with_default(tf.constant(value, dtype), None)


def fixed(keys, values, default=-1):
    table = lookup_ops.HashTable(Pairs(keys, values), default)
    return table.initializer, table.size()


def imported(keys, values, default=1):
    table = lookup_ops.MutableHashTable(tf.string, tf.int64, default)
    keys, values = tf.convert_to_tensor(keys, tf.string), tf.convert_to_tensor(values, tf.int64)
    handle = table.resource_handle
    return gen_lookup_ops.lookup_table_import_v2(handle, keys, values), table.size()


CASES = {
    "nothing": lambda: fixed(tf.constant([], tf.string), tf.constant([], tf.int64)),
    "nothing known": lambda: fixed(unknown([], tf.string), unknown([], tf.int64)),
    "matrix": lambda: fixed(["a"], [[1, 2]]),
    "matrices": lambda: fixed([["a", "b"]], [[1, 2]]),
    "matrix unknown": lambda: fixed(unknown(["a"], tf.string), unknown([[1, 2]], tf.int32)),
    "lengths": lambda: fixed(["a"], [1, 2]),
    "scalars": lambda: fixed("a", 1),
    "vectors": lambda: imported(["a"], [[1, 2]], [1, 2]),
    "vectors unknown": lambda: imported(["a"], unknown([[1, 2]], tf.int64), [1, 2]),
    "nothing imported": lambda: imported([], []),
    "default of rank 2": lambda: imported(["a"], unknown([[1]], tf.int64), [[1]]),
}
for name, make in CASES.items():
    with tf.Graph().as_default():
        try:
            fill, size = make()
            with tf.Session() as session:
                session.run(fill)
                print(name, session.run(size))
        except ValueError as error:
            print(name, "ValueError", error)
        except tf.errors.OpError as error:
            print(name, type(error).__name__, error.message.split("\n")[0])
