"""Datasets and iterators by their raw ops, those that few functions of `tf.data` record.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_data_op_cases.py`.
"""

from __future__ import annotations

import os
import tempfile

import numpy as np
from case_runs import Case, collect
from op_cases import _OneByOne

_ONE = {"output_types": [np.int64], "output_shapes": [[]]}
_MANY = {"output_types": [np.int64], "output_shapes": [[None]]}


def _range(tf, count=10):
    return tf.raw_ops.RangeDataset(
        start=np.int64(0), stop=np.int64(count), step=np.int64(1), **_kinds(tf, _ONE)
    )


def _kinds(tf, attrs):
    return dict(attrs, output_types=[tf.as_dtype(kind) for kind in attrs["output_types"]])


def _batches(tf, size, count=10):
    return tf.raw_ops.BatchDataset(
        input_dataset=_range(tf, count), batch_size=np.int64(size), **_kinds(tf, _MANY)
    )


def _taken(tf, dataset, attrs, count):
    """Fetches that begin to go through a dataset, and take some elements."""
    kinds = _kinds(tf, attrs)
    iterator = tf.raw_ops.IteratorV2(shared_name="", container="", **kinds)
    begin = tf.raw_ops.MakeIterator(dataset=dataset, iterator=iterator)
    element = tf.raw_ops.IteratorGetNext(iterator=iterator, **kinds)
    return _OneByOne([begin] + [element] * count)


def _rebatched(size, parts):
    def record(tf):
        dataset = tf.raw_ops.RebatchDataset(
            input_dataset=_batches(tf, size), num_replicas=np.int64(parts), **_kinds(tf, _MANY)
        )
        return _taken(tf, dataset, _MANY, 10)

    return record


def _sharded(count, own):
    def record(tf):
        dataset = tf.raw_ops.AutoShardDataset(
            input_dataset=_range(tf), num_workers=np.int64(count), index=np.int64(own),
            **_kinds(tf, _ONE)
        )  # fmt: skip
        return _taken(tf, dataset, _ONE, 6)

    return record


def sampled(tf):
    dataset = tf.raw_ops.SamplingDataset(
        input_dataset=_range(tf, 30), rate=np.float32(0.4), seed=np.int64(3), seed2=np.int64(5),
        **_kinds(tf, _ONE)
    )  # fmt: skip
    return _taken(tf, dataset, _ONE, 12)


def slept(tf):
    dataset = tf.raw_ops.ExperimentalSleepDataset(
        input_dataset=_range(tf, 3), sleep_microseconds=np.int64(10), **_kinds(tf, _ONE)
    )
    return _taken(tf, dataset, _ONE, 4)


def pooled(tf):
    pool = tf.raw_ops.ThreadPoolHandle(num_threads=2, display_name="pool")
    dataset = tf.raw_ops.ThreadPoolDataset(
        input_dataset=_range(tf, 3), thread_pool=pool, **_kinds(tf, _ONE)
    )
    return _taken(tf, dataset, _ONE, 4)


def fastest(tf):
    dataset = tf.raw_ops.ChooseFastestDataset(
        input_datasets=[_range(tf, 3), _range(tf, 3)], num_experiments=2, **_kinds(tf, _ONE)
    )
    return _taken(tf, dataset, _ONE, 4)


def uneven(tf):
    dataset = tf.raw_ops.ChooseFastestDataset(
        input_datasets=[_range(tf, 3), _range(tf, 4)], num_experiments=2, **_kinds(tf, _ONE)
    )
    return _taken(tf, dataset, _ONE, 1)


def wrapped(tf):
    inside = tf.raw_ops.WrapDatasetVariant(input_handle=_range(tf, 3))
    return _taken(tf, tf.raw_ops.UnwrapDatasetVariant(input_handle=inside), _ONE, 4)


def saved(tf):
    kinds = _kinds(tf, _ONE)
    iterator = tf.raw_ops.IteratorV2(shared_name="", container="", **kinds)
    begin = tf.raw_ops.MakeIterator(dataset=_range(tf), iterator=iterator)
    element = tf.raw_ops.IteratorGetNext(iterator=iterator, **kinds)
    state = tf.raw_ops.SerializeIterator(resource_handle=iterator)
    back = tf.raw_ops.DeserializeIterator(resource_handle=iterator, serialized=state)
    return _OneByOne([begin, element, element, back, element])


def kept(tf):
    dataset = tf.data.Dataset.range(20).shuffle(8, seed=3).repeat(2)
    iterator = tf.data.make_initializable_iterator(dataset)
    element = iterator.get_next()
    saver = tf.train.Saver([tf.data.experimental.make_saveable_from_iterator(iterator)])
    save = tf.get_default_graph().get_operation_by_name("save/control_dependency")
    back = tf.get_default_graph().get_operation_by_name(saver.saver_def.restore_op_name)
    some = [element] * 4
    return _OneByOne([iterator.initializer, *some, save, *some, iterator.initializer, back, *some])


def resumed(tf):
    """An estimator that goes on where its input stood."""

    def input_fn():
        iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(100))
        tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
        return {"x": iterator.get_next()}, None

    def model_fn(features, labels, mode):
        total = tf.Variable(0, dtype=tf.int64, name="total")
        add = tf.assign_add(total, features["x"]).op
        step = tf.assign_add(tf.train.get_global_step(), 1)
        train = tf.group(add, step)
        return tf.estimator.EstimatorSpec(mode, loss=tf.constant(0.0), train_op=train)

    folder = tempfile.mkdtemp()
    estimator = tf.estimator.Estimator(model_fn, folder)
    totals = []
    for steps in (3, 2):
        hook = tf.data.experimental.CheckpointInputPipelineHook(estimator)
        estimator.train(input_fn, hooks=[hook], steps=steps)
        totals.append(int(estimator.get_variable_value("total")))
    names = sorted(name for name in os.listdir(folder) if "input" in name)
    return Case(said=[totals, names], steps=0)


def unsaved(tf):
    iterator = tf.raw_ops.IteratorV2(shared_name="", container="", **_kinds(tf, _ONE))
    return _OneByOne([tf.raw_ops.SerializeIterator(resource_handle=iterator)])


def device(tf):
    iterator = tf.raw_ops.IteratorV2(shared_name="", container="", **_kinds(tf, _ONE))
    return _OneByOne([tf.raw_ops.IteratorGetDevice(resource=iterator)])


def shared(tf):
    kinds = _kinds(tf, _ONE)
    cpu = "/job:localhost/replica:0/task:0/device:CPU:0"
    iterator = tf.raw_ops.MultiDeviceIterator(
        devices=[cpu, cpu], shared_name="", container="", **kinds
    )
    begin = tf.raw_ops.MultiDeviceIteratorInit(
        dataset=_range(tf, 5), multi_device_iterator=iterator, max_buffer_size=np.int64(1)
    )
    text = tf.raw_ops.MultiDeviceIteratorToStringHandle(multi_device_iterator=iterator)
    found = tf.raw_ops.MultiDeviceIteratorFromStringHandle(string_handle=text, **kinds)
    first, second = (
        tf.raw_ops.MultiDeviceIteratorGetNextFromShard(
            multi_device_iterator=handle, shard_num=i, incarnation_id=np.int64(1), **kinds
        )
        for i, handle in enumerate((iterator, found))
    )
    late = tf.raw_ops.MultiDeviceIteratorGetNextFromShard(
        multi_device_iterator=iterator, shard_num=0, incarnation_id=np.int64(7), **kinds
    )
    return _OneByOne([begin, first, second, first, second, first, second, late, begin, first])


def defun(tf):
    from tensorflow.python.framework import function

    @function.Defun(tf.float32, tf.float32, tf.float32)
    def body(x, y, z):
        return x * y + z, tf.reduce_sum(x)

    def mapped(rows):
        return tf.raw_ops.MapDefun(
            arguments=[tf.ones([rows, 2]) * 3.0, tf.reshape(tf.range(2.0 * rows), [rows, 2])],
            captured_inputs=[tf.constant(5.0)], output_types=[tf.float32, tf.float32],
            output_shapes=[[2], []], f=body,
        )  # fmt: skip

    return _OneByOne([mapped(3), mapped(1)])


PIPELINES = collect(
    sampled, slept, pooled, fastest, uneven, wrapped, saved, unsaved, kept, resumed,
    device, shared, defun,
)  # fmt: skip
for _sizes in ((4, 2), (5, 3), (4, 8)):
    PIPELINES["rebatched_%d_%d" % _sizes] = _rebatched(*_sizes)
for _sizes in ((2, 0), (3, 2), (1, 0), (2, 2), (0, 0)):
    PIPELINES["sharded_%d_%d" % _sizes] = _sharded(*_sizes)
CASES = {"pipelines": PIPELINES}
MISTAKES = {}
