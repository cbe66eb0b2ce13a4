"""Objects and Keras models that are saved as SavedModels, and what a loaded one is asked.

Read by `record_saved_models.py` under TensorFlow 1.15, replayed by
`tests/api/test_saved_model_objects.py`; in eager execution.
"""

from __future__ import annotations

import os

import numpy as np

X = np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32)
Y = np.float32([[0], [1], [0]])
MODELS = ("func", "sub", "seq")


def module(tf, folder):
    """A `tf.Module` with variables in lists and dicts, tables, functions of several kinds."""
    words = os.path.join(folder, "words.txt")
    with open(words, "w") as file:
        file.write("a\nb\nc\n")

    class Inner(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")

        @tf.function
        def __call__(self, x):
            return tf.matmul(x, self.w)

    class Outer(tf.Module):
        def __init__(self):
            super().__init__()
            self.inner = Inner()
            self.v = tf.Variable(3.0, name="v")
            self.big = tf.constant(np.arange(200.0), tf.float32)
            self.items = [tf.Variable(1.0), Inner()]
            self.named = {"a": tf.Variable(2.0, trainable=False)}
            lookup = tf.lookup
            init = lookup.TextFileInitializer(words, tf.string, 0, tf.int64, -1)
            self.table = lookup.StaticHashTable(init, -1)
            init = lookup.KeyValueTensorInitializer(["x", "y"], [10, 20])
            self.pairs = lookup.StaticHashTable(init, -1)

        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
        def serve(self, x):
            return {"y": self.inner(x) * self.v, "s": tf.reduce_sum(self.big)}

        @tf.function
        def scaled(self, x, n=2, flag=True):
            return x * float(n) if flag else x + self.v

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def look(self, words):
            return self.table.lookup(words), self.pairs.lookup(words)

        @tf.function(input_signature=[])
        def bump(self):
            return self.v.assign_add(1.0)

    made = Outer()
    made.scaled(tf.constant(2.0))
    made.scaled(tf.constant(2.0), n=3)
    made.scaled(tf.constant([2.0]), flag=False)
    return made


def save_module(tf, folder, path):
    """Saves the module, with two signatures."""
    made = module(tf, folder)
    signatures = {"serving_default": made.serve, "look": made.look}
    tf.saved_model.save(made, path, signatures=signatures)


def ask_module(tf, path):
    """What a loaded module answers; it is saved once more, too."""
    loaded = tf.compat.v2.saved_model.load(path)
    one = tf.constant([[1.0, 1.0]])
    words = tf.constant(["b", "x", "q"])
    found = {"signatures": sorted(loaded.signatures)}
    found["served"] = numbers(loaded.signatures["serving_default"](one))
    found["called"] = numbers([loaded.serve(one), loaded.serve([[1.0, 1.0]]), loaded.inner(one)])
    x = tf.constant(2.0)
    found["scaled"] = numbers([loaded.scaled(x), loaded.scaled(x, n=3)])
    found["scaled"] += numbers([loaded.scaled(tf.constant([2.0]), flag=False)])
    found["words"] = numbers(loaded.look(words))
    found["bumped"] = numbers([loaded.bump(), loaded.v, loaded.inner.w])
    items = [loaded.items[0], loaded.named["a"]]
    found["items"] = numbers(items) + [bool(v.trainable) for v in items]
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(loaded.serve(one)["y"])
    found["gradients"] = numbers(tape.gradient(y, [loaded.v, loaded.inner.w]))
    try:
        loaded.scaled(x, n=7)
    except ValueError as error:
        found["refused"] = sorted(str(error).replace("\n", " ").split("Option")[0].split())
    tf.saved_model.save(loaded, path + "_again")
    again = tf.compat.v2.saved_model.load(path + "_again")
    found["again"] = numbers([again.serve(one), again.look(words)])
    return found


def ask_module_in_session(tf, path):
    """What sessions answer: of the graph with its signatures, and of the object."""
    found = []
    with tf.Graph().as_default(), tf.Session() as session:
        meta_graph = tf.saved_model.load(session, ["serve"], path)
        for key, feed in (("serving_default", [[1.0, 1.0]]), ("look", ["b", "x"])):
            signature = meta_graph.signature_def[key]
            fetches = [signature.outputs[name].name for name in sorted(signature.outputs)]
            (given,) = signature.inputs.values()
            found.append(numbers(session.run(fetches, {given.name: feed})))
    with tf.Graph().as_default(), tf.Session() as session:
        loaded = tf.compat.v2.saved_model.load(path)
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        fetches = [loaded.serve(tf.constant([[1.0, 1.0]]))["y"], loaded.look(tf.constant(["b"]))]
        found.append(numbers(session.run(fetches)))
    return found


def models(tf):
    """Keras models of all kinds, compiled, with known weights."""
    keras = tf.keras
    layers = keras.layers
    inputs = keras.Input([4], name="inp")
    kept = keras.regularizers.l2(0.01)
    h = layers.Dense(5, activation="relu", kernel_regularizer=kept, name="d1")(inputs)
    h = layers.BatchNormalization(name="bn")(layers.Dropout(0.5, name="drop")(h))
    sparse = keras.regularizers.l1(0.1)
    outputs = layers.Dense(1, activity_regularizer=sparse, name="d2")(h)
    func = keras.Model(inputs, outputs, name="func")

    class Sub(keras.Model):
        def __init__(self):
            super().__init__(name="sub")
            self.a = layers.Dense(3, name="a")
            self.b = layers.Dense(1, name="b")

        def call(self, inputs, training=False):
            h = self.a(inputs)
            return self.b(h * 2.0 if training else h)

    sub = Sub()
    sub.compile("sgd", "mse")
    sub.train_on_batch(X, Y)
    first, second = layers.Dense(3, input_shape=(4,), name="s1"), layers.Dense(1, name="s2")
    seq = keras.Sequential([first, second], name="seq")
    for model in (func, seq):
        model.compile(keras.optimizers.Adam(0.01), "mse")
    seq.train_on_batch(X, Y)
    for model in (func, sub, seq):
        for i, variable in enumerate(model.weights):
            shape = variable.shape.as_list()
            value = np.cos(np.arange(np.prod(shape)) + i).reshape(shape) / 2
            variable.assign(value + ("variance" in variable.name))
    return func, sub, seq


def ask_model(tf, path):
    """What a loaded Keras model answers, as one and as a plain object."""
    model = tf.keras.models.load_model(path)
    loaded = tf.compat.v2.saved_model.load(path)
    x = tf.constant(X)
    counts = [loaded.variables, loaded.trainable_variables, loaded.regularization_losses]
    return {
        "class": [type(model).__name__, model.name, type(model.optimizer).__name__],
        "layers": [layer.name for layer in model.layers],
        "weights": sorted(variable.name for variable in model.weights),
        "losses": len(model.losses),
        "predicted": numbers(model.predict(X)),
        "evaluated": numbers(np.float32(model.evaluate(X, Y, verbose=0))),
        "plain": [list(loaded.signatures)] + [len(c) for c in counts],
        "served": numbers(list(loaded.signatures["serving_default"](x).values())),
        "called": numbers(loaded(x, training=False)),
    }


def export_model(tf, path):
    """Exports a model for sessions, with a graph for each mode."""
    layers = tf.keras.layers
    first = layers.Dense(3, input_shape=(4,), name="s1", kernel_initializer="ones")
    second = layers.Dense(1, name="s2", kernel_initializer="ones")
    model = tf.keras.Sequential([first, layers.Dropout(0.5), second], name="seq")
    model.compile(tf.keras.optimizers.Adam(0.1), "mse", metrics=["mae"])
    tf.keras.experimental.export_saved_model(model, path)


def ask_exported_model(tf, path):
    """What an exported model answers in Keras, and its graphs in sessions."""
    model = tf.contrib.saved_model.load_keras_model(path)
    found = [numbers(model.predict(X)), sorted(os.listdir(path))]
    for tag in ("train", "eval", "serve"):
        with tf.Graph().as_default(), tf.Session() as session:
            signatures = tf.saved_model.load(session, [tag], path).signature_def
            for key in sorted(signatures):
                signature = signatures[key]
                named = [sorted(signature.inputs), sorted(signature.outputs)]
                found.append([tag, key, signature.method_name, *named])
                if tag == "train" or key.startswith("__"):
                    continue
                given = signature.inputs.values()
                feeds = {x.name: X if x.tensor_shape.dim[-1].size == 4 else Y for x in given}
                outputs = sorted((k, v.name) for k, v in signature.outputs.items())
                fetches = [name for k, name in outputs if "update" not in k]
                found.append(numbers(session.run(fetches, feeds)))
    return found


def mistakes(tf, folder):
    """(class, text) of what is refused, but for the addresses of objects."""
    save, load = tf.saved_model.save, tf.compat.v2.saved_model.load
    untracked = tf.Module()
    v = tf.Variable(1.0)
    untracked.f = tf.function(lambda x: x * v, input_signature=[tf.TensorSpec([], tf.float32)])
    reserved = tf.Module()
    reserved.signatures = {}
    found = []
    for call in (
        lambda: save(3, folder),
        lambda: save(tf.Module(), folder, signatures=abs),
        lambda: save(untracked, folder),
        lambda: save(reserved, folder),
        lambda: load("nowhere"),
        lambda: tf.keras.models.load_model("nowhere"),
        lambda: tf.function(lambda: save(tf.Module(), folder), autograph=False)(),
        lambda: tf.keras.Sequential([tf.keras.layers.Dense(1)]).save(folder, save_format="tf"),
    ):
        try:
            call()
        except Exception as error:
            text = str(error).partition(" object at ")[0]
            found.append([type(error).__name__, text[:300]])
    return found


def session_model(tf, path):
    """Saves a SavedModel of a session, with a variable and a table."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        words = tf.placeholder(tf.string, [None], name="words")
        w = tf.get_variable("w", initializer=tf.constant([[1.0], [2.0]]), use_resource=True)
        init = tf.lookup.KeyValueTensorInitializer(["a"], [7])
        ids = tf.lookup.StaticHashTable(init, -1).lookup(words)
        y = tf.matmul(x, w, name="y")
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        tf.saved_model.simple_save(
            session, path, {"x": x, "words": words}, {"y": y, "ids": ids},
            legacy_init_op=tf.tables_initializer(),
        )  # fmt: skip


def ask_session_model(tf, path):
    """What the object of a session's SavedModel answers, before and after it was saved again."""
    loaded = tf.compat.v2.saved_model.load(path)
    given = {"x": tf.constant([[1.0, 1.0]]), "words": tf.constant(["a", "b"])}
    pruned = loaded.prune("x:0", "y:0")
    found = [numbers(loaded.signatures["serving_default"](**given)), numbers(pruned(given["x"]))]
    loaded.variables[0].assign([[5.0], [5.0]])
    with tf.GradientTape() as tape:
        y = pruned(given["x"])
    found.append(numbers([y, tape.gradient(y, loaded.variables[0])]))
    tf.saved_model.save(loaded, path + "_again", signatures=loaded.signatures)
    again = tf.compat.v2.saved_model.load(path + "_again")
    found.append(numbers(again.signatures["serving_default"](**given)))
    return found


def wrapped(tf):
    """What functions of TF 1's code answer."""

    def changed(x, adds):
        v = tf.Variable(5.0)
        op = v.assign_add(x) if adds else v.assign_sub(x)
        with tf.control_dependencies([op]):
            return v.read_value()

    spec = tf.TensorSpec((), tf.float32)
    found = []
    for adds in (True, False):
        function = tf.compat.v1.wrap_function(changed, [spec, adds])
        found += [float(function(1.0)), float(function(1.0))]
        found.append([node.name for node in function.graph.as_graph_def().node])
    return found


def numbers(value):
    """Tensors and arrays as nested lists; dicts as sorted pairs."""
    if isinstance(value, dict):
        return [[key, numbers(value[key])] for key in sorted(value)]
    if isinstance(value, (list, tuple)):
        return [numbers(item) for item in value]
    value = value.numpy() if hasattr(value, "numpy") else value
    return np.round(np.asarray(value, np.float64), 4).tolist()
