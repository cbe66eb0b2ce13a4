"""Records checkpoint files, of both versions, as TensorFlow 1.15 writes them.

Run by a Python that has TensorFlow 1.15:

    python record_checkpoints.py
"""

from __future__ import annotations

import os
import shutil
import tempfile

import numpy as np
import object_checkpoint_cases
import recording

FOLDER = os.path.join(recording.DATA, "checkpoints")
DTYPES = ["bool", "complex64", "float16", "float64", "int8", "int64", "uint8", "int32"]


def variables(tf):
    """One variable of each kind that a checkpoint may hold."""
    tf.get_variable("a", initializer=np.arange(6, dtype=np.float32).reshape(2, 3))
    tf.get_variable("scope/text", initializer=tf.constant([b"hello", b"", b"x" * 300]))
    tf.get_variable("empty", initializer=np.zeros([0, 3], np.float32))
    tf.get_variable("zeros", initializer=np.zeros([40], np.int64))
    for dtype in DTYPES:
        tf.get_variable(dtype, initializer=np.array([[0, 1, 3]]).astype(dtype))

    def rows(shape, dtype=None, partition_info=None):
        count = int(np.prod(shape))
        first = partition_info.var_offset[0] * shape[1]
        return tf.reshape(tf.range(first, first + count, dtype=tf.float32), shape)

    tf.get_variable("part", [200, 2], initializer=rows, partitioner=tf.fixed_size_partitioner(3))


def main():
    import tensorflow as tf

    if not os.path.isdir(FOLDER):
        os.makedirs(FOLDER)
    variables(tf)
    folder = tempfile.mkdtemp()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for version in (1, 2):
            saver = tf.train.Saver(write_version=version, name="v%d" % version)
            path = os.path.join(folder, "v%d" % version)
            saver.save(session, path, write_meta_graph=False, write_state=False)
        with tf.device("/cpu:0"):
            tf.get_variable("elsewhere", initializer=np.float32([1, 2]))
        session.run(tf.variables_initializer(tf.global_variables()[-1:]))
        saver = tf.train.Saver(sharded=True)
        saver.save(
            session, os.path.join(folder, "sharded"), write_meta_graph=False, write_state=False
        )
    tf.reset_default_graph()
    net, optimizer, step, train = object_checkpoint_cases.program(tf)
    checkpoint = tf.train.Checkpoint(net=net, optimizer=optimizer, step=step)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        checkpoint.write(os.path.join(folder, "objects"))
    for name in os.listdir(folder):
        shutil.copy(os.path.join(folder, name), os.path.join(FOLDER, name))


if __name__ == "__main__":
    main()
