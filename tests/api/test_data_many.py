"""Functions of datasets that work on many elements at a time on the host: everything is as one by
one."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tf1compat.core import op_registry
from tf1compat.runtime import functions
from tf1compat.runtime.host import many

COUNT = 150

pytestmark = pytest.mark.filterwarnings("ignore:tf.data static optimizations")


@pytest.fixture
def chunks(monkeypatch):
    """The numbers of elements that were worked on together."""
    found = []
    run = many.ManyOnHost.run

    def noted(self, base, elements, *others):
        results = run(self, base, elements, *others)
        found.append(len(elements))
        return results

    monkeypatch.setattr(many.ManyOnHost, "run", noted)
    monkeypatch.setattr(functions, "_Batched", lambda *_: None)
    return found


def _elements(tf, make):
    """What a dataset gives: values, and the class and text of errors."""
    with tf.Graph().as_default(), tf.Session() as session:
        element = tf.data.make_one_shot_iterator(make()).get_next()
        found = []
        while True:
            try:
                found.append(session.run(element))
            except tf.errors.OutOfRangeError:
                return found
            except tf.errors.OpError as error:
                text = re.sub(r"function_node \S+", "", error.message)  # Each has its own number.
                found.append((type(error).__name__, text))


def _same(one, other):
    """Whether two elements are the same, bit for bit."""
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[k], other[k]) for k in one)
    one, other = np.array(one), np.array(other)
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    for array in (one, other):
        if array.dtype.kind in "fc":
            array[np.isnan(array)] = np.nan  # The sign of one tells nothing.
    return (
        one.tolist() == other.tolist() if one.dtype == object else one.tobytes() == other.tobytes()
    )


def _check(tf, make, chunks, monkeypatch, fits: bool | None = True):
    """Goes through a dataset by chunks and one by one."""
    del chunks[:]
    found = _elements(tf, make)
    assert fits is None or bool(chunks) == fits
    with monkeypatch.context() as patch:
        patch.setattr(functions.HostFunction, "many_on_host", None)
        count = len(chunks)
        wanted = _elements(tf, make)
        assert len(chunks) == count
    assert len(found) == len(wanted) and all(map(_same, found, wanted))
    return found


def _example(i):
    from tf1compat.core.own_protos import message

    example = message("Example")()
    feature = example.features.feature
    feature["x"].float_list.value.extend([i, i / 7, -i])
    feature["label"].int64_list.value.append(i * 1000 - 5)
    feature["name"].bytes_list.value.append(b"n" * (i % 9))
    feature["ids"].int64_list.value.extend(range(i % 4))
    if i % 3:
        feature["maybe"].int64_list.value.append(i)
    return example.SerializeToString()


EXAMPLES = np.array([_example(i) for i in range(COUNT)], object)
LINES = np.array([b"word%d other%d  third" % (i, i % 7) for i in range(COUNT)], object)
ROWS = np.array([b"%d,%f,t%d" % (i, i / 3, i % 5) for i in range(COUNT)], object)


def _features(tf):
    return {
        "x": tf.FixedLenFeature([3], tf.float32),
        "label": tf.FixedLenFeature([], tf.int64),
        "name": tf.FixedLenFeature([], tf.string),
        "ids": tf.VarLenFeature(tf.int64),
        "maybe": tf.FixedLenFeature([1], tf.int64, default_value=[-1]),
        "row": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
    }


def _parsed(tf, serialized):
    found = tf.parse_single_example(serialized, _features(tf))
    image = tf.reshape(tf.cast(found["x"], tf.int32), [3, 1])
    return image, found["label"] % 10, found


MAPS = {
    "examples": (EXAMPLES, _parsed),
    "words": (
        LINES,
        lambda tf, line: tf.strings.to_hash_bucket_fast(tf.string_split([line]).values, 99),
    ),
    "parts of text": (
        np.array([*LINES[:40], b"", b" ", b"a  b ", *LINES[40:]], object),
        lambda tf, line: (
            tf.sparse.to_dense(tf.string_split([line], skip_empty=False), "none"),
            tf.string_split([line], ""),
            tf.strings.split([line], maxsplit=1, result_type="SparseTensor"),
            tf.strings.split([line, line]).dense_shape,
        ),
    ),
    "rows of text": (
        ROWS,
        lambda tf, line: tf.decode_csv(line, [[0], [0.0], [""]]),
    ),
    "text": (
        ROWS,
        lambda tf, line: (
            tf.regex_replace(line, ",", b";"),
            tf.string_join(["<", line, tf.string_split([line], ",").values[0]], "|"),
            tf.stack([tf.strings.length(line), 7])[::-1],
            line,
            tf.constant([1, 2]),
        ),
    ),
    "raw": (
        np.array([b"%03d%02d" % (i, i % 50) + b"abc" for i in range(COUNT)], object),
        lambda tf, text: (
            tf.one_hot(tf.cast(tf.decode_raw(text, tf.uint8)[:3], tf.int32) - 48, 10, axis=0),
            tf.expand_dims(tf.decode_raw(text, tf.uint8), -1) / np.uint8(3),
        ),
    ),
    "of other lengths": (
        np.arange(COUNT),
        lambda tf, i: tf.exp(tf.cast(tf.fill([i % 5 + 1, 2], i), tf.float32) / 9),
    ),
}


@pytest.mark.parametrize("name", MAPS)
def test_maps(tf, name, chunks, monkeypatch):
    values, function = MAPS[name]

    def make():
        return tf.data.Dataset.from_tensor_slices(values).map(lambda x: function(tf, x))

    assert len(_check(tf, make, chunks, monkeypatch)) == len(values)
    assert chunks[0] == 4 and chunks[1] > 4 and sum(chunks) == len(values) - 4


WRONG = {
    "examples": (
        np.array([*EXAMPLES[:70], b"none", *EXAMPLES[70:90], b"", *EXAMPLES[90:]], object),
        _parsed,
    ),
    "raw": (
        np.array([b"%d" % i for i in range(95, 125)], object),
        lambda tf, text: tf.reshape(tf.decode_raw(text, tf.uint8), [2]),
    ),
    "numbers": (
        np.array([b"%d" % i for i in range(60)] + [b"sixty"] + [b"%d" % i for i in range(70)]),
        lambda tf, text: 5 // tf.maximum(tf.string_to_number(text, tf.int32) - 100, -1),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_fails_is_known_by_its_place(tf, name, chunks, monkeypatch):
    values, function = WRONG[name]

    def make():
        return tf.data.Dataset.from_tensor_slices(values).map(lambda x: function(tf, x))

    found = _check(tf, make, chunks, monkeypatch, fits=name != "raw" or None)
    assert any(isinstance(x, tuple) and isinstance(x[0], str) for x in found)


def test_pipelines(tf, chunks, monkeypatch):
    def make():
        data = tf.data.Dataset.from_tensor_slices(EXAMPLES)
        data = data.map(lambda x: tf.parse_single_example(x, _features(tf))["x"], 2)
        data = data.filter(lambda x: tf.strings.length(tf.as_string(x[0])) > 8).repeat(2)
        return (
            data.shuffle(20, seed=3)
            .batch(7)
            .apply(tf.data.experimental.map_and_batch(lambda x: tf.as_string(x * 2), 3))
        )

    _check(tf, make, chunks, monkeypatch)


def test_an_iterator_goes_on_where_it_was_saved(tf, chunks, tmp_path):
    def iterator():
        data = tf.data.Dataset.from_tensor_slices(EXAMPLES).map(lambda x: _parsed(tf, x)[1])
        return tf.data.make_initializable_iterator(data.shuffle(9, seed=1).repeat(2))

    path = str(tmp_path / "at")
    with tf.Graph().as_default(), tf.Session() as session:
        begun = iterator()
        saver = tf.train.Saver([tf.data.experimental.make_saveable_from_iterator(begun)])
        element = begun.get_next()
        session.run(begun.initializer)
        for _ in range(37):
            session.run(element)
        saver.save(session, path)
        wanted = [session.run(element) for _ in range(200)]
        saver.restore(session, path)
        assert [session.run(element) for _ in range(200)] == wanted
    assert chunks


def test_what_acts_or_waits_is_not_for_many(tf, chunks, monkeypatch):
    seen = []

    def note(x):
        seen.append(x)
        return x

    def make():
        data = tf.data.Dataset.from_tensor_slices(LINES[:20])
        return data.map(lambda x: tf.numpy_function(note, [x], tf.string))

    _check(tf, make, chunks, monkeypatch, fits=False)
    assert seen == [*LINES[:20].tolist()] * 2


def _input(rng, kind, shape):
    numbers = rng.integers(1, 99, shape)
    if kind == "string":
        return np.array([b"%d" % x for x in numbers.ravel()], object).reshape(shape)
    return (rng.normal(size=shape) * 5).astype(kind) if kind[0] == "f" else numbers.astype(kind)


def _runs(tf, name, values):
    """Whether there is an operation of a type, of some values."""
    with tf.Graph().as_default(), tf.Session() as session:
        try:
            session.run(_recorded(tf, name, list(map(tf.constant, values))))
        except (TypeError, ValueError, AttributeError, NotImplementedError, tf.errors.OpError):
            return False
    return True


def _recorded(tf, name, values):
    op_def = op_registry.spec(name).op_def
    assert op_def is not None
    names = [arg.name for arg in op_def.input_args]
    return getattr(tf.raw_ops, name)(**dict(zip(names, values)))


@pytest.mark.parametrize("kind", ["float32", "float64", "int64", "bool", "string"])
def test_elementwise_ops_give_the_same_bits(tf, kind, chunks, monkeypatch):
    """Each op that says so, of elements of several shapes, beside a constant too."""
    rng = np.random.default_rng(0)
    vectors, scalars = _input(rng, kind, (19, 3)), _input(rng, kind, (19,))
    constant = _input(rng, kind, (3,))
    found = []
    for name, spec in sorted(op_registry.registered().items()):
        if spec.elementwise and spec.op_def is not None and not spec.op_def.has_list_inputs:
            count = len(spec.op_def.input_args)
            if _runs(tf, name, [constant] * count):
                found.append((name, count))
    assert len(found) > 4
    for start in range(0, len(found), 6):

        def given(x, y, start=start):
            for name, count in found[start : start + 6]:
                every = [[x], [y]] if count == 1 else [[x, y], [y, constant], [y, y]]
                for some in every:
                    yield _recorded(tf, name, [*some, *[constant] * (count - len(some))])

        def make(given=given):
            data = tf.data.Dataset.from_tensor_slices((scalars, vectors))
            return data.map(lambda x, y: tuple(given(x, y)))

        _check(tf, make, chunks, monkeypatch)
