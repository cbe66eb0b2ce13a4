"""Where deprecation warnings say that the deprecated thing is used: the user's own line."""

from __future__ import annotations

import inspect

import pytest

from tf1compat.api.util import deprecation
from tf1compat.api.util.deprecation import deprecated_alias as alias


def of(dim: int) -> int:
    return dim


# What is deprecated here is made here: each function says it only once in a process.
USES = {
    "a function": lambda tf: tf.layers.dense(tf.ones([2, 2]), 3),
    "an argument": lambda tf: deprecation.deprecated_args(None, "Use axis.", "dim")(of)(dim=1),
    "a value": lambda tf: deprecation.deprecated_arg_values(None, "Use 2.", dim=1)(of)(dim=1),
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
