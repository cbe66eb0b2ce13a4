"""`tf.contrib.eager`: what it has besides names of `tf` itself."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tf1compat.api.contrib.eager import callbacks, datasets, metrics, network, saver
from tf1compat.api.framework import test_decorators
from tf1compat.api.platform import app
from tf1compat.api.training.tracking import tracking, util
from tf1compat.api.variables import template
from tf1compat.api.variables.variable_scope import EagerVariableStore
from tf1compat.core.export import export_constant, required, tf_export

__all__ = ["callbacks", "datasets", "metrics", "network", "saver"]

for _name, _value in {
    "ASYNC": 1,
    "Checkpoint": util.CheckpointV1,
    "Checkpointable": tracking.AutoTrackable,
    "DEVICE_PLACEMENT_EXPLICIT": 0,
    "DEVICE_PLACEMENT_SILENT": 2,
    "DEVICE_PLACEMENT_WARN": 1,
    "EagerVariableStore": EagerVariableStore,
    "SYNC": 0,
    "metrics": metrics,
    "run": app.run,
    "run_all_tests_in_graph_and_eager_modes": test_decorators.run_all_in_graph_and_eager_modes,
    "run_test_in_graph_and_eager_modes": test_decorators.run_in_graph_and_eager_modes,
}.items():
    export_constant(f"contrib.eager.{_name}", _value)


@tf_export("contrib.eager.make_template")
def make_template(
    name_: str,
    func_: Any,
    create_scope_now_: bool = False,
    unique_name_: Any = None,
    custom_getter_: Any = None,
    create_graph_function_: bool = False,
    **kwargs: Any,
) -> Any:
    """As `tf.make_template`.

    Args:
      name_, func_, create_scope_now_, unique_name_, custom_getter_, **kwargs: as in
        `tf.make_template`.
      create_graph_function_: must be False in a graph.

    Returns:
      As `tf.make_template`.

    Raises:
      NotImplementedError: it is to be a graph function.
    """
    if create_graph_function_:
        raise NotImplementedError(
            "make_template(create_graph_function_=True) is not supported by tf1compat yet"
        )
    return template.make_template(
        name_, func_, create_scope_now_, unique_name_, custom_getter_, **kwargs
    )


@tf_export("contrib.eager.list_devices")
def list_devices() -> list[str]:
    """The names of the devices."""
    return [device.name for device in required("config.experimental.list_logical_devices")()]


@tf_export("contrib.eager.num_gpus")
def num_gpus() -> int:
    """How many GPUs there are."""
    return len(required("config.experimental.list_logical_devices")("GPU"))


@tf_export("contrib.eager.set_execution_mode")
def set_execution_mode(mode: Any) -> None:
    """Whether operations run one after the other (SYNC or None): other modes are not supported.

    Args:
      mode: SYNC, or None for the default, which is the same.

    Raises:
      ValueError: an unknown mode.
      NotImplementedError: ASYNC.
    """
    if mode not in (None, 0, 1):
        raise ValueError(f"mode should be None/SYNC/ASYNC. Got {mode}")
    if mode == 1:
        raise NotImplementedError("Asynchronous eager execution is not supported by tf1compat yet")


@tf_export("contrib.eager.execution_mode")
@contextlib.contextmanager
def execution_mode(mode: Any) -> Iterator[None]:
    """Context manager: as `set_execution_mode`, for a `with` block.

    Args:
      mode: as in `set_execution_mode`.

    Yields:
      Nothing, once, for the block.
    """
    set_execution_mode(mode)
    yield


@tf_export("contrib.eager.async_wait")
def async_wait() -> None:
    """Waits for operations that still run: there are none."""


@tf_export("contrib.eager.async_clear_error")
def async_clear_error() -> None:
    """Forgets errors of operations that ran asynchronously: there are none."""
