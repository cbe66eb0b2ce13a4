"""What `tf.contrib.eager` and eager Keras give: each case is a function of `tf` (in eager
execution) and of a folder, and returns plain values."""

from __future__ import annotations

import os
import re

import numpy as np

CASES = {}


def _case(function):
    CASES[function.__name__] = function
    return function


def raised(call):
    """The class and text of what a call raises."""
    try:
        call()
    except Exception as error:
        return [type(error).__name__, str(error)]
    return None


@_case
def metrics(tf, folder):
    tfe = tf.contrib.eager
    mean, accuracy = tfe.metrics.Mean(), tfe.metrics.Accuracy()
    mean([1.0, 5.0])
    mean(7.0, weights=2.0)
    accuracy([1, 2, 3], [1, 2, 0])
    values = [float(mean.result()), float(accuracy.result())]
    mean.init_variables()
    mean(3.0)
    other = tfe.metrics.Mean()
    other(9.0)
    mean.aggregate([other])
    sparse = tfe.metrics.SparseAccuracy()
    sparse([1, 0], [[0.1, 0.9], [0.2, 0.8]])
    binary = tfe.metrics.BinaryAccuracy(0.5)
    binary([True, False], [0.7, 0.8])
    names = [v.name for v in mean.variables + other.variables]
    found = [float(m.result()) for m in (mean, sparse, binary)]
    return values + found + names + [mean.name, mean.result().dtype.name]


@_case
def iterators(tf, folder):
    found = [int(x) for x in tf.contrib.eager.Iterator(tf.data.Dataset.range(3))]
    iterator = tf.contrib.eager.Iterator(tf.data.Dataset.from_tensors((1.0, 2)))
    return [found, [float(x) for x in iterator.next()], raised(iterator.next)]


@_case
def saver(tf, folder):
    tfe = tf.contrib.eager
    path = os.path.join(folder, "saver")
    v = tfe.Variable([1.0, 2.0], name="v")
    saved = tfe.Saver([v]).save(path)
    v.assign([3.0, 4.0])
    tfe.Saver([v]).restore(saved)
    with tfe.restore_variables_on_create(saved):
        w = tfe.Variable([0.0, 0.0], name="v")
    with tfe.restore_variables_on_create(saved, lambda name: name.replace("other", "v")):
        u = tfe.Variable([0.0, 0.0], name="other")
    return [v.numpy().tolist(), w.numpy().tolist(), u.numpy().tolist()]


@_case
def variable_store(tf, folder):
    store = tf.contrib.eager.EagerVariableStore()
    found = []
    for value in (1.0, 2.0):
        with store.as_default(), tf.variable_scope("s"):
            v = tf.get_variable("v", initializer=value)
            tf.layers.dense(tf.zeros([1, 2]), 3, name="d")
            found.append(float(v.numpy()))
    return found + [v.name for v in store.variables()] + [len(store.trainable_variables())]


@_case
def checks_of_numbers(tf, folder):
    tfe = tf.contrib.eager
    before = tfe.seterr(inf_or_nan=tfe.ExecutionCallback.RAISE)
    try:
        error = raised(lambda: tf.log(tf.constant([1.0, 0.0])))
        with tfe.errstate(inf_or_nan="ignore"):
            ignored = raised(lambda: tf.log(tf.constant([1.0, 0.0])))
    finally:
        now = tfe.seterr(**before)
    return [before["inf_or_nan"].value, now["inf_or_nan"].value, error, ignored]


@_case
def gradients(tf, folder):
    tfe = tf.contrib.eager

    def f(x, y):
        return x * x * y

    v = tfe.Variable(3.0)
    one, both = tfe.gradients_function(f, params=[0]), tfe.value_and_gradients_function(f)
    value, (dx, dy) = both(2.0, 5.0)
    implicit = tfe.implicit_gradients(lambda x: v * v * x)(2.0)
    second = tfe.gradients_function(lambda x: tfe.gradients_function(lambda t: t**3)(x)[0])
    return [
        [float(g) for g in one(2.0, 5.0)], float(value), float(dx), float(dy),
        float(implicit[0][0]), implicit[0][1] is v, float(second(2.0)[0]),
        raised(lambda: tfe.implicit_gradients(lambda x: x)(2.0)),
    ]  # fmt: skip


def _data():
    state = np.random.RandomState(3)
    x = state.uniform(-1, 1, (32, 4)).astype(np.float32)
    return x, state.randint(0, 3, 32)


def _model(tf, run_eagerly=False, optimizer="adam"):
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Dense(8, activation="relu", input_shape=(4,), kernel_regularizer="l2"),
            tf.keras.layers.BatchNormalization(),
            tf.keras.layers.Dense(3, activation="softmax"),
        ]
    )
    model.compile(
        optimizer, "sparse_categorical_crossentropy", metrics=["accuracy"], run_eagerly=run_eagerly
    )
    return model


def _fitted(tf, **kwargs):
    tf.set_random_seed(4)
    model = _model(tf, **kwargs)
    x, y = _data()
    history = model.fit(
        x, y, epochs=2, batch_size=8, verbose=0, shuffle=False, validation_data=(x[:8], y[:8])
    ).history
    scores = model.evaluate(x, y, verbose=0)
    found = [[key, [float(v) for v in history[key]]] for key in sorted(history)]
    return found + [float(s) for s in scores] + [model.predict(x[:2]).tolist()]


@_case
def fit(tf, folder):
    return _fitted(tf)


@_case
def fit_eagerly(tf, folder):
    return _fitted(tf, run_eagerly=True)


@_case
def fit_with_an_optimizer_of_train(tf, folder):
    return _fitted(tf, optimizer=tf.train.AdamOptimizer(0.01))


@_case
def fit_datasets_and_batches(tf, folder):
    tf.set_random_seed(4)
    model = _model(tf)
    x, y = _data()
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
    losses = model.fit(data, epochs=2, verbose=0).history["loss"]
    on_batch = [model.train_on_batch(x, y), model.test_on_batch(x, y)]
    return [[float(v) for v in part] for part in (losses, *on_batch)]


@_case
def fit_shuffled(tf, folder):
    """The order of the samples, drawn for all epochs at once; clipping by the optimizer."""
    found = []
    for kwargs in ({}, {"clipnorm": 0.01}, {"clipvalue": 0.001}):
        for shuffle in (True, "batch"):
            np.random.seed(5)
            tf.set_random_seed(4)
            seen = []

            class Model(tf.keras.Model):
                def __init__(self):
                    super(Model, self).__init__()
                    self.dense = tf.keras.layers.Dense(3)

                def call(self, x):
                    if hasattr(x, "numpy"):
                        seen.append([int(v) for v in x[:, 0].numpy()])
                    return self.dense(x)

            model = Model()
            model.compile(tf.keras.optimizers.SGD(0.01, **kwargs), "mse", run_eagerly=True)
            x = np.arange(20, dtype=np.float32).reshape(10, 2)
            fit = model.fit(
                x, np.ones((10, 3), np.float32), 4, epochs=2, verbose=0, shuffle=shuffle
            )
            found.append([[float(v) for v in fit.history["loss"]], seen, float(np.random.rand())])
    return found


@_case
def fit_steps(tf, folder):
    """Epochs that take some of the batches; what callbacks are told; validation's order."""
    found = []
    x = np.arange(12, dtype=np.float32).reshape(12, 1)

    class Told(tf.keras.callbacks.Callback):
        def on_train_begin(self, logs=None):
            found.append([[key, int(self.params[key])] for key in ("samples", "steps")])

        def on_train_batch_begin(self, batch, logs=None):
            found.append([logs["batch"], logs["size"]])

    for kwargs in (
        {"batch_size": 4, "steps_per_epoch": 2, "epochs": 3},
        {"steps_per_epoch": 2, "epochs": 2, "shuffle": False},
        {"batch_size": 5, "epochs": 2, "validation_data": (x, x)},
        {"batch_size": 4, "steps_per_epoch": 3, "validation_split": 0.25, "shuffle": False},
        {"steps_per_epoch": 5},
        {"batch_size": 4, "steps_per_epoch": 5},
        {"steps_per_epoch": 5, "tensors": True},
        {"batch_size": 4, "steps_per_epoch": 5, "epochs": 2, "tensors": True},
    ):
        np.random.seed(2)
        data = tf.constant(x) if kwargs.pop("tensors", False) else x
        layer = tf.keras.layers.Dense(1, input_shape=(1,), kernel_initializer="zeros")
        model = tf.keras.Sequential([layer])
        model.compile(tf.keras.optimizers.SGD(0.001), "mse")
        try:
            fit = model.fit(data, x, verbose=0, callbacks=[Told()], **kwargs)
        except ValueError as error:
            found.append(str(error))
        else:
            ends = [[key, [float(v) for v in fit.history[key]]] for key in sorted(fit.history)]
            found.append([ends, float(np.random.rand())])
    scores = [model.evaluate(x, x, steps=2, verbose=0), model.predict(x, steps=2).tolist()]
    return [*found, scores, raised(lambda: model.predict(x, steps=2, batch_size=4))]


@_case
def tensorboard(tf, folder):
    """What the callback writes; of the graph only that it is there."""
    found = []
    x, y = _data()
    for number, kwargs in enumerate(
        ({}, {"update_freq": 16, "histogram_freq": 1}, {"write_graph": 0})
    ):
        tf.set_random_seed(4)
        board = tf.keras.callbacks.TensorBoard(folder + str(number), profile_batch=0, **kwargs)
        model = _model(tf)
        model.fit(x, y, epochs=2, verbose=0, shuffle=False, callbacks=[board])
        (name,) = os.listdir(folder + str(number))
        found.append(name.split(".")[-1])
        for event in tf.train.summary_iterator(os.path.join(folder + str(number), name)):
            values = [[value.tag, value.simple_value] for value in event.summary.value]
            found.append([event.WhichOneof("what"), event.step, values])
    return found


@_case
def built_without_data(tf, folder):
    class Model(tf.keras.Model):
        def __init__(self):
            super(Model, self).__init__()
            self.inner = tf.keras.layers.Dense(3)
            self.out = tf.keras.layers.Dense(1)

        def call(self, x, training=False):
            return self.out(self.inner(x))

    model = Model()
    model.build((None, 4))
    return [model.count_params(), [w.shape.as_list() for w in model.weights], model.built]


@_case
def errors_of_functions(tf, folder):
    """With the functions' names, but for their numbers."""

    def checked(x):
        return tf.check_numerics(1.0 / x, "bad")

    def second(a, b):
        return checked(b)

    def text(call):
        name, message = raised(call)
        return [name, re.sub(r"_\d+", "_#", message).split("\nTraceback")[0]]

    of_lambda = lambda x: tf.check_numerics(1.0 / x, "bad")  # noqa: E731
    numbers = tf.data.Dataset.from_tensor_slices([1.0, 0.0])
    return [
        text(lambda: list(numbers.map(checked))),
        text(lambda: list(numbers.map(of_lambda))),
        text(lambda: numbers.reduce(0.0, second)),
        text(lambda: numbers.map(checked).reduce(0.0, second)),
        text(lambda: tf.function(of_lambda)(tf.constant(0.0))),
        text(lambda: list(tf.data.Dataset.from_generator(lambda: iter(["a"]), tf.int64))),
    ]


@_case
def datasets_are_composite_tensors(tf, folder):
    data = tf.data.Dataset.range(3)
    optional = tf.data.experimental.Optional.from_value(tf.constant(1))
    values = (data, iter(data), optional)
    return [[tf.is_tensor(v), tf.contrib.framework.is_tensor(v)] for v in values]


@_case
def own_training_loop(tf, folder):
    class Model(tf.keras.Model):
        def __init__(self):
            super(Model, self).__init__()
            self.inner = tf.keras.layers.Dense(6, activation="tanh")
            self.out = tf.keras.layers.Dense(3, activity_regularizer="l2")

        def call(self, inputs):
            return self.out(self.inner(inputs))

    tf.set_random_seed(4)
    x, y = _data()
    model, optimizer = Model(), tf.keras.optimizers.RMSprop(0.01)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    losses = []
    for _ in range(4):
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x)) + tf.add_n(model.losses)
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        losses.append(float(loss))
    names = [v.name for v in model.variables]
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
    path = checkpoint.save(os.path.join(folder, "loop"))
    keys = sorted(key for key, _ in tf.train.list_variables(path))
    before = model.out.bias.numpy().tolist()
    model.out.bias.assign([0.0, 0.0, 0.0])
    checkpoint.restore(path).assert_consumed()
    assert model.out.bias.numpy().tolist() == before
    return [losses, len(names), keys, int(optimizer.iterations.numpy())]


@_case
def operations_on_inputs(tf, folder):
    """Operations on the tensors of a model are recorded, with layers made of them."""
    tf.keras.backend.clear_session()
    x = tf.keras.Input((2,))
    values = [x * 2, x * 2, x + 1.0, 1 - x, x > 0, x[:, 0], -x]
    values += [tf.concat([x, x], 1), tf.matmul(x, tf.ones([2, 3])), tf.shape(x), tf.nn.relu(x)]
    values += [tf.stack([x, x]), tf.zeros_like(x), *tf.split(x, 2, 1)]
    values.append(tf.reduce_mean(x, name="mine"))
    with tf.name_scope("outside"):
        values.append(tf.add(x, tf.constant([1.0])))
    found = [[value.name, value.shape.as_list()] for value in values]
    y = tf.keras.layers.Dense(3, kernel_initializer="ones")(tf.nn.relu(x * 2 - 1))
    model = tf.keras.Model(x, y)
    names = [layer.name for layer in model.layers]
    again = tf.keras.Model.from_config(model.get_config())
    again.set_weights(model.get_weights())
    data = np.array([[1.0, 2.0], [-3.0, 4.0]], np.float32)
    results = [m(tf.constant(data)).numpy().tolist() for m in (model, again)]
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(data))
    gradient = tape.gradient(loss, model.trainable_variables)
    return [found, names, results, model.predict(data).tolist(), gradient[0].numpy().tolist()]


@_case
def losses_of_graphs_of_layers(tf, folder):
    """Losses and metrics added to a functional model, to a layer and while building one."""
    a, b = tf.keras.Input((4,)), tf.keras.Input((4,))
    dense = tf.keras.layers.Dense(3, kernel_initializer="ones")
    inner = tf.keras.Model(a, dense(a))
    model = tf.keras.Model([a, b], inner(a))
    distance = tf.reduce_mean(tf.abs(inner(a) - inner(b)))
    model.add_loss(distance)
    model.add_metric(distance, aggregation="mean", name="distance")
    model.compile("sgd", "mse", metrics=["mae"])
    data = [np.linspace(0, n, 32, dtype=np.float32).reshape(8, 4) for n in (1, 2)]
    target = np.zeros((8, 3), np.float32)
    history = model.fit(data, target, batch_size=2, epochs=2, verbose=0, shuffle=False).history
    refused = raised(lambda: model.add_loss(tf.constant(1.0)))
    model.add_loss(lambda: tf.constant(4.0))

    class Layer(tf.keras.layers.Layer):
        def call(self, x):
            self.add_loss(tf.reduce_sum(x))
            self.add_loss(lambda: tf.constant(3.0))
            return x

    layer = Layer()
    layer(tf.ones([2]))
    losses = [float(loss) for loss in layer.losses]
    ends = [[float(x) for x in history[key]] for key in sorted(history)]
    return [sorted(history), ends, len(model.losses), refused, losses]


@_case
def inputs_of_subclassed_models(tf, folder):
    """Values of every kind give a subclassed model its inputs."""
    tf.keras.backend.clear_session()

    class Model(tf.keras.Model):
        def __init__(self):
            super(Model, self).__init__()
            self.dense = tf.keras.layers.Dense(2, kernel_initializer="ones")

        def call(self, x):
            if isinstance(x, dict):
                x = x["f"]
            return self.dense(x[0] if isinstance(x, (list, tuple)) else x)

    array = np.array([[1.0, 2.0]], np.float64)
    found = []
    for value in (array, tf.constant(array, tf.float32)):
        for inputs in ({"f": value}, {"g": value, "f": value}, [value, value], value):
            model = Model()
            model.compile("sgd", "mse")
            result = model.predict(inputs, steps=1).tolist()
            symbolic = model.inputs
            if isinstance(symbolic, dict):
                symbolic = [symbolic[name] for name in sorted(symbolic)]
            facts = [[x.op.type, x.shape.as_list(), x.dtype.name] for x in symbolic]
            found.append([result, model.input_names, facts])
    return found
