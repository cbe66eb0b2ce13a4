"""Datasets of what is in files, as cases of `dataset_cases`."""

from __future__ import annotations

import functools
import gzip
import os
import shutil
import sqlite3
import tempfile
import zlib

from case_runs import collect
from dataset_runs import Elements, _range


def _in_files(case):
    """A case that runs in a folder with files."""

    @functools.wraps(case)
    def made(tf):
        before, folder = os.getcwd(), tempfile.mkdtemp()
        os.chdir(folder)
        lines = b"one\ntwo\r\n\nfour"
        for name, data in (
            ("lines.txt", lines),
            ("more.txt", b"five\n"),
            ("lines.gz", gzip.compress(lines)),
            ("lines.z", zlib.compress(lines)),
            ("fixed.bin", b"HHabcdefghiF"),
            ("fixed.z", zlib.compress(b"HHabcdefghiF")),
            ("table.csv", b'n,x,s\n1,0.5,a\n2,,"b,\nc"\n,2.5,\n'),
            ("bad.csv", b"n,x,s\n1,2,a\nx,1,b\n3\n4,1,d\n"),
        ):
            with open(name, "wb") as file:
                file.write(data)
        records(tf, "a.tfrecord", None, [b"r0", b"r1"])
        records(tf, "b.tfrecord", "GZIP", [b"r2"])
        with open("a.tfrecord", "rb") as file:
            data = bytearray(file.read())
        data[-5] ^= 1
        with open("damaged", "wb") as file:
            file.write(data)
        records(tf, "c.tfrecord", None, [example(tf, i) for i in range(3)])
        with sqlite3.connect("data.sqlite") as connection:
            connection.execute("create table t (n integer, s text, x real)")
            connection.executemany("insert into t values (?, ?, ?)", [(1, "a", 0.5), (2, "b", 1.5)])
        connection.close()
        try:
            built = case(tf)
        except BaseException:
            os.chdir(before)
            shutil.rmtree(folder)
            raise
        run = built.run

        def run_and_leave(tf):
            try:
                return run(tf)
            finally:
                os.chdir(before)
                shutil.rmtree(folder)

        built.run = run_and_leave
        return built

    return made


def records(tf, name, compression, data):
    with tf.python_io.TFRecordWriter(name, compression) as writer:
        for record in data:
            writer.write(record)


def example(tf, i):
    feature = {
        "n": tf.train.Feature(int64_list=tf.train.Int64List(value=[i, i + 1])),
        "s": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"t"] * i)),
    }
    return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString(
        deterministic=True
    )


@_in_files
def read(tf):
    data = tf.data
    return Elements(
        tf,
        {
            "lines": data.TextLineDataset(["lines.txt", "more.txt"]),
            "gzip": data.TextLineDataset("lines.gz", compression_type="GZIP"),
            "zlib": data.TextLineDataset("lines.z", "ZLIB"),
            "parallel": data.TextLineDataset(["lines.txt", "more.txt"], num_parallel_reads=2),
            "records": data.TFRecordDataset("a.tfrecord"),
            "records_gzip": data.TFRecordDataset(["b.tfrecord"], "GZIP"),
            "names": data.Dataset.list_files("*.tfrecord", shuffle=False)
            .interleave(lambda name: data.TFRecordDataset(name), 2)
            .take(3),
            "shuffled_names": data.Dataset.list_files("./*.txt", seed=3),
            "fixed": data.FixedLengthRecordDataset("fixed.bin", 3, 2, 1),
            "fixed_zlib": data.FixedLengthRecordDataset(
                "fixed.z", 3, 2, 1, compression_type="ZLIB"
            ),
            "fixed_wrong": data.FixedLengthRecordDataset("fixed.bin", 5, 2, 1),
            "missing": data.TextLineDataset(["nothing", "more.txt"]),
            "damaged": data.TFRecordDataset(["damaged", "a.tfrecord"]),
            "not_gzip": data.TextLineDataset("lines.txt", "GZIP"),
            "not_known": data.TextLineDataset("lines.txt", "LZMA"),
            "of_names": data.TextLineDataset(data.Dataset.from_tensor_slices(["more.txt"])),
        },
    )


@_in_files
def matched(tf):
    from tensorflow.python.data.experimental.ops.matching_files import MatchingFilesDataset

    for name in ("b.cc", "a.cc"):
        tf.gfile.Open(name, "w").close()
    tf.gfile.MakeDirs("folder.cc")
    patterns = {"found": ["none*", "*.cc", "[b]*"], "none": ["none*"]}
    return Elements(tf, {name: MatchingFilesDataset(found) for name, found in patterns.items()})


@_in_files
def csv(tf):
    data = tf.data.experimental
    kinds = [tf.int32, [1.5], tf.constant([""])]
    return Elements(
        tf,
        {
            "rows": data.CsvDataset("table.csv", [[7], [1.5], ["?"]], header=True),
            "required": data.CsvDataset("table.csv", kinds, header=True),
            "chosen": data.CsvDataset("table.csv", [[0.0], ["?"]], header=True, select_cols=[1, 2]),
            "bad": data.CsvDataset("bad.csv", [[0], [0], ["?"]], header=True),
            "batches": data.make_csv_dataset(
                "table.csv", 2, label_name="s", shuffle=False, num_epochs=1
            ),
            "shuffled": data.make_csv_dataset(
                "table.csv", 2, shuffle_seed=3, select_columns=["n", "s"]
            ),
            "rows_of_table": data.SqlDataset(
                "sqlite", "data.sqlite", "select * from t", (tf.int64, tf.string, tf.float64)
            ),
            "rows_of_new_database": data.SqlDataset(
                "sqlite", "new.sqlite", "select 1, 'a'", (tf.int32, tf.string)
            ),
        },
    )


@_in_files
def examples(tf):
    data = tf.data.experimental
    features = {"n": tf.FixedLenFeature([2], tf.int64), "s": tf.VarLenFeature(tf.string)}
    files = tf.data.TFRecordDataset("c.tfrecord")
    return Elements(
        tf,
        {
            "parsed": files.map(lambda r: tf.parse_single_example(r, features)["n"]),
            "batches": files.batch(2).apply(data.parse_example_dataset(features)),
            "made": data.make_batched_features_dataset(
                "c.tfrecord", 2, features, label_key="n", shuffle_seed=1, num_epochs=2
            ),
        },
    )


@_in_files
def written(tf):
    strings = _range(tf, 3).map(tf.as_string)
    write = tf.data.experimental.TFRecordWriter("out.tfrecord").write(strings)
    cached = _range(tf, 3).map(lambda i: (i, tf.as_string(i))).cache("kept")

    class Case:
        said = [write.type, [str(t) for t in write.inputs]]

        def run(self, tf):
            with tf.Session() as session:
                session.run(write)
                return [("written", list(tf.python_io.tf_record_iterator("out.tfrecord")))] + (
                    Elements(tf, {"cached": cached}, times=2).run(tf)
                )

    return Case()


CASES = collect(read, matched, csv, examples, written)
