import jax
import jax.numpy as jnp
import numpy as np

from by_hand.parts import adam, by_hand, cross_entropy, dense_weights, mlp, running, sgd, training


@by_hand("no-op")
def nothing():
    compiled = jax.jit(lambda: ())

    def step():
        compiled()
        return 0.0

    return step


@by_hand("linear regression")
def linear_regression():
    params = {"w": np.float32(0), "b": np.float32(0)}
    return training(params, lambda p, x, y: (x * p["w"] + p["b"] - y) ** 2, sgd(0.01))


@by_hand("DQN")
def dqn():
    online, target = dense_weights(4, 64, 64, 3), dense_weights(4, 64, 64, 3)
    init, update = adam(1e-4)

    def loss_of(online, target, now, after, action, reward, goes_on):
        q = jnp.take_along_axis(mlp(online, now), action[:, None], 1)[:, 0]
        error = q - (reward + 0.99 * goes_on * mlp(target, after).max(1))
        return jnp.where(abs(error) < 1, 0.5 * error**2, abs(error) - 0.5).mean()

    @jax.jit
    def best(online, now):
        return mlp(online, now).argmax(1)

    def train(held, *batch):
        online, moments, target = held
        loss, gradients = jax.value_and_grad(loss_of)(online, target, *batch)
        return (*update(gradients, moments, online), target), loss

    compiled = jax.jit(train, donate_argnums=0)
    held = [jax.device_put((online, init(online), target))]

    def step(*batch):
        np.asarray(best(held[0][0], batch[0][:1]))
        held[0], loss = compiled(held[0], *batch)
        return float(loss)

    step.parameters = sum(p.size for p in jax.tree.leaves((online, target)))
    return step


def classifier(*sizes):
    def loss_of(params, x, y):
        return cross_entropy(mlp(params, x), y)

    return training(dense_weights(*sizes), loss_of, adam())


by_hand("MLP")(lambda: classifier(784, 256, 256, 10))
by_hand("wide MLP")(lambda: classifier(2000, 2000, 2000, 10))


@by_hand("while loop")
def while_loop():
    def turn(state):
        i, x = state
        return i + 1, x * 0.999 + 0.1

    compiled = jax.jit(lambda x: jax.lax.while_loop(lambda s: s[0] < 1000, turn, (0, x))[1])
    return lambda x: float(compiled(x))


@by_hand("WGAN-GP")
def wgan_gp():
    params = dense_weights(2, 128, 128, 128, 2), dense_weights(2, 128, 128, 128, 1)
    init, update = adam(1e-4)

    def train_generator(generator, moments, critic, key):
        def loss_of(generator):
            return -mlp(critic, mlp(generator, jax.random.normal(key, (64, 2)))).mean()

        return update(jax.grad(loss_of)(generator), moments, generator)

    def train_critic(critic, moments, generator, key, real):
        a, b = jax.random.split(key)
        fake = mlp(generator, jax.random.normal(a, (64, 2)))
        mixed = fake + jax.random.uniform(b, (64, 1)) * (real - fake)

        def loss_of(critic):
            slope = jax.grad(lambda x: mlp(critic, x).sum())(mixed)
            norm = jnp.sqrt((slope**2).sum(1) + 1e-12)
            worth = mlp(critic, fake).mean() - mlp(critic, real).mean()
            return worth + 10 * ((norm - 1) ** 2).mean()

        loss, gradients = jax.value_and_grad(loss_of)(critic)
        return *update(gradients, moments, critic), loss

    def both(held, real):
        generator, critic, of_generator, of_critic, key = held
        key, a, b = jax.random.split(key, 3)
        generator, of_generator = train_generator(generator, of_generator, critic, a)
        critic, of_critic, loss = train_critic(critic, of_critic, generator, b, real)
        return (generator, critic, of_generator, of_critic, key), loss

    state = (*params, init(params[0]), init(params[1]), jax.random.key(0))
    return running(both, state, params)


@by_hand("physics-informed net")
def physics_informed():
    def loss_of(params, points):
        x, t = points[:, :1], points[:, 1:]
        one = jnp.ones_like(x)

        def u_of(x, t):
            return mlp(params, jnp.concatenate([x, t], 1), jnp.tanh)

        def u_x_of(x):
            return jax.jvp(lambda x: u_of(x, t), (x,), (one,))[1]

        u, u_t = jax.jvp(lambda t: u_of(x, t), (t,), (one,))
        u_x, u_xx = jax.jvp(u_x_of, (x,), (one,))
        return ((u_t + u * u_x - (0.01 / np.pi) * u_xx) ** 2).mean()

    return training(dense_weights(2, 20, 20, 20, 20, 1), loss_of, adam())
