import jax
import jax.numpy as jnp

from by_hand.parts import adam, by_hand, glorot, normal, running, training, zeros

HEIGHT = 50000


def word2vec(loss_of):
    """Gradients are taken by the rows that a step touches, not by the tables."""
    tables = {
        "words": normal(HEIGHT, 128),
        "weights": normal(HEIGHT, 128, scale=128**-0.5),
        "biases": zeros(HEIGHT),
    }

    def step(held, words, labels):
        tables, key = held
        key, draw = jax.random.split(key)
        labels = labels[:, 0]
        # Log-uniform, as TF's; with repetitions, which TF's has not.
        uniform = jax.random.uniform(draw, (64,))
        sampled = (jnp.exp(uniform * jnp.log(HEIGHT + 1.0)) - 1).astype("int32") % HEIGHT
        places = {"words": words, "weights": jnp.concatenate([labels, sampled])}
        places["biases"] = places["weights"]
        rows = {name: tables[name][at] for name, at in places.items()}

        def of_rows(rows):
            x, w, b = rows["words"], rows["weights"], rows["biases"]
            chances = jnp.log1p(1 / (places["weights"] + 1.0)) / jnp.log(HEIGHT + 1.0)
            adjusted = b - jnp.log(-jnp.expm1(64 * jnp.log1p(-chances)))
            true = (x * w[:256]).sum(1) + adjusted[:256]
            others = x @ w[256:].T + adjusted[256:]
            return loss_of(true, others, labels, sampled)

        loss, gradients = jax.value_and_grad(of_rows)(rows)
        new = {name: tables[name].at[places[name]].add(-gradients[name]) for name in tables}
        return (new, key), loss

    return running(step, (tables, jax.random.key(0)), tables)


@by_hand("word2vec, NCE")
def nce():
    def loss_of(true, others, labels, sampled):
        softplus = jax.nn.softplus
        return (softplus(-true) + softplus(others).sum(1)).mean()

    return word2vec(loss_of)


@by_hand("word2vec, sampled softmax")
def sampled_softmax():
    def loss_of(true, others, labels, sampled):
        others = jnp.where(labels[:, None] == sampled, -1e30, others)
        logits = jnp.concatenate([true[:, None], others], 1)
        return (jax.nn.logsumexp(logits, axis=1) - true).mean()

    return word2vec(loss_of)


def embedding(height):
    def loss_of(params, ids):
        return ((params["table"][ids] - 1.0) ** 2).sum()

    return lambda: training({"table": glorot(height, 32)}, loss_of, adam(0.01))


for _height in (2000, 20000, 200000):
    by_hand("embedding, %s rows" % format(_height, ","))(embedding(_height))
