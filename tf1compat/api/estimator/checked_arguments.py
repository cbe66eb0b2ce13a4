"""What an estimator refuses, and makes of its configuration (a part of TF's estimator)."""

from __future__ import annotations

import tempfile
from typing import Any

from tf1compat.api.estimator import run_config
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import (
    checkpoint_management,
    device_setter,
    saving_hooks,
    session_run_hook,
)
from tf1compat.api.util import compat


def _assert_members_are_not_overridden(cls: type, obj: Any) -> None:
    if type(obj).__name__ == "TPUEstimator":
        return
    allowed = {
        "model_fn", "_create_and_assert_global_step", "_export_all_saved_models", "_tf_api_names",
        "_tf_api_names_v1", "_estimator_api_names", "_estimator_api_names_v1",
        "_estimator_api_constants", "_estimator_api_constants_v1",
    }  # fmt: skip
    members = {name for name in dir(cls) if not name.startswith("__")}
    common = members & set(vars(type(obj))) - allowed
    overridden = [name for name in common if getattr(cls, name) != getattr(type(obj), name)]
    if overridden:
        raise ValueError(
            f"Subclasses of Estimator cannot override members of Estimator. {type(obj)} does "
            f"override {overridden}"
        )


def maybe_overwrite_model_dir_and_session_config(config: Any, model_dir: Any) -> Any:
    """A configuration with a folder and a session's configuration.

    Raises:
      ValueError: it is no `RunConfig`, or has another folder.
    """
    if config is None:
        config = run_config.RunConfig()
        logging.info("Using default config.")
    if not isinstance(config, run_config.RunConfig):
        raise ValueError(f"config must be an instance of `RunConfig`, but provided {config}.")
    if config.session_config is None:
        config = config.replace(session_config=run_config.get_default_session_config())
    model_dir = compat.path_to_str(model_dir)
    if model_dir is not None and config.model_dir is not None and config.model_dir != model_dir:
        raise ValueError(
            "`model_dir` are set both in constructor and `RunConfig`, but with different values. "
            f"In constructor: '{model_dir}', in `RunConfig`: '{config.model_dir}' "
        )
    if model_dir:
        return config.replace(model_dir=model_dir)
    if config.model_dir is None:
        model_dir = tempfile.mkdtemp()
        logging.warning("Using temporary folder as model directory: %s", model_dir)
        return config.replace(model_dir=model_dir)
    return config


def _check_checkpoint_available(model_dir: str) -> None:
    if not checkpoint_management.latest_checkpoint(model_dir):
        raise ValueError(f"Could not find trained model in model_dir: {model_dir}.")


def _check_hooks_type(hooks: Any) -> list[Any]:
    hooks = list(hooks or [])
    for hook in hooks:
        if not isinstance(hook, session_run_hook.SessionRunHook):
            raise TypeError(f"Hooks must be a SessionRunHook, given: {hook}")
    return hooks


def _check_listeners_type(saving_listeners: Any) -> list[Any]:
    listeners = list(saving_listeners or [])
    for listener in listeners:
        if not isinstance(listener, saving_hooks.CheckpointSaverListener):
            raise TypeError(
                f"saving_listeners must be a list of CheckpointSaverListener, given: {listener}"
            )
    return listeners


def _get_replica_device_setter(config: Any) -> Any:
    """Where variables and operations of a cluster are put; None without parameter servers."""
    if config.num_ps_replicas <= 0:
        return None
    worker = "/job:worker"
    if config.task_type:
        worker = f"/job:{config.task_type}/task:{config.task_id}"
    return device_setter.replica_device_setter(
        ps_tasks=config.num_ps_replicas, worker_device=worker, merge_devices=True,
        ps_ops=list(device_setter.STANDARD_PS_OPS), cluster=config.cluster_spec,
    )  # fmt: skip
