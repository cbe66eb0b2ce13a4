import threading

import numpy as np

from by_hand.parts import adam, by_hand, cross_entropy, dense_weights, mlp, training


def classifier(*sizes):
    return training(dense_weights(*sizes), lambda p, x, y: cross_entropy(mlp(p, x), y), adam())


@by_hand("tf.data")
def pipeline():
    """The data are picked from a shuffled epoch by NumPy."""
    rng = np.random.RandomState(0)
    x, y = rng.uniform(size=[2048, 64]).astype("f"), rng.randint(10, size=2048).astype("i")
    train = classifier(64, 64, 10)

    def batches():
        while True:
            for places in rng.permutation(2048).reshape(-1, 64):
                yield (x[places] - 0.5) * 2.0, y[places]

    coming = batches()

    def step():
        return train(*next(coming))

    step.parameters = train.parameters
    return step


@by_hand("Keras fit")
def epoch():
    train = classifier(64, 128, 10)

    def step(x, y):
        return np.mean([train(x[i : i + 32], y[i : i + 32]) for i in range(0, len(x), 32)])

    step.parameters = train.parameters
    return step


@by_hand("8 threads")
def threads():
    rng = np.random.RandomState(0)
    x, y = rng.uniform(size=[32, 64]).astype("f"), rng.randint(10, size=32).astype("i")
    train = classifier(64, 64, 10)
    lock = threading.Lock()

    def step():
        def work():
            for _ in range(20):
                with lock:
                    train(x, y)

        workers = [threading.Thread(target=work) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return train(x, y)

    step.parameters = train.parameters
    return step
