"""Savers, meta graphs and checkpoints, and mistakes in using them.

Every function takes the `tensorflow` module; `record_cases.py` says what becomes of them.
"""

from __future__ import annotations

import os
import tempfile
import uuid

import numpy as np
import saver_mistake_cases
from case_runs import Case, collect
from saver_mistake_cases import _first_lines, _variables, _written


class _Fixed:
    hex = "0" * 32
    int = 0


class _fixed_uuid:
    """Within it, what a sharded saver puts into its nodes is the same every time."""

    def __enter__(self):
        self._before = uuid.uuid4
        uuid.uuid4 = _Fixed

    def __exit__(self, *unused):
        uuid.uuid4 = self._before


def _definition(saver):
    return str(saver.as_saver_def())


class _RoundTrip(Case):
    """Saves, changes the variables, and restores them."""

    def __init__(self, saver, said=(), **how):
        Case.__init__(self, said=said or [_definition(saver)])
        self._saver, self._how = saver, how

    def run(self, tf):
        folder = tempfile.mkdtemp()
        variables = tf.global_variables()
        found = []
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            before = session.run(variables)
            path = self._saver.save(session, os.path.join(folder, "model"), **self._how)
            names = sorted(os.listdir(folder))
            found.append(("files", np.array([os.path.relpath(path, folder)] + names, object)))
            for variable, value in zip(variables, before):
                if variable.shape.is_fully_defined():
                    variable.load(np.zeros_like(value), session)
            self._saver.restore(session, path)
            found += zip(variables, session.run(variables))
            reader = tf.train.NewCheckpointReader(path)
            for name in sorted(reader.get_variable_to_shape_map()):
                if self._saver.as_saver_def().version == 2:
                    found.append((name, reader.get_tensor(name)))
        return found


# ---- savers ----------


def plain(tf):
    _variables(tf)
    return _RoundTrip(tf.train.Saver())


def of_a_list(tf):
    a, b, c = _variables(tf)
    return _RoundTrip(tf.train.Saver([b, a]), global_step=3)


def of_a_dict(tf):
    a, b, c = _variables(tf)
    return _RoundTrip(tf.train.Saver({"z": a, "y": b}))


def named_twice(tf):
    _variables(tf)
    tf.train.Saver(name="one")
    tf.train.Saver()
    return _RoundTrip(tf.train.Saver(max_to_keep=None, keep_checkpoint_every_n_hours=1.5))


def in_a_scope(tf):
    with tf.name_scope("outer"):
        _variables(tf)
        return _RoundTrip(tf.train.Saver(pad_step_number=True), global_step=12)


def resource_variables(tf):
    with tf.variable_scope("v", use_resource=True):
        _variables(tf)
    return _RoundTrip(tf.train.Saver())


def resources_and_references(tf):
    tf.get_variable("r", initializer=np.float32([1, 2]), use_resource=True)
    tf.get_variable("q", initializer=np.float32([3]))
    return _RoundTrip(tf.train.Saver(tf.global_variables(), filename="some"))


def partitioned(tf):
    tf.get_variable(
        "p", [5, 2], initializer=tf.ones_initializer(), partitioner=tf.fixed_size_partitioner(2)
    )
    tf.get_variable("q", initializer=np.float32([3]))
    return _RoundTrip(tf.train.Saver())


def partitioned_resource(tf):
    part = tf.get_variable(
        "p",
        [5, 2],
        initializer=tf.ones_initializer(),
        partitioner=tf.fixed_size_partitioner(2),
        use_resource=True,
    )
    return _RoundTrip(tf.train.Saver({"name": part}))


def reshape(tf):
    _variables(tf)
    tf.get_variable("r", initializer=np.float32([1, 2]), use_resource=True)
    tf.Variable(tf.placeholder_with_default([1.0], [None]), validate_shape=False, name="u")
    return _RoundTrip(tf.train.Saver(reshape=True))


def sharded(tf):
    with _fixed_uuid():
        with tf.device("/cpu:0"):
            tf.get_variable("x", initializer=np.float32([1, 2]))
        _variables(tf)
        saver = tf.train.Saver(sharded=True)
    return _RoundTrip(saver)


def version_1(tf):
    _variables(tf)
    return _RoundTrip(tf.train.Saver(write_version=tf.train.SaverDef.V1))


def version_1_sharded(tf):
    with tf.device("/cpu:0"):
        tf.get_variable("x", initializer=np.float32([1, 2]))
    _variables(tf)
    return Case(said=[_definition(tf.train.Saver(write_version=1, sharded=True))], steps=0)


def one_at_a_time(tf):
    from tensorflow.python.training import saver

    with tf.device("/cpu:0"):
        tf.get_variable("x", initializer=np.float32([1, 2]))
    _variables(tf)
    return _RoundTrip(tf.train.Saver(builder=saver.BaseSaverBuilder()))


def saveable_objects(tf):
    from tensorflow.python.training.saver import BaseSaverBuilder

    class Double(BaseSaverBuilder.SaveableObject):
        def __init__(self, variable):
            spec = BaseSaverBuilder.SaveSpec(variable * 2.0, "", "double")
            BaseSaverBuilder.SaveableObject.__init__(self, variable, [spec], "double")
            self._variable = variable

        def restore(self, restored_tensors, restored_shapes):
            return tf.assign(self._variable, restored_tensors[0] / 2.0)

    x = tf.get_variable("x", initializer=np.float32([1, 2]))
    tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, Double(x))
    return _RoundTrip(tf.train.Saver())


def table(tf):
    lookup = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name="t")
    tf.get_variable("x", initializer=np.float32([1, 2]))
    assert lookup is not None
    return _RoundTrip(tf.train.Saver())


def deferred(tf):
    saver = tf.train.Saver(defer_build=True)
    _variables(tf)
    saver.build()
    return _RoundTrip(saver)


def nothing_to_save(tf):
    saver = tf.train.Saver(allow_empty=True)
    with tf.Session() as session:
        path = saver.save(session, os.path.join(tempfile.mkdtemp(), "model"))
        saver.restore(session, "nowhere")
    return Case(said=[path, saver.as_saver_def()], steps=0)


def default_saver(tf):
    from tensorflow.python.training.saver import _get_saver_or_default

    with _fixed_uuid():
        _variables(tf)
        saver = _get_saver_or_default()
    return Case(said=[_definition(saver), len(tf.get_collection("savers"))], steps=0)


def moving_averages(tf):
    a, _, _ = _variables(tf)
    average = tf.train.ExponentialMovingAverage(0.9)
    average.apply([a])
    return _RoundTrip(tf.train.Saver(average.variables_to_restore()))


def optimizer_slots(tf):
    x = tf.get_variable("x", initializer=np.float32([1, 2]))
    step = tf.train.get_or_create_global_step()
    tf.train.AdamOptimizer().minimize(tf.reduce_sum(x * x), global_step=step)
    saver = tf.train.Saver()
    return _RoundTrip(saver, global_step=step)


# ---- initial values from checkpoints ----------


def init_by_name(tf):
    path = _written(tf)
    with tf.variable_scope("new"):
        x = tf.get_variable("x", [2, 3])
        tf.get_variable("y", [], dtype=tf.int64, use_resource=True)
    tf.train.init_from_checkpoint(path, {"b/a": x, "a": "new/y"})
    return Case(steps=0, said=[x.initializer.name, x.initial_value.name])


def init_by_scope(tf):
    path = _written(tf)
    with tf.variable_scope("new"):
        tf.get_variable("a", [2, 3])
    tf.train.init_from_checkpoint(path, {"b/": "new/"})
    return Case(steps=0)


def init_partitioned(tf):
    path = _written(tf)
    tf.get_variable("q", [5, 2], partitioner=tf.fixed_size_partitioner(3))
    tf.train.init_from_checkpoint(path, {"p": "q"})
    return Case(steps=0)


def warm_start(tf):
    path = _written(tf)
    with tf.variable_scope("b"):
        tf.get_variable("a", [2, 3])
    tf.train.warm_start(path)
    return Case(steps=0)


def warm_start_renamed(tf):
    path = _written(tf)
    tf.get_variable("x", [2, 3])
    tf.get_variable("other", [2, 3], initializer=tf.zeros_initializer())
    tf.train.warm_start(path, "x", var_name_to_prev_var_name={"x": "b/a"})
    return Case(steps=0)


def reading(tf):
    path = _written(tf)
    return Case(
        steps=0,
        said=[
            tf.train.list_variables(path),
            tf.train.load_variable(path, "b/a:0").tolist(),
            tf.train.load_checkpoint(path).get_tensor("p").tolist(),
            sorted(tf.train.NewCheckpointReader(path).get_variable_to_dtype_map().items()),
            tf.train.NewCheckpointReader(path).debug_string()[-96:],
            tf.contrib.framework.list_variables(path),
            tf.contrib.framework.load_variable(path, "a"),
        ],
    )


def contrib_assign(tf):
    path = _written(tf)
    x = tf.get_variable("x", [2, 3], initializer=tf.zeros_initializer())
    y = tf.get_variable(
        "y",
        [5, 2],
        initializer=tf.zeros_initializer(),
        partitioner=tf.fixed_size_partitioner(3),
    )
    op, feeds = tf.contrib.framework.assign_from_checkpoint(path, {"b/a": x, "p": list(y)})
    said = [sorted((key.name, value.tolist()) for key, value in feeds.items())]
    fn = tf.contrib.framework.assign_from_checkpoint_fn(path, {"b/a": x})
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(op, feeds)
        said.append(session.run(tf.convert_to_tensor(y)).tolist())
        session.run(tf.global_variables_initializer())
        fn(session)
        said.append(session.run(x).tolist())
    return Case(steps=0, said=said)


# ---- meta graphs ----------


def _text_of_context(key, value):
    """A control-flow context as text: its maps are in no order in TF's bytes."""
    from tensorflow.python.framework import ops

    proto = ops.get_collection_proto_type(key)()
    proto.ParseFromString(value)
    return str(proto)


def _said_of(meta):
    """What a meta graph says besides its nodes, which are compared where they are imported."""
    text = [str(meta.meta_info_def.stripped_op_list), str(meta.saver_def)]
    text.append(meta.meta_info_def.tensorflow_version)
    for key in sorted(meta.collection_def):
        collection = meta.collection_def[key]
        kind = collection.WhichOneof("kind")
        values = list(getattr(collection, kind).value)
        if key.endswith("_context"):
            values = [_text_of_context(key, value) for value in values]
        text.append((key, kind, values))
    text.append([node.name for node in meta.graph_def.node])
    return text


def _train(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    with tf.variable_scope("layer"):
        w = tf.get_variable("w", initializer=np.ones([3, 2], np.float32))
        v = tf.get_variable("v", initializer=np.ones([2], np.float32), use_resource=True)
    y = tf.add(tf.matmul(x, w), v, name="y")
    tf.add_to_collection("outputs", y)
    tf.add_to_collection("numbers", 3)
    tf.add_to_collection("words", "hello")
    tf.add_to_collection("floats", 1.5)
    step = tf.train.get_or_create_global_step()
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y), global_step=step)


def exported(tf):
    _train(tf)
    saver = tf.train.Saver()
    return Case(said=_said_of(saver.export_meta_graph()), steps=0)


def exported_with_queues(tf):
    tf.train.string_input_producer(["a", "b"])
    tf.get_variable("x", initializer=1.0)
    return Case(said=_said_of(tf.train.export_meta_graph()), steps=0)


def exported_without_savers(tf):
    _train(tf)
    tf.train.Saver(name="one")
    saver = tf.train.Saver(name="two")
    tf.add_to_collection(tf.GraphKeys.SAVERS, saver)
    meta = saver.export_meta_graph(clear_extraneous_savers=True, clear_devices=True)
    return Case(said=_said_of(meta), steps=0)


def stripped(tf):
    _train(tf)
    meta = tf.train.export_meta_graph(strip_default_attrs=True)
    attrs = [(node.name, sorted(node.attr)) for node in meta.graph_def.node]
    return Case(said=[attrs, meta.meta_info_def.stripped_default_attrs], steps=0)


def imported(tf):
    with tf.Graph().as_default():
        _train(tf)
        meta = tf.train.Saver().export_meta_graph()
    saver = tf.train.import_meta_graph(meta)
    said = [_definition(saver), [v.name for v in tf.trainable_variables()]]
    said += [tf.get_collection(key) for key in ("outputs", "numbers", "words", "floats")]
    said.append(tf.train.get_global_step())
    return _RoundTrip(saver, said=said)


def imported_into_a_scope(tf):
    with tf.Graph().as_default():
        _train(tf)
        meta = tf.train.Saver().export_meta_graph()
    tf.train.import_meta_graph(meta, import_scope="m")
    # TF writes the scope into the SaverDef of the meta graph.
    saver = tf.train.import_meta_graph(meta, import_scope="m", clear_devices=True)
    variables = [v.name for v in tf.global_variables()]
    return Case(said=[_definition(saver), variables, tf.get_collection("words")], steps=0)


def scoped(tf):
    from tensorflow.python.framework import meta_graph

    x = tf.constant([1.0, 2.0], name="x")
    with tf.name_scope("part"):
        w = tf.Variable([3.0, 4.0], name="w")
        with tf.control_dependencies([x]):
            tf.add(w, x, name="sum")
        tf.add_to_collection("kept", w * 2.0)
    made, variables = meta_graph.export_scoped_meta_graph(export_scope="part")
    said = [str(made.graph_def), sorted(variables), _said_of(made)]
    tf.reset_default_graph()
    other = tf.constant([5.0, 6.0])
    # A control input stays unbound too, and must be given.
    names = [name.decode() for name in made.collection_def["unbound_inputs"].bytes_list.value]
    found = meta_graph.import_scoped_meta_graph(
        made, import_scope="new", input_map=dict.fromkeys(names, other)
    )
    return Case(said=[*said, names, sorted(found)], steps=0)


def copied_scope(tf):
    from tensorflow.python.framework import meta_graph

    with tf.name_scope("part"):
        tf.Variable([3.0, 4.0], name="w")
    found = meta_graph.copy_scoped_meta_graph(from_scope="part", to_scope="copy")
    return Case(said=[sorted(found)], steps=0)


def cond_and_gradient(tf):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        w = tf.get_variable("w", initializer=2.0)
        tf.cond(
            x > 0.0,
            lambda: tf.cond(x > 1.0, lambda: w * x, lambda: w + x),
            lambda: x,
            name="branch",
        )
        meta = tf.train.export_meta_graph()
    said = _said_of(meta)
    tf.train.import_meta_graph(meta)
    x = tf.get_default_graph().get_tensor_by_name("x:0")
    y = tf.get_default_graph().get_tensor_by_name("branch/Merge:0")
    grads = tf.gradients(y, [x, tf.global_variables()[0]])
    return Case(grads, feeds=lambda step: {x: step - 0.5}, said=said)


def loop_and_gradient(tf):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        _, y = tf.while_loop(
            lambda i, y: i < 3,
            lambda i, y: [i + 1, tf.cond(y > 2.0, lambda: y * x, lambda: y + x)],
            [0, x],
            maximum_iterations=5,
        )
        tf.identity(y, name="y")
        meta = tf.train.export_meta_graph()
    said = _said_of(meta)
    tf.train.import_meta_graph(meta, import_scope="m")
    x = tf.get_default_graph().get_tensor_by_name("m/x:0")
    y = tf.get_default_graph().get_tensor_by_name("m/y:0")
    return Case([y] + tf.gradients(y, x), feeds=lambda step: {x: step - 0.5}, said=said)


# ---- SavedModels ----------


def _served(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
    return x, tf.matmul(x, w, name="y")


def simple_save(tf):
    folder = os.path.join(tempfile.mkdtemp(), "model")
    with tf.Graph().as_default(), tf.Session() as session, _fixed_uuid():
        x, y = _served(tf)
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, folder, {"in": x}, {"out": y})
    files = [(os.path.relpath(f[0], folder), sorted(f[2])) for f in os.walk(folder)]
    session = tf.Session()
    made = tf.saved_model.loader.load(session, [tf.saved_model.tag_constants.SERVING], folder)
    said = [str(made.signature_def), _said_of(made), sorted(files)]
    said.append(session.run("y:0", {"x:0": [[1.0, 2.0]]}).tolist())
    said.append(tf.saved_model.maybe_saved_model_directory(folder))
    return Case(said=said, steps=0)


def built_with_files(tf):
    folder = tempfile.mkdtemp()
    words = os.path.join(folder, "words.txt")
    with open(words, "w") as file:
        file.write("a\nb\n")
    model = os.path.join(folder, "model")
    with tf.Graph().as_default(), tf.Session() as session, _fixed_uuid():
        x, y = _served(tf)
        table = tf.contrib.lookup.index_table_from_file(words)
        tf.identity(table.lookup(tf.constant(["b"])), name="found")
        session.run(tf.global_variables_initializer())
        builder = tf.saved_model.builder.SavedModelBuilder(model)
        signature = tf.saved_model.predict_signature_def({"x": x}, {"y": y})
        builder.add_meta_graph_and_variables(
            session,
            ["serve"],
            {"predict": signature},
            assets_collection=tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS),
            main_op=tf.tables_initializer(),
        )
        builder.add_meta_graph(["serve", "gpu"], strip_default_attrs=True, clear_devices=True)
        builder.save(as_text=True)
    os.remove(words)
    with tf.Graph().as_default(), tf.Session() as session:
        made = tf.saved_model.load(session, ["serve"], model)
        said = [sorted(made.collection_def), sorted(os.listdir(os.path.join(model, "assets")))]
        said.append(session.run("found:0").tolist())
        said.append(tf.saved_model.is_valid_signature(made.signature_def["predict"]))
    return Case(said=said, steps=0)


def signatures(tf):
    text = tf.placeholder(tf.string, [None], name="text")
    scores = tf.placeholder(tf.float32, [None, 3], name="scores")
    sparse = tf.sparse_placeholder(tf.int64, name="sparse")
    made = [
        tf.saved_model.regression_signature_def(text, scores),
        tf.saved_model.classification_signature_def(text, text, scores),
        tf.saved_model.classification_signature_def(text, None, scores),
        tf.saved_model.predict_signature_def({"a": sparse}, {"b": scores}),
        tf.saved_model.build_signature_def(),
    ]
    said = [(str(one), tf.saved_model.is_valid_signature(one)) for one in made]
    info = made[3].inputs["a"]
    said.append(tf.saved_model.utils.get_tensor_from_tensor_info(info).dense_shape.name)
    return Case(said=said, steps=0)


def regression_of_numbers(tf):
    tf.saved_model.regression_signature_def(tf.constant(1.0), tf.constant(1.0))


def classification_of_nothing(tf):
    tf.saved_model.classification_signature_def(tf.constant("a"), None, None)


def no_outputs(tf):
    tf.saved_model.predict_signature_def({"a": tf.constant(1.0)}, {})


def no_saved_model(tf):
    tf.saved_model.load(tf.Session(), ["serve"], "/tmp/not_there")


def other_tags(tf):
    folder = os.path.join(tempfile.mkdtemp(), "model")
    with tf.Session() as session:
        x, y = _served(tf)
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, folder, {"in": x}, {"out": y})
        tf.saved_model.load(session, ["train"], folder)


def full_folder(tf):
    tf.saved_model.Builder("/proc")


def graph_without_variables(tf):
    tf.saved_model.Builder(tempfile.mkdtemp()).add_meta_graph(["serve"])


def main_op_is_a_tensor(tf):
    with tf.Session() as session:
        builder = tf.saved_model.Builder(tempfile.mkdtemp())
        builder.add_meta_graph_and_variables(session, ["serve"], main_op=tf.constant(1.0, name="c"))


# ---- operations ----------


def _restored(tf, name="a", spec="", dtype="int64", names=None, path=None):
    """Runs a RestoreV2 of the checkpoint of `_variables`."""
    path = _written(tf) if path is None else path

    def run():
        found = tf.raw_ops.RestoreV2(
            prefix=path,
            tensor_names=names or [name],
            shape_and_slices=[spec],
            dtypes=[tf.as_dtype(dtype)],
        )
        tf.Session().run(found)

    _first_lines(tf, run)


def _saved(tf, names=("x",), specs=("",), values=(1.0,), path="/tmp/x"):
    def run():
        tensors = [tf.constant(value) for value in values]
        saved = tf.raw_ops.SaveV2(
            prefix=path, tensor_names=names, shape_and_slices=specs, tensors=tensors
        )
        tf.Session().run(saved)

    _first_lines(tf, run)


RESTORES = {
    "key": {"name": "zz"},
    "type": {"dtype": "float32"},
    "file": {"path": "/tmp/not_there_at_all"},
    "folder": {"path": "/not_there/at_all"},
    "shape": {"name": "b/a", "spec": "2 4 0,1:-", "dtype": "float32"},
    "bounds": {"spec": "2 3 0,5:-"},
    "no_slice": {"spec": "2 3"},
    "one_part": {"spec": "bad"},
    "no_number": {"spec": "2 x 0,1:-"},
    "rank": {"spec": "2 3 0,1"},
    "no_pair": {"spec": "2 3 0,1,2:-"},
    "negative": {"spec": "2 3 0,0:-"},
    "counts": {"names": ["a", "b"]},
    "prefix": {"path": ["a"]},
}
SAVES = {
    "twice": {"names": ["a", "a"], "specs": ["", ""], "values": [1.0, 1.0]},
    "slice_shape": {"specs": ["2 3 0,1:-"], "values": [[1.0]]},
    "bad_slice": {"specs": ["bad"]},
    "names": {"names": ["a", "b"]},
    "slices": {"specs": ["", ""]},
}


CASES = {
    "savers": collect(
        *(plain, of_a_list, of_a_dict, named_twice, in_a_scope, resource_variables),
        *(resources_and_references, partitioned, partitioned_resource, reshape, sharded),
        *(version_1, version_1_sharded, one_at_a_time, saveable_objects, table, deferred),
        *(nothing_to_save, default_saver, moving_averages, optimizer_slots),
    ),
    "initial_values": collect(
        *(init_by_name, init_by_scope, init_partitioned, warm_start, warm_start_renamed),
        *(reading, contrib_assign),
    ),
    "saved_models": collect(simple_save, built_with_files, signatures),
    "meta_graphs": collect(
        *(exported, exported_with_queues, exported_without_savers, stripped, imported),
        *(imported_into_a_scope, scoped, copied_scope, cond_and_gradient, loop_and_gradient),
    ),
}

MISTAKES = {
    **saver_mistake_cases.MISTAKES,
    "saved_models": collect(
        *(regression_of_numbers, classification_of_nothing, no_outputs, no_saved_model),
        *(other_tags, full_folder, graph_without_variables, main_op_is_a_tensor),
    ),
    "restores": {key: (lambda tf, how=how: _restored(tf, **how)) for key, how in RESTORES.items()},
    "saves": {key: (lambda tf, how=how: _saved(tf, **how)) for key, how in SAVES.items()},
}
