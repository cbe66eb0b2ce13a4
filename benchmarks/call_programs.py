"""Calls whose cost is Python around little arithmetic: `CASES[name](tf, np)` gives what to call.

Runs under Python 3.7 too (the real TF 1.15), with eager execution enabled; what is a graph has one
of its own.
"""

from __future__ import annotations

CASES = {}


def case(name):
    def add(make):
        CASES[name] = make
        return make

    return add


def operation(name, call):
    """A case of one eager operation on `a`, `b` (8 x 8), `s` (a scalar), `i` (indices)."""

    def make(tf, np):
        rng = np.random.RandomState(0)
        a, b = (tf.constant(rng.normal(size=[8, 8]).astype(np.float32)) for _ in range(2))
        s, i = tf.constant(2.0), tf.constant([1, 3, 5])
        return lambda: call(tf, a, b, s, i)

    CASES[name] = make


# Eager operations, one by one.

operation("a + b", lambda tf, a, b, s, i: a + b)
operation("a * 2.0", lambda tf, a, b, s, i: a * 2.0)
operation("2.0 - a", lambda tf, a, b, s, i: 2.0 - a)
operation("a > 0", lambda tf, a, b, s, i: a > 0)
operation("matmul", lambda tf, a, b, s, i: tf.matmul(a, b))
operation("a[1:3, 2]", lambda tf, a, b, s, i: a[1:3, 2])
operation("a[0]", lambda tf, a, b, s, i: a[0])
operation("gather", lambda tf, a, b, s, i: tf.gather(a, i))
operation("gather of a list", lambda tf, a, b, s, i: tf.gather(a, [1, 3]))
operation("embedding_lookup", lambda tf, a, b, s, i: tf.nn.embedding_lookup(a, i))
operation("reduce_sum, axis", lambda tf, a, b, s, i: tf.reduce_sum(a, axis=1))
operation("reduce_sum", lambda tf, a, b, s, i: tf.reduce_sum(a))
operation("reduce_mean", lambda tf, a, b, s, i: tf.reduce_mean(a, [0, 1]))
operation("argmax", lambda tf, a, b, s, i: tf.argmax(a, 1))
operation("concat", lambda tf, a, b, s, i: tf.concat([a, b], 0))
operation("stack", lambda tf, a, b, s, i: tf.stack([a, b]))
operation("split", lambda tf, a, b, s, i: tf.split(a, 2, axis=1))
operation("unstack", lambda tf, a, b, s, i: tf.unstack(a))
operation("where", lambda tf, a, b, s, i: tf.where(a > 0, a, b))
operation("where, of one", lambda tf, a, b, s, i: tf.where(a > 0))
operation("if s > 1.0", lambda tf, a, b, s, i: 1 if s > 1.0 else 2)
operation("reshape", lambda tf, a, b, s, i: tf.reshape(a, [-1, 4]))
operation("transpose", lambda tf, a, b, s, i: tf.transpose(a))
operation("transpose, perm", lambda tf, a, b, s, i: tf.transpose(a, [1, 0]))
operation("expand_dims", lambda tf, a, b, s, i: tf.expand_dims(a, 0))
operation("squeeze", lambda tf, a, b, s, i: tf.squeeze(a))
operation("cast", lambda tf, a, b, s, i: tf.cast(a, tf.int32))
operation("shape", lambda tf, a, b, s, i: tf.shape(a))
operation("zeros", lambda tf, a, b, s, i: tf.zeros([4, 4]))
operation("zeros_like", lambda tf, a, b, s, i: tf.zeros_like(a))
operation("ones_like", lambda tf, a, b, s, i: tf.ones_like(a))
operation("fill", lambda tf, a, b, s, i: tf.fill([4, 4], 3.0))
operation("range", lambda tf, a, b, s, i: tf.range(10))
operation("tile", lambda tf, a, b, s, i: tf.tile(a, [2, 1]))
operation("pad", lambda tf, a, b, s, i: tf.pad(a, [[1, 1], [0, 0]]))
operation("one_hot", lambda tf, a, b, s, i: tf.one_hot(i, 10))
operation("relu", lambda tf, a, b, s, i: tf.nn.relu(a))
operation("tanh", lambda tf, a, b, s, i: tf.tanh(a))
operation("softmax", lambda tf, a, b, s, i: tf.nn.softmax(a))
operation("maximum", lambda tf, a, b, s, i: tf.maximum(a, 0.0))
operation("clip_by_value", lambda tf, a, b, s, i: tf.clip_by_value(a, -1.0, 1.0))
operation("top_k", lambda tf, a, b, s, i: tf.nn.top_k(a, 2))
operation("equal", lambda tf, a, b, s, i: tf.equal(a, b))
operation("random.uniform", lambda tf, a, b, s, i: tf.random.uniform([4, 4]))
operation("random.normal", lambda tf, a, b, s, i: tf.random.normal([4, 4]))
operation("constant of a list", lambda tf, a, b, s, i: tf.constant([1.0, 2.0, 3.0]))
operation("constant of a number", lambda tf, a, b, s, i: tf.constant(1.0))
operation("convert_to_tensor", lambda tf, a, b, s, i: tf.convert_to_tensor(a))
operation("a.numpy()", lambda tf, a, b, s, i: a.numpy())
operation("s.numpy()", lambda tf, a, b, s, i: s.numpy())
operation("float(s)", lambda tf, a, b, s, i: float(s))
operation("a.shape", lambda tf, a, b, s, i: a.shape)
operation("add_n", lambda tf, a, b, s, i: tf.add_n([a, b, a]))
operation("einsum", lambda tf, a, b, s, i: tf.einsum("ij,jk->ik", a, b))
operation("norm", lambda tf, a, b, s, i: tf.norm(a))
operation(
    "sparse_softmax_cross_entropy",
    lambda tf, a, b, s, i: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=i, logits=a[:3]),
)
operation("as_string", lambda tf, a, b, s, i: tf.as_string(i))
operation("string join", lambda tf, a, b, s, i: tf.strings.join([tf.constant("a"), "b"]))
operation("boolean_mask", lambda tf, a, b, s, i: tf.boolean_mask(a, [True, False] * 4))


@case("conv2d")
def _conv2d(tf, np):
    x = tf.constant(np.ones([1, 8, 8, 3], np.float32))
    w = tf.constant(np.ones([3, 3, 3, 4], np.float32))
    return lambda: tf.nn.conv2d(x, w, strides=[1, 1, 1, 1], padding="SAME")


# Variables, tapes, optimizers.


@case("variable: read")
def _read(tf, np):
    v = tf.Variable(np.ones([8, 8], np.float32))
    return lambda: v.read_value()


@case("variable: v * 2.0")
def _times(tf, np):
    v = tf.Variable(np.ones([8, 8], np.float32))
    return lambda: v * 2.0


@case("variable: assign_add")
def _assign_add(tf, np):
    v = tf.Variable(np.ones([8, 8], np.float32))
    a = tf.constant(np.ones([8, 8], np.float32))
    return lambda: v.assign_add(a)


@case("variable: assign")
def _assign(tf, np):
    v = tf.Variable(np.ones([8, 8], np.float32))
    a = np.ones([8, 8], np.float32)
    return lambda: v.assign(a)


@case("variable: made")
def _made(tf, np):
    a = np.ones([8, 8], np.float32)
    return lambda: tf.Variable(a)


@case("tape of three operations")
def _tape(tf, np):
    a = tf.constant(np.ones([8, 8], np.float32))
    v = tf.Variable(np.ones([8, 8], np.float32))

    def step():
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.tanh(tf.matmul(a, v)))
        return tape.gradient(y, v)

    return step


def chain(length):
    def make(tf, np):
        a = tf.constant(np.ones([8, 8], np.float32))

        def step():
            with tf.GradientTape() as tape:
                tape.watch(a)
                y = a
                for _ in range(length // 2):
                    y = tf.sin(y) * a
            return tape.gradient(y, a)

        return step

    CASES["tape of a chain of %d" % length] = make


chain(10)
chain(100)


def applying(name, make_optimizer):
    def make(tf, np):
        variables = [tf.Variable(np.ones([8, 8], np.float32)) for _ in range(4)]
        grads = [tf.constant(np.ones([8, 8], np.float32)) for _ in range(4)]
        optimizer = make_optimizer(tf)
        return lambda: optimizer.apply_gradients(list(zip(grads, variables)))

    CASES["apply_gradients of 4: " + name] = make


applying("SGD", lambda tf: tf.keras.optimizers.SGD(0.01))
applying("Adam", lambda tf: tf.keras.optimizers.Adam(0.01))
applying("train.Adam", lambda tf: tf.train.AdamOptimizer(0.01))
applying("train.GradientDescent", lambda tf: tf.train.GradientDescentOptimizer(0.01))


# Functions, layers, models.


@case("function of one tensor")
def _function(tf, np):
    a = tf.constant(np.ones([8, 8], np.float32))
    f = tf.function(lambda x: tf.tanh(x) + 1.0)
    return lambda: f(a)


@case("function of 10 tensors and a variable")
def _function_of_many(tf, np):
    given = [tf.constant(np.ones([8, 8], np.float32)) for _ in range(10)]
    v = tf.Variable(np.ones([8, 8], np.float32))

    @tf.function
    def f(*args):
        return tf.add_n(args) * v

    return lambda: f(*given)


@case("function: gradient")
def _function_gradient(tf, np):
    v = tf.Variable(np.ones([8, 8], np.float32))
    a = tf.constant(np.ones([8, 8], np.float32))
    f = tf.function(lambda x: tf.tanh(tf.matmul(x, v)))

    def step():
        with tf.GradientTape() as tape:
            y = f(a)
        return tape.gradient(y, v)

    return step


@case("function: training step")
def _function_step(tf, np):
    model = tf.keras.Sequential([tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(1)])
    x = tf.constant(np.ones([4, 8], np.float32))
    model(x)
    optimizer = tf.keras.optimizers.SGD(0.001)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    return step


@case("Dense")
def _dense(tf, np):
    layer = tf.keras.layers.Dense(16, activation="relu")
    x = tf.constant(np.ones([4, 8], np.float32))
    return lambda: layer(x)


@case("Sequential of 3")
def _sequential(tf, np):
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(16, "relu"), layers.Dropout(0.1), layers.Dense(4)])
    x = tf.constant(np.ones([4, 8], np.float32))
    return lambda: model(x)


@case("Conv2D and BatchNormalization")
def _conv_layers(tf, np):
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Conv2D(4, 3), layers.BatchNormalization()])
    x = tf.constant(np.ones([1, 8, 8, 3], np.float32))
    return lambda: model(x, training=True)


@case("LSTMCell")
def _lstm_cell(tf, np):
    cell = tf.keras.layers.LSTMCell(8)
    x = tf.constant(np.ones([4, 8], np.float32))
    state = [tf.zeros([4, 8])] * 2
    return lambda: cell(x, state)


@case("training step of an MLP")
def _training(tf, np):
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [layers.Dense(32, "relu"), layers.Dense(32, "relu"), layers.Dense(10)]
    )
    rng = np.random.RandomState(0)
    x = tf.constant(rng.normal(size=[32, 20]).astype(np.float32))
    y = tf.constant(rng.randint(10, size=[32]))
    optimizer = tf.train.AdamOptimizer(0.001)
    loss_of = tf.losses.sparse_softmax_cross_entropy

    def step():
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    return step


@case("train_on_batch")
def _train_on_batch(tf, np):
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(32, "relu", input_shape=[20]), layers.Dense(10)])
    model.compile("adam", "mse")
    x, y = np.ones([32, 20], np.float32), np.ones([32, 10], np.float32)
    return lambda: model.train_on_batch(x, y)


@case("predict")
def _predict(tf, np):
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(32, "relu", input_shape=[20]), layers.Dense(10)])
    model.compile("adam", "mse")
    x = np.ones([32, 20], np.float32)
    return lambda: model.predict(x)


# Datasets: one call is a whole pass.


@case("eager dataset of arrays: 100 batches")
def _eager_arrays(tf, np):
    x = np.ones([1000, 8], np.float32)
    dataset = tf.data.Dataset.from_tensor_slices((x, x)).batch(10)

    def step():
        for _ in dataset:
            pass

    return step


@case("eager dataset with map: 100 batches")
def _eager_map(tf, np):
    dataset = tf.data.Dataset.range(1000).map(lambda i: tf.cast(i, tf.float32) * 2.0).batch(10)

    def step():
        for _ in dataset:
            pass

    return step


def pipeline(tf, np):
    dataset = tf.data.Dataset.range(100000).map(lambda i: tf.cast(i, tf.float32) * 2.0 + 1.0)
    return dataset.shuffle(1000).batch(32)


@case("eager dataset of 100,000: map, shuffle, batch")
def _eager_pipeline(tf, np):
    dataset = pipeline(tf, np)

    def step():
        for _ in dataset:
            pass

    return step


def in_graph(make):
    """A case of a graph: `make(tf, np, graph, session)`."""

    def made(tf, np):
        graph = tf.Graph()
        with graph.as_default():
            return make(tf, np, tf.Session(graph=graph))

    return made


@case("dataset of 100,000 in a graph: map, shuffle, batch")
@in_graph
def _graph_pipeline(tf, np, session):
    iterator = tf.data.make_initializable_iterator(pipeline(tf, np))
    batch = iterator.get_next()

    def step():
        session.run(iterator.initializer)
        try:
            while True:
                session.run(batch)
        except tf.errors.OutOfRangeError:
            pass

    return step


# Runs.


@case("run: no-op")
@in_graph
def _no_op(tf, np, session):
    op = tf.no_op()
    return lambda: session.run(op)


def _net(tf, width=16):
    x = tf.placeholder(tf.float32, [None, 8])
    hidden = tf.layers.dense(x, width, tf.nn.relu)
    loss = tf.reduce_mean(tf.layers.dense(hidden, 1) ** 2)
    return x, loss, tf.train.AdamOptimizer(0.001).minimize(loss)


@case("run: a training step")
@in_graph
def _step(tf, np, session):
    x, loss, train = _net(tf)
    session.run(tf.global_variables_initializer())
    feed = {x: np.ones([4, 8], np.float32)}
    return lambda: session.run([train, loss], feed)


@case("run: a training step with summaries")
@in_graph
def _summaries(tf, np, session):
    x, loss, train = _net(tf)
    tf.summary.scalar("loss", loss)
    tf.summary.histogram("x", x)
    merged = tf.summary.merge_all()
    session.run(tf.global_variables_initializer())
    feed = {x: np.ones([4, 8], np.float32)}
    return lambda: session.run([train, merged], feed)


@case("run: strings to buckets to rows")
@in_graph
def _strings(tf, np, session):
    words = tf.placeholder(tf.string, [None])
    ids = tf.string_to_hash_bucket_fast(tf.strings.lower(words), 100)
    table = tf.get_variable("table", [100, 8])
    loss = tf.reduce_mean(tf.nn.embedding_lookup(table, ids) ** 2)
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    session.run(tf.global_variables_initializer())
    feed = {words: ["The", "quick", "brown", "fox"]}
    return lambda: session.run([train, loss], feed)


@case("run: py_func in a net")
@in_graph
def _py_func(tf, np, session):
    x = tf.placeholder(tf.float32, [4, 8])
    y = tf.py_func(lambda a: a * 2, [tf.layers.dense(x, 8)], tf.float32)
    y.set_shape([4, 8])
    out = tf.layers.dense(y, 4)
    session.run(tf.global_variables_initializer())
    feed = {x: np.ones([4, 8], np.float32)}
    return lambda: session.run(out, feed)


@case("run: queue around a net")
@in_graph
def _queue(tf, np, session):
    queue = tf.FIFOQueue(10, [tf.float32], [[4, 8]])
    x = tf.placeholder(tf.float32, [4, 8])
    enqueue = queue.enqueue(x)
    out = tf.layers.dense(queue.dequeue(), 4)
    session.run(tf.global_variables_initializer())
    feed = {x: np.ones([4, 8], np.float32)}

    def step():
        session.run(enqueue, feed)
        return session.run(out)

    return step


@case("run: feed of 20 small arrays")
@in_graph
def _feeds(tf, np, session):
    xs = [tf.placeholder(tf.float32, [4]) for _ in range(20)]
    out = tf.add_n(xs)
    feed = {x: np.ones([4], np.float32) for x in xs}
    return lambda: session.run(out, feed)


@case("run: fetch of 50 tensors")
@in_graph
def _fetches(tf, np, session):
    x = tf.placeholder(tf.float32, [4])
    outs = [x + float(i) for i in range(50)]
    feed = {x: np.ones([4], np.float32)}
    return lambda: session.run(outs, feed)


@case("run: nested fetches, feed of lists")
@in_graph
def _nested(tf, np, session):
    x = tf.placeholder(tf.float32, [None])
    fetches = {"a": x + 1.0, "b": [x * 2.0, (x - 1.0, tf.reduce_sum(x))]}
    return lambda: session.run(fetches, {x: [1.0, 2.0, 3.0]})


@case("make_callable")
@in_graph
def _callable(tf, np, session):
    x = tf.placeholder(tf.float32, [4])
    f = session.make_callable(x * 2.0, [x])
    a = np.ones([4], np.float32)
    return lambda: f(a)


@case("tensor.eval")
@in_graph
def _eval(tf, np, session):
    x = tf.placeholder(tf.float32, [4])
    y = x * 2.0
    a = np.ones([4], np.float32)
    return lambda: y.eval({x: a}, session)


# Graphs: one call records it.


def _inception(tf):
    """Some 90 convolutions with batch normalisation, as many as Inception V3 has."""
    net = tf.placeholder(tf.float32, [None, 75, 75, 3])
    for block in range(22):
        with tf.variable_scope("mixed_%d" % block):
            branches = []
            for width in (1, 3, 5, 3):
                branch = tf.layers.conv2d(net, 8, width, padding="same", use_bias=False)
                branch = tf.layers.batch_normalization(branch, training=True)
                branches.append(tf.nn.relu(branch))
            net = tf.concat(branches, 3)
    return tf.reduce_mean(net)


@case("build: Inception-sized net")
def _build_inception(tf, np):
    def build():
        with tf.Graph().as_default():
            return _inception(tf)

    return build


@case("build: its gradients and an optimizer")
def _build_gradients(tf, np):
    def build():
        with tf.Graph().as_default():
            return tf.train.AdamOptimizer().minimize(_inception(tf))

    return build


def _unrolled(tf, steps):
    cell = tf.nn.rnn_cell.BasicLSTMCell(8)
    xs = [tf.placeholder(tf.float32, [4, 8]) for _ in range(steps)]
    outputs, _ = tf.nn.static_rnn(cell, xs, dtype=tf.float32)
    return tf.reduce_sum(outputs[-1])


@case("build: LSTM of 1,000 steps")
def _build_rnn(tf, np):
    def build():
        with tf.Graph().as_default():
            return _unrolled(tf, 1000)

    return build


@case("build: its gradients")
def _build_rnn_gradients(tf, np):
    def build():
        with tf.Graph().as_default():
            loss = _unrolled(tf, 1000)
            return tf.gradients(loss, tf.trainable_variables())

    return build


@case("import_graph_def")
def _import(tf, np):
    with tf.Graph().as_default() as graph:
        tf.train.AdamOptimizer().minimize(_inception(tf))
        proto = graph.as_graph_def()

    def build():
        with tf.Graph().as_default():
            tf.import_graph_def(proto, name="")

    return build


@case("as_graph_def")
def _export(tf, np):
    with tf.Graph().as_default() as graph:
        tf.train.AdamOptimizer().minimize(_inception(tf))
    return lambda: graph.as_graph_def()


@case("Saver")
def _saver(tf, np):
    with tf.Graph().as_default() as graph:
        tf.train.AdamOptimizer().minimize(_inception(tf))

    def build():
        with graph.as_default():
            return tf.train.Saver()

    return build
