import jax
import jax.numpy as jnp

from by_hand.parts import (
    adam,
    by_hand,
    clipped,
    cross_entropy,
    dense,
    dense_weights,
    glorot,
    layer_norm,
    norm_weights,
    normal,
    training,
    zeros,
)


@by_hand("LSTM")
def lstm():
    params = {
        "embedding": glorot(1000, 128),
        "kernel": glorot(256, 512),
        "bias": zeros(512),
        "out": dense_weights(128, 1000),
    }

    def loss_of(params, words, following):
        def cell(state, x):
            c, h = state
            gates = jnp.concatenate([x, h], 1) @ params["kernel"] + params["bias"]
            i, j, f, o = jnp.split(gates, 4, axis=1)
            c = c * jax.nn.sigmoid(f + 1.0) + jax.nn.sigmoid(i) * jnp.tanh(j)
            h = jnp.tanh(c) * jax.nn.sigmoid(o)
            return (c, h), h

        zero = jnp.zeros((32, 128))
        rows = jnp.swapaxes(params["embedding"][words], 0, 1)
        _, outputs = jax.lax.scan(cell, (zero, zero), rows)
        return cross_entropy(dense(params["out"][0], jnp.swapaxes(outputs, 0, 1)), following)

    return training(params, loss_of, clipped(adam()))


def layer_weights(width):
    query, key, value, mixed = (dense_weights(width, width)[0] for _ in range(4))
    inner = dense_weights(width, 4 * width, width)
    norms = norm_weights(width), norm_weights(width)
    return {"qkv": (query, key, value), "mixed": mixed, "inner": inner, "norms": norms}


def attention(p, x, heads, causal):
    batch, length, width = x.shape
    parts = [dense(each, x).reshape(batch, length, heads, -1) for each in p["qkv"]]
    q, k, v = (jnp.swapaxes(part, 1, 2) for part in parts)
    scores = q @ jnp.swapaxes(k, 2, 3) * (width // heads) ** -0.5
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
    seen = jnp.swapaxes(jax.nn.softmax(scores) @ v, 1, 2)
    return dense(p["mixed"], seen.reshape(batch, length, width))


@by_hand("transformer")
def transformer():
    params = {
        "embedding": glorot(1000, 128),
        "places": glorot(64, 128),
        "layers": [layer_weights(128) for _ in range(2)],
        "norm": norm_weights(128),
        "out": dense_weights(128, 1000),
    }

    def loss_of(params, words, following):
        x = params["embedding"][words] + params["places"]
        for p in params["layers"]:
            before, between = p["norms"]
            x += attention(p, layer_norm(before, x), 4, causal=True)
            wide, narrow = p["inner"]
            x += dense(narrow, jax.nn.relu(dense(wide, layer_norm(between, x))))
        return cross_entropy(dense(params["out"][0], layer_norm(params["norm"], x)), following)

    return training(params, loss_of, adam())


@by_hand("BERT-small")
def bert_small():
    params = {
        "embedding": normal(8000, 512, scale=0.02),
        "places": glorot(64, 512),
        "norm": norm_weights(512),
        "layers": [layer_weights(512) for _ in range(4)],
    }

    def loss_of(params, key, words, meant):
        keys = iter(jax.random.split(key, 2 + 2 * len(params["layers"])))

        def dropout(x):
            return jnp.where(jax.random.bernoulli(next(keys), 0.9, x.shape), x / 0.9, 0.0)

        x = layer_norm(params["norm"], params["embedding"][words] + params["places"])
        x = dropout(x)
        for p in params["layers"]:
            first, second = p["norms"]
            x = layer_norm(first, x + dropout(attention(p, x, 8, causal=False)))
            wide, narrow = p["inner"]
            inner = jax.nn.gelu(dense(wide, x), approximate=False)
            x = layer_norm(second, x + dropout(dense(narrow, inner)))
        return cross_entropy(x @ params["embedding"].T, meant), next(keys)

    return training(params, loss_of, clipped(adam()), jax.random.key(0))


def gru_weights(inputs, units):
    gates, candidate = (
        dense_weights(inputs + units, 2 * units),
        dense_weights(inputs + units, units),
    )
    return {"gates": gates[0], "candidate": candidate[0]}


def gru(p, state, x):
    gates = jax.nn.sigmoid(dense(p["gates"], jnp.concatenate([x, state], 1)))
    r, u = jnp.split(gates, 2, axis=1)
    c = jnp.tanh(dense(p["candidate"], jnp.concatenate([x, r * state], 1)))
    return u * state + (1 - u) * c


@by_hand("seq2seq")
def seq2seq():
    params = {
        "embedding": glorot(1000, 128),
        "encoder": gru_weights(128, 128),
        "decoder": gru_weights(256, 128),
        "keys": glorot(128, 128),
        "query": glorot(128, 128),
        "score": glorot(128, 1)[:, 0],
        "out": dense_weights(128, 1000),
    }

    def loss_of(params, source, target):
        def encode(state, x):
            state = gru(params["encoder"], state, x)
            return state, state

        rows = jnp.swapaxes(params["embedding"][source], 0, 1)
        state, memory = jax.lax.scan(encode, jnp.zeros((32, 128)), rows)
        memory = jnp.swapaxes(memory, 0, 1)
        keys = memory @ params["keys"]

        def decode(state, x):
            energy = jnp.tanh(keys + (state @ params["query"])[:, None])
            weights = jax.nn.softmax(energy @ params["score"])
            context = (weights[..., None] * memory).sum(1)
            state = gru(params["decoder"], state, jnp.concatenate([x, context], 1))
            return state, state

        fed = jnp.pad(target[:, :-1], [(0, 0), (1, 0)])
        _, outputs = jax.lax.scan(decode, state, jnp.swapaxes(params["embedding"][fed], 0, 1))
        logits = dense(params["out"][0], jnp.swapaxes(outputs, 0, 1))
        return cross_entropy(logits, target)

    return training(params, loss_of, clipped(adam()))
