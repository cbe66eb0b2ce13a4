"""Rows of sets."""

from __future__ import annotations

from op_table.case import Case, val

SIZES = "sizes depend on values"
A = ([[0, 0], [0, 1], [2, 0]], [3, 2])
B = ([[0, 0], [1, 0], [2, 1], [2, 2]], [3, 4])
VALUES = [val([5, 3, 7], "int64"), val([3, 9, 7, 1], "int64")]
DENSE = val([[3, 4], [9, 9], [1, 2]], "int64")


def _sparse(tf, values, where):
    return tf.SparseTensor(where[0], values, where[1])


def _case(name, fn, inputs, label, **kwargs):
    return Case(name, fn, inputs, label, grad=(), no_jax=SIZES, **kwargs)


def _operation(function, **kwargs):
    return lambda tf, a, b: getattr(tf.sets, function)(
        _sparse(tf, a, A), _sparse(tf, b, B), **kwargs
    )


CASES = [
    *(
        _case("SparseToSparseSetOperation", _operation(name, **kwargs), VALUES, label)
        for label, name, kwargs in (
            ("union", "set_union", {}),
            ("intersection", "set_intersection", {}),
            ("difference", "set_difference", {}),
            ("difference_b", "set_difference", {"aminusb": False}),
        )
    ),
    _case(
        "SparseToSparseSetOperation",
        lambda tf, a, b: tf.sets.union(_sparse(tf, a, A), _sparse(tf, b, B)),
        [val(["x", "b", "c"], "O"), val(["b", "a", "c", "d"], "O")],
        "strings",
    ),
    _case(
        "DenseToSparseSetOperation",
        lambda tf, a, b: tf.sets.set_difference(a, _sparse(tf, b, B)),
        [DENSE, VALUES[1]],
        "difference",
    ),
    _case(
        "DenseToSparseSetOperation",
        lambda tf, a, b: tf.sets.set_difference(_sparse(tf, b, B), a),
        [DENSE, VALUES[1]],
        "flipped",
    ),
    _case(
        "DenseToDenseSetOperation",
        lambda tf, a, b: tf.sets.set_intersection(a, b),
        [DENSE, val([[4, 4, 1], [9, 1, 2], [3, 3, 3]], "int64")],
        "intersection",
    ),
    _case(
        "SetSize", lambda tf, a: tf.sets.set_size(_sparse(tf, a, A)), [val([5, 5, 7], "int64")], ""
    ),
    _case(
        "SparseToSparseSetOperation",
        lambda tf, a, b: tf.sets.set_union(
            tf.SparseTensor([[1, 0], [0, 0], [2, 0]], a, [3, 2]), _sparse(tf, b, B)
        ),
        VALUES,
        "order",
        raises=True,
    ),
    _case(
        "SparseToSparseSetOperation",
        lambda tf, a, b: tf.sets.set_union(tf.SparseTensor(A[0], a, [4, 2]), _sparse(tf, b, B)),
        VALUES,
        "shapes",
        raises=True,
    ),
    _case(
        "DenseToDenseSetOperation",
        lambda tf, a, b: tf.sets.set_union(a, b),
        [DENSE, val([[1], [2]], "int64")],
        "shapes",
        raises=True,
    ),
    _case(
        "SetSize",
        lambda tf: tf.sets.set_union(tf.constant([[1.0]]), tf.constant([[1.0]])),
        [],
        "floats",
        raises=True,
    ),
]
