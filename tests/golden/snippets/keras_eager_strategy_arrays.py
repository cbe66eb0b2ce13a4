"""Arrays given to Keras models in a strategy, eagerly: weights of samples, several inputs."""

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
tf.enable_eager_execution()

X = np.arange(4.0, dtype="float32").reshape(4, 1)
Y = 2 * X + 2
WEIGHTS = np.array([0.25, 0.5, 0.75, 1], "float32")
layers = tf.keras.layers
strategy = tf.distribute.OneDeviceStrategy("/cpu:0")


def told(what, call):
    try:
        print(what, np.round(call(), 3).tolist())
    except ValueError as error:
        print(what, str(error).split("Received")[0])


for of_functions in (True, False):
    with strategy.scope():
        model = tf.keras.Sequential([layers.Dense(1, kernel_initializer="ones", input_shape=(1,))])
        model.compile("sgd", "mse", experimental_run_tf_function=of_functions)
        first, second = tf.keras.Input((1,)), tf.keras.Input((1,))
        dense = layers.Dense(1, kernel_initializer="ones")
        two = tf.keras.Model([first, second], [dense(first), dense(second)])
        two.compile("sgd", "mse", experimental_run_tf_function=of_functions)
    print(of_functions)
    options = {"batch_size": 2, "verbose": 0}
    told("evaluate", lambda: model.evaluate(X, Y, sample_weight=WEIGHTS, **options))
    options["shuffle"] = False
    told("fit", lambda: model.fit(X, Y, sample_weight=WEIGHTS, **options).history["loss"])
    told("split", lambda: model.fit(X, Y, validation_split=0.5, **options).history["loss"])
    validation = (X, Y, WEIGHTS)
    told(
        "validation",
        lambda: model.fit(X, Y, validation_data=validation, **options).history["val_loss"],
    )
    told("two", lambda: two.fit([X, Y], [Y, X], **options).history["loss"])
    told("two evaluated", lambda: two.evaluate([X, Y], [Y, X], batch_size=2, verbose=0))
    told("two predicted", lambda: two.predict([X, Y], batch_size=2))
