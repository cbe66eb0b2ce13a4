"""Functions made of converted source code."""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import sys
import threading
import types
import weakref
from collections.abc import Callable
from typing import Any, TypeGuard

from tf1compat.api.autograph.core import config, config_lib
from tf1compat.api.autograph.core.converter import ConversionOptions
from tf1compat.api.autograph.pyct import transform
from tf1compat.api.autograph.utils import ag_logging

# Modules of ours, and what wraps functions, are left as they are besides.
_LEFT = (config_lib.DoNotConvert("functools"), config_lib.DoNotConvert("tf1compat"))

# Where something else than Python's compiler makes the syntax tree of a file, it says how:
# `(file name) -> tree, or None`.
tree_of_file: list[Callable[[str], ast.Module | None]] = []

_lock = threading.RLock()
_converted: weakref.WeakKeyDictionary[Any, dict[Any, Any]] = weakref.WeakKeyDictionary()


@functools.lru_cache(maxsize=256)
def _parsed(text: str, filename: str) -> ast.Module:
    return ast.parse(text, filename)


def _tree(filename: str) -> ast.Module:
    """The syntax tree of a source file.

    Raises:
      ValueError: there is no source.
    """
    for hook in tree_of_file:
        found = hook(filename)
        if found is not None:
            return found
    linecache.checkcache(filename)
    text = "".join(linecache.getlines(filename))
    if not text:
        raise ValueError("could not get source code")
    return _parsed(text, filename)


def find_source(function: types.FunctionType) -> tuple[Any, str | None]:
    """The syntax tree of a function, and the name of the class around it (None: there is none).

    Raises:
      ValueError: it cannot be found.
    """
    code = function.__code__
    found: list[tuple[Any, str | None]] = []
    is_lambda = code.co_name == "<lambda>"

    def look(node: ast.AST, owner: str | None) -> None:
        for child in ast.iter_child_nodes(node):
            inner = owner
            if isinstance(child, ast.ClassDef):
                inner = child.name
            elif isinstance(child, ast.Lambda):
                if is_lambda and _is_lambda_of(child, code):
                    found.append((child, owner))
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                if child.name == code.co_name and code.co_firstlineno in (first, child.lineno):
                    found.append((child, owner))
            look(child, inner)

    try:
        tree = _tree(code.co_filename)
    except ValueError as error:
        raise ValueError(
            f"Unable to locate the source code of {function}. Note that functions defined in "
            "certain environments, like the interactive Python shell do not expose their source "
            "code. If that is the case, you should to define them in a .py source file. If you are "
            "certain the code is graph-compatible, wrap the call using "
            f"@tf.autograph.do_not_convert. Original error: {error}"
        ) from error
    look(tree, None)
    if not found:
        raise ValueError(f"could not find the source of {function}")
    if len(found) > 1 and is_lambda:
        raise ValueError(
            f"Unable to identify source code of lambda function {function}. It was defined on a "
            "line that contains several like it. To avoid ambiguity, define each lambda in a "
            "separate expression."
        )
    return found[0]


def _is_lambda_of(node: ast.Lambda, code: types.CodeType) -> bool:
    """Whether a lambda's code begins where this one's does."""
    if not node.lineno <= code.co_firstlineno <= (node.end_lineno or node.lineno):
        return False
    if tuple(transform.names.parameters(node)) != code.co_varnames[: _count_parameters(code)]:
        return False
    body = node.body
    starts = {(line, column) for line, _, column, _ in code.co_positions() if column}
    if not starts:
        return True
    end_line, end = body.end_lineno or body.lineno, body.end_col_offset or 0
    return all(
        (body.lineno, body.col_offset) <= (line or 0, column) <= (end_line, end)
        for line, column in starts
    )


def _count_parameters(code: types.CodeType) -> int:
    flags = (inspect.CO_VARARGS, inspect.CO_VARKEYWORDS)
    return code.co_argcount + code.co_kwonlyargcount + sum(bool(code.co_flags & f) for f in flags)


def convert(function: types.FunctionType, options: ConversionOptions, operators: Any) -> Any:
    """The converted form of a function; made once for each function and options.

    Args:
      function: a plain Python function.
      options: what is asked for.
      operators: makes what converted code knows as `ag__`, for options.

    Raises:
      ValueError: it cannot be converted.
    """
    code = function.__code__
    with _lock:
        by_options = _converted.setdefault(code, {})
        made = by_options.get(options)
        if made is None:
            made = by_options[options] = _compiled(function, options), operators(options)
    (new_code, text), found = made
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    cells[transform.OPERATORS] = types.CellType(found)
    closure = tuple(cells[name] for name in new_code.co_freevars)
    converted = types.FunctionType(
        new_code, function.__globals__, function.__name__, function.__defaults__, closure
    )
    converted.__kwdefaults__ = function.__kwdefaults__
    # By this name Python speaks of it when its arguments are wrong.
    name = function.__code__.co_name
    converted.__qualname__ = f"tf__{name}" if name.isidentifier() else name
    converted.__doc__ = function.__doc__
    converted.__module__ = function.__module__
    converted.autograph_info__ = {}  # pyright: ignore[reportFunctionMemberAccess]
    converted.ag_module = found  # pyright: ignore[reportFunctionMemberAccess]
    converted.ag_source = text  # pyright: ignore[reportFunctionMemberAccess]
    return converted


def _compiled(
    function: types.FunctionType, options: ConversionOptions
) -> tuple[types.CodeType, str]:
    """The code of the converted function, and its text."""
    node, owner = find_source(function)
    if isinstance(node, ast.AsyncFunctionDef):
        raise ValueError("coroutines are not supported")
    code = function.__code__
    made = transform.convert_function(node, options, owner)
    # A function around it has its free variables as parameters, so that they are cells.
    outside = [*code.co_freevars, transform.OPERATORS]
    args = ast.arguments(
        posonlyargs=[], args=[ast.arg(name) for name in outside], kwonlyargs=[], kw_defaults=[],
        defaults=[],
    )  # fmt: skip
    if isinstance(made, ast.Lambda):
        body: list[ast.stmt] = [ast.copy_location(ast.Return(made), made)]
        name = "<lambda>"
    else:
        name = made.name
        body = [made]
        if name not in outside:  # what calls itself by a name of its module finds it there
            body.insert(0, ast.copy_location(ast.Global([name]), made))
    factory = ast.copy_location(
        ast.FunctionDef("factory__", args, body, [], **_type_params()), made
    )
    module = ast.fix_missing_locations(ast.Module([factory], []))
    flags = code.co_flags & _FUTURES
    compiled = compile(module, code.co_filename, "exec", flags=flags, dont_inherit=True)
    inner = _code_named(_code_named(compiled, "factory__"), name)
    text = ast.unparse(made)
    if not isinstance(made, ast.Lambda):
        text = text.replace(f"def {made.name}(", f"def tf__{made.name}(", 1)
    return inner, text


def _type_params() -> dict[str, Any]:
    return {"type_params": []} if sys.version_info >= (3, 12) else {}


_FUTURES = 0
for _name in ("annotations", "generator_stop"):
    import __future__

    _FUTURES |= getattr(__future__, _name).compiler_flag


def _code_named(code: types.CodeType, name: str) -> types.CodeType:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and constant.co_name == name:
            return constant
    raise ValueError(f"{name} has no code")


def is_whitelisted_for_graph(
    o: Any, check_call_override: bool = True, allow_namedtuple_subclass: bool = False
) -> bool:
    """Whether something is called as it is, unless a user asks for its conversion.

    Args:
      o: a function, a method, a class, another object or a module.
      check_call_override: whether an object is if its `__call__` is.
      allow_namedtuple_subclass: whether classes that derive from a named tuple's are converted.
    """
    if isinstance(o, functools.partial):
        return is_whitelisted_for_graph(o.func)
    if isinstance(o, types.ModuleType):
        module: Any = o.__name__
    else:
        module = getattr(o, "__module__", None) or getattr(type(o), "__module__", "")
    if isinstance(module, str):
        for rule in (*config.CONVERSION_RULES, *_LEFT):
            if rule.matches(module):
                return rule._action is config_lib.Action.DO_NOT_CONVERT
    if inspect.isgeneratorfunction(o):
        ag_logging.warn(
            "Entity %s appears to be a generator function. It will not be converted by AutoGraph.",
            o,
        )
        return True
    if inspect.ismethod(o):
        owner = type(o.__self__) if not isinstance(o.__self__, type) else o.__self__
        if any(c.__module__ == "unittest.case" for c in owner.__mro__):
            return True
        defining = next((c for c in owner.__mro__ if o.__name__ in vars(c)), None)
        if defining is not None and is_whitelisted_for_graph(defining, False, True):
            return True
    elif check_call_override and not isinstance(o, type | types.FunctionType):
        call = inspect.getattr_static(type(o), "__call__", None)
        if isinstance(call, types.FunctionType) and is_whitelisted_for_graph(call):
            return True
    if not _is_namedtuple(o):
        return False
    return not (allow_namedtuple_subclass and any(map(_is_namedtuple, o.__bases__)))


def _is_namedtuple(o: Any) -> TypeGuard[type]:
    return isinstance(o, type) and issubclass(o, tuple) and hasattr(o, "_fields")
