"""Op types that the table can't say: they are only imported, or live on between runs.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/kernels/test_op_cases.py`.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect


class _OneByOne(Case):
    """Fetches run one after another, in one session."""

    def run(self, tf):
        found = []
        with tf.Session() as session:
            for variable in tf.global_variables():
                session.run(variable.initializer)
            for fetch in self.fetches:
                try:
                    value = session.run(fetch)
                except tf.errors.OpError as error:
                    value = [type(error).__name__, error.message.split("\n")[0].split(" [[")[0]]
                found.append((fetch, value))
        return found


# ---- op types that TF only takes from old GraphDefs ----------


def _imported(tf, op, inputs, gradients=0, **attrs):
    """The outputs of one node of a GraphDef of TF's first version, and perhaps gradients."""
    graph_def = tf.GraphDef()
    graph_def.versions.producer = 1
    with tf.Graph().as_default() as graph:
        placeholders = [tf.constant(value, name="x%d" % i) for i, value in enumerate(inputs)]
        graph_def.node.extend(graph.as_graph_def().node)
    node = graph_def.node.add(name="old", op=op, input=[t.op.name for t in placeholders])
    if placeholders:
        kind = node.attr["T"] if op not in ("AudioSummary", "RandomPoisson") else None
        if kind is not None:
            kind.type = placeholders[0].dtype.as_datatype_enum
    for name, value in attrs.items():
        node.attr[name].CopyFrom(value)
    tf.import_graph_def(graph_def, name="")
    op = tf.get_default_graph().get_operation_by_name("old")
    found = list(op.outputs)
    if gradients:
        found += tf.gradients(found[0], list(op.inputs)[:gradients])
    return Case(found, steps=1)


def _attr(tf, **fields):
    return tf.AttrValue(**fields)


def _ints(tf, values):
    return tf.AttrValue(list=tf.AttrValue.ListValue(i=values))


_X = np.arange(12, dtype=np.float32).reshape(3, 4)
_IMAGE = np.arange(32, dtype=np.float32).reshape(1, 4, 4, 2)
_CUBE = np.arange(8, dtype=np.float32).reshape(1, 2, 2, 2, 1)


def band_part(tf):
    return _imported(tf, "BatchMatrixBandPart", [_X, np.int64(1), np.int64(0)])


def diag(tf):
    return _imported(tf, "BatchMatrixDiag", [_X])


def diag_part(tf):
    return _imported(tf, "BatchMatrixDiagPart", [_X])


def set_diag(tf):
    return _imported(tf, "BatchMatrixSetDiag", [_X, np.ones(3, np.float32)])


def contrast(tf):
    numbers = [np.float32(2), np.float32(0), np.float32(20)]
    return _imported(tf, "AdjustContrast", [_IMAGE] + numbers)


def _normalized(tf, scales, gradients):
    numbers = [[0.5, 1.0], [1.0, 2.0], [0.0, 1.0], [2.0, 3.0]]
    return _imported(
        tf,
        "BatchNormWithGlobalNormalization",
        [_IMAGE] + [np.array(x, np.float32) for x in numbers],
        gradients=gradients,
        variance_epsilon=_attr(tf, f=0.5),
        scale_after_normalization=_attr(tf, b=scales),
    )


def batch_norm(tf):
    return _normalized(tf, True, 5)


def batch_norm_unscaled(tf):
    return _normalized(tf, False, 5)


def _conv3d(tf, op):
    inputs = [_CUBE, np.ones([1, 2, 1, 1, 1], np.float32), _CUBE * 2]
    padding = _attr(tf, s=b"SAME")
    return _imported(tf, op, inputs, strides=_ints(tf, [1, 1, 1, 1, 1]), padding=padding)


def conv3d_input(tf):
    return _conv3d(tf, "Conv3DBackpropInput")


def conv3d_filter(tf):
    return _conv3d(tf, "Conv3DBackpropFilter")


def quantized(tf):
    settings = {
        "signed_input": _attr(tf, b=True), "num_bits": _attr(tf, i=4),
        "range_given": _attr(tf, b=True), "input_min": _attr(tf, f=-3.0),
        "input_max": _attr(tf, f=5.0),
    }  # fmt: skip
    return _imported(tf, "QuantizeAndDequantize", [_X], gradients=1, **settings)


def poisson(tf):
    settings = {"seed": _attr(tf, i=3), "seed2": _attr(tf, i=4)}
    settings["S"] = settings["dtype"] = None
    settings["S"] = _attr(tf, type=tf.int32.as_datatype_enum)
    settings["dtype"] = _attr(tf, type=tf.float32.as_datatype_enum)
    rates = np.array([0.5, 20.0], np.float32)
    return _imported(tf, "RandomPoisson", [np.array([3], np.int32), rates], **settings)


def audio(tf):
    samples = np.array([[0.0, 0.5, 0.25], [-1.0, 1.0, 0.125]], np.float32)
    rate = _attr(tf, f=10.0)
    return _imported(tf, "AudioSummary", [np.array("a"), samples], sample_rate=rate)


def placeholder(tf):
    from tensorflow.core.framework import tensor_shape_pb2

    shape = tensor_shape_pb2.TensorShapeProto()
    shape.dim.add(size=2)
    case = _imported(tf, "PlaceholderV2", [], dtype=_attr(tf, type=1), shape=_attr(tf, shape=shape))
    case.feeds = lambda step: {case.fetches[0]: [1.0, 2.0]}
    return case


REMOVED = collect(
    band_part, diag, diag_part, set_diag, contrast, batch_norm, batch_norm_unscaled,
    conv3d_input, conv3d_filter, quantized, poisson, audio, placeholder,
)  # fmt: skip

# ---- staging areas ----------


def _data_flow(tf):
    from tensorflow.python.ops import data_flow_ops

    return data_flow_ops


def staging(tf):
    x = tf.constant([1.0, 2.0])
    area = _data_flow(tf).StagingArea([tf.float32, tf.int32], shapes=[[2], []], capacity=3)
    named = _data_flow(tf).StagingArea([tf.float32], names=["x"], shared_name="mine")
    put, other = area.put([x, tf.constant(3)]), area.put([x * 2.0, tf.constant(4)])
    fetches = [
        area.size(), put, other, area.size(), area.peek(1), area.get(), area.size("again"),
        area.clear(), area.size(), named.put({"x": x}), named.get(), named.size(),
    ]  # fmt: skip
    said = [area.name, named.name, area.dtypes, area.shapes, named.names, area.capacity]
    return _OneByOne(fetches, said=said)


def _map_staging(tf, ordered):
    kind = _data_flow(tf).MapStagingArea
    area = kind([tf.float32, tf.int32], ordered=ordered, names=["x", "y"])
    key = [tf.constant(i, tf.int64) for i in range(10)]
    x, y = tf.constant(1.5), tf.constant(7)
    put = area.put(key[5], {"x": x, "y": y})
    fetches = [
        put, area.size(), area.peek(key[5]), area.get(key[5], ["y"])[1],
        area.get(key[5], ["x"])[1], area.size(), area.put(key[3], {"x": x}),
        area.incomplete_size(), area.put(key[3], {"y": y}), area.incomplete_size(), area.size(),
        area.put(key[2], {"x": x}) if ordered else area.size(), area.get(), area.clear(),
        area.size(), area.put(key[1], {"x": x}), area.put(key[1], {"x": x}),
    ]  # fmt: skip
    plain = kind([tf.float32], ordered=ordered, shared_name="plain")
    fetches += [plain.put(key[1], [x], [0]), plain.get(key[1], [0, 0])[1], plain.get()]
    return _OneByOne(fetches)


def map_staging(tf):
    return _map_staging(tf, False)


def ordered_map_staging(tf):
    return _map_staging(tf, True)


STAGING = collect(staging, map_staging, ordered_map_staging)

# ---- generators that are variables ----------


def _generator(tf, **kwargs):
    return tf.random.experimental.Generator(**kwargs)


def drawn(tf):
    kind = tf.random.experimental.Generator
    g = kind.from_seed(5)
    fetches = [
        g.normal([2, 3]), g.normal([], 1.0, 2.0, tf.float64), g.truncated_normal([5], name="mine"),
        g.uniform([3]), g.uniform([2], 1.0, 3.0, tf.float64), g.uniform([4], 0, 10, tf.int64),
        g.uniform([4], -3, 5, tf.int32), g.uniform_full_int([3], tf.int32),
        g.uniform_full_int([3], tf.int64), g.uniform_full_int([2]), g.make_seeds(2), g.key, g.state,
        g.normal([0]), g.state,
    ]  # fmt: skip
    g.skip(7)
    skip = tf.get_default_graph().get_operations()[-1]
    return _OneByOne(fetches + [skip, g.state, g.normal([2])])


def states(tf):
    module = tf.random.experimental
    kind = module.Generator
    made = [
        kind.from_state([1, 2, 3], 1), kind.from_key_counter(7, [1, 2], 1),
        kind.from_seed([-1, 2 ** 64 - 1, 5]), kind(copy_from=kind.from_seed(2 ** 70 + 3)),
        kind.from_seed(1, alg=2),
    ]  # fmt: skip
    near_the_end = kind.from_state([2**64 - 5, 3, 9], 1)
    fetches = [near_the_end.uniform([2]), near_the_end.state] + [g.state for g in made]
    fetches += [g.normal([2]) for g in made[:4]]
    said = [module.create_rng_state(3, 1), module.create_rng_state([1], 2), made[4].algorithm]
    return _OneByOne(fetches, said=said)


def refused(tf):
    state = tf.Variable(tf.constant([1, 2], tf.int64), use_resource=True).handle
    good = tf.Variable(tf.constant([1, 2, 3], tf.int64), use_resource=True).handle
    ops = tf.raw_ops
    return _OneByOne([
        ops.StatefulUniform(resource=state, algorithm=1, shape=[2]),
        ops.StatefulUniform(resource=good, algorithm=2, shape=[2]),
        ops.StatefulUniform(
            resource=good, algorithm=1, shape=tf.placeholder_with_default(2, None)
        ),
        ops.StatefulUniformInt(resource=good, algorithm=1, shape=[2], minval=3, maxval=3),
        ops.RngSkip(resource=good, algorithm=5, delta=3),
    ])  # fmt: skip


GENERATORS = collect(drawn, states, refused)

# ---- what a session keeps ----------


class _Script(Case):
    """A graph, and a function of the session that gives what is compared."""

    def __init__(self, script, said=()):
        super().__init__(said=said)
        self._script = script

    def run(self, tf):
        with tf.Session() as session:
            return [(None, value) for value in self._script(session)]


def _error(tf, function):
    try:
        return function()
    except (tf.errors.OpError, TypeError) as error:
        text = getattr(error, "message", str(error)).split("\n")[0]
        return [type(error).__name__, text]


def handles(tf):
    x = tf.constant([1.0, 2.0])
    handle = tf.get_session_handle(x * 2.0, name="kept")
    name = "kept;0;/job:localhost/replica:0/task:0/device:CPU:0"
    holder, kept = tf.get_session_tensor(name, tf.float32)
    deleted, delete = tf.delete_session_tensor(name, name="mine")
    y = kept * 3.0
    plain = tf.placeholder(tf.float32)

    def script(session):
        first, second = session.run(handle), session.run([handle, x])[0]
        names = [str(first), second.handle]
        found = [names, first.eval(), session.run(y, {holder: second.handle})]
        found.append(session.run(plain + 1.0, {plain: first}))
        session.run(delete, {deleted: second.handle})
        for fetch, key in ((kept, holder), (delete, deleted)):
            feed = {key: second.get_raw_handle()}
            found.append(_error(tf, lambda fetch=fetch, feed=feed: session.run(fetch, feed)))
        first.delete()
        return found + [_error(tf, first.eval), _error(tf, first.delete)]

    return _Script(script, said=[handle.shape, kept.shape])


def readers(tf):
    reader, lines = tf.IdentityReader(), tf.TextLineReader()
    queue = tf.FIFOQueue(10, [tf.string], shapes=[[]])
    fill = queue.enqueue_many([["a", "b", "c"]])
    state, read = reader.serialize_state(), reader.read(queue)
    new_state = tf.placeholder(tf.string)
    restore, number = reader.restore_state(new_state), reader.num_records_produced()
    refused = [lines.serialize_state(), lines.restore_state(new_state)]

    def script(session):
        session.run(fill)
        found = [session.run(state), session.run(read), session.run(state)]
        found.append(session.run(read))
        session.run(restore, {new_state: found[2]})
        found += [session.run(state), session.run(number)]
        for value in (b"junk", [b""]):
            feed = {new_state: value}
            found.append(_error(tf, lambda feed=feed: session.run(restore, feed)))
        feed = {new_state: b""}
        return found + [
            _error(tf, lambda fetch=fetch: session.run(fetch, feed)) for fetch in refused
        ]

    return _Script(script)


SESSIONS = collect(handles, readers)

# ---- batches ----------


def batches(tf):
    from tensorflow.contrib.batching.python.ops import batch_ops  # noqa: F401

    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    (y,), index, number = tf.raw_ops.Batch(
        in_tensors=[x], num_batch_threads=1, max_batch_size=10, batch_timeout_micros=1000,
        grad_timeout_micros=1000,
    )  # fmt: skip
    z = tf.raw_ops.Unbatch(
        batched_tensor=tf.square(y), batch_index=index, id=number, timeout_micros=1000
    )
    case = _OneByOne([z, tf.gradients(z, x), index[:, 1:]])
    case.said = [str(t.shape) for t in (y, index, number, z)]
    return case


BATCHES = collect(batches)

# ---- bfloat16, which NumPy's own arrays can't be ----------


def dilation(tf):
    image = tf.cast(tf.reshape(tf.range(32) * 7 % 32, [1, 4, 4, 2]), tf.bfloat16)
    window = tf.cast(tf.reshape(tf.range(8) * 3 % 8, [2, 2, 2]), tf.bfloat16)
    ones = [1, 1, 1, 1]
    result = tf.nn.dilation2d(image, window, strides=ones, rates=ones, padding="SAME")
    eroded = tf.nn.erosion2d(image, window, ones, ones, "VALID")
    found = [result, eroded, *tf.gradients(result, [image, window])]
    return Case([tf.cast(tensor, tf.float32) for tensor in found])


CASES = {
    "bfloat16": collect(dilation),
    "removed": REMOVED,
    "staging": STAGING,
    "generators": GENERATORS,
    "sessions": SESSIONS,
    "batches": BATCHES,
}


def _staging_mistakes():
    def area(tf, *args, **kwargs):
        return _data_flow(tf).StagingArea(*args, **kwargs)

    def mapped(tf, **kwargs):
        return _data_flow(tf).MapStagingArea([tf.float32, tf.int32], **kwargs)

    x = 1.0
    return {
        "shared_name": lambda tf: area(tf, [tf.float32], shared_name=3),
        "shapes": lambda tf: area(tf, [tf.float32], shapes=[[], []]),
        "names": lambda tf: area(tf, [tf.float32], names=["a", "b"]),
        "dict": lambda tf: area(tf, [tf.float32]).put({"x": tf.constant(x)}),
        "list": lambda tf: area(tf, [tf.float32], names=["x"]).put([tf.constant(x)]),
        "keys": lambda tf: area(tf, [tf.float32], names=["x"]).put({"y": tf.constant(x)}),
        "dtype": lambda tf: area(tf, [tf.int32]).put([tf.constant(x)]),
        "shape": lambda tf: area(tf, [tf.float32], shapes=[[2]]).put([tf.constant(x)]),
        "count": lambda tf: area(tf, [tf.float32]).put([tf.constant(x)] * 2),
        "indices": lambda tf: mapped(tf).put(tf.constant(1, tf.int64), [tf.constant(x)]),
        "no_names": lambda tf: mapped(tf).get(indices=["x"]),
        "mixed": lambda tf: mapped(tf, names=["x", "y"]).get(indices=["x", 1]),
        "empty": lambda tf: mapped(tf).get(indices=[]),
        "kind": lambda tf: mapped(tf).get(indices=1),
    }


MISTAKES = {
    "staging": _staging_mistakes(),
    "sessions": {
        "handle_of_number": lambda tf: tf.get_session_handle(1.0),
    },
    "generators": {
        "algorithm": lambda tf: tf.random.experimental.create_rng_state(1, 3),
        "no_state": lambda tf: _generator(tf),
        "state": lambda tf: _generator(tf, state=[1, 2], alg=1),
        "maxval": lambda tf: tf.random.experimental.Generator.from_seed(1).uniform(
            [2], dtype=tf.int32
        ),
    },
}
