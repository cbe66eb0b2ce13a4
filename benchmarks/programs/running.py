"""Programs with something around the step: input pipelines, Keras, threads."""

import threading

import numpy as np

from programs.table import adam, labelled, program


@program("tf.data", lambda rng: ())
def pipeline(tf):
    """Shuffled, mapped, batched; read by a training step."""
    rng = np.random.RandomState(0)
    data = rng.uniform(size=[2048, 64]).astype("f"), rng.randint(10, size=2048).astype("i")
    dataset = tf.data.Dataset.from_tensor_slices(data).shuffle(2048, seed=1).repeat()
    dataset = dataset.map(lambda x, y: ((x - 0.5) * 2.0, y)).batch(64).prefetch(1)
    x, y = tf.data.make_one_shot_iterator(dataset).get_next()
    net = tf.layers.dense(tf.reshape(x, [-1, 64]), 64, activation=tf.nn.relu)
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(net, 10))
    return (), adam(tf, loss)


@program("Keras fit", labelled(1024, 64))
def keras_fit(tf):
    """An epoch of 32 batches."""
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Dense(128, activation="relu", input_shape=(64,)),
            tf.keras.layers.Dense(10, activation="softmax"),
        ]
    )
    model.compile(tf.keras.optimizers.Adam(), "sparse_categorical_crossentropy")

    def step(session, x, y):
        tf.keras.backend.set_session(session)
        return model.fit(x, y, 32, verbose=0, shuffle=False).history["loss"][0]

    return step


@program("8 threads", lambda rng: ())
def threads(tf):
    """8 threads that call `run` 20 times each: a net is trained by some and read by others."""
    rng = np.random.RandomState(0)
    x, y = tf.placeholder(tf.float32, [None, 64]), tf.placeholder(tf.int32, [None])
    net = tf.layers.dense(x, 64, activation=tf.nn.relu)
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(net, 10))
    train, _ = adam(tf, loss)
    fed = {x: rng.uniform(size=[32, 64]).astype("f"), y: rng.randint(10, size=32).astype("i")}

    def step(session):
        def work(fetch):
            for _ in range(20):
                session.run(fetch, fed)

        workers = [threading.Thread(target=work, args=([train, loss][i % 2],)) for i in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return 0.0  # The loss hangs on who came first.

    return step
