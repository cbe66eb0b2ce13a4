"""The metrics of models (of `tensorflow.python.keras.engine.training`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras import backend
from tf1compat.api.keras import metrics as metrics_module
from tf1compat.api.keras.distribute import distributed_training_utils
from tf1compat.api.keras.engine import training_utils
from tf1compat.api.training.tracking import layer_utils as trackable_layer_utils


class ModelMetrics:
    """The part of a model that names its metrics, records them and sets them back."""

    layers: Any
    loss_functions: Any
    output_names: Any
    outputs: Any
    _compile_metric_functions: Any
    _is_compiled: bool
    _layers: Any
    _metrics: Any
    _per_output_metrics: Any
    _per_output_weighted_metrics: Any
    _set_private: Any
    _training_endpoints: Any

    @property
    def metrics(self) -> list[Any]:
        """The metrics of `compile` and those that layers added."""
        found = list(self._compile_metric_functions) if self._is_compiled else []
        found.extend(self._metrics)
        found.extend(_get_metrics_from_layers(self._layers))
        return found

    @property
    def metrics_names(self) -> list[str]:
        """The names of what training and evaluation give."""
        names: list[Any] = ["loss"]
        if self._is_compiled:
            if len(self._training_endpoints) > 1:
                names.extend(
                    e.loss_name() for e in self._training_endpoints if not e.should_skip_target()
                )
            names.extend(m.name for m in self._compile_metric_functions)
        for layer in self.layers:
            names += [m.name for m in layer._metrics]
        return names + [m.name for m in self._metrics]

    def reset_metrics(self) -> None:
        """Sets all metrics to 0."""
        for metric in self._get_training_eval_metrics():
            metric.reset_states()
        distributed_training_utils.reset_metrics(self)

    def _get_training_eval_metrics(self) -> list[Any]:
        endpoints = getattr(self, "_training_endpoints", ())
        found = [e.output_loss_metric for e in endpoints if e.output_loss_metric is not None]
        return found + self.metrics

    def _cache_output_metric_attributes(self, metrics: Any, weighted_metrics: Any) -> None:
        shapes = [
            None if output is None or output.shape.ndims is None else output.shape.as_list()
            for output in self.outputs
        ]
        collect = training_utils.collect_per_output_metric_info
        args = self.output_names, shapes, self.loss_functions
        self._set_private("_per_output_metrics", collect(metrics, *args))
        self._set_private(
            "_per_output_weighted_metrics", collect(weighted_metrics, *args, is_weighted=True)
        )

    def _unique_metric_name(self, name: str, output_index: int) -> str:
        if len(self.output_names) > 1:
            name = f"{self.output_names[output_index]}_{name}"
        proposal, number = name, 1
        while proposal in self.metrics_names:
            proposal = f"{name}_{number}"
            number += 1
        return proposal

    def _set_metric_attributes(self) -> None:
        """Gives metrics names that differ."""

        def named(metrics: dict[str, Any], index: int) -> dict[str, Any]:
            found = {}
            for name, metric in metrics.items():
                name = self._unique_metric_name(name, index)
                metric._name = name
                found[name] = metric
                self._compile_metric_functions.append(metric)
            return found

        plain, weighted = list(self._per_output_metrics), list(self._per_output_weighted_metrics)
        for i, endpoint in enumerate(self._training_endpoints):
            if not endpoint.should_skip_target():
                plain[i] = named(plain[i], i)
                weighted[i] = named(weighted[i], i)
        if len(self._training_endpoints) > 1:
            for endpoint in self._training_endpoints:
                if not endpoint.should_skip_target():
                    endpoint.output_loss_metric = metrics_module.Mean(name=endpoint.loss_name())
        self._set_private("_per_output_metrics", plain)
        self._set_private("_per_output_weighted_metrics", weighted)

    def _handle_metrics(
        self, outputs: Any, targets: Any = None, skip_target_masks: Any = None,
        sample_weights: Any = None, masks: Any = None, return_weighted_metrics: bool = False,
    ) -> None:  # fmt: skip
        """Records the metrics of all outputs: either those with weights or those without."""
        skip = skip_target_masks or [False] * len(outputs)
        metrics = self._per_output_metrics
        if return_weighted_metrics:
            metrics = self._per_output_weighted_metrics
        with backend.name_scope("metrics"):
            for i, output in enumerate(outputs):
                if skip[i]:
                    continue
                for name, metric in metrics[i].items():
                    with backend.name_scope(name):
                        training_utils.call_metric_function(
                            metric,
                            targets[i] if targets else None,
                            output,
                            weights=sample_weights[i] if sample_weights else None,
                            mask=masks[i] if masks else None,
                        )


def _get_metrics_from_layers(layers: Any) -> list[Any]:
    found: list[Any] = []
    for layer in trackable_layer_utils.filter_empty_layer_containers(layers):
        if isinstance(layer, ModelMetrics):
            found.extend(layer._metrics)
            found.extend(_get_metrics_from_layers(layer.layers))
        else:
            found.extend(layer.metrics)
    return found
