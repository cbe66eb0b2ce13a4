"""`tf.contrib.estimator`: estimators and optimizers made of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.estimator import estimator as estimator_lib
from tf1compat.api.estimator import extenders
from tf1compat.api.estimator import model_fn as model_fn_lib
from tf1compat.api.estimator.canned import dnn, linear
from tf1compat.api.estimator.export import export, export_output
from tf1compat.api.math import clip_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.api.training import optimizer as optimizer_lib
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.sparse_tensor import SparseTensor, convert_to_tensor_or_sparse_tensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

add_metrics = extenders.add_metrics
call_logit_fn = model_fn_lib.call_logit_fn
dnn_logit_fn_builder = dnn.dnn_logit_fn_builder
linear_logit_fn_builder = linear.linear_logit_fn_builder
build_raw_supervised_input_receiver_fn = export.build_raw_supervised_input_receiver_fn
build_supervised_input_receiver_fn_from_input_fn = (
    export.build_supervised_input_receiver_fn_from_input_fn
)

for _function in (
    add_metrics,
    call_logit_fn,
    dnn_logit_fn_builder,
    linear_logit_fn_builder,
    build_raw_supervised_input_receiver_fn,
    build_supervised_input_receiver_fn_from_input_fn,
):
    export_constant(f"contrib.estimator.{_function.__name__}", _function)


@tf_export("contrib.estimator.clip_gradients_by_norm")
def clip_gradients_by_norm(optimizer: Any, clip_norm: Any) -> Any:
    """An optimizer that clips its gradients by their global norm.

    Args:
      optimizer: a `tf.train.Optimizer`.
      clip_norm: the norm.

    Returns:
      A `tf.train.Optimizer`, which applies them by the given one.
    """

    def clip(grads_and_vars: Any) -> Any:
        gradients, variables = zip(*grads_and_vars, strict=True)
        clipped = clip_ops.clip_by_global_norm(gradients, clip_norm)[0]
        return list(zip(clipped, variables, strict=True))

    return _TransformGradients(optimizer, clip, name="ClipByNorm" + optimizer.get_name())


class _TransformGradients(optimizer_lib.Optimizer):
    """An optimizer that changes gradients before it applies them.

    Args:
      optimizer: the optimizer.
      transform_grads_fn: a function of (gradient, variable) pairs that gives others.
      name: the optimizer's name.
    """

    def __init__(self, optimizer: Any, transform_grads_fn: Callable[[Any], Any], name: Name = None):
        super().__init__(use_locking=False, name=name or optimizer.get_name())
        self._optimizer = optimizer
        self._transform_grads_fn = transform_grads_fn

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """The optimizer's."""
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: TensorLike | None = None, name: Name = None
    ) -> Any:
        """Applies the changed gradients."""
        changed = self._transform_grads_fn(grads_and_vars)
        return self._optimizer.apply_gradients(changed, global_step, name)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """The optimizer's."""
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """The optimizer's."""
        return self._optimizer.get_slot_names(*args, **kwargs)


def _checked_keys(keys: Any) -> Any:
    if keys is None:
        return None
    if isinstance(keys, str):
        return [keys]
    if not isinstance(keys, list | tuple):
        raise TypeError(f"keys should be either a string or a list of strings. Given: {type(keys)}")
    for key in keys:
        if not isinstance(key, str):
            raise TypeError(
                "All items in the given keys list should be a string. There exist an item with "
                f"type: {type(key)}"
            )
    return keys


def _check_forwarded(keys: Any, features: Any, predictions: Any) -> None:
    if not isinstance(predictions, dict):
        raise ValueError(
            "Predictions should be a dict to be able to forward features. Given: "
            f"{type(predictions)}"
        )
    for key in keys:
        if key not in features:
            raise ValueError(
                f'keys should be exist in features. Key "{key}" is not in features dict. features '
                f"dict has following keys: {features.keys()}. Please check arguments of "
                "forward_features."
            )
        if key in predictions:
            raise ValueError(
                f"Cannot forward feature key ({key}). Since it does exist in predictions. Existing "
                f"prediction keys: {predictions.keys()}. Please check arguments of "
                "forward_features."
            )


def _as_prediction(key: Any, feature: Any, default_values: Any) -> Any:
    feature = convert_to_tensor_or_sparse_tensor(feature)
    if default_values and key in default_values:
        if not isinstance(feature, SparseTensor):
            raise ValueError(f"Feature ({key}) is expected to be a `SparseTensor`.")
        feature = sparse_ops.sparse_tensor_to_dense(feature, default_value=default_values[key])
    if not isinstance(feature, Tensor):
        raise ValueError(
            f"Feature ({key}) should be a Tensor. Please use `keys` argument of forward_features "
            "to filter unwanted features, oradd key to argument `sparse_default_values`.Type of "
            f"features[{key}] is {type(feature)}."
        )
    return feature


@tf_export("contrib.estimator.forward_features")
def forward_features(estimator: Any, keys: Any = None, sparse_default_values: Any = None) -> Any:
    """An estimator that has features among its predictions.

    Args:
      estimator: the estimator.
      keys: the features' names; all by default.
      sparse_default_values: {name: what fills a sparse feature}.

    Returns:
      A new estimator with the same folder and configuration.

    Raises:
      TypeError: `keys` are no strings.
      ValueError: a feature is not there, or a prediction already (when the model is called).
    """
    keys = _checked_keys(keys)

    def new_model_fn(features: Any, labels: Any, mode: Any, config: Any) -> Any:
        spec = estimator.model_fn(features, labels, mode, config)
        predictions = spec.predictions
        if predictions is None:
            return spec
        wanted = features.keys() if keys is None else keys
        _check_forwarded(wanted, features, predictions)
        for key in wanted:
            predictions[key] = _as_prediction(key, features[key], sparse_default_values)
        spec = spec._replace(predictions=predictions)
        for name in ("predict", "serving_default"):
            output = (spec.export_outputs or {}).get(name)
            if isinstance(output, export_output.PredictOutput):
                for key in wanted:
                    output.outputs[key] = predictions[key]
        return spec

    return estimator_lib.Estimator(new_model_fn, estimator.model_dir, estimator.config)


@tf_export("contrib.estimator.export_saved_model_for_mode")
@deprecated("2018-12-03", "Use estimator.export_saved_model(*args, experimental_mode=...)")
def export_saved_model_for_mode(
    estimator: Any, export_dir_base: str, input_receiver_fn: Any, assets_extra: Any = None,
    as_text: bool = False, checkpoint_path: str | None = None,
    mode: Any = model_fn_lib.ModeKeys.PREDICT,
) -> Any:  # fmt: skip
    """See `Estimator.export_saved_model`.

    Args:
      estimator: an `Estimator`.
      export_dir_base, input_receiver_fn, assets_extra, as_text, checkpoint_path: as in
        `Estimator.export_saved_model`.
      mode: a `ModeKeys`.

    Returns:
      The path of the SavedModel, as bytes.
    """
    return estimator.export_saved_model(
        export_dir_base, input_receiver_fn, assets_extra=assets_extra, as_text=as_text,
        checkpoint_path=checkpoint_path, experimental_mode=mode,
    )  # fmt: skip


@tf_export("contrib.estimator.export_all_saved_models")
@deprecated("2018-12-03", "Use estimator.experimental_export_all_saved_models")
def export_all_saved_models(
    estimator: Any, export_dir_base: str, input_receiver_fn_map: Any, assets_extra: Any = None,
    as_text: bool = False, checkpoint_path: str | None = None,
) -> Any:  # fmt: skip
    """See `Estimator.experimental_export_all_saved_models`.

    Args:
      estimator: an `Estimator`.
      export_dir_base, assets_extra, as_text, checkpoint_path: as in `Estimator.export_saved_model`.
      input_receiver_fn_map: {a `ModeKeys`: its input receiver function}.

    Returns:
      The path of the SavedModel, as bytes.
    """
    return estimator.experimental_export_all_saved_models(
        export_dir_base, input_receiver_fn_map, assets_extra=assets_extra, as_text=as_text,
        checkpoint_path=checkpoint_path,
    )  # fmt: skip
