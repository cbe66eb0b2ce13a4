"""Parts of which estimators were made in 2016
(`tensorflow.contrib.learn.python.learn.estimators.composable_model`)."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.framework.checkpoint_utils import list_variables, load_variable
from tf1compat.api.contrib.layers import dense, feature_column_ops, optimizers
from tf1compat.api.contrib.learn.estimators import canned
from tf1compat.api.gradients import gradients_impl
from tf1compat.api.math import clip_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import partitioned_variables, variable_scope
from tf1compat.core import ops


def _partitioner(replicas: int, **sizes: int) -> Any:
    return partitioned_variables.min_max_variable_partitioner(max_partitions=replicas, **sizes)


class _ComposableModel:
    """A model's logits, and the step that trains it.

    Args:
      num_label_columns: how many logits there are.
      optimizer: an optimizer, a function that makes one, or a name; None for the default.
      gradient_clip_norm: the global norm to which gradients are clipped.
      num_ps_replicas: over how many parameter servers variables are cut.
      scope: the scope of the variables, and their collection.
      trainable: whether variables are trained.
    """

    @deprecated(None, "Please use model_fns in tf.estimator.")
    def __init__(
        self, num_label_columns: int, optimizer: Any, gradient_clip_norm: Any,
        num_ps_replicas: int, scope: Any, trainable: bool = True,
    ):  # fmt: skip
        self._num_label_columns = num_label_columns
        self._optimizer = optimizer
        self._gradient_clip_norm = gradient_clip_norm
        self._num_ps_replicas = num_ps_replicas
        self._scope = scope
        self._trainable = trainable
        self._feature_columns: Any = None

    def get_scope_name(self) -> str:
        """The name of the scope of its variables."""
        return self._scope

    def build_model(self, features: Any, feature_columns: Any, is_training: bool) -> Any:
        """Records the model.

        Args:
          features: {feature column: a tensor}.
          feature_columns: the columns.
          is_training: whether it is for training.

        Returns:
          The logits.
        """
        raise NotImplementedError

    def get_train_step(self, loss: Any) -> list[Any]:
        """Records a step of training.

        Args:
          loss: what to minimise.

        Returns:
          The operation, in a list; none if there is nothing to train.
        """
        variables = self._get_vars()
        if not variables and not self._get_feature_columns():
            return []
        found, limit = gradients_impl.gradients(loss, variables), self._gradient_clip_norm
        clipped = clip_ops.clip_by_global_norm(found, limit)[0] if limit else found
        step = self._get_optimizer().apply_gradients(zip(clipped, variables))
        return [step]

    def _get_feature_columns(self) -> Any:
        columns = self._feature_columns
        if columns:
            feature_column_ops.check_feature_columns(columns)
            return sorted({*columns}, key=operator.attrgetter("key"))
        return None

    def _get_vars(self) -> list[Any]:
        return ops.get_collection(self._scope) if self._get_feature_columns() else []

    def _get_optimizer(self) -> Any:
        if self._optimizer is None or isinstance(self._optimizer, str):
            return self._get_default_optimizer(self._optimizer)
        return self._optimizer() if callable(self._optimizer) else self._optimizer

    def _get_default_optimizer(self, optimizer_name: str | None = None) -> Any:
        raise NotImplementedError


class LinearComposableModel(_ComposableModel):
    """A linear model; see `_ComposableModel`.

    Args:
      _joint_weights: whether the weights of all columns are one variable.
    """

    def __init__(
        self, num_label_columns: int, optimizer: Any = None, _joint_weights: bool = False,
        gradient_clip_norm: Any = None, num_ps_replicas: int = 0, scope: Any = None,
        trainable: bool = True,
    ):  # fmt: skip
        super().__init__(
            num_label_columns, optimizer, gradient_clip_norm, num_ps_replicas, scope or "linear",
            trainable,
        )  # fmt: skip
        self._joint_weights = _joint_weights

    def get_weights(self, model_dir: str) -> Any:
        """The weights in a checkpoint: {name: an array}, or the array if there is one."""
        slots = f".*/{self._get_optimizer().get_name()}(_\\d)?$"
        names = [name for name, _ in list_variables(model_dir)]
        found = {
            name: load_variable(model_dir, name)
            for name in names
            if name.startswith(f"{self._scope}/")
            and name != f"{self._scope}/bias_weight"
            and not re.match(slots, name)
        }
        return next(iter(found.values())) if len(found) == 1 else found

    def get_bias(self, model_dir: str) -> Any:
        """The bias in a checkpoint."""
        return load_variable(model_dir, name=f"{self._scope}/bias_weight")

    def build_model(self, features: Any, feature_columns: Any, is_training: bool) -> Any:
        """See `_ComposableModel.build_model`."""
        self._feature_columns = feature_columns
        summed = feature_column_ops.weighted_sum_from_feature_columns
        if self._joint_weights:
            summed = feature_column_ops.joint_weighted_sum_from_feature_columns
        cut = _partitioner(self._num_ps_replicas, min_slice_size=canned.LARGE_SLICE)
        with variable_scope.variable_scope(
            self._scope, values=features.values(), partitioner=cut
        ) as scope:
            return summed(
                columns_to_tensors=features, feature_columns=self._get_feature_columns(),
                num_outputs=self._num_label_columns, weight_collections=[self._scope],
                trainable=self._trainable, scope=scope,
            )[0]  # fmt: skip

    def _get_default_optimizer(self, optimizer_name: str | None = None) -> Any:
        rate = min(0.2, 1.0 / math.sqrt(len(self._get_feature_columns())))
        return optimizers.OPTIMIZER_CLS_NAMES[optimizer_name or "Ftrl"](learning_rate=rate)


class DNNComposableModel(_ComposableModel):
    """A deep neural net; see `_ComposableModel`.

    Args:
      hidden_units: the sizes of its hidden layers.
      activation_fn: of each hidden layer.
      dropout: the part of a hidden layer that is dropped in training.
    """

    def __init__(
        self, num_label_columns: int, hidden_units: Any, optimizer: Any = None,
        activation_fn: Callable[..., Any] = nn_ops.relu, dropout: Any = None,
        gradient_clip_norm: Any = None, num_ps_replicas: int = 0, scope: Any = None,
        trainable: bool = True,
    ):  # fmt: skip
        super().__init__(
            num_label_columns, optimizer, gradient_clip_norm, num_ps_replicas, scope or "dnn",
            trainable,
        )  # fmt: skip
        self._hidden_units = hidden_units
        self._activation_fn = activation_fn
        self._dropout = dropout

    def _loaded(self, model_dir: str, kind: str) -> list[Any]:
        layers = [f"hiddenlayer_{i}" for i in range(len(self._hidden_units))]
        names = [f"{self._scope}/{layer}/{kind}" for layer in (*layers, "logits")]
        return [load_variable(model_dir, name=name) for name in names]

    def get_weights(self, model_dir: str) -> list[Any]:
        """The weights of each layer in a checkpoint."""
        return self._loaded(model_dir, "weights")

    def get_bias(self, model_dir: str) -> list[Any]:
        """The biases of each layer in a checkpoint."""
        return self._loaded(model_dir, "biases")

    def _add_hidden_layer_summary(self, value: Any, tag: str) -> None:
        canned.layer_summary("/")(value, tag)

    def build_model(self, features: Any, feature_columns: Any, is_training: bool) -> Any:
        """See `_ComposableModel.build_model`."""
        self._feature_columns = feature_columns
        cut = _partitioner(self._num_ps_replicas, min_slice_size=canned.LARGE_SLICE)
        with variable_scope.variable_scope(
            f"{self._scope}/input_from_feature_columns", values=features.values(), partitioner=cut
        ) as scope:
            net = feature_column_ops.input_from_feature_columns(
                features, self._get_feature_columns(), weight_collections=[self._scope],
                trainable=self._trainable, scope=scope,
            )  # fmt: skip
        for i, size in enumerate(self._hidden_units):
            net, name = self._layer(f"hiddenlayer_{i}", net, size, self._activation_fn, is_training)
            self._add_hidden_layer_summary(net, name)
        logits, _ = self._layer("logits", net, self._num_label_columns, None, False)
        self._add_hidden_layer_summary(logits, "logits")
        return logits

    def _layer(
        self, name: str, net: Any, size: int, activation_fn: Any, drops: bool
    ) -> tuple[Any, str]:
        """A layer's value, and its scope's name."""
        with variable_scope.variable_scope(
            f"{self._scope}/{name}", values=[net], partitioner=_partitioner(self._num_ps_replicas)
        ) as scope:
            net = dense.fully_connected(
                net, size, activation_fn=activation_fn, variables_collections=[self._scope],
                trainable=self._trainable, scope=scope,
            )  # fmt: skip
            if drops and self._dropout is not None:
                net = dense.dropout(net, keep_prob=1.0 - self._dropout)
        return net, scope.name

    def _get_default_optimizer(self, optimizer_name: str | None = None) -> Any:
        return optimizers.OPTIMIZER_CLS_NAMES[optimizer_name or "Adagrad"](learning_rate=0.05)
