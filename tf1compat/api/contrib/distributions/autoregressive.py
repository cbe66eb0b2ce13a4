"""`tf.contrib.distributions.Autoregressive`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.distributions import distribution, util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("contrib.distributions.Autoregressive")
class Autoregressive(distribution.Distribution):
    """A distribution of vectors, each element of which depends on those before it."""

    distribution_fn = parameter("distribution_fn", "Makes the distribution that follows a sample.")
    sample0 = parameter("sample0", "The sample that a draw begins with.")
    num_steps = parameter("num_steps", "How often a draw is made anew.")
    distribution0 = parameter("distribution0", "The distribution that a draw begins with.")

    @moved("autoregressive", "tf.contrib.distributions")
    def __init__(
        self,
        distribution_fn: Any,
        sample0: Any = None,
        num_steps: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Autoregressive",
    ) -> None:
        """An autoregressive distribution.

        Args:
          distribution_fn: sample -> distribution, in which an element of a draw depends only on the
            elements of the sample before it.
          sample0: the first sample; without it `distribution_fn()` is called for the first one.
          num_steps: how often a draw is made anew; by default once for each element.
          validate_args: see `Distribution`.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: `num_steps` is not positive, or not given and the event's shape not known.
        """
        parameters = dict(locals())
        with ops.name_scope(name) as name:
            self._distribution_fn, self._sample0 = distribution_fn, sample0
            given = () if sample0 is None else (sample0,)
            self._distribution0 = distribution_fn(*given)
            if num_steps is None:
                num_steps = self._distribution0.event_shape.num_elements()
                if num_steps is None:
                    raise ValueError(
                        "distribution_fn must generate a distribution with fully known "
                        "`event_shape`."
                    )
            if num_steps < 1:
                raise ValueError(f"num_steps ({num_steps}) must be at least 1.")
            self._num_steps = num_steps
        super().__init__(
            self._distribution0.dtype,
            self._distribution0.reparameterization_type,
            validate_args,
            allow_nan_stats,
            parameters,
            self._distribution0._graph_parents,
            name,
        )

    def _batch_shape(self) -> Any:
        return self.distribution0.batch_shape

    def _batch_shape_tensor(self) -> Any:
        return self.distribution0.batch_shape_tensor()

    def _event_shape(self) -> Any:
        return self.distribution0.event_shape

    def _event_shape_tensor(self) -> Any:
        return self.distribution0.event_shape_tensor()

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        seed = _any_seed() if seed is None else seed  # All steps draw the same noise.
        draws = self.distribution0.sample(n, seed=seed)
        for _ in range(self._num_steps):
            draws = self.distribution_fn(draws).sample(seed=seed)
        return draws

    def _log_prob(self, value: TensorLike) -> Any:
        return self.distribution_fn(value).log_prob(value)

    def _prob(self, value: TensorLike) -> Any:
        return self.distribution_fn(value).prob(value)


def _any_seed() -> Any:
    return util.gen_new_seed(np.random.randint(2**32 - 1), "autoregressive")
