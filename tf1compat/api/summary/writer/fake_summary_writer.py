"""`tf.contrib.testing.FakeSummaryWriter`: a writer of summaries that keeps what it is given."""

from __future__ import annotations

from typing import Any

from tf1compat.api.framework import test_decorators
from tf1compat.api.summary.writer import writer, writer_cache
from tf1compat.core import protos
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.typing import TensorLike


@tf_export("contrib.testing.FakeSummaryWriter")
class FakeSummaryWriter:
    """Stands for `tf.summary.FileWriter` between `install()` and `uninstall()`.

    Args:
      logdir: the folder that a real one would write to.
      graph: the graph that it would write.
    """

    _replaced_summary_writer: Any = None

    @classmethod
    def install(cls) -> None:
        """Makes hooks and supervisors use this class.

        Raises:
          ValueError: they do already.
        """
        if cls._replaced_summary_writer:
            raise ValueError("FakeSummaryWriter already installed.")
        cls._replaced_summary_writer = writer.FileWriter
        cls._use(FakeSummaryWriter)

    @classmethod
    def uninstall(cls) -> None:
        """Undoes `install`.

        Raises:
          ValueError: it was not called.
        """
        if not cls._replaced_summary_writer:
            raise ValueError("FakeSummaryWriter not installed.")
        cls._use(cls._replaced_summary_writer)
        cls._replaced_summary_writer = None

    @staticmethod
    def _use(writer_class: Any) -> None:
        for module in (writer, writer_cache):
            module.FileWriter = writer_class  # pyright: ignore[reportAttributeAccessIssue]

    def __init__(self, logdir: str, graph: Graph | None = None):
        self._logdir = logdir
        self._graph = graph
        self._summaries: dict[Any, list[Any]] = {}
        self._added_graphs: list[Any] = []
        self._added_meta_graphs: list[Any] = []
        self._added_session_logs: list[Any] = []
        self._added_run_metadata: dict[str, Any] = {}

    @property
    def summaries(self) -> dict[Any, list[Any]]:
        """Step -> the `Summary` messages that it got."""
        return self._summaries

    def assert_summaries(
        self,
        test_case: Any,
        expected_logdir: str | None = None,
        expected_graph: Any = None,
        expected_summaries: dict[Any, dict[str, float]] | None = None,
        expected_added_graphs: list[Any] | None = None,
        expected_added_meta_graphs: list[Any] | None = None,
        expected_session_logs: list[Any] | None = None,
    ) -> None:
        """Fails a test case unless the writer was given what is expected.

        Args:
          test_case: the test case.
          expected_summaries: step -> {tag: number}.
          The others: None for what does not matter.
        """
        if expected_logdir is not None:
            test_case.assertEqual(expected_logdir, self._logdir)
        if expected_graph is not None:
            test_case.assertTrue(expected_graph is self._graph)
        for step, expected in (expected_summaries or {}).items():
            steps = self._summaries.keys()
            test_case.assertTrue(step in steps, msg=f"Missing step {step} from {steps}.")
            values = [value for summary in self._summaries[step] for value in summary.value]
            # How often a thread of the supervisor writes its rate is up to chance.
            found = {v.tag: v.simple_value for v in values if v.tag != "global_step/sec"}
            test_case.assertEqual(expected, found)
        if expected_added_graphs is not None:
            test_case.assertEqual(expected_added_graphs, self._added_graphs)
        if expected_added_meta_graphs is not None:
            test_case.assertEqual(len(expected_added_meta_graphs), len(self._added_meta_graphs))
            for expected, found in zip(expected_added_meta_graphs, self._added_meta_graphs):
                test_decorators.assert_meta_graph_protos_equal(test_case, expected, found)
        if expected_session_logs is not None:
            test_case.assertEqual(expected_session_logs, self._added_session_logs)

    def add_summary(self, summ: Any, current_global_step: Any) -> None:
        """Keeps a `Summary`, or a serialized one."""
        if isinstance(summ, bytes):
            summ = protos.load("summary_pb2", "Summary").FromString(summ)
        self._summaries.setdefault(current_global_step, []).append(summ)

    def add_graph(
        self, graph: Graph, global_step: TensorLike | None = None, graph_def: Any = None
    ) -> None:
        """Keeps a graph."""
        self._check(global_step)
        if graph_def is not None:
            raise ValueError(f"Unexpected graph_def {graph_def}.")
        self._added_graphs.append(graph)

    def add_meta_graph(self, meta_graph_def: Any, global_step: TensorLike | None = None) -> None:
        """Keeps a meta graph."""
        self._check(global_step)
        self._added_meta_graphs.append(meta_graph_def)

    def add_session_log(self, session_log: Any, global_step: TensorLike | None = None) -> None:
        """Keeps a session log."""
        self._added_session_logs.append(session_log)

    def add_run_metadata(
        self, run_metadata: Any, tag: str, global_step: TensorLike | None = None
    ) -> None:
        """Keeps the metadata of a run."""
        self._check(global_step)
        self._added_run_metadata[tag] = run_metadata

    @staticmethod
    def _check(global_step: Any) -> None:
        if global_step is not None and global_step < 0:
            raise ValueError(f"Invalid global_step {global_step}.")

    def flush(self) -> None:
        """Does nothing."""

    def reopen(self) -> None:
        """Does nothing."""

    def close(self) -> None:
        """Does nothing."""
