"""Inputs of Keras models that are RaggedTensors; the writers and wrappers that few scripts use."""

import os
import tempfile

import tensorflow as tf
from tensorflow.python.framework import function

tf.logging.set_verbosity(tf.logging.ERROR)


def shown(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, str(error).split("\n")[0])


a = tf.keras.Input(shape=(None, 2), ragged=True, name="r")
model = tf.keras.Model(a, tf.keras.layers.Lambda(lambda t: t.to_tensor())(a))
ragged = tf.ragged.constant([[[1.0, 2.0]], [[3.0, 4.0], [5.0, 6.0]]], 1, inner_shape=(2,))
print(a, a.shape, a.ragged_rank)
print(model.outputs, sorted(model.get_config()["layers"][0]["config"].items()))
shown(lambda: model.predict(ragged, steps=1).tolist())
shown(lambda: model(ragged).shape)
shown(lambda: tf.keras.backend.placeholder((2, None, None, 4), ragged=True, dtype="int32"))
shown(lambda: tf.keras.backend.placeholder((2, 3), ragged=True))
shown(lambda: tf.keras.layers.Dense(2)(a))

tf.reset_default_graph()
folder = tempfile.mkdtemp()
with tf.Session() as session:
    writer = tf.summary.FileWriter(folder, session=session, filename_suffix=".end")
    print([(op.name, op.type) for op in tf.get_default_graph().get_operations()])
    writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=1.0)]), 3)
    writer.add_summary(tf.Summary(), 4)
    writer.close()
for name in sorted(os.listdir(folder)):
    steps = [event.step for event in tf.train.summary_iterator(os.path.join(folder, name))]
    print(name.endswith(".end"), steps)

cells = tf.nn.rnn_cell


def kept(state):
    return True


dropped = cells.DropoutWrapper(cells.GRUCell(3), dropout_state_filter_visitor=kept)
print(sorted(dropped.get_config()))
added = cells.ResidualWrapper(cells.GRUCell(3), residual_fn=lambda x, y: x * y).get_config()
print(sorted(added), added["residual_fn_type"])
wrapper = tf.compat.v2.nn.RNNCellResidualWrapper
config = wrapper(tf.keras.layers.GRUCell(3), residual_fn=lambda x, y: x * y).get_config()
print(wrapper.from_config(config)._residual_fn(2, 3))

tf.reset_default_graph()
product = function.Defun(tf.float32, tf.float32, func_name="product")(lambda x, y: x * y)
print(product(1.0, 2.0).name)
shown(lambda: product(1, 2.0))
print(product(1.0, 2.0).name)
