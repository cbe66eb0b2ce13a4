"""tf.contrib.slim: data sets read by queues, summaries, decoders of examples.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_slim.py`.
"""

from __future__ import annotations

import os
import tempfile

import numpy as np
from case_runs import Case, collect

FOLDER = os.path.join(tempfile.gettempdir(), "tf1compat_slim_cases")


class QueueCase(Case):
    """A case whose values come from queues."""

    def run(self, tf):
        found = []
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            session.run(tf.tables_initializer())
            with tf.contrib.slim.queues.QueueRunners(session):
                for _ in range(self.steps):
                    found += zip(self.fetches, session.run(self.fetches))
        return found


def _example(tf, i):
    image = np.full([2, 2, 3], i, np.uint8)
    feature = {
        "image/encoded": tf.train.Feature(bytes_list=tf.train.BytesList(value=[image.tobytes()])),
        "image/format": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"raw"])),
        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[i])),
        "words": tf.train.Feature(
            bytes_list=tf.train.BytesList(value=[b"a", b"b", b"a", b"c"][: i + 1])
        ),
        "shape": tf.train.Feature(int64_list=tf.train.Int64List(value=[i + 1])),
        "indices": tf.train.Feature(int64_list=tf.train.Int64List(value=[0, 2])),
        "values": tf.train.Feature(float_list=tf.train.FloatList(value=[1.5, i])),
    }
    for side in ("ymin", "xmin", "ymax", "xmax"):
        feature["box/" + side] = tf.train.Feature(
            float_list=tf.train.FloatList(value=[0.1 * i, len(side)])
        )
    return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()


def _files(tf):
    if not os.path.isdir(FOLDER):
        os.mkdir(FOLDER)
    paths = []
    for part in range(2):
        paths.append(os.path.join(FOLDER, "part-%d.tfrecord" % part))
        with tf.python_io.TFRecordWriter(paths[-1]) as writer:
            for i in range(2):
                writer.write(_example(tf, 2 * part + i))
    return paths


def _handlers(tf):
    decoder = tf.contrib.slim.tfexample_decoder
    words = tf.contrib.lookup.KeyValueTensorInitializer(["a", "b"], [0, 1], value_dtype=tf.int64)
    table = tf.contrib.lookup.HashTable(words, 7, shared_name="words")
    return {
        "image": decoder.Image(shape=[2, 2, 3], channels=3),
        "label": decoder.Tensor("label"),
        "words": decoder.Tensor("words", shape_keys="shape", default_value=""),
        "ids": decoder.LookupTensor("words", table),
        "object/bbox": decoder.BoundingBox(prefix="box/"),
        "sparse": decoder.SparseTensor(shape=[4], densify=True),
        "sum": decoder.ItemHandlerCallback(
            ["label", "values"], lambda keys: tf.cast(keys["label"], tf.float32)
        ),
        "backed": decoder.BackupHandler(decoder.Tensor("nothing"), decoder.Tensor("values")),
    }


def _features(tf):
    features = {
        "image/encoded": tf.FixedLenFeature((), tf.string, default_value=""),
        "image/format": tf.FixedLenFeature((), tf.string, default_value="jpeg"),
        "label": tf.FixedLenFeature([], tf.int64),
        "words": tf.VarLenFeature(tf.string),
        "shape": tf.VarLenFeature(tf.int64),
        "indices": tf.VarLenFeature(tf.int64),
        "values": tf.VarLenFeature(tf.float32),
        "nothing": tf.VarLenFeature(tf.float32),
    }
    for side in ("ymin", "xmin", "ymax", "xmax"):
        features["box/" + side] = tf.VarLenFeature(tf.float32)
    return features


def data_set(tf):
    slim = tf.contrib.slim
    _files(tf)
    decoder = slim.tfexample_decoder.TFExampleDecoder(_features(tf), _handlers(tf))
    dataset = slim.dataset.Dataset(
        data_sources=os.path.join(FOLDER, "part-*.tfrecord"),
        reader=tf.TFRecordReader,
        decoder=decoder,
        num_samples=4,
        items_to_descriptions={"label": "a number"},
        num_classes=4,
    )
    provider = slim.dataset_data_provider.DatasetDataProvider(dataset, num_epochs=1, shuffle=False)
    items = ["label", "image", "words", "ids", "object/bbox", "sparse", "sum", "backed"]
    said = [sorted(provider.list_items()), provider.num_samples(), dataset.num_classes]
    return QueueCase(provider.get(items), said=said, steps=4)


def shuffled(tf):
    slim = tf.contrib.slim
    features = {"label": tf.FixedLenFeature([1], tf.int64, default_value=[0])}
    handlers = {"label": slim.tfexample_decoder.Tensor("label", shape=[])}
    dataset = slim.dataset.Dataset(
        _files(tf),
        tf.TFRecordReader,
        slim.tfexample_decoder.TFExampleDecoder(features, handlers),
        4,
        {},
    )
    provider = slim.dataset_data_provider.DatasetDataProvider(
        dataset, num_readers=2, common_queue_capacity=20, common_queue_min=2, seed=3, scope="read"
    )
    [label] = provider.get(["label"])
    batches = slim.prefetch_queue.prefetch_queue(tf.train.batch([label, label], 2), num_threads=2)
    named = slim.prefetch_queue.prefetch_queue(
        {"b": label, "a": label * 2}, capacity=4, dynamic_pad=True, name="named"
    )
    said = [batches.dequeue(), sorted(named.dequeue().items()), batches.names, named.names]
    return Case(said=said, steps=0)


def readers(tf):
    slim = tf.contrib.slim
    paths = _files(tf)
    key, _ = slim.parallel_reader.single_pass_read(paths, tf.TFRecordReader, scope="once")
    queue = tf.FIFOQueue(10, [tf.string, tf.string])
    reader = slim.parallel_reader.ParallelReader(tf.TFRecordReader, queue, num_readers=2)
    files = tf.train.string_input_producer(paths, shuffle=False)
    keys, _ = reader.read_up_to(files, 3)
    said = [reader.num_records_produced(), reader.num_work_units_completed("units")]
    said += [key, keys, reader.num_readers, reader.common_queue is queue]
    return Case(said=said, steps=0)


def images(tf):
    decoder = tf.contrib.slim.tfexample_decoder
    serialized = tf.placeholder(tf.string, [])
    features = {
        "image/encoded": tf.FixedLenFeature([2], tf.string),
        "image/format": tf.FixedLenFeature([], tf.string, default_value="raw"),
    }
    handlers = {
        "image": decoder.Image(shape=[2, 2, 1], channels=1, dtype=tf.float32, repeated=True)
    }
    [image] = decoder.TFExampleDecoder(features, handlers).decode(serialized)
    return Case(said=[image], steps=0)


def summaries(tf):
    s = tf.contrib.slim.summaries
    x = tf.constant([[0.0, 1.0], [2.0, 0.0]], name="x")
    image = tf.reshape(x, [1, 2, 2, 1], name="image")
    mean = tf.reduce_mean(x)
    said = [
        s.add_histogram_summary(x, prefix="p"),
        s.add_image_summary(image, "im", print_summary=True),
        s.add_scalar_summary(mean, print_summary=True),
        s.add_scalar_summary(mean, "m", "p"),
        s.add_zero_fraction_summary(x),
        s.add_histogram_summaries([x, mean]),
        s.add_image_summaries([image]),
        s.add_scalar_summaries([mean], prefix="q"),
        s.add_zero_fraction_summaries([x], "z"),
    ]
    return Case(said=said, steps=0)


CASES = {"slim": collect(data_set, shuffled, readers, images, summaries)}


def _nested(tf):
    with tf.Session() as session, tf.contrib.slim.queues.QueueRunners(session):
        with tf.contrib.slim.queues.QueueRunners(session):
            pass


def _get(tf, items):
    class Provider(tf.contrib.slim.data_provider.DataProvider):
        pass

    return Provider({"a": 1}, 3).get(items)


MISTAKES = {
    "slim": {
        "nested": _nested,
        "not a list": lambda tf: _get(tf, "a"),
        "no such item": lambda tf: _get(tf, ["a", "b"]),
        "no files": lambda tf: tf.contrib.slim.parallel_reader.get_data_files(
            ["/nowhere/at/all-*"]
        ),
        "queue": lambda tf: tf.contrib.slim.parallel_reader.ParallelReader(
            tf.TFRecordReader, tf.FIFOQueue(1, [tf.string, tf.int32])
        ),
        "boxes": lambda tf: tf.contrib.slim.tfexample_decoder.BoundingBox(["a"]),
        "shapes": lambda tf: tf.contrib.slim.tfexample_decoder.Tensor("a", ["b"], [1]),
        "backup": lambda tf: tf.contrib.slim.tfexample_decoder.BackupHandler(
            3, tf.contrib.slim.tfexample_decoder.Tensor("a")
        ),
        "delay": lambda tf: tf.contrib.slim.learning.train(
            tf.constant(1.0), None, sync_optimizer=[1], startup_delay_steps=1
        ),
        "sync": lambda tf: tf.contrib.slim.learning.train(
            tf.Variable(1.0), None, sync_optimizer=[1]
        ),
        "dataset": lambda tf: tf.contrib.slim.dataset_data_provider.DatasetDataProvider(
            tf.contrib.slim.dataset.Dataset(
                ["a"],
                tf.TFRecordReader,
                tf.contrib.slim.tfexample_decoder.TFExampleDecoder(
                    {"a": tf.FixedLenFeature([], tf.string)},
                    {"a": tf.contrib.slim.tfexample_decoder.Tensor("a")},
                ),
                1,
                {},
            ),
            record_key="a",
        ),
    }
}
