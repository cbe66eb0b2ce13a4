"""Who takes part: `horovod.common.basics` and `process_sets`."""

from __future__ import annotations

from typing import Any

from tf1compat.core import collectives
from tf1compat.core.collectives import World

Average, Sum, Adasum, Min, Max, Product = range(6)


def init(comm: Any = None, process_sets: Any = None) -> None:
    """Takes part among the processes that the launcher of this one started, and waits for them.

    Args:
      comm: None; some of the processes only are not supported.
      process_sets: None or empty.

    Raises:
      NotImplementedError: something else was given.
      ValueError: the launcher's environment says nothing sensible.
    """
    if comm or process_sets:
        raise NotImplementedError(
            "hvd.init with `comm` or `process_sets`: not supported by tf1compat"
        )
    collectives.join()


def shutdown() -> None:
    """Takes part no more."""
    collectives.quit()


def is_initialized() -> bool:
    """Whether this process takes part."""
    return collectives.world() is not None


def _world() -> World:
    found = collectives.world()
    if found is None:
        raise ValueError("Horovod has not been initialized; use hvd.init().")
    return found


def size() -> int:
    """How many processes there are.

    Raises:
      ValueError: before `init`; so do all of these.
    """
    return _world().size


def rank() -> int:
    """The number of this process."""
    return _world().rank


def local_size() -> int:
    """How many processes are on this machine."""
    return _world().local_size


def local_rank() -> int:
    """The number of this process among those on its machine."""
    return _world().local_rank


def cross_size() -> int:
    """How many machines there are."""
    return _world().cross_size


def cross_rank() -> int:
    """The number of this machine."""
    return _world().cross_rank


def is_homogeneous() -> bool:
    """Whether all machines have equally many processes."""
    return _world().size == _world().local_size * _world().cross_size


def mpi_threads_supported() -> bool:
    """Whether MPI may be used by several threads beside it: there is none."""
    _world()
    return False


def _never() -> bool:
    """Whether this was built in: gRPC carries everything."""
    return False


mpi_enabled = mpi_built = gloo_enabled = gloo_built = _never
ddl_built = ccl_built = cuda_built = rocm_built = _never


def nccl_built() -> int:
    """The version of NCCL that was built in: none."""
    return 0


class ProcessSet:
    """Some of the processes: here always all of them.

    Args:
      ranks: None.

    Raises:
      NotImplementedError: some only are asked for.
    """

    process_set_id = 0

    def __init__(self, ranks: Any = None):
        if ranks is not None:
            raise NotImplementedError(
                "hvd.ProcessSet of some processes: not supported by tf1compat"
            )

    @property
    def ranks(self) -> list[int]:
        """Their numbers."""
        return list(range(size()))

    def size(self) -> int:
        """How many there are."""
        return size()

    def rank(self) -> int:
        """The number of this one."""
        return rank()

    def included(self) -> bool:
        """Whether this one is among them."""
        return True


global_process_set = ProcessSet()


def chosen_reduction(op: Any, average: Any) -> int:
    """The reduction that the arguments `op` and the older `average` ask for.

    Raises:
      ValueError: both are given.
      NotImplementedError: Adasum is asked for.
    """
    if op is not None and average is not None:
        raise ValueError("The op parameter supersedes average. Please provide only one of them.")
    if average is not None:
        return Average if average else Sum
    if op is None:
        return Average
    if op == Adasum:
        raise NotImplementedError("hvd.Adasum is not supported by tf1compat")
    return op
