"""Where deprecation warnings say that the deprecated thing is used: the user's own line."""

from __future__ import annotations

import inspect

import pytest

from tf1compat.api.util import deprecation
from tf1compat.api.util.deprecation import deprecated_alias as alias

USES = {
    "a function": lambda tf: tf.layers.dense(tf.ones([2, 2]), 3),
    "an argument": lambda tf: tf.nn.softmax(tf.ones([2, 2]), dim=-1),
    "a value of an argument": lambda tf: tf.nn.dropout(tf.ones([2, 2]), keep_prob=0.5),
    "a name": lambda tf: alias("old", "new", abs)(-1),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_the_warning_names_the_users_line(tf, use, monkeypatch):
    monkeypatch.setattr(deprecation, "_PRINTED_WARNING", {})
    said = []
    monkeypatch.setattr(
        deprecation.tf_logging, "warning", lambda text, *args: said.append(text % args)
    )
    use(tf)
    line = inspect.getsourcelines(use)[1]
    assert [each for each in said if f"From {__file__}:{line}: " in each], said
