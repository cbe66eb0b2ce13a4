"""The bodies of functional conditionals and loops (`control_flow_v2_func_graphs` of TF)."""

from __future__ import annotations

from tf1compat.core.func_graph import FuncGraph


class CondBranchFuncGraph(FuncGraph):
    """A branch of a conditional."""


class WhileCondFuncGraph(FuncGraph):
    """The condition of a loop."""


class WhileBodyFuncGraph(FuncGraph):
    """The body of a loop."""
