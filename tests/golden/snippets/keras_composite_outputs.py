"""Predictions that are sparse or ragged, in batches; and how outputs of batches are joined."""

import multiprocessing.pool
import time

import numpy as np
import tensorflow as tf
from tensorflow.python.keras.engine import training_utils

layers = tf.keras.layers


class ToRagged(layers.Layer):
    def call(self, x):
        return tf.RaggedTensor.from_tensor(x, padding=0)


class ToSparse(layers.Layer):
    def call(self, x):
        where = tf.where(tf.not_equal(x, 0))
        return tf.SparseTensor(where, tf.gather_nd(x, where), tf.shape(x, out_type=tf.int64))


class Total(layers.Layer):
    def call(self, x):
        return tf.reduce_sum(x)


data = np.array([[1, 0, 0], [4, 5, 6], [7, 8, 0]])
for cls in (ToRagged, ToSparse, Total):
    for options in ({}, {"batch_size": 2}, {"steps": 1}):
        model = tf.keras.Sequential([layers.InputLayer((3,), dtype="int64"), cls()])
        try:
            result = model.predict(data, **options)
        except RuntimeError as error:
            print(error)
            continue
        print(type(result).__name__, np.asarray(result.values).tolist(), end=" ")
        print(result.to_list() if cls is ToRagged else result.indices.tolist())

table = np.arange(60).reshape(6, 10)


class Pool(multiprocessing.pool.ThreadPool):
    calls, change = 0, staticmethod(lambda function: function)

    def apply_async(self, function, *args, **kwargs):
        self.calls += 1
        return super().apply_async(self.change(function), *args, **kwargs)


def joined(**options):
    outputs = training_utils.OutputsAggregator(**options)
    for start, batch in zip((0, 2, 4, 5), np.array_split(table, 4)):
        if start == 0:
            outputs.create(batch)
            kind = type(outputs.results[0]).__name__
        outputs.aggregate(batch, start, start + len(batch))
    outputs.finalize()
    return kind, np.array_equal(outputs.results, table)


print(joined(use_steps=True), joined(use_steps=False, num_samples=6))
training_utils._COPY_POOL = pool = Pool(training_utils._COPY_THREADS)
training_utils.SliceAggregator._BINARY_SIZE_THRESHOLD = 15
print(joined(use_steps=False, num_samples=6), pool.calls)
pool.change = lambda function: lambda batch, *args: function(np.ones([7, 7]), *args)
try:
    joined(use_steps=False, num_samples=6)
except ValueError as error:
    print(error)
pool.change = lambda function: lambda *args: (time.sleep(0.5), function(*args))
training_utils.SliceAggregator._MAX_COPY_SECONDS = 0.05
try:
    joined(use_steps=False, num_samples=6)
except ValueError as error:
    print(error)
