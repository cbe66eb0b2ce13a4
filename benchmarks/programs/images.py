"""Convolutional nets."""

from programs.table import adam, labelled, program


def inputs(tf, size, channels):
    x = tf.placeholder(tf.float32, [None, size, size, channels])
    return x, tf.placeholder(tf.int32, [None])


def classified(tf, x, y, logits):
    return (x, y), adam(tf, tf.losses.sparse_softmax_cross_entropy(y, logits))


@program("CNN", labelled(64, 28, 28, 1))
def cnn(tf):
    x, y = inputs(tf, 28, 1)
    net = tf.layers.conv2d(x, 32, 5, padding="same", activation=tf.nn.relu)
    net = tf.layers.max_pooling2d(net, 2, 2)
    net = tf.layers.conv2d(net, 64, 5, padding="same", activation=tf.nn.relu)
    net = tf.layers.max_pooling2d(net, 2, 2)
    net = tf.layers.dense(tf.layers.flatten(net), 128, activation=tf.nn.relu)
    return classified(tf, x, y, tf.layers.dense(net, 10))


def conv_norm(tf, x, filters, size, strides=1, relu=True, conv=None):
    conv = conv or tf.layers.conv2d
    net = conv(x, filters, size, strides=strides, padding="same", use_bias=False)
    net = tf.layers.batch_normalization(net, training=True)
    return tf.nn.relu(net) if relu else net


@program("ResNet", labelled(64, 32, 32, 3))
def resnet(tf):
    """6 blocks of two 3x3 convolutions, 16, 32 and 64 channels."""
    x, y = inputs(tf, 32, 3)
    net = conv_norm(tf, x, 16, 3)
    for filters in (16, 32, 64):
        for block in range(2):
            strides = 2 if filters > 16 and block == 0 else 1
            short = conv_norm(tf, net, filters, 1, strides, relu=False) if strides > 1 else net
            inner = conv_norm(tf, net, filters, 3, strides)
            net = tf.nn.relu(short + conv_norm(tf, inner, filters, 3, relu=False))
    return classified(tf, x, y, tf.layers.dense(tf.reduce_mean(net, [1, 2]), 10))


@program("depthwise blocks", labelled(32, 32, 32, 3))
def depthwise(tf):
    """4 of MobileNet's blocks: a depthwise and a 1x1 convolution, each normalised."""
    x, y = inputs(tf, 32, 3)
    net = conv_norm(tf, x, 32, 3)
    for i, (filters, stride) in enumerate([(64, 1), (128, 2), (128, 1), (256, 2)]):
        shape = [3, 3, int(net.shape[3]), 1]
        kernel = tf.get_variable("depthwise%d" % i, shape, initializer=glorot(tf, shape))
        net = tf.nn.depthwise_conv2d(net, kernel, [1, stride, stride, 1], "SAME")
        net = tf.nn.relu(tf.layers.batch_normalization(net, training=True))
        net = conv_norm(tf, net, filters, 1)
    return classified(tf, x, y, tf.layers.dense(tf.reduce_mean(net, [1, 2]), 10))


def glorot(tf, shape):
    return tf.random_uniform_initializer(
        *[s * (6.0 / (9 * sum(shape[2:]))) ** 0.5 for s in (-1, 1)]
    )


@program("DCGAN", lambda rng: (rng.uniform(-1, 1, size=[32, 28, 28, 1]).astype("f"),))
def dcgan(tf):
    """A step of the discriminator and one of the generator, with transposed convolutions."""
    real = tf.placeholder(tf.float32, [32, 28, 28, 1])
    with tf.variable_scope("generator"):
        net = tf.layers.dense(tf.random_normal([32, 64]), 7 * 7 * 128, use_bias=False)
        net = tf.nn.relu(tf.layers.batch_normalization(net, training=True))
        net = tf.reshape(net, [32, 7, 7, 128])
        net = conv_norm(tf, net, 64, 5, 2, conv=tf.layers.conv2d_transpose)
        fake = tf.layers.conv2d_transpose(net, 1, 5, 2, "same", activation=tf.tanh)

    def judged(images):
        with tf.variable_scope("discriminator", reuse=tf.AUTO_REUSE):
            net = tf.layers.conv2d(images, 64, 5, 2, "same", activation=tf.nn.leaky_relu, name="a")
            net = tf.layers.conv2d(net, 128, 5, 2, "same", activation=tf.nn.leaky_relu, name="b")
            return tf.layers.dense(tf.layers.flatten(net), 1, name="c")

    def loss_of(logits, label):
        return tf.losses.sigmoid_cross_entropy(tf.fill([32, 1], label), logits)

    of_fake = judged(fake)
    loss = loss_of(judged(real), 1.0) + loss_of(of_fake, 0.0)
    discriminator = tf.train.AdamOptimizer(2e-4, 0.5).minimize(
        loss, var_list=tf.trainable_variables("discriminator")
    )
    generator = tf.train.AdamOptimizer(2e-4, 0.5).minimize(
        loss_of(of_fake, 1.0), var_list=tf.trainable_variables("generator")
    )
    return (real,), [discriminator, generator, tf.get_collection(tf.GraphKeys.UPDATE_OPS), loss]


def masked(rng):
    images = rng.uniform(size=[4, 64, 64, 1]).astype("f")
    return images, (images > 0.5).astype("f")


@program("U-Net", masked)
def unet(tf):
    """3 levels of 16, 32 and 64 channels on images of 64 x 64."""
    x, mask = (tf.placeholder(tf.float32, [None, 64, 64, 1]) for _ in range(2))

    def twice(net, filters):
        for _ in range(2):
            net = tf.layers.conv2d(net, filters, 3, padding="same", activation=tf.nn.relu)
        return net

    net, kept = x, []
    for filters in (16, 32):
        kept.append(twice(net, filters))
        net = tf.layers.max_pooling2d(kept[-1], 2, 2)
    net = twice(net, 64)
    for filters in (32, 16):
        net = tf.layers.conv2d_transpose(net, filters, 2, 2)
        net = twice(tf.concat([kept.pop(), net], 3), filters)
    logits = tf.layers.conv2d(net, 1, 1)
    return (x, mask), adam(tf, tf.losses.sigmoid_cross_entropy(mask, logits))


def resnet50(tf, x, training):
    """ResNet-50 as slim has it: the stride is in the last block of a group but one's."""

    def conv(net, filters, size, strides=1, relu=True):
        net = tf.layers.conv2d(net, filters, size, strides, "same", use_bias=False)
        net = tf.layers.batch_normalization(net, training=training, epsilon=1e-5)
        return tf.nn.relu(net) if relu else net

    net = tf.layers.max_pooling2d(conv(x, 64, 7, 2), 3, 2, "same")
    for filters, blocks, last_stride in [(64, 3, 2), (128, 4, 2), (256, 6, 2), (512, 3, 1)]:
        for block in range(blocks):
            strides = last_stride if block == blocks - 1 else 1
            if block == 0:
                short = conv(net, 4 * filters, 1, strides, relu=False)
            else:
                short = net if strides == 1 else tf.layers.max_pooling2d(net, 1, strides)
            inner = conv(conv(net, filters, 1), filters, 3, strides)
            net = tf.nn.relu(short + conv(inner, 4 * filters, 1, relu=False))
    return tf.layers.dense(tf.reduce_mean(net, [1, 2]), 10)


@program("ResNet-50, forward", labelled(4, 64, 64, 3))
def resnet50_forward(tf):
    x, y = inputs(tf, 64, 3)
    loss = tf.losses.sparse_softmax_cross_entropy(y, resnet50(tf, x, False))
    return (x, y), [loss]


@program("ResNet-50, training", labelled(4, 64, 64, 3))
def resnet50_training(tf):
    x, y = inputs(tf, 64, 3)
    return classified(tf, x, y, resnet50(tf, x, True))
