"""What savers and readers of checkpoints refuse, as cases of `saver_cases`."""

from __future__ import annotations

import os
import tempfile

import numpy as np
from case_runs import collect


def _variables(tf):
    a = tf.get_variable("b/a", initializer=np.arange(6, dtype=np.float32).reshape(2, 3))
    b = tf.get_variable("a", initializer=np.int64(7))
    c = tf.Variable([True, False], name="c")
    return [a, b, c]


def _written(tf):
    """A checkpoint of `_variables`, and its graph gone."""
    folder = os.path.join(tempfile.gettempdir(), "tf1compat_saver_cases")
    if not os.path.isdir(folder):
        os.makedirs(folder)
    path = os.path.join(folder, "old")
    with tf.Graph().as_default(), tf.Session() as session:
        _variables(tf)
        tf.get_variable(
            "p",
            [5, 2],
            initializer=tf.ones_initializer(),
            partitioner=tf.fixed_size_partitioner(2),
        )
        session.run(tf.global_variables_initializer())
        return tf.train.Saver().save(session, path, write_state=False)


def no_variables(tf):
    tf.train.Saver()


def deferred_with_variables(tf):
    tf.train.Saver(_variables(tf), defer_build=True)


def a_number(tf):
    tf.train.Saver(3)


def no_variable(tf):
    tf.train.Saver([tf.constant(1.0)])


def no_variable_in_dict(tf):
    tf.train.Saver({"a": tf.constant(1.0)})


def no_name(tf):
    tf.train.Saver({3: _variables(tf)[0]})


def twice(tf):
    a = _variables(tf)[0]
    tf.train.Saver({"x": a, "y": a})


def same_name(tf):
    a = _variables(tf)[0]
    tf.train.Saver([a, a])


def no_saver_def(tf):
    tf.train.Saver(saver_def=3)


def empty_saver_def(tf):
    tf.train.Saver(saver_def=tf.train.SaverDef(max_to_keep=3))


def not_built(tf):
    _variables(tf)
    tf.train.Saver(defer_build=True).save(tf.Session(), "x")


def no_session(tf):
    _variables(tf)
    tf.train.Saver().save(None, "x")


def folders_in_latest(tf):
    _variables(tf)
    tf.train.Saver().save(tf.Session(), "x", latest_filename="a/b")


def colliding(tf):
    _variables(tf)
    tf.train.Saver().save(tf.Session(), "a/checkpoint")


def no_folder(tf):
    tf.get_variable("x", initializer=1.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, "/tmp/not/there/at/all")


def restore_none(tf):
    _variables(tf)
    tf.train.Saver().restore(tf.Session(), None)


def restore_nothing(tf):
    _variables(tf)
    tf.train.Saver().restore(tf.Session(), "/tmp/not/there")


def _first_lines(tf, function):
    """Raises what `function` does, without the places that TF adds to the text."""
    try:
        function()
    except tf.errors.OpError as error:
        text = error.message.split("\n\t [[node")[0].split("\n\nErrors may have")[0]
        raise type(error)(None, None, text.replace(tempfile.gettempdir(), "TMP"))


def restore_missing(tf):
    path = _written(tf)
    tf.get_variable("missing", [2])
    _first_lines(tf, lambda: tf.train.Saver().restore(tf.Session(), path))


def restore_other_shape(tf):
    path = _written(tf)
    with tf.variable_scope("b"):
        tf.get_variable("a", [3])
    _first_lines(tf, lambda: tf.train.Saver().restore(tf.Session(), path))


def restore_other_type(tf):
    path = _written(tf)
    tf.get_variable("a", [])
    _first_lines(tf, lambda: tf.train.Saver().restore(tf.Session(), path))


def init_missing(tf):
    path = _written(tf)
    x = tf.get_variable("x", [2])
    tf.train.init_from_checkpoint(path, {"zz/": "nothing/"})
    tf.train.init_from_checkpoint(path, {"nothing": "a/b"})
    assert x is not None


def init_other_shape(tf):
    path = os.path.relpath(_written(tf), "/")
    os.chdir("/")
    tf.train.init_from_checkpoint(path, {"b/a": tf.get_variable("x", [2])})


def no_checkpoint(tf):
    tf.train.load_checkpoint("/tmp/not_there")


def no_checkpoint_in_folder(tf):
    tf.train.load_checkpoint("/proc")


def unknown_tensor(tf):
    tf.train.load_variable(_written(tf), "unknown")


def no_meta_graph(tf):
    tf.train.import_meta_graph("/tmp/not_there.meta")


def unbound(tf):
    from tensorflow.python.framework import meta_graph

    x = tf.constant([1.0, 2.0], name="x")
    with tf.name_scope("part"):
        tf.add(x, x, name="sum")
    made, _ = meta_graph.export_scoped_meta_graph(export_scope="part")
    meta_graph.import_scoped_meta_graph(made, import_scope="new")


def timestamps(tf):
    tf.train.generate_checkpoint_state_proto("/x", "/x/a", ["/x/a"], [1.0, 2.0])


MISTAKES = {
    "savers": collect(
        *(no_variables, deferred_with_variables, a_number, no_variable, no_variable_in_dict),
        *(no_name, twice, same_name, no_saver_def, empty_saver_def, not_built, no_session),
        *(folders_in_latest, colliding, no_folder, restore_none, restore_nothing),
        *(restore_missing, restore_other_shape, restore_other_type),
    ),
    "reading": collect(
        *(init_missing, init_other_shape, no_checkpoint, no_checkpoint_in_folder),
        *(unknown_tensor, no_meta_graph, unbound, timestamps),
    ),
}
