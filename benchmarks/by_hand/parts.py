"""What the hand-written programs are made of.

Parameters are trees of arrays; a step is jitted, its state is donated.
"""

import jax
import jax.numpy as jnp
import numpy as np

STEPS = {}


def by_hand(name):
    """Puts a function into the table that returns `step(*batch)`, a step and its loss."""

    def put(make):
        STEPS[name] = make
        return make

    return put


_rng = np.random.RandomState(0)


def glorot(*shape):
    limit = (6 / (np.prod(shape[:-2]) * (shape[-1] + (shape[-2] if shape[1:] else 0)))) ** 0.5
    return _rng.uniform(-limit, limit, shape).astype("f")


def normal(*shape, scale=1.0):
    return (scale * _rng.normal(size=shape)).astype("f")


def zeros(*shape):
    return np.zeros(shape, "f")


def dense_weights(*sizes):
    """The weights of dense layers one after the other."""
    return [{"w": glorot(a, b), "b": zeros(b)} for a, b in zip(sizes, sizes[1:])]


def conv_weights(size, inputs, outputs):
    return {"w": glorot(size, size, inputs, outputs), "b": zeros(outputs)}


def dense(p, x):
    return x @ p["w"] + p["b"]


def mlp(layers, x, activation=jax.nn.relu):
    for p in layers[:-1]:
        x = activation(dense(p, x))
    return dense(layers[-1], x)


def conv(w, x, strides=1, groups=1):
    return jax.lax.conv_general_dilated(
        x,
        w,
        (strides, strides),
        "SAME",
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
        feature_group_count=groups,
    )


def conv_transpose(w, x, strides):
    return jax.lax.conv_transpose(x, w, (strides, strides), "SAME")


def max_pool(x, size, strides):
    return jax.lax.reduce_window(
        x, -jnp.inf, jax.lax.max, (1, size, size, 1), (1, strides, strides, 1), "SAME"
    )


class BatchNorm:
    """Batch normalisation; the moving averages are the state of a step.

    `bn(p, x)` is called in the same order in every step: `new` collects the averages.
    """

    def __init__(self, moving, training=True, epsilon=1e-3):
        self._moving, self._training, self._epsilon = iter(moving), training, epsilon
        self.new = []

    def __call__(self, p, x):
        mean, variance = next(self._moving)
        if self._training:
            before = mean, variance
            mean = x.mean(range(x.ndim - 1))
            variance = (x * x).mean(range(x.ndim - 1)) - mean * mean
            batch = mean, variance
            self.new.append(tuple(0.99 * a + 0.01 * b for a, b in zip(before, batch)))
        scale = p["gain"] * jax.lax.rsqrt(variance + self._epsilon)
        return x * scale + (p["shift"] - mean * scale)


def norm_weights(size):
    return {"gain": np.ones(size, "f"), "shift": zeros(size)}


def moving(sizes):
    return [(zeros(n), np.ones(n, "f")) for n in sizes]


def layer_norm(p, x):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-6) * p["gain"] + p["shift"]


def cross_entropy(logits, labels):
    picked = jnp.take_along_axis(logits, labels[..., None], axis=-1)[..., 0]
    return jnp.mean(jax.scipy.special.logsumexp(logits, axis=-1) - picked)


def sigmoid_cross_entropy(logits, labels):
    return jnp.mean(jnp.maximum(logits, 0) - logits * labels + jnp.log1p(jnp.exp(-abs(logits))))


def adam(rate=1e-3, beta=0.9):
    """Adam: `init(params)` is its state, `update(gradients, state, params)` gives both anew."""

    def init(params):
        return jax.tree.map(np.zeros_like, params), jax.tree.map(np.zeros_like, params), zeros()

    def update(gradients, state, params):
        first, second, count = state
        count += 1
        first = jax.tree.map(lambda m, g: beta * m + (1 - beta) * g, first, gradients)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)
        step = rate * jnp.sqrt(1 - 0.999**count) / (1 - beta**count)
        params = jax.tree.map(
            lambda p, m, v: p - step * m / (jnp.sqrt(v) + 1e-8), params, first, second
        )
        return params, (first, second, count)

    return init, update


def sgd(rate):
    def update(gradients, state, params):
        return jax.tree.map(lambda p, g: p - rate * g, params, gradients), state

    return lambda params: (), update


def clipped(optimizer, most=5.0):
    init, update = optimizer

    def clip(gradients, state, params):
        norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
        scale = most / jnp.maximum(norm, most)
        return update(jax.tree.map(lambda g: g * scale, gradients), state, params)

    return init, clip


def running(update, state, parameters=None):
    """`step(*batch)` of `update(state, *batch)`, which returns the new state and the loss."""
    compiled = jax.jit(update, donate_argnums=0)
    held = [jax.device_put(state)]

    def step(*batch):
        held[0], loss = compiled(held[0], *batch)
        return float(loss)

    step.parameters = sum(p.size for p in jax.tree.leaves(parameters))
    return step


def training(params, loss_of, optimizer, state=None):
    """A step that trains `params`.

    Args:
      params: a tree of arrays.
      loss_of: `loss_of(params, *batch)`; with a `state`, `loss_of(params, state, *batch)` returns
        the loss and the state anew.
      optimizer: `adam(…)` and the like.
      state: what else goes from step to step.
    """
    init, update = optimizer

    def step(held, *batch):
        params, moments, state = held
        if state is None:
            loss, gradients = jax.value_and_grad(loss_of)(params, *batch)
        else:
            value = jax.value_and_grad(loss_of, has_aux=True)
            (loss, state), gradients = value(params, state, *batch)
        params, moments = update(gradients, moments, params)
        return (params, moments, state), loss

    return running(step, (params, init(params), state), params)
