"""What keeps a program from switching eager execution on: a default graph, whoever made it."""

from __future__ import print_function

import tensorflow as tf

STATEMENTS = [
    "pass",
    "tf.get_default_graph()",
    "tf.set_random_seed(1)",
    "tf.get_collection('things')",
    "tf.global_variables()",
    "tf.placeholder(tf.float32)",
    "tf.Session().close()",
    "tf.Session(graph=tf.Graph()).close()",
    "tf.keras.layers.Dense(3)",
    "tf.keras.optimizers.Adam()",
    "tf.train.AdamOptimizer()",
    "tf.nn.rnn_cell.LSTMCell(3)",
    "tf.device('/cpu:0')",
    "tf.data.Dataset.range(3)",
    "tf.function(lambda x: x)",
    "tf.estimator.RunConfig()",
    "tf.keras.backend.set_learning_phase(1)",
    "tf.keras.backend.clear_session()",
    "tf.train.Checkpoint()",
    "tf.Module()",
    "tf.make_template('name', lambda: 1)",
    "tf.test.is_gpu_available()",
]
GIVEN = [
    {"config": 3},
    {"config": {}},
    {"device_policy": 77},
    {"device_policy": "silent"},
    {"execution_mode": 5},
]


def switched(**given):
    """Whether eager execution could be switched on, which is undone."""
    try:
        tf.enable_eager_execution(**given)
        return tf.executing_eagerly()
    except (TypeError, ValueError) as error:
        return "{}: {}".format(type(error).__name__, str(error).replace("class", "type"))
    finally:
        tf.disable_eager_execution()


for statement in STATEMENTS:
    tf.reset_default_graph()
    exec(statement)
    print(statement, switched())
tf.reset_default_graph()
for given in GIVEN:
    print(sorted(given), switched(**given))
