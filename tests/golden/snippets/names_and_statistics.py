"""What modules of TF 2 list, messages of the profiler, sizes of texts in statistics, names asked of
readers."""

import os
import tempfile

import tensorflow as tf

v2 = tf.compat.v2
for module in (v2, v2.saved_model, v2.nn, v2.io, v2.train, v2.math, v2.data.experimental):
    print(sorted(name for name in dir(module) if not name.startswith("_")))
names = {}
exec("from tensorflow.compat.v2 import *", names)
print(names["constant"] is tf.constant, "saved_model" in names)
print(tf.profiler.AdviceProto.DESCRIPTOR.name)

texts = tf.data.Dataset.from_tensor_slices(["a", "bbb"])
aggregator = tf.data.experimental.StatsAggregator()
options = tf.data.Options()
options.experimental_stats.aggregator = aggregator
for dataset in (texts, texts.batch(2), tf.data.Dataset.range(3)):
    dataset = dataset.apply(tf.data.experimental.bytes_produced_stats("bytes"))
    iterator = tf.data.make_initializable_iterator(dataset.with_options(options))
    element, summary = iterator.get_next(), aggregator.get_summary()
    with tf.Session() as session:
        session.run(iterator.initializer)
        session.run(element)
        found = tf.Summary.FromString(session.run(summary)).value[0]
        print(found.tag, found.histo.num, found.histo.sum)

prefix = os.path.join(tempfile.mkdtemp(), "model")
tf.Variable(1.0, name="v")
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    tf.train.Saver().save(session, prefix)
reader = tf.train.NewCheckpointReader(prefix)
for ask in (reader.has_tensor, reader.get_tensor):
    for name in ("v", b"v", 3):
        try:
            print(ask(name))
        except TypeError as error:
            print(error)
queue = tf.FIFOQueue(1, [tf.int32])
for types in ((ValueError,), 3):
    try:
        tf.train.QueueRunner(queue, [queue.enqueue(1)], queue_closed_exception_types=types)
    except TypeError as error:
        print(error)
