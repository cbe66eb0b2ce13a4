"""How long nodes ran (`tensorflow.python.debug.lib.profiling`)."""

from __future__ import annotations

from typing import Any


class ProfileDatum:
    """How long a node ran once, in microseconds.

    Args:
      device_name: where it ran.
      node_exec_stats: the `NodeExecStats`.
      file_path, line_number, func_name: the line that recorded it.
      op_type: its type.
    """

    def __init__(
        self, device_name: str, node_exec_stats: Any, file_path: str, line_number: int,
        func_name: str, op_type: str,
    ):  # fmt: skip
        self.device_name = device_name
        self.node_exec_stats = node_exec_stats
        self.file_path = file_path
        self.line_number = line_number
        self.func_name = func_name
        self.op_type = op_type
        self.start_time: int = node_exec_stats.all_start_micros
        #: What the computation itself took.
        self.op_time: int = node_exec_stats.op_end_rel_micros - node_exec_stats.op_start_rel_micros

    @property
    def exec_time(self) -> int:
        """What all of it took."""
        return self.node_exec_stats.all_end_rel_micros


class AggregateProfile:
    """How long several runs of nodes took together.

    Args:
      profile_datum: the first one.
    """

    def __init__(self, profile_datum: ProfileDatum):
        self.total_op_time = 0
        self.total_exec_time = 0
        self._node_counts: dict[tuple[str, str], int] = {}
        self.add(profile_datum)

    def add(self, profile_datum: ProfileDatum) -> None:
        """Adds a run of a node.

        Args:
          profile_datum: the run.
        """
        self.total_op_time += profile_datum.op_time
        self.total_exec_time += profile_datum.exec_time
        node = profile_datum.device_name, profile_datum.node_exec_stats.node_name
        self._node_counts[node] = self._node_counts.get(node, 0) + 1

    @property
    def node_count(self) -> int:
        """How many nodes ran; one on two devices counts twice."""
        return len(self._node_counts)

    @property
    def node_exec_count(self) -> int:
        """How often nodes ran."""
        return sum(self._node_counts.values())
