"""What programs ask of installed packages, and the test runners of the day."""

import os
import subprocess
import sys
import textwrap

import pytest

import tf1compat
from tf1compat.launcher import legacy_nose, legacy_pkg_resources

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(tf1compat.__file__)))
# So that a library is not there, although it is installed.
WITHOUT = """
    import sys
    from importlib.machinery import PathFinder
    find = PathFinder.find_spec
    PathFinder.find_spec = lambda name, *a: (
        None if name.partition(".")[0] in ("pkg_resources", "nose") else find(name, *a))
"""


def run(arguments, folder, **environment):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tf1compat", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": ROOT, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("without", ["", WITHOUT])
def test_tensorflow_is_installed(without, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(without)
        + textwrap.dedent("""
        import importlib.metadata

        print(importlib.metadata.version("TensorFlow"), importlib.metadata.requires("tensorflow"))
        names = [found.metadata["Name"] for found in importlib.metadata.distributions()]
        print(names.count("tensorflow"), "numpy" in names)
        try:
            import pkg_resources
        except ImportError:  # Neither it nor what it is given back by.
            print("no")
            raise SystemExit
        print(pkg_resources.get_distribution("tensorflow").version)
        print(pkg_resources.require("tensorflow>=1.4,<2")[0].project_name)
        print(pkg_resources.parse_version("1.10") > pkg_resources.parse_version("1.9rc1"))
        for what in "tensorflow>=2", "no-such-package":
            try:
                pkg_resources.require(what)
            except pkg_resources.ResolutionError as error:
                print(type(error).__name__)
        print(pkg_resources.resource_exists("email", "mime"))
        print("tensorflow" in pkg_resources.working_set.by_key)
    """)
    )
    code, output, errors = run([str(script)], tmp_path)
    assert code == 0, errors
    assert output.splitlines() == [
        "1.15.5 None",
        "1 True",
        "1.15.5",
        "tensorflow",
        "True",
        "VersionConflict",
        "DistributionNotFound",
        "True",
        "True",
    ]


def test_pkg_resources_of_today():
    found = legacy_pkg_resources.get_distribution("pytest>=1")
    assert found.version == pytest.__version__ and found.key == "pytest"
    assert any(requirement.name == "pluggy" for requirement in found.requires())
    assert "pytest" in found.get_entry_map("console_scripts")
    point = legacy_pkg_resources.load_entry_point("pytest", "console_scripts", "pytest")
    assert point.__module__ == pytest.console_main.__module__
    with pytest.raises(legacy_pkg_resources.DistributionNotFound, match="'nothing' distribution"):
        legacy_pkg_resources.get_distribution("nothing")
    with pytest.raises(legacy_pkg_resources.VersionConflict, match="is installed but pytest<1 is"):
        legacy_pkg_resources.require("pytest<1")
    with pytest.raises(ImportError, match="not found"):
        legacy_pkg_resources.load_entry_point("pytest", "console_scripts", "nothing")
    lines = legacy_pkg_resources.parse_requirements("# all\nnumpy>=1.2  # arrays\n\nsix\n")
    assert [str(line) for line in lines] == ["numpy>=1.2", "six"]
    parse = legacy_pkg_resources.parse_version
    assert parse("1.0rc1") < parse("1.0") and str(parse("not-a-version")) == "not-a-version"
    assert b"def " in legacy_pkg_resources.resource_string("email", "mime/base.py")
    assert "base.py" in legacy_pkg_resources.resource_listdir("email", "mime")
    assert legacy_pkg_resources.resource_isdir("email", "mime")
    assert legacy_pkg_resources.resource_stream("email", "mime/base.py").read(1)


def test_nose():
    tools = vars(legacy_nose)
    tools["assert_is_none"](None)
    tools["assert_items_equal"]([1, 2], [2, 1])
    tools["assert_almost_equals"](1.0, 1.0 + 1e-9)
    with pytest.raises(AssertionError, match="1 != 2"):
        tools["assert_equal"](1, 2)
    with pytest.raises(AssertionError, match="1 != 2"):
        legacy_nose.eq_(1, 2)
    with pytest.raises(AssertionError, match="why"):
        legacy_nose.ok_([], "why")
    legacy_nose.raises(ValueError)(lambda: int("x"))()

    @legacy_nose.raises(ValueError, KeyError)
    def fine():
        pass

    with pytest.raises(AssertionError, match=r"fine\(\) did not raise ValueError or KeyError"):
        fine()
    assert legacy_nose.istest(fine).__test__ and not legacy_nose.nottest(fine).__test__


def test_files_that_pytest_loads(tmp_path):
    test = tmp_path / "test_old.py"
    test.write_text(
        textwrap.dedent("""
        import numpy as np
        import tensorflow as tf
        from nose.tools import assert_equal

        def test_old():
            a = np.array([0.0], copy=False)
            assert np.array([3], dtype=float, copy=False).dtype == float
            a[0] = np.array([3])
            assert_equal(int(a), 3)
            assert np.array([[1, 2], [3]]).dtype == object
    """)
    )
    for _ in range(2):  # The second time from what pytest kept.
        code, output, errors = run(
            ["-m", "pytest", "-q", "-p", "no:xdist", str(test)],
            tmp_path,
            PYTHONDONTWRITEBYTECODE="",
            PYTHONPYCACHEPREFIX="",
        )
        assert code == 0, output + errors
    kept = [path.name for path in (tmp_path / "__pycache__").iterdir()]
    assert kept and all(".tf1compat" in name for name in kept)
