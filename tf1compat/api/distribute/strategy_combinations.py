"""`tensorflow.python.distribute.strategy_combinations`: strategies and optimizers to test with."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from tf1compat.api.distribute import (
    central_storage_strategy,
    combinations,
    distribution_strategy_context,
    mirrored_strategy,
)
from tf1compat.api.distribute import one_device_strategy as one_device
from tf1compat.api.keras.optimizer_v2 import adagrad as adagrad_v2
from tf1compat.api.keras.optimizer_v2 import adam as adam_v2
from tf1compat.api.keras.optimizer_v2 import gradient_descent as gradient_descent_v2
from tf1compat.api.keras.optimizer_v2 import rmsprop as rmsprop_v2
from tf1compat.api.training import adagrad, adam, gradient_descent, rmsprop
from tf1compat.core.export import find, required

_Named = combinations.NamedDistribution
_Combinations = list[OrderedDict[str, Any]]


def _one(name: str, device: str, gpus: int | None = None) -> _Named:
    return _Named(name, lambda: one_device.OneDeviceStrategy(device), gpus)


def _mirrored(name: str, devices: list[str], gpus: int | None = None) -> _Named:
    return _Named(name, lambda: mirrored_strategy.MirroredStrategy(devices), gpus)


def _central(name: str, devices: list[str], gpus: int) -> _Named:
    strategy = central_storage_strategy.CentralStorageStrategy
    return _Named(name, lambda: strategy(devices), gpus)


def _tpu(name: str) -> _Named:
    # Needs what is not here: the tests are left out before the strategy is made.
    return _Named(name, lambda: required("distribute.experimental.TPUStrategy")(), None, True)


default_strategy = _Named("Default", distribution_strategy_context._get_default_strategy)
one_device_strategy = _one("OneDeviceCPU", "/cpu:0")
one_device_strategy_gpu = _one("OneDeviceGPU", "/gpu:0", 1)
one_device_strategy_on_worker_1 = _one(
    "OneDeviceOnWorker1CPU", "/job:worker/replica:0/task:1/cpu:0"
)
one_device_strategy_gpu_on_worker_1 = _one(
    "OneDeviceOnWorker1GPU", "/job:worker/replica:0/task:1/gpu:0", 1
)
tpu_strategy = _tpu("TPU")
tpu_strategy_one_step = _tpu("TPUOneStep")
tpu_strategy_one_core = _tpu("TPUOneCore")
tpu_strategy_one_step_one_core = _tpu("TPUOneStepOneCore")
mirrored_strategy_with_one_cpu = _mirrored("Mirrored1CPU", ["/cpu:0"])
mirrored_strategy_with_one_gpu = _mirrored("Mirrored1GPU", ["/gpu:0"], 1)
mirrored_strategy_with_gpu_and_cpu = _mirrored("MirroredCPUAndGPU", ["/gpu:0", "/cpu:0"], 1)
mirrored_strategy_with_two_gpus = _mirrored("Mirrored2GPUs", ["/gpu:0", "/gpu:1"], 2)
mirrored_strategy_with_cpu_1_and_2 = _mirrored("Mirrored2CPU", ["/cpu:1", "/cpu:2"])
central_storage_strategy_with_two_gpus = _central("CentralStorage2GPUs", ["/gpu:0", "/gpu:1"], 2)
central_storage_strategy_with_gpu_and_cpu = _central(
    "CentralStorageCPUAndGPU", ["/gpu:0", "/cpu:0"], 1
)


_optimizer = combinations.NamedObject

gradient_descent_optimizer_v1_fn = _optimizer(
    "GradientDescentV1", lambda: gradient_descent.GradientDescentOptimizer(0.2)
)
adagrad_optimizer_v1_fn = _optimizer("AdagradV1", lambda: adagrad.AdagradOptimizer(0.001))
adam_optimizer_v1_fn = _optimizer("AdamV1", lambda: adam.AdamOptimizer(0.001, epsilon=1))
rmsprop_optimizer_v1_fn = _optimizer("RmsPropV1", lambda: rmsprop.RMSPropOptimizer(0.001))
optimizers_v1 = [gradient_descent_optimizer_v1_fn, adagrad_optimizer_v1_fn]

gradient_descent_optimizer_keras_v2_fn = _optimizer(
    "GradientDescentKerasV2", lambda: gradient_descent_v2.SGD(0.2)
)
adagrad_optimizer_keras_v2_fn = _optimizer("AdagradKerasV2", lambda: adagrad_v2.Adagrad(0.001))
adam_optimizer_keras_v2_fn = _optimizer("AdamKerasV2", lambda: adam_v2.Adam(0.001, epsilon=1.0))
rmsprop_optimizer_keras_v2_fn = _optimizer("RmsPropKerasV2", lambda: rmsprop_v2.RMSprop(0.001))
optimizers_v2 = [gradient_descent_optimizer_keras_v2_fn, adagrad_optimizer_keras_v2_fn]
optimizers_v1_and_v2 = optimizers_v1 + optimizers_v2

graph_and_eager_modes = ["graph", "eager"]

_WITH_OPTIMIZERS = [
    one_device_strategy,
    mirrored_strategy_with_gpu_and_cpu,
    mirrored_strategy_with_two_gpus,
]
_WITHOUT_DEFAULT = [
    one_device_strategy,
    one_device_strategy_gpu,
    mirrored_strategy_with_gpu_and_cpu,
    mirrored_strategy_with_two_gpus,
]
strategies_minus_tpu = [default_strategy, *_WITHOUT_DEFAULT]
tpu_strategies = [tpu_strategy, tpu_strategy_one_step]


def set_virtual_cpus_to_at_least(num_virtual_cpus: int) -> None:
    """Makes that many devices of the CPU, if that was not done yet.

    Args:
      num_virtual_cpus: how many.

    Raises:
      ValueError: less than one.
      RuntimeError: there are fewer already.
    """
    if num_virtual_cpus < 1:
        raise ValueError(f"`num_virtual_cpus` must be at least 1 not {num_virtual_cpus!r}")
    config = "config.experimental"
    cpus = find(f"{config}.list_physical_devices")("CPU")
    if not cpus:
        raise RuntimeError("No CPUs found")
    there = find(f"{config}.get_virtual_device_configuration")(cpus[0])
    if there is None:
        device = find(f"{config}.VirtualDeviceConfiguration")
        wanted = [device() for _ in range(num_virtual_cpus)]
        find(f"{config}.set_virtual_device_configuration")(cpus[0], wanted)
    elif len(there) < num_virtual_cpus:
        raise RuntimeError(
            f"Already configured with {len(there)} < {num_virtual_cpus} virtual CPUs"
        )


def distributions_and_v1_optimizers() -> _Combinations:
    """Strategies with optimizers of `tf.train`."""
    return combinations.combine(distribution=_WITH_OPTIMIZERS, optimizer_fn=optimizers_v1)


def distributions_and_v2_optimizers() -> _Combinations:
    """Strategies with optimizers of Keras."""
    return combinations.combine(distribution=_WITH_OPTIMIZERS, optimizer_fn=optimizers_v2)


def distributions_and_v1_and_v2_optimizers() -> _Combinations:
    """Strategies with both."""
    return combinations.combine(distribution=_WITH_OPTIMIZERS, optimizer_fn=optimizers_v1_and_v2)


def strategy_minus_tpu_combinations() -> _Combinations:
    """Strategies but those for TPUs, in graphs and eagerly."""
    return combinations.combine(distribution=strategies_minus_tpu, mode=graph_and_eager_modes)


def tpu_strategy_combinations() -> _Combinations:
    """Strategies for TPUs, in graphs."""
    return combinations.combine(distribution=tpu_strategies, mode=["graph"])


def all_strategy_combinations() -> _Combinations:
    """All of these."""
    return strategy_minus_tpu_combinations() + tpu_strategy_combinations()


def all_strategy_minus_default_and_tpu_combinations() -> _Combinations:
    """Strategies but the default one and those for TPUs, in graphs and eagerly."""
    return combinations.combine(distribution=_WITHOUT_DEFAULT, mode=graph_and_eager_modes)


def all_strategy_combinations_minus_default() -> _Combinations:
    """All strategies but the default one."""
    return all_strategy_minus_default_and_tpu_combinations() + tpu_strategy_combinations()
