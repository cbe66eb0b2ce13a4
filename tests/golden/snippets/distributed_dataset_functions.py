"""A strategy's dataset inside of functions: what comes out, and what is recorded."""

import numpy as np
import tensorflow as tf

tf.enable_v2_behavior()
cpu = tf.config.experimental.list_physical_devices("CPU")[0]
two = [tf.config.experimental.VirtualDeviceConfiguration()] * 2
tf.config.experimental.set_virtual_device_configuration(cpu, two)
SUM = tf.distribute.ReduceOp.SUM


def nodes(function, *args):
    graph = function.get_concrete_function(*args).graph
    ops = graph.get_operations()
    print(len(ops), "nodes")
    for op in ops:
        print(" ", op.type, op.name, op.device, [t.name for t in op.inputs])
    for op in ops:
        for attr in ("body", "cond", "then_branch"):
            if attr in op.node_def.attr:
                inner = graph._get_function(op.node_def.attr[attr].func.name)
                if inner is not None:
                    kinds = [n.op for n in inner.definition.node_def]
                    print("  of", op.name, attr, sorted(kinds))


def attempt(label, fn):
    try:
        print(label, fn())
    except Exception as error:
        print(label, type(error).__name__, str(error).strip().split("\n")[-1])


def try_strategy(strategy):
    print("====", type(strategy).__name__)
    numbers = tf.data.Dataset.range(10).map(lambda x: tf.cast(x, tf.float32))
    data = strategy.experimental_distribute_dataset(numbers.batch(4))

    @tf.function
    def total(data):
        result = 0.0
        for x in data:
            each = strategy.experimental_run_v2(lambda v: tf.reduce_sum(v), args=(x,))
            result += strategy.reduce(SUM, each, axis=None)
        return result

    with strategy.scope():
        v = tf.Variable(1.0, aggregation=tf.VariableAggregation.SUM)

    @tf.function
    def train():
        def step(x):
            v.assign_add(tf.reduce_sum(x))

        for x in data:
            strategy.experimental_run_v2(step, args=(x,))

    @tf.function
    def first():
        return strategy.experimental_local_results(next(iter(data)))

    @tf.function
    def one_of(iterator):
        return strategy.experimental_local_results(next(iterator))

    @tf.function
    def stopped():
        for x in data:
            if tf.reduce_sum(strategy.experimental_local_results(x)[0]) > 3:
                break

    @tf.function
    def undefined():
        for x in data:
            last = x
        return last

    def numbers_of(*values):
        return [np.round(np.asarray(t), 4).tolist() for t in tf.nest.flatten(values)]

    attempt("total", lambda: numbers_of(total(data)))
    attempt("again", lambda: numbers_of(total(data)))
    attempt("first", lambda: numbers_of(first()))
    attempt("first again", lambda: numbers_of(first()))
    iterator = iter(data)
    attempt("given", lambda: numbers_of(one_of(iterator)))
    attempt("given, next", lambda: numbers_of(one_of(iterator)))
    attempt("stopped", stopped)
    attempt("undefined", undefined)
    attempt("reduce", lambda: numbers_of(data.reduce(tf.constant(0), lambda n, _: n + 1)))
    attempt("train", lambda: (train(), numbers_of(v.read_value()))[1])
    nodes(total, data)
    nodes(train)
    nodes(first)


try_strategy(tf.distribute.OneDeviceStrategy("/cpu:0"))
try_strategy(tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"]))


class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = tf.keras.layers.Dense(4, activation="tanh", kernel_initializer="ones")
        self.second = tf.keras.layers.Dense(1, kernel_initializer="ones")

    def call(self, x):
        return self.second(self.first(x))


strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
with strategy.scope():
    model = Model()
    optimizer = tf.keras.optimizers.Adam(0.05)
    seen = tf.keras.metrics.Mean("seen")

x = np.linspace(-1, 1, 33).reshape(11, 3).astype(np.float32)
data = tf.data.Dataset.from_tensor_slices((x, x.sum(1, keepdims=True))).batch(4)
with strategy.scope():
    data = strategy.experimental_distribute_dataset(data)


@tf.function
def epoch():
    loss_sum = 0.0

    def step(inputs):
        x, y = inputs
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(model(x) - y)) / 4
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        seen.update_state(loss)
        return loss

    for inputs in data:
        losses = strategy.experimental_run_v2(step, args=(inputs,))
        loss_sum += strategy.reduce(SUM, losses, axis=None)
    return loss_sum


with strategy.scope():
    for _ in range(3):
        print("loss %.5f seen %.5f" % (epoch().numpy(), seen.result().numpy()))
        seen.reset_states()
for kernel in strategy.experimental_local_results(model.first.kernel):
    print(kernel.name, np.round(kernel.numpy(), 4).tolist())
