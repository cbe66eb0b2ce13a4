"""`python -m tf1compat report`: what sources use of TensorFlow, and what becomes of it."""

import json

import pytest

from tf1compat.launcher.report import output
from tf1compat.launcher.report.scan import scan
from tf1compat.launcher.report.verdicts import Kind, judge

_SCRIPT = """
import numpy as np
import tensorflow as tf
import tensorflow.contrib.slim as slim
from tensorflow.python.ops import array_ops as arrays
from tensorflow.contrib import rnn
import not_a_module_of_anyone.part
import helpers

layers = tf.layers
x = layers.dense(tf.zeros([2, 3], np.float), 4).get_shape()
y = tf.pack([x, arrays.zeros([])])
net = slim.conv2d(y, 3, 3)
config = tf.ConfigProto(allow_soft_placement=True, isolate_session_state=True)


def train(rnn, tf=None):
    rnn.anything()
    tf.of_an_argument()


def other():
    layers = helpers.layers()
    return layers.of_ours(), rnn.BasicLSTMCell(4)
"""


@pytest.fixture
def program(tmp_path):
    (tmp_path / "script.py").write_text(_SCRIPT)
    (tmp_path / "helpers.py").write_text("layers = None\n")
    return tmp_path


def _names(path, kind: Kind) -> set[str]:
    return {verdict.name for verdict in judge(scan([str(path)])) if verdict.kind is kind}


def test_names_are_followed_through_aliases(program):
    assert _names(program, Kind.SUPPORTED) >= {
        "tf",
        "tf.layers.dense",
        "tf.zeros",
        "tf.contrib.slim.conv2d",
        "tf.contrib.rnn.BasicLSTMCell",
        "tf.ConfigProto",
        "tensorflow.python.ops.array_ops.zeros",
    }
    everything = {verdict.name for verdict in judge(scan([str(program)]))}
    assert not [name for name in everything if name.startswith(("rnn", "layers", "helpers"))]
    assert not [name for name in everything if name.endswith(("anything", "argument", "of_ours"))]


def test_what_is_not_there_has_its_line_and_near_names(program):
    (verdict,) = [row for row in judge(scan([str(program)])) if row.kind is Kind.UNKNOWN]
    line = _SCRIPT.splitlines().index("y = tf.pack([x, arrays.zeros([])])") + 1
    assert (verdict.name, verdict.places) == ("tf.pack", [(str(program / "script.py"), line)])
    assert verdict.note.startswith("near: tf.")


def test_names_of_other_libraries(program):
    assert _names(program, Kind.RESTORED) == {"numpy.float"}
    assert _names(program, Kind.ABSENT) == {"not_a_module_of_anyone"}


def test_missing_names_are_those_that_raise(tmp_path):
    import tf1compat
    from tf1compat.launcher import coverage

    missing = next(
        f"{module}.{names[0]}" for module, (_, names) in coverage.names().items() if names
    )
    (tmp_path / "a.py").write_text(f"import tensorflow as tf\n{missing}()\ntf.no_such_name\n")
    assert missing in _names(tmp_path, Kind.MISSING)
    with pytest.raises(AttributeError, match="not supported by tf1compat yet"):
        eval(missing, {"tf": tf1compat})


def test_options_that_have_no_effect(tmp_path):
    source = "import tensorflow as tf\ntf.GraphOptions(build_cost_model=1, infer_shapes=True)\n"
    (tmp_path / "a.py").write_text(source)
    assert _names(tmp_path, Kind.DIFFERS) == {"tf.GraphOptions(build_cost_model=…)"}


def test_python_2_notebooks_and_what_cannot_be_read(tmp_path):
    (tmp_path / "old.py").write_text("import tensorflow as tf\nprint tf.add(1, 2)\n")
    cells = [
        {"cell_type": "markdown", "source": ["tf.nothing"]},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "import tensorflow as tf\n"]},
        {"cell_type": "code", "source": ["%%bash\n", "ls\n"]},
        {"cell_type": "code", "source": ["tf.multiply(1, 2)"]},
    ]
    (tmp_path / "notes.ipynb").write_text(json.dumps({"cells": cells}))
    (tmp_path / "broken.py").write_text("def (:\n")
    program = scan([str(tmp_path)])
    assert program.python2 == [str(tmp_path / "old.py")]
    assert [file for file, _ in program.unreadable] == [str(tmp_path / "broken.py")]
    assert {verdict.name for verdict in judge(program)} == {"tf", "tf.add", "tf.multiply"}


@pytest.mark.parametrize("form", output.FORMATS)
def test_forms(program, form, capsys):
    assert output.main([str(program), "--format", form]) == 1
    text = capsys.readouterr().out
    assert "tf.pack" in text and "script.py" in text
    if form == "json":
        report = json.loads(text)
        assert {"kind", "name", "note", "places"} == set(report["names"][0])
    assert output.main([str(program), "--format", form, "-o", str(program / "out")]) == 1
    assert (program / "out").read_text() == text


def test_exit_status(tmp_path, capsys):
    (tmp_path / "a.py").write_text("import tensorflow as tf\ntf.add(1, 2)\n")
    assert output.main([str(tmp_path)]) == 0
    assert output.main([str(tmp_path / "nothing")]) == 2
    (tmp_path / "empty").mkdir()
    assert output.main([str(tmp_path / "empty")]) == 2
    assert "no sources" in capsys.readouterr().err
