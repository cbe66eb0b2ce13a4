"""What the golden recorders and the tests that replay them share.

Runs under the real TensorFlow 1.15 (Python 3.7) as well as under this project's Python, so that
both sides describe a graph, a value or an error with the very same code. Everything here takes the
`tensorflow` module as an argument.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import importlib.util
import json
import lzma
import os
import re
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")
SNIPPETS = os.path.join(HERE, "snippets")
DATA = os.path.join(HERE, "data")

STEPS = 20
DRAWS = 3
_LONG = 64  # bytes or elements above which a constant is stored as a digest


def load_module(path):
    """Imports the Python file at `path` without touching sys.modules."""
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location("golden_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def program_cases():
    """Lists the recorded programs.

    Returns:
        `(id, path, kwargs)` triples: a program file with a `CASES` dict gives one triple per case,
        any other file one.
    """
    found = []
    for filename in sorted(os.listdir(PROGRAMS)):
        stem, extension = os.path.splitext(filename)
        if extension != ".py":
            continue
        path = os.path.join(PROGRAMS, filename)
        cases = getattr(load_module(path), "CASES", None)
        if cases is None:
            found.append((stem, path, {}))
        else:
            found.extend((stem + "-" + key, path, kwargs) for key, kwargs in cases.items())
    return found


def snippet_paths():
    """Returns the snippet scripts' paths, in order."""
    names = sorted(name for name in os.listdir(SNIPPETS) if name.endswith(".py"))
    return [os.path.join(SNIPPETS, name) for name in names]


# ---- protocol buffers as text --------------------------------------------------------------------


def proto_text(message):
    """Describes a protocol buffer on one line, alike under every version of the library.

    Long byte strings and long lists (the contents of constants) become a digest with their length.
    """
    parts = []
    for field, value in message.ListFields():
        if hasattr(value, "ListFields"):
            parts.append(field.name + " {" + proto_text(value) + "}")
        elif hasattr(value, "items"):
            for key in sorted(value):
                parts.append("{}[{}] {{{}}}".format(field.name, key, proto_text(value[key])))
        elif isinstance(value, (str, bytes, int, float)):
            parts.append(field.name + ": " + _scalar_text(field, value))
        else:
            parts.append(field.name + ": [" + _list_text(field, value) + "]")
    return " ".join(parts)


def _scalar_text(field, value):
    if hasattr(value, "ListFields"):
        return "{" + proto_text(value) + "}"
    if field.enum_type is not None:
        return field.enum_type.values_by_number[value].name
    if isinstance(value, bytes):
        if not value:
            return '""'
        if len(value) > _LONG:
            return "{} bytes {}".format(len(value), _digest(value))
        try:
            text = value.decode("ascii")
        except UnicodeDecodeError:
            text = ""
        return (
            json.dumps(text)
            if text and text.isprintable()
            else "b64:" + base64.b64encode(value).decode()
        )
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "{:.9g}".format(value)
    return str(value)


def _list_text(field, values):
    text = ", ".join(_scalar_text(field, value) for value in values)
    if len(values) > _LONG:
        return "{} values {}".format(len(values), _digest(text.encode()))
    return text


def _digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


# ---- graphs --------------------------------------------------------------------------------------


def describe_graph(graph):
    """Describes a graph as plain data.

    Args:
        graph: a `tf.Graph`.

    Returns:
        A dict of `nodes` (name, op, inputs, device and attrs of every node, in order of creation),
        `shapes` (node name -> the static shapes of its outputs), `library` (the same of every
        function), `collections` (key -> names) and `producer`.
    """
    graph_def = graph.as_graph_def(add_shapes=True)
    nodes, shapes = [], {}
    for node in graph_def.node:
        nodes.append(_describe_node(node))
        if "_output_shapes" in node.attr:
            shapes[node.name] = [_shape_text(s) for s in node.attr["_output_shapes"].list.shape]
    functions = {}
    for function in sorted(graph_def.library.function, key=lambda f: _by_number(f.signature.name)):
        functions[function.signature.name] = {
            "signature": _signature_text(function.signature),
            "nodes": [_describe_node(node) for node in function.node_def],
            "ret": dict(function.ret),
            "attrs": {key: proto_text(function.attr[key]) for key in sorted(function.attr)},
        }
    gradients = {g.function_name: g.gradient_func for g in graph_def.library.gradient}
    described = {
        "nodes": nodes,
        "shapes": shapes,
        "library": {"functions": functions, "gradients": gradients},
        "collections": {
            key: [_member_name(member) for member in graph.get_collection(key)]
            for key in sorted(graph.get_all_collection_keys())
        },
        "producer": graph_def.versions.producer,
    }
    return json.loads(_renumber(json.dumps(described)))


def _signature_text(signature):
    """Describes a function's signature; TF lists its control outputs in no fixed order."""
    ordered = type(signature)()
    ordered.CopyFrom(signature)
    del ordered.control_output[:]
    ordered.control_output.extend(sorted(signature.control_output))
    return proto_text(ordered)


def _by_number(name):
    return len(name), name


def _renumber(text):
    """Numbers anew, in order of appearance, the names that hold a counter of the whole process.

    Gone is also what is random: a saver's temporary folder, a table's shared name, and the hash in
    the name of a data set's factory, which covers such names.
    """
    seen = {}

    def number(match):
        prefix, old = match.groups()
        numbers = seen.setdefault("pyfunc" if prefix == "pyfunc_" else "uid", {})
        return prefix + str(numbers.setdefault(old, len(numbers)))

    def function(match):
        return re.sub(r"(_)(\d+)(?=_|$)", number, match.group())

    text = re.sub(r"\b(CustomGradient-|PartitionedCall-|pyfunc_)(\d+)\b", number, text)
    text = re.sub(r"\b__(?:inference|forward|backward)_[\w<>]+", function, text)
    text = re.sub(r"\bDataset_(?:map|filter)_[\w<>]+", function, text)
    text = re.sub(r"\b_temp_[0-9a-f]{32}", "_temp_uuid", text)
    text = re.sub(r"\bhash_table_[0-9a-f]{8}(-[0-9a-f]{4}){3}-\w{12}", "hash_table_<uuid>", text)
    return re.sub(r"\b_make_dataset_\w+", "_make_dataset_hash", text)


def _describe_node(node):
    """A node's name, op, inputs, device and attrs.

    Not so the ConfigProto that a function call carries: it describes the machine's devices.
    """
    attrs = {
        key: proto_text(node.attr[key])
        for key in sorted(node.attr)
        if key not in ("_output_shapes", "config_proto")
    }
    return [node.name, node.op, list(node.input), node.device, attrs]


def _shape_text(shape):
    if shape.unknown_rank:
        return "?"
    return "[" + ",".join("?" if dim.size < 0 else str(dim.size) for dim in shape.dim) + "]"


def _member_name(member):
    """A collection member's name; members without one are described by their type."""
    name = getattr(member, "name", None)
    if isinstance(name, str):
        return name
    return member if isinstance(member, (str, int, float)) else type(member).__name__


def first_graph_difference(expected, actual):
    """Says where two `describe_graph` results first differ, or returns None when they do not.

    Static shapes are left out: see `first_shape_difference`.
    """
    difference = _first_node_difference(expected["nodes"], actual["nodes"])
    if difference:
        return difference
    for name, function in expected["library"]["functions"].items():
        other = actual["library"]["functions"].get(name)
        if other is None:
            have = sorted(actual["library"]["functions"])
            return "function {} is missing from the library; there are {}".format(name, have)
        for part in ("signature", "ret", "attrs"):
            if function[part] != other[part]:
                return _pair("function {} {}".format(name, part), function[part], other[part])
        difference = _first_node_difference(function["nodes"], other["nodes"])
        if difference:
            return "in function {}: {}".format(name, difference)
    extra = set(actual["library"]["functions"]) - set(expected["library"]["functions"])
    if extra:
        return "functions that TensorFlow does not have: {}".format(sorted(extra))
    for part in ("collections", "producer"):
        if expected[part] != actual[part]:
            return _first_mapping_difference(part, expected[part], actual[part])
    if expected["library"]["gradients"] != actual["library"]["gradients"]:
        return _pair(
            "library gradients", expected["library"]["gradients"], actual["library"]["gradients"]
        )
    return None


def _first_node_difference(expected, actual):
    for index, (want, have) in enumerate(zip(expected, actual)):
        if want == have:
            continue
        where = "node {} of {} ({})".format(index, len(expected), want[0])
        for part, name in enumerate(("name", "op", "inputs", "device")):
            if want[part] != have[part]:
                before = [node[0] for node in expected[max(0, index - 2) : index]]
                after_want = [node[0] for node in expected[index : index + 4]]
                after_have = [node[0] for node in actual[index : index + 4]]
                return "{}\n  after {}\n  TensorFlow goes on {}\n  here it goes on  {}".format(
                    _pair(where + " " + name, want[part], have[part]),
                    before,
                    after_want,
                    after_have,
                )
        return _first_mapping_difference(where + " attr", want[4], have[4])
    if len(expected) != len(actual):
        longer, who = (
            (expected, "TensorFlow") if len(expected) > len(actual) else (actual, "this graph")
        )
        rest = [node[0] for node in longer[min(len(expected), len(actual)) :]]
        return "{} nodes expected, {} found; only {} has {}".format(
            len(expected), len(actual), who, rest[:8]
        )
    return None


def _first_mapping_difference(where, expected, actual):
    if not isinstance(expected, dict):
        return _pair(where, expected, actual)
    for key in sorted(set(expected) | set(actual)):
        if expected.get(key) != actual.get(key):
            return _pair("{} {}".format(where, key), expected.get(key), actual.get(key))
    return None


def _pair(where, expected, actual):
    return "{} differs:\n  TensorFlow: {!r}\n  here:       {!r}".format(where, expected, actual)


def shape_differences(expected, actual):
    """Lists the nodes whose static output shapes differ, as text, one line a node."""
    return [
        "{}: TensorFlow {}, here {}".format(name, shapes, actual.get(name))
        for name, shapes in expected.items()
        if actual.get(name) != shapes
    ]


# ---- values --------------------------------------------------------------------------------------


def describe_value(value):
    """Describes what `Session.run` returned as plain data.

    Arrays over 16 elements are described by a summary that depends on all of them: a checksum, or
    what is left of floats that are summed with several patterns of signs.
    """
    if isinstance(value, dict):
        return {"dict": {str(key): describe_value(value[key]) for key in value}}
    if value is None:
        return None
    if hasattr(value, "_fields"):
        return {"tuple": [describe_value(part) for part in value]}
    if isinstance(value, (list, tuple)):
        return {"list": [describe_value(part) for part in value]}
    array = np.asarray(value)
    described = {"dtype": _dtype_name(array), "shape": list(array.shape)}
    if array.dtype.kind in "OSU":
        described["data"] = [
            x.decode("latin-1") if isinstance(x, bytes) else x for x in array.ravel().tolist()
        ]
        return described
    numbers = array.ravel()
    if numbers.dtype.kind == "V" or numbers.dtype.itemsize < 4 and numbers.dtype.kind == "f":
        numbers = numbers.astype(np.float32)
    if numbers.dtype.kind == "c":
        numbers = np.stack([numbers.real, numbers.imag], axis=-1).ravel()
    if numbers.size <= 16:
        described["data"] = _numbers(numbers)
    else:
        described["head"] = _numbers(numbers[:8])
        if numbers.dtype.kind == "f":
            finite = np.isfinite(numbers)
            if not finite.all():  # Which are NaN, and which infinite.
                described["crc32"] = _crc32(
                    np.where(finite, 0, np.nan_to_num(np.sign(numbers), nan=2))
                )
            as_double = np.where(finite, numbers, 0).astype(np.float64)
            described["mean"], described["std"] = float(as_double.mean()), float(as_double.std())
            described["signed_sums"] = _signed_sums(as_double)
        else:
            described["mean"], described["std"] = float(numbers.mean()), float(numbers.std())
            described["crc32"] = _crc32(numbers)
    return described


def _crc32(numbers):
    return zlib.crc32(numbers.astype("<i8").tobytes()) & 0xFFFFFFFF


def _signed_sums(numbers):
    """Sums of the numbers under fixed signs, divided by the root of their count: about as large as
    one of them. What moves, or changes one number in n, changes these by more than 1/sqrt(n)."""
    signs = np.random.RandomState(0)
    scale = np.sqrt(numbers.size)
    return [
        float((numbers * signs.choice([-1.0, 1.0], numbers.size)).sum() / scale) for _ in range(4)
    ]


def _dtype_name(array):
    return "string" if array.dtype.kind in "OSU" else array.dtype.name


def _numbers(array):
    """A list that JSON keeps exactly: float32 values as their shortest decimal."""
    if array.dtype == np.float32:
        return [float("{:.9g}".format(x)) for x in array.tolist()]
    return array.tolist()


def value_difference(expected, actual, rtol, where="value"):
    """Says how two `describe_value` results differ beyond `rtol`, or returns None.

    A number may be off by `rtol` of itself or of a hundredth of the largest one beside it,
    whichever is more: entries that cancel to almost nothing carry no relative precision of their
    own. Integers, booleans and strings must be equal.
    """
    if expected is None or actual is None:
        return None if expected is actual else _pair(where, expected, actual)
    for group in ("list", "tuple"):
        if group in expected:
            if group not in actual or len(actual[group]) != len(expected[group]):
                return _pair(where, expected, actual)
            pairs = zip(expected[group], actual[group])
            found = (
                value_difference(a, b, rtol, "{}[{}]".format(where, i))
                for i, (a, b) in enumerate(pairs)
            )
            return next((text for text in found if text), None)
    if "dict" in expected:
        if "dict" not in actual or set(expected["dict"]) != set(actual["dict"]):
            return _pair(where, expected, actual)
        found = (
            value_difference(part, actual["dict"][key], rtol, "{}[{}]".format(where, key))
            for key, part in expected["dict"].items()
        )
        return next((text for text in found if text), None)
    for key in ("dtype", "shape"):
        if expected[key] != actual.get(key):
            return _pair("{} {}".format(where, key), expected[key], actual.get(key))
    exact = expected["dtype"] == "string" or expected["dtype"].startswith(("int", "uint", "bool"))
    for key in ("data", "head"):
        if key in expected:
            if exact:
                same = expected[key] == actual[key]
            else:
                same = close(expected[key], actual[key], rtol)
            if not same:
                return _pair("{} {}".format(where, key), expected[key], actual[key])
    if "crc32" in expected and expected["crc32"] != actual["crc32"]:
        return _pair("{} crc32".format(where), expected["crc32"], actual["crc32"])
    if "std" in expected:
        scale = abs(expected["mean"]) + expected["std"]
        for key in ("mean", "std", "signed_sums"):
            want = expected.get(key)
            if want is not None and not np.allclose(actual[key], want, rtol=0, atol=rtol * scale):
                return _pair("{} {}".format(where, key), want, actual[key])
    return None


def close(expected, actual, rtol):
    """Whether lists of numbers agree to `rtol`, of each number or of a hundredth of the largest."""
    want, have = np.asarray(expected, np.float64), np.asarray(actual, np.float64)
    if want.size == 0:
        return True
    finite = want[np.isfinite(want)]
    largest = np.max(np.abs(finite)) if finite.size else 0.0
    return np.allclose(have, want, rtol=rtol, atol=rtol * 0.01 * largest, equal_nan=True)


# ---- programs ------------------------------------------------------------------------------------


def build_program(tf, path, kwargs):
    """Builds one program in a fresh default graph.

    Args:
        tf: the `tensorflow` module.
        path: the program's file; its `build(tf, **kwargs)` records the graph and returns a dict
            with any of `init` (an op to run first), `train` (an op, or a list of ops, run every
            step), `loss` (a tensor fetched with it), `feeds` (step -> feed dict), `fetch` (name ->
            tensor, read after training) and `draws` (name -> tensor, run three times in a session
            of their own).
    """
    tf.reset_default_graph()
    return load_module(path).build(tf, **kwargs)


def run_program(tf, program, joint=True, config=None):
    """Runs a built program.

    Args:
        tf: the `tensorflow` module.
        program: what `build_program` returned, its graph still the default one.
        joint: fetch the loss in the run that trains; else in a run of its own before.
        config: the session's `tf.ConfigProto`.

    Returns:
        A dict of `initial` (variable name -> described value), `losses` (floats), `fetch` and
        `draws`.
    """
    feeds = program.get("feeds") or (lambda step: {})
    variables = tf.global_variables() + tf.local_variables()
    result = {"initial": {}, "losses": [], "fetch": {}, "draws": []}
    with tf.Session(config=config) as sess:
        if program.get("init") is not None:
            sess.run(program["init"])
        if variables:
            values = sess.run(variables)
            result["initial"] = {v.name: describe_value(x) for v, x in zip(variables, values)}
        if program.get("loss") is not None:
            for step in range(STEPS):
                result["losses"].append(_train_step(sess, program, feeds(step), joint))
        if program.get("fetch"):
            fetched = sess.run(program["fetch"], feeds(STEPS))
            result["fetch"] = {key: describe_value(fetched[key]) for key in sorted(fetched)}
    if program.get("draws"):
        with tf.Session(config=config) as sess:
            if program.get("init") is not None:
                sess.run(program["init"])
            for _ in range(DRAWS):
                drawn = sess.run(program["draws"])
                result["draws"].append({key: describe_value(drawn[key]) for key in sorted(drawn)})
    return result


def _train_step(sess, program, feed_dict, joint):
    if joint:
        loss = sess.run([program["loss"], program["train"]], feed_dict)[0]
    else:
        loss = sess.run(program["loss"], feed_dict)
        sess.run(program["train"], feed_dict)
    return float("{:.9g}".format(float(loss)))


def run_steps(tf, steps):
    """Runs fetches one after the other in one session; describes what each gives or raises."""
    described = []
    with tf.Session() as session:
        for step in steps:
            try:
                described.append({"value": describe_value(session.run(step))})
            except tf.errors.OpError as error:
                text = error_text(error).split("\n\t [[")[0]
                described.append({"error": [type(error).__name__, text]})
    return described


# ---- text ----------------------------------------------------------------------------------------


def normalise_text(text):
    """Replaces what no two machines share: file paths with line numbers, and memory addresses."""
    text = re.sub(r"[^\s()]+\.py:\d+", "<file>:<line>", text)
    text = re.sub(r"0x[0-9a-f]{6,}", "<address>", text)
    return re.sub(r"in binary running on \S+\.", "in binary running on <host>.", text)


def error_text(error):
    """An exception's text, normalised, `OpError`s without the stack trace of the op's creation.

    The frames of a traceback in the middle of a text show lines of TensorFlow's own source, and
    some names hold a counter of the whole process: both become placeholders.
    """
    text = getattr(error, "message", None)
    text = text if isinstance(text, str) else str(error)
    text = re.split(r"\n\nOriginal stack trace for ", text)[0]
    frame = r'  File "[^"]*", line \d+, in .*\n(?:    .*\n)*\n?'
    text = re.sub("(?:{})+".format(frame), "  <frames>\n", text)
    text = re.sub(
        r"Previous registration was in .*\)", "Previous registration was in <where>)", text
    )
    text = re.sub(r"\b(pyfunc_|TensorArray_)\d+", r"\1<n>", text)
    text = re.sub(r"'_\d+_(\w+)'", r"'_<n>_\1'", text)
    return normalise_text(text)


def raised(tf, function):
    """Describes the exception that `function(tf)` raises in an empty default graph, or None.

    The class of `tf.errors` that an exception is an instance of is called by that name:
    "errors.NotFoundError".
    """
    tf.reset_default_graph()
    try:
        with tf.get_default_graph().as_default():
            function(tf)
    except Exception as error:
        name = type(error).__name__
        public = getattr(tf.errors, name, None) is type(error)
        return {"class": "errors." + name if public else name, "text": error_text(error)}
    return None


# ---- files ---------------------------------------------------------------------------------------


def write_json(path, data):
    """Writes `data` as JSON, gzipped (without a time stamp) when the name ends in .gz, or in the
    smaller form .xz."""
    text = json.dumps(data, separators=(",", ":"), sort_keys=True).encode()
    if path.endswith(".xz"):
        text = lzma.compress(text)
    if path.endswith(".gz"):
        text = gzip.compress(text, 9)[:4] + b"\0\0\0\0" + gzip.compress(text, 9)[8:]
    with open(path, "wb") as file:
        file.write(text)


def read_json(path):
    """Reads what `write_json` wrote."""
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith(".xz"):
        data = lzma.decompress(data)
    return json.loads(gzip.decompress(data) if path.endswith(".gz") else data)
