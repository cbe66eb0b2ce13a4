"""The registry of public names."""

import sys
import threading
import types

import pytest

from tf1compat.core import export


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """An empty registry, so that the names of these tests never meet TF's."""
    for table in ("_exports", "_places", "_prefixes", "_lazy", "_by_name"):
        monkeypatch.setattr(export, table, {})


def test_every_name_gives_the_symbol():
    @export.tf_export("math.add", "add")
    def add():
        pass

    assert export.find("math.add") is add
    assert export.find("add") is add
    assert add._tf_api_names == ("math.add", "add")
    assert export.named("add") is add
    assert export.is_module("math")
    assert not export.is_module("add")
    assert export.children("") == ["math", "add"]
    assert export.children("math") == ["add"]


def test_duplicate_says_where_the_first_one_is():
    export.export_constant("newaxis", None)
    line = sys._getframe().f_lineno - 1
    with pytest.raises(
        ValueError, match=rf"tf\.newaxis is registered .*{__name__[-11:]}\.py:{line}$"
    ):
        export.export_constant("newaxis", None)


def test_unknown_name():
    with pytest.raises(KeyError):
        export.find("nothing")


def test_lazy_module_is_imported_on_first_use(monkeypatch):
    imported = []

    def load(name):
        imported.append(name)
        export.export_constant("contrib.layers.answer", 42)
        return types.ModuleType(name)

    monkeypatch.setattr(export.importlib, "import_module", load)
    export.export_lazy("contrib", "some.contrib")
    assert export.has("contrib.layers.answer")
    assert not export.has("contribution")
    assert export.children("") == ["contrib"]
    assert imported == []
    assert export.find("contrib.layers.answer") == 42
    assert imported == ["some.contrib"]
    assert export.has("contrib.layers.answer")
    assert not export.has("contrib.layers.question")


def test_a_thread_waits_for_what_another_one_imports(monkeypatch):
    importing, may_go_on = threading.Event(), threading.Event()

    def load(name):
        if threading.current_thread() is first:
            importing.set()
            assert may_go_on.wait(30)
        if not export.exported():
            assert export.has("contrib.answer")
            export.load_all_lazy()  # Within the import: not again.
            export.export_constant("contrib.answer", 42)
        return types.ModuleType(name)

    def find():
        found.append(export.find("contrib.answer"))

    found = []
    monkeypatch.setattr(export.importlib, "import_module", load)
    export.export_lazy("contrib", "some.contrib")
    first, second = threading.Thread(target=find), threading.Thread(target=find)
    first.start()
    assert importing.wait(30)
    second.start()
    second.join()
    may_go_on.set()
    first.join()
    assert found == [42, 42]
    assert not export.has("contrib.question")


def test_lazy_prefix_has_one_module():
    export.export_lazy("contrib", "some.contrib")
    with pytest.raises(ValueError, match="already loaded from some.contrib, not from other"):
        export.export_lazy("contrib", "other")


def test_named_refuses_to_choose():
    @export.tf_export("layers.conv2d")
    def conv2d():
        pass

    first = conv2d

    @export.tf_export("nn.conv2d")
    def conv2d():
        pass

    assert first is not conv2d
    assert export.named("conv2d") is None
