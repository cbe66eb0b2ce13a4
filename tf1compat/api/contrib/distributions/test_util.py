"""What tests of distributions have in common, TF's own ones too: mixins of test cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import histogram_ops, math_ops
from tf1compat.api.variables import variables
from tf1compat.core import dtypes, ops
from tf1compat.core.typing import Name, TensorLike

_Run = Callable[[Any], Any]


class DiscreteScalarDistributionTestHelpers:
    """Compares samples of a distribution over whole numbers with what it says of them."""

    assertAllClose: Any

    def run_test_sample_consistent_log_prob(
        self,
        sess_run_fn: _Run,
        dist: Any,
        num_samples: int = 100000,
        num_threshold: int = 1000,
        seed: int = 42,
        batch_size: Any = None,
        rtol: float = 1e-2,
        atol: float = 0.0,
    ) -> None:
        """Fails if numbers do not turn up as often as `log_prob` says.

        Args:
          sess_run_fn: runs fetches.
          dist: the distribution.
          num_samples: how many are drawn.
          num_threshold: numbers that turn up no more often are not looked at.
          seed: of the draws.
          batch_size: how large the batch is; by default that is asked for.
          rtol, atol: how far the frequencies may be off.

        Raises:
          ValueError: `num_threshold` is not positive.
        """
        if num_threshold < 1:
            raise ValueError(f"num_threshold({num_threshold}) must be at least 1.")
        draws = dist.sample(num_samples, seed=seed)
        draws = array_ops.reshape(draws, shape=[num_samples, -1])
        if batch_size is None:
            batch_size = math_ops.reduce_prod(dist.batch_shape_tensor())
        batch_ndims = array_ops.shape(dist.batch_shape_tensor())[0]
        shape = 1 + array_ops.pad([-2], paddings=[[0, batch_ndims]])
        for i, column in enumerate(array_ops.unstack(draws, num=batch_size, axis=1)):
            counts, edges = self.histogram(column)
            probs = math_ops.exp(dist.log_prob(array_ops.reshape(edges, shape)))
            probs = array_ops.reshape(probs, shape=[-1, batch_size])[:, i]
            counts, probs = sess_run_fn([counts, probs])
            often = counts > num_threshold
            found = counts[often] / num_samples
            self.assertAllClose(probs[often], found, rtol=rtol, atol=atol)

    def run_test_sample_consistent_mean_variance(
        self,
        sess_run_fn: _Run,
        dist: Any,
        num_samples: int = 100000,
        seed: int = 24,
        rtol: float = 1e-2,
        atol: float = 0.0,
    ) -> None:
        """Fails if mean, variance and standard deviation are not those of samples.

        Args: see `run_test_sample_consistent_log_prob`.
        """
        x = math_ops.cast(dist.sample(num_samples, seed=seed), dtypes.float32)
        mean = math_ops.reduce_mean(x, axis=0)
        variance = math_ops.reduce_mean(math_ops.square(x - mean), axis=0)
        found = [mean, variance, math_ops.sqrt(variance)]
        found, said = sess_run_fn([found, [dist.mean(), dist.variance(), dist.stddev()]])
        for own, other in zip(said, found, strict=True):
            self.assertAllClose(own, other, rtol=rtol, atol=atol)

    def histogram(
        self, x: TensorLike, value_range: Any = None, nbins: Any = None, name: Name = None
    ) -> tuple[Any, Any]:
        """How often values turn up.

        Args:
          x: tensor of numbers.
          value_range: the least value, and one beyond the largest; by default those of `x`.
          nbins: how many bins; by default one for each whole number.
          name: scope of the ops.

        Returns:
          The counts, and the lower edges of the bins.
        """
        with ops.name_scope(name, "histogram", [x]):
            x = ops.convert_to_tensor(x, name="x")
            if value_range is None:
                value_range = [math_ops.reduce_min(x), 1 + math_ops.reduce_max(x)]
            value_range = ops.convert_to_tensor(value_range, name="value_range")
            low, high = value_range[0], value_range[1]
            if nbins is None:
                nbins = math_ops.cast(high - low, dtypes.int32)
            width = (high - low) / math_ops.cast(nbins, dtype=value_range.dtype.base_dtype)
            edges = math_ops.range(start=low, limit=high, delta=width, dtype=x.dtype.base_dtype)
            counts = histogram_ops.histogram_fixed_width(x, value_range, nbins)
            return counts, edges


class VectorDistributionTestHelpers:
    """Compares samples of a distribution over vectors with what it says of them."""

    assertAllClose: Any

    def run_test_sample_consistent_log_prob(
        self,
        sess_run_fn: _Run,
        dist: Any,
        num_samples: int = 100000,
        radius: Any = 1.0,
        center: Any = 0.0,
        seed: int = 42,
        rtol: float = 1e-2,
        atol: float = 0.0,
    ) -> None:
        """Fails if the volume of a ball, by samples and their densities, is another.

        Args:
          sess_run_fn: runs fetches.
          dist: the distribution, whose density is nowhere 0 in the ball.
          num_samples: how many are drawn.
          radius, center: of the ball.
          seed: of the draws.
          rtol, atol: how far the volume may be off.
        """
        scope = "run_test_sample_consistent_log_prob"
        values = [num_samples, radius, center, *dist._graph_parents]
        with ops.name_scope(scope, values=values):
            batch_shape = dist.batch_shape_tensor()
            size = np.asarray(radius)
            dims = math_ops.cast(dist.event_shape_tensor()[0], dtype=size.dtype)
            half = dims / 2.0
            log_volume = half * np.log(np.pi) - math_ops.lgamma(1.0 + half)
            volume = math_ops.exp(log_volume + dims * math_ops.log(size))
            # No bijector must know the samples again: their densities are to be computed.
            x = array_ops.identity(dist.sample(num_samples, seed=seed))
            distance = linalg_ops.norm(x - center, axis=-1)
            inside = math_ops.cast(distance <= radius, dtype=x.dtype)
            found = math_ops.reduce_mean(math_ops.exp(-dist.log_prob(x)) * inside, axis=0)
            init = variables.global_variables_initializer()
        sess_run_fn(init)
        batch_shape, volume, found = sess_run_fn([batch_shape, volume, found])
        self.assertAllClose(np.tile(volume, reps=batch_shape), found, rtol=rtol, atol=atol)

    def run_test_sample_consistent_mean_covariance(
        self,
        sess_run_fn: _Run,
        dist: Any,
        num_samples: int = 100000,
        seed: int = 24,
        rtol: float = 1e-2,
        atol: float = 0.1,
        cov_rtol: Any = None,
        cov_atol: Any = None,
    ) -> None:
        """Fails if mean, covariance, variance and standard deviation are not those of samples.

        Args: see `run_test_sample_consistent_log_prob`; and
          cov_rtol, cov_atol: how far the covariance may be off; by default as the others.
        """
        x = dist.sample(num_samples, seed=seed)
        mean = math_ops.reduce_mean(x, axis=0)
        z = x - mean
        covariance = math_ops.reduce_mean(z[..., :, None] * z[..., None, :], axis=0)
        variance = array_ops.matrix_diag_part(covariance)
        found = [mean, variance, math_ops.sqrt(variance), covariance]
        said = [dist.mean(), dist.variance(), dist.stddev(), dist.covariance()]
        found, said = sess_run_fn([found, said])
        for own, other in zip(said[:3], found[:3], strict=True):
            self.assertAllClose(own, other, rtol=rtol, atol=atol)
        tolerances = {"rtol": cov_rtol or rtol, "atol": cov_atol or atol}
        self.assertAllClose(said[3], found[3], **tolerances)
