"""Records from files: parsed, interleaved, shuffled and batched while a model learns from them.

python -m tf1compat examples/records_pipeline.py
"""

from __future__ import absolute_import, division, print_function

import os
import tempfile

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
tf.set_random_seed(3)

steps = int(os.environ.get("STEPS", 200))
folder = tempfile.mkdtemp()
data = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "digits.npz"))


def write_records(part, shards):
    """The pictures of a part, as compressed bytes beside their labels, in some files."""
    pictures, labels = data["x_" + part].astype(np.uint8), data["y_" + part]
    options = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)
    for shard in range(shards):
        path = os.path.join(folder, "%s-%d.tfrecord" % (part, shard))
        with tf.python_io.TFRecordWriter(path, options) as writer:
            for picture, label in zip(pictures[shard::shards], labels[shard::shards]):
                feature = {
                    "picture": tf.train.Feature(
                        bytes_list=tf.train.BytesList(value=[picture.tobytes()])
                    ),
                    "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
                }
                example = tf.train.Example(features=tf.train.Features(feature=feature))
                writer.write(example.SerializeToString())


def parse(record):
    features = {
        "picture": tf.FixedLenFeature([], tf.string),
        "label": tf.FixedLenFeature([], tf.int64),
    }
    parsed = tf.parse_single_example(record, features)
    picture = tf.reshape(tf.decode_raw(parsed["picture"], tf.uint8), [64])
    return tf.cast(picture, tf.float32) / 16.0, parsed["label"]


def records(part):
    files = tf.data.Dataset.list_files(os.path.join(folder, part + "-*.tfrecord"), shuffle=False)
    return files.interleave(
        lambda path: tf.data.TFRecordDataset(path, compression_type="GZIP"),
        cycle_length=3,
        block_length=4,
    )


write_records("train", 4)
write_records("test", 2)
train = records("train").apply(tf.data.experimental.shuffle_and_repeat(500, seed=4))
train = train.apply(tf.data.experimental.map_and_batch(parse, 64, num_parallel_calls=2))
test = records("test").map(parse).batch(60).cache()

handle = tf.placeholder(tf.string, [])
iterator = tf.data.Iterator.from_string_handle(handle, train.output_types, train.output_shapes)
pictures, labels = iterator.get_next()
training = train.prefetch(1).make_one_shot_iterator()
testing = test.make_initializable_iterator()

hidden = tf.layers.dense(pictures, 32, tf.nn.relu)
logits = tf.layers.dense(hidden, 10)
loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
right = tf.reduce_sum(tf.cast(tf.nn.in_top_k(logits, labels, 1), tf.int32))
step = tf.train.AdamOptimizer(0.01).minimize(loss, tf.train.get_or_create_global_step())

# How far an iterator has come is saved with the variables, and training goes on there.
read = tf.data.Dataset.from_tensor_slices(data["y_train"]).batch(64).repeat()
reading = tf.data.make_initializable_iterator(read)
saved = tf.data.experimental.make_saveable_from_iterator(reading)
saver = tf.train.Saver(tf.global_variables() + [saved])
label_sum = tf.reduce_sum(reading.get_next())

with tf.Session() as session:
    session.run([tf.global_variables_initializer(), reading.initializer])
    train_handle, test_handle = session.run([training.string_handle(), testing.string_handle()])
    for count in range(1, steps + 1):
        found = session.run([loss, step], {handle: train_handle})[0]
        if count % 20 == 0:
            session.run(testing.initializer)
            hits = []
            while True:
                try:
                    hits.append(session.run(right, {handle: test_handle}))
                except tf.errors.OutOfRangeError:
                    break
            print(
                "step %4d   loss %.4f   of %d batches, right: %d"
                % (count, found, len(hits), sum(hits))
            )

    print("sums of labels:", [session.run(label_sum) for _ in range(3)])
    path = saver.save(session, os.path.join(folder, "model"))
    following = [session.run(label_sum) for _ in range(3)]
    saver.restore(session, path)
    again = [session.run(label_sum) for _ in range(3)]
    print("the next ones:", following, "and once more, restored:", again)
