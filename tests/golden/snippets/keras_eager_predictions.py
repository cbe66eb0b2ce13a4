"""In which dtypes eager models see what they predict for."""

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
layers = tf.keras.layers


class Kind(layers.Layer):
    """Tells integers, doubles and floats apart by its outputs."""

    def call(self, x):
        scale = 1.0 if x.dtype == tf.float32 else 2.0 if x.dtype.is_floating else 3.0
        return scale * tf.cast(x, tf.float32)


class Called(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.kind = Kind()

    def call(self, x):
        return self.kind(x)


def of_layers():
    return tf.keras.Sequential([layers.InputLayer((2,)), Kind()])


for make in (of_layers, Called):
    for compiled in (False, True):
        for dtype in ("int64", "float64", "float32"):
            x = np.ones([2, 2], dtype)
            sources = x, tf.constant(x), tf.data.Dataset.from_tensors(x)
            for source in sources:
                model = make()
                if compiled:
                    model.compile("sgd", "mse")
                print(make.__name__, compiled, dtype, model.predict(source).tolist())
            model = make()
            print(np.asarray(model.predict_on_batch(x)).tolist())

ragged = tf.keras.Input((None,), ragged=True, dtype="int64")
model = tf.keras.Model(ragged, layers.Lambda(lambda x: x.to_tensor())(ragged))
value = tf.ragged.constant([[1, 2], [3]], dtype="int64")
print(model.predict(value).tolist(), model.predict(value, steps=1).tolist())


def to_ragged(x):
    return tf.RaggedTensor.from_tensor(x, padding=0)


def to_sparse(x):
    where = tf.where(x > 0)
    return tf.SparseTensor(where, tf.gather_nd(x, where), tf.shape(x, out_type=tf.int64))


for convert in (to_ragged, to_sparse):
    model = tf.keras.Sequential([layers.InputLayer((3,)), layers.Lambda(convert)])
    for eagerly in (False, True):
        model.run_eagerly = eagerly
        result = model.predict(np.eye(3, dtype="float32"), batch_size=2)
        print(type(result).__name__, np.asarray(result.values).tolist())
