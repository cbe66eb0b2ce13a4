"""`tensorflow.python.distribute.multi_worker_util`: what a task is in its cluster."""

from __future__ import annotations

from typing import Any

from tf1compat.api.distribute.distribute_coordinator_context import get_current_worker_context
from tf1compat.api.training import server_lib
from tf1compat.core import protos

_TYPES = ("chief", "worker", "evaluator", "ps")


def normalize_cluster_spec(cluster_spec: Any) -> Any:
    """A `ClusterSpec` of a dict, a `ClusterDef` or a `ClusterSpec`.

    Raises:
      ValueError: it is none of them.
    """
    if isinstance(cluster_spec, dict | protos.load("cluster_pb2", "ClusterDef")):
        return server_lib.ClusterSpec(cluster_spec)
    if not isinstance(cluster_spec, server_lib.ClusterSpec):
        raise ValueError(
            "`cluster_spec' should be dict or a `tf.train.ClusterSpec` or a "
            "`tf.train.ClusterDef` object"
        )
    return cluster_spec


def _tasks(cluster_spec: Any, task_type: str | None, task_id: Any) -> dict[str, list[str]]:
    """The addresses of a cluster's jobs, once it is sure that the task is one of it.

    Raises:
      ValueError: it is not.
    """
    if cluster_spec is None or task_type is None or task_id is None:
        raise ValueError("None of `cluster_spec`, `task_type`, and `task_id` should be `None`.")
    jobs = normalize_cluster_spec(cluster_spec).as_dict()
    if task_type not in _TYPES:
        raise ValueError(
            f"Unrecognized task_type: {task_type!r}, valid task types are: "
            '"chief", "worker", "evaluator" and "ps".'
        )
    if task_type not in jobs:
        raise ValueError(f"`task_type` {task_type!r} not found in cluster_spec.")
    for job in ("chief", "evaluator"):
        if len(jobs.get(job, ())) > 1:
            raise ValueError(f"There must be at most one '{job}' job.")
    if task_id >= len(jobs[task_type]):
        raise ValueError(f"The `task_id` {task_id} exceeds the maximum id of {task_type}.")
    return jobs


def is_chief(cluster_spec: Any = None, task_type: str | None = None, task_id: Any = None) -> bool:
    """Whether a task is the first of those that do the same: it saves what all have.

    In a function that `run_distribute_coordinator` calls, it is that worker that is asked for.

    Raises:
      ValueError: the task is none of the cluster.
    """
    if has_worker_context():
        return get_current_worker_context().is_chief
    jobs = _tasks(cluster_spec, task_type, task_id)
    if task_type in ("chief", "evaluator"):
        return True
    return "chief" not in jobs and (task_type, task_id) == ("worker", 0)


def collective_leader(cluster_spec: Any, task_type: str, task_id: Any) -> str:
    """The task at which the members of collectives find each other; "" where there are no others.

    Raises:
      ValueError: the task is none of the cluster.
    """
    jobs = _tasks(cluster_spec, task_type, task_id)
    if task_type == "evaluator" or sum(len(jobs.get(job, ())) for job in ("chief", "worker")) < 2:
        return ""
    return f"/job:{'chief' if 'chief' in jobs else 'worker'}/replica:0/task:0"


def worker_count(cluster_spec: Any, task_type: str) -> int:
    """How many tasks train together with one of a type.

    Raises:
      ValueError: there is no such type, or it does not train.
    """
    jobs = _tasks(cluster_spec, task_type, 0)
    if task_type not in ("chief", "worker", "evaluator"):
        raise ValueError(f"Unexpected `task_type` {task_type!r}")
    if task_type == "evaluator":
        return len(jobs["evaluator"])
    return len(jobs.get("chief", ())) + len(jobs.get("worker", ()))


def id_in_cluster(cluster_spec: Any, task_type: str, task_id: Any) -> int:
    """The number of a task among those that train together; the chief is the first.

    Raises:
      ValueError: the task is none of the cluster, or does not train.
    """
    jobs = _tasks(cluster_spec, task_type, task_id)
    if task_type == "ps":
        raise ValueError("There is no id for task_type 'ps'")
    return task_id + (len(jobs.get("chief", ())) if task_type == "worker" else 0)


def has_worker_context() -> bool:
    """Whether `run_distribute_coordinator` calls the function that runs."""
    return get_current_worker_context() is not None


# Of the worker that it calls it for.


def should_save_checkpoint() -> bool:
    """Whether it writes checkpoints."""
    return get_current_worker_context().should_checkpoint


def should_load_checkpoint() -> bool:
    """Whether it reads checkpoints."""
    return get_current_worker_context().experimental_should_init


def wait_for_other_workers() -> None:
    """Waits until all workers have called this."""
    get_current_worker_context().wait_for_other_workers()
