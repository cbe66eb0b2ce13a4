"""tf.compat.v2: its functions, by groups, as small graphs and what they compute.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_compat_v2.py`.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect


def _case(tensors, feeds=None, said=()):
    return Case(tensors, feeds=lambda step: feeds or {}, said=said, steps=1)


def _image(tf):
    return tf.constant(np.arange(32.0, dtype=np.float32).reshape(1, 4, 4, 2))


def array(tf):
    v = tf.compat.v2
    x = tf.constant(np.arange(12.0, dtype=np.float32).reshape(3, 4), name="x")
    fed = tf.placeholder(tf.float32, [None, 4])
    image = _image(tf)
    found = [
        v.batch_to_space(tf.ones([4, 1, 1, 1]), [2, 2], [[0, 0], [0, 0]]),
        v.boolean_mask(x, [True, False, True]),
        v.boolean_mask(x, [True, False, True, True], axis=1),
        v.convert_to_tensor([1, 2], dtype_hint=tf.float64),
        v.expand_dims(x, 1),
        v.gather(x, [0, 2]),
        v.gather(x, [0, 2], axis=1),
        v.gather(x, [[0], [1], [2]], axis=1, batch_dims=1),
        v.gather_nd(x, [[0, 1], [2, 2]]),
        v.ones_like(fed),
        v.zeros_like(fed, dtype=tf.int32),
        v.pad(x, [[1, 0], [0, 1]], constant_values=2),
        v.pad(x, [[1, 0], [0, 1]], "REFLECT"),
        v.reverse_sequence(x, [1, 2, 4], seq_axis=1, batch_axis=0),
        v.shape(fed),
        v.size(fed, out_type=tf.int64),
        v.space_to_batch(image, [2, 2], [[0, 0], [0, 0]]),
        v.squeeze(tf.ones([1, 2, 1]), axis=[0]),
        v.transpose(x),
        v.transpose(x, [1, 0], conjugate=True),
        v.nn.depth_to_space(tf.ones([1, 1, 1, 4]), 2),
        v.nn.space_to_depth(image, 2),
    ]
    return _case(found, {fed: np.ones([2, 4])})


def math(tf):
    v = tf.compat.v2
    x = tf.placeholder(tf.float32, [2, 3])
    b = x > 2
    found = [v.argmax(x), v.argmin(x, 1, output_type=tf.int32)]
    found += [
        v.math.confusion_matrix([1, 0, 2], [1, 1, 2], weights=[1, 2, 3]),
        v.math.count_nonzero(x, axis=1, keepdims=True),
        v.reduce_all(b),
        v.reduce_any(b, 0, True),
        v.scalar_mul(2.0, x),
        v.math.l2_normalize(x, 1),
        v.norm(x, axis=1),
        v.linalg.norm(x, ord=1),
    ]
    for name in ("logsumexp", "max", "mean", "min", "prod", "sum"):
        reduce = getattr(v, "reduce_" + name)
        found += [reduce(x), reduce(x, axis=[1], keepdims=True, name=name)]
    for name in ("sum", "mean", "sqrt_n"):
        found.append(getattr(v.sparse, "segment_" + name)(x, [0, 1, 1], [0, 0, 1]))
        found.append(getattr(v.sparse, "segment_" + name)(x, [0, 1], [0, 2], num_segments=4))
    y = tf.reduce_sum(x * x * x)
    found += v.gradients(y, [x]) + v.hessians(y, [x])
    return _case(found, {x: [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]})


def checks(tf):
    d = tf.compat.v2.debugging
    x = tf.placeholder(tf.float32, [2])
    made = [
        tf.compat.v2.assert_equal(x, x, "message"),
        d.assert_none_equal(x, -x, 2),
        d.assert_greater(x, -x, "greater", 1),
        d.assert_greater_equal(x, x),
        d.assert_less(-x, x),
        d.assert_less_equal(x, x, name="less_equal"),
        d.assert_negative(-x),
        d.assert_non_negative(x),
        d.assert_non_positive(-x),
        d.assert_positive(x, "positive"),
        d.assert_near(x, x, 1e-3),
        d.assert_rank(x, 1),
        d.assert_rank_at_least(x, 1),
        d.assert_rank_in(x, [1, 2]),
        d.assert_all_finite(x, "finite"),
    ]
    made += [
        d.assert_integer(tf.size(x)),
        d.assert_scalar(tf.size(x)),
        d.assert_type(x, tf.float32),
    ]
    made.append(d.assert_shapes({x: ("N",)}))
    with tf.control_dependencies([op for op in made if hasattr(op, "name")]):
        return _case([tf.identity(x)], {x: [1.0, 2.0]})


def flow(tf):
    v = tf.compat.v2
    x = tf.placeholder(tf.float32, [])
    with v.device("/cpu:0"), v.name_scope("scope"):
        y = v.cond(x > 1, lambda: x + 1, lambda: x - 1)
    z = v.case([(x > 3, lambda: x * 2)], default=lambda: x * 3)
    turns = v.while_loop(lambda i: i < 3, lambda i: [i + 1], [0])
    more = v.while_loop(lambda i, j: i < 3, lambda i, j: (i + 1, j * 2.0), (0, x))
    return _case([y, z, turns[0], more[1]] + v.tuple([x, y]), {x: 2.0})


def convolutions(tf):
    nn = tf.compat.v2.nn
    image, series = _image(tf), tf.ones([1, 5, 2])
    cube = tf.ones([1, 3, 3, 3, 1])
    filters = np.arange(8, dtype=np.float32).reshape(2, 2, 2, 1) / 8
    found = [
        nn.conv1d(series, np.ones([2, 2, 3], np.float32), 1, "VALID"),
        nn.conv1d(series, np.ones([2, 2, 3], np.float32), 1, "SAME", dilations=2),
        nn.conv2d(image, filters, 1, "SAME"),
        nn.conv2d(image, filters, [1, 2, 2, 1], "VALID"),
        nn.conv2d(image, filters, 1, "VALID", dilations=2),
        nn.conv3d(cube, np.ones([2, 2, 2, 1, 1], np.float32), [1, 1, 1, 1, 1], "VALID"),
        nn.conv2d_transpose(tf.ones([1, 2, 2, 1]), filters, [1, 4, 4, 2], 2),
        nn.conv3d_transpose(
            tf.ones([1, 2, 2, 2, 1]), np.ones([2, 2, 2, 1, 1], np.float32), [1, 4, 4, 4, 1], 2
        ),
        nn.convolution(image, filters),
        nn.convolution(image, filters, padding="SAME", dilations=[2, 2]),
        nn.depthwise_conv2d(image, filters, [1, 1, 1, 1], "VALID"),
        nn.depthwise_conv2d(image, filters, [1, 1, 1, 1], "VALID", dilations=[2, 2]),
        nn.separable_conv2d(
            image, filters, np.ones([1, 1, 2, 1], np.float32), [1, 1, 1, 1], "VALID"
        ),
        nn.dilation2d(image, filters[..., 0], [1, 1, 1, 1], "VALID", "NHWC", [1, 1, 1, 1]),
        nn.erosion2d(image, filters[..., 0], [1, 1, 1, 1], "VALID", "NHWC", [1, 1, 1, 1]),
        nn.avg_pool2d(image, 2, 2, "VALID"),
        nn.pool(image, [2, 2], "MAX"),
        nn.pool(image, [2, 2], "AVG", dilations=[2, 2]),
    ]
    found += nn.max_pool_with_argmax(image, 2, 2, "VALID")
    return _case(found)


def nets(tf):
    nn = tf.compat.v2.nn
    x = tf.placeholder(tf.float32, [2, 3])
    labels = tf.constant([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    table = tf.Variable(np.arange(12.0, dtype=np.float32).reshape(6, 2))
    ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 3, 2], tf.int64), [2, 2])
    found = [
        nn.crelu(x),
        nn.dropout(x, 0.5, seed=1),
        nn.dropout(x, tf.constant(0.25), noise_shape=[2, 1], seed=2),
        nn.embedding_lookup(table, [1, 5]),
        nn.embedding_lookup([table, table], [1, 11], max_norm=1.0),
        nn.embedding_lookup_sparse(table, ids, None, combiner="sum"),
        nn.safe_embedding_lookup_sparse([table], ids),
        nn.in_top_k([1, 2], x, 2),
        nn.log_softmax(x),
        nn.softmax(x, axis=0),
        nn.sigmoid_cross_entropy_with_logits(labels, x),
        nn.softmax_cross_entropy_with_logits(labels, x),
        nn.sparse_softmax_cross_entropy_with_logits([1, 0], x),
        nn.weighted_cross_entropy_with_logits(labels, x, 2.0),
        nn.batch_norm_with_global_normalization(
            _image(tf), *[tf.constant([value, 2.0]) for value in (0.1, 1.0, 0.5, 3.0)], 1e-3, True
        ),
    ]
    found += nn.moments(x, [0], keepdims=True)
    found += nn.weighted_moments(x, [0], tf.constant(2.0))
    found += [part for part in nn.sufficient_statistics(x, [0]) if part is not None]
    weights, biases = tf.ones([4, 3]), tf.zeros([4])
    classes = tf.constant([[1], [2]], tf.int64)
    sampled = (
        tf.constant([0, 3], tf.int64),
        tf.constant([[0.5], [0.5]]),
        tf.constant([0.5, 0.25]),
    )
    found.append(nn.nce_loss(weights, biases, classes, x, 2, 4, sampled_values=sampled))
    found.append(nn.sampled_softmax_loss(weights, biases, classes, x, 2, 4, sampled_values=sampled))
    return _case(found, {x: [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]})


def text(tf):
    v = tf.compat.v2
    words = tf.constant(["one", "three"])
    sparse = tf.SparseTensor([[0, 0], [1, 2]], [1.0, 2.0], [2, 3])
    found = [
        v.strings.length(words),
        v.strings.reduce_join(words, separator="-"),
        v.strings.reduce_join([["a", "b"], ["c", "d"]], axis=1, keepdims=True),
        v.strings.substr(words, 1, 2),
        v.strings.to_hash_bucket(words, 7),
        v.strings.to_number(["1", "2"], tf.int32),
        v.io.serialize_sparse(sparse),
        v.sparse.add(sparse, sparse).values,
        v.sparse.concat(1, [sparse, sparse]).indices,
        v.sparse.split(sparse, 3, 1)[2].values,
    ]
    found += v.io.decode_csv(["1,x", "2,"], [[0], ["none"]], na_value="x")
    example = tf.train.Example()
    example.features.feature["a"].float_list.value.extend([1.0, 2.0])
    features = {"a": tf.FixedLenFeature([2], tf.float32)}
    serialized = example.SerializeToString()
    found.append(v.io.parse_example([serialized], features)["a"])
    found.append(v.io.parse_single_example(serialized, features)["a"])
    return _case(found)


def initializers(tf):
    tf.set_random_seed(3)
    made = tf.compat.v2.initializers
    kinds = [
        tf.compat.v2.zeros_initializer(),
        tf.compat.v2.ones_initializer(),
        tf.compat.v2.constant_initializer(2),
        made.Constant([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        tf.compat.v2.random_normal_initializer(),
        tf.compat.v2.random_uniform_initializer(seed=1),
        made.TruncatedNormal(stddev=2.0, seed=2),
        made.VarianceScaling(2.0, "fan_avg", "untruncated_normal"),
        made.GlorotNormal(),
        made.GlorotUniform(4),
        made.he_normal(),
        made.he_uniform(5),
        made.lecun_normal(6),
        made.lecun_uniform(),
        made.Orthogonal(2.0, seed=7),
    ]
    found = [kind([2, 3], tf.float32) for kind in kinds]
    found += [made.Identity(3.0)([2, 2]), made.Ones()([2], tf.bool), made.Zeros()([2])]
    found.append(made.RandomUniform(1, 9)([3], tf.int32))
    again = [type(kind).from_config(kind.get_config()) for kind in kinds]
    found.append(again[5]([2, 3]))
    return _case(found, said=[sorted(kind.get_config()) for kind in kinds])


def variables(tf):
    kind, mean = tf.compat.v2.Variable, tf.compat.v2.VariableAggregation.MEAN
    a = kind([1.0, 2.0], name="a")
    b = kind(lambda: tf.ones([2], tf.float64), trainable=False, aggregation=mean)
    said = [isinstance(tf.Variable(1.0), kind), isinstance(a, tf.Variable), b, b.aggregation]
    said += [mean == tf.VariableAggregation.MEAN, hash(mean) == hash(tf.VariableAggregation.MEAN)]

    def creator(following, **kwargs):
        said.append(sorted(kwargs))
        return following(**kwargs)

    with tf.compat.v2.variable_creator_scope(creator):
        made = [kind(3), tf.Variable(2.0)]
    return _case([a + 1.0, b] + made, said=said)


def cells(tf):
    tf.set_random_seed(3)
    layers = tf.compat.v2.keras.layers
    made = [layers.GRUCell(4), layers.LSTMCell(4), layers.GRUCell(4, "relu", reset_after=False)]
    x = tf.constant(np.arange(12, dtype=np.float32).reshape(2, 2, 3) / 10)
    settings = ("activation", "implementation", "name", "recurrent_activation", "reset_after")
    configs = [cell.get_config() for cell in made]
    said = [[config.get(name) for name in settings] for config in configs]
    said += [isinstance(made[0], tf.keras.layers.GRUCell)]
    return _case([tf.keras.layers.RNN(cell)(x) for cell in made], said=said)


def renamed(tf):
    v = tf.compat.v2
    sparse = tf.SparseTensor([[0, 0], [1, 2]], [1.0, 2.0], [2, 3])
    words = v.strings.split(tf.constant(["a b", "c"]))
    found = [
        v.math.bincount([1, 1, 3], minlength=5, name="counts"),
        v.sparse.reduce_max(sparse, axis=1),
        v.sparse.reduce_sum(sparse, axis=0, output_is_sparse=True).values,
        words.row_splits,
    ]
    column = v.feature_column.categorical_column_with_vocabulary_list("a", ["x", "y"])
    spec = v.feature_column.make_parse_example_spec([column])
    shared = v.feature_column.shared_embeddings([column], 2)
    said = [sorted(spec), type(shared[0]).__name__]
    said += [v.keras.initializers.Zeros is v.initializers.Zeros]
    tables = "StaticHashTable", "StaticVocabularyTable"
    said += [issubclass(getattr(tf.lookup, x), getattr(v.lookup, x)) for x in tables]
    return _case(found, said=said)


def wrapped(tf):
    """Wrappers of Keras's cells, called and in an RNN."""
    v = tf.compat.v2
    layers = tf.keras.layers
    x = tf.constant(np.linspace(-1, 1, 24, dtype=np.float32).reshape(2, 3, 4))
    ones = {"kernel_initializer": "ones", "recurrent_initializer": "ones"}
    residual = v.nn.RNNCellResidualWrapper(layers.LSTMCell(4, **ones), name="residual")
    placed = v.nn.RNNCellDeviceWrapper(layers.GRUCell(4, **ones), "/cpu:0", name="placed")
    kept = v.nn.RNNCellDropoutWrapper(
        layers.SimpleRNNCell(4, **ones), output_keep_prob=1.0, state_keep_prob=1.0, name="kept"
    )
    found = [layers.RNN(residual, unroll=True)(x), layers.RNN(kept, unroll=True)(x)]
    found.append(placed(x[:, 0], [tf.ones([2, 4])])[0])
    said = [sorted(cell.get_config()) for cell in (residual, placed, kept)]
    said.append(type(type(residual).from_config(residual.get_config()).cell).__name__)
    said += [residual.state_size, residual.output_size, len(residual.weights)]
    return _case(found, said=said)


def recurrent(tf):
    """The layers' numbers: TensorFlow records functions that it can exchange for cuDNN's."""
    layers = tf.compat.v2.keras.layers
    said = []
    for make in (layers.LSTM, layers.GRU):
        with tf.Graph().as_default(), tf.Session() as session:
            layer = make(3, return_sequences=True, return_state=True)
            found = layer(tf.constant(np.linspace(-1, 1, 24, dtype=np.float32).reshape(2, 3, 4)))
            said.append([w.shape for w in layer.weights])
            config = layer.get_config()
            said.append(sorted((k, v) for k, v in config.items() if isinstance(v, (int, str))))
            for weight in layer.weights:
                size = int(np.prod(weight.shape.as_list()))
                value = np.linspace(-0.4, 0.5, size).reshape(weight.shape.as_list())
                session.run(weight.initializer)
                weight.load(value, session)
            for value in session.run(found):
                said.append(np.round(value.astype(np.float64), 4).tolist())
    return _case([tf.constant(1)], said=said)


def classes(tf):
    v = tf.compat.v2
    spec = v.DeviceSpec.from_string("/job:ps/task:1")
    other = spec.replace(device_type="GPU", device_index=2)
    said = [spec.to_string(), other.to_string(), spec.make_merged_spec(other).to_string()]
    said += [spec.parse_from_string("/cpu:0").to_string(), spec == v.DeviceSpec("ps", task=1)]
    said += [issubclass(tf.DeviceSpec, v.DeviceSpec)]
    distribute = v.distribute
    one = distribute.OneDeviceStrategy("/cpu:0")
    made = [one, distribute.MirroredStrategy(["/cpu:0"])]
    made.append(distribute.experimental.CentralStorageStrategy())
    for strategy in made:
        said += [type(strategy).__name__, isinstance(strategy, distribute.Strategy)]
        said += [isinstance(strategy, tf.distribute.Strategy), strategy.num_replicas_in_sync]
        said.append(isinstance(strategy.extended, distribute.StrategyExtended))
    with one.scope():
        total = one.reduce("SUM", one.experimental_run_v2(lambda: tf.constant(2.0)), axis=None)
    said.append(issubclass(tf.distribute.Strategy, distribute.Strategy))
    for wrong in (lambda: setattr(spec, "job", "ps"), lambda: one.reduce("SUM", 1)):
        try:
            said.append(wrong())
        except Exception as error:  # Its text is Python's.
            said.append(type(error).__name__)
    estimator = v.estimator.Estimator(lambda features: None)
    said += [isinstance(estimator, tf.estimator.Estimator), hasattr(estimator, "export_savedmodel")]
    return _case([total], said=said)


_GROUP = (
    array, math, checks, flow, convolutions, nets, text, initializers, variables, cells, renamed,
    wrapped, recurrent, classes,
)  # fmt: skip
CASES = {"v2": collect(*_GROUP)}
MISTAKES = {
    "v2": {
        "scale": lambda tf: tf.compat.v2.initializers.VarianceScaling(-1.0),
        "mode": lambda tf: tf.compat.v2.initializers.VarianceScaling(mode="no"),
        "ones_of_strings": lambda tf: tf.compat.v2.ones_initializer()([2], tf.string),
        "normal_of_ints": lambda tf: tf.compat.v2.random_normal_initializer()([2], tf.int32),
        "vector_identity": lambda tf: tf.compat.v2.initializers.Identity()([2]),
        "constant_too_short": lambda tf: tf.compat.v2.constant_initializer([1, 2])([3]),
        "assert_equal": lambda tf: tf.compat.v2.assert_equal(1, 2, "not equal"),
        "missing": lambda tf: tf.compat.v2.expand_dims(1),
        "device": lambda tf: tf.compat.v2.device(lambda op: "/cpu:0").__enter__(),
    }
}
