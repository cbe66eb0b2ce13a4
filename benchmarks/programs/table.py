"""What a program of the benchmarks is."""

PROGRAMS = {}


class Program:
    """A training step, or what else is run again and again.

    Args:
      record: `record(tf)` builds the graph. It returns the placeholders and the fetches, of which
        the last is the loss; or `step(session, *batch)`, which returns a number.
      batch: `batch(rng)` gives the arrays that a step is fed.
    """

    def __init__(self, record, batch):
        self.record, self.batch = record, batch

    def stepper(self, tf, session, recorded):
        """`step(*batch)` of what `record` returned in the session's graph: a step, and its loss."""
        if callable(recorded):
            return lambda *batch: float(recorded(session, *batch))
        placeholders, fetches = recorded

        def step(*batch):
            return float(session.run(fetches, dict(zip(placeholders, batch)))[-1])

        return step


def program(name, batch):
    """Puts a `record` function into the table."""

    def put(record):
        PROGRAMS[name] = Program(record, batch)
        return record

    return put


def labelled(*shape, classes=10):
    """Batches of images (or the like) with a class each."""

    def batch(rng):
        images = rng.uniform(size=shape).astype("float32")
        return images, rng.randint(classes, size=shape[0]).astype("int32")

    return batch


def adam(tf, loss, rate=1e-3, **kwargs):
    """Fetches of a training step by Adam, after what batch normalisation updates."""
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        return [tf.train.AdamOptimizer(rate).minimize(loss, **kwargs), loss]
