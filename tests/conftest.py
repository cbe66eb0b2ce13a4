"""Fixtures that every test may use."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import tempfile
from pathlib import Path

import pytest

# The golden recorders also run under TensorFlow 1.15, outside any package.
sys.path.insert(0, str(Path(__file__).parent / "golden"))
sys.path.insert(0, str(Path(__file__).parent))

# Where bytecode is neither there nor to be written, each process that tests start would compile all
# modules, for longer than most work: a folder of the tests keeps it.
_beside = Path(__file__).parents[1] / "tf1compat/__pycache__"
if sys.dont_write_bytecode and not (sys.pycache_prefix or _beside.exists()):
    _bytecode = tempfile.TemporaryDirectory()
    atexit.register(_bytecode.cleanup)
    os.environ["PYTHONPYCACHEPREFIX"] = _bytecode.name
    os.environ["PYTHONDONTWRITEBYTECODE"] = ""

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
def pytest_configure_node(node):
    """Tells a worker, which settles its own options, how the tests are dealt out."""
    node.workerinput["by_group"] = node.config.option.dist == "loadgroup"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Tests are dealt out to the workers at a cost that does not grow with their number."""
    if config.getoption("dist") == "loadgroup":
        from scheduling import Scheduling

        return Scheduling(config, log)


# Around pytest's own, which sorts the tests, and pytest-xdist's, which adds groups to their names.
@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Marks what is expected to fail, and keeps together what shares a fixture of a module."""
    _expect_failures(items)
    together = _together(items)
    for item, group in together.items():
        item.add_marker(pytest.mark.xdist_group(group))
    yield
    if getattr(config, "workerinput", {}).get("by_group"):
        _name_groups(items)
    begins = {}
    for place, item in enumerate(items):
        begins.setdefault(together.get(item, item), place)
    items.sort(key=lambda item: begins[together.get(item, item)])


def _expect_failures(items):
    """Marks what `not_yet.tsv` lists as expected to fail; a listed test that passes is a
    failure.
    """
    lines = (Path(__file__).parent / "not_yet.tsv").read_text().splitlines()
    reasons = dict(line.split("\t") for line in lines if line and not line.startswith("#"))
    names = {name.partition("::")[2] for name in reasons}
    root = Path(__file__).parent.parent
    for item in items:
        rest = item.nodeid.partition("::")[2]
        if rest in names:
            reason = reasons.get(f"{item.path.relative_to(root).as_posix()}::{rest}")
            if reason is not None:
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


def _together(items):
    """The groups of the tests that use what a fixture makes for a module: they run one after the
    other, in one process, so that it is made once. Where it is made of a parameter, that is the
    tests of one name in brackets.
    """
    found = {}
    for item in items:
        fixtures = item._fixtureinfo.name2fixturedefs.values()
        shared = [last for *_, last in fixtures if last.scope == "module" and not last._autouse]
        if shared and item.get_closest_marker("xdist_group") is None:
            params = getattr(item, "callspec", None)
            made_of = (
                params.id if params and any(d.argname in params.params for d in shared) else ""
            )
            found[item] = f"{item.path.stem} {made_of}".strip()
    return found


def _name_groups(items):
    """Adds its group to each test's name: nothing else of it comes to the scheduler. pytest-xdist
    3.8 does so only where `--dist` is among the arguments, and not with pytest 9.2.
    """
    for item in items:
        marker = item.get_closest_marker("xdist_group")
        if marker and not item.nodeid.endswith(f"@{marker.args[0]}"):
            name = f"{item.nodeid}@{marker.args[0]}"
            if hasattr(item, "_id"):  # pytest 9.2
                item._id = type(item._id).parse(name)
            else:
                item._nodeid = name


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
