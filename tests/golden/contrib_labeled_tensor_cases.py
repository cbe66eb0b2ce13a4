"""tf.contrib.labeled_tensor: graphs, values, axes and mistakes.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by
`tests/api/test_contrib_labeled_tensor.py`.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect

UNARY = (
    "abs neg sign reciprocal square round sqrt rsqrt exp log ceil floor cos sin tan acos asin atan "
    "lgamma digamma erf erfc tanh sigmoid"
).split()
BINARY = (
    "add sub mul div mod pow equal greater greater_equal not_equal less less_equal maximum minimum "
    "squared_difference igamma igammac zeta polygamma"
).split()
REDUCE = "logsumexp max mean min prod sum".split()


def _tensor(lt, axes=(("x", ("a", "b", "c")), ("y", 2))):
    value = np.arange(6, dtype=np.float32).reshape(3, 2) / 7 + 0.1
    return lt.constant(value, axes=list(axes))


def _said(*found):
    return Case([each.tensor for each in found], said=found, steps=1)


def unary(tf):
    lt = tf.contrib.labeled_tensor
    x = _tensor(lt)
    truth = lt.logical_not(lt.less(x, 0.3))
    return _said(truth, *[getattr(lt, name)(x) for name in UNARY])


def binary(tf):
    lt = tf.contrib.labeled_tensor
    x = _tensor(lt)
    y = lt.constant([1.0, 2.0], axes=["y"])
    found = [getattr(lt, name)(x, y) for name in BINARY]
    a, b = lt.less(x, 0.5), lt.greater(y, 1.5)
    found += [getattr(lt, "logical_" + name)(a, b) for name in ("and", "or", "xor")]
    return _said(*found)


def operators(tf):
    lt = tf.contrib.labeled_tensor
    x, y = _tensor(lt), lt.constant([1.0, 2.0], axes=["y"])
    found = [abs(x), -x, +x, x + y, 1.0 + x, x - y, 1.0 - x, x * y, 2.0 * x]
    found += [
        x / y,
        1.0 / x,
        x % y,
        x**2.0,
        2.0**x,
        x < y,
        x <= 0.3,
        x > y,
        x >= y,
        ~(x < y),
        (x < y) & (x > 0.2),
    ]
    found += [(x < y) | (x > y), (x < y) ^ (x > y), x[1, :], x[:2, 1:], x[-1, 0]]
    said = [x == x, x == y, x != y, hash(x) == hash(x), x.axes["x"].index("b"), x.axes]
    said += [x.axes.remove("x"), x.get_shape(), x.shape, x.dtype, x.name]
    case = _said(*found)
    case.said += [str(each) for each in said]
    return case


def reduced(tf):
    lt = tf.contrib.labeled_tensor
    x = _tensor(lt)
    found = [getattr(lt, "reduce_" + name)(x, "y") for name in REDUCE]
    found += [
        lt.reduce_sum(x),
        lt.reduce_max(x, ["x", ("y", "sum")]),
        lt.reduce_min(x, ("x", None)),
    ]
    truth = lt.less(x, 0.4)
    found += [lt.reduce_all(truth, "x"), lt.reduce_any(truth, ["y"])]
    return _said(*found)


def axes(tf):
    lt = tf.contrib.labeled_tensor
    x = _tensor(lt)
    found = [lt.identity(x), lt.transpose(x), lt.transpose(x, ["y", "x"], name="t")]
    found += [lt.expand_dims(x, ["b", "x", ("z", "label"), "y"]), lt.slice(x, {"x": slice(1, 3)})]
    found += [lt.slice(x, {"y": 0}), lt.impose_axis_order(x, ["y", "z", "x"])]
    with lt.axis_order_scope(["y", "x", "z"]):
        turned = lt.impose_axis_order(x)
        found += [turned, turned + lt.constant([1.0, 2.0], axes=["y"])]
        lt.check_axis_order(turned)
    found += lt.align(x, lt.constant([[1.0]], axes=["b", "z"]))[:2]
    found += [lt.rename_axis(x, "x", "w"), lt.reshape(x, ["x", "y"], ["xy"])]
    found += [
        lt.reshape(x, ["x"], [("p", 3), ("q", ["one"])]),
        lt.squeeze(lt.expand_dims(x, ["b", "x", "y"])),
    ]
    coder = lt.ReshapeCoder(["x", "y"], [("xy", 6)])
    code = coder.encode(x)
    found += [code, coder.decode(code), lt.ReshapeCoder(["x"], ["z"], name="r").encode(x)]
    return _said(*found)


def chosen(tf):
    lt = tf.contrib.labeled_tensor
    x = _tensor(lt)
    found = [lt.select(x, {"x": "b"}), lt.select(x, {"x": slice("a", "b")}, name="s")]
    found += [lt.select(x, {"x": ["c", "a"]}), lt.select(x, {})]
    mask = lt.constant([True, False, True], axes=[("x", ("a", "b", "c"))])
    found += [lt.boolean_mask(x, mask), lt.where(lt.less(x, 0.5), x, lt.zeros_like(x))]
    found += [lt.ones_like(x, tf.int32), lt.cast(x, tf.int64), lt.verify_tensor_all_finite(x, "m")]
    found += [lt.tile(x, {"y": 2}), lt.pad(x, {"x": (["l"], ["m", "n"])})]
    found += [lt.pad(x, {"y": (1, 0)}, "REFLECT", name="pad")]
    found += [lt.random_crop(x, {"y": 1}, seed=3), lt.convert_to_labeled_tensor(2.5, tf.float64)]
    return _said(*found)


def joined(tf):
    lt = tf.contrib.labeled_tensor
    x = _tensor(lt)
    y = _tensor(lt, [("x", ("d", "e", "f")), ("y", 2)])
    found = [lt.concat([x, y], "x"), lt.concat([x, x], "y", name="c"), lt.pack([x, x], "z")]
    found += [lt.pack([x, x], ("z", ["p", "q"]), 1), *lt.unpack(x), *lt.unpack(x, "y", name="u")]
    a = lt.constant(np.ones([2, 3], np.float32), axes=["i", "k"])
    b = lt.constant(np.ones([3, 4], np.float32), axes=["k", "j"])
    v = lt.constant([1.0, 2.0, 3.0], axes=["k"])
    found += [lt.matmul(a, b), lt.matmul(b, a), lt.matmul(a, v), lt.matmul(v, b), lt.matmul(v, v)]
    with lt.axis_order_scope(["j", "k", "i"]):
        found.append(lt.matmul(a, b))
    found += [lt.map_fn(lambda row: row * 2.0 + lt.reduce_sum(row), x)]
    found += [lt.foldl(lambda total, row: total + row, x, lt.constant([0.0, 1.0], axes=["y"]))]
    words = lt.constant(["p", "q"], axes=["w"])
    found += [lt.map_fn(lambda word: word, words)]
    return _said(*found)


def inputs(tf):
    lt = tf.contrib.labeled_tensor
    feature = tf.train.Feature(float_list=tf.train.FloatList(value=[1.0, 2.0]))
    example = tf.train.Example(features=tf.train.Features(feature={"a": feature}))
    one = lt.constant(example.SerializeToString())
    features = {
        "a": lt.FixedLenFeature([("n", ("u", "v"))], tf.float32),
        "b": lt.FixedLenFeature([], tf.int64, 5),
    }
    single = lt.parse_single_example(one, features)
    several = lt.parse_example(lt.pack([one, one], "batch"), features, name="many")
    fed = lt.placeholder(tf.float32, ["n", ("m", 2)])
    case = _said(single["a"], single["b"], several["a"], several["b"], fed + 1.0)
    case.feeds = lambda step: {fed.tensor: [[1.0, 2.0]]}
    case.said.append(str(fed))
    return case


def batches(tf):
    lt = tf.contrib.labeled_tensor
    x = _tensor(lt)
    whole = lt.rename_axis(x, "x", "batch")
    said = lt.batch([x, x + 1.0], 2) + lt.shuffle_batch([x], 2, seed=1, min_after_dequeue=1)
    said += lt.batch([whole], 4, enqueue_many=True, allow_smaller_final_batch=True, name="b")
    return Case(said=said, steps=0)


def networks(tf):
    from tensorflow.contrib.labeled_tensor.python.ops import nn

    lt = tf.contrib.labeled_tensor
    x = _tensor(lt)
    names = "relu relu6 elu softplus softmax log_softmax".split()
    found = [getattr(nn, name)(x) for name in names]
    return _said(*found, nn.sigmoid_cross_entropy_with_logits(x, x))


CASES = {
    "labeled": collect(
        unary, binary, operators, reduced, axes, chosen, joined, inputs, batches, networks
    )
}


def _wrong(call):
    def mistake(tf):
        lt = tf.contrib.labeled_tensor
        call(lt, _tensor(lt), tf)

    return mistake


MISTAKES = {
    "labeled": {
        "labels": _wrong(lambda lt, x, tf: lt.Axis("x", ["a", "a"])),
        "length": _wrong(lambda lt, x, tf: len(lt.Axis("x", None))),
        "no_labels": _wrong(lambda lt, x, tf: lt.Axis("x", 3).index("a")),
        "twice": _wrong(lambda lt, x, tf: lt.Axes([("x", 1), ("x", 2)])),
        "rank": _wrong(lambda lt, x, tf: lt.LabeledTensor(x.tensor, ["x"])),
        "size": _wrong(lambda lt, x, tf: lt.LabeledTensor(x.tensor, ["x", ("y", 3)])),
        "key": _wrong(lambda lt, x, tf: x[1]),
        "unlabeled": _wrong(lambda lt, x, tf: lt.add(x, np.ones(2, np.float32))),
        "mismatch": _wrong(lambda lt, x, tf: x + lt.constant([1.0, 2.0], axes=["x"])),
        "order": _wrong(lambda lt, x, tf: x + lt.transpose(x)),
        "no_order": _wrong(lambda lt, x, tf: lt.check_axis_order(x)),
        "wrong_order": _wrong(lambda lt, x, tf: lt.check_axis_order(x, ["y", "x"])),
        "few": _wrong(lambda lt, x, tf: lt.check_axis_order(x, ["y"])),
        "transpose": _wrong(lambda lt, x, tf: lt.transpose(x, ["x", "z"])),
        "select_axis": _wrong(lambda lt, x, tf: lt.select(x, {"z": 1})),
        "select_labels": _wrong(lambda lt, x, tf: lt.select(x, {"y": 1})),
        "select_step": _wrong(lambda lt, x, tf: lt.select(x, {"x": slice("a", "c", 2)})),
        "concat": _wrong(lambda lt, x, tf: lt.concat([x], "z")),
        "concat_none": _wrong(lambda lt, x, tf: lt.concat([], "z")),
        "concat_shared": _wrong(lambda lt, x, tf: lt.concat([x, x[:2, :]], "y")),
        "pack": _wrong(lambda lt, x, tf: lt.pack([x, x[:2, :]], "z")),
        "unpack": _wrong(lambda lt, x, tf: lt.unpack(x, "z")),
        "reshape": _wrong(lambda lt, x, tf: lt.reshape(x, ["z"], ["w"])),
        "reshape_order": _wrong(lambda lt, x, tf: lt.reshape(x, ["y", "x"], ["w"])),
        "reshape_sizes": _wrong(lambda lt, x, tf: lt.reshape(x, ["x", "y"], ["w", "v"])),
        "rename": _wrong(lambda lt, x, tf: lt.rename_axis(x, "z", "w")),
        "batch": _wrong(lambda lt, x, tf: lt.batch([x], 2, enqueue_many=True)),
        "crop": _wrong(lambda lt, x, tf: lt.random_crop(x, {"z": 1})),
        "squeeze": _wrong(lambda lt, x, tf: lt.squeeze(x, ["z"])),
        "squeeze_size": _wrong(lambda lt, x, tf: lt.squeeze(x, ["x"])),
        "matmul_none": _wrong(lambda lt, x, tf: lt.matmul(x, lt.constant([1.0], axes=["z"]))),
        "matmul_scalar": _wrong(lambda lt, x, tf: lt.matmul(x, lt.constant(1.0))),
        "matmul_axis": _wrong(lambda lt, x, tf: lt.matmul(x, lt.constant([1.0], axes=["x"]))),
        "reduce": _wrong(lambda lt, x, tf: lt.reduce_sum(x, "z")),
        "tile": _wrong(lambda lt, x, tf: lt.tile(x, {"x": 2})),
        "mask": _wrong(lambda lt, x, tf: lt.boolean_mask(x, lt.constant([True], axes=["x"]))),
        "mask_rank": _wrong(lambda lt, x, tf: lt.boolean_mask(x, lt.less(x, 1.0))),
        "where": _wrong(lambda lt, x, tf: lt.where(lt.less(x, 1.0), x, x[:2, :])),
        "decode": _wrong(lambda lt, x, tf: lt.ReshapeCoder(["x"], ["z"]).decode(x)),
        "unknown": _wrong(
            lambda lt, x, tf: lt.parse_example(
                lt.constant(["a"], axes=["b"]),
                {"a": lt.FixedLenFeature([("n", None)], tf.float32)},
            )
        ),
    }
}
