"""How an Estimator trains and evaluates by a `tf.distribute.Strategy` (of
`tensorflow_estimator.python.estimator.estimator`)."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import os
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distribute import multi_worker_util
from tf1compat.api.distribute.distribute_lib import get_loss_reduction
from tf1compat.api.distribute.reduce_util import ReduceOp
from tf1compat.api.estimator import model_fn as model_fn_lib
from tf1compat.api.estimator import util
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import random_seed
from tf1compat.api.training import (
    basic_session_run_hooks,
    server_lib,
    session_run_hook,
    training_util,
)
from tf1compat.api.training.scaffold import Scaffold
from tf1compat.api.variables import variables
from tf1compat.core import nest, ops, protos
from tf1compat.core.session_interface import SessionInterface


@dataclasses.dataclass(frozen=True)
class Role:
    """What a process does for a training session.

    Attributes:
      master: the target of its session.
      is_chief: whether it initializes variables.
      writes: whether it writes checkpoints and summaries that others see.
      folder: of its checkpoints.
      session_config: a `ConfigProto`, or None.
    """

    master: str
    is_chief: bool
    writes: bool
    folder: str
    session_config: Any


_servers: dict[str, Any] = {}


def worker_of(strategy: Any) -> tuple[Any, str, int] | None:
    """The cluster, and the task in it, of a strategy whose workers each have a graph; None if it
    has no cluster."""
    return getattr(getattr(strategy, "extended", None), "worker", None)


def role(estimator: Any) -> Role:
    """What this process does when an Estimator trains. A worker of a strategy has a server, which
    is started when it is first asked for."""
    config, strategy = estimator._config, estimator._train_distribution
    worker = worker_of(strategy)
    if worker is None:
        is_chief = config.is_chief
        return Role(
            config.master, is_chief, is_chief, estimator._model_dir, estimator._session_config
        )
    cluster, task_type, task_id = worker
    options = protos.load("config_pb2", "ConfigProto")()
    options.CopyFrom(estimator._session_config or options)
    options = strategy.update_config_proto(options)
    target = _server(cluster, task_type, task_id, config.protocol).target
    is_chief, writes = (
        strategy.extended.experimental_should_init,
        strategy.extended.should_checkpoint,
    )
    folder = estimator._model_dir
    if is_chief and not writes:
        # Each saves: what it reads for that may be of all workers.
        folder = os.path.join(folder, f"tmp_{task_type}_{task_id}")
    return Role(target, is_chief, writes, folder, options)


def _server(cluster: Any, task_type: str, task_id: int, protocol: Any = None) -> Any:
    """The server of a task of this process; two estimators of a process are the same task."""
    name = f"{cluster.as_dict()} {task_type} {task_id}"
    if name not in _servers:
        _servers[name] = server_lib.Server(cluster, task_type, task_id, protocol=protocol)
    return _servers[name]


def task_of(strategy: Any, tf_config: dict[str, Any]) -> tuple[Any, str, int] | None:
    """The cluster in which a strategy trains, and the task of this process in it.

    Args:
      strategy: for training, or None.
      tf_config: what TF_CONFIG says.

    Returns:
      None where the strategy has no say: there is none, no cluster, or one with a master.
    """
    cluster, task = tf_config.get("cluster"), tf_config.get("task", {})
    if not strategy or not cluster or "master" in cluster:
        return None
    return server_lib.ClusterSpec(cluster), task.get("type"), int(task.get("index", 0))


def refuse_alone(config: Any, called: str) -> None:
    """Refuses a method that only `train_and_evaluate` may call in the cluster of a strategy.

    Args:
      config: of the Estimator.
      called: the name of the method.

    Raises:
      ValueError: there is such a cluster.
    """
    task = config._task_of_strategy
    if task is None:
        return
    if "evaluator" in task[0].jobs:
        raise ValueError("'evaluator' job is not supported if you don't use `train_and_evaluate`")
    raise ValueError(f"Only `STANDALONE_CLIENT` mode is supported when you call `{called}`")


def train_and_evaluate(
    estimator: Any, train_spec: Any, eval_spec: Any, make_executor: Callable[..., Any]
) -> None:
    """Does what this process is for in the cluster of a strategy.

    Args:
      estimator: an `Estimator` whose configuration has such a cluster.
      train_spec, eval_spec: see `tf.estimator.train_and_evaluate`.
      make_executor: makes what trains or evaluates, of these three.

    Raises:
      ValueError: TF_CONFIG names another kind of task.
    """
    cluster, task_type, task_id = estimator.config._task_of_strategy
    cluster.task_address(task_type, task_id)
    if task_type == "ps":
        _server(cluster, task_type, task_id, estimator.config.protocol).join()
        return
    is_evaluator = task_type == "evaluator"
    if not is_evaluator and task_type not in ("chief", "worker"):
        raise ValueError(f"Unexpected task_type: {task_type!r}")
    config = estimator._config = copy.copy(estimator.config)
    # The configuration that an Estimator shows is a copy, with copies of its strategies.
    estimator._train_distribution = config.train_distribute
    estimator._eval_distribution = config.eval_distribute
    strategy = config.eval_distribute if is_evaluator else config.train_distribute
    if strategy:
        strategy.configure(copy.deepcopy(config.session_config), cluster, task_type, task_id)
    jobs = cluster.as_dict()
    config._task_of_strategy = None
    config._task_type, config._task_id = task_type, task_id
    config._is_chief = multi_worker_util.is_chief(cluster, task_type, task_id)
    executor = make_executor(estimator, train_spec, eval_spec)
    if is_evaluator:
        config._num_ps_replicas = config._num_worker_replicas = 0
        executor.run_evaluator()
        return
    config._num_ps_replicas = len(jobs.get("ps", ()))
    config._num_worker_replicas = multi_worker_util.worker_count(cluster, task_type)
    config._global_id_in_cluster = multi_worker_util.id_in_cluster(cluster, task_type, task_id)
    logging.info("Updated config: %s", vars(config))
    executor._train(None)


def train(
    estimator: Any, input_fn: Callable[..., Any], hooks: list[Any], saving_listeners: list[Any]
) -> Any:
    """Trains by the strategy of an Estimator's configuration.

    Args:
      estimator: the `Estimator`.
      input_fn: returns a dataset; each element is for one replica.
      hooks: of the session.
      saving_listeners: `CheckpointSaverListener`s.

    Returns:
      The loss of the last step.
    """
    config = estimator._config
    strategy = config.train_distribute
    strategy.configure(config.session_config)
    with (
        ops.Graph().as_default() as graph,
        strategy.scope(),
        strategy._scale_loss_for_estimator_enabled(),
    ):
        random_seed.set_random_seed(config.tf_random_seed)
        iterator = strategy.make_input_fn_iterator(
            lambda context: estimator._call_input_fn(input_fn, ModeKeys.TRAIN, context)
        )
        global_step = estimator._create_and_assert_global_step(graph)
        ops.add_to_collection(
            training_util.GLOBAL_STEP_READ_KEY, strategy.extended.read_var(global_step)
        )
        features, labels = util.parse_iterator_result(iterator.get_next())
        specs = strategy.extended.call_for_each_replica(
            estimator._call_model_fn, args=(features, labels, ModeKeys.TRAIN, estimator.config)
        )
        reduce_op = ReduceOp.SUM
        if graph._is_loss_scaled_by_optimizer:
            reduce_op = get_loss_reduction()
        loss = strategy.reduce(reduce_op, specs.loss, axis=None)
        scaffold = _combined(specs.scaffold, strategy)

        def of_first(hooks: Any) -> list[Any]:
            return [strategy.experimental_local_results(hook)[0] for hook in hooks]

        spec = model_fn_lib.EstimatorSpec(
            mode=specs.mode, loss=loss, train_op=strategy.group(specs.train_op),
            training_hooks=of_first(specs.training_hooks),
            training_chief_hooks=of_first(specs.training_chief_hooks), scaffold=scaffold,
        )  # fmt: skip
        return estimator._train_with_estimator_spec(
            spec, [_InitializerHook(iterator)], hooks, global_step, saving_listeners
        )


@contextlib.contextmanager
def evaluating(strategy: Any) -> Iterator[None]:
    """The scope of a strategy for evaluation, if there is one."""
    if not strategy:
        yield
        return
    basic_session_run_hooks.get_or_create_steps_per_run_variable()
    with strategy.scope():
        yield


def evaluated(estimator: Any, input_fn: Callable[..., Any]) -> tuple[Any, list[Any]]:
    """What the model function gives for evaluation, of all replicas.

    Args:
      estimator: the `Estimator`, in the scope of its strategy for evaluation.
      input_fn: returns a dataset; each element is for one replica.

    Returns:
      (an `EstimatorSpec` of what the replicas give, hooks for the input).
    """
    strategy, mode = estimator._eval_distribution, ModeKeys.EVAL
    iterator = strategy.make_input_fn_iterator(
        lambda context: estimator._call_input_fn(input_fn, mode, context)
    )
    features, labels = util.parse_iterator_result(iterator.get_next())
    specs = strategy.extended.call_for_each_replica(
        estimator._call_model_fn, args=(features, labels, mode, estimator.config)
    )
    return specs, [_InitializerHook(iterator)]


def scaffold_and_hooks(specs: Any, strategy: Any) -> tuple[Scaffold, Any]:
    """The scaffold of all replicas, and the hooks for evaluation of the first one.

    Args:
      specs: as `evaluated` gave them.
      strategy: for evaluation.
    """
    scaffold = _combined(specs.scaffold, strategy)
    return scaffold, strategy.experimental_local_results(specs.evaluation_hooks)[0]


class _InitializerHook(session_run_hook.SessionRunHook):
    """Starts the iterator of a strategy."""

    def __init__(self, iterator: Any):
        self._iterator = iterator

    def begin(self) -> None:
        self._initializer = self._iterator.initialize()

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        session.run(self._initializer)


def _combined(scaffolds: Any, strategy: Any) -> Scaffold:
    """One scaffold from those of the replicas."""
    each = strategy.experimental_local_results(scaffolds)

    def given(name: str) -> list[Any]:
        return [value for value in (getattr(s, name) for s in each) if value is not None]

    def grouped(name: str) -> Any:
        return strategy.group(given(name)) if given(name) else None

    def joined(of_replica: Any) -> Any:
        value = strategy.extended.call_for_each_replica(of_replica, args=(scaffolds,))
        if value is None:
            return None
        parts = nest.flatten(strategy.experimental_local_results(value))
        return parts[0] if len(parts) == 1 else array_ops.concat(parts, 0)

    init_feed_dict, init_op = grouped("init_feed_dict"), grouped("init_op")
    ready_op = joined(lambda scaffold: scaffold.ready_op)
    ready_for_local_init_op = joined(_ready_for_local_init_op)
    return Scaffold(
        init_op=init_op, init_feed_dict=init_feed_dict,
        init_fn=next(iter(given("_user_init_fn")), None), ready_op=ready_op,
        ready_for_local_init_op=ready_for_local_init_op, local_init_op=grouped("local_init_op"),
        summary_op=grouped("summary_op"), saver=next(iter(given("saver")), None),
    )  # fmt: skip


def _ready_for_local_init_op(scaffold: Any) -> Any:
    if scaffold.ready_for_local_init_op is not None:
        return scaffold.ready_for_local_init_op
    return Scaffold.get_or_default(
        "ready_for_local_init_op",
        ops.GraphKeys.READY_FOR_LOCAL_INIT_OP,
        lambda: variables.report_uninitialized_variables(variables.global_variables()),
    )
