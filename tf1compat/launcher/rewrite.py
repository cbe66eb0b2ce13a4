"""Changes to the syntax tree of a source before it is compiled; line numbers stay."""

from __future__ import annotations

import ast
import copy
import os
from collections.abc import Iterator
from typing import Any

from tf1compat.launcher import old_numpy, old_promotion
from tf1compat.launcher.py2 import modules, runtime

# The names in `builtins` that rewritten code finds its helpers by.
NUMPY = "__tf1compat_numpy__"
PROMOTION = "__tf1compat_promotion__"
PYTHON_2 = "__tf1compat_python2__"

_NUMBERS = frozenset(("int", "float", "complex", "round"))
_ARRAYS = frozenset(("array", "asarray", "asanyarray"))
_SAVES = frozenset(("save", "savez", "savez_compressed"))
# By the class of an operation its function in `operator` and `old_promotion`.
_ARITHMETIC = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
}
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

    def _call(self, node: Any, function: str, *args: ast.expr, of: str | None = None) -> Any:
        """A call of a helper function in the place of a node."""
        call = ast.Call(self._helper(function, of), list(args), [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    def _helper(self, function: str, of: str | None = None) -> ast.expr:
        return ast.Attribute(ast.Name(of or self.helper, ast.Load()), function, ast.Load())

    def _changed(self, node: ast.AugAssign, target: ast.Name | ast.Attribute, new: ast.expr) -> Any:
        """`target = new`, in the place of `target += value`."""
        return ast.fix_missing_locations(ast.copy_location(ast.Assign([target], new), node))

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
    _in_index = False  # Whether what is visited is an index or a part of one.
    _lists: frozenset[str] = frozenset()  # The names that the source gives to lists.

    def visit_Module(self, node: ast.Module) -> Any:
        self._lists = frozenset(_named_lists(node))
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        is_list = _is_list(node.slice) or _last_name(node.slice) in self._lists
        node.value = self.visit(node.value)
        outside, self._in_index = self._in_index, True
        node.slice = self.visit(node.slice)
        self._in_index = outside
        # What is asked for its key twice, so nothing that does more than name it.
        if is_list and _last_name(node.value) is not None:
            target = copy.deepcopy(node.value)
            node.slice = self._call(node.slice, "indices", target, node.slice)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        if node.attr in old_numpy.METHODS and isinstance(node.ctx, ast.Load):
            return self._call(node, "attribute", node.value, ast.Constant(node.attr))
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        outside, self._in_index = self._in_index, False
        self.generic_visit(node)
        self._in_index = outside
        function = node.func
        plain = not node.keywords and not any(isinstance(arg, ast.Starred) for arg in node.args)
        if old_numpy.REFUSES_SCALARS and plain and node.args:
            named = isinstance(function, ast.Name) and function.id in _NUMBERS
            if named or _is_math(function):
                return self._call(node, "scalars", function, *node.args)
        if old_promotion.CHANGED and plain and node.args:
            if isinstance(function, ast.Name) and function.id == "sum":
                return self._call(node, "total", function, *node.args, of=PROMOTION)
            if _is_of_numpy(function, old_promotion.ROUNDINGS):
                return self._call(node, "rounded", function, *node.args, of=PROMOTION)
        helper = _array_helper(function)
        if node.args and isinstance(node.args[0], ast.GeneratorExp):
            helper = _summing(function) or helper
        if helper is not None:
            call = self._call(node, helper, function, *node.args)
            call.keywords = node.keywords
            return call
        return node

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        asks = old_promotion.CHANGED and not self._in_index and _may_be_numpy(node)
        self.generic_visit(node)
        text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
        if isinstance(node.op, ast.Mod) and text and old_numpy.REFUSES_SCALARS:
            return self._call(node, "percent", node.left, node.right)
        if asks:
            function = _ARITHMETIC[type(node.op)]
            return self._call(node, function, node.left, node.right, of=PROMOTION)
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
        target, value = node.target, node.value
        constant = isinstance(value, ast.Constant) and type(value.value) is not float
        function = _IN_PLACE[type(node.op)]
        promotes = old_promotion.CHANGED and hasattr(old_promotion, function)
        if constant or isinstance(value, (ast.List, ast.Tuple, ast.JoinedStr)):
            return node
        if isinstance(target, ast.Subscript):
            stores = old_numpy.REFUSES_SLOTS and not _is_text(target.slice)
            if promotes:
                return self._augmented(node, self._helper(function, PROMOTION), target)
            if not stores or isinstance(value, ast.Constant):
                return node
            operator = self._helper("operator")
            return self._augmented(node, ast.Attribute(operator, function, ast.Load()), target)
        if not promotes:
            return node
        operation = self._helper(function, PROMOTION)
        old = _old_value(target)
        if old is not None:
            new = ast.copy_location(ast.Call(operation, [old, value], []), node)
            return self._changed(node, target, new)
        assert isinstance(target, ast.Attribute)
        if target.attr.startswith("__"):  # A private name, which the compiler completes.
            return node
        member = self._helper("member", PROMOTION)
        place = ast.Call(member, [target.value, ast.Constant(target.attr)], [])
        call = self._call(node, "augment_member", operation, place, value, of=PROMOTION)
        return ast.copy_location(ast.Expr(call), node)


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
        old = _old_value(target)
        if old is not None:
            return self._changed(node, target, self._call(node, "idivide", old, node.value))
        assert isinstance(target, ast.Attribute)
        place = ast.Call(self._helper("member"), [target.value, ast.Constant(target.attr)], [])
        call = self._call(node, "augment_member", place, node.value)
        return ast.copy_location(ast.Expr(call), node)

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


def _old_value(target: ast.Name | ast.Attribute) -> ast.expr | None:
    """What reads a name or a member of one; None where reading it twice could be noticed."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    if isinstance(target.value, ast.Name):
        return ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
    return None


def _may_be_numpy(node: ast.BinOp) -> bool:
    """Whether to ask at run time if an operation has NumPy's scalars or arrays in it.

    That takes as long as several additions, which loops of Python do by the million, and seldom
    with NumPy's values.  So divisions and powers are asked, and what has a decimal number or a
    result of NumPy in it: means, running means, scales.
    """
    operands = node.left, node.right
    if type(node.op) not in _ARITHMETIC:
        return False
    if any(isinstance(operand, (ast.List, ast.Tuple, ast.JoinedStr)) for operand in operands):
        return False
    constants = [operand.value for operand in operands if isinstance(operand, ast.Constant)]
    if len(constants) == 2 or any(isinstance(value, (str, bytes)) for value in constants):
        return False
    if isinstance(node.op, (ast.Div, ast.Pow, ast.LShift)):
        return True
    return any(_is_decimal(operand) or _is_numpy_call(operand) for operand in operands)


def _is_decimal(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, (float, complex))


def _named_lists(tree: ast.AST) -> Iterator[str]:
    """The names of variables and attributes to which a source assigns lists."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _is_list(node.value):
            yield from filter(None, map(_last_name, node.targets))


def _is_list(value: ast.expr) -> bool:
    """Whether it looks like a list of more than numbers."""
    if isinstance(value, ast.List):
        return not all(map(_is_number_or_text, value.elts))
    if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Mult)):
        return _is_list(value.left) or _is_list(value.right)
    is_call = isinstance(value, ast.Call) and _last_name(value.func) == "list"
    return is_call or isinstance(value, ast.ListComp)


def _is_number_or_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str))


def _last_name(node: ast.expr) -> str | None:
    """The name of a variable, or the last of `a.b.c`; None for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and _last_name(node.value) is not None:
        return node.attr
    return None


def _is_numpy_call(node: ast.expr) -> bool:
    """Whether it is a call of something of NumPy."""
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    while isinstance(function, ast.Attribute):
        function = function.value
    return isinstance(function, ast.Name) and function.id in ("np", "numpy")


def _array_helper(function: ast.expr) -> str | None:
    """The helper for a function that makes arrays or a number of lists, or a list of arrays."""
    if not isinstance(function, ast.Attribute):
        return None
    if function.attr in _ARRAYS:
        return "array"
    if function.attr in old_numpy.LISTS:
        return "listed"
    # Many things besides NumPy have methods `save` and `sum`.
    if _is_of_numpy(function, old_numpy.REDUCTIONS):
        return "reduced"
    return "saved" if _is_of_numpy(function, _SAVES) else None


def _is_of_numpy(function: ast.expr, names: frozenset[str]) -> bool:
    """Whether something is called one of these, of NumPy."""
    if not isinstance(function, ast.Attribute) or function.attr not in names:
        return False
    return isinstance(function.value, ast.Name) and function.value.id in ("np", "numpy")


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
