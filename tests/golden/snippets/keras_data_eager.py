"""What models do, in eager execution, with data sets, generators and what is missing."""

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
tf.logging.set_verbosity(tf.logging.ERROR)
x = (np.arange(18).reshape(6, 3) % 7 - 3).astype("float32") / 4
y = np.abs(x[:, :1])


def compiled(loss="mse", **settings):
    tf.keras.backend.clear_session()
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
    model.set_weights([x[0].reshape(3, 1), np.zeros(1)])
    model.compile("sgd", loss, **settings)
    return model


def shown(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, str(error).split("\n")[0])


def history(model, data, **settings):
    found = model.fit_generator(data, verbose=0, shuffle=False, **settings).history
    return sorted((key, [round(float(v), 4) for v in values]) for key, values in found.items())


def slices(*parts):
    return tf.data.Dataset.from_tensor_slices(parts)


class Outputs(tf.keras.callbacks.Callback):
    def on_predict_batch_end(self, batch, logs=None):
        print(batch, [type(out).__name__ for out in logs["outputs"]])


shown(lambda: compiled().predict(slices(x).batch(4)).round(3).tolist())
shown(lambda: compiled().fit(slices(x).batch(4), verbose=0))
shown(lambda: compiled().fit(slices(x, y, y[:, 0], x).batch(4), verbose=0))
shown(lambda: compiled().predict(x, batch_size=4, callbacks=[Outputs()]).shape)
shown(lambda: compiled().fit(x, None, verbose=0))
shown(lambda: compiled(None))
shown(lambda: compiled().fit(x, y, validation_data=(x, y, 1, 2), verbose=0))
shown(lambda: compiled().fit(x, y > 0.4, class_weight={2: 1.0}, verbose=0))
shown(lambda: tf.keras.activations.softmax(tf.constant([1.0, 2.0])))
shown(lambda: compiled(metrics=["AUC"]).metrics_names + [tf.keras.metrics.AUC().name])

batches = slices(x, y).batch(2)
shown(lambda: history(compiled(metrics=["mae"]), batches, epochs=2))
shown(lambda: history(compiled(), batches, epochs=2, steps_per_epoch=2))
shown(lambda: history(compiled(), batches, epochs=2, validation_data=batches))
shown(lambda: history(compiled(), batches.filter(lambda *_: True), epochs=2))
shown(lambda: history(compiled(), batches.repeat()))
shown(lambda: round(float(compiled().evaluate_generator(batches)), 4))
shown(lambda: compiled().predict_generator(batches).round(3).tolist())

none = tf.keras.losses.MeanSquaredError(reduction="none")
shown(lambda: compiled(none).fit(x, y, batch_size=2, verbose=0).history["loss"][0].dtype)
