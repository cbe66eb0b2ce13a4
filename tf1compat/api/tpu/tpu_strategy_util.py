"""Setting TPUs up (`tensorflow.python.tpu.tpu_strategy_util`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.distribute.cluster_resolver.tpu_cluster_resolver import TPUClusterResolver
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.tpu import tpu
from tf1compat.api.tpu.topology import Topology
from tf1compat.api.util import compat
from tf1compat.core import context, errors, protos
from tf1compat.core.device import DeviceSpec
from tf1compat.core.export import required, tf_export
from tf1compat.core.graph import Graph

# The systems that were set up, and what they are like.
_INITIALIZED_TPU_SYSTEMS: dict[str, Topology] = {}


@tf_export("tpu.experimental.initialize_tpu_system", "contrib.distribute.initialize_tpu_system")
def initialize_tpu_system(cluster_resolver: Any = None) -> Any:
    """Sets a system of TPUs up, by a session on its target.

    Args:
      cluster_resolver: a `TPUClusterResolver`; None for TPUs of this process.

    Returns:
      The `Topology` of the system.

    Raises:
      InvalidArgumentError: there are no TPUs, as in TF 1.15; no server here has any.
    """
    eager = context.executing_eagerly()
    job = None
    if cluster_resolver is None:
        device = DeviceSpec.from_string(context.thread.eager_device) if eager else None
        if device is not None and device.job is not None:
            job = f"{device.job}/replica:0/task:0"
        cluster_resolver = TPUClusterResolver("")
    assert isinstance(cluster_resolver, TPUClusterResolver)
    name = compat.as_text(cluster_resolver._tpu)
    if name in _INITIALIZED_TPU_SYSTEMS:
        logging.warning(
            "TPU system %s has already been initialized. Reinitializing the TPU can cause "
            "previously created variables on TPU to be lost."
        )
    logging.info("Initializing the TPU system: %s", name)
    if eager:
        if name not in ("", "local"):
            job = f"{cluster_resolver.get_job_name()}/replica:0/task:0"
        # In eager execution TF has no device to begin with.
        raise errors.InvalidArgumentError(
            None, None, f"Unable to find any devices for spec {tpu._system_device(job)}"
        )
    config = protos.load("config_pb2", "ConfigProto")(allow_soft_placement=True)
    cluster = cluster_resolver.cluster_spec()
    if cluster:
        config.cluster_def.CopyFrom(cluster.as_cluster_def())
    with Graph().as_default():
        session = required("Session")(config=config, target=cluster_resolver.master())
        with session:
            serialized = session.run(tpu.initialize_system())
    logging.info("Finished initializing TPU system.")
    found = _INITIALIZED_TPU_SYSTEMS[name] = Topology(serialized=serialized)
    return found
