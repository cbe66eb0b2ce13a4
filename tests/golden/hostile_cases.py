# ruff: noqa: E501 -- a table
"""GraphDefs that nobody means well with: cycles, inputs that are not there, attrs of other kinds,
huge and negative shapes, tensors that are not what they say.

Runs under the real TensorFlow 1.15 (Python 3.7) as well as under this project's Python.
"""

from __future__ import annotations

from google.protobuf import text_format

HUGE = 9223372036854775807


def attr(key, value):
    return 'attr {{ key: "{}" value {{ {} }} }} '.format(key, value)


def node(name, op, *inputs, **attrs):
    """A NodeDef's text; an attr is the text of its value."""
    parts = "".join('input: "{}" '.format(x) for x in inputs)
    parts += "".join(attr(key, attrs[key]) for key in sorted(attrs))
    return 'node {{ name: "{}" op: "{}" {}}} '.format(name, op, parts)


def const(tensor, dtype="DT_FLOAT", name="c"):
    value = "tensor { dtype: DT_FLOAT " + tensor + " }"
    return node(name, "Const", dtype="type: " + dtype, value=value)


def sized(*sizes):
    return "shape { " + "".join("dim { size: %d } " % size for size in sizes) + "}"


def function(op, output, **attrs):
    """A library with a function f of one float, made of one node."""
    body = "".join(attr(key, attrs[key]) for key in sorted(attrs))
    return (
        'library { function { signature { name: "f" input_arg { name: "x" type: DT_FLOAT } '
        'output_arg { name: "y" type: DT_FLOAT } } node_def { name: "r" op: "%s" input: "x" %s } '
        'ret { key: "y" value: "%s" } } } ' % (op, body, output)
    )


F = {"T": "type: DT_FLOAT"}
ONE = const("tensor_shape { } float_val: 1")
ZERO = node(
    "z",
    "Const",
    dtype="type: DT_INT32",
    value="tensor { dtype: DT_INT32 tensor_shape { } int_val: 0 }",
)
LIST = "list { type: DT_FLOAT }"
CALL = {"Tin": LIST, "Tout": LIST, "f": 'func { name: "f" }'}


def identity(*inputs, **attrs):
    return ONE + node("a", "Identity", *inputs, **(attrs or F))


def placeholder(*sizes):
    return node("a", "Placeholder", dtype="type: DT_FLOAT", shape=sized(*sizes))


def tensor(sizes, values):
    return const("tensor_" + sized(*sizes) + " " + values, name="a")


# id, GraphDef, feeds; "a:0" is fetched
CASES = [
    ("cycle", node("a", "Identity", "b", **F) + node("b", "Identity", "a", **F), {}),
    ("self_cycle", node("a", "Identity", "a", **F), {}),
    ("control_cycle", node("a", "NoOp", "^b") + node("b", "NoOp", "^a"), {}),
    (
        "merge_cycle",
        ONE + node("m", "Merge", "c", "a", N="i: 2", **F) + node("a", "Identity", "m", **F),
        {},
    ),
    (
        "next_iteration_alone",
        ONE + node("a", "Merge", "c", "n", N="i: 2", **F) + node("n", "NextIteration", "a", **F),
        {},
    ),
    ("missing_input", identity("nope"), {}),
    ("missing_output", identity("c:7"), {}),
    ("negative_output", identity("c:-1"), {}),
    ("missing_control", identity("c", "^z"), {}),
    ("too_few_inputs", ONE + node("a", "Add", "c", **F), {}),
    ("too_many_inputs", identity("c", "c"), {}),
    ("input_after_control", ONE + node("a", "Add", "c", "^c", "c", **F), {}),
    ("attr_of_other_kind", identity("c", T="i: 3"), {}),
    ("attr_list_for_one", identity("c", T="list { type: DT_FLOAT }"), {}),
    ("attr_one_for_list", ONE + node("a", "IdentityN", "c", T="type: DT_FLOAT"), {}),
    ("attr_other_dtype", identity("c", T="type: DT_INT32"), {}),
    ("attr_no_dtype", identity("c", T="type: 77"), {}),
    ("attr_unknown", identity("c", zzz="i: 3", **F), {}),
    ("attr_missing", ONE + node("a", "Identity", "c"), {}),
    ("attr_not_allowed", ONE + node("a", "Add", "c", "c", T="type: DT_BOOL"), {}),
    ("unknown_op", ONE + node("a", "Frobnicate", "c"), {}),
    ("duplicate_names", ONE + ONE, {}),
    ("name_with_space", const("tensor_shape { } float_val: 1", name="c d"), {}),
    ("no_name", const("tensor_shape { } float_val: 1", name=""), {}),
    ("negative_shape", placeholder(-5), {"a:0": [1.0]}),
    ("huge_shape", placeholder(HUGE, HUGE), {"a:0": [[1.0]]}),
    ("tensor_too_short", tensor([3], 'tensor_content: "abcd"'), {}),
    ("tensor_too_long", tensor([1], 'tensor_content: "abcdefgh"'), {}),
    ("tensor_huge", tensor([1000000000000], "float_val: 1"), {}),
    ("tensor_huge_of_two", tensor([1000000000000], "float_val: 1 float_val: 2"), {}),
    ("tensor_negative", tensor([-3], "float_val: 1"), {}),
    ("tensor_overflowing", tensor([HUGE, HUGE], "float_val: 1"), {}),
    ("tensor_other_dtype", const("tensor_shape { } float_val: 1", "DT_INT32", "a"), {}),
    (
        "tensor_no_dtype",
        node("a", "Const", dtype="type: DT_FLOAT", value="tensor { float_val: 1.5 }"),
        {},
    ),
    ("tensor_other_values", tensor([1], "int_val: 1"), {}),
    ("tensor_more_values", tensor([1], "float_val: 1 float_val: 2"), {}),
    ("tensor_no_values", tensor([2], ""), {}),
    ("many_inputs", ONE + node("a", "AddN", "c", N="i: 3", **F), {}),
    ("negative_inputs", ONE + node("a", "AddN", "c", N="i: -1", **F), {}),
    ("huge_inputs", ONE + node("a", "AddN", "c", N="i: 2000000000", **F), {}),
    ("huge_outputs", ONE + ZERO + node("a", "Split", "z", "c", num_split="i: 2147483647", **F), {}),
    (
        "python_function",
        ONE + node("a", "PyFunc", "c", Tin=LIST, Tout=LIST, token='s: "pyfunc_0"'),
        {},
    ),
    ("function_calls_itself", ONE + function("f", "r:y:0") + node("a", "f", "c"), {}),
    (
        "partitioned_call_of_itself",
        ONE + function("PartitionedCall", "r:output:0", **CALL) + node("a", "PartitionedCall", "c", **CALL),
        {},
    ),
    ("function_not_there", ONE + node("a", "PartitionedCall", "c", **CALL), {}),
    ("function_returns_nothing", ONE + function("Identity", "zz:output:0", **F) + node("a", "f", "c"), {}),
    ("function_returns_beyond", ONE + function("Identity", "r:output:5", **F) + node("a", "f", "c"), {}),
    ("function_good", ONE + function("Identity", "r:output:0", **F) + node("a", "f", "c"), {}),
]  # fmt: skip


def run(tf, graph_def, feeds):
    """Imports the GraphDef and runs "a"; returns its value, as text, or (class, text)."""
    with tf.Graph().as_default() as graph:
        try:
            proto = tf.GraphDef()
            text_format.Merge(graph_def, proto)
            tf.import_graph_def(proto, name="")
            with tf.Session() as session:
                return str(session.run(graph.get_operation_by_name("a").outputs[0], feeds))
        except Exception as error:
            text = (
                getattr(error, "message", str(error)).split("\n\t [[")[0].split("\n\nOriginal")[0]
            )
            return [type(error).__name__, text]
