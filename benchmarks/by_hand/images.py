import jax
import jax.numpy as jnp

from by_hand.parts import (
    BatchNorm,
    adam,
    by_hand,
    conv,
    conv_transpose,
    conv_weights,
    cross_entropy,
    dense,
    dense_weights,
    glorot,
    max_pool,
    moving,
    norm_weights,
    running,
    sigmoid_cross_entropy,
    training,
)


def biased(p, x, strides=1):
    return conv(p["w"], x, strides) + p["b"]


@by_hand("CNN")
def cnn():
    params = {
        "convs": [conv_weights(5, 1, 32), conv_weights(5, 32, 64)],
        "dense": dense_weights(7 * 7 * 64, 128, 10),
    }

    def loss_of(params, x, y):
        for p in params["convs"]:
            x = max_pool(jax.nn.relu(biased(p, x)), 2, 2)
        hidden, out = params["dense"]
        x = jax.nn.relu(dense(hidden, x.reshape(len(x), -1)))
        return cross_entropy(dense(out, x), y)

    return training(params, loss_of, adam())


def normed(size, inputs, outputs, groups=1):
    return {"w": glorot(size, size, inputs // groups, outputs), "norm": norm_weights(outputs)}


def conv_norm(bn, p, x, strides=1, relu=True, groups=1):
    x = bn(p["norm"], conv(p["w"], x, strides, groups))
    return jax.nn.relu(x) if relu else x


def normalised(params, sizes, logits_of):
    """Training of a net with batch normalisation: `logits_of(params, bn, x)`."""

    def loss_of(params, state, x, y):
        bn = BatchNorm(state)
        loss = cross_entropy(logits_of(params, bn, x), y)
        return loss, bn.new

    return training(params, loss_of, adam(), moving(sizes))


@by_hand("ResNet")
def resnet():
    blocks, sizes, inputs = [], [16], 16
    for filters in (16, 32, 64):
        for _ in range(2):
            block = {}
            if inputs != filters:
                block["short"] = normed(1, inputs, filters)
                sizes.append(filters)
            block["a"], block["b"] = normed(3, inputs, filters), normed(3, filters, filters)
            sizes += [filters] * 2
            inputs = filters
            blocks.append(block)
    params = {"first": normed(3, 3, 16), "blocks": blocks, "out": dense_weights(64, 10)}

    def logits_of(params, bn, x):
        x = conv_norm(bn, params["first"], x)
        for block in params["blocks"]:
            strides = 2 if "short" in block else 1
            short = conv_norm(bn, block["short"], x, 2, relu=False) if strides == 2 else x
            inner = conv_norm(bn, block["a"], x, strides)
            x = jax.nn.relu(short + conv_norm(bn, block["b"], inner, relu=False))
        return dense(params["out"][0], x.mean((1, 2)))

    return normalised(params, sizes, logits_of)


@by_hand("depthwise blocks")
def depthwise():
    shapes = [(32, 64, 1), (64, 128, 2), (128, 128, 1), (128, 256, 2)]
    blocks = [
        {"deep": normed(3, inputs, inputs, groups=inputs), "point": normed(1, inputs, filters)}
        for inputs, filters, _ in shapes
    ]
    params = {"first": normed(3, 3, 32), "blocks": blocks, "out": dense_weights(256, 10)}
    sizes = [32] + [n for inputs, filters, _ in shapes for n in (inputs, filters)]

    def logits_of(params, bn, x):
        x = conv_norm(bn, params["first"], x)
        for block, (inputs, _, strides) in zip(params["blocks"], shapes):
            x = conv_norm(bn, block["deep"], x, strides, groups=inputs)
            x = conv_norm(bn, block["point"], x)
        return dense(params["out"][0], x.mean((1, 2)))

    return normalised(params, sizes, logits_of)


@by_hand("DCGAN")
def dcgan():
    generator = {
        "dense": glorot(64, 7 * 7 * 128),
        "norm": norm_weights(7 * 7 * 128),
        "a": normed(5, 128, 64),
        "b": conv_weights(5, 64, 1),
    }
    discriminator = {
        "a": conv_weights(5, 1, 64),
        "b": conv_weights(5, 64, 128),
        "c": dense_weights(7 * 7 * 128, 1),
    }
    init, update = adam(2e-4, 0.5)

    def faked(p, bn, key):
        x = jax.random.normal(key, (32, 64)) @ p["dense"]
        x = jax.nn.relu(bn(p["norm"], x)).reshape(32, 7, 7, 128)
        x = jax.nn.relu(bn(p["a"]["norm"], conv_transpose(p["a"]["w"], x, 2)))
        return jnp.tanh(conv_transpose(p["b"]["w"], x, 2) + p["b"]["b"])

    def judged(p, x):
        for name in "ab":
            x = jax.nn.leaky_relu(biased(p[name], x, 2), 0.2)
        return dense(p["c"][0], x.reshape(len(x), -1))

    def step(held, real):
        (generator, discriminator), (of_generator, of_discriminator), averages, key = held
        key, draw = jax.random.split(key)

        def fake_of(generator):
            bn = BatchNorm(averages)
            return faked(generator, bn, draw), bn.new

        fake, back, averages = jax.vjp(fake_of, generator, has_aux=True)

        def loss_of(discriminator):
            of_fake = sigmoid_cross_entropy(judged(discriminator, fake), 0.0)
            return sigmoid_cross_entropy(judged(discriminator, real), 1.0) + of_fake

        wanted = jax.grad(lambda x: sigmoid_cross_entropy(judged(discriminator, x), 1.0))(fake)
        loss, gradients = jax.value_and_grad(loss_of)(discriminator)
        generator, of_generator = update(back(wanted)[0], of_generator, generator)
        discriminator, of_discriminator = update(gradients, of_discriminator, discriminator)
        nets = generator, discriminator
        return (nets, (of_generator, of_discriminator), averages, key), loss

    nets = generator, discriminator
    moments = init(generator), init(discriminator)
    return running(step, (nets, moments, moving([7 * 7 * 128, 64]), jax.random.key(0)), nets)


@by_hand("U-Net")
def unet():
    def twice_weights(inputs, filters):
        return [conv_weights(3, inputs, filters), conv_weights(3, filters, filters)]

    params = {
        "down": [twice_weights(1, 16), twice_weights(16, 32)],
        "middle": twice_weights(32, 64),
        "up": [
            {"wider": conv_weights(2, 2 * n, n), "convs": twice_weights(2 * n, n)} for n in (32, 16)
        ],
        "out": conv_weights(1, 16, 1),
    }

    def twice(layers, x):
        for p in layers:
            x = jax.nn.relu(biased(p, x))
        return x

    def loss_of(params, x, mask):
        kept = []
        for layers in params["down"]:
            kept.append(twice(layers, x))
            x = max_pool(kept[-1], 2, 2)
        x = twice(params["middle"], x)
        for p in params["up"]:
            x = conv_transpose(p["wider"]["w"], x, 2) + p["wider"]["b"]
            x = twice(p["convs"], jnp.concatenate([kept.pop(), x], 3))
        return sigmoid_cross_entropy(biased(params["out"], x), mask)

    return training(params, loss_of, adam())


GROUPS = [(64, 3, 2), (128, 4, 2), (256, 6, 2), (512, 3, 1)]


def resnet50():
    blocks, sizes, inputs = [], [64], 64
    for filters, count, _ in GROUPS:
        for i in range(count):
            block = {}
            if i == 0:
                block["short"] = normed(1, inputs, 4 * filters)
                sizes.append(4 * filters)
            block["a"], block["b"] = normed(1, inputs, filters), normed(3, filters, filters)
            block["c"] = normed(1, filters, 4 * filters)
            sizes += [filters, filters, 4 * filters]
            inputs = 4 * filters
            blocks.append(block)
    params = {"first": normed(7, 3, 64), "blocks": blocks, "out": dense_weights(2048, 10)}
    strides = [s if i == n - 1 else 1 for _, n, s in GROUPS for i in range(n)]

    def logits_of(params, bn, x):
        x = max_pool(conv_norm(bn, params["first"], x, 2), 3, 2)
        for block, stride in zip(params["blocks"], strides):
            if "short" in block:
                short = conv_norm(bn, block["short"], x, stride, relu=False)
            else:
                short = x[:, ::stride, ::stride]
            inner = conv_norm(bn, block["b"], conv_norm(bn, block["a"], x), stride)
            x = jax.nn.relu(short + conv_norm(bn, block["c"], inner, relu=False))
        return dense(params["out"][0], x.mean((1, 2)))

    return params, sizes, logits_of


@by_hand("ResNet-50, training")
def resnet50_training():
    return normalised(*resnet50())


@by_hand("ResNet-50, forward")
def resnet50_forward():
    params, sizes, logits_of = resnet50()

    @jax.jit
    def loss_of(params, averages, x, y):
        bn = BatchNorm(averages, training=False, epsilon=1e-5)
        return cross_entropy(logits_of(params, bn, x), y)

    held = jax.device_put((params, moving(sizes)))

    def step(x, y):
        return float(loss_of(*held, x, y))

    step.parameters = sum(p.size for p in jax.tree.leaves(params))
    return step
