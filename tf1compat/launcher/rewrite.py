"""Changes to the syntax tree of a source before it is compiled; line numbers stay."""

from __future__ import annotations

import ast
import os
from typing import Any

from tf1compat.launcher import old_numpy
from tf1compat.launcher.py2 import modules, runtime

# The names in `builtins` that rewritten code finds its helpers by.
NUMPY = "__tf1compat_numpy__"
PYTHON_2 = "__tf1compat_python2__"

_NUMBERS = frozenset(("int", "float", "complex", "round"))
_ARRAYS = frozenset(("array", "asarray", "asanyarray"))
_SAVES = frozenset(("save", "savez", "savez_compressed"))
_IN_PLACE = {
    ast.Add: "iadd",
    ast.Sub: "isub",
    ast.Mult: "imul",
    ast.Div: "itruediv",
    ast.FloorDiv: "ifloordiv",
    ast.Mod: "imod",
    ast.Pow: "ipow",
    ast.BitAnd: "iand",
    ast.BitOr: "ior",
    ast.BitXor: "ixor",
    ast.LShift: "ilshift",
    ast.RShift: "irshift",
    ast.MatMult: "imatmul",
}


class _Rewriter(ast.NodeTransformer):
    helper: str

    def _call(self, node: Any, function: str, *args: ast.expr) -> Any:
        """A call of a helper function in the place of a node."""
        call = ast.Call(self._helper(function), list(args), [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    def _helper(self, function: str) -> ast.expr:
        return ast.Attribute(ast.Name(self.helper, ast.Load()), function, ast.Load())

    def _augmented(self, node: ast.AugAssign, operation: ast.expr, target: ast.Subscript) -> Any:
        """`target[key] += value` as a call that evaluates each part once, and in this order."""
        numpy = ast.Name(NUMPY, ast.Load())
        place = ast.Call(
            ast.Attribute(numpy, "item", ast.Load()), [target.value, self._key(target)], []
        )
        augment = ast.Attribute(numpy, "augment", ast.Load())
        call = ast.copy_location(ast.Call(augment, [operation, place, node.value], []), node)
        return ast.fix_missing_locations(ast.copy_location(ast.Expr(call), node))

    def _key(self, target: ast.Subscript) -> ast.expr:
        slot = ast.Attribute(ast.Name(NUMPY, ast.Load()), "slot", ast.Load())
        return ast.Subscript(slot, target.slice, ast.Load())


class OldNumpy(_Rewriter):
    """What NumPy 2 refuses goes through `old_numpy`."""

    helper = NUMPY

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        if node.attr in old_numpy.METHODS and isinstance(node.ctx, ast.Load):
            return self._call(node, "attribute", node.value, ast.Constant(node.attr))
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        function = node.func
        plain = not node.keywords and not any(isinstance(arg, ast.Starred) for arg in node.args)
        if old_numpy.REFUSES_SCALARS and plain and node.args:
            named = isinstance(function, ast.Name) and function.id in _NUMBERS
            if named or _is_math(function):
                return self._call(node, "scalars", function, *node.args)
        helper = _array_helper(function)
        if node.args and isinstance(node.args[0], ast.GeneratorExp):
            helper = _summing(function) or helper
        if helper is not None:
            call = self._call(node, helper, function, *node.args)
            call.keywords = node.keywords
            return call
        return node

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
        if isinstance(node.op, ast.Mod) and text and old_numpy.REFUSES_SCALARS:
            return self._call(node, "percent", node.left, node.right)
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        target = node.targets[0]
        if (
            not old_numpy.REFUSES_SLOTS
            or len(node.targets) > 1
            or not isinstance(target, ast.Subscript)
            or isinstance(node.value, ast.Constant)
            or _is_text(target.slice)
        ):
            return node
        call = self._call(node, "store", node.value, target.value, self._key(target))
        return ast.copy_location(ast.Expr(call), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        target = node.target
        if (
            not old_numpy.REFUSES_SLOTS
            or not isinstance(target, ast.Subscript)
            or isinstance(node.value, ast.Constant)
            or _is_text(target.slice)
        ):
            return node
        operator = self._helper("operator")
        operation = ast.Attribute(operator, _IN_PLACE[type(node.op)], ast.Load())
        return self._augmented(node, operation, target)


class Python2(_Rewriter):
    """What Python 2 does otherwise with what Python 3 can parse goes through `py2.runtime`."""

    helper = PYTHON_2

    def __init__(self, path: str, floor_division: bool):
        self._folder = os.path.dirname(os.path.abspath(path))
        self._divides = floor_division

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        if self._divides and isinstance(node.op, ast.Div):
            return self._call(node, "divide", node.left, node.right)
        if isinstance(node.op, ast.Mod):
            return self._call(node, "modulo", node.left, node.right)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        if not self._divides or not isinstance(node.op, ast.Div):
            return node
        operation, target = self._helper("idivide"), node.target
        if isinstance(target, ast.Subscript):
            return self._augmented(node, operation, target)
        if isinstance(target, ast.Attribute):
            place = ast.Call(self._helper("member"), [target.value, ast.Constant(target.attr)], [])
            call = self._call(node, "augment_member", place, node.value)
            return ast.copy_location(ast.Expr(call), node)
        load = ast.copy_location(ast.Name(target.id, ast.Load()), target)
        value = self._call(node, "idivide", load, node.value)
        return ast.copy_location(ast.Assign([target], value), node)

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in runtime.METHODS:
            if node.args or node.keywords:
                node.func = self._call(
                    function, "method", function.value, ast.Constant(function.attr)
                )
        elif isinstance(function, ast.Name) and function.id == "str":
            if len(node.args) > 1:
                node.func = ast.copy_location(self._helper("decoded"), function)
                ast.fix_missing_locations(node)
            elif len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
                return self._call(node, "text", function, node.args[0])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        if node.attr == "message" and isinstance(node.ctx, ast.Load):
            return self._call(node, "message", node.value)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        self.generic_visit(node)
        methods = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        if methods & runtime.PROTOCOLS:
            decorator = ast.copy_location(self._helper("with_protocols"), node)
            node.decorator_list.append(ast.fix_missing_locations(decorator))
        return node

    def visit_Import(self, node: ast.Import) -> Any:
        for alias in node.names:
            module = self._moved(alias.name)
            if module is not None:
                alias.asname = alias.asname or alias.name
                alias.name = module
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        if not node.level and node.module is not None:
            node.module = self._moved(node.module) or node.module
        return node

    def _moved(self, name: str) -> str | None:
        """The module to import in place of one of Python 2's; None if it is the user's own."""
        own = os.path.join(self._folder, name)
        if name not in modules.MOVED or os.path.isdir(own) or os.path.isfile(own + ".py"):
            return None
        return modules.MOVED[name]


def _array_helper(function: ast.expr) -> str | None:
    """The helper for a function that makes arrays or a number of lists, or a list of arrays."""
    if not isinstance(function, ast.Attribute):
        return None
    if function.attr in _ARRAYS:
        return "array"
    if function.attr in old_numpy.LISTS:
        return "listed"
    # Many things besides NumPy have methods `save` and `sum`.
    module = function.value
    if not isinstance(module, ast.Name) or module.id not in ("np", "numpy"):
        return None
    if function.attr in old_numpy.REDUCTIONS:
        return "reduced"
    return "saved" if function.attr in _SAVES else None


def _summing(function: ast.expr) -> str | None:
    """The helper for a function that may be `np.sum`."""
    return "summed" if isinstance(function, ast.Attribute) and function.attr == "sum" else None


def _is_math(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "math"
        and function.attr in old_numpy.MATH
    )


def _is_text(key: ast.expr) -> bool:
    return isinstance(key, ast.Constant) and isinstance(key.value, str)
