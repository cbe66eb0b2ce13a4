"""Rows of variables: reads, assignments and scatters, for reference and resource variables.

A row's variables are its first arguments; what they hold after the run is compared as well.
"""

from __future__ import annotations

from op_table.case import Case, arr, bools, ints, val

TABLE = arr(4, 2)
ROWS = val([2, 0], "int32")
TWICE = val([2, 0, 2], "int32")
SWEEP = ["float32", "float64", "int32", "int64", "float16"]

SCATTERS = ["add", "sub", "mul", "div", "update", "min", "max"]


def _kinds(op, fn, inputs, label, variables, **keywords):
    """The row for a reference variable and for a resource variable."""
    for resource in (False, True):
        kind = "resource" if resource else "ref"
        name = f"{label}_{kind}" if label else kind
        yield Case(op, fn, inputs, name, variables=variables, resource=resource, **keywords)


def _rows():
    one = [arr(2, 3)]
    yield from _kinds(
        "Assign",
        lambda tf, v, x: tf.assign(v, x),
        one,
        "",
        one,
        dtypes=[*SWEEP, "bool", "complex64", "int8"],
    )
    yield from _kinds("AssignAdd", lambda tf, v, x: tf.assign_add(v, x), one, "", one, dtypes=SWEEP)
    yield from _kinds("AssignSub", lambda tf, v, x: tf.assign_sub(v, x), one, "", one, dtypes=SWEEP)
    yield from _kinds("Assign", lambda tf, v, x: v.assign(x), one, "method", one)
    yield from _kinds("AssignAdd", lambda tf, v, x: v.assign_add(x), one, "method", one)
    yield from _kinds("AssignSub", lambda tf, v, x: v.assign_sub(x), one, "method", one)
    yield from _kinds(
        "AssignAdd",
        lambda tf, v: tf.assign_add(v, 1),
        [],
        "count",
        [val(3)],
        dtypes=["int32", "int64"],
    )
    yield from _kinds(
        "Assign", lambda tf, v, x: tf.assign(v, x), [arr(3)], "mismatch", one, raises=True
    )
    yield from _kinds(
        "Assign",
        lambda tf, v, x: v + x,
        [arr(2, 3)],
        "read",
        one,
        dtypes=["float32", "int32"],
        grad=(0, 1),
    )
    yield from _kinds(
        "Assign", lambda tf, v: v * v + tf.sin(v), [], "read_often", one, grad=(0,), second=True
    )
    yield from _kinds("Assign", lambda tf, v: v[1], [], "sliced", one, grad=(0,))
    yield from _kinds("Assign", lambda tf, v: v.read_value(), [], "read_value", one, grad=(0,))
    yield from _kinds("Assign", lambda tf, v: v.initialized_value(), [], "initialized_value", one)
    yield from _kinds(
        "Assign", lambda tf, v, x: tf.matmul(v, x), [arr(3, 2)], "matmul", one, grad=(0, 1)
    )
    yield from _kinds("GatherV2", lambda tf, v, i: tf.gather(v, i), [TWICE], "", [TABLE], grad=(0,))
    yield from _kinds(
        "GatherNd",
        lambda tf, v, i: tf.gather_nd(v, i),
        [val([[2, 0], [0, 1]], "int32")],
        "",
        [TABLE],
        grad=(0,),
    )
    yield from _kinds(
        "EmbeddingLookup",
        lambda tf, v, i: tf.nn.embedding_lookup(v, i),
        [TWICE],
        "",
        [TABLE],
        grad=(0,),
    )
    yield from _kinds(
        "EmbeddingLookup",
        lambda tf, v, i: tf.nn.embedding_lookup(v, i) + v[0],
        [TWICE],
        "and_dense",
        [TABLE],
        grad=(0,),
    )
    yield from _kinds(
        "EmbeddingLookup",
        lambda tf, v, i: [tf.nn.embedding_lookup(v, i), tf.nn.embedding_lookup(v, i[:1])],
        [TWICE],
        "twice",
        [TABLE],
        grad=(0,),
    )
    yield from _kinds(
        "GatherV2",
        lambda tf, v, i: tf.gather(v, i),
        [val([0, 9], "int32")],
        "out_of_range",
        [TABLE],
        raises=True,
    )
    yield from _kinds(
        "Assign",
        lambda tf, v, x: _then_read(tf, tf.assign_add(v, x), v),
        one,
        "then_read",
        one,
    )
    yield from _kinds(
        "IsVariableInitialized", lambda tf, v: tf.is_variable_initialized(v), [], "", one
    )
    yield from _kinds(
        "CountUpTo", lambda tf, v: v.count_up_to(5), [], "", [val(3)], dtypes=["int32", "int64"]
    )
    yield from _kinds(
        "CountUpTo",
        lambda tf, v: v.count_up_to(3),
        [],
        "reached",
        [val(3)],
        dtypes=["int32"],
        raises=True,
    )
    for kind in SCATTERS:
        yield from _scatters(kind)
    for kind in ("add", "sub", "update"):
        yield from _nd_scatters(kind)


def _then_read(tf, operation, variable):
    with tf.control_dependencies([operation]):
        return variable.read_value() + 1


def _switched(tf, v, condition):
    """Either branch of a switch on a reference, by way of a merge."""
    no, yes = tf.raw_ops.RefSwitch(data=v, pred=condition)
    return tf.raw_ops.RefMerge(inputs=[no, yes]).output * 2


def _temporary(tf, v, x):
    place = tf.raw_ops.TemporaryVariable(shape=[2], dtype=x.dtype, var_name="place")
    filled = tf.raw_ops.Assign(ref=place, value=x)
    return tf.raw_ops.DestroyTemporaryVariable(ref=filled, var_name="place")


def _scatters(kind):
    def scatter(tf, v, i, u):
        return getattr(tf, f"scatter_{kind}")(v, i, u)

    op = f"Scatter{kind.title()}"
    # Divisors away from zero, also as integers.
    updates = arr(2, 2, low=1, high=4)
    yield from _kinds(
        op, scatter, [ROWS, updates], "", [TABLE], dtypes=["float32", "float64", "int32"], grad=()
    )
    if kind != "update":
        yield from _kinds(
            op, scatter, [TWICE, arr(3, 2, low=1, high=4)], "repeated", [TABLE], grad=()
        )
    yield from _kinds(
        op, scatter, [val(1, "int32"), arr(2, low=1, high=4)], "scalar_index", [TABLE], grad=()
    )
    yield from _kinds(
        op,
        scatter,
        [val([[1], [3]], "int64"), arr(2, 1, 2, low=1, high=4)],
        "matrix",
        [TABLE],
        grad=(),
    )
    yield from _kinds(op, scatter, [ROWS, arr(low=1, high=4)], "scalar_update", [TABLE], grad=())
    yield from _kinds(
        op, scatter, [val([7, 0], "int32"), updates], "out_of_range", [TABLE], raises=True
    )
    yield from _kinds(op, scatter, [ROWS, arr(3, 2)], "mismatch", [TABLE], raises=True)


def _nd_scatters(kind):
    def scatter(tf, v, i, u):
        return getattr(tf, f"scatter_nd_{kind}")(v, i, u)

    op = f"ScatterNd{kind.title()}"
    points = val([[2, 1], [0, 0]], "int32")
    yield from _kinds(
        op, scatter, [points, arr(2)], "", [TABLE], dtypes=["float32", "int32"], grad=()
    )
    yield from _kinds(op, scatter, [val([[3], [1]], "int32"), arr(2, 2)], "rows", [TABLE], grad=())
    yield from _kinds(
        op, scatter, [val([[3, 2]], "int32"), arr(1)], "out_of_range", [TABLE], raises=True
    )


def _method(name, *arguments):
    def record(tf, v, i, u):
        return getattr(v, name)(tf.IndexedSlices(u, i), *arguments)

    return record


CASES = [
    *_rows(),
    *[
        case
        for name in ("scatter_add", "scatter_sub", "scatter_update")
        for case in _kinds("Scatter", _method(name), [ROWS, arr(2, 2)], name, [TABLE], grad=())
    ],
    Case(
        "Assign",
        lambda tf, v, x: tf.assign(v, x, validate_shape=False),
        [arr(3)],
        "new_shape",
        variables=[arr(2, 3)],
        grad=(),
    ),
    Case(
        "Assign",
        lambda tf, v, w: v * w,
        [],
        "two_variables",
        variables=[arr(2), arr(2)],
        grad=(0, 1),
    ),
    Case(
        "StridedSliceAssign",
        lambda tf, v, x: v[1:, :1].assign(x),
        [arr(3, 1)],
        variables=[TABLE],
        grad=(),
    ),
    Case(
        "StridedSliceAssign",
        lambda tf, v: v[0].assign([9.0, 9.0]),
        [],
        "row",
        variables=[TABLE],
        grad=(),
    ),
    Case(
        "StridedSliceAssign",
        lambda tf, v, x: tf.strided_slice(v, [0, 0], [4, 2], [2, 1], var=v, name="part").assign(x),
        [arr(2, 2)],
        "strides",
        variables=[TABLE],
        grad=(),
    ),
    Case(
        "ResourceStridedSliceAssign",
        lambda tf, v, x: v[1:, :1].assign(x),
        [arr(3, 1)],
        variables=[TABLE],
        resource=True,
        grad=(),
    ),
    Case(
        "ResourceStridedSliceAssign",
        lambda tf, v: v[0].assign([9.0, 9.0]),
        [],
        "row",
        variables=[TABLE],
        resource=True,
        grad=(),
    ),
    Case(
        "VariableShape",
        lambda tf, v: [tf.shape(v), tf.size(v), tf.rank(v)],
        [],
        variables=[TABLE],
        resource=True,
    ),
    Case(
        "VariableShape",
        lambda tf, v: [tf.shape(v), tf.size(v), tf.rank(v)],
        [],
        "ref",
        variables=[TABLE],
    ),
    Case(
        "Select",
        lambda tf, v, c: tf.where(c, v, -v),
        [bools(2, 3)],
        "on_variable",
        variables=[arr(2, 3)],
        grad=(0,),
    ),
    Case(
        "AssignAdd",
        lambda tf, v, i: tf.assign_add(v, tf.cast(i, v.dtype.base_dtype)),
        [ints(3)],
        "cast",
        variables=[arr(3)],
    ),
    Case(
        "ResourceGather",
        lambda tf, v, i: v.sparse_read(i),
        [TWICE],
        variables=[TABLE],
        resource=True,
        grad=(0,),
    ),
    Case(
        "RefIdentity",
        lambda tf, v: tf.raw_ops.RefIdentity(input=v) * 2,
        variables=[arr(2)],
        grad=(0,),
    ),
    Case("RefSwitch", _switched, [val(True, "bool")], variables=[arr(2)], grad=(0,)),
    Case("TemporaryVariable", _temporary, [arr(2)], grad=(), variables=[arr(2)]),
    Case(
        "Variable",
        lambda tf, x: tf.assign(tf.raw_ops.Variable(shape=[2], dtype=x.dtype), x),
        [arr(2)],
        grad=(),
    ),
    Case(
        "Group",
        lambda tf, v, w, x: tf.group(tf.assign(v, x), tf.assign(w, x)),
        [arr(2)],
        variables=[arr(2), arr(2)],
    ),
    Case(
        "Group",
        lambda tf, v, w, x: tf.tuple([tf.assign(v, x), tf.assign_add(w, x)]),
        [arr(2)],
        "tuple",
        variables=[arr(2), arr(2)],
        resource=True,
    ),
]
