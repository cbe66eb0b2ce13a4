"""Steps that touch a few rows of large tables."""

from programs.table import program

HEIGHT = 50000


def pairs(rng):
    return rng.randint(HEIGHT, size=256).astype("i"), rng.randint(HEIGHT, size=[256, 1])


def word2vec(tf, loss_of):
    """Two tables of 50,000 x 128, batches of 256, 64 sampled words."""
    words = tf.placeholder(tf.int32, [256])
    labels = tf.placeholder(tf.int64, [256, 1])
    table = tf.Variable(tf.random_uniform([HEIGHT, 128], -1.0, 1.0))
    weights = tf.Variable(tf.truncated_normal([HEIGHT, 128], stddev=128**-0.5))
    biases = tf.Variable(tf.zeros([HEIGHT]))
    rows = tf.nn.embedding_lookup(table, words)
    loss = tf.reduce_mean(loss_of(weights, biases, labels, rows, 64, HEIGHT))
    return (words, labels), [tf.train.GradientDescentOptimizer(1.0).minimize(loss), loss]


@program("word2vec, NCE", pairs)
def nce(tf):
    return word2vec(tf, tf.nn.nce_loss)


@program("word2vec, sampled softmax", pairs)
def sampled_softmax(tf):
    return word2vec(tf, tf.nn.sampled_softmax_loss)


def embedding(height):
    """A table of 32 columns trained by Adam, which moves all rows, on 64 ids that differ."""

    def record(tf):
        ids = tf.placeholder(tf.int64, [64])
        table = tf.get_variable("table", [height, 32])
        loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(table, ids) - 1.0))
        return (ids,), [tf.train.AdamOptimizer(0.01).minimize(loss), loss]

    return record


def ids_below(height):
    return lambda rng: (rng.randint(height, size=64),)


for _height in (2000, 20000, 200000):
    program("embedding, %s rows" % format(_height, ","), ids_below(_height))(embedding(_height))
