"""Rows of lists of tensors and of optionals."""

from __future__ import annotations

from op_table.case import Case, arr, val

FLOAT = ["float32"]


def _empty(tf, shape=-1, dtype=None):
    return tf.raw_ops.EmptyTensorList(
        element_shape=shape, element_dtype=dtype or tf.float32, max_num_elements=-1
    )


def _of(tf, *items, shape=-1):
    """A list of tensors."""
    found = _empty(tf, shape, items[0].dtype)
    for item in items:
        found = tf.raw_ops.TensorListPushBack(input_handle=found, tensor=item)
    return found


def _parts(tf, x, shape=-1):
    return tf.raw_ops.TensorListFromTensor(tensor=x, element_shape=shape)


def _stack(tf, handle, dtype, shape=-1, count=-1):
    return tf.raw_ops.TensorListStack(
        input_handle=handle, element_shape=shape, element_dtype=dtype, num_elements=count
    )


def _reserve(tf, shape, size, dtype):
    return tf.raw_ops.TensorListReserve(element_shape=shape, num_elements=size, element_dtype=dtype)


def _get(tf, handle, index, dtype, shape=-1):
    return tf.raw_ops.TensorListGetItem(
        input_handle=handle, index=index, element_shape=shape, element_dtype=dtype
    )


def _pop(tf, x):
    rest, last = tf.raw_ops.TensorListPopBack(
        input_handle=_parts(tf, x), element_shape=-1, element_dtype=x.dtype
    )
    return _stack(tf, rest, x.dtype), last


def _set(tf, x, y):
    changed = tf.raw_ops.TensorListSetItem(input_handle=_parts(tf, x), index=1, item=y)
    new = tf.raw_ops.TensorListSetItem(input_handle=_reserve(tf, [2], 2, x.dtype), index=0, item=y)
    return _stack(tf, changed, x.dtype), _stack(tf, new, x.dtype)


def _gather(tf, x, i):
    return tf.raw_ops.TensorListGather(
        input_handle=_parts(tf, x), indices=i, element_shape=-1, element_dtype=x.dtype
    )


def _concat(tf, x, y):
    return tf.raw_ops.TensorListConcat(input_handle=_of(tf, x, y), element_dtype=x.dtype)


def _concat_v2(tf, x, y):
    return tf.raw_ops.TensorListConcatV2(
        input_handle=_of(tf, x, y),
        element_shape=[-1, 2],
        leading_dims=tf.constant([], tf.int64),
        element_dtype=x.dtype,
    )


def _split(tf, x):
    handle = tf.raw_ops.TensorListSplit(
        tensor=x, element_shape=[-1, 2], lengths=tf.constant([1, 2], tf.int64)
    )
    return _get(tf, handle, 1, x.dtype), _get(tf, handle, 0, x.dtype)


def _scatter(tf, x):
    handle = tf.raw_ops.TensorListScatter(tensor=x, indices=[2, 0, 1], element_shape=[2])
    return _stack(tf, handle, x.dtype)


def _scatter_v2(tf, x):
    handle = tf.raw_ops.TensorListScatterV2(
        tensor=x, indices=[3, 0, 1], element_shape=[2], num_elements=5
    )
    return _stack(tf, handle, x.dtype)


def _scatter_into(tf, x, y):
    handle = tf.raw_ops.TensorListScatterIntoExistingList(
        input_handle=_parts(tf, x), tensor=y, indices=[2, 0]
    )
    return _stack(tf, handle, x.dtype)


def _resize(tf, x):
    longer, shorter = (
        tf.raw_ops.TensorListResize(input_handle=_parts(tf, x, [2]), size=size) for size in (4, 1)
    )
    return _stack(tf, longer, x.dtype, [2]), _stack(tf, shorter, x.dtype)


def _joined(tf, x, y):
    handle = tf.raw_ops.TensorListConcatLists(
        input_a=_parts(tf, x), input_b=_parts(tf, y), element_dtype=x.dtype
    )
    return _stack(tf, handle, x.dtype)


def _shapes(tf, x):
    handles = (_empty(tf), _empty(tf, [2, -1]), _parts(tf, x, [2]))
    return [
        tf.raw_ops.TensorListElementShape(input_handle=handle, shape_type=kind)
        for handle, kind in zip(handles, (tf.int32, tf.int64, tf.int32))
    ]


def _optional(tf, *values):
    return tf.raw_ops.OptionalFromValue(components=list(values))


def _values(tf, x, y):
    return tf.raw_ops.OptionalGetValue(
        optional=_optional(tf, x, y),
        output_types=[x.dtype, y.dtype],
        output_shapes=[[None, 2], None],
    )


def _presence(tf, x):
    return [
        tf.raw_ops.OptionalHasValue(optional=optional)
        for optional in (_optional(tf, x), tf.raw_ops.OptionalNone())
    ]


def _sum(tf, x, y):
    return _stack(tf, tf.add_n([_parts(tf, x), _of(tf, y, y * y)]), x.dtype)


CASES = [
    Case("EmptyTensorList", lambda tf: tf.raw_ops.TensorListLength(input_handle=_empty(tf))),
    Case(
        "TensorListPushBack",
        lambda tf, x, y: _stack(tf, _of(tf, x, y, x * y), x.dtype),
        [arr(2), arr(2)],
        "",
        FLOAT,
    ),
    Case("TensorListPopBack", _pop, [arr(3, 2)], "", FLOAT),
    Case(
        "TensorListStack",
        lambda tf, x: _stack(tf, _parts(tf, x), x.dtype, [2], 3),
        [arr(3, 2)],
        "",
        FLOAT,
    ),
    Case(
        "TensorListStack",
        lambda tf, x: _stack(tf, _of(tf, x, x), x.dtype),
        [arr()],
        "scalars",
        ["int32", "bool"],
    ),
    Case(
        "TensorListFromTensor",
        lambda tf, x: _get(tf, _parts(tf, x, [2]), 1, x.dtype),
        [arr(3, 2)],
        "",
        FLOAT,
    ),
    Case(
        "TensorListFromTensor",
        lambda tf, x: _parts(tf, x, [3]),
        [arr(3, 2)],
        "shape",
        FLOAT,
        raises=True,
    ),
    Case("TensorListReserve", lambda tf: _stack(tf, _reserve(tf, [2], 3, tf.int32), tf.int32)),
    Case(
        "TensorListGetItem",
        lambda tf, x, i: (
            _get(tf, _parts(tf, x), i, x.dtype),
            _get(tf, _reserve(tf, -1, 2, x.dtype), i, x.dtype, [2]),
        ),
        [arr(3, 2), val(1, "int32")],
        "",
        FLOAT,
        grad_outputs=[0],
    ),
    Case("TensorListSetItem", _set, [arr(3, 2), arr(2)], "", FLOAT),
    Case(
        "TensorListLength",
        lambda tf, x: tf.raw_ops.TensorListLength(input_handle=_parts(tf, x)),
        [arr(3, 2)],
        "",
        FLOAT,
        grad=(),
    ),
    Case("TensorListElementShape", _shapes, [arr(3, 2)], "", FLOAT, grad=()),
    Case("TensorListResize", _resize, [arr(3, 2)], "", FLOAT),
    Case("TensorListGather", _gather, [arr(3, 2), val([2, 0], "int32")], "", FLOAT),
    Case("TensorListScatter", _scatter, [arr(3, 2)], "", FLOAT),
    Case("TensorListScatterV2", _scatter_v2, [arr(3, 2)], "", FLOAT),
    Case("TensorListScatterIntoExistingList", _scatter_into, [arr(3, 2), arr(2, 2)], "", FLOAT),
    Case("TensorListConcat", _concat, [arr(1, 2), arr(2, 2)], "", FLOAT),
    Case("TensorListConcatV2", _concat_v2, [arr(1, 2), arr(2, 2)], "", FLOAT),
    Case("TensorListSplit", _split, [arr(3, 2)], "", FLOAT),
    Case("TensorListConcatLists", _joined, [arr(1, 2), arr(2, 2)], "", FLOAT, grad=()),
    Case("AddN", _sum, [arr(2, 2), arr(2)], "lists", FLOAT),
    Case(
        "ZerosLike",
        lambda tf, x: _stack(tf, tf.zeros_like(_parts(tf, x)), x.dtype),
        [arr(3, 2)],
        "list",
        FLOAT,
        grad=(),
    ),
    Case("OptionalFromValue", lambda tf, x, y: _values(tf, x, y), [arr(3, 2), arr(2)], "", FLOAT),
    Case(
        "OptionalGetValue", lambda tf, x, y: _values(tf, x * y, y), [arr(3, 2), arr(2)], "", FLOAT
    ),
    Case("OptionalHasValue", _presence, [arr(2)], "", FLOAT, grad=()),
    Case("OptionalNone", lambda tf, x: _presence(tf, x)[1], [arr(2)], "", FLOAT, grad=()),
]
