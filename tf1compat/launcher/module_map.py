"""Where the contents of TF's internal modules are in tf1compat.

The default rule needs no entry: `tensorflow.python.<a>.<b>` is made of those that exist of
`tf1compat.api.a.b`, `tf1compat.api.<a subject>.b`, `tf1compat.core.b`, …  `MAP` names what else
there is.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

import tf1compat
from tf1compat.api import SUBJECTS
from tf1compat.core import api_names

# TF's module -> modules of ours whose attributes it has besides those that the rule finds.
MAP: dict[str, tuple[str, ...]] = {
    "tensorflow.contrib.bayesflow.python.ops.monte_carlo_impl": (
        "tf1compat.api.contrib.bayesflow.monte_carlo",
    ),
    "tensorflow.contrib.eager.python.metrics_impl": ("tf1compat.api.contrib.eager.metrics",),
    "tensorflow.contrib.estimator.python.estimator.early_stopping": (
        "tf1compat.api.estimator.early_stopping",
    ),
    "tensorflow.contrib.losses.python.metric_learning.metric_loss_ops": (
        "tf1compat.api.contrib.losses.cluster_ops",
    ),
    "tensorflow.contrib.layers.python.layers.embedding_ops": (
        "tf1compat.api.contrib.layers.scattered_embeddings",
    ),
    "tensorflow.contrib.layers.python.layers.layers": ("tf1compat.api.contrib.layers.shaping",),
    "tensorflow.contrib.batching.python.ops.batch_ops": (
        "tf1compat.api.contrib.batching",
        "tf1compat.api.functions.batch_ops",
    ),
    "tensorflow.contrib.learn.python.learn.datasets": ("tf1compat.api.contrib.learn.datasets",),
    "tensorflow.contrib.learn.python.learn.learn_io.pandas_io": (
        "tf1compat.api.contrib.learn.learn_io.numpy_io",
    ),
    "tensorflow.contrib.learn.python.learn.datasets.base": (
        "tf1compat.api.contrib.learn.datasets.examples_mnist",
    ),
    "tensorflow.contrib.learn.python.learn.datasets.mnist": (
        "tf1compat.api.contrib.learn.datasets.examples_mnist",
    ),
    "tensorflow.examples.tutorials.mnist.input_data": (
        "tf1compat.api.contrib.learn.datasets.examples_mnist",
    ),
    "tensorflow.python.keras.distribute.distributed_training_utils": (
        "tf1compat.api.keras.distribute.replica_values",
    ),
    "tensorflow.python.distribute.mirrored_strategy": ("tf1compat.api.distribute.task_devices",),
    "tensorflow.python.keras.backend": ("tf1compat.api.keras.backend_devices",),
    "tensorflow.python.keras.engine.base_layer": ("tf1compat.api.keras.engine.op_layers",),
    "tensorflow.python.keras.engine.training_utils": (
        "tf1compat.api.keras.engine.standardize",
        "tf1compat.api.keras.engine.training_aggregators",
    ),
    "tensorflow.python.keras.layers.convolutional": (
        "tf1compat.api.keras.layers.convolution_shapes",
    ),
    "tensorflow.python.keras.layers.core": ("tf1compat.api.keras.layers.reshaping",),
    "tensorflow.python.keras.layers.normalization": (
        "tf1compat.api.keras.layers.layer_normalization",
    ),
    "tensorflow.python.keras.layers.recurrent": ("tf1compat.api.keras.layers.recurrent_base",),
    "tensorflow.python.keras.metrics": ("tf1compat.api.keras.metrics_counts",),
    "tensorflow.python.keras.saving.hdf5_format": ("tf1compat.api.keras.saving.legacy_weights",),
    "tensorflow.python.ops.summary_ops_v2": ("tf1compat.api.summary.summary_trace",),
    "tensorflow.python.ops.collective_ops": ("tf1compat.api.distribute.collective_ops",),
    "tensorflow.python.ops.nccl_ops": ("tf1compat.api.distribute.nccl_ops",),
    "tensorflow.python.ops.data_flow_ops": (
        "tf1compat.api.queues.barriers",
        "tf1compat.api.queues.conditional_accumulators",
        "tf1compat.api.queues.staging_ops",
    ),
    "tensorflow.python.eager.backprop": ("tf1compat.api.eager.backprop_parts",),
    "tensorflow.python.eager.def_function": ("tf1compat.api.functions.function_parts",),
    "tensorflow.python.eager.function": ("tf1compat.api.functions.function_parts",),
    "tensorflow.python.debug.lib.debug_data": ("tf1compat.api.debug.lib.debug_dump",),
    "tensorflow.python.framework.ops": ("tf1compat.core.eager",),
    "tensorflow.compiler.xla.experimental.xla_sharding.xla_sharding": (
        "tf1compat.api.xla.xla_sharding",
    ),
    "tensorflow.tools.graph_transforms": ("tf1compat.api.tools.graph_transforms",),
    "tensorflow.core.profiler.tfprof_log_pb2": ("tf1compat.formats.tfprof_pb2",),
    "tensorflow.core.profiler.tfprof_output_pb2": ("tf1compat.formats.tfprof_pb2",),
    "tensorflow.python.framework.tensor_conversion_registry": ("tf1compat.core.conversion",),
    "tensorflow.python.framework.smart_cond": (
        "tf1compat.api.control_flow.control_flow_case",
        "tf1compat.api.control_flow.control_flow_ops",
    ),
    "tensorflow.python.framework.tensor_spec": ("tf1compat.core.type_spec",),
    "tensorflow.python.util.compat_internal": ("tf1compat.api.util.compat",),
    "tensorflow.python.client.session": ("tf1compat.core.session_conversions",),
    "tensorflow.python.data.benchmarks": (),
    "tensorflow.python.pywrap_tensorflow": ("tf1compat.api.client.c_api",),
    **dict.fromkeys(  # Packages with nothing but packages.
        (
            "tensorflow.compiler",
            "tensorflow.compiler.jit",
            "tensorflow.compiler.jit.ops",
            "tensorflow.compiler.jit.ops.xla_ops",
            "tensorflow.compiler.tf2xla",
            "tensorflow.compiler.tf2xla.ops",
            "tensorflow.compiler.tf2xla.ops.gen_xla_ops",
            "tensorflow.compiler.xla",
            "tensorflow.compiler.xla.experimental",
            "tensorflow.compiler.xla.experimental.xla_sharding",
            "tensorflow.python.keras.api._v1",
            "tensorflow.python.keras.api._v2",
            "tensorflow_estimator._api",
            "tensorflow_estimator._api.v1",
            "tensorflow_estimator.python.estimator.api",
            "tensorflow_estimator.python.estimator.api._v1",
            "tensorflow_estimator.python.estimator.api._v2",
        ),
        (),
    ),
    "tensorflow.python.data.ops.dataset_ops": (
        "tf1compat.api.data.ops.dataset_types",
        "tf1compat.api.data.ops.batch_types",
        "tf1compat.api.data.ops.dataset_spec",
        "tf1compat.api.data.ops.dataset_options",
    ),
    **{
        f"tensorflow.python.data.experimental.ops.{name}": (
            "tf1compat.api.data.experimental.ops.transformations",
        )
        for name in (
            "batching cardinality counter enumerate_ops error_ops get_single_element "
            "matching_files random_ops scan_ops shuffle_ops sleep take_while_ops unique writers"
        ).split()
    },
    **{
        f"tensorflow.python.data.experimental.ops.{name}": (
            "tf1compat.api.data.ops.dataset_options",
        )
        for name in (
            "optimization_options distribute_options threading_options stats_options"
        ).split()
    },
    **{
        f"tensorflow.python.data.experimental.ops.{name}": (
            "tf1compat.api.data.experimental.ops.prefetching_ops",
        )
        for name in "iterator_ops stats_ops".split()
    },
    **{
        f"tensorflow.contrib.data.python.ops.{name}": ("tf1compat.api.contrib.data.renamed",)
        for name in (
            "batching counter enumerate_ops error_ops get_single_element grouping interleave_ops "
            "iterator_ops parsing_ops prefetching_ops random_ops readers resampling scan_ops "
            "shuffle_ops sliding unique writers"
        ).split()
    },
    "tensorflow_estimator.python.estimator.canned.boosted_trees": (
        "tf1compat.api.estimator.canned.boosted_trees_columns",
        "tf1compat.api.estimator.canned.boosted_trees_growers",
        "tf1compat.api.estimator.canned.boosted_trees_model",
    ),
    **{
        f"tensorflow_estimator.python.estimator.canned.linear_optimizer.python.utils.{name}": (
            f"tf1compat.api.learning.{ours}",
        )
        for name, ours in (
            ("sdca_ops", "sdca_model"),
            ("sharded_mutable_dense_hashtable", "sharded_tables"),
        )
    },
    **{
        f"tensorflow_estimator.python.estimator.canned.{name}": (
            f"tf1compat.api.estimator.canned.{name}_v2",
        )
        for name in ("baseline", "dnn", "dnn_linear_combined", "linear")
    },
    "tensorflow.python.ops.distributions.bijector": ("tf1compat.api.distributions.bijector_impl",),
    "tensorflow.python.ops.image_ops": ("tf1compat.api.image.image_ops_impl",),
    **{
        f"tensorflow.{place}.{name}": (f"tf1compat.api.estimator.tpu.{name}",)
        for place in ("contrib.tpu.python.tpu", "python.tpu")
        for name in ("tpu_config", "tpu_estimator", "util")
    },
    "tensorflow.contrib.tpu.python.tpu.bfloat16": ("tf1compat.api.tpu.bfloat16",),
    "tensorflow.contrib.tpu.python.tpu.tpu_function": ("tf1compat.api.tpu.tpu_function",),
    "tensorflow.contrib.tpu.python.tpu.tpu_optimizer": ("tf1compat.api.tpu.tpu_optimizer",),
    **{
        f"tensorflow.contrib.cluster_resolver.python.training.{name}": (
            f"tf1compat.api.distribute.cluster_resolver.{name}",
        )
        for name in ("cluster_resolver", "tfconfig_cluster_resolver", "tpu_cluster_resolver")
    },
    **{
        f"tensorflow.contrib.distributions.python.ops.bijectors{name}": (
            "tf1compat.api.contrib.distributions.bijectors",
        )
        for name in (
            "",
            *(
                f".{module}"
                for module in (
                    "absolute_value affine affine_linear_operator affine_scalar "
                    "batch_normalization chain cholesky_outer_product conditional_bijector exp "
                    "fill_triangular gumbel inline invert kumaraswamy masked_autoregressive "
                    "matrix_inverse_tril ordered permute power_transform real_nvp reshape "
                    "scale_tril sigmoid sinh_arcsinh softmax_centered softplus softsign square "
                    "transform_diagonal weibull"
                ).split()
            ),
        )
    },
    "tensorflow.contrib.metrics.python.ops.metric_ops": (
        "tf1compat.api.contrib.metrics.confidence_intervals",
        "tf1compat.api.contrib.metrics.renamed",
        "tf1compat.api.contrib.metrics.statistics",
    ),
    "tensorflow.contrib.specs.python": tuple(
        f"tf1compat.api.contrib.specs.{name}"
        for name in ("params_ops", "specs", "specs_lib", "specs_ops", "summaries")
    ),
    "tensorflow.contrib.tensorboard.plugins.projector.projector_config_pb2": (
        "tensorboard.plugins.projector.projector_config_pb2",
    ),
    "tensorflow.contrib.timeseries.python.timeseries": tuple(
        f"tf1compat.api.contrib.timeseries.{name}"
        for name in ("ar_model", "estimators", "feature_keys", "head", "input_pipeline")
    ),
    "tensorflow.contrib.timeseries.python.timeseries.math_utils": (
        "tf1compat.api.contrib.timeseries.input_statistics",
        "tf1compat.api.contrib.timeseries.matrix_utils",
        "tf1compat.api.contrib.timeseries.state_lookup",
    ),
    "tensorflow.contrib.timeseries.python.timeseries.model": (
        "tf1compat.api.contrib.timeseries.sequential_model",
    ),
    "tensorflow.contrib.training.python.training.sequence_queueing_state_saver": (
        "tf1compat.api.contrib.training.batch_sequences",
    ),
    "tensorflow.contrib.metrics.python.ops.set_ops": ("tf1compat.api.array.sets_impl",),
    "tensorflow.python.autograph": (
        "tf1compat.api.autograph.impl.api",
        "tf1compat.api.autograph.core.converter",
        "tf1compat.api.autograph.lang.directives",
        "tf1compat.api.autograph.utils.ag_logging",
    ),
    "tensorflow.python.autograph.operators": (
        "tf1compat.api.autograph.operators.control_flow",
        "tf1compat.api.autograph.operators.data_structures",
        "tf1compat.api.autograph.operators.exceptions",
        "tf1compat.api.autograph.operators.logical",
        "tf1compat.api.autograph.operators.py_builtins",
        "tf1compat.api.autograph.operators.special_values",
    ),
    "tensorflow.python.autograph.utils": ("tf1compat.api.autograph.utils.tensors",),
    "tensorflow.python.training.checkpoint_management": (
        "tf1compat.api.training.checkpoint_manager",
    ),
    **{
        f"tensorflow.python.feature_column.{name}": ("tf1compat.api.feature_column.feature_layers",)
        for name in (
            "dense_features",
            "feature_column",
            "sequence_feature_column",
        )
    },
    "tensorflow.python.feature_column.feature_column_v2": (
        "tf1compat.api.feature_column.column_classes",
        "tf1compat.api.feature_column.feature_layers",
    ),
    "tensorflow.python.framework.errors_impl": ("tf1compat.core.errors",),
    "tensorflow.python.framework.graph_util": ("tf1compat.api.framework.graph_util_impl",),
    "tensorflow.python.framework.test_util": (
        "tf1compat.api.framework.test_decorators",
        "tf1compat.api.framework.equal_graph_def",
    ),
    "tensorflow.python.ops.metrics": (
        "tf1compat.api.metrics.metrics_impl",
        "tf1compat.api.metrics.metrics_counts",
        "tf1compat.api.metrics.metrics_at_k",
    ),
    "tensorflow.python.framework.test_ops": ("tf1compat.kernels.libraries.test_ops",),
    "tensorflow.python.eager.execution_callbacks": ("tf1compat.api.contrib.eager.callbacks",),
    "tensorflow.python.eager.test": ("tf1compat.api.platform.test",),
    "tensorflow.python.ops.metrics_impl": (
        "tf1compat.api.metrics.metrics_counts",
        "tf1compat.api.metrics.metrics_at_k",
    ),
    "tensorflow.python.ops.init_ops": ("tf1compat.api.random.init_ops_convolution",),
    "tensorflow.python.ops.init_ops_v2": ("tf1compat.api.compat_v2.init_ops_v2",),
    "tensorflow.python.ops.logging_ops": ("tf1compat.api.contrib.deprecated",),
    "tensorflow.python.ops.lookup_ops": ("tf1compat.api.lookup.lookup_mutable",),
    "tensorflow.python.ops.nn_impl": (
        "tf1compat.api.nn.nn_average_loss",
        "tf1compat.api.nn.nn_convolution",
        "tf1compat.api.nn.nn_sampled",
    ),
    "tensorflow.python.ops.nn_ops": (
        "tf1compat.api.nn.nn_convolution",
        "tf1compat.api.nn.nn_conv3d",
        "tf1compat.api.nn.nn_pool",
    ),
    "tensorflow.python.ops.ragged.ragged_tensor": ("tf1compat.api.ragged.ragged_tensor_spec",),
    "tensorflow.python.ops.rnn_cell": ("tf1compat.api.rnn.rnn_cell_impl",),
    "tensorflow.python.ops.sets": ("tf1compat.api.array.sets_impl",),
    "tensorflow.python.ops.variables": ("tf1compat.api.variables.ref_variable",),
    "tensorflow.python.platform.googletest": ("tf1compat.api.platform.test",),
    **{
        f"tensorflow.python.saved_model.{name}": (f"tf1compat.api.saved_model.{name}_impl",)
        for name in ("builder", "loader", "main_op", "signature_def_utils", "utils")
    },
    "tensorflow.python.saved_model.saved_model": (
        "tf1compat.api.saved_model.simple_save",
        "tf1compat.api.saved_model.constants",
    ),
}

_ROOT = os.path.dirname(os.path.abspath(tf1compat.__file__))
_STAGES = ("core", "runtime", "formats")


def sources(module_name: str) -> tuple[str, ...]:
    """Our modules that a module of TF is made of, e.g. for "tensorflow.python.ops.math_ops"."""
    return _by_rule(module_name) + MAP.get(module_name, ())


def file_of(sources: Sequence[str]) -> str:
    """The file of a module of TF that is made of these of ours: the first one's.

    What has none, as a package that only contains others, is in the file of the package itself.
    """
    for source in sources:
        root, _, path = source.partition(".")
        if root == "tf1compat":
            return os.path.join(_ROOT, *path.split(".")) + ".py"
        file = getattr(sys.modules.get(source), "__file__", None)
        if file is not None:
            return file
    return os.path.join(_ROOT, "__init__.py")


def _by_rule(module_name: str) -> tuple[str, ...]:
    root, *parts = module_name.split(".")
    if root == "tensorflow_estimator":
        return _existing([".".join(("api", "estimator", *parts[2:]))] if len(parts) > 2 else [])
    area, *path = parts
    if not path:
        return ()
    name = path[-1]
    if name.endswith("_pb2"):
        return (*_existing([f"formats.{name}"]), f"tensorboard.compat.proto.{name}")
    if area == "contrib":
        path = [part for part in path if part != "python"]
        return _existing(".".join(("api.contrib", path[0], *path[i:])) for i in range(1, len(path)))
    if path[0] in ("keras", "estimator"):
        return _existing([".".join(("api", *path))])
    wanted = [".".join(("api", *path[i:])) for i in range(len(path))]
    if module_name not in api_names.packages():
        by_subject = (f"api.{subject}.{name}" for subject in SUBJECTS)
        wanted += [place for place in by_subject if place not in wanted]
        wanted += [f"{stage}.{name}" for stage in _STAGES]
    return _existing(wanted)


def is_generated(module_name: str) -> bool:
    """Whether TF generates the module (`gen_math_ops`) from op definitions: one function per op."""
    name = module_name.rpartition(".")[2]
    return re.fullmatch(r"gen_\w+_ops|training_ops|test_ops|xla_ops", name) is not None


def _existing(names) -> tuple[str, ...]:
    return tuple(f"tf1compat.{name}" for name in names if _is_module_file(name.split(".")))


def _is_module_file(parts: list[str]) -> bool:
    path = os.path.join(_ROOT, *parts)
    return os.path.isfile(path + ".py")
