"""What a layer updates in eager models, trainable or not, step by step and in functions."""

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
layers = tf.keras.layers
data = np.arange(12, dtype="float32").reshape(4, 3) / 10


class Counting(layers.Layer):
    def build(self, shape):
        self.count = self.add_weight("count", (), initializer="zeros", trainable=False)

    def call(self, x):
        self.add_update(lambda: self.count.assign_add(1.0))
        return x


for make in (Counting, lambda: layers.BatchNormalization(momentum=0.5)):
    for trainable in (True, False):
        for eagerly in (True, False):
            layer = make()
            layer.trainable = trainable
            model = tf.keras.Sequential([layers.InputLayer((3,)), layer])
            model.compile("sgd", "mse", run_eagerly=eagerly)
            steps = (
                lambda model=model: model.fit(data, data, batch_size=2, verbose=0, shuffle=False),
                lambda model=model: model.evaluate(data, data, verbose=0),
                lambda model=model: model.predict(data),
                lambda model=model: model.train_on_batch(data, data),
            )
            print(layer.name, trainable, eagerly)
            for step in steps:
                step()
                print(np.round(layer.get_weights()[-1], 4).tolist())
            call = tf.function(lambda x, model=model: model(x, training=True))
            for change in (True, True, False):
                layer.trainable = trainable and change
                call(data if change else data[:2])
                print(np.round(layer.get_weights()[-1], 4).tolist(), len(layer.updates))
