"""How layers are written in JAX, and the functions that what is written may call."""

from __future__ import annotations

import numpy as np

from tf1compat.migrate.source_call import Call, Several, Written
from tf1compat.migrate.source_ops import Writer, binary
from tf1compat.migrate.source_sparse import SPARSE_HELPERS
from tf1compat.migrate.source_text import SUM, Expr, grouped


def _conv2d(call: Call) -> Expr:
    strides, dilations = (_of_pixels(call, name) for name in ("strides", "dilations"))
    more = "" if dilations == (1, 1) else f", {dilations}"
    more += _layout(call)
    return Expr(f"conv({call.inside(0)}, {call.inside(1)}, {strides}, {_padding(call)}{more})")


def _is_channels_first(call: Call) -> bool:
    if call.attr("data_format") not in (b"NHWC", b"NCHW"):
        call.refuse("with such a layout")
    return call.attr("data_format") == b"NCHW"


def _of_pixels(call: Call, name: str) -> tuple[int, ...]:
    """What an attr says of rows and columns."""
    return tuple(call.attr(name)[2:4] if _is_channels_first(call) else call.attr(name)[1:3])


def _layout(call: Call) -> str:
    return ', layout="NCHW"' if _is_channels_first(call) else ""


def _max_pool(call: Call) -> Expr:
    _is_channels_first(call)
    sizes, strides = (tuple(call.attr(name)) for name in ("ksize", "strides"))
    return Expr(f"max_pool({call.inside(0)}, {sizes}, {strides}, {_padding(call)})")


def _channels_last(call: Call) -> None:
    if call.attr("data_format") != b"NHWC":
        call.refuse("with channels first")


def _padding(call: Call) -> str:
    padding = call.attr("padding").decode()
    if padding not in ("SAME", "VALID"):
        call.refuse("with explicit padding")
    return f'"{padding}"'


def _bias_add(call: Call) -> Expr:
    if not _is_channels_first(call):
        return binary("+", SUM)(call)
    x, bias = (grouped(arg, SUM + i) for i, arg in enumerate(call.args))
    return Expr(f"{x} + {bias}[:{', None' * (call.rank(0) - 2)}]", SUM)


def _batch_norm(call: Call) -> Written:
    first = _is_channels_first(call)
    args = [arg.text for arg in call.args]
    scale = call.known[1]
    if scale is not None and np.all(scale == 1) and (call.attr("is_training") or not first):
        args[1] = "1.0"
    epsilon = str(np.float32(call.attr("epsilon")))
    if not call.attr("is_training"):
        given = [args[0], *(f"{arg}[:, None, None]" if first else arg for arg in args[1:])]
        return [Expr(f"batch_norm({', '.join([*given, epsilon])})"), *call.args[3:5]]
    name = "batch_norm_nchw" if first else "batch_norm_in_training"
    return Several(f"{name}({', '.join([*args[:3], epsilon])})", 3)


def _cross_entropy(call: Call) -> list[Expr]:
    name = _CROSS_ENTROPIES[call.op.type]
    return [Expr(f"{name}({call.inside(0)}, {call.inside(1)})")]


_CROSS_ENTROPIES = {
    "SparseSoftmaxCrossEntropyWithLogits": "cross_entropy",
    "SoftmaxCrossEntropyWithLogits": "cross_entropy_of_shares",
}


def _depthwise(call: Call) -> Expr:
    strides, more = _of_pixels(call, "strides"), _layout(call)
    return Expr(
        f"depthwise_conv({call.inside(0)}, {call.inside(1)}, {strides}, {_padding(call)}{more})"
    )


def _conv_transpose(call: Call) -> Expr:
    if tuple(call.attr("dilations")) != (1, 1, 1, 1):
        call.refuse("with dilations")
    strides, more = _of_pixels(call, "strides"), _layout(call)
    return Expr(
        f"conv_transpose({call.inside(2)}, {call.inside(1)}, {call.shape(0)}, {strides}, "
        f"{_padding(call)}{more})"
    )


def _average_pool(call: Call) -> Expr:
    _is_channels_first(call)
    sizes, strides = (tuple(call.attr(name)) for name in ("ksize", "strides"))
    return Expr(f"average_pool({call.inside(0)}, {sizes}, {strides}, {_padding(call)})")


def _resize(name: str) -> Writer:
    def write(call: Call) -> Expr:
        if call.attr("align_corners") or call.attr("half_pixel_centers"):
            call.refuse("with align_corners or half_pixel_centers")
        return Expr(f"{name}({call.inside(0)}, {call.shape(1)})")

    return write


def _space_depth(name: str) -> Writer:
    def write(call: Call) -> Expr:
        _channels_last(call)
        return Expr(f"{name}({call.inside(0)}, {call.attr('block_size')})")

    return write


def _ctc_loss(call: Call) -> list[Expr]:
    if call.attr("preprocess_collapse_repeated") or not call.attr("ctc_merge_repeated"):
        call.refuse("with labels collapsed or repetitions not merged")
    more = ", ignore_longer=True" if call.attr("ignore_longer_outputs_than_inputs") else ""
    args = ", ".join(call.inside(i) for i in range(4))
    return [Expr(f"ctc_loss({args}{more})")]


LAYERS: dict[str, Writer] = {
    "BiasAdd": _bias_add,
    "Conv2D": _conv2d,
    "Conv2DBackpropInput": _conv_transpose,
    "DepthwiseConv2dNative": _depthwise,
    "MaxPool": _max_pool,
    "AvgPool": _average_pool,
    "FusedBatchNorm": _batch_norm,
    "FusedBatchNormV3": _batch_norm,
    "SparseSoftmaxCrossEntropyWithLogits": _cross_entropy,
    "SoftmaxCrossEntropyWithLogits": _cross_entropy,
    "ReverseSequence": lambda call: Expr(
        f"reverse_sequence({call.inside(0)}, {call.inside(1)}, {call.attr('seq_dim')}, "
        f"{call.attr('batch_dim')})"
    ),
    "CTCLoss": _ctc_loss,
    "ComputeAccidentalHits": lambda call: Several(
        f"accidental_hits({call.inside(0)}, {call.inside(1)})", 3
    ),
    "L2Loss": lambda call: Expr(f"l2_loss({call.inside(0)})"),
    "ResizeNearestNeighbor": _resize("resize_nearest"),
    "ResizeBilinear": _resize("resize_bilinear"),
    "DepthToSpace": _space_depth("depth_to_space"),
    "SpaceToDepth": _space_depth("space_to_depth"),
}

# Functions that what is written may call; a module gets those that it does.
HELPERS = {
    **SPARSE_HELPERS,
    "conv": '''def conv(x, kernel, strides, padding, dilations=(1, 1), layout="NHWC"):
    """A convolution of images."""
    layouts = (layout, "HWIO", layout)
    return lax.conv_general_dilated(
        x, kernel, strides, padding, rhs_dilation=dilations, dimension_numbers=layouts
    )''',
    "max_pool": '''def max_pool(x, sizes, strides, padding):
    """The largest element of each window."""
    return lax.reduce_window(x, -jnp.inf, lax.max, sizes, strides, padding)''',
    "cross_entropy": '''def cross_entropy(logits, labels):
    """The cross entropy of each row with its label."""
    log_shares = jax.nn.log_softmax(logits)
    return -jnp.take_along_axis(log_shares, labels[..., None], axis=-1)[..., 0]''',
    "cross_entropy_of_shares": '''def cross_entropy_of_shares(logits, labels):
    """The cross entropy of each row with shares, whose sum its slope takes for 1."""
    logits = logits - lax.stop_gradient(jnp.max(logits, axis=-1, keepdims=True))
    total = jax.nn.logsumexp(logits, axis=-1)
    more = (jnp.sum(labels, axis=-1) - 1) * lax.stop_gradient(total)
    return total + more - jnp.sum(labels * logits, axis=-1)''',
    "batch_norm": '''def batch_norm(x, scale, offset, mean, variance, epsilon):
    """Normalizes with moments that are given; TensorFlow takes them for constants."""
    mean, variance = lax.stop_gradient((mean, variance))
    return (x - mean) * lax.rsqrt(variance + epsilon) * scale + offset''',
    "batch_norm_in_training": '''def batch_norm_in_training(x, scale, offset, epsilon):
    """Normalizes with the moments of the batch, and gives these (the variance without bias)."""
    mean = jnp.mean(x, axis=(0, 1, 2))
    variance = jnp.mean(jnp.square(x - mean), axis=(0, 1, 2))
    count = x.size // x.shape[-1]
    y = (x - mean) * lax.rsqrt(variance + epsilon) * scale + offset
    return y, mean, variance * count / max(count - 1, 1)''',
    "batch_norm_nchw": '''def batch_norm_nchw(x, *others):
    """`batch_norm_in_training` with channels first."""
    y, mean, variance = batch_norm_in_training(jnp.moveaxis(x, 1, -1), *others)
    return jnp.moveaxis(y, -1, 1), mean, variance''',
    "conv_transpose": '''def conv_transpose(x, kernel, shape, strides, padding, layout="NHWC"):
    """The transpose of `conv`: images of a shape."""

    def forward(y):
        return conv(y, kernel, strides, padding, layout=layout)

    images = jax.ShapeDtypeStruct(shape, x.dtype)
    return jax.linear_transpose(forward, images)(x)[0]''',
    "depthwise_conv": '''def depthwise_conv(x, kernel, strides, padding, layout="NHWC"):
    """A convolution of each channel by itself."""
    height, width, channels, multiplier = kernel.shape
    return lax.conv_general_dilated(
        x,
        kernel.reshape((height, width, 1, channels * multiplier)),
        strides,
        padding,
        dimension_numbers=(layout, "HWIO", layout),
        feature_group_count=channels,
    )''',
    "average_pool": '''def average_pool(x, sizes, strides, padding):
    """The mean of each window, without what lies outside of the image."""
    total = lax.reduce_window(x, 0.0, lax.add, sizes, strides, padding)
    return total / lax.reduce_window(jnp.ones_like(x), 0.0, lax.add, sizes, strides, padding)''',
    "resize_nearest": '''def resize_nearest(images, size):
    """Images of another size, each pixel that of its upper left corner."""
    rows, columns = (
        jnp.arange(new) * old // new for new, old in zip(size, images.shape[1:3], strict=True)
    )
    return images[:, rows][:, :, columns]''',
    "resize_bilinear": '''def resize_bilinear(images, size):
    """Images of another size, as TensorFlow 1 interpolates: from the upper left corners."""
    for axis, new in zip((1, 2), size, strict=True):
        old = images.shape[axis]
        at = jnp.arange(new) * (old / new)
        low = jnp.floor(at).astype(jnp.int32)
        share = (at - low).reshape((new, 1, 1) if axis == 1 else (new, 1))
        high = jnp.minimum(low + 1, old - 1)
        below, above = jnp.take(images, low, axis), jnp.take(images, high, axis)
        images = below + (above - below) * share
    return images''',
    "depth_to_space": '''def depth_to_space(x, size):
    """Channels as blocks of pixels."""
    batch, height, width, channels = x.shape
    x = x.reshape((batch, height, width, size, size, channels // size**2))
    x = jnp.transpose(x, (0, 1, 3, 2, 4, 5))
    return x.reshape((batch, height * size, width * size, channels // size**2))''',
    "space_to_depth": '''def space_to_depth(x, size):
    """Blocks of pixels as channels."""
    batch, height, width, channels = x.shape
    x = x.reshape((batch, height // size, size, width // size, size, channels))
    x = jnp.transpose(x, (0, 1, 3, 2, 4, 5))
    return x.reshape((batch, height // size, width // size, channels * size**2))''',
    "l2_loss": '''def l2_loss(x):
    """Half of the sum of the squares."""
    return jnp.sum(jnp.square(x)) / 2''',
    "ctc_loss": '''def ctc_loss(logits, indices, values, steps, ignore_longer=False):
    """The CTC loss of sparse labels, for each row of logits [time, batch, class], blank last.

    Rows with more labels than steps may be ignored: their loss is 0.
    """
    time, batch, classes = logits.shape
    rows, places = indices.T
    labels = jnp.zeros((batch, min(len(values), time)), jnp.int32)
    labels = labels.at[rows, places].set(values, mode="drop")
    no_label = jnp.ones(labels.shape).at[rows, places].set(0.0, mode="drop")
    no_step = (jnp.arange(time) >= steps[:, None]).astype(jnp.float32)
    loss = optax.ctc_loss(
        jnp.swapaxes(logits, 0, 1), no_step, labels, no_label, blank_id=classes - 1
    )
    if not ignore_longer:
        return loss
    return jnp.where(jnp.zeros(batch, jnp.int32).at[rows].add(1) > steps, 0, loss)''',
    "sparse_matmul": '''def sparse_matmul(places, values, matrix, rows):
    """The product of a sparse matrix, of the values at [row, column], and another matrix."""
    at, columns = places.T
    return jax.ops.segment_sum(values[:, None] * matrix[columns], at, rows)''',
    "reverse_sequence": '''def reverse_sequence(x, lengths, axis, batch_axis):
    """The first elements along an axis from the end, as many as `lengths` says for each row."""
    rows = jnp.moveaxis(x, (batch_axis, axis), (0, 1))
    at = jnp.arange(rows.shape[1])
    at = jnp.where(at < lengths[:, None], lengths[:, None] - 1 - at, at)
    rows = jnp.take_along_axis(rows, at.reshape((*at.shape, *[1] * (x.ndim - 2))), axis=1)
    return jnp.moveaxis(rows, (0, 1), (batch_axis, axis))''',
    "div_no_nan": '''def div_no_nan(x, y):
    """x / y, and 0 where y is 0."""
    return jnp.where(y == 0, 0, x / jnp.where(y == 0, 1, y))''',
    "space_to_batch": '''def space_to_batch(x, block, pads):
    """The elements of each block of x, as batches of their own (SpaceToBatchND)."""
    n = len(block)
    x = jnp.pad(x, ((0, 0), *pads, *((0, 0),) * (x.ndim - n - 1)))
    batch, sizes, rest = x.shape[0], x.shape[1 : n + 1], x.shape[n + 1 :]
    counts = [size // b for size, b in zip(sizes, block, strict=True)]
    x = x.reshape(batch, *(i for pair in zip(counts, block, strict=True) for i in pair), *rest)
    inside, between = range(2, 2 * n + 1, 2), range(1, 2 * n, 2)
    x = jnp.transpose(x, (*inside, 0, *between, *range(2 * n + 1, x.ndim)))
    return x.reshape(batch * math.prod(block), *counts, *rest)''',
    "batch_to_space": '''def batch_to_space(x, block, crops):
    """The elements of each block from the batches that they are in (BatchToSpaceND)."""
    n = len(block)
    sizes, rest = x.shape[1 : n + 1], x.shape[n + 1 :]
    x = x.reshape(*block, -1, *sizes, *rest)
    axes = (i for pair in zip(range(n + 1, 2 * n + 1), range(n), strict=True) for i in pair)
    x = jnp.transpose(x, (n, *axes, *range(2 * n + 1, x.ndim)))
    whole = [size * b for size, b in zip(sizes, block, strict=True)]
    x = x.reshape(-1, *whole, *rest)
    parts = (slice(a, size - b) for size, (a, b) in zip(whole, crops, strict=True))
    return x[(slice(None), *parts)]''',
    "room_for": '''def room_for(count, x):
    """Zeros for so many arrays like x."""
    return jnp.zeros((count, *x.shape), x.dtype)''',
    "scatter_nd": '''def scatter_nd(indices, rows, shape):
    """Zeros of a shape with rows added where the indices say."""
    places = tuple(jnp.moveaxis(indices, -1, 0))
    return jnp.zeros(shape, rows.dtype).at[places].add(rows)''',
    "local_response_norm": '''def local_response_norm(x, radius, bias, alpha, beta):
    """x divided by the squares of the channels around each one."""
    window = (1, 1, 1, 2 * radius + 1)
    sums = lax.reduce_window(jnp.square(x), 0.0, lax.add, window, (1, 1, 1, 1), "SAME")
    return x / (bias + alpha * sums) ** beta''',
    "ftrl": '''def ftrl(learning_rate, power, l1, l2, first):
    """FTRL-Proximal as TensorFlow has it; `first` is what the sums of squares begin with."""

    def init(params):
        squares = jax.tree.map(lambda x: jnp.full_like(x, first), params)
        return jnp.zeros([], jnp.int32), squares, jax.tree.map(jnp.zeros_like, params)

    def update(grads, state, params):
        count, before, linear = state
        rate = learning_rate(count) if callable(learning_rate) else learning_rate
        squares = jax.tree.map(lambda n, g: n + g**2, before, grads)

        def summed(z, g, x, n, old):
            return z + g - (n**-power - old**-power) / rate * x

        def best(z, n):
            x = (jnp.sign(z) * l1 - z) / (n**-power / rate + 2 * l2)
            return jnp.where(jnp.abs(z) > l1, x, 0)

        linear = jax.tree.map(summed, linear, grads, params, squares, before)
        new = jax.tree.map(best, linear, squares)
        return jax.tree.map(jnp.subtract, new, params), (count + 1, squares, linear)

    return optax.GradientTransformation(init, update)''',
    "adam": '''def adam(learning_rate, b1, b2, eps, of_floats=False):
    """Adam as TensorFlow 1 has it: not `optax.adam`, which adds epsilon after the correction.

    Powers of the betas are products, or those `of_floats`, as Keras has them.
    """
    betas = b1, b2 = np.float32([b1, b2])  # 1 - b2 is rounded as in TensorFlow.

    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return jnp.zeros([], jnp.int32), jnp.asarray(betas), zeros, zeros

    def update(grads, state, params=None):
        count, powers, m, v = state
        rate = learning_rate(count) if callable(learning_rate) else learning_rate
        count = count + 1
        m = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, m, grads)
        v = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g**2, v, grads)
        if of_floats:
            powers = jnp.power(betas, count.astype(jnp.float32))
        rate = rate * jnp.sqrt(1 - powers[1]) / (1 - powers[0])
        updates = jax.tree.map(lambda m, v: -rate * m / (jnp.sqrt(v) + eps), m, v)
        return updates, (count, powers * betas, m, v)

    return optax.GradientTransformation(init, update)''',
    "float_gradients": '''def float_gradients(grads, params):
    """Gradients in which those of integers are 0."""
    return jax.tree.map(
        lambda grad, x: grad if jnp.issubdtype(x.dtype, jnp.floating) else jnp.zeros_like(x),
        grads,
        params,
    )''',
    "touched": '''def touched(table, *rows):
    """Which rows of a table are looked up."""
    found = jnp.zeros(table.shape[0], bool)
    for numbers in rows:
        found = found.at[numbers].set(True)
    return found''',
    "of_rows": '''def of_rows(optimizer):
    """An optimizer that leaves rows of tables that no lookup reached as they are, slots included.

    So TensorFlow 1 does; `rows` says which a step looks up, by the names of the tables.
    """

    def update(grads, state, params=None, *, rows, **others):
        def kept(path, old, new):
            found = rows.get(
                "/".join(key.key for key in path if isinstance(key, jax.tree_util.DictKey))
            )
            if found is None:
                return new
            return jnp.where(jnp.expand_dims(found, range(1, new.ndim)), new, old)

        updates, changed = optimizer.update(grads, state, params, **others)
        zeros = jax.tree.map(jnp.zeros_like, updates)
        updates = jax.tree.map_with_path(kept, zeros, updates)
        return updates, jax.tree.map_with_path(kept, state, changed)

    return optax.GradientTransformationExtraArgs(optimizer.init, update)''',
    "with_learning_rate": '''def with_learning_rate(make):
    """An optimizer that is told the learning rate with each update."""

    def update(grads, state, params=None, *, learning_rate, **_):
        return make(learning_rate).update(grads, state, params)

    return optax.GradientTransformationExtraArgs(make(0.0).init, update)''',
    "with_own_learning_rate": '''def with_own_learning_rate(place, make):
    """An optimizer that is told its learning rate, one of several, with each update."""

    def update(grads, state, params=None, *, learning_rate, **_):
        return make(learning_rate[place]).update(grads, state, params)

    return optax.GradientTransformationExtraArgs(make(0.0).init, update)''',
    "moving_average": '''def moving_average(old, value, share):
    """An average, moved by a share of the way to a value."""
    return old - (old - value) * share''',
    "named": '''def named(path):
    """The name of a weight, from its path in the params."""
    return "/".join(key.key for key in path)''',
    "replaced": '''def replaced(params, values):
    """Params with the given values, by name, in place of some."""
    return jax.tree.map_with_path(lambda path, old: values.get(named(path), old), params)''',
    "accidental_hits": '''def accidental_hits(true_classes, sampled):
    """Where classes of the rows were sampled too: (row, place among the samples, the least number).

    The place of one that was not is behind all samples, where nothing can be set.
    """
    rows = jnp.repeat(jnp.arange(len(true_classes)), true_classes.shape[1])
    equal = true_classes.reshape(-1, 1) == sampled
    places = jnp.where(equal.any(axis=1), jnp.argmax(equal, axis=1), len(sampled))
    return rows, places, jnp.full(rows.shape, jnp.finfo(jnp.float32).min)''',
    "sampled_classes": '''def sampled_classes(key, true_classes, count, range_max):
    """Classes without repetition, the first ones likelier, and how often each is expected.

    They are drawn until there are `count` of them; an expectation counts all the draws.
    """
    classes = jnp.arange(range_max)
    shares = jnp.log((classes + 2) / (classes + 1)) / jnp.log(range_max + 1)

    def draw(state):
        key, order, found, tries = state
        key, own = jax.random.split(key)
        drawn = jax.random.categorical(own, jnp.log(shares))
        new = order[drawn] == count
        return key, order.at[drawn].set(jnp.where(new, found, order[drawn])), found + new, tries + 1

    start = (key, jnp.full(range_max, count), 0, 0)
    _, order, _, tries = lax.while_loop(lambda state: state[2] < count, draw, start)
    sampled = jnp.argsort(order)[:count]
    expected = -jnp.expm1(tries * jnp.log1p(-shares))
    return sampled, expected[true_classes], expected[sampled]''',
}
