"""Faults to plant in the examples: three in each whose steps a session runs.

Each is one edit of the text: another constant, a swapped axis or a permuted input, a dropped
override or `stop_gradient` or, where there is none, another attribute. Those that run eagerly ask
no session for anything, and are no matter of a recording.
"""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """An edit, and what `compare` has to name.

    Attributes:
      old, new: of the script's text, the first time that it is there.
      node: the end of the name of the node that the fault is in.
    """

    old: str
    new: str
    node: str


def _epsilon(call: str, node: str = "Adam/epsilon") -> Fault:
    return Fault(call, f"{call}, epsilon=1e-4", node)


_ADAM = _epsilon("AdamOptimizer(FLAGS.learning_rate")

FAULTS = {
    "actor_critic": [
        Fault("epsilon=1e-5", "epsilon=1e-3", "RMSProp/epsilon"),
        Fault("log_softmax(logits), axis=1", "log_softmax(logits), axis=0", "reduction_indices"),
        Fault("tf.stop_gradient(advantages)", "advantages", "StopGradient"),
    ],
    "boosted_trees": [
        Fault("learning_rate=0.3", "learning_rate=0.2", "learning_rate"),
        Fault('{"area": area', '{"area": area[::-1]', "component_1"),
        Fault("max_depth=3", "max_depth=2", "conditional_accumulator"),
    ],
    "census_estimator": [
        Fault("AdagradOptimizer(0.1", "AdagradOptimizer(0.2", "learning_rate"),
        Fault("lines, record_defaults=DEFAULTS", "lines, DEFAULTS, na_value='0'", "DecodeCSV"),
        Fault("[25, 35, 45,", "[25, 30, 45,", "Bucketize"),
    ],
    "digits_cnn": [
        _ADAM,
        Fault("flatten(net)", "flatten(tf.transpose(net, [0, 2, 1, 3]))", "transpose/perm"),
        Fault("net, 2, 2,", "net, 2, 1,", "pool/MaxPool"),
    ],
    "digits_towers": [
        _ADAM,
        Fault("(images[i],", "(tf.transpose(images[i], [0, 2, 1, 3]),", "transpose/perm"),
        Fault('padding="same"', 'padding="valid"', "conv/Conv2D"),
    ],
    "dqn": [
        Fault("epsilon=1e-5", "epsilon=1e-3", "RMSProp/epsilon"),
        Fault("(advantage, axis=1", "(advantage, axis=0", "Mean/reduction_indices"),
        Fault("tf.stop_gradient(rewards", "(rewards", "StopGradient"),
    ],
    "gradient_penalty": [
        _epsilon("beta2=0.9"),
        Fault("axis=[1]", "axis=[0]", "Sum/reduction_indices"),
        Fault("tf.nn.leaky_relu", "lambda x: tf.nn.leaky_relu(x, 0.1)", "fc1/LeakyRelu"),
    ],
    "iris_clusters": [
        Fault("points[::60]", "points[::50]", "Const_1"),
        Fault("tensor(points)", "tensor(points[:, ::-1])", "Const"),
        Fault(
            "use_mini_batch=False",
            "use_mini_batch=False, distance_metric='cosine'",
            "l2_normalize/Square",
        ),
    ],
    "iris_experiment": [
        _epsilon("(hparams.learning_rate", "train/epsilon"),
        Fault("rows, i : i + 1]", "rows, 3 - i : 4 - i]", "Const"),
        Fault("n_classes=3", "n_classes=3, activation_fn=tf.nn.elu", "hiddenlayer_0/Relu"),
    ],
    "keras_additions": [
        Fault('"adam"', "tf.keras.optimizers.Adam(epsilon=1e-4)", "Const"),
        Fault("reset_after=True", "reset_after=True, go_backwards=True", "ReverseV2"),
        Fault("mask_zero=True", "mask_zero=False", "NotEqual"),
    ],
    "keras_augmented_digits": [
        _epsilon("Adam(3e-3", "Const"),
        Fault("(x, axis=-1)", "(x, axis=1)", "reduction_indices"),
        Fault("layers.MaxPooling2D", "layers.AveragePooling2D", "MaxPool"),
    ],
    "linear_regression": [
        Fault("Optimizer(learning_rate", "Optimizer(2 * learning_rate", "learning_rate"),
        Fault("prediction - Y", "prediction - tf.reverse(Y, [0])", "ReverseV2/axis"),
        Fault("W), b)", "W), tf.stop_gradient(b))", "StopGradient"),
    ],
    "physics_informed": [
        _epsilon("Optimizer(2e-3"),
        Fault("[t, (x + 1.0) / 2.0]", "[(x + 1.0) / 2.0, t]", "concat"),
        Fault("u_t + u *", "u_t + tf.stop_gradient(u) *", "StopGradient"),
    ],
    "random_forest": [
        Fault("split_after_samples=60", "split_after_samples=50", "CreateFertileStatsVariable"),
        Fault("graph(X, Y)", "graph(X[:, ::-1], Y)", "strided_slice/stack"),
        Fault("base_random_seed=1", "base_random_seed=2", "ProcessInputV4"),
    ],
    "records_pipeline": [
        _epsilon("Optimizer(0.01"),
        Fault("block_length=4", "block_length=2", "block_length"),
        Fault("tf.float32) / 16.0", "tf.float32) / 8.0", "truediv/y"),
    ],
    "residual_cnn": [
        Fault("rate, 0.9", "rate, 0.8", "Momentum/momentum"),
        Fault("conv(images,", "conv(tf.transpose(images, [0, 2, 1, 3]),", "transpose/perm"),
        Fault("use_nesterov=True", "use_nesterov=False", "ApplyMomentum"),
    ],
    "saliency_guided_relu": [
        _epsilon("AdamOptimizer(2e-3"),
        Fault("= network(images)", "= network(tf.transpose(images, [0, 2, 1, 3]))", "perm"),
        Fault('{"Relu": "GuidedRelu"}', "{}", "Relu"),
    ],
    "straight_through": [
        _epsilon("AdamOptimizer(0.1"),
        Fault("constant(inputs)", "constant(inputs[:, ::-1].copy())", "Const"),
        Fault('{"Sign": "StraightThrough"}', "{}", "Sign"),
    ],
    "text_tpu_estimator": [
        _epsilon("AdamOptimizer(rate"),
        Fault("tf.matmul(q, k,", "tf.matmul(k, q,", "text/MatMul"),
        Fault("ids) + places", "ids) + tf.stop_gradient(places)", "StopGradient"),
    ],
    "to_jax": [
        _epsilon("AdamOptimizer(0.02"),
        Fault("prediction - y", "prediction - y[::-1]", "strided_slice/stack"),
        Fault("tf.nn.tanh", "tf.nn.sigmoid", "hidden/Tanh"),
    ],
    "transformer": [
        Fault("variance + epsilon", "variance + 2 * epsilon", "add/y"),
        Fault("// heads]), [0, 2, 1, 3]", "// heads]), [0, 2, 3, 1]", "transpose/perm"),
        Fault("tf.matmul(weights", "tf.matmul(tf.stop_gradient(weights)", "StopGradient"),
    ],
    "variational_autoencoder": [
        _epsilon("AdamOptimizer(2e-3"),
        Fault("(cross_entropy, axis=1", "(cross_entropy, axis=0", "Sum/reduction_indices"),
        Fault("z = mean", "z = tf.stop_gradient(mean)", "StopGradient"),
    ],
    "word2vec": [
        Fault("Optimizer(1.0)", "Optimizer(0.9)", "learning_rate"),
        Fault("(embeddings), 1", "(embeddings), 0", "Sum/reduction_indices"),
        Fault("inputs=embed", "inputs=tf.stop_gradient(embed)", "StopGradient"),
    ],
}
