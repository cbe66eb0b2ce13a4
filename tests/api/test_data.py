"""tf.data against TensorFlow 1.15."""

from __future__ import annotations

import json
import re
import threading

import numpy as np
import pytest
import recording
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("dataset")

pytestmark = [
    pytest.mark.filterwarnings("ignore:tf.data static optimizations"),
    pytest.mark.filterwarnings("ignore:Seed 5 from outer graph"),
]


def _unnumbered(graph):
    """A graph without the counters in the names of branches."""
    text = re.sub(r"\b(\w+_(?:true|false))_\d+\b", r"\1_n", json.dumps(graph))
    return json.loads(text)


@GOLDENS.cases()
def test_case(tf, group, name, monkeypatch):
    if group == "conditionals":
        described = recording.describe_graph
        golden = GOLDENS._golden["cases"][group][name]
        monkeypatch.setitem(golden, "graph", _unnumbered(golden["graph"]))
        monkeypatch.setattr(recording, "describe_graph", lambda g: _unnumbered(described(g)))
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


# What no golden tells.


def _all(tf, dataset):
    """All elements of a dataset, in a session of its own."""
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    found = []
    with tf.Session() as session, pytest.raises(tf.errors.OutOfRangeError):
        while True:
            found.append(session.run(element))
    return found


def test_many_elements_at_a_time_are_as_one_by_one(tf):
    xs = np.random.default_rng(0).normal(size=(300, 3)).astype(np.float32)
    dataset = tf.data.Dataset.from_tensor_slices(xs)
    double = dataset.map(lambda x: (x * 2, tf.reduce_sum(x)))
    got = _all(tf, double.filter(lambda x, total: total > 0))
    want = xs[xs.sum(axis=1) > 0]
    np.testing.assert_array_equal([x for x, _ in got], want * 2)
    # One that fails is known by its place among the others.
    fails = tf.data.Dataset.range(300).map(lambda i: 6 // (i - 200))
    kept = _all(tf, fails.apply(tf.data.experimental.ignore_errors()))
    assert kept == [6 // (i - 200) for i in range(300) if i != 200]


def test_generators_go_on_where_elements_were_taken(tf):
    def drawn(dataset):
        return dataset.map(lambda i: tf.random_uniform([], seed=3))

    numbers = _all(tf, drawn(tf.data.Dataset.range(400)))
    again = _all(tf, drawn(tf.data.Dataset.range(300)).take(100).repeat(4))
    np.testing.assert_array_equal(numbers, again)
    assert len(set(numbers)) == 400


def test_what_acts_is_not_read_ahead(tf):
    seen = []

    def note(i):
        seen.append(i)
        return i

    dataset = tf.data.Dataset.range(500).map(lambda i: tf.py_func(note, [i], tf.int64))
    element = tf.data.make_one_shot_iterator(dataset.map(lambda i: i + 1)).get_next()
    with tf.Session() as session:
        assert [session.run(element) for _ in range(9)] == list(range(1, 10))
    assert seen == list(range(9))


def test_slow_functions_are_called_in_threads(tf, monkeypatch):
    from tf1compat.kernels.data import data_functions

    monkeypatch.setattr(data_functions, "_WORTH_A_THREAD", 0.0)
    monkeypatch.setattr(data_functions.os, "cpu_count", lambda: 4)
    text = tf.data.Dataset.range(40).map(lambda i: tf.as_string(6 // (i - 20)), -1)
    kept = _all(tf, text.apply(tf.data.experimental.ignore_errors()))
    assert kept == [b"%d" % (6 // (i - 20)) for i in range(40) if i != 20]


def test_threads_share_an_iterator(tf):
    dataset = tf.data.Dataset.range(200).map(lambda i: i * 2).prefetch(4)
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    found = []
    with tf.Session() as session:

        def work():
            with pytest.raises(tf.errors.OutOfRangeError):
                while True:
                    found.append(int(session.run(element)))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(found) == list(range(0, 400, 2))


def test_sessions_have_iterators_of_their_own(tf):
    iterator = tf.data.make_one_shot_iterator(tf.data.Dataset.range(3))
    element = iterator.get_next()
    with tf.Session() as first, tf.Session() as second:
        assert [s.run(element) for s in (first, first, second, first)] == [0, 1, 0, 2]
        assert first.run(element + 1, {element: 40}) == 41


def test_an_imported_graph_has_its_pipeline(tf):
    dataset = tf.data.Dataset.range(5).shuffle(3, seed=1).map(lambda i: (i, i + 1))
    iterator = dataset.make_initializable_iterator()
    names = [t.name for t in iterator.get_next()] + [iterator.initializer.name]
    graph_def = tf.get_default_graph().as_graph_def()
    tf.reset_default_graph()
    *element, setup = tf.import_graph_def(graph_def, return_elements=names)
    with tf.Session() as session:
        session.run(setup)
        assert session.run(element) == [1, 2]


def test_branches_and_loops_take_elements(tf):
    one, other = (tf.data.make_one_shot_iterator(tf.data.Dataset.range(n, 99)) for n in (0, 50))
    which = tf.placeholder(tf.bool, [])
    chosen = tf.cond(which, one.get_next, other.get_next)
    start = [0, tf.constant(0, tf.int64)]
    total = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + one.get_next()), start)[1]
    with tf.Session() as session:
        assert [session.run(chosen, {which: w}) for w in (True, False, True)] == [0, 50, 1]
        assert session.run(total) == 2 + 3 + 4


def test_a_variable_is_read_when_the_element_is_made(tf):
    variable = tf.get_variable("v", [], initializer=tf.zeros_initializer(), use_resource=True)
    dataset = tf.data.Dataset.range(9).map(lambda i: tf.cast(i, tf.float32) + variable)
    iterator = dataset.make_initializable_iterator()
    element = iterator.get_next()
    with tf.Session() as session:
        session.run([variable.initializer, iterator.initializer])
        first = session.run(element)
        session.run(variable.assign_add(10.0))
        assert [first, session.run(element)] == [0, 11]


def test_eagerly(tf):
    from tf1compat.core import context

    with context.mode(True):
        x = {"a": np.arange(4.0), "s": ["p", "q", "r", "s"]}
        dataset = tf.data.Dataset.from_tensor_slices(x).map(lambda e: (e["a"] * 2, e["s"]))
        got = [[part.numpy().tolist() for part in element] for element in dataset.batch(3)]
        assert got == [[[0, 2, 4], [b"p", b"q", b"r"]], [[6], [b"s"]]]
        total = tf.data.Dataset.range(5).reduce(np.int64(0), lambda a, b: a + b)
        assert total.numpy() == 10
        iterator = iter(tf.data.Dataset.from_generator(lambda: iter([1]), tf.int32))
        assert iterator.get_next().numpy() == 1
        with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
            iterator.get_next()
        with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
            list(tf.data.Dataset.range(1).map(lambda i: 1 // i))


def test_tensor_arrays_are_lists_between_functions(tf):
    """What TF 1.15 printed."""
    spec = tf.TensorArraySpec([2], tf.float32, dynamic_size=True)
    assert spec._flat_tensor_specs == [tf.TensorSpec([], tf.variant)]
    assert spec._to_legacy_output_shapes() == [1, 1, 2]
    with pytest.raises(TypeError, match="value must be a TensorArray, but saw: <class 'int'>"):
        spec._to_components(3)
    array = tf.TensorArray(tf.float32, 2, dynamic_size=True, element_shape=[2])
    [flow] = spec._to_components(array.unstack([[1.0, 2.0], [3.0, 4.0]]))
    assert flow.op.name == "convert_tensor_array/TensorListFromTensor"
    again = spec._from_components([flow])
    assert again.dynamic_size and again.element_shape == [2]
    assert spec._to_components(again) == [flow]

    def write(array, x):
        array = array.write(tf.cast(x, tf.int32), tf.cast(x, tf.float32) * 10)
        return array, array.stack()

    zeros = tf.TensorArray(tf.float32, 3, element_shape=[])
    dataset = tf.data.Dataset.range(3).apply(tf.data.experimental.scan(zeros, write))
    iterator = tf.data.make_initializable_iterator(dataset)
    element = iterator.get_next()
    with tf.Session() as session:
        session.run(iterator.initializer)
        got = [session.run(element).tolist() for _ in range(3)]
        assert session.run(again.stack()).tolist() == [[1, 2], [3, 4]]
    assert got == [[0, 0, 0], [0, 10, 0], [0, 10, 20]]
