"""What metrics are called in logs once TF 2's behaviour is on."""

import tensorflow as tf

tf.compat.v1.enable_v2_behavior()


def average(y_true, y_pred):
    return tf.reduce_mean(y_pred)


LISTS = [
    ["accuracy", "acc"],
    ["acc"],
    ["ce", "crossentropy"],
    ["mse", "MSE", average],
    [tf.keras.metrics.AUC(), tf.keras.metrics.mean_absolute_error],
    ["mae", "binary_accuracy", "cosine_similarity"],
]
for names in LISTS:
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, "softmax", input_shape=(1,))])
    loss = "sparse_categorical_crossentropy"
    model.compile("sgd", loss, metrics=names, weighted_metrics=names[:1])
    print(model.metrics_names)
inputs = tf.keras.Input((1,))
outputs = [tf.keras.layers.Dense(1, name="p")(inputs), tf.keras.layers.Dense(2, name="q")(inputs)]
model = tf.keras.Model(inputs, outputs)
model.compile("sgd", ["mse", "sparse_categorical_crossentropy"], metrics=["accuracy", "mae"])
print(model.metrics_names)
