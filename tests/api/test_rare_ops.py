"""Op types that hardly any program has, against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("rare_op")


@GOLDENS.cases()
def test_case(tf, group, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    GOLDENS.check_case(tf, group, name)


def _all_of(tf, fetch):
    found = []
    with tf.Session() as session:
        tf.train.start_queue_runners(session)
        while True:
            try:
                found.append(tuple(session.run(fetch)))
            except tf.errors.OutOfRangeError:
                return found


def test_databases_of_lmdb(tf, tmp_path):
    lmdb = pytest.importorskip("lmdb")
    with (
        lmdb.open(str(tmp_path / "folder")) as folder,
        lmdb.open(str(tmp_path / "file.mdb"), subdir=False) as file,
    ):
        for database, letter in ((folder, b"a"), (file, b"b")):
            with database.begin(write=True) as transaction:
                for i in (1, 0):
                    transaction.put(b"%s%d" % (letter, i), b"value %d" % i)
    names = [str(tmp_path / "folder"), str(tmp_path / "file.mdb")]
    expected = [(b"%s%d" % (c, i), b"value %d" % i) for c in (b"a", b"b") for i in (0, 1)]
    elements = tf.data.make_one_shot_iterator(tf.contrib.data.LMDBDataset(names)).get_next()
    assert _all_of(tf, elements) == expected
    queue = tf.train.string_input_producer(names, num_epochs=1, shuffle=False)
    reader = tf.LMDBReader()
    record = reader.read(queue)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        tf.train.start_queue_runners(session)
        assert [tuple(session.run(record)) for _ in expected] == expected
    missing = tf.contrib.data.LMDBDataset(str(tmp_path / "missing"))
    elements = tf.data.make_one_shot_iterator(missing).get_next()
    refused = pytest.raises(tf.errors.InvalidArgumentError, match="No such file or directory")
    with tf.Session() as session, refused:
        session.run(elements)


def test_statistics_of_a_pipeline(tf):
    aggregator = tf.data.experimental.StatsAggregator()
    dataset = tf.data.Dataset.from_tensor_slices([b"a", b"bcd", b"ef"])
    dataset = dataset.apply(tf.data.experimental.bytes_produced_stats("bytes"))
    dataset = dataset.apply(tf.data.experimental.latency_stats("latency"))
    options = tf.data.Options()
    options.experimental_stats.aggregator = aggregator
    options.experimental_stats.prefix = "pipeline"
    iterator = tf.data.make_initializable_iterator(dataset.with_options(options))
    element, summary = iterator.get_next(), aggregator.get_summary()
    with tf.Session() as session:
        session.run(iterator.initializer)
        assert session.run(summary) == b""
        session.run(element)
        session.run(element)
        values = {v.tag: v.histo for v in tf.Summary.FromString(session.run(summary)).value}
    assert set(values) == {"pipeline::bytes", "pipeline::latency"}
    assert values["pipeline::latency"].num == 2
    counted = values["pipeline::bytes"]
    # TF counts the pointer of a text, too.
    assert (counted.min, counted.max, counted.num, counted.sum) == (9, 11, 2, 20)
