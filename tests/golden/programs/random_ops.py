"""Random ops with graph seeds, op seeds, both and neither; every draw three times in a session."""

CASES = {"seeded": {"seed": 61}, "zero": {"seed": 0}, "op_seeds": {"seed": None}}


def build(tf, seed):
    if seed is not None:
        tf.set_random_seed(seed)
        some = None  # the op's own seed comes from the number of ops before it
    else:
        some = 5
    ones = tf.ones([3, 4])
    draws = {
        "uniform": tf.random_uniform([5], seed=some),
        "uniform_seeded": tf.random_uniform([5], -2.0, 3.0, seed=7),
        "uniform_double": tf.random_uniform([3], dtype=tf.float64, seed=some),
        "uniform_half": tf.random_uniform([3], dtype=tf.float16, seed=some),
        "uniform_int": tf.random_uniform([7], 0, 10, dtype=tf.int32, seed=some),
        "uniform_int64": tf.random_uniform([3], -5, 10**12, dtype=tf.int64, seed=some),
        "normal": tf.random_normal([3, 3], seed=some),
        "normal_seeded": tf.random_normal([3], 1.0, 2.0, seed=11),
        "normal_double": tf.random.normal([3], dtype=tf.float64, seed=some),
        "truncated": tf.truncated_normal([40], seed=some),
        "truncated_seeded": tf.truncated_normal([3], 2.0, 0.5, seed=13),
        "dropout": tf.nn.dropout(ones, 0.6, seed=some),
        "dropout_rate": tf.nn.dropout(ones, rate=0.3, seed=17),
        "dropout_noise_shape": tf.nn.dropout(ones, 0.5, noise_shape=[3, 1], seed=some),
        "layer": tf.layers.dropout(ones, 0.5, training=True, seed=some),
        "shuffle": tf.random_shuffle(tf.range(8), seed=some),
        "multinomial": tf.multinomial(tf.log([[0.1, 0.2, 0.7], [0.5, 0.4, 0.1]]), 6, seed=some),
        "crop": tf.random_crop(tf.reshape(tf.range(25), [5, 5]), [2, 3], seed=some),
        "gamma": tf.random_gamma([3], 2.0, seed=some),
        "poisson": tf.random_poisson(3.0, [4], seed=some),
        "large": tf.random_normal([1000], seed=some),
        "same_a": tf.random_uniform([2], seed=19),
        "same_b": tf.random_uniform([2], seed=19),
        "dynamic": tf.random_uniform(tf.shape(ones)[:1] + 1, seed=some),
    }
    draws["noise"] = draws["normal"] * 0.1 + tf.random_uniform([], seed=some)
    return {"draws": draws}
