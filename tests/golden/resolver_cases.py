"""Clusters that Slurm, Kubernetes and Google Compute Engine describe; what they answer is made up.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_resolvers.py`.
"""

from __future__ import annotations

import contextlib
import os
from types import SimpleNamespace as Answer

from case_runs import Case

_KEYS = ("SLURM_", "OMPI_", "CUDA_VISIBLE_DEVICES")


@contextlib.contextmanager
def _environment(settings):
    before = dict(os.environ)
    for key in [key for key in os.environ if key.startswith(_KEYS)]:
        del os.environ[key]
    os.environ.update(settings)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _said(resolver):
    return [
        resolver.cluster_spec().as_dict(),
        resolver.master(),
        resolver.master("worker", 1),
        resolver.master("worker", 0, rpc_layer="test"),
        (resolver.task_type, resolver.task_id, resolver.rpc_layer),
    ]


class _Said(Case):
    def run(self, tf):
        return []


# ---- Slurm ----------


def _slurm(settings, hosts=("t01", "t02"), **arguments):
    def make(tf):
        class Resolver(tf.distribute.cluster_resolver.SlurmClusterResolver):
            def _resolve_hostnames(self):
                return list(hosts)

        return Resolver(**arguments)

    def record(tf):
        with _environment(settings):
            resolver = make(tf)
            said = [resolver.get_task_info()] + _said(resolver)
            said += [resolver.get_task_info(), resolver.num_accelerators()]
            return _Said(said=said + [os.environ.get("CUDA_VISIBLE_DEVICES")])

    return record


def _ranks(rank, size, **more):
    return dict(more, SLURM_PROCID=str(rank), SLURM_NTASKS=str(size))


_JOBS = {"worker": 3, "ps": 1}
SLURM = {
    "each_node": _slurm(_ranks(3, 4), ("a", "b", "c", "d"), jobs=_JOBS, tasks_per_node=1),
    "two_a_node": _slurm(
        _ranks(2, 4, SLURM_NTASKS_PER_NODE="2"), jobs=_JOBS, gpus_per_node=4, gpus_per_task=2
    ),
    "first": _slurm(
        _ranks(0, 4, SLURM_NTASKS_PER_NODE="2"), jobs=_JOBS, gpus_per_node=2, port_base=99,
        auto_set_gpu=False, rpc_layer="other",
    ),
    "of_open_mpi": _slurm(
        {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "4"}, jobs=_JOBS, tasks_per_node=2,
        gpus_per_node=2,
    ),
}  # fmt: skip


# ---- Kubernetes ----------


class _Pods:
    def __init__(self, phase="Running"):
        self._phase = phase

    def list_pod_for_all_namespaces(self, label_selector):
        return Answer(
            items=[
                Answer(
                    metadata=Answer(name="%s-%d" % (label_selector, i)),
                    status=Answer(phase=self._phase, host_ip="10.1.2.%d" % i),
                )
                for i in (2, 1)
            ]
        )


def _kubernetes(phase="Running", **arguments):
    def record(tf):
        kind = tf.distribute.cluster_resolver.KubernetesClusterResolver
        return _Said(said=_said(kind(override_client=_Pods(phase), **arguments)))

    return record


# ---- Google Compute Engine ----------


class _Engine:
    """Answers in two parts."""

    def instanceGroups(self):
        return self

    def instances(self):
        return self

    def listInstances(self, **asked):
        return _Request({"items": [{"instance": "https://x/y/7"}, {"instance": "https://x/y/3"}]})

    def listInstances_next(self, previous_request, previous_response):
        last = {"items": [{"instance": "https://x/y/5"}]}
        return None if previous_response == last else _Request(last)

    def get(self, instance, **asked):
        return _Request({"networkInterfaces": [{"networkIP": "10.1.2." + instance}]})


class _Request:
    def __init__(self, answer):
        self._answer = answer

    def execute(self):
        return self._answer


def _engine(tf, **arguments):
    return tf.distribute.cluster_resolver.GCEClusterResolver(
        "project", "zone", "group", 8470, credentials=None, service=_Engine(), **arguments
    )


def _of_engine(**arguments):
    return lambda tf: _Said(said=_said(_engine(tf, **arguments)))


def _reset(tf):
    _engine(tf).task_type = "ps"


CASES = {
    "slurm": SLURM,
    "kubernetes": {
        "usual": _kubernetes(),
        "jobs": _kubernetes(
            job_to_label_mapping={"worker": ["a", "b"], "ps": ["c"]}, tf_server_port=1
        ),
    },
    "engine": {"usual": _of_engine(), "task": _of_engine(task_id=2, rpc_layer=None)},
}
MISTAKES = {
    "slurm": {
        "no_count": _slurm(_ranks(0, 4), jobs=_JOBS),
        "gpus": _slurm(_ranks(0, 4), jobs=_JOBS, tasks_per_node=2),
        "tasks": _slurm(_ranks(0, 3), jobs=_JOBS, tasks_per_node=1),
    },
    "kubernetes": {
        "phase": _kubernetes("Pending"),
        "no_client": lambda tf: tf.distribute.cluster_resolver.KubernetesClusterResolver(),
    },
    "engine": {
        "task_type": _reset,
        "no_client": lambda tf: tf.distribute.cluster_resolver.GCEClusterResolver("p", "z", "g", 1),
    },
}
