"""Objects and Keras models in SavedModels, against TensorFlow 1.15: those that it wrote are read,
and those that are written here give the same answers."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
import recording
import saved_model_cases as cases

from tf1compat.core import context

DATA = Path(recording.DATA)
GOLDEN = recording.read_json(str(DATA / "saved_models.json.gz"))


@pytest.fixture
def tf(tensorflow, tmp_path, monkeypatch):
    """The `tensorflow` module as after `tf.enable_eager_execution()`, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    tensorflow.keras.backend.clear_session()
    tensorflow.reset_default_graph()
    tensorflow.enable_eager_execution()
    tensorflow.logging.set_verbosity("ERROR")
    yield tensorflow
    context.set_eager_by_default(False)
    tensorflow.set_random_seed(None)
    tensorflow.keras.backend.clear_session()


def _unpacked(name):
    """A SavedModel that TensorFlow wrote."""
    with zipfile.ZipFile(DATA / "saved_models.zip") as archive:
        archive.extractall(members=[n for n in archive.namelist() if n.startswith(f"{name}/")])
    return name


def _module(tf, written_here):
    if written_here:
        cases.save_module(tf, ".", "module")
    return "module" if written_here else _unpacked("module")


@pytest.mark.parametrize("written_here", [False, True])
def test_module(tf, written_here):
    assert cases.ask_module(tf, _module(tf, written_here)) == GOLDEN["module"]


@pytest.mark.parametrize("written_here", [False, True])
def test_module_in_a_session(tf, written_here):
    path = _module(tf, written_here)
    assert cases.ask_module_in_session(tf, path) == GOLDEN["module_in_session"]


@pytest.mark.parametrize("written_here", [False, True])
def test_saved_model_of_a_session(tf, written_here):
    if written_here:
        cases.session_model(tf, "session")
    else:
        _unpacked("session")
    assert cases.ask_session_model(tf, "session") == GOLDEN["session"]


def test_wrapped_functions(tf):
    assert cases.wrapped(tf) == GOLDEN["wrapped"]


@pytest.mark.parametrize("name", cases.MODELS)
def test_keras_model_that_tensorflow_wrote(tf, name):
    assert cases.ask_model(tf, _unpacked(name)) == GOLDEN["models"][name]


def test_keras_models(tf):
    for model in cases.models(tf):
        model.save(model.name, save_format="tf")
    for name in cases.MODELS:
        assert cases.ask_model(tf, name) == GOLDEN["models"][name]


@pytest.mark.parametrize("written_here", [False, True])
def test_exported_model(tf, written_here):
    if written_here:
        cases.export_model(tf, "exported")
    else:
        _unpacked("exported")
    assert cases.ask_exported_model(tf, "exported") == GOLDEN["exported"]


def test_mistakes(tf):
    assert cases.mistakes(tf, "bad") == GOLDEN["mistakes"]


def test_object_graph(tf):
    """What a file says of its objects is what TensorFlow's says."""
    from tf1compat.formats import saved_model_pb2

    def objects(path):
        proto = saved_model_pb2.SavedModel.FromString((Path(path) / "saved_model.pb").read_bytes())
        graph = proto.meta_graphs[0].object_graph_def
        found = []
        for node in graph.nodes:
            # The functions of one object are recorded in any order.
            children = sorted((child.local_name, child.node_id) for child in node.children)
            kind = node.WhichOneof("kind")
            named = {"function": node.function.function_spec, "bare_concrete_function": None}
            found.append([kind, children, named.get(kind, getattr(node, kind or "children"))])
        return found

    cases.save_module(tf, ".", "ours")
    assert objects("ours") == objects(_unpacked("module"))
