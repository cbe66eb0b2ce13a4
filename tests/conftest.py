"""Fixtures that every test may use."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import pytest

# The golden recorders also run under TensorFlow 1.15, outside any package.
sys.path.insert(0, str(Path(__file__).parent / "golden"))
sys.path.insert(0, str(Path(__file__).parent))

# What servers of tests ask for: no test makes a secret among the user's files.
os.environ["TF1COMPAT_CLUSTER_TOKEN"] = "of the tests"


@pytest.fixture(scope="session")
def tensorflow():
    """The `tensorflow` module as scripts import it."""
    from tf1compat import namespace

    return namespace.tensorflow()


@pytest.fixture
def compiled_quickly(monkeypatch):
    """Programs that run once or twice are compiled quickly, for tests that make many."""
    import quick_compilation

    from tf1compat.runtime.compile import cache

    monkeypatch.setattr(cache, "compiled", quick_compilation.compiled)


@pytest.fixture
def optimized_little(monkeypatch, request):
    """XLA optimizes little, in this process and in those it starts, for tests of programs that run
    once or twice: compiling takes most of their time. The mark `optimized_fully` exempts a test.
    """
    import quick_compilation

    if request.node.get_closest_marker("optimized_fully"):
        return
    monkeypatch.setenv("XLA_FLAGS", quick_compilation.flags())
    quick_compilation.everywhere(monkeypatch)


@pytest.fixture
def tf(tensorflow):
    """The `tensorflow` module, with an empty default graph and no writer of another test's events,
    which logs as it does at first and has drawn no random number in eager execution.
    """
    from tf1compat.api.eager import context

    tensorflow.reset_default_graph()
    context.set_global_seed(None)
    tensorflow.summary.FileWriterCache.clear()
    tensorflow.logging.set_verbosity(tensorflow.logging.WARN)
    return tensorflow


@pytest.fixture
def xla():
    """Every program is compiled before it runs, for tests of what is compiled."""
    from tf1compat.runtime import tiers

    with tiers.tier(tiers.XLA):
        yield


@pytest.fixture
def programs(monkeypatch):
    """The programs that are compiled, in order (`as_text()` is the optimised HLO)."""
    from tf1compat.runtime.compile import cache

    made = []
    real = cache._made

    def compiled(*args):
        made.append(real(*args))
        return made[-1]

    monkeypatch.setenv("TF1COMPAT_CACHE_DIR", "off")
    monkeypatch.setattr(cache, "_made", compiled)
    return made


def pytest_addoption(parser):
    parser.addoption("--faults-long", action="store_true", help="the long parts of tests/faults")
    parser.addoption("--migrate-long", action="store_true", help="all examples of tests/migrate")


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist settles it
def pytest_cmdline_main(config):
    """With `-n`: the tests that share a costly run (`xdist_group`) go to one worker."""
    if config.getoption("numprocesses", None) and config.option.dist == "no":
        config.option.dist = "loadgroup"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Tests are dealt out to the workers at a cost that does not grow with their number."""
    if config.getoption("dist") == "loadgroup":
        from scheduling import Scheduling

        return Scheduling(config, log)


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist adds the group to the tests' names
def pytest_collection_modifyitems(items):
    """Marks what `not_yet.tsv` lists as expected to fail; a listed test that passes is a
    failure.
    """
    lines = (Path(__file__).parent / "not_yet.tsv").read_text().splitlines()
    reasons = dict(line.split("\t") for line in lines if line and not line.startswith("#"))
    root = Path(__file__).parent.parent
    for item in items:
        _, _, rest = item.nodeid.partition("::")
        key = f"{item.path.relative_to(root).as_posix()}::{rest}"
        if key in reasons:
            item.add_marker(pytest.mark.xfail(reason=reasons[key], strict=True))


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Nothing that tests are made of is garbage: looking for it was a third of their collection."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish(session):
    """The tests themselves, some 50,000, stay to the end: no collection of garbage looks at them
    again.
    """
    gc.collect()
    gc.freeze()
