"""How models are exported (`tensorflow.contrib.learn.python.learn.export_strategy`)."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.util import tf_inspect
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.export import tf_export

_FIELDS = ["name", "export_fn", "strip_default_attrs"]


@tf_export("contrib.learn.ExportStrategy")
class ExportStrategy(collections.namedtuple("ExportStrategy", _FIELDS)):
    """A way to export a model.

    Args:
      name: of the folder below "export".
      export_fn: a function of an estimator and a folder, and maybe of `checkpoint_path`,
        `eval_result` and `strip_default_attrs`, that gives the folder of what it wrote.
      strip_default_attrs: what `export_fn` gets.
    """

    @deprecated(
        None,
        "Please switch to tf.estimator.train_and_evaluate, and use tf.estimator.Exporter.",
    )
    def __new__(cls, name: str, export_fn: Any, strip_default_attrs: Any = None):
        return super().__new__(cls, name, export_fn, strip_default_attrs)

    def export(
        self,
        estimator: Any,
        export_path: Any,
        checkpoint_path: str | None = None,
        eval_result: Any = None,
    ) -> Any:
        """Exports an estimator.

        Args:
          estimator: the estimator.
          export_path: the folder.
          checkpoint_path: the checkpoint; the function's own choice by default.
          eval_result: what the evaluation of that checkpoint gave.

        Returns:
          What the function returns.

        Raises:
          ValueError: it takes `eval_result` without `checkpoint_path`.
        """
        names = tf_inspect.getargspec(self.export_fn).args
        if "eval_result" in names and "checkpoint_path" not in names:
            raise ValueError("An export_fn accepting eval_result must also accept checkpoint_path.")
        given = {
            "checkpoint_path": checkpoint_path, "eval_result": eval_result,
            "strip_default_attrs": self.strip_default_attrs,
        }  # fmt: skip
        return self.export_fn(
            estimator, export_path, **{key: given[key] for key in given if key in names}
        )
