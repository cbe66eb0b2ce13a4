"""`tensorflow.contrib.distributions.python.ops.statistical_testing`: whether samples of bounded
numbers have the mean that they should, by the inequality of Dvoretzky, Kiefer, Wolfowitz, Massart.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.math import clip_ops, math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import ops, raw_ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name

_RATES = ("false_fail_rate", "false_pass_rate")
_APART = "Confidence interval does not intersect: true mean {} than expected"


@contextlib.contextmanager
def _converted(name: Name, default: str, **values: Any) -> Iterator[list[Any]]:
    """A name scope, and inside of it the values as tensors of their names."""
    with ops.name_scope(name, default, list(values.values())):
        yield [ops.convert_to_tensor(value, name=key) for key, value in values.items()]


def _batch_sort_vector(x: Any, ascending: bool = True, name: Name = None) -> Tensor:
    """Sorts the last dimension."""
    with ops.name_scope(name, "_batch_sort_vector", [x]):
        x = ops.convert_to_tensor(x, name="x")
        size = array_ops.shape(x)[-1]
        turned = math_ops.negative if ascending else lambda value: value
        y = turned(nn_ops.top_k(turned(x), k=size, sorted=True)[0])
        y.set_shape(x.shape)
        return y


def _do_maximum_mean(samples: Any, envelope: Any, high: Any, name: Name = None) -> Tensor:
    """The largest mean whose distribution is nowhere further than `envelope` from the samples'."""
    with ops.name_scope(name, "do_maximum_mean", [samples, envelope, high]):
        rank = array_ops.rank(samples)
        last = array_ops.concat([math_ops.range(1, rank), [0]], axis=0)
        samples = _batch_sort_vector(array_ops.transpose(samples, last))
        dtype = samples.dtype.base_dtype
        count: Any = math_ops.cast(array_ops.shape(samples)[-1], dtype=dtype)
        step = 1.0 / count
        steps = step * math_ops.range(1, count + 1, dtype=dtype)
        parts = clip_ops.clip_by_value(
            steps - envelope[..., None], clip_value_min=0.0, clip_value_max=step
        )
        return math_ops.reduce_sum(samples * parts, axis=-1) + envelope * high


def _maximum_mean(samples: Any, envelope: Any, high: Any, name: Name = None) -> Tensor:
    parts = _converted(name, "maximum_mean", samples=samples, envelope=envelope, high=high)
    with parts as (samples, envelope, high):
        most = math_ops.reduce_max(samples, axis=[0])
        text = "Given sample maximum value exceeds expectations"
        with ops.control_dependencies([check_ops.assert_less_equal(most, high, message=text)]):
            return array_ops.identity(_do_maximum_mean(samples, envelope, high))


def _minimum_mean(samples: Any, envelope: Any, low: Any, name: Name = None) -> Tensor:
    parts = _converted(name, "minimum_mean", samples=samples, envelope=envelope, low=low)
    with parts as (samples, envelope, low):
        least = math_ops.reduce_min(samples, axis=[0])
        text = "Given sample minimum value falls below expectations"
        with ops.control_dependencies([check_ops.assert_greater_equal(least, low, message=text)]):
            return -_do_maximum_mean(-samples, envelope, -low)


def _dkwm_cdf_envelope(n: Any, error_rate: Any, name: Name = None) -> Tensor:
    """How far the distribution of `n` samples is from the true one, but for this rate."""
    with ops.name_scope(name, "dkwm_cdf_envelope", [n, error_rate]):
        n = math_ops.cast(n, dtype=error_rate.dtype)
        return math_ops.sqrt(-raw_ops.Log(error_rate / 2.0) / (2.0 * n))


def _check_shape_dominates(samples: Any, parameters: Sequence[Any]) -> Tensor:
    """The samples, once their batches are known to be as large as all parameters together."""
    checks = []
    for parameter in parameters:
        batch = array_ops.shape(samples)[1:]
        together = array_ops.broadcast_dynamic_shape(batch, array_ops.shape(parameter))
        rank = array_ops.size(batch)
        checks.append(check_ops.assert_greater_equal(rank, array_ops.rank(parameter)))
        checks.append(check_ops.assert_equal(batch, together))
    with ops.control_dependencies(checks):
        return array_ops.identity(samples)


def _itemwise_error_rate(
    total_error_rate: Any, param_tensors: Sequence[Any], sample_tensor: Any = None,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """The rate for each of several tests, so that all together have the one given."""
    values = [total_error_rate, param_tensors, sample_tensor]
    with ops.name_scope(name, "itemwise_error_rate", values):
        shape: Any = [1]
        for parameter in param_tensors:
            shape = array_ops.broadcast_dynamic_shape(array_ops.shape(parameter), shape)
        if sample_tensor is not None:
            batch = array_ops.shape(sample_tensor)[1:]
            shape = array_ops.broadcast_dynamic_shape(batch, shape)
        tests = math_ops.reduce_prod(shape)
        return total_error_rate / math_ops.cast(tests, dtype=total_error_rate.dtype)


def true_mean_confidence_interval_by_dkwm(
    samples: Any, low: Any, high: Any, error_rate: Any = 1e-6, name: Name = None
) -> tuple[Tensor, Tensor]:
    """Between which numbers the mean is that samples were drawn with.

    Args:
      samples: the samples, the first dimension counts them.
      low, high: the bounds of what can be drawn.
      error_rate: how likely the answer may be wrong, for all batches together.
      name: the name of the scope.

    Returns:
      The least and the greatest mean, of the shape of a batch.
    """
    function = "true_mean_confidence_interval_by_dkwm"
    parts = _converted(
        name, function, samples=samples, low=low, high=high, error_rate=error_rate
    )  # fmt: skip
    with parts as (samples, low, high, error_rate):
        samples = _check_shape_dominates(samples, [low, high])
        check_ops.assert_scalar(error_rate)
        error_rate = _itemwise_error_rate(error_rate, [low, high], samples)
        envelope = _dkwm_cdf_envelope(array_ops.shape(samples)[0], error_rate)
        least = _minimum_mean(samples, envelope, low)
        return least, _maximum_mean(samples, envelope, high)


def assert_true_mean_equal_by_dkwm(
    samples: Any, low: Any, high: Any, expected: Any, false_fail_rate: Any = 1e-6,
    name: Name = None,
) -> Any:  # fmt: skip
    """As `assert_true_mean_in_interval_by_dkwm`, of one mean.

    Args:
      samples, low, high, false_fail_rate, name: see there.
      expected: the mean.

    Returns:
      The operation that checks.
    """
    values = [samples, low, high, expected, false_fail_rate]
    with ops.name_scope(name, "assert_true_mean_equal_by_dkwm", values):
        return assert_true_mean_in_interval_by_dkwm(
            samples, low, high, expected, expected, false_fail_rate
        )


def min_discrepancy_of_true_means_detectable_by_dkwm(
    n: Any, low: Any, high: Any, false_fail_rate: Any, false_pass_rate: Any, name: Name = None
) -> Tensor:
    """How far off a mean has to be so that `n` samples show it.

    Args:
      n: how many samples there are.
      low, high: the bounds of what can be drawn.
      false_fail_rate, false_pass_rate: how likely each answer may be wrong.
      name: the name of the scope.
    """
    function = "min_discrepancy_of_true_means_detectable_by_dkwm"
    rates = dict(zip(_RATES, (false_fail_rate, false_pass_rate), strict=True))
    with _converted(name, function, n=n, low=low, high=high, **rates) as (n, low, high, fail, ok):
        sampling = _dkwm_cdf_envelope(n, ok)
        analysis = _dkwm_cdf_envelope(n, _itemwise_error_rate(fail, [n, low, high]))
        return (high - low) * (sampling + analysis)


def min_num_samples_for_dkwm_mean_test(
    discrepancy: Any, low: Any, high: Any, false_fail_rate: Any = 1e-6,
    false_pass_rate: Any = 1e-6, name: Name = None,
) -> Tensor:  # fmt: skip
    """How many samples show that a mean is off by so much.

    Args:
      discrepancy: how far it is off.
      low, high, false_fail_rate, false_pass_rate, name: as for
        `min_discrepancy_of_true_means_detectable_by_dkwm`.
    """
    function = "min_num_samples_for_dkwm_mean_test"
    rates = dict(zip(_RATES, (false_fail_rate, false_pass_rate), strict=True))
    parts = _converted(name, function, discrepancy=discrepancy, low=low, high=high, **rates)
    with parts as (discrepancy, low, high, fail, ok):
        envelope = discrepancy / (2.0 * (high - low))
        fail = _itemwise_error_rate(fail, [low, high, discrepancy])
        counts = [-math_ops.log(rate / 2.0) / (2.0 * envelope**2) for rate in (fail, ok)]
        return math_ops.maximum(*counts)


def assert_true_mean_in_interval_by_dkwm(
    samples: Any, low: Any, high: Any, expected_low: Any, expected_high: Any,
    false_fail_rate: Any = 1e-6, name: Name = None,
) -> Any:  # fmt: skip
    """Fails unless samples may have been drawn with a mean that is in an interval.

    Args:
      samples: the samples, the first dimension counts them.
      low, high: the bounds of what can be drawn.
      expected_low, expected_high: the interval.
      false_fail_rate: how likely it may fail by chance, for all batches together.
      name: the name of the scope.

    Returns:
      The operation that checks.
    """
    parts = _converted(
        name, "assert_true_mean_in_interval_by_dkwm", samples=samples, low=low, high=high,
        expected_low=expected_low, expected_high=expected_high, false_fail_rate=false_fail_rate,
    )  # fmt: skip
    with parts as (samples, low, high, expected_low, expected_high, rate):
        bounds = [low, high, expected_low, expected_high]
        samples = _check_shape_dominates(samples, bounds)
        least, most = true_mean_confidence_interval_by_dkwm(samples, low, high, rate)
        reaches = check_ops.assert_greater_equal(
            most, expected_low, message=_APART.format("smaller")
        )
        with ops.control_dependencies([reaches]):
            return check_ops.assert_less_equal(
                least, expected_high, message=_APART.format("greater")
            )


def assert_true_mean_equal_by_dkwm_two_sample(
    samples1: Any, low1: Any, high1: Any, samples2: Any, low2: Any, high2: Any,
    false_fail_rate: Any = 1e-6, name: Name = None,
) -> Any:  # fmt: skip
    """Fails unless two sets of samples may have been drawn with the same mean.

    Args:
      samples1, low1, high1, samples2, low2, high2: the samples and the bounds of what can be drawn.
      false_fail_rate: how likely it may fail by chance.
      name: the name of the scope.

    Returns:
      The operation that checks.
    """
    parts = _converted(
        name, "assert_true_mean_equal_by_dkwm_two_sample", samples1=samples1, low1=low1,
        high1=high1, samples2=samples2, low2=low2, high2=high2, false_fail_rate=false_fail_rate,
    )  # fmt: skip
    with parts as (samples1, low1, high1, samples2, low2, high2, rate):
        samples1 = _check_shape_dominates(samples1, [low1, high1])
        samples2 = _check_shape_dominates(samples2, [low2, high2])
        batch1, batch2 = (array_ops.shape(samples)[1:] for samples in (samples1, samples2))
        with ops.control_dependencies([check_ops.assert_equal(batch1, batch2)]):
            interval = true_mean_confidence_interval_by_dkwm(samples2, low2, high2, rate / 2.0)
            return assert_true_mean_in_interval_by_dkwm(
                samples1, low1, high1, *interval, rate / 2.0
            )


def min_discrepancy_of_true_means_detectable_by_dkwm_two_sample(
    n1: Any, low1: Any, high1: Any, n2: Any, low2: Any, high2: Any, false_fail_rate: Any,
    false_pass_rate: Any, name: Name = None,
) -> Tensor:  # fmt: skip
    """How far apart two means have to be so that samples show it.

    Args:
      n1, low1, high1, n2, low2, high2: how many samples, and the bounds of what can be drawn.
      false_fail_rate, false_pass_rate: how likely each answer may be wrong.
      name: the name of the scope.
    """
    function = "min_discrepancy_of_true_means_detectable_by_dkwm_two_sample"
    parts = _converted(
        name, function, n1=n1, low1=low1, high1=high1, n2=n2, low2=low2, high2=high2,
        false_fail_rate=false_fail_rate, false_pass_rate=false_pass_rate,
    )  # fmt: skip
    with parts as (n1, low1, high1, n2, low2, high2, fail, ok):
        one, other = (
            min_discrepancy_of_true_means_detectable_by_dkwm(n, low, high, fail / 2.0, ok / 2.0)
            for n, low, high in ((n1, low1, high1), (n2, low2, high2))
        )
        return one + other


def min_num_samples_for_dkwm_mean_two_sample_test(
    discrepancy: Any, low1: Any, high1: Any, low2: Any, high2: Any, false_fail_rate: Any = 1e-6,
    false_pass_rate: Any = 1e-6, name: Name = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """How many samples of each kind show that two means are so far apart.

    Args:
      discrepancy: how far.
      low1, high1, low2, high2, false_fail_rate, false_pass_rate, name: as for
        `min_discrepancy_of_true_means_detectable_by_dkwm_two_sample`.
    """
    parts = _converted(
        name, "min_num_samples_for_dkwm_mean_two_sample_test", discrepancy=discrepancy,
        low1=low1, high1=high1, low2=low2, high2=high2, false_fail_rate=false_fail_rate,
        false_pass_rate=false_pass_rate,
    )  # fmt: skip
    with parts as (discrepancy, low1, high1, low2, high2, fail, ok):
        one, other = (
            min_num_samples_for_dkwm_mean_test(discrepancy / 2.0, low, high, fail / 2.0, ok / 2.0)
            for low, high in ((low1, high1), (low2, high2))
        )
        return one, other
