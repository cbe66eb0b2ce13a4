"""`tf.data.Options`, and the options that are parts of it."""

from __future__ import annotations

import enum
from typing import Any

from tf1compat.api.data.experimental.ops import stats_aggregator
from tf1compat.api.data.util import options
from tf1compat.core.export import tf_export


class AutotuneAlgorithm(enum.Enum):
    """How TF finds out degrees of parallelism."""

    HILL_CLIMB = 0
    GRADIENT_DESCENT = 1


def _flag(name: str, docstring: str, default: bool | None = None) -> property:
    return options.create_option(name, bool, docstring, lambda: default)


@tf_export("data.experimental.MapVectorizationOptions")
class MapVectorizationOptions(options.OptionsBase):
    """Whether map transformations are vectorized: recorded, and of no consequence here."""

    enabled = _flag("enabled", "Whether to vectorize.")
    use_choose_fastest = _flag("use_choose_fastest", "Whether to take the faster form.")

    def _static_optimizations(self) -> list[str]:
        return ["map_vectorization"] if self.enabled else []

    def _static_optimization_configs(self) -> list[str]:
        fastest = "true" if self.use_choose_fastest else "false"
        return [f"map_vectorization:use_choose_fastest:{fastest}"]


_OPTIMIZATIONS = (
    "filter_fusion",
    "filter_with_random_uniform_fusion",
    "hoist_random_uniform",
    "map_and_batch_fusion",
    "map_and_filter_fusion",
    "map_parallelization",
    "map_fusion",
    "noop_elimination",
    "parallel_batch",
    "shuffle_and_repeat_fusion",
)
_BY_DEFAULT = ("map_and_batch_fusion", "noop_elimination", "shuffle_and_repeat_fusion")


@tf_export("data.experimental.OptimizationOptions")
class OptimizationOptions(options.OptionsBase):
    """Which rewrites TF makes of a pipeline (`tf.data.experimental.OptimizationOptions`).

    They are recorded. Of consequence here is only `shuffle_and_repeat_fusion`, on by default: it
    decides the order in which a shuffled and repeated dataset gives its elements.
    """

    apply_default_optimizations = _flag(
        "apply_default_optimizations", "Whether those that are on by default are made."
    )
    autotune = _flag("autotune", "Whether to find degrees of parallelism at run time.")
    autotune_algorithm = options.create_option("autotune_algorithm", int, "How to find them.")
    autotune_buffers = _flag("autotune_buffers", "Whether to find sizes of buffers too.")
    autotune_cpu_budget = options.create_option("autotune_cpu_budget", int, "How many cores.")
    filter_fusion = _flag("filter_fusion", "Whether to join filters.")
    filter_with_random_uniform_fusion = _flag(
        "filter_with_random_uniform_fusion", "Whether a random filter becomes a sample."
    )
    hoist_random_uniform = _flag(
        "hoist_random_uniform", "Whether random numbers are drawn outside of maps."
    )
    map_and_batch_fusion = _flag("map_and_batch_fusion", "Whether to join maps and batches.")
    map_and_filter_fusion = _flag("map_and_filter_fusion", "Whether to join maps and filters.")
    map_fusion = _flag("map_fusion", "Whether to join maps.")
    map_parallelization = _flag("map_parallelization", "Whether maps become parallel.")
    map_vectorization = options.create_option(
        "map_vectorization", MapVectorizationOptions, "See there.", MapVectorizationOptions
    )
    noop_elimination = _flag("noop_elimination", "Whether what does nothing is left out.")
    parallel_batch = _flag("parallel_batch", "Whether batches are copied in parallel.")
    shuffle_and_repeat_fusion = _flag(
        "shuffle_and_repeat_fusion", "Whether to join shuffles and repetitions."
    )

    def _static_optimizations(self) -> list[str]:
        found = {name for name in _OPTIMIZATIONS if getattr(self, name)}
        if self.apply_default_optimizations is not False:
            found |= {name for name in _BY_DEFAULT if getattr(self, name) is not False}
        if self.map_vectorization is not None:
            found.update(self.map_vectorization._static_optimizations())
        if self.autotune is not False and self.autotune_buffers:
            found.add("inject_prefetch")
        return sorted(found)

    def _static_optimization_configs(self) -> list[str]:
        if self.map_vectorization is None:
            return []
        return self.map_vectorization._static_optimization_configs()


@tf_export("data.experimental.DistributeOptions")
class DistributeOptions(options.OptionsBase):
    """How a dataset is spread over workers: recorded, and of no consequence here."""

    auto_shard = _flag("auto_shard", "Whether each worker gets a part.", True)
    _make_stateless = _flag("_make_stateless", "Whether to take state out of the pipeline.")
    num_devices = options.create_option("num_devices", int, "How many devices it feeds.")


@tf_export("data.experimental.ThreadingOptions")
class ThreadingOptions(options.OptionsBase):
    """How many threads a pipeline has: recorded, and of no consequence here."""

    max_intra_op_parallelism = options.create_option(
        "max_intra_op_parallelism", int, "How many threads an operation has at most."
    )
    private_threadpool_size = options.create_option(
        "private_threadpool_size", int, "How many threads the pipeline has of its own."
    )


_AGGREGATORS = (stats_aggregator.StatsAggregatorV2, stats_aggregator.StatsAggregatorV1)


def _empty() -> str:
    return ""


@tf_export("data.experimental.StatsOptions")
class StatsOptions(options.OptionsBase):
    """What statistics of a pipeline are gathered: recorded."""

    aggregator = options.create_option("aggregator", _AGGREGATORS, "Where they are gathered.")
    prefix = options.create_option("prefix", str, "What their names begin with.", _empty)
    counter_prefix = options.create_option("counter_prefix", str, "As `prefix`.", _empty)
    latency_all_edges = _flag("latency_all_edges", "Whether every step is measured.")


@tf_export("data.Options")
class Options(options.OptionsBase):
    """Options of a dataset, for `Dataset.with_options` (as `tf.data.Options` in TF 1.15)."""

    experimental_deterministic = _flag(
        "experimental_deterministic", "Whether elements come in a fixed order: they always do."
    )
    experimental_distribute = options.create_option(
        "experimental_distribute", DistributeOptions, "See there.", DistributeOptions
    )
    experimental_optimization = options.create_option(
        "experimental_optimization", OptimizationOptions, "See there.", OptimizationOptions
    )
    experimental_slack = _flag("experimental_slack", "Whether the last prefetch waits a little.")
    experimental_stats = options.create_option(
        "experimental_stats", StatsOptions, "See there.", StatsOptions
    )
    experimental_threading = options.create_option(
        "experimental_threading", ThreadingOptions, "See there.", ThreadingOptions
    )
    experimental_stateful_whitelist = options.create_option(
        "experimental_stateful_whitelist", list, "Stateful op types that may be serialized."
    )

    def _static_optimizations(self) -> list[str]:
        found = list(self.experimental_optimization._static_optimizations())
        if self.experimental_deterministic is False:
            found.append("make_sloppy")
        if self.experimental_stats and self.experimental_stats.latency_all_edges:
            found.append("latency_all_edges")
        if self.experimental_slack:
            found.append("slack")
        if self.experimental_distribute and self.experimental_distribute._make_stateless:
            found.append("make_stateless")
        return found

    def _static_optimization_configs(self) -> list[str]:
        found: list[str] = []
        if self.experimental_optimization:
            found += self.experimental_optimization._static_optimization_configs()
        if self.experimental_slack:
            devices = self.experimental_distribute.num_devices
            found.append(f"slack:slack_period:{1 if devices is None else devices}")
        return found

    def merge(self, options: Any) -> Any:
        """The options that are set here or in `options`.

        Raises:
          ValueError: one is set to different values.
        """
        return merge_options(self, options)


merge_options = options.merge_options
