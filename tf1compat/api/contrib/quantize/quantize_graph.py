"""Rewriting a graph so that it computes as its quantized form will."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.quantize import fold_batch_norms, quantize
from tf1compat.core import ops
from tf1compat.core.export import tf_export

_RULES = (
    "Adagrad AdagradDA Adam AddSign CenteredRMSProp Ftrl FtrlV2 Momentum PowerSign "
    "ProximalAdagrad ProximalGradientDescent RMSProp"
).split()
_NOT_SPARSE = ("Adam", "AddSign", "PowerSign")
_TRAINING = {
    *(f"Apply{rule}" for rule in (*_RULES, "GradientDescent")),
    *(f"ResourceApply{rule}" for rule in (*_RULES, "GradientDescent", "Adadelta")),
    *(f"SparseApply{rule}" for rule in _RULES if rule not in _NOT_SPARSE),
    *(f"ResourceSparseApply{rule}" for rule in _RULES if rule not in _NOT_SPARSE),
} - {"ResourceSparseApplyProximalGradientDescent"}


def _rewrite(
    input_graph: Any,
    is_training: bool,
    weight_bits: int = 8,
    activation_bits: int = 8,
    symmetric: bool = False,
    quant_delay: Any = None,
    freeze_bn_delay: Any = None,
    scope: Any = None,
) -> None:
    graph = ops.get_default_graph() if input_graph is None else input_graph
    found = _TRAINING.intersection(op.type for op in graph.get_operations())
    if found:
        raise ValueError(f"Training op found in graph, exiting {found}")
    with graph.as_default():
        fold_batch_norms.FoldBatchNorms(graph, is_training, freeze_bn_delay)
        quantize.Quantize(
            graph,
            is_training,
            weight_bits,
            activation_bits,
            symmetric,
            quant_delay=quant_delay,
            scope=scope,
        )


@tf_export("contrib.quantize.create_training_graph")
def create_training_graph(input_graph: Any = None, quant_delay: Any = 0) -> None:
    """Rewrites a graph for training: weights and activations as 8 bits will have them.

    Args:
      input_graph: by default the current one; without the operations of an optimizer.
      quant_delay: how many steps nothing is quantized at first.

    Raises:
      ValueError: the graph has an optimizer's operations.
    """
    _rewrite(input_graph, True, quant_delay=quant_delay)


@tf_export("contrib.quantize.create_eval_graph")
def create_eval_graph(input_graph: Any = None) -> None:
    """Rewrites a graph for evaluation, so that it reads what a training graph has learnt.

    Args:
      input_graph: by default the current one.

    Raises:
      ValueError: the graph has an optimizer's operations.
    """
    _rewrite(input_graph, False)


@tf_export("contrib.quantize.experimental_create_training_graph")
def experimental_create_training_graph(
    input_graph: Any = None,
    weight_bits: int = 8,
    activation_bits: int = 8,
    symmetric: bool = False,
    quant_delay: Any = 0,
    freeze_bn_delay: Any = None,
    scope: Any = None,
) -> None:
    """Rewrites a graph for training, with more to choose.

    Args:
      input_graph: by default the current one; without the operations of an optimizer.
      weight_bits: of weights.
      activation_bits: of activations.
      symmetric: whether ranges lie about 0.
      quant_delay: how many steps nothing is quantized at first.
      freeze_bn_delay: after how many steps batch normalization uses its moving averages.
      scope: only what is in this scope is quantized.

    Raises:
      ValueError: the graph has an optimizer's operations.
    """
    _rewrite(
        input_graph, True, weight_bits, activation_bits, symmetric, quant_delay, freeze_bn_delay,
        scope,
    )  # fmt: skip


@tf_export("contrib.quantize.experimental_create_eval_graph")
def experimental_create_eval_graph(
    input_graph: Any = None,
    weight_bits: int = 8,
    activation_bits: int = 8,
    symmetric: bool = False,
    quant_delay: Any = None,
    scope: Any = None,
) -> None:
    """Rewrites a graph for evaluation, with more to choose.

    Args: see `experimental_create_training_graph`.

    Raises:
      ValueError: the graph has an optimizer's operations.
    """
    _rewrite(input_graph, False, weight_bits, activation_bits, symmetric, quant_delay, scope=scope)
