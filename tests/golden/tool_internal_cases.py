"""What modules of TF's internals do that tools and wrappers of sessions use: cases as in
internal_cases.py.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import shutil
import tempfile

import numpy as np
from internal_cases import case, eager, error, internal


@contextlib.contextmanager
def _folder():
    path = tempfile.mkdtemp()
    try:
        yield path
    finally:
        shutil.rmtree(path)


def _printed(function, *args, **kwargs):
    """The lines that a call prints, with what it raises."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        raised = error(function, *args, **kwargs)
    return [line.rstrip() for line in out.getvalue().splitlines()], raised


def _plain(value, folder):
    return re.sub(r"(u'|b')", "'", str(value).replace(folder, "FOLDER"))


@case
def mappers_of_fetches(tf):
    session = internal("client.session")
    a = tf.constant(1, name="a")
    op = tf.no_op(name="n")
    said = []
    for fetch in (a, op, "a:0", [a, op, a], (a, [a]), {"x": a, "y": (op,)}):
        mapper = session._FetchMapper.for_fetch(fetch)
        unique = mapper.unique_fetches()
        values = [None if x is op else 5 for x in unique]
        said.append([
            type(mapper).__name__.lstrip("_"), [x.name for x in unique],
            str(mapper.build_results(values)),
        ])  # fmt: skip
    slices = tf.IndexedSlices(tf.constant([1.0], name="v"), tf.constant([0], name="i"))
    mapper = session._FetchMapper.for_fetch(slices)
    said += [[x.name for x in mapper.unique_fetches()], str(mapper.build_results([[2.0], [0]]))]
    for wrong in (None, "none:0", "none", 3, [None], tf.constant(1).graph):
        said.append(error(session._FetchMapper.for_fetch, wrong)[0])
    base = session._FetchMapper()
    said += [error(base.unique_fetches), error(base.build_results, [])]
    handler = session._FetchHandler(tf.get_default_graph(), [a, op, slices], {a: 7})
    said += [[t.name for t in handler.fetches()], [o.name for o in handler.targets()]]
    said += [str(handler.build_results(None, [[3.0], [4]]))]
    element = session._ElementFetchMapper(["a:0"], lambda values: values[0] + 1)
    said += [element.build_results([4]), element.build_results([])]
    maps = [session._ListFetchMapper([a, op]), session._DictFetchMapper({"b": a})]
    unique, indices = session._uniquify_fetches(maps)
    said += [[x.name for x in unique], indices, session._name_list([a])[0].decode()]
    return said + [len(session._REGISTERED_EXPANSIONS) >= 3]


@case
def places_of_nodes(tf):
    module = internal("framework.error_interpolation")

    def said(text):
        text = re.sub(r"\(defined at [^)]*\)", "(defined somewhere)", text)
        return re.sub(r"[^\s<(,]*?(\w+\.py)(:|, )\d+", r"\1\2N", text)

    def device(op):
        return "/cpu:0"

    with tf.device("/cpu:0"), tf.device(device), tf.device(None), tf.device("/job:worker"):
        one = tf.constant(1, name="one")
    with tf.colocate_with(one.op):
        two = tf.constant(2, name="two")
    tf.add(one, two, name="three")
    graph = tf.get_default_graph()
    texts = [
        "{{colocation_node one}}",
        "a {{colocation_node two}} b",
        "{{colocation_node three}}{{colocation_node none}}",
    ]
    results = [said(module.interpolate(text, graph)) for text in texts]
    for op in (one.op, two.op):
        fields = module.compute_field_dict(op)
        results.append(
            [[key, said(str(fields[key]))] for key in sorted(fields) if key not in ("file", "line")]
        )
        results.append([str(at.obj).partition("<")[0] for at in op._device_assignments])
        results.append(sorted(op._colocation_dict))
    info = module.create_graph_debug_info_def([("", one.op), ("f", two.op)])
    results.append(sorted(info.traces))
    last = info.traces["one"].file_line_cols
    files = [os.path.basename(info.files[line.file_index]) for line in last]
    return results + [os.path.basename(__file__).replace(".pyc", ".py") in files]


def _saved(tf, folder):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.get_variable("w", initializer=tf.constant([[1.0], [2.0]]))
    y = tf.matmul(x, w, name="y")
    path = os.path.join(folder, "model")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, path, {"x": x}, {"y": y, "z": x})
        prefix = tf.train.Saver().save(session, os.path.join(folder, "ckpt"))
    return path, prefix


@case
def command_line_of_saved_models(tf):
    cli = internal("tools.saved_model_cli")
    with _folder() as folder:
        path, _ = _saved(tf, folder)
        inputs = os.path.join(folder, "in.npz")
        np.savez(inputs, a=np.ones([1, 2], np.float32), b=np.zeros([1, 2], np.float32))
        one = os.path.join(folder, "in.npy")
        np.save(one, np.ones([1, 2], np.float32))
        tagged = ["--dir", path, "--tag_set", "serve"]
        signed = tagged + ["--signature_def", "serving_default"]
        out = os.path.join(folder, "out")
        lines = [
            ["show", "--dir", path],
            ["show"] + tagged,
            ["show"] + signed,
            ["show", "--dir", path, "--all"],
            ["show", "--dir", path, "--tag_set", "other"],
            ["scan", "--dir", path],
            ["scan"] + tagged,
            ["run"] + signed,
            ["run"] + signed + ["--input_exprs", "x=np.ones((1, 2))"],
            ["run"] + signed + ["--inputs", "x=%s[a]" % inputs, "--outdir", out],
            ["run"] + signed + ["--inputs", "x=%s[a]" % inputs, "--outdir", out],
            ["run"] + signed + ["--inputs", "x=%s" % one, "--outdir", out, "--overwrite"],
            ["run"] + signed + ["--inputs", "x=%s" % inputs],
            ["run"] + signed + ["--inputs", "x=%s[c]" % inputs],
            ["run"] + signed + ["--inputs", "x"],
            ["run"] + signed + ["--input_exprs", "v=[1]"],
        ]
        said = []
        for line in lines:
            args = cli.create_parser().parse_args(line)
            printed, raised = _printed(args.func, args)
            said.append([_plain(text, folder) for text in printed])
            said.append([raised[0], _plain(raised[1], folder)])
        said.append(np.load(os.path.join(out, "y.npy")).tolist())
    for text in ("a=b[c];d=e", "", "a", "a=b[c"):
        said.append(error(cli.preprocess_inputs_arg_string, text))
    said.append(error(cli.preprocess_input_exprs_arg_string, "a=1+1;b=float(np.ones(2).sum())"))
    said.append(error(cli.preprocess_input_exprs_arg_string, "a"))
    for text in (
        'a=[{"f": [1.5, 2.0]}]',
        'a=[{"i": [7]}]',
        "a=3",
        'a=[{"f": 3}]',
        'a=[{"f": [None]}]',
    ):
        said.append(error(cli.preprocess_input_examples_arg_string, text))
    return said


@case
def command_line_of_freezing(tf):
    freeze = internal("tools.freeze_graph")
    with _folder() as folder:
        path, prefix = _saved(tf, folder)
        text = tf.train.write_graph(tf.get_default_graph(), folder, "graph.pbtxt")
        frozen = os.path.join(folder, "frozen.pb")
        flags = {
            "input_graph": text, "input_saver": "", "input_checkpoint": prefix,
            "checkpoint_version": 2, "output_graph": frozen, "input_binary": False,
            "output_node_names": "y", "restore_op_name": "", "filename_tensor_name": "",
            "clear_devices": True, "initializer_nodes": "", "variable_names_whitelist": "",
            "variable_names_blacklist": "", "input_meta_graph": "", "input_saved_model_dir": "",
            "saved_model_tags": "serve",
        }  # fmt: skip
        said = []
        for changes in (
            {},
            {"input_graph": "", "input_saved_model_dir": path, "input_checkpoint": ""},
            {"checkpoint_version": 3},
            {"output_node_names": ""},
            {"input_graph": folder + "/none"},
        ):
            with tf.Graph().as_default():
                given = argparse.Namespace(**dict(flags, **changes))
                _, raised = _printed(freeze.main, [], given)
            graph_def = tf.GraphDef()
            with open(frozen, "rb") as file:
                graph_def.ParseFromString(file.read())
            said.append([raised[0], _plain(raised[1], folder)])
            said.append(sorted([node.name, node.op] for node in graph_def.node))
    return said


@case
def command_lines_of_graphs(tf):
    strip, optimize = internal("tools.strip_unused"), internal("tools.optimize_for_inference")
    inspect = internal("tools.inspect_checkpoint")
    said = []
    with _folder() as folder:
        _, prefix = _saved(tf, folder)
        with tf.Graph().as_default() as graph:
            x = tf.placeholder(tf.float32, [2], name="x")
            y = tf.add(tf.square(x, name="s"), 1.0, name="y")
            tf.negative(y, name="n")
        tf.train.write_graph(graph, folder, "g.pb", as_text=False)
        source, made = os.path.join(folder, "g.pb"), os.path.join(folder, "made.pb")
        strip.FLAGS = argparse.Namespace(
            input_graph=source, input_binary=True, output_graph=made, output_binary=True,
            input_node_names="s", output_node_names="y", placeholder_type_enum=1,
        )  # fmt: skip
        said.append(_printed(strip.main, [])[0])
        optimize.FLAGS = argparse.Namespace(
            input=made, output=os.path.join(folder, "last.pb"), input_names="s",
            output_names="y", frozen_graph=True, placeholder_type_enum="1", toco_compatible=False,
        )  # fmt: skip
        said.append(error(optimize.main, []))
        for name in ("made.pb", "last.pb"):
            graph_def = tf.GraphDef()
            with open(os.path.join(folder, name), "rb") as file:
                graph_def.ParseFromString(file.read())
            said.append([[node.name, node.op] for node in graph_def.node])
        optimize.FLAGS.input = folder + "/none"
        said.append([_plain(t, folder) for t in _printed(optimize.main, [])[0]])
        said.append([optimize._parse_placeholder_types(text) for text in ("1", "1,3")])
        inspect.FLAGS = argparse.Namespace(
            file_name=prefix, tensor_name="w", all_tensors=False, all_tensor_names=False,
            count_exclude_pattern="",
        )  # fmt: skip
        said.append(_printed(inspect.main, [])[0])
        inspect.FLAGS.all_tensor_names, inspect.FLAGS.count_exclude_pattern = True, "w"
        said.append(_printed(inspect.main, [])[0])
        logs = os.path.join(folder, "logs")
        importer = internal("tools.import_pb_to_tensorboard")
        printed, _ = _printed(importer.import_to_tensorboard, source, logs)
        said.append([_plain(text, folder) for text in printed])
        said.append(len(os.listdir(logs)))
    return said


def _events(tf, folder):
    """The tags, steps and values of the events of a folder, but for the times."""
    found = []
    for name in sorted(os.listdir(folder)):
        if "tfevents" not in name:
            continue
        for event in tf.train.summary_iterator(os.path.join(folder, name)):
            for value in event.summary.value:
                plugin = value.metadata.plugin_data
                shape = [dim.size for dim in value.tensor.tensor_shape.dim]
                number = ""
                if value.WhichOneof("value") == "simple_value":
                    number = "%.4g" % value.simple_value
                elif not shape and value.tensor.dtype == 1:
                    number = "%.4g" % tf.make_ndarray(value.tensor)
                found.append([
                    event.step, value.tag, value.WhichOneof("value"), plugin.plugin_name, number,
                    shape,
                ])  # fmt: skip
            found.append([event.step, event.WhichOneof("what")])
    return found


@eager
def files_for_tensorboard(tf):
    callbacks = internal("keras.callbacks")
    layers = tf.keras.layers
    x = np.linspace(-1, 1, 32).reshape(8, 4).astype(np.float32)
    said = []
    for settings in (
        {}, {"update_freq": "batch"}, {"histogram_freq": 2, "write_images": True},
        {"write_graph": False, "update_freq": 2, "batch_size": 3},
    ):  # fmt: skip
        with _folder() as folder:
            dense = layers.Dense(3, input_shape=(4,), kernel_initializer="ones", name="a")
            model = tf.keras.Sequential([dense])
            model.compile("sgd", "mse", ["mae"])
            board = callbacks.TensorBoard(folder, profile_batch=0, **settings)
            y = x[:, :3]
            model.fit(
                x, y, 4, 3, verbose=0, shuffle=False, validation_data=(x, y), callbacks=[board]
            )
            said.append(sorted(os.listdir(folder)))
            for part in said[-1]:
                said.append(_events(tf, os.path.join(folder, part)))
    return said + [error(callbacks.TensorBoard, "x", other=1)]
