"""What tf.import_graph_def is given: small GraphDefs in text form, and whole graphs of programs.

Standard library and NumPy alone, since the recorder runs under Python 3.7.
"""

import contextlib

import numpy as np


def const(name):
    return (
        'node{name:"%s" op:"Const" attr{key:"dtype" value{type:DT_FLOAT}} attr{key:"value" '
        "value{tensor{dtype:DT_FLOAT tensor_shape{} float_val:1}}}}" % name
    )


def neg(name, inputs, more="", dtype="DT_FLOAT", op="Neg"):
    return 'node{name:"%s" op:"%s" %s %s attr{key:"T" value{type:%s}}}' % (
        name,
        op,
        " ".join('input:"%s"' % text for text in inputs.split()),
        more,
        dtype,
    )


def attr(key, value):
    return 'attr{key:"%s" value{%s}}' % (key, value)


A, B = const("a"), neg("b", "a")


def _placed(name, device, *groups):
    """A constant at a device, colocated with others."""
    groups = "".join('s:"loc:@%s" ' % group for group in groups)
    more = 'device:"%s" ' % device + (attr("_class", "list{%s}" % groups) if groups else "")
    return const(name).replace("attr{", more + " attr{", 1)


def _mapped(*keys, **more):
    value = more.pop("value", 5.0)

    def arguments(tf):
        z = tf.constant(value, name="z")
        return dict(more, input_map=dict.fromkeys(keys, z))

    return arguments


# Name -> (the GraphDef in text form, keyword arguments or a function of tf that gives them).
TEXTS = {
    "plain": (A + B, {}),
    "order": (neg("c", "b") + B + A + neg("d", "a"), {}),
    "returned": (A + B, {"return_elements": ["b", "b:0", "a:0"]}),
    "name": (A + B, {"name": "foo"}),
    "no_name": (A + B, {"name": ""}),
    "mapped": (A + B + neg("c", "a:0"), _mapped("a")),
    "mapped_from_outside": (B, _mapped("a:0")),
    "mapped_value": (A + B, {"input_map": {"a:0": 7.0}}),
    "mapped_value_no_name": (A + B, {"input_map": {"a:0": 7.0}, "name": ""}),
    "mapped_unused": (A + B, _mapped("q:0")),
    "mapped_unused_output": (A + B, _mapped("a:1")),
    "mapped_bad_index": (A + B, _mapped("q:x")),
    "mapped_bad_name": (A + B, _mapped("q:1:2")),
    "mapped_control": (A + B + neg("c", "a ^b"), _mapped("^b")),
    "mapped_other_type": (A + B, _mapped("a", value=5)),
    "mapped_returned": (A + B, _mapped("a:0", return_elements=["a:0", "a", "b:0"])),
    "map_is_a_list": (A + B, {"input_map": [1]}),
    "missing_input": (B, {}),
    "missing_control": (A + neg("b", "a ^z"), {}),
    "missing_output": (A + neg("b", "a:1"), {}),
    "unknown_op_type": (A + neg("b", "a", op="Foo"), {}),
    "twice": (A + A, {}),
    "wrong_type": (A + neg("b", "a", dtype="DT_INT32"), {}),
    "type_not_allowed": (A + neg("b", "a", dtype="DT_STRING"), {}),
    "text_not_allowed": (
        A
        + 'node{name:"p" op:"MaxPool" input:"a"'
        + attr("padding", 's:"BAD"')
        + attr("ksize", "list{i:1 i:1 i:1 i:1}")
        + attr("strides", "list{i:1 i:1 i:1 i:1}")
        + "}",
        {},
    ),
    "attr_missing": (A + 'node{name:"b" op:"Neg" input:"a"}', {}),
    "attr_unknown": (A + neg("b", "a", attr("zz", "i:1")), {}),
    "attr_private": (A + neg("b", "a", attr("_zz", "i:1")), {}),
    "cycle": (neg("b", "c") + neg("c", "b"), {}),
    "too_many_inputs": (A + neg("b", "a a"), {}),
    "too_few_inputs": (neg("b", ""), {}),
    "control_for_input": (A + neg("b", "^a"), {}),
    "control_first": (A + neg("b", "^a a"), {}),
    "returned_missing_node": (A, {"return_elements": ["zz"]}),
    "returned_missing_tensor": (A, {"return_elements": ["zz:0"]}),
    "returned_missing_output": (A, {"return_elements": ["a:3"]}),
    "returned_bad_name": (A, {"return_elements": ["a:b"]}),
    "returned_no_names": (A, {"return_elements": [1]}),
    "device": (A + neg("b", "a", 'device:"/cpu:0"'), {}),
    "colocated": (A + neg("b", "a", attr("_class", 'list{s:"loc:@a"}')), {}),
    "colocated_with_itself": (_placed("a", "/cpu:0", "a") + _placed("b", "/gpu:0", "a"), {}),
    "colocated_later": (_placed("b", "/gpu:0", "a") + _placed("a", "/cpu:0", "a"), {}),
    "colocated_with_two": (
        _placed("c", "/cpu:1", "c") + _placed("b", "/gpu:0") + _placed("a", "/cpu:0", "c", "b"),
        {"name": "x"},
    ),
    "colocated_in_a_circle": (_placed("a", "/cpu:0", "b") + _placed("b", "/gpu:0", "a"), {}),
    "colocated_missing": (A + neg("b", "a", attr("_class", 'list{s:"loc:@zz"}')), {}),
    "output_shapes": (
        A.replace('"Const"', '"Placeholder"').replace(
            A[A.index('attr{key:"value"') : -1], attr("_output_shapes", "list{shape{dim{size:3}}}")
        ),
        {},
    ),
    "output_shapes_wrong": (
        A + neg("b", "a", attr("_output_shapes", "list{shape{dim{size:3}}}")),
        {},
    ),
    "bad_name": ('node{name:"a b" op:"NoOp"}', {}),
    "too_new": ("versions{producer:999 min_consumer:500}" + A, {}),
    "old": ("versions{producer:1}" + A, {}),
    "bad_consumer": ("versions{producer:134 bad_consumers:134}" + A, {}),
    "input_unlike_a_name": (A + neg("b", "a:x"), {}),
    "attrs_missing": (A + 'node{name:"b" op:"AddN" input:"a"}', {}),
    "many_types": (A + neg("b", "a a", attr("N", "i:3"), op="AddN"), {}),
    "tensor_by_default": (A + neg("b", "a", op="ImageSummary"), {}),
    "shape_refused": (A + neg("b", "a", op="MatrixDiagPart"), {}),
}


@contextlib.contextmanager
def name_scope(tf):
    with tf.name_scope("outer"):
        yield


@contextlib.contextmanager
def taken_name(tf):
    tf.constant(1.0, name="import/a")
    tf.constant(1.0, name="import/b/inner")
    yield


@contextlib.contextmanager
def device_scope(tf):
    with tf.device("/gpu:1"):
        yield


@contextlib.contextmanager
def control_scope(tf):
    with tf.control_dependencies([tf.constant(1.0, name="first")]):
        yield


@contextlib.contextmanager
def override(tf):
    with tf.get_default_graph().gradient_override_map({"Neg": "Other"}):
        yield


SCOPES = {f.__name__: f for f in (name_scope, taken_name, device_scope, control_scope, override)}
SCOPED_TEXT = A + B + neg("c", "a", 'device:"/cpu:0"')


def outcome(tf, text, arguments, scope=None):
    """What an import into an empty graph gives: what it returns and the graph, or the error."""
    import recording
    from google.protobuf import text_format

    tf.reset_default_graph()
    graph_def = tf.GraphDef()
    text_format.Merge(text, graph_def)
    result = {}

    def build(tf):
        given = arguments(tf) if callable(arguments) else arguments
        with scope(tf) if scope else tf.name_scope(None):
            returned = tf.import_graph_def(graph_def, **given)
        result["returned"] = None if returned is None else [repr(item) for item in returned]

    error = recording.raised(tf, build)
    if error is not None:
        return {"error": error}
    result["graph"] = recording.describe_graph(tf.get_default_graph())
    return result


# ---- whole programs: each records a graph and returns (feeds by name, fetches by name) ----------


def while_loop(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    shapes = [tf.TensorShape([]), tf.TensorShape([None, 2])]
    _, y = tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, tf.tanh(y) * 2), [0, x], shape_invariants=shapes
    )
    tf.identity(y, name="y")
    return {"x:0": np.array([[0.5, -1.0]], np.float32)}, ["y:0"]


def while_gradient(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    n = tf.placeholder(tf.int32, [], name="n")
    _, y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * y), [0, x])
    tf.identity(tf.gradients(y, x)[0], name="g")
    return {"x:0": np.array([0.5, 1.5], np.float32), "n:0": np.int32(3)}, ["g:0"]


def cond(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.cond(x > 1, lambda: tf.cond(x > 2, lambda: x * 3, lambda: x * 2), lambda: -x)
    tf.identity(tf.gradients(y, x)[0], name="g")
    return {"x:0": np.float32(1.5)}, [y.name, "g:0"]


def defined_function(tf):
    from tensorflow.python.framework import function

    @function.Defun(tf.float32, tf.float32, func_name="scaled_sum")
    def scaled_sum(a, b):
        return 2 * a + b, a - b

    x = tf.placeholder(tf.float32, [2], name="x")
    first, second = scaled_sum(x, tf.constant([1.0, 2.0]))
    tf.multiply(first, second, name="y")
    return {"x:0": np.array([3.0, 4.0], np.float32)}, ["y:0"]


def map_and_arrays(tf):
    x = tf.placeholder(tf.float32, [3, 2], name="x")
    tf.map_fn(lambda row: tf.cumsum(row), x, name="m")
    y = tf.scan(lambda a, row: a * 0.5 + row, x)
    tf.identity(y, name="y")
    return {"x:0": np.arange(6, dtype=np.float32).reshape(3, 2)}, ["y:0"]


PROGRAMS = {
    f.__name__: f for f in (while_loop, while_gradient, cond, defined_function, map_and_arrays)
}
