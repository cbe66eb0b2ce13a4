"""The fixtures for pytest."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tf1compat.migrate.recording import Recording


@pytest.fixture
def tf1_graph() -> Iterator[Any]:
    """A graph of the test's own, which is the default one; `import tensorflow` gives tf1compat."""
    import tf1compat

    tf1compat.install()
    from tf1compat.core.graph import Graph

    with Graph().as_default() as graph:
        yield graph


@pytest.fixture
def tf1_session(tf1_graph: Any) -> Iterator[Any]:
    """A session of `tf1_graph`, which is the default one."""
    from tf1compat.runtime.session import Session

    with Session(graph=tf1_graph) as session:
        yield session


@pytest.fixture
def recording() -> Callable[[str | os.PathLike[str]], Recording]:
    """Reads what `python -m tf1compat record`, or the recorder under TensorFlow 1.15, wrote."""
    from tf1compat.migrate.recording import read

    return read
