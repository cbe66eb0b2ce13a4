"""What datasets and their iterators refuse, as cases of `dataset_cases`."""

from __future__ import annotations

import numpy as np
from dataset_runs import _range


def _slices(value):
    return lambda tf: tf.data.Dataset.from_tensor_slices(value)


def _from(method, *args, **kwargs):
    return lambda tf: getattr(_range(tf, 3), method)(*args, **kwargs)


def _two(function):
    return lambda tf: function(tf, _range(tf, 3), tf.data.Dataset.from_tensors([1.0]))


def _captures_variable(tf):
    v = tf.get_variable("v", [], use_resource=True)
    _range(tf, 3).map(lambda i: v).make_one_shot_iterator()


def _captures_placeholder(tf):
    p = tf.placeholder(tf.int64, [])
    _range(tf, p).make_one_shot_iterator()


def _make_initializer(types, shapes):
    return lambda tf: tf.data.Iterator.from_structure(types(tf), shapes).make_initializer(
        _range(tf, 3)
    )


MISTAKES = {
    "sources": {
        "scalar": _slices(3),
        "sizes": _slices((np.ones(2), np.ones(3))),
        "generator": lambda tf: tf.data.Dataset.from_generator([1], tf.int32),
        "range": lambda tf: tf.data.Dataset.range(),
        "zip_list": _two(lambda tf, a, b: tf.data.Dataset.zip([a, b])),
        "zip_other": lambda tf: tf.data.Dataset.zip((1, 2)),
        "concatenate": _two(lambda tf, a, b: a.concatenate(b)),
        "sparse_slices": lambda tf: tf.data.Dataset.from_sparse_tensor_slices(3),
        "names": lambda tf: tf.data.TextLineDataset(_range(tf, 3)),
    },
    "transformations": {
        "apply": _from("apply", lambda d: 3),
        "batch_size": _from("batch", "x"),
        "batch_vector": _from("batch", [1, 2]),
        "filter": _from("filter", lambda i: i),
        "flat_map": _from("flat_map", lambda i: i),
        "interleave": _from("interleave", lambda i: i, 2),
        "map_none": _from("map", lambda i: None),
        "map_object": _from("map", lambda i: object()),
        "padded_shape": lambda tf: tf.data.Dataset.from_tensors([1, 2]).padded_batch(2, [1]),
        "padded_rank": lambda tf: tf.data.Dataset.from_tensors([1, 2]).padded_batch(2, []),
        "padded_structure": _from("padded_batch", 2, ([], [])),
        "padding_dtype": _from("padded_batch", 2, [], 1.5),
        "padding_vector": _from("padded_batch", 2, [], [1]),
        "reduce": _from("reduce", np.int64(0), lambda a, b: 1.5),
        "iterated": lambda tf: iter(_range(tf, 3)),
        "options": lambda tf: setattr(tf.data.Options(), "nothing", 1),
        "option_type": lambda tf: setattr(tf.data.Options(), "experimental_deterministic", 1),
        "structure": lambda tf: tf.data.experimental.get_structure(3),
    },
    "iterators": {
        "variable": _captures_variable,
        "placeholder": _captures_placeholder,
        "no_initializer": lambda tf: _range(tf, 3).make_one_shot_iterator().initializer,
        "types": _make_initializer(lambda tf: tf.float32, []),
        "shapes": _make_initializer(lambda tf: tf.int64, [3]),
        "structures": _make_initializer(lambda tf: (tf.int64, tf.int64), ([], [])),
    },
    "experimental": {
        "unique": lambda tf: tf.data.Dataset.from_tensors(1.5).apply(tf.data.experimental.unique()),
        "scan": _from("apply", lambda d: d),
        "window": lambda tf: tf.data.experimental.group_by_window(None, None),
        "buckets": lambda tf: tf.data.experimental.bucket_by_sequence_length(None, [1], [1]),
        "weights": _two(
            lambda tf, a, b: tf.data.experimental.sample_from_datasets([a, a], [1.0, 2.0, 3.0])
        ),
        "weights_dtype": _two(
            lambda tf, a, b: tf.data.experimental.sample_from_datasets([a, a], [1, 2])
        ),
        "sampled": _two(lambda tf, a, b: tf.data.experimental.sample_from_datasets([a, b])),
        "choices": _two(lambda tf, a, b: tf.data.experimental.choose_from_datasets([a, a], b)),
        "single": lambda tf: tf.data.experimental.get_single_element(3),
        "record_writer": lambda tf: tf.data.experimental.TFRecordWriter("x").write(_range(tf, 3)),
        "batched_features": lambda tf: tf.data.experimental.parse_example_dataset(None),
        "examples": lambda tf: _range(tf, 3).apply(
            tf.data.experimental.parse_example_dataset({"a": tf.FixedLenFeature([], tf.int64)})
        ),
        "no_csv": lambda tf: tf.data.experimental.make_csv_dataset("nothing*.csv", 1),
    },
}
del MISTAKES["experimental"]["scan"]
