"""The options of a profile (`tensorflow.python.profiler.option_builder`)."""

from __future__ import annotations

import copy
from typing import Any

from tf1compat.core.export import tf_export

_ALL = [".*"]
_LEAST = ("min_bytes", "min_micros", "min_params", "min_float_ops", "min_occurrence")


def _options(**changes: Any) -> dict[str, Any]:
    """Options in TF's order, which programs print."""
    found: dict[str, Any] = {"max_depth": 10000} | dict.fromkeys(_LEAST, 0)
    found |= {
        "order_by": "name",
        "account_type_regexes": _ALL[:],
        "start_name_regexes": _ALL[:],
        "trim_name_regexes": [],
        "show_name_regexes": _ALL[:],
        "hide_name_regexes": [],
        "account_displayed_op_only": True,
        "select": ["micros"],
        "step": -1,
        "output": "stdout",
    }
    return found | changes


@tf_export("profiler.ProfileOptionBuilder")
class ProfileOptionBuilder:
    """Builds the options of `tf.profiler.profile`; each method gives the builder.

    Args:
      options: a dict to begin with.
    """

    def __init__(self, options: dict[str, Any] | None = None):
        if options is None:
            options = _options(max_depth=100, account_displayed_op_only=False)
        self._options = copy.deepcopy(options)

    @staticmethod
    def trainable_variables_parameter() -> dict[str, Any]:
        """The options that count the parameters of trainable variables."""
        return _options(account_type_regexes=["_trainable_variables"], select=["params"])

    @staticmethod
    def float_operation() -> dict[str, Any]:
        """The options that count float operations."""
        return _options(min_float_ops=1, order_by="float_ops", select=["float_ops"])

    @staticmethod
    def time_and_memory(
        min_micros: int = 1, min_bytes: int = 1, min_accelerator_micros: int = 0,
        min_cpu_micros: int = 0, min_peak_bytes: int = 0, min_residual_bytes: int = 0,
        min_output_bytes: int = 0,
    ) -> dict[str, Any]:  # fmt: skip
        """The options that measure time and memory of what takes at least so much of each."""
        wanted = {
            "min_bytes": min_bytes,
            "min_peak_bytes": min_peak_bytes,
            "min_residual_bytes": min_residual_bytes,
            "min_output_bytes": min_output_bytes,
            "min_micros": min_micros,
            "min_accelerator_micros": min_accelerator_micros,
            "min_cpu_micros": min_cpu_micros,
        }
        rest = _options(order_by="micros", select=["micros", "bytes"])
        return (
            {"max_depth": rest["max_depth"]}
            | wanted
            | {key: value for key, value in rest.items() if key not in wanted}
        )

    def build(self) -> dict[str, Any]:
        """The options."""
        return copy.deepcopy(self._options)

    def _with(self, **changes: Any) -> ProfileOptionBuilder:
        self._options.update(copy.deepcopy(changes))
        return self

    def with_max_depth(self, max_depth: int) -> ProfileOptionBuilder:
        """Shows nodes down to a depth."""
        return self._with(max_depth=max_depth)

    def with_min_memory(
        self, min_bytes: int = 0, min_peak_bytes: int = 0, min_residual_bytes: int = 0,
        min_output_bytes: int = 0,
    ) -> ProfileOptionBuilder:  # fmt: skip
        """Shows nodes that take so much memory."""
        return self._with(
            min_bytes=min_bytes, min_peak_bytes=min_peak_bytes,
            min_residual_bytes=min_residual_bytes, min_output_bytes=min_output_bytes,
        )  # fmt: skip

    def with_min_execution_time(
        self, min_micros: int = 0, min_accelerator_micros: int = 0, min_cpu_micros: int = 0
    ) -> ProfileOptionBuilder:
        """Shows nodes that take so long."""
        return self._with(
            min_micros=min_micros, min_accelerator_micros=min_accelerator_micros,
            min_cpu_micros=min_cpu_micros,
        )  # fmt: skip

    def with_min_parameters(self, min_params: int) -> ProfileOptionBuilder:
        """Shows nodes with so many parameters."""
        return self._with(min_params=min_params)

    def with_min_occurrence(self, min_occurrence: int) -> ProfileOptionBuilder:
        """Shows nodes that occur so often."""
        return self._with(min_occurrence=min_occurrence)

    def with_min_float_operations(self, min_float_ops: int) -> ProfileOptionBuilder:
        """Shows nodes with so many float operations."""
        return self._with(min_float_ops=min_float_ops)

    def with_accounted_types(self, account_type_regexes: list[str]) -> ProfileOptionBuilder:
        """Counts nodes of these types."""
        return self._with(account_type_regexes=account_type_regexes)

    def with_node_names(
        self, start_name_regexes: Any = None, show_name_regexes: Any = None,
        hide_name_regexes: Any = None, trim_name_regexes: Any = None,
    ) -> ProfileOptionBuilder:  # fmt: skip
        """Begins with, shows, hides or cuts nodes of these names."""
        given = {
            "start_name_regexes": start_name_regexes,
            "show_name_regexes": show_name_regexes,
            "hide_name_regexes": hide_name_regexes,
            "trim_name_regexes": trim_name_regexes,
        }
        return self._with(**{key: value for key, value in given.items() if value is not None})

    def account_displayed_op_only(self, is_true: bool) -> ProfileOptionBuilder:
        """Whether totals are of what is shown alone."""
        return self._with(account_displayed_op_only=is_true)

    def with_empty_output(self) -> ProfileOptionBuilder:
        """Prints nothing."""
        return self._with(output="none")

    def with_stdout_output(self) -> ProfileOptionBuilder:
        """Prints to the standard output."""
        return self._with(output="stdout")

    def with_file_output(self, outfile: str) -> ProfileOptionBuilder:
        """Prints to a file."""
        return self._with(output=f"file:outfile={outfile}")

    def with_timeline_output(self, timeline_file: str) -> ProfileOptionBuilder:
        """Writes a timeline."""
        return self._with(output=f"timeline:outfile={timeline_file}")

    def with_pprof_output(self, pprof_file: str) -> ProfileOptionBuilder:
        """Writes a profile for pprof."""
        return self._with(output=f"pprof:outfile={pprof_file}")

    def order_by(self, attribute: str) -> ProfileOptionBuilder:
        """Orders nodes by an attribute."""
        return self._with(order_by=attribute)

    def select(self, attributes: list[str]) -> ProfileOptionBuilder:
        """Shows these attributes."""
        return self._with(select=attributes)

    def with_step(self, step: int) -> ProfileOptionBuilder:
        """Shows what a step took."""
        return self._with(step=step)
