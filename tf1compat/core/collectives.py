"""Operations that several devices or processes do together, and the processes that there are."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

REDUCE, GATHER, BROADCAST = "reduce", "gather", "broadcast"
# How values are joined that must all have one shape.
ALIKE = "alike"

# Who may take part: operations of one run, of all tasks of the session's cluster, or of all
# processes that a launcher started.
RUN, CLUSTER, WORLD = "run", "cluster", "world"


@dataclasses.dataclass(frozen=True)
class Member:
    """What one operation asks of a collective.

    Attributes:
      scope: RUN, CLUSTER or WORLD.
      group: who takes part: the same text for all of them.
      name: the collective, among those of the group.
      size: how many take part.
      who: which of them this one is: a device; in the WORLD it is the process.
      kind: REDUCE, GATHER (joined along the first dimension, in the order of the members), or
        BROADCAST.
      how: of a reduction: "sum", "mean", "product", "min" or "max"; of values to be joined: ALIKE,
        or "" where they may have other numbers of rows.
      before, after: what values are multiplied by before and after a reduction.
      dtype, shape: of a member of a broadcast that takes and gives nothing; None for others.
      root: the process that gives what all get; None where it is the one that brings a value.
    """

    scope: str
    group: str
    name: str
    size: int
    kind: str
    who: str = ""
    how: str = ""
    before: float = 1.0
    after: float = 1.0
    dtype: str | None = None
    shape: tuple[int, ...] | None = None
    root: int | None = None


def _missing(session: Any, members: Sequence[Member], values: Sequence[Any]) -> list[Any]:
    raise NotImplementedError("There is no runtime")


# Takes part in collectives: (session, members, their values as NumPy arrays or None) -> what each
# gets. Waits for all others. Set by the runtime.
exchange: Callable[[Any, Sequence[Member], Sequence[Any]], list[Any]] = _missing


@dataclasses.dataclass(frozen=True)
class World:
    """The processes that a launcher started to work together, as one of them sees it.

    Attributes:
      rank: the number of this one.
      size: how many there are.
      local_rank: its number among those on its machine.
      local_size: how many are on its machine.
      address: "host:port" of the first one; "" where there is no other.
    """

    rank: int = 0
    size: int = 1
    local_rank: int = 0
    local_size: int = 1
    address: str = ""

    @property
    def cross_size(self) -> int:
        """How many machines there are."""
        return -(-self.size // self.local_size)

    @property
    def cross_rank(self) -> int:
        """The number of this process's machine."""
        return self.rank // self.local_size


ADDRESS = "TF1COMPAT_WORLD_ADDRESS"
# What launchers set: the rank, how many there are, both on this machine, and what tells one job
# from others. Slurm's are those of a step: a batch script is not one of its processes.
_LAUNCHERS = (
    ("HOROVOD_RANK", "HOROVOD_SIZE", "HOROVOD_LOCAL_RANK", "HOROVOD_LOCAL_SIZE",
     "HOROVOD_GLOO_RENDEZVOUS_PORT"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE", "PMIX_NAMESPACE"),
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK",
     "MV2_COMM_WORLD_LOCAL_SIZE", "MPIRUN_ID"),
    ("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", "PMI_PORT"),
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE",
     "SLURM_JOB_ID"),
    ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_PORT"),
)  # fmt: skip
# Above those that systems give away by themselves.
_PORTS = range(61_440, 65_536)


def world_of(environment: Mapping[str, str]) -> World:
    """The processes that work together, as the launcher of this one says in the environment.

    Raises:
      ValueError: it says nothing sensible, or not where the first one is.
    """
    for rank_name, size_name, *local_names, job_name in _LAUNCHERS:
        if rank_name not in environment or size_name not in environment:
            continue
        rank, size = _number(environment, rank_name), _number(environment, size_name)
        local_rank, local_size = (
            _number(environment, name) if name in environment else default
            for name, default in zip(local_names, (rank, size), strict=True)
        )
        if not 0 <= rank < size or not 0 <= local_rank < local_size <= size:
            raise ValueError(
                f"{rank_name}={rank}, {size_name}={size}, {local_names[0]}={local_rank} and "
                f"{local_names[1]}={local_size} do not go together"
            )
        address = "" if size == 1 else _address(environment, job_name, local_size == size)
        return World(rank, size, local_rank, local_size, address)
    return World()


def _number(environment: Mapping[str, str], name: str) -> int:
    found = re.match(r"\d+", environment[name])  # Slurm says "2(x3)".
    if found is None:
        raise ValueError(f"{name} is {environment[name]!r}, and should be a number")
    return int(found[0])


def _address(environment: Mapping[str, str], job_name: str, is_near: bool) -> str:
    if ADDRESS in environment:
        return environment[ADDRESS]
    host = "localhost" if is_near else environment.get("MASTER_ADDR", "")
    if not host:
        raise ValueError(
            f"The processes are on several machines: set {ADDRESS} to the first one's host:port, "
            "in all of them"
        )
    # All of a job find the same port, and other jobs of the machine another one.
    job = f"{job_name} {environment.get(job_name, '')} {os.getuid() if is_near else ''}"
    digest = hashlib.sha256(job.encode()).digest()
    return f"{host}:{_PORTS[int.from_bytes(digest[:4], 'big') % len(_PORTS)]}"


class _Joined:
    """The world of this process, once it takes part."""

    world: World | None = None


_joined = _Joined()


def _no_runtime(world: World) -> None:
    raise NotImplementedError("There is no runtime")


# Begins, and ends, to take part in the world. Set by the runtime.
enter: Callable[[World], None] = _no_runtime
leave: Callable[[], None] = lambda: None  # noqa: E731


def join() -> World:
    """Takes part in the world of this process; waits for the others.

    Raises:
      ValueError: the environment says nothing sensible.
    """
    if _joined.world is None:
        world = world_of(os.environ)
        if world.size > 1:
            enter(world)
        _joined.world = world
    return _joined.world


def quit() -> None:
    """Takes part no more."""
    if _joined.world is not None and _joined.world.size > 1:
        leave()
    _joined.world = None


def world() -> World | None:
    """The world that this process takes part in, if it does."""
    return _joined.world
