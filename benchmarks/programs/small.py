"""Programs in which running costs as much as computing does."""

import numpy as np

from programs.table import adam, labelled, program


@program("no-op", lambda rng: ())
def nothing(tf):
    nothing = tf.no_op()

    def step(session):
        session.run(nothing)
        return 0.0

    return step


def points(rng):
    x = np.float32(rng.uniform(-1, 1))
    return x, np.float32(0.7 * x - 1.5)


@program("linear regression", points)
def linear_regression(tf):
    x, y = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    w, b = tf.Variable(0.0), tf.Variable(0.0)
    loss = tf.square(x * w + b - y)
    return (x, y), [tf.train.GradientDescentOptimizer(0.01).minimize(loss), loss]


def replayed(rng):
    now, after = (rng.normal(size=[32, 4]).astype("f") for _ in range(2))
    action, goes_on = rng.randint(3, size=32).astype("i"), rng.randint(2, size=32).astype("f")
    return now, after, action, rng.normal(size=32).astype("f"), goes_on


@program("DQN", replayed)
def dqn(tf):
    """An action, and an update from a replayed batch."""

    def q_values(name, x):
        with tf.variable_scope(name):
            net = tf.layers.dense(x, 64, activation=tf.nn.relu)
            net = tf.layers.dense(net, 64, activation=tf.nn.relu)
            return tf.layers.dense(net, 3)

    now, after = (tf.placeholder(tf.float32, [None, 4]) for _ in range(2))
    action = tf.placeholder(tf.int32, [None])
    reward, goes_on = (tf.placeholder(tf.float32, [None]) for _ in range(2))
    q = q_values("online", now)
    best = tf.argmax(q, axis=1)
    places = tf.stack([tf.range(tf.shape(action)[0]), action], axis=1)
    aim = reward + 0.99 * goes_on * tf.reduce_max(q_values("target", after), axis=1)
    loss = tf.losses.huber_loss(tf.stop_gradient(aim), tf.gather_nd(q, places))
    fetches = adam(tf, loss, 1e-4, var_list=tf.trainable_variables("online"))
    fed = (now, after, action, reward, goes_on)

    def step(session, *batch):
        session.run(best, {now: batch[0][:1]})
        return session.run(fetches, dict(zip(fed, batch)))[1]

    return step


@program("MLP", labelled(64, 784))
def mlp(tf):
    x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.int32, [None])
    net = tf.layers.dense(x, 256, activation=tf.nn.relu)
    net = tf.layers.dense(net, 256, activation=tf.nn.relu)
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(net, 10))
    return (x, y), adam(tf, loss)


@program("wide MLP", labelled(64, 2000))
def wide_mlp(tf):
    """Two layers of 2,000 x 2,000: most of a step is Adam's."""
    x, y = tf.placeholder(tf.float32, [None, 2000]), tf.placeholder(tf.int32, [None])
    net = tf.layers.dense(x, 2000, activation=tf.nn.relu)
    net = tf.layers.dense(net, 2000, activation=tf.nn.relu)
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(net, 10))
    return (x, y), adam(tf, loss)


@program("while loop", lambda rng: (np.float32(rng.uniform()),))
def while_loop(tf):
    """1,000 turns with a scalar."""
    start = tf.placeholder(tf.float32, [])
    turns = tf.while_loop(
        lambda i, x: i < 1000, lambda i, x: (i + 1, x * 0.999 + 0.1), [tf.constant(0), start]
    )
    return (start,), [turns[1]]


@program("WGAN-GP", lambda rng: (rng.normal(size=[64, 2]).astype("f"),))
def wgan_gp(tf):
    """A critic's step with a gradient penalty, and a generator's."""
    real = tf.placeholder(tf.float32, [64, 2])

    def net(name, x, outputs):
        with tf.variable_scope(name, reuse=tf.AUTO_REUSE):
            for i in range(3):
                x = tf.layers.dense(x, 128, activation=tf.nn.relu, name="hidden%d" % i)
            return tf.layers.dense(x, outputs, name="out")

    fake = net("generator", tf.random_normal([64, 2]), 2)
    mixed = fake + tf.random_uniform([64, 1]) * (real - fake)
    (slope,) = tf.gradients(net("critic", mixed, 1), mixed)
    norm = tf.sqrt(tf.reduce_sum(tf.square(slope), axis=1) + 1e-12)
    worth = tf.reduce_mean(net("critic", fake, 1))
    loss = worth - tf.reduce_mean(net("critic", real, 1)) + 10 * tf.reduce_mean((norm - 1) ** 2)
    critic = adam(tf, loss, 1e-4, var_list=tf.trainable_variables("critic"))
    generator, _ = adam(tf, -worth, 1e-4, var_list=tf.trainable_variables("generator"))

    def step(session, batch):
        session.run(generator)
        return session.run(critic, {real: batch})[1]

    return step


@program("physics-informed net", lambda rng: (rng.uniform(-1, 1, size=[2000, 2]).astype("f"),))
def physics_informed(tf):
    """Burgers' equation: second derivatives of a net of 4 layers of 20, on 2,000 points."""
    points = tf.placeholder(tf.float32, [None, 2])
    x, t = points[:, :1], points[:, 1:]
    u = tf.concat([x, t], 1)
    for _ in range(4):
        u = tf.layers.dense(u, 20, activation=tf.tanh)
    u = tf.layers.dense(u, 1)
    u_x, u_t = tf.gradients(u, x)[0], tf.gradients(u, t)[0]
    u_xx = tf.gradients(u_x, x)[0]
    loss = tf.reduce_mean(tf.square(u_t + u * u_x - (0.01 / np.pi) * u_xx))
    return (points,), adam(tf, loss)
