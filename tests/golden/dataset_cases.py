"""tf.data: pipelines, what they record and the elements that they give.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_data.py`. A case
takes the `tensorflow` module, records a graph and returns an `Elements`.
"""

from __future__ import annotations

import collections
import functools

import dataset_file_cases
import numpy as np
from case_runs import collect
from dataset_mistake_cases import MISTAKES as MISTAKES
from dataset_runs import Elements, _range, tried

NAMED = collections.namedtuple("NAMED", ["a", "b"])  # noqa: PYI024


# ---- sources ----------


def tensors(tf):
    slices = tf.data.Dataset.from_tensor_slices
    x = np.arange(6.0).reshape(3, 2)
    return Elements(
        tf,
        {
            "array": slices(x),
            "tuple": slices((x, [1, 2, 3])),
            "dict": slices({"b": x, "a": ["u", "v", "w"]}),
            "named": slices(NAMED({"k": x}, (x, tf.constant(["p", "q", "r"])))),
            "whole": tf.data.Dataset.from_tensors((x, {"s": "text"})),
            "fed": slices(tf.placeholder_with_default(x, [None, 2])),
            "range": _range(tf, 5, 0, -2),
            "two": _range(tf, 2, 4),
            "bytes": slices(np.array([b"a", b"bc"])),
        },
    )


def sparse(tf):
    value = tf.SparseTensor([[0, 0], [1, 2], [2, 1]], [1, 2, 3], [3, 4])
    slices = tf.data.Dataset.from_tensor_slices
    return Elements(
        tf,
        {
            "whole": tf.data.Dataset.from_tensors(value),
            "rows": slices((value, [1, 2, 3])),
            "batched": slices(value).batch(2),
            "mapped": slices(value).map(lambda s: tf.sparse.to_dense(s)),
            "made": _range(tf, 2).map(
                lambda i: tf.SparseTensor(tf.reshape(i, [1, 1]), [i], [4]),
            ),
            "slices": tf.data.Dataset.from_sparse_tensor_slices(value),
        },
    )


def generators(tf):
    def pairs():
        for i in range(3):
            yield {"n": i, "v": [i] * i}, "t%d" % i

    def counted(stop, names):
        for i in range(stop):
            yield names[i % len(names)]

    of = tf.data.Dataset.from_generator
    return Elements(
        tf,
        {
            "pairs": of(pairs, ({"n": tf.int32, "v": tf.float32}, tf.string)),
            "shapes": of(lambda: iter([[1, 2], [3, 4]]), tf.int64, [2]).repeat(2),
            "args": of(counted, tf.string, [], args=(3, [b"x", b"y"])),
            "wrong": of(lambda: iter([1, [2], 3]), tf.int32, []),
        },
        times=2,
    )


# ---- transformations ----------


def parts(tf):
    r = _range(tf, 7)
    return Elements(
        tf,
        {
            "concatenate": r.take(2).concatenate(_range(tf, 3)),
            "enumerate": r.enumerate(5),
            "prefetch": r.prefetch(2),
            "repeat": r.take(2).repeat(2),
            "shard": r.shard(3, 1),
            "skip": r.skip(5),
            "take": r.take(-1),
            "zip": tf.data.Dataset.zip((r, {"a": r.skip(4)})),
            "empty": r.take(0).repeat(),
            "cache": r.take(3).cache().repeat(2),
            "apply": r.apply(lambda d: d.skip(1)),
        },
        count=8,
    )


def batches(tf):
    r = _range(tf, 5)
    ragged = r.map(lambda i: (tf.fill([i], i), i))
    return Elements(
        tf,
        {
            "batch": r.batch(2),
            "dropped": r.batch(2, drop_remainder=True),
            "fed": r.batch(tf.placeholder_with_default(tf.constant(3, tf.int64), [])),
            "wrong": ragged.batch(2),
            "padded": ragged.padded_batch(2, ([None], [])),
            "padded_to": ragged.padded_batch(
                2, ([5], []), (tf.constant(-1, tf.int64), tf.constant(0, tf.int64)), True
            ),
            "too_small": ragged.padded_batch(3, ([3], [])),
            "unbatch": r.batch(2).unbatch(),
            "window": r.window(2, drop_remainder=True).flat_map(lambda w: w.batch(2)),
            "shifted": r.window(3, 1, 2).flat_map(lambda w: w.batch(3)),
        },
    )


def shuffled(tf):
    tf.set_random_seed(5)
    r = _range(tf, 5)
    return Elements(
        tf,
        {
            "seed": r.shuffle(3, seed=1),
            "graph_seed": r.shuffle(10),
            "repeated": r.shuffle(3, seed=7).repeat(2),
            "batched": r.shuffle(3, seed=7).batch(2).repeat(2),
            "same": r.shuffle(3, seed=7, reshuffle_each_iteration=False).repeat(2),
            "twice": tf.data.Dataset.zip((r.shuffle(5, seed=2),) * 2),
            "inside": r.take(2).flat_map(lambda i: r.shuffle(3, seed=4)),
            "inside_repeated": r.take(2).flat_map(
                lambda i: _range(tf, 3).shuffle(3, seed=4).repeat(2)
            ),
        },
        count=12,
        times=2,
    )


def random_numbers(tf):
    draw = functools.partial(tf.random_uniform, [], seed=3)
    r = _range(tf, 2)
    data = tf.data.experimental
    three = [_range(tf, 9), _range(tf, 10, 12), _range(tf, 20, 29)]
    return Elements(
        tf,
        {
            "map": r.map(lambda i: (draw(), tf.random_normal([2], seed=5))).repeat(2),
            "parallel": r.map(lambda i: i, num_parallel_calls=2),
            "inside": r.flat_map(lambda i: r.map(lambda j: draw())),
            "filter": _range(tf, 9).filter(lambda i: draw() < 0.5),
            "numbers": data.RandomDataset(seed=4),
            "sample": data.sample_from_datasets(three, [0.5, 0.2, 0.3], seed=2),
            "equally": data.sample_from_datasets(three, seed=2),
            "choose": data.choose_from_datasets(
                three, tf.data.Dataset.from_tensor_slices(np.array([1, 1, 1, 0, 2]))
            ),
        },
        count=9,
        times=2,
    )


def functions(tf):
    r = _range(tf, 5)
    outside = tf.constant([10, 20, 30, 40, 50], tf.int64)

    def many(i):
        return {"sum": i + outside[i], "list": [i, i]}, tf.as_string(i)

    return Elements(
        tf,
        {
            "map": r.map(many),
            "args": r.map(lambda i: (i, i * 2)).map(lambda a, b: b - a),
            "parallel": r.map(lambda i: i * i, num_parallel_calls=2),
            "legacy": r.map_with_legacy_function(lambda i: i + 1),
            "filter": r.filter(lambda i: tf.equal(i % 2, 0)),
            "flat_map": r.flat_map(lambda i: _range(tf, i)),
            "python": r.map(lambda i: tf.py_func(lambda v: v * 2, [i], tf.int64)),
            "fails": r.map(lambda i: 6 // (i - 1)),
            "ignored": r.map(lambda i: 6 // (i - 1)).apply(tf.data.experimental.ignore_errors()),
            "filter_fails": r.filter(lambda i: 6 // (i - 1) > 1),
        },
        count=7,
    )


def failing(tf):
    r = _range(tf, 3)
    data = tf.data.experimental
    pairs = tf.data.Dataset.from_generator(
        lambda: iter([([1, 2], [1]), ([3], [4])]), (tf.int32, tf.int32), ([None], [None])
    )
    return Elements(
        tf,
        {
            "flat_map": r.flat_map(lambda i: _range(tf, 6 // i)),
            "nested": r.take(2).flat_map(lambda i: r.map(lambda j: 5 // j)),
            "scan": r.apply(data.scan(np.int64(1), lambda s, i: (s, 6 // i))),
            "take_while": r.apply(data.take_while(lambda i: 6 // i > 0)),
            "group": r.apply(data.group_by_window(lambda i: 6 // i, lambda k, d: d.batch(2), 2)),
            "unbatch": pairs.unbatch(),
            "padded": r.map(lambda i: tf.ones(tf.fill([i], 1))).padded_batch(2, [None]),
            "chosen": data.choose_from_datasets(
                [r, r], tf.data.Dataset.from_tensor_slices(np.array([0, 5, 1]))
            ),
            "cached": r.cache().take(2).repeat(2),
        },
        count=4,
    )


def refused(tf):
    """Wrong arguments and elements, and where a pipeline goes on after them."""
    from tensorflow.python.data.experimental.ops import map_defun, sleep
    from tensorflow.python.eager import function

    r = _range(tf, 1, 5)
    experimental = tf.data.experimental
    files = tf.data.FixedLengthRecordDataset
    ragged = _range(tf, 5).map(lambda i: tf.fill([i], i))
    floats = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 0.0, 4.0, 5.0])

    def of(i):
        return tf.data.Dataset.from_tensors(i).repeat(i)

    def check(x):
        return tf.check_numerics(1.0 / x, "bad")

    def parallel(*args):
        return r.apply(experimental.parallel_interleave(of, *args))

    def reduced(*state):
        last = r.reduce(state, lambda s, x: (s[0] + x,))
        return tf.data.Dataset.from_tensors(last)

    unknown = r.filter(lambda i: i > 0)
    counted = [
        *[d.take(n) for d in (r, r.repeat(), unknown) for n in (-2, -1, 0, 9)],
        *[d.skip(n) for d in (r, r.repeat(), unknown) for n in (-2, -1, 0, 9)],
        r.apply(experimental.ignore_errors()),
        r.take(0).apply(experimental.shuffle_and_repeat(2)),
    ]
    uneven = tf.data.Dataset.from_generator(lambda: iter([[1, 2], 3, [4]]), tf.int32)
    double = function.defun(lambda x: x * 2, input_signature=[tf.TensorSpec([2], tf.int32)])
    twice = map_defun.map_defun(double, [tf.ones([3, 2], tf.int32)], [tf.int32], [[2]])
    return Elements(
        tf,
        {
            "more_calls_than_cycle": r.interleave(of, 2, 1, num_parallel_calls=3),
            "cycle": r.interleave(of, 0),
            "cycle_parallel": r.interleave(of, 0, num_parallel_calls=1),
            "block": r.interleave(of, 2, 0),
            "block_parallel": r.interleave(of, 2, 0, num_parallel_calls=1),
            "cycle_staged": parallel(-1, 1),
            "block_staged": parallel(2, 0),
            "count": r.apply(experimental.shuffle_and_repeat(3, 0, seed=9)),
            "components": reduced(np.int64(0), np.int64(1)),
            "scalar": uneven.apply(experimental.unbatch()),
            "record": files("none", 0),
            "header": files("none", 2, -1),
            "footer": files("none", 2, 0, -1),
            "columns": experimental.CsvDataset("none", [[0], ["n"]], select_cols=[2, 0]),
            "rank": ragged.apply(experimental.dense_to_sparse_batch(2, [])),
            "size": ragged.apply(experimental.dense_to_sparse_batch(2, [2])),
            "batch_after_map": floats.map(check).batch(2),
            "padded_text": tf.data.Dataset.from_tensor_slices(["a", "b", "c"]).padded_batch(
                2, [], padding_values="x"
            ),
            "slept": r.apply(sleep.sleep(10)),
        },
        fetches={"twice": twice, "counts": [experimental.cardinality(d) for d in counted]},
    )


def interleaved(tf):
    r = _range(tf, 1, 5)

    def of(i):
        return tf.data.Dataset.from_tensors(i).repeat(i)

    return Elements(
        tf,
        {
            "interleave": r.interleave(of, 2),
            "blocks": r.interleave(of, 2, 2),
            "many": r.interleave(of, 9, 3),
            "parallel": r.interleave(of, 2, 1, num_parallel_calls=2),
            "parallel_blocks": r.interleave(of, 3, 2, num_parallel_calls=2),
            "experimental": r.apply(tf.data.experimental.parallel_interleave(of, 2)),
            "experimental_blocks": r.apply(tf.data.experimental.parallel_interleave(of, 3, 2)),
        },
        count=12,
    )


def state(tf):
    r = _range(tf, 5)
    variable = tf.get_variable("v", [], initializer=tf.constant_initializer(2.0), use_resource=True)
    old = tf.get_variable("old", [], initializer=tf.constant_initializer(3.0), use_resource=False)
    keys = tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], tf.int64))
    table = tf.contrib.lookup.HashTable(keys, -1, shared_name="shared")
    return Elements(
        tf,
        {
            "variable": r.map(lambda i: tf.cast(i, tf.float32) * variable),
            "old": r.map(lambda i: tf.cast(i, tf.float32) * old),
            "table": tf.data.Dataset.from_tensor_slices(["b", "c"]).map(lambda w: table.lookup(w)),
            "repeated": r.shuffle(3, seed=3).repeat(2).map(lambda i: tf.cast(i, tf.float32) * old),
        },
    )


def reductions(tf):
    r = _range(tf, 5)
    data = tf.data.experimental
    return Elements(
        tf,
        fetches={
            "sum": r.reduce(np.int64(0), lambda a, b: a + b),
            "two": r.reduce(
                (tf.zeros([0], tf.int64), 1), lambda s, i: (tf.concat([s[0], [i]], 0), s[1] * 2)
            ),
            "fails": r.reduce(np.int64(1), lambda a, b: a // b),
            "single": data.get_single_element(r.skip(4)),
            "none": data.get_single_element(r.skip(5)),
            "several": data.get_single_element(r),
            "counts": [
                data.cardinality(d)
                for d in (
                    r,
                    r.repeat(3),
                    r.repeat(),
                    r.batch(2),
                    r.batch(2, True),
                    r.filter(lambda i: i > 1),
                    r.map(lambda i: i),
                    r.skip(2).take(9),
                    r.shard(2, 1),
                    r.concatenate(r),
                    tf.data.Dataset.zip((r, r.repeat())),
                    r.shuffle(2).prefetch(1).cache(),
                    r.flat_map(lambda i: r),
                    r.take(0).repeat(),
                    r.window(2),
                )
            ],
        },
        said=[data.INFINITE_CARDINALITY, data.UNKNOWN_CARDINALITY, data.AUTOTUNE],
    )


# ---- tf.data.experimental ----------


def experimental(tf):
    r = _range(tf, 6)
    data = tf.data.experimental
    words = tf.data.Dataset.from_tensor_slices(["a", "b", "a"])
    return Elements(
        tf,
        {
            "counter": data.Counter(3, 2).take(3),
            "enumerate": words.apply(data.enumerate_dataset(1)),
            "map_and_batch": r.apply(data.map_and_batch(lambda i: i * 2, 4)),
            "map_and_batch_dropped": r.apply(
                data.map_and_batch(lambda i: (i, {"a": i}), 4, drop_remainder=True)
            ),
            "scan": r.apply(data.scan(np.int64(1), lambda s, i: (s + i, s * i))),
            "grows": r.apply(
                data.scan(tf.zeros([0], tf.int64), lambda s, i: (tf.concat([s, [i]], 0), i))
            ),
            "shuffle_and_repeat": r.apply(data.shuffle_and_repeat(3, 2, seed=1)),
            "take_while": r.apply(data.take_while(lambda i: i < 3)),
            "unbatch": r.batch(4).apply(data.unbatch()),
            "unique": words.apply(data.unique()),
            "unique_numbers": r.map(lambda i: i % 2).apply(data.unique()),
            "sparse": r.map(lambda i: tf.fill([i], i)).apply(data.dense_to_sparse_batch(3, [5])),
        },
        count=8,
    )


def groups(tf):
    r = _range(tf, 9)
    data = tf.data.experimental
    ragged = tf.data.Dataset.from_tensor_slices([3, 1, 4, 1, 5, 2]).map(lambda n: tf.fill([n], n))
    reducer = data.Reducer(
        lambda key: (np.int64(0), key), lambda s, i: (s[0] + i, s[1]), lambda total, key: total * 10
    )
    bucket = functools.partial(
        data.bucket_by_sequence_length, lambda x: tf.size(x), [3, 5], [2, 2, 1]
    )
    return Elements(
        tf,
        {
            "window": r.apply(
                data.group_by_window(lambda i: i % 2, lambda key, d: d.batch(3), window_size=3)
            ),
            "sizes": r.apply(
                data.group_by_window(
                    lambda i: i % 2, lambda key, d: d.batch(9), window_size_func=lambda k: k + 2
                )
            ),
            "reducer": r.apply(data.group_by_reducer(lambda i: i % 3, reducer)),
            "bucket": ragged.apply(bucket()),
        },
        count=9,
    )


def contrib(tf):
    r = _range(tf, 7)
    data = tf.contrib.data
    ragged = r.map(lambda n: tf.fill([n], n))
    return Elements(
        tf,
        {
            "dropped": r.apply(data.batch_and_drop_remainder(3)),
            "padded": ragged.apply(data.padded_batch_and_drop_remainder(3, [None])),
            "sliding": r.apply(data.sliding_window_batch(3, 2)),
            "strided": r.apply(data.sliding_window_batch(2, window_shift=3, window_stride=2)),
            "checked": r.batch(7).apply(data.assert_element_shape(tf.TensorShape([7]))),
            "sloppy": r.apply(
                data.sloppy_interleave(lambda i: tf.data.Dataset.from_tensors(i), 2)
            ).take(2),
            "counter": data.Counter().take(2),
            "csv": data.RandomDataset(seed=1).take(2),
        },
        fetches={
            "reduced": data.reduce_dataset(
                r, data.Reducer(lambda _: np.int64(0), lambda s, i: s + i, lambda s: s)
            )
        },
    )


def conditionals(tf):
    r = _range(tf, 5)
    ragged = r.map(lambda n: tf.fill([n], n))
    bucket = tf.data.experimental.bucket_by_sequence_length(
        lambda x: tf.size(x), [3, 5], [2, 2, 1], pad_to_bucket_boundary=True
    )
    return Elements(
        tf,
        {
            "cond": r.map(lambda i: tf.cond(i > 2, lambda: i, lambda: -i)),
            "bucket": ragged.apply(bucket),
        },
    )


def resampled(tf):
    classes = tf.data.Dataset.from_tensor_slices(np.array([0, 0, 0, 1] * 20, np.int32))
    resample = tf.data.experimental.rejection_resample
    return Elements(
        tf,
        {
            "known": classes.apply(
                resample(lambda c: c, [0.5, 0.5], initial_dist=[0.75, 0.25], seed=3)
            ),
            "estimated": classes.apply(resample(lambda c: c, [0.5, 0.5], seed=3)),
        },
        count=12,
    )


def optionals(tf):
    data = tf.data.experimental
    iterator = tf.data.make_initializable_iterator(_range(tf, 1))
    following = data.get_next_as_optional(iterator)
    some = data.Optional.from_value({"a": 1, "b": [1.0, 2.0]})
    none = data.Optional.none_from_structure(some.value_structure)
    return Elements(
        tf,
        {
            "optional": _range(tf, 2)
            .map(lambda i: data.Optional.from_value(i))
            .map(lambda o: o.get_value())
        },
        fetches={
            "1": following.has_value(),
            "2": following.has_value(),
            "some": [some.has_value(), some.get_value()],
            "none": none.has_value(),
            "none_value": none.get_value(),
        },
        before=[iterator.initializer],
        said=[some.value_structure],
    )


def options(tf):
    r = _range(tf, 4).shuffle(3, seed=7).repeat(2)
    unfused = tf.data.Options()
    unfused.experimental_optimization.shuffle_and_repeat_fusion = False
    none = tf.data.Options()
    none.experimental_optimization.apply_default_optimizations = False
    none.experimental_optimization.autotune = False
    threads = tf.data.Options()
    threads.experimental_threading.private_threadpool_size = 2
    threads.experimental_threading.max_intra_op_parallelism = 1
    threads.experimental_deterministic = False
    merged = r.with_options(unfused).with_options(threads).options()
    return Elements(
        tf,
        {
            "unfused": r.with_options(unfused),
            "none": r.with_options(none),
            "threads": r.with_options(threads).batch(2),
        },
        count=9,
        said=[
            merged.experimental_optimization.shuffle_and_repeat_fusion,
            merged.experimental_threading.private_threadpool_size,
            merged == unfused,
            merged._static_optimizations(),
        ],
    )


# ---- iterators ----------


def _numbers(tf):
    tf.set_random_seed(3)
    return tf.data.Dataset.from_tensor_slices(np.arange(4.0, dtype=np.float32))


def one_shot(tf):
    draws = _numbers(tf).map(lambda x: x + tf.random_uniform([])).shuffle(3).repeat(2).batch(3)
    return Elements(tf, {"draws": draws}, one_shot=True)


def one_shot_capturing(tf):
    factor = tf.constant(2.0) * 3
    captured = _numbers(tf).map(lambda x: x * factor).filter(lambda x: x > factor)
    return Elements(tf, {"captured": captured}, one_shot=True)


def one_shot_failing(tf):
    fails = _numbers(tf).map(lambda x: tf.check_numerics(1 / x, "reciprocal"))
    return Elements(tf, {"fails": fails}, one_shot=True)


def one_shot_wrong(tf):
    return Elements(tf, {"no_batch": _numbers(tf).batch(0)}, one_shot=True)


def switched(tf):
    types = (tf.int64, tf.string)
    first = _range(tf, 3).map(lambda i: (i, tf.as_string(i)))
    second = _range(tf, 10, 12).map(lambda i: (i, "text"))
    iterator = tf.data.Iterator.from_structure(types, ([], []))
    element = iterator.get_next(name="element")
    setups = [iterator.make_initializer(first), iterator.make_initializer(second, name="second")]
    handle = tf.placeholder(tf.string, [])
    fed = tf.data.Iterator.from_string_handle(handle, types, ([], [])).get_next()
    one = tf.data.make_one_shot_iterator(first)
    other = tf.data.make_initializable_iterator(second, shared_name="other")
    handles = [it.string_handle() for it in (one, other)] + [iterator.string_handle("mine")]
    wrong = tf.data.Iterator.from_string_handle(handle, (tf.int64, tf.int64), ([], [])).get_next()

    class Case:
        said = [str(x) for x in (iterator.output_types, iterator.output_shapes, element)]

        def run(self, tf):
            found = []
            with tf.Session() as session:
                values = session.run(handles)
                session.run(other.initializer)
                for setup in [None, setups[0], setups[1], setups[1]]:
                    if setup is not None:
                        session.run(setup)
                    for fetch in (element[0], element):
                        found.append(("element", tried(tf, lambda: session.run(fetch))))
                for value in (values * 4)[:10]:
                    feeds = {handle: value}
                    found.append(("fed", tried(tf, lambda: session.run(fed, feeds))))
                found.append(("wrong", tried(tf, lambda: session.run(wrong, feeds))))
                feeds = {handle: b"?"}
                found.append(("nothing", tried(tf, lambda: session.run(fed, feeds))))
            return found

    return Case()


def trained(tf):
    tf.set_random_seed(1)
    x = np.linspace(-1, 1, 8).astype(np.float32).reshape(8, 1)
    dataset = tf.data.Dataset.from_tensor_slices((x, 3 * x)).shuffle(4).repeat().batch(4)
    features, labels = tf.data.make_one_shot_iterator(dataset).get_next()
    step = tf.train.get_or_create_global_step()
    loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features, 1))
    train = tf.train.GradientDescentOptimizer(0.3).minimize(loss, step)

    class Case:
        said = [str(features), str(tf.gradients(loss, features)[0])]

        def run(self, tf):
            hooks = [tf.train.StopAtStepHook(3)]
            found = []
            with tf.train.MonitoredTrainingSession(hooks=hooks) as session:
                while not session.should_stop():
                    found.append(("loss", session.run([loss, train])[0]))
            return found

    return Case()


CASES = {
    "sources": collect(tensors, sparse, generators),
    "transformations": collect(
        parts,
        batches,
        shuffled,
        random_numbers,
        functions,
        failing,
        refused,
        interleaved,
        state,
        reductions,
    ),
    "experimental": collect(experimental, groups, optionals, options, contrib),
    "conditionals": collect(conditionals, resampled),
    "iterators": collect(
        one_shot, one_shot_capturing, one_shot_failing, one_shot_wrong, switched, trained
    ),
    "files": dataset_file_cases.CASES,
}
