"""What `print(type(x))`, an object without a text of its own and a traceback say."""

import pickle
import traceback

import tensorflow as tf

made = [
    tf.Variable(1.0),
    tf.Variable(1.0, use_resource=True),
    tf.get_variable("parted", [4, 2], partitioner=tf.fixed_size_partitioner(2)),
    tf.constant(1.0),
    tf.no_op(),
    tf.placeholder(tf.float32, [None]).shape,
    tf.placeholder(tf.float32, [None]).shape[0],
    tf.data.Dataset.range(3).map(lambda x: x).batch(2),
    tf.data.Dataset.range(3).make_one_shot_iterator(),
    tf.FIFOQueue(3, tf.int32),
    tf.TensorArray(tf.float32, 3),
    tf.train.Saver([tf.Variable(2.0)]),
    tf.train.AdamOptimizer(),
    tf.train.Coordinator(),
    tf.train.ExponentialMovingAverage(0.9),
    tf.Session(),
    tf.get_variable_scope(),
    tf.contrib.rnn.MultiRNNCell([tf.contrib.rnn.GRUCell(2)]),
    tf.contrib.seq2seq.LuongAttention(3, tf.zeros([2, 3, 4])),
    tf.contrib.distributions.bijectors.Exp(),
    tf.contrib.opt.AdamWOptimizer(0.1),
    tf.contrib.eager.metrics.Mean("mean"),
    tf.distributions.Normal(0.0, 1.0),
    tf.glorot_uniform_initializer(),
    tf.layers.Dense(1),
    tf.keras.layers.Dense(1),
    tf.keras.optimizers.Adam(),
    tf.keras.metrics.Mean(),
    tf.keras.callbacks.History(),
    tf.make_template("a", lambda x: x),
    tf.contrib.eager.defun(lambda x: x),
    tf.function(lambda x: x),
    tf.GradientTape(),
    tf.estimator.RunConfig(),
    tf.contrib.tpu.RunConfig(),
    tf.contrib.training.HParams(a=1),
    tf.contrib.lookup.index_table_from_tensor(["a"]),
    tf.train.StopAtStepHook(last_step=1),
    tf.gfile.GFile("nowhere"),
]
for value in made:
    print(type(value))
for value in (tf.train.AdamOptimizer(), tf.layers.Dense(1), tf.contrib.tpu.TPUConfig):
    print(value)
model = tf.keras.Model()
model.parts, model.named = [tf.keras.layers.Dense(1)], {"a": tf.keras.layers.Dense(1)}
print(type(model.parts), type(model.named))
for cls in (tf.Session, tf.estimator.Estimator, tf.data.Dataset, tf.keras.Model, tf.Variable):
    print(cls, cls.__module__, pickle.loads(pickle.dumps(cls)) is cls)
print(pickle.loads(pickle.dumps(tf.TensorShape([1, None]))))
for wrong in (lambda: made[15].run(made[0]), lambda: tf.gfile.GFile("nowhere").read()):
    try:
        wrong()
    except tf.errors.OpError:
        said = traceback.format_exc().split("\n")
        print([line for line in said if line.startswith("tensorflow.")][-1][:110])


class Layer(tf.keras.layers.Layer):
    pass


print(Layer, type(Layer()).__mro__[1])
