"""Keras's modules that TF 1.15 keeps for TF 2's training, and layers that it doesn't export: cases
as in internal_cases.py.

Runs under the real TensorFlow 1.15 (Python 3.7), too.
"""

from __future__ import annotations

import numpy as np
from internal_cases import error, internal, nodes, numbers

CASES = {}
EAGER = set()


def case(function):
    CASES[function.__name__] = function
    return function


def eager(function):
    EAGER.add(function.__name__)
    return case(function)


def _batches(adapter):
    """What an adapter says of its dataset, and what that has."""
    nest = internal("util.nest")
    known = [
        adapter.get_size(),
        adapter.batch_size(),
        adapter.has_partial_batch(),
        adapter.partial_batch_size(),
        adapter.should_recreate_iterator(3),
        adapter.should_recreate_iterator(None),
    ]
    dataset = adapter.get_dataset()
    shapes = [str(spec.shape) for spec in nest.flatten(dataset.element_spec)]
    return [known, shapes, [[numbers(t) for t in nest.flatten(x)] for x in dataset.take(9)]]


@eager
def adapters_of_arrays(tf):
    data_adapter = internal("keras.engine.data_adapter")
    x = np.arange(10.0).reshape(5, 2)
    y = np.arange(5)
    make = data_adapter.TensorLikeDataAdapter
    said = [
        _batches(make(x, y, batch_size=2)),
        _batches(make([x, x + 1], y, [None, np.ones(5)], batch_size=5)),
        _batches(make({"a": x, "b": tf.constant(x)}, steps=2)),
        _batches(make(x, batch_size=8, epochs=2)),
        error(make, x),
        error(make, "no"),
        _batches(data_adapter.ListsOfScalarsDataAdapter([1, 2, 3], [4.0, 5.0, 6.0], batch_size=2)),
    ]
    np.random.seed(7)
    return [*said, _batches(make(x, y, batch_size=2, shuffle=True, epochs=2))]


@eager
def adapters_of_other_data(tf):
    data_adapter = internal("keras.engine.data_adapter")

    class Sequence(tf.keras.utils.Sequence):
        def __len__(self):
            return 2

        def __getitem__(self, i):
            return np.full([2, 1], i, np.float32), np.full([2], i, np.int64)

    def generator():
        for i in range(3):
            yield np.full([2, 1], i, np.float32), np.full([2], i, np.int64)

    ragged = tf.ragged.constant([[1], [2, 3], [4]])
    dataset = tf.data.Dataset.range(3).batch(2)
    said = [
        _batches(data_adapter.GeneratorDataAdapter(generator(), workers=0)),
        _batches(data_adapter.GeneratorDataAdapter(generator())),
        _batches(data_adapter.KerasSequenceAdapter(Sequence(), workers=0)),
        _batches(data_adapter.KerasSequenceAdapter(Sequence())),
        _batches(data_adapter.DatasetAdapter(dataset)),
        error(data_adapter.DatasetAdapter, dataset, np.ones(3)),
        error(data_adapter.DatasetAdapter, dataset, None, np.ones(3)),
        error(data_adapter.GeneratorDataAdapter, generator(), np.ones(3)),
        error(data_adapter.KerasSequenceAdapter, Sequence(), None, np.ones(3)),
        data_adapter.CompositeTensorDataAdapter.can_handle(ragged),
        error(data_adapter.CompositeTensorDataAdapter, ragged),
    ]
    inputs = [
        (np.ones(3), None), ([1, 2], None), ([[1, 2], [3]], [1, 2]), (dataset, None),
        (generator(), None), (Sequence(), None), (ragged, np.ones(3)), (tf.ones(3), np.ones(3)),
    ]  # fmt: skip
    said += [data_adapter.select_data_adapter(x, y).__name__ for x, y in inputs]
    said += [
        error(data_adapter.select_data_adapter, *pair)
        for pair in ((object, None), ([1], np.ones(1)), ({"a": b"x"}, None), ([b"x"], 1))
    ]
    return said + [data_adapter.is_none_or_empty(x) for x in (None, [], {}, [[]], np.ones(2), 0)]


@eager
def padded_batches(tf):
    handlers = internal("keras.engine.partial_batch_padding_handler")
    handler = handlers.PartialBatchPaddingHandler([(None, 2)])
    handler.padded_batch_size = 4
    x, y = tf.ones([3, 2]), tf.constant([1, 2, 3])
    padded = handler.pad_batch({"a": x, "b": y}, y)
    handler.padding_mask = handler.update_mask(handler.padding_mask, (x, y))
    several = handlers.PartialBatchPaddingHandler([(None, 2), (None,)])
    several.padding_mask = handler.padding_mask
    rows = np.arange(8.0).reshape(4, 2)
    return [
        {key: numbers(padded[0][key]) for key in sorted(padded[0])},
        numbers(padded[1]),
        numbers(handler.pad_batch(x)),
        numbers(handler.get_real_batch_size([{"a": x}])),
        numbers(handler.padding_mask),
        numbers(handler.apply_mask(rows)),
        [numbers(part) for part in several.apply_mask([rows, rows[:, 0]])],
        error(handler.get_real_batch_size, {"a": 3}),
    ]


@case
def random_fourier_features(tf):
    kernelized = internal("keras.layers.kernelized")
    tf.set_random_seed(3)
    make = kernelized.RandomFourierFeatures
    layer = make(4, scale=2.0, name="rff")
    outputs = layer(tf.ones([2, 3], tf.float32))
    other = make(2, kernel_initializer=tf.zeros_initializer(), trainable=True)
    other(tf.ones([2, 3]))
    np.random.seed(3)
    laplacian = make(2, kernel_initializer="Laplacian")
    laplacian(tf.ones([2, 3]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        weights = session.run(laplacian.weights)
    return [
        [[w.name, str(w.shape)] for w in layer.weights],
        [w.name for w in layer.trainable_weights],
        [w.name for w in other.trainable_weights],
        str(outputs.shape),
        [op for op in nodes(tf) if op[0].startswith("rff")],
        {k: str(v) for k, v in layer.get_config().items()},
        laplacian.scale,
        np.round(weights[0], 4).tolist() if weights[0].ndim == 2 else len(weights),
        str(layer.compute_output_shape([None, 3])),
        error(make, 0),
        error(make, 2, "cosine"),
        error(make, 2, scale=-1.0),
        error(make(2), tf.ones([3])),
        error(layer.compute_output_shape, [2, None]),
    ]


@case
def normalization_of_recorded_data(tf):
    layers = internal("keras.layers.preprocessing.normalization_v1")
    x = np.array([[1.0, 2.0], [3.0, 6.0], [5.0, 1.0]], np.float32)
    layer = layers.Normalization(axis=-1, name="norm")
    layer.adapt(x)
    first = [numbers(w) for w in layer.get_weights()]
    layer.adapt(tf.data.Dataset.from_tensor_slices(x + 1).batch(2), reset_state=False)
    second = [np.round(w, 4).tolist() for w in layer.get_weights()]
    outputs = tf.keras.backend.get_session().run(layer(tf.constant(x)))
    infinite = tf.data.Dataset.from_tensors(x).repeat()
    return [
        first,
        second,
        np.round(outputs, 4).tolist(),
        [w.name for w in layer.weights],
        {k: str(v) for k, v in layer.get_config().items()},
        error(layer.adapt, [1.0]),
        error(layer.adapt, infinite),
        error(layers.Normalization, axis=0),
        error(layers.Normalization()._set_state_variables, {}),
    ]


@eager
def normalization_of_data(tf):
    layers = internal("keras.layers.preprocessing.normalization")
    x = np.arange(24.0, dtype=np.float32).reshape(2, 3, 4) ** 2
    layer = layers.Normalization(axis=(1, 2))
    layer.adapt(x)
    layer.adapt(tf.data.Dataset.from_tensors(x * 2), reset_state=False)
    combiner = layer._combiner
    accumulator = combiner.compute(x)
    text = combiner.serialize(accumulator)
    other = layers.Normalization()
    other.build((2, 2))
    other.set_weights([np.ones(2), np.ones(2)])
    return [
        [np.round(w, 3).tolist() for w in layer.get_weights()],
        np.round(numbers(layer(x)), 4).tolist(),
        sorted(combiner.extract(accumulator)),
        numbers(combiner.deserialize(text).mean),
        numbers(combiner.merge([accumulator, accumulator]).variance),
        repr(combiner),
        error(other.adapt, np.ones([2, 2]), reset_state=False),
    ]


@case
def training_among_arguments(tf):
    utils = internal("keras.saving.saved_model.utils")

    class Layer(tf.keras.layers.Layer):
        def call(self, inputs, mask=None, training=None):
            return inputs

    def named(inputs, *args, **kwargs):
        return inputs

    def only_named(inputs, **kwargs):
        return inputs

    found = [utils.get_training_arg_index(f) for f in (Layer().call, Layer.call, named, only_named)]
    said = []
    for index, args, kwargs in (
        (2, [1, 2, 3], {}),
        (2, [1], {"training": True}),
        (2, [1], {}),
        (-1, [1, 2, 3], {"a": 1}),
        (None, [1, 2, 3], {"training": 0}),
    ):
        said.append([utils.get_training_arg(index, args, kwargs)])
        said.append(utils.set_training_arg("set", index, list(args), dict(kwargs)))
        utils.remove_training_arg(index, args, kwargs)
        said.append([args, kwargs])
    return [found, said]
