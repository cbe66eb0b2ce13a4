"""Keras's own optimizers, from before `tf.keras.optimizers` had those with slots: what
`tensorflow.python.keras.optimizers` has under their names.

They record the nodes of TF 1.15, in graphs only.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from tf1compat.api.keras import backend, backend_names
from tf1compat.api.keras.backend_config import epsilon as default_epsilon
from tf1compat.api.keras.backend_config import floatx
from tf1compat.api.math import clip_ops, math_elementwise, math_ops
from tf1compat.api.variables import state_ops
from tf1compat.core import context, ops
from tf1compat.core.tensor import Tensor


class Optimizer:
    """The base of Keras's own optimizers.

    Args:
      **kwargs: `clipnorm`, the greatest norm of a gradient, and `clipvalue`, the greatest size of
        an element.

    Attributes:
      updates: the operations of the last step that was recorded.
      weights: the variables of the optimizer that are saved.

    Raises:
      TypeError: another argument.
      ValueError: one that is negative.
    """

    # The settings in `get_config`, in its order.
    _settings: tuple[str, ...] = ()

    def __init__(self, **kwargs: Any):
        for name, value in kwargs.items():
            if name not in ("clipnorm", "clipvalue"):
                raise TypeError(f"Unexpected keyword argument passed to optimizer: {name}")
            if value < 0:
                raise ValueError(f"Expected {name} >= 0, received: {value}")
        self.__dict__.update(kwargs)
        self.updates: list[Any] = []
        self.weights: list[Any] = []

    def _make(self, **values: Any) -> None:
        """Makes variables of settings."""
        with backend.name_scope(type(self).__name__):
            for name, value in values.items():
                dtype = "int64" if name == "iterations" else None
                setattr(self, name, backend.variable(value, dtype=dtype, name=name))

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """Records a step.

        Args:
          loss: the loss.
          params: the variables.

        Returns:
          The operations of the step.
        """
        raise NotImplementedError

    def get_gradients(self, loss: Any, params: Any) -> list[Tensor]:
        """The gradients of a loss, clipped as the optimizer is told.

        Args:
          loss: the loss.
          params: the variables.

        Raises:
          ValueError: the loss does not depend on one of them.
        """
        grads = backend_names.gradients(loss, params)
        if any(grad is None for grad in grads):
            raise ValueError(
                "An operation has `None` for gradient. Please make sure that all of your ops have "
                "a gradient defined (i.e. are differentiable). Common ops without gradient: "
                "K.argmax, K.round, K.eval."
            )
        if hasattr(self, "clipnorm"):
            grads = [clip_ops.clip_by_norm(grad, self.clipnorm) for grad in grads]  # pyright: ignore
        if hasattr(self, "clipvalue"):
            bound: Any = self.clipvalue  # pyright: ignore
            grads = [clip_ops.clip_by_value(grad, -bound, bound) for grad in grads]
        return grads

    def set_weights(self, weights: Any) -> None:
        """Sets the variables of the optimizer.

        Args:
          weights: an array for each.

        Raises:
          ValueError: there are more or fewer, or one has another shape.
        """
        if len(self.weights) != len(weights):
            raise ValueError(
                f"Length of the specified weight list ({len(weights)}) does not match the number "
                f"of weights of the optimizer ({len(self.weights)})"
            )
        for now, new in zip(backend.batch_get_value(self.weights), weights, strict=True):
            if now.shape != new.shape:
                raise ValueError(
                    f"Optimizer weight shape {now.shape} not compatible with provided weight "
                    f"shape {new.shape}"
                )
        backend.batch_set_value(list(zip(self.weights, weights, strict=True)))

    def get_weights(self) -> list[Any]:
        """The values of the variables of the optimizer."""
        return backend.batch_get_value(self.weights)

    def get_config(self) -> dict[str, Any]:
        """The arguments of the constructor, with the values that they have now."""
        clipping = [name for name in ("clipnorm", "clipvalue") if hasattr(self, name)]
        config = {name: getattr(self, name) for name in (*clipping, *self._settings)}
        return {
            name: float(backend.get_value(value)) if hasattr(value, "initializer") else value
            for name, value in config.items()
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """The optimizer that `get_config` describes.

        Args:
          config: the arguments of the constructor.
        """
        return cls(**config)

    def _begin(self) -> None:
        """A model is compiled with it.

        Raises:
          NotImplementedError: in eager execution.
        """
        if context.executing_eagerly():
            name = type(self).__name__
            raise NotImplementedError(
                f"tensorflow.python.keras.optimizers.{name} is not supported by tf1compat in eager "
                f"execution: use tf.keras.optimizers.{name}"
            )

    # What the optimizers have in common.

    lr: Any
    decay: Any
    iterations: Any
    initial_decay: float

    def _rate(self) -> Any:
        """The learning rate of the step."""
        if self.initial_decay <= 0:
            return self.lr
        step = math_ops.cast(self.iterations, backend.dtype(self.decay))
        return self.lr * (1.0 / (1.0 + self.decay * step))

    def _count(self) -> Tensor:
        """The number of the step, which it counts."""
        with ops.control_dependencies([state_ops.assign_add(self.iterations, 1)]):
            return math_ops.cast(self.iterations, floatx())

    def _assign(self, variable: Any, value: Any) -> None:
        self.updates.append(state_ops.assign(variable, value))

    def _assign_param(self, param: Any, value: Any) -> None:
        """Assigns a parameter, within what it is constrained to."""
        constraint = getattr(param, "constraint", None)
        self._assign(param, value if constraint is None else constraint(value))


def _zeros(params: Iterable[Any], in_dtype: bool = False) -> list[Any]:
    """Zeros of the shape of each parameter, of its dtype or of `floatx()`."""
    return [
        backend.zeros(backend_names.int_shape(p), dtype=backend.dtype(p) if in_dtype else None)
        for p in params
    ]


def _epsilon(epsilon: float | None) -> float:
    return default_epsilon() if epsilon is None else epsilon


class SGD(Optimizer):
    """Gradient descent, with momentum.

    Args:
      lr: the learning rate.
      momentum: how much of the last change is added.
      decay: by how much of itself the learning rate falls with each step.
      nesterov: whether the momentum is that of Nesterov.
      **kwargs: see `Optimizer`.
    """

    _settings = ("lr", "momentum", "decay", "nesterov")

    def __init__(
        self,
        lr: float = 0.01,
        momentum: float = 0.0,
        decay: float = 0.0,
        nesterov: bool = False,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._make(iterations=0, lr=lr, momentum=momentum, decay=decay)
        self.momentum: Any
        self.initial_decay = decay
        self.nesterov = nesterov

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """As of an `Optimizer`."""
        grads = self.get_gradients(loss, params)
        self.updates = [state_ops.assign_add(self.iterations, 1)]
        rate = self._rate()
        moments = _zeros(params)
        self.weights = [self.iterations, *moments]
        for param, grad, moment in zip(params, grads, moments, strict=True):
            velocity = self.momentum * moment - rate * grad
            self._assign(moment, velocity)
            if self.nesterov:
                self._assign_param(param, param + self.momentum * velocity - rate * grad)
            else:
                self._assign_param(param, param + velocity)
        return self.updates


class RMSprop(Optimizer):
    """Divides gradients by a moving root of their mean squares.

    Args:
      lr: the learning rate.
      rho: how much of the mean is kept.
      epsilon: what is added to the root; `K.epsilon()` by default.
      decay: by how much of itself the learning rate falls with each step.
      **kwargs: see `Optimizer`.
    """

    _settings = ("lr", "rho", "decay", "epsilon")

    def __init__(
        self,
        lr: float = 0.001,
        rho: float = 0.9,
        epsilon: float | None = None,
        decay: float = 0.0,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._make(lr=lr, rho=rho, decay=decay, iterations=0)
        self.rho: Any
        self.epsilon = _epsilon(epsilon)
        self.initial_decay = decay

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """As of an `Optimizer`."""
        grads = self.get_gradients(loss, params)
        means = _zeros(params, in_dtype=True)
        self.weights = means
        self.updates = [state_ops.assign_add(self.iterations, 1)]
        rate = self._rate()
        for param, grad, mean in zip(params, grads, means, strict=True):
            new = self.rho * mean + (1.0 - self.rho) * math_elementwise.square(grad)
            self._assign(mean, new)
            self._assign_param(
                param, param - rate * grad / (backend_names.sqrt(new) + self.epsilon)
            )
        return self.updates


class Adagrad(Optimizer):
    """Divides gradients by the root of the sum of their squares.

    Args:
      lr: the learning rate.
      epsilon: what is added to the root; `K.epsilon()` by default.
      decay: by how much of itself the learning rate falls with each step.
      **kwargs: see `Optimizer`.
    """

    _settings = ("lr", "decay", "epsilon")

    def __init__(
        self, lr: float = 0.01, epsilon: float | None = None, decay: float = 0.0, **kwargs: Any
    ):
        super().__init__(**kwargs)
        self._make(lr=lr, decay=decay, iterations=0)
        self.epsilon = _epsilon(epsilon)
        self.initial_decay = decay

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """As of an `Optimizer`."""
        grads = self.get_gradients(loss, params)
        sums = _zeros(params)
        self.weights = sums
        self.updates = [state_ops.assign_add(self.iterations, 1)]
        rate = self._rate()
        for param, grad, total in zip(params, grads, sums, strict=True):
            new = total + math_elementwise.square(grad)
            self._assign(total, new)
            self._assign_param(
                param, param - rate * grad / (backend_names.sqrt(new) + self.epsilon)
            )
        return self.updates


class Adadelta(Optimizer):
    """Steps as large as the last ones, by the roots of the mean squares of both.

    Args:
      lr: the learning rate.
      rho: how much of the means is kept.
      epsilon: what is added within the roots; `K.epsilon()` by default.
      decay: by how much of itself the learning rate falls with each step.
      **kwargs: see `Optimizer`.
    """

    _settings = ("lr", "rho", "decay", "epsilon")

    def __init__(
        self,
        lr: float = 1.0,
        rho: float = 0.95,
        epsilon: float | None = None,
        decay: float = 0.0,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._make(lr=lr, decay=decay, iterations=0)
        self.rho = rho
        self.epsilon = _epsilon(epsilon)
        self.initial_decay = decay

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """As of an `Optimizer`."""
        grads = self.get_gradients(loss, params)
        means, steps = _zeros(params), _zeros(params)
        self.weights = means + steps
        self.updates = [state_ops.assign_add(self.iterations, 1)]
        rate = self._rate()
        root = backend_names.sqrt
        for param, grad, mean, last in zip(params, grads, means, steps, strict=True):
            new = self.rho * mean + (1.0 - self.rho) * math_elementwise.square(grad)
            self._assign(mean, new)
            step = grad * root(last + self.epsilon) / root(new + self.epsilon)
            self._assign_param(param, param - rate * step)
            self._assign(last, self.rho * last + (1 - self.rho) * math_elementwise.square(step))
        return self.updates


class _OfMoments(Optimizer):
    """An optimizer with two moments, whose settings are in the order of its `_settings`."""

    beta_1: Any
    beta_2: Any

    def _mean(self, old: Any, grad: Any) -> Any:
        return self.beta_1 * old + (1.0 - self.beta_1) * grad

    def _mean_square(self, old: Any, grad: Any) -> Any:
        return self.beta_2 * old + (1.0 - self.beta_2) * math_elementwise.square(grad)


class Adam(_OfMoments):
    """Adam, and AMSGrad.

    Args:
      lr: the learning rate.
      beta_1, beta_2: how much of the mean and of the mean square is kept.
      epsilon: what is added to the root; `K.epsilon()` by default.
      decay: by how much of itself the learning rate falls with each step.
      amsgrad: whether the greatest mean square so far is taken.
      **kwargs: see `Optimizer`.
    """

    _settings = ("lr", "beta_1", "beta_2", "decay", "epsilon", "amsgrad")

    def __init__(
        self,
        lr: float = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float | None = None,
        decay: float = 0.0,
        amsgrad: bool = False,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._make(iterations=0, lr=lr, beta_1=beta_1, beta_2=beta_2, decay=decay)
        self.epsilon = _epsilon(epsilon)
        self.initial_decay = decay
        self.amsgrad = amsgrad

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """As of an `Optimizer`."""
        grads = self.get_gradients(loss, params)
        self.updates = []
        rate = self._rate()
        t = self._count()
        root = backend_names.sqrt
        rate = rate * (
            root(1.0 - math_ops.pow(self.beta_2, t)) / (1.0 - math_ops.pow(self.beta_1, t))
        )
        means, squares = _zeros(params, in_dtype=True), _zeros(params, in_dtype=True)
        if self.amsgrad:
            greatest = _zeros(params, in_dtype=True)
        else:
            greatest = [backend.zeros(1) for _ in params]
        self.weights = [self.iterations, *means, *squares, *greatest]
        for param, grad, mean, square, most in zip(
            params, grads, means, squares, greatest, strict=True
        ):
            new_mean = self._mean(mean, grad)
            new_square = self._mean_square(square, grad)
            new_most = math_elementwise.maximum(most, new_square) if self.amsgrad else new_square
            new = param - rate * new_mean / (root(new_most) + self.epsilon)
            if self.amsgrad:
                self._assign(most, new_most)
            self._assign(mean, new_mean)
            self._assign(square, new_square)
            self._assign_param(param, new)
        return self.updates


class Adamax(_OfMoments):
    """Adam by the greatest size of gradients.

    Args:
      lr: the learning rate.
      beta_1, beta_2: how much of the mean and of the greatest size is kept.
      epsilon: what is added to the size; `K.epsilon()` by default.
      decay: by how much of itself the learning rate falls with each step.
      **kwargs: see `Optimizer`.
    """

    _settings = ("lr", "beta_1", "beta_2", "decay", "epsilon")

    def __init__(
        self,
        lr: float = 0.002,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float | None = None,
        decay: float = 0.0,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._make(iterations=0, lr=lr, beta_1=beta_1, beta_2=beta_2, decay=decay)
        self.epsilon = _epsilon(epsilon)
        self.initial_decay = decay

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """As of an `Optimizer`."""
        grads = self.get_gradients(loss, params)
        self.updates = []
        rate = self._rate()
        rate = rate / (1.0 - math_ops.pow(self.beta_1, self._count()))
        means, sizes = _zeros(params), _zeros(params)
        self.weights = [self.iterations, *means, *sizes]
        for param, grad, mean, size in zip(params, grads, means, sizes, strict=True):
            new_mean = self._mean(mean, grad)
            new_size = math_elementwise.maximum(self.beta_2 * size, math_ops.abs(grad))
            new = param - rate * new_mean / (new_size + self.epsilon)
            self._assign(mean, new_mean)
            self._assign(size, new_size)
            self._assign_param(param, new)
        return self.updates


class Nadam(_OfMoments):
    """Adam with the momentum of Nesterov.

    Args:
      lr: the learning rate.
      beta_1, beta_2: how much of the mean and of the mean square is kept.
      epsilon: what is added to the root; `K.epsilon()` by default.
      schedule_decay: how the momentum begins.
      **kwargs: see `Optimizer`.
    """

    _settings = ("lr", "beta_1", "beta_2", "epsilon", "schedule_decay")

    def __init__(
        self,
        lr: float = 0.002,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float | None = None,
        schedule_decay: float = 0.004,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._make(iterations=0, m_schedule=1.0, lr=lr, beta_1=beta_1, beta_2=beta_2)
        self.m_schedule: Any
        self.epsilon = _epsilon(epsilon)
        self.schedule_decay = schedule_decay

    def _momentum(self, t: Any) -> Any:
        base = backend.cast_to_floatx(0.96)
        return self.beta_1 * (1.0 - 0.5 * math_ops.pow(base, t * self.schedule_decay))

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """As of an `Optimizer`."""
        grads = self.get_gradients(loss, params)
        self.updates = []
        t = self._count()
        momentum = self._momentum(t)
        next_momentum = self._momentum(t + 1)
        schedule = self.m_schedule * momentum
        next_schedule = self.m_schedule * momentum * next_momentum
        self.updates.append((self.m_schedule, schedule))
        means, squares = _zeros(params), _zeros(params)
        self.weights = [self.iterations, self.m_schedule, *means, *squares]
        for param, grad, mean, square in zip(params, grads, means, squares, strict=True):
            scaled = grad / (1.0 - schedule)
            new_mean = self._mean(mean, grad)
            scaled_mean = new_mean / (1.0 - next_schedule)
            new_square = self._mean_square(square, grad)
            scaled_square = new_square / (1.0 - math_ops.pow(self.beta_2, t))
            ahead = (1.0 - momentum) * scaled + next_momentum * scaled_mean
            self._assign(mean, new_mean)
            self._assign(square, new_square)
            step = self.lr * ahead / (backend_names.sqrt(scaled_square) + self.epsilon)
            self._assign_param(param, param - step)
        return self.updates
