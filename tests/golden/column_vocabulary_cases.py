"""Columns whose vocabularies are those of other checkpoints, as cases of `column_cases`."""

from __future__ import annotations

import numpy as np
from case_runs import Case, fetch


def _write_vocabularies():
    for name, words in (("old", "abcd"), ("new", "dxbay"), ("twice", "aba")):
        with open(name, "w") as file:
            file.write("\n".join(words) + "\n")


class _Vocabularies(Case):
    """A case whose vocabularies are there when it is run: TensorFlow reads them while it records,
    if it can, to find static shapes."""

    def run(self, tf):
        """Writes the vocabularies, and runs the steps."""
        _write_vocabularies()
        return super(_Vocabularies, self).run(tf)


def _saved(tf):
    """A checkpoint "saved" and vocabularies "old" and "new" in the working folder."""
    _write_vocabularies()
    _save(tf)


def _save(tf):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("m", initializer=np.arange(12, dtype="f").reshape(4, 3))
        tf.get_variable("wide", initializer=np.arange(8, dtype="f").reshape(2, 4))
        tf.get_variable("bias", initializer=np.arange(4, dtype="f").reshape(4, 1))
        tf.get_variable("v", initializer=np.arange(3, dtype="f"))
        tf.get_variable("ints", initializer=np.arange(4).reshape(2, 2))
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, "./saved", write_meta_graph=False)


def vocabularies(tf):
    _save(tf)
    tf.set_random_seed(11)
    framework = tf.contrib.framework
    info = tf.train.VocabInfo
    m = tf.get_variable("m", [6, 3], initializer=tf.ones_initializer())
    wide = tf.get_variable("wider", [2, 6], partitioner=tf.fixed_size_partitioner(2))
    cut = tf.get_variable("cut", [6, 3], partitioner=tf.fixed_size_partitioner(3))
    v = tf.get_variable("v", [3])
    tf.train.warm_start(
        "./saved",
        var_name_to_vocab_info={
            "m": info("new", 5, 1, "old", 3, tf.random_uniform_initializer()),
            "wider": info("new", 5, 1, "old", axis=1),
            "cut": info("new", 5, 1, "old"),
        },
        var_name_to_prev_var_name={"wider": "wide", "cut": "m"},
    )
    loads = [
        framework.load_and_remap_matrix_initializer(
            "./saved", "m", 5, 3, old_row_vocab_file="old", new_row_vocab_file="new",
            max_rows_in_memory=1, initializer=tf.ones_initializer(),
        )([5, 3]),
        framework.load_embedding_initializer("./saved", "m", 5, 3, "old", "new", 2, 1)([6, 3]),
        framework.load_linear_multiclass_bias_initializer("./saved", "bias", 5, "old", "new")(
            [5, 1]
        ),
        framework.load_variable_slot_initializer(
            "./saved", "m", None, 5, 3, old_row_vocab_file="old", new_row_vocab_file="new",
            num_row_oov_buckets=2,
        )([7, 3]),
    ]  # fmt: skip
    said = [str(x) for x in (m, list(wide), list(cut), v, loads)]
    return _Vocabularies(loads, (), None, said, steps=1)


def _remapped(**kwargs):
    """A mistake that is found when `LoadAndRemapMatrix` is run."""

    def case(tf):
        _saved(tf)
        given = {
            "ckpt_path": "./saved", "old_tensor_name": "m",
            "row_remapping": tf.constant([3, -1, 1], tf.int64),
            "col_remapping": tf.constant([], tf.int64), "initializing_values": [9.0, 8.0, 7.0],
            "num_rows": 3, "num_cols": 3,
        }  # fmt: skip
        given.update(kwargs)
        return fetch(tf, tf.raw_ops.LoadAndRemapMatrix(**given))

    return case


def _remapping(**kwargs):
    def case(tf):
        _saved(tf)
        given = {
            "new_vocab_file": "new", "old_vocab_file": "old", "new_vocab_offset": 0,
            "num_new_vocab": 5,
        }  # fmt: skip
        given.update(kwargs)
        return fetch(tf, tf.raw_ops.GenerateVocabRemapping(**given))

    return case


def _loaded(shape, **kwargs):
    """A mistake that is found when an initializer is called."""

    def case(tf):
        given = {"old_row_vocab_file": "old", "new_row_vocab_file": "new"}
        given.update(kwargs)
        return tf.contrib.framework.load_and_remap_matrix_initializer(
            "./saved", "m", 5, 3, **given
        )(shape)

    return case
