"""Python 2 sources: what is translated, what is left alone."""

import json
import os
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
import python2_cases

from tf1compat.launcher import python2, sources

ROOT = Path(__file__).parents[2]
PRINTED = json.loads((ROOT / "tests/golden/data/python2.json").read_text())


def _launch(folder, name="script.py"):
    return subprocess.run(
        [sys.executable, "-m", "tf1compat", name],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.mark.parametrize("case", python2_cases.CASES)
def test_prints_what_python_2_prints(case, tmp_path):
    (tmp_path / "script.py").write_text(python2_cases.text(case))
    result = _launch(tmp_path)
    assert "is Python 2, translated to Python 3" in result.stderr.splitlines()[0]
    assert [line.rstrip() for line in result.stdout.splitlines()] == PRINTED[case], result.stderr


def _run(source, in_package=False, name="script.py"):
    data = source if isinstance(source, bytes) else textwrap.dedent(source).encode()
    namespace = {"__name__": "script"}
    sources.compile_source(data, name, in_package).run(namespace)
    return namespace


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("print 'a'\nx = 1", 1),
        ("try:\n    raise ValueError, 'm'\nexcept ValueError, e:\n    x = str(e)", "m"),
        ("print 1\nx = sum(xrange(4))", 6),
        ("print 1\nx = list({'a': 1}.iteritems())", [("a", 1)]),
        ("print 1\nx = isinstance(u'a', unicode)", True),
        ("print 1\nx = {1: 2}.has_key(1)", True),
        ("x = `1` + 'a'", "1a"),
        ("exec 'x = 5'", 5),
        ("x = 10L + 0777", 521),
        ("x = 1 <> 2", True),
        ("import cPickle as pickle\nx = pickle.loads(pickle.dumps(3))", 3),
        ("x = sum(xrange(3))", 3),
        ("x = sorted({'b': 1, 'a': 2}.iterkeys())", ["a", "b"]),
        ("print 1\ndef f((a, b)):\n    return a + b\nx = f((1, 2))", 3),
        ("from __future__ import print_function\nprint('a', end='')\nx = 1L", 1),
        ("print('a', end='')\nx = reduce(lambda a, b: a * b, [2, 3])", 6),
        ("print 1\nx = map(str, [1])", ["1"]),
    ],
)
def test_translated(source, expected, capsys):
    assert _run(source)["x"] == expected
    assert "script.py is Python 2, translated to Python 3" in capsys.readouterr().err


@pytest.mark.parametrize(
    "source",
    [
        "x = 1",
        "try:\n    xrange\nexcept NameError:\n    xrange = range\nx = list(xrange(2))",
        "import sys\nif sys.version_info[0] < 3:\n    range = xrange\nx = range(2)",
        "try:\n    import cPickle as pickle\nexcept ImportError:\n    import pickle\nx = pickle",
        "from functools import reduce\nx = reduce(max, [1, 2])",
        "def f(long):\n    return long\nx = f(1)",
        "def iteritems(d):\n    return d\nx = iteritems({})",
        "class A:\n    def has_key(self, k):\n        return k\nx = A().has_key(1)",
        "x = print('a', 'b')",
        "def g():\n    import pandas\ndef f(df):\n    return df.iteritems()\nx = 1",
        "PY2 = False\nx = unicode if PY2 else str",
        "is_py2 = False\nif not is_py2:\n    basestring = str\nx = isinstance('', basestring)",
        "from os import sep as IS_PYTHON3\nx = 1 if IS_PYTHON3 else unichr(1)",
        "import sys\nif sys.version[0] != '2':\n    xrange = range\nx = xrange(2)",
    ],
)
def test_python_3_is_left_alone(source, capsys):
    assert "x" in _run(source)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "source, expected",
    [
        ("def f(async=False):\n    return async\nx = f(async=3)", 3),
        ("class A:\n    await = 4\nasync = A()\nx = async.await, 'async'", (4, "async")),
        ("é = 1; async = 'é'\nx = async", "é"),
        ("async = 1\nprint 1\nx = async", 1),
    ],
)
def test_names_that_python_3_7_made_keywords(source, expected):
    assert _run(source)["x"] == expected


def test_async_functions_are_what_they_are():
    assert _run("async def x():\n    async with y as z:\n        await z")["x"].__name__ == "x"


def test_note_is_one_line(capsys):
    note = "tf1compat: script.py is Python 2, translated to Python 3"
    _run("print 1\nx = 3 / 2")
    assert capsys.readouterr().err == f"{note}; / between integers rounds down\n"
    _run("from __future__ import (print_function,\n    division)\nx = 3 / 2L")
    assert capsys.readouterr().err == f"{note}\n"


def test_tabs_count_as_in_python_2(capsys):
    source = b"def f():\n\tx = 1\n        s = '''a\n\tb'''\n\treturn x, s\nx = f()\nprint x\n"
    assert _run(source)["x"] == (1, "a\n\tb")


def test_latin_1_bytes_in_a_comment(capsys):
    assert _run(b"# caf\xe9\nprint 'a'\nx = 2\n")["x"] == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("print 'a'", ""),
        ("import os\nx = reduce(max, [1])\nreload(os)", ""),
        ("class A:\n    __metaclass__ = type\n    y = 1", "print 1"),
        ("def f((a, b), c):\n    return a", "print 1"),
        ("import itertools\nfrom itertools import chain\nprint reduce(max, [1])", ""),
        ("try:\n    raise ValueError, 'a'\nexcept ValueError, (a,):\n    pass", ""),
    ],
)
def test_line_numbers_stay(before, after, capsys):
    source = f"# A comment.\n{before}\n\nx = {{}}['k']\n{after}\n"
    with pytest.raises(KeyError) as caught:
        _run(source)
    frames = [entry for entry in caught.traceback if str(entry.path).endswith("script.py")]
    assert source.splitlines()[frames[-1].lineno].startswith("x = {}")


def test_import_beside_it_in_a_package(capsys, tmp_path):
    (tmp_path / "__init__.py").touch()
    (tmp_path / "sibling.py").touch()
    data = b"print 'a'\nimport sibling\n"
    path = str(tmp_path / "module.py")
    source = sources.compile_source(data, path, in_package=True)
    assert "sibling" in source.code.co_names
    with pytest.raises(ImportError, match="relative import"):
        source.run({"__name__": "script", "__package__": ""})
    with pytest.raises(ModuleNotFoundError, match="No module named 'sibling'"):
        sources.compile_source(data, path).run({"__name__": "script"})


@pytest.mark.parametrize("source", ["x = = 1", "def f(:\n    pass", "print 'a'\nx = = 1"])
def test_neither_python_2_nor_3(source):
    with pytest.raises(SyntaxError) as caught:
        _run(source)
    assert caught.value.filename == "script.py"
    assert caught.value.__cause__ is None


def test_without_a_translator(monkeypatch):
    monkeypatch.setattr(python2, "_lib2to3", lambda: None)
    with pytest.raises(SyntaxError) as caught:
        _run("print 'a'")
    assert "pip install 'tf1compat[py2]'" in caught.value.__notes__[0]
    with pytest.raises(SyntaxError) as caught:
        _run("x = xrange(3)")
    assert "pip install 'tf1compat[py2]'" in caught.value.__notes__[0]


def test_finding_a_module_does_not_ask_sysconfig(monkeypatch, tmp_path):
    """On Python 3.13 sysconfig imports a module before it can answer."""
    (tmp_path / "mine.py").touch()
    finder = sources._Finder()
    monkeypatch.setattr("sysconfig.get_paths", None)
    spec = finder.find_spec("mine", [str(tmp_path)])
    assert isinstance(spec.loader, sources.Loader)
    spec = finder.find_spec("bisect", None)
    assert not isinstance(spec.loader, sources.Loader)


def test_tensors_divide_as_in_python_2(tf, capsys):
    """By `Tensor.__div__`, whose operations TF names and types otherwise."""
    x, i = tf.placeholder(tf.float32, [None, 4]), tf.constant(7)
    source = "print 1\na, b, c, d = x / 2, i / 2, 7 / i, shape / 2\ni /= 2"
    namespace = {"__name__": "script", "x": x, "i": i, "shape": x.shape[1]}
    sources.compile_source(source.encode(), "script.py").run(namespace)
    found = [(namespace[name].op.name, namespace[name].op.type) for name in "abci"]
    assert found == [
        ("div", "RealDiv"),
        ("div_1", "FloorDiv"),
        ("div_2", "FloorDiv"),
        ("div_3", "FloorDiv"),
    ]
    assert int(namespace["d"]) == 2


# NumPy under Python 2: integers divided give integers, in place too.
@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("np.arange(5) / 2", [0, 0, 1, 1, 2]),
        ("np.arange(5) / 2.0", [0, 0.5, 1, 1.5, 2]),
        ("7 / np.array([2, 3])", [3, 2]),
        ("[8, 9] / np.array([2, 2])", [4, 4]),
        ("np.int32(7) / np.int64(2)", 3),
        ("np.float32(7) / 2", 3.5),
    ],
)
def test_arrays_divide_as_in_python_2(expression, expected, capsys):
    namespace = _run(f"import numpy as np\nx = {expression}\nprint x")
    assert np.asarray(namespace["x"]).tolist() == expected
    in_place = _run("import numpy as np\nx = y = np.arange(4)\nx /= 2\nprint x")
    assert in_place["y"].tolist() == [0, 0, 1, 1]


def test_pickles_of_python_2(tmp_path, capsys):
    """CIFAR-10's batches: bytes that aren't ASCII in strings, and arrays of NumPy 1."""
    data = b"\x80\x02}q\x00U\x04dataq\x01U\x03a\xff\x00q\x02s."  # {'data': 'a\xff\0'}
    with pytest.raises(UnicodeDecodeError):
        pickle.loads(data)
    (tmp_path / "batch").write_bytes(data + data)
    for name, mode in (("cPickle", "rb"), ("pickle", "r")):
        namespace = _run(
            f"import {name} as pickle\nf = open({str(tmp_path / 'batch')!r}, {mode!r})\n"
            "x, y = pickle.load(f), pickle.load(f)\nprint 1\nf.close()"
        )
        assert namespace["x"] == namespace["y"] == {"data": "a\xff\0"}


def test_modules_of_a_python_2_program_are_python_2(tmp_path):
    (tmp_path / "script.py").write_text("import helper, newer\nprint helper.half(7), newer.half(7)")
    (tmp_path / "helper.py").write_text("def half(x):\n    return x / 2\n")
    (tmp_path / "newer.py").write_text("def half(x: int):\n    return x / 2\n")
    assert _launch(tmp_path).stdout == "3 3.5\n"
    (tmp_path / "script.py").write_text("import helper\nprint(helper.half(7))")
    assert _launch(tmp_path).stdout == "3.5\n"


def test_own_modules_come_before_python_2_s(tmp_path):
    (tmp_path / "script.py").write_text("import commands, Queue\nprint commands.mine\n")
    (tmp_path / "commands.py").write_text("mine = 5\n")
    assert _launch(tmp_path).stdout == "5\n"
