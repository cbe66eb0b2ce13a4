"""The syntax tree of a function with calls of AutoGraph's operators in place of its control flow.

    if test:           def if_body():
        x = f(x)           nonlocal x
    else:      ->          x = ag__.call(f, (x,), None, scope__)
        x = 1          def else_body(): …
                       def get_state(): return (x,)
                       def set_state(values): nonlocal x; (x,) = values
                       ag__.if_stmt(test, if_body, else_body, get_state, set_state, …)

So the variables stay those of the function; what runs where is the operators' business.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Sequence
from typing import Any

from tf1compat.api.autograph.core.converter import ConversionOptions, Feature
from tf1compat.api.autograph.pyct import jumps, names

# What converted code finds AutoGraph's operators, and the scope of its function, by.
OPERATORS, SCOPE = "ag__", "scope__"
# Calls that are left as they are.
_LEFT = frozenset({"breakpoint", "pdb.set_trace", "ipdb.set_trace", "locals", "globals", "vars"})


def convert_function(
    node: ast.FunctionDef | ast.Lambda, options: ConversionOptions, owner: str | None
) -> ast.FunctionDef | ast.Lambda:
    """A converted copy of a function's tree; decorators are gone.

    Args:
      node: a function or lambda.
      options: what is asked for.
      owner: the class around it, for private names.
    """
    node = copy.deepcopy(node)
    if owner is not None:
        _Unmangled(owner).visit(node)
    if isinstance(node, ast.Lambda):
        converter = _Function(options, node, None)
        node.body = converter.expression(node.body)
        return ast.fix_missing_locations(node)
    node.decorator_list = []
    node.returns = None
    for arg in ast.walk(node.args):
        if isinstance(arg, ast.arg):
            arg.annotation = None
    return ast.fix_missing_locations(_Function(options, node, None).converted())


class _Appends(ast.NodeTransformer):
    """Makes assignments of the appends to lists: what is appended to changes from then on."""

    def visit_Expr(self, node: ast.Expr) -> Any:  # noqa: N802
        call = node.value
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "append"
            and isinstance(call.func.value, ast.Name)
            and len(call.args) == 1
        ):
            name = call.func.value.id
            (made,) = _parsed(
                f"{name} = {OPERATORS}.list_append({name}, ITEM)", node, ITEM=call.args[0]
            )
            return made
        return node

    def visit_FunctionDef(self, node: Any) -> Any:  # noqa: N802
        return node  # It is converted by itself.

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef  # noqa: N815


class _Unmangled(ast.NodeTransformer):
    """Private names as the class around them makes them."""

    def __init__(self, owner: str):
        self._prefix = "_" + owner.lstrip("_")

    def _name(self, name: str) -> str:
        private = name.startswith("__") and not name.endswith("__") and "." not in name
        return self._prefix + name if private and self._prefix != "_" else name

    def visit_Attribute(self, node: ast.Attribute) -> Any:  # noqa: N802
        self.generic_visit(node)
        node.attr = self._name(node.attr)
        return node

    def visit_Name(self, node: ast.Name) -> Any:  # noqa: N802
        node.id = self._name(node.id)
        return node


def _parsed(text: str, like: ast.AST, **parts: Any) -> list[ast.stmt]:
    """Statements from text, in which names of `parts` stand for nodes or lists of statements."""

    class Fill(ast.NodeTransformer):
        def visit_Expr(self, node: ast.Expr) -> Any:  # noqa: N802
            if isinstance(node.value, ast.Name) and isinstance(parts.get(node.value.id), list):
                return parts[node.value.id]
            return self.generic_visit(node)

        def visit_Name(self, node: ast.Name) -> Any:  # noqa: N802
            return parts.get(node.id, node)

    found: list[ast.stmt] = []
    for statement in ast.parse(text).body:
        for inner in ast.walk(statement):
            if isinstance(inner, ast.stmt | ast.expr | ast.arg | ast.keyword):
                ast.copy_location(inner, like)
                # Python says of a call that it is on the line where what is called ends.
                inner.end_lineno, inner.end_col_offset = inner.lineno, inner.col_offset
        made = Fill().visit(statement)
        found += made if isinstance(made, list) else [made]
    for statement in found:
        ast.fix_missing_locations(statement)
    return found


def _expression(text: str, like: ast.AST, **parts: Any) -> ast.expr:
    statement = _parsed(text, like, **parts)[0]
    assert isinstance(statement, ast.Expr)
    return statement.value


def _thunk(node: ast.expr) -> ast.Lambda:
    none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.copy_location(ast.Lambda(none, node), node)


def _tuple(items: Iterable[str]) -> str:
    items = list(items)
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


class _Expressions(ast.NodeTransformer):
    """Calls and logic in expressions."""

    def __init__(self, function: _Function):
        self._function = function
        self._options = function.options

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:  # noqa: N802
        self.generic_visit(node)
        if any(_binds(value) for value in node.values):
            return node
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        found = node.values[-1]
        for value in reversed(node.values[:-1]):
            text = f"{OPERATORS}.{name}(FIRST, SECOND)"
            found = _expression(text, node, FIRST=_thunk(value), SECOND=_thunk(found))
        return found

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:  # noqa: N802
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not):
            return node
        return _expression(f"{OPERATORS}.not_(VALUE)", node, VALUE=node.operand)

    def visit_Compare(self, node: ast.Compare) -> Any:  # noqa: N802
        self.generic_visit(node)
        if not self._options.uses(Feature.EQUALITY_OPERATORS) or len(node.ops) != 1:
            return node
        if not isinstance(node.ops[0], ast.Eq | ast.NotEq):
            return node
        name = "eq" if isinstance(node.ops[0], ast.Eq) else "not_eq"
        text = f"{OPERATORS}.{name}(LEFT, RIGHT)"
        return _expression(text, node, LEFT=node.left, RIGHT=node.comparators[0])

    def visit_IfExp(self, node: ast.IfExp) -> Any:  # noqa: N802
        self.generic_visit(node)
        if _binds(node.body) or _binds(node.orelse):
            return node
        return _expression(
            f"{OPERATORS}.if_exp(TEST, BODY, ORELSE)",
            node,
            TEST=node.test,
            BODY=_thunk(node.body),
            ORELSE=_thunk(node.orelse),
        )

    def visit_Lambda(self, node: ast.Lambda) -> Any:  # noqa: N802
        self.generic_visit(node)
        return _expression(f"{OPERATORS}.converted(FUNCTION)", node, FUNCTION=node)

    def visit_List(self, node: ast.List) -> Any:  # noqa: N802
        self.generic_visit(node)
        if not self._options.uses(Feature.LISTS) or not isinstance(node.ctx, ast.Load):
            return node
        if any(isinstance(item, ast.Starred) for item in node.elts):
            return node
        return _expression(f"{OPERATORS}.new_list(ITEMS)", node, ITEMS=node)

    def visit_Call(self, node: ast.Call) -> Any:  # noqa: N802
        text = ast.unparse(node.func)
        self.generic_visit(node)
        if text.startswith(f"{OPERATORS}.") or text in _LEFT:
            return node
        if text == "print" and not self._options.uses(Feature.BUILTIN_FUNCTIONS):
            return node
        args: list[ast.expr] = node.args
        if text == "super" and not args:
            first = self._function.first_parameter
            if first is None:
                return node
            args = [ast.Name("__class__", ast.Load()), ast.Name(first, ast.Load())]
        kwargs: ast.expr = ast.Constant(None)
        if node.keywords:
            keys: list[Any] = [k.arg and ast.Constant(k.arg) for k in node.keywords]
            kwargs = ast.Dict(keys, [k.value for k in node.keywords])
        return _expression(
            f"{OPERATORS}.call(FUNCTION, ARGS, KWARGS, {self._function.scope})",
            node,
            FUNCTION=node.func,
            ARGS=ast.Tuple(args, ast.Load()),
            KWARGS=kwargs,
        )


def _binds(node: ast.expr) -> bool:
    """Whether an expression can't be moved into a function: it gives names values, or waits."""
    kinds = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
    return any(isinstance(inner, kinds) for inner in names.own_nodes(node))


class _Function:
    """The conversion of one function.

    Args:
      options: what is asked for.
      node: the function.
      outer: the conversion of the function around it, or None.
    """

    def __init__(self, options: ConversionOptions, node: Any, outer: _Function | None):
        self.options = options
        self._node = node
        own = names.parameters(node)
        self.first_parameter = own[0] if own else outer and outer.first_parameter
        self._used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} | set(own)
        if outer is not None:
            self._used |= outer._used
        # A lambda has no statements to make one in.
        self.scope = "None" if isinstance(node, ast.Lambda) else SCOPE
        self._expressions = _Expressions(self)
        self._hoisted: set[str] = set()

    def _fresh(self, name: str) -> str:
        """A name that the function doesn't use."""
        proposal, number = name, 0
        while proposal in self._used:
            number += 1
            proposal = f"{name.rstrip('_')}_{number}"
        self._used.add(proposal)
        return proposal

    def expression(self, node: ast.expr) -> ast.expr:
        """An expression with its calls and logic converted."""
        return self._expressions.visit(node)

    def converted(self) -> ast.FunctionDef:
        """The function."""
        node = self._node
        body: list[ast.stmt] = node.body
        head: list[ast.stmt] = []
        if ast.get_docstring(node, clean=False) is not None:
            head, body = body[:1], body[1:]
        jumps.drop_loop_else(body)
        if self.options.uses(Feature.LISTS):
            body = [_Appends().visit(statement) for statement in body]
        self._globals = names.declared(body, ast.Global)
        self._nonlocals = names.declared(body, ast.Nonlocal)
        at_end: set[str] = set()
        begin: list[ast.stmt] = []
        end: list[ast.stmt] = []
        last = body[-1] if body and isinstance(body[-1], ast.Return) else None
        if jumps.has(body[:-1] if last else body, ast.Return):
            done, value = self._fresh("do_return"), self._fresh("retval_")
            at_end = {done, value}
            body = jumps.lower_returns(body, done, value, lambda expression: expression)
            begin = _parsed(f"{done} = False\n{value} = {OPERATORS}.UndefinedReturnValue()", node)
            end = _parsed(f"return {OPERATORS}.retval({value})", node)
        elif last is not None:
            result = ast.Constant(None) if last.value is None else last.value
            value = self._fresh("retval_")
            at_end = {value}
            body = [*body[:-1], jumps.assign(value, result, last)]
            end = [ast.copy_location(ast.Return(ast.Name(value, ast.Load())), last)]
        body = jumps.lower_loops(body, self._fresh)
        at_end |= names.captured(body) | self._nonlocals
        self._live = names.Liveness(body, at_end)
        self._always = at_end
        body = self._block(body)
        own = set(names.parameters(node)) | self._nonlocals
        unset = [
            statement
            for name in sorted(self._hoisted - own - names.stores(*begin))
            for statement in _parsed(f"{name} = {OPERATORS}.Undefined({name!r})", node)
        ]
        declared = [
            statement
            for kind, listed in (("global", self._globals), ("nonlocal", self._nonlocals))
            if listed
            for statement in _parsed(f"{kind} {', '.join(sorted(listed))}", node)
        ]
        inner = [*begin, *unset, *body, *end] or [ast.copy_location(ast.Pass(), node)]
        scope = f"{OPERATORS}.FunctionScope({node.name!r}, {OPERATORS}.options__)"
        node.body = [
            *head,
            *declared,
            *_parsed(f"with {scope} as {SCOPE}:\n    BODY", node, BODY=inner),
        ]
        return ast.fix_missing_locations(node)

    # Statements.

    def _block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in body:
            method = getattr(self, f"_{type(statement).__name__}", None)
            made = self._other(statement) if method is None else method(statement)
            found += made if isinstance(made, list) else [made]
        return found

    def _other(self, s: ast.stmt) -> ast.stmt:
        """A statement whose blocks and expressions are converted, and no more."""
        for field, value in ast.iter_fields(s):
            if isinstance(value, ast.expr):
                setattr(s, field, self.expression(value))
            elif isinstance(value, list):
                if value and isinstance(value[0], ast.stmt):
                    setattr(s, field, self._block(value))
                else:
                    setattr(s, field, [self._part(item) for item in value])
        return s

    def _part(self, item: Any) -> Any:
        if isinstance(item, ast.expr):
            return self.expression(item)
        if isinstance(item, ast.ExceptHandler | ast.match_case):
            item.body = self._block(item.body)
        elif isinstance(item, ast.withitem):
            item.context_expr = self.expression(item.context_expr)
        return item

    def _Global(self, s: ast.Global) -> list[ast.stmt]:  # noqa: N802
        return []

    def _Nonlocal(self, s: ast.Nonlocal) -> list[ast.stmt]:  # noqa: N802
        return []

    def _ClassDef(self, s: ast.ClassDef) -> ast.stmt:  # noqa: N802
        return s

    def _AsyncFunctionDef(self, s: ast.AsyncFunctionDef) -> ast.stmt:  # noqa: N802
        return s

    def _FunctionDef(self, s: ast.FunctionDef) -> ast.stmt:  # noqa: N802
        if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in names.own_nodes(*s.body)):
            return s
        decorators = [self.expression(decorator) for decorator in s.decorator_list]
        args = s.args
        args.defaults = [self.expression(x) for x in args.defaults]
        args.kw_defaults = [x and self.expression(x) for x in args.kw_defaults]
        made = _Function(self.options, s, self).converted()
        made.decorator_list = [*decorators, _expression(f"{OPERATORS}.converted", s)]
        return made

    def _Assert(self, s: ast.Assert) -> Any:  # noqa: N802
        if not self.options.uses(Feature.ASSERT_STATEMENTS):
            return self._other(s)
        message = ast.Constant("Assertion error") if s.msg is None else self.expression(s.msg)
        text = f"{OPERATORS}.assert_stmt(TEST, MESSAGE)"
        return _parsed(text, s, TEST=self.expression(s.test), MESSAGE=_thunk(message))

    def _state(
        self, s: ast.stmt, written: set[str], outputs: set[str], places: dict[str, ast.expr]
    ) -> tuple[str, str, str]:
        """The functions that get and set the state of a statement.

        Args:
          s: the statement.
          written: the names that it gives values.
          outputs: those that matter after it.
          places: the attributes and items that it gives values.

        Returns:
          (their definitions, their names as two arguments, the names of the state).
        """
        own = written - self._globals
        self._hoisted |= own
        basic = sorted(outputs & own)
        temporary = sorted(own - outputs)
        everything = [*basic, *sorted(places), *temporary]
        get_state, set_state = self._fresh("get_state"), self._fresh("set_state")
        getters = [
            f"{OPERATORS}.ldu(lambda: {name}, {name!r})" if name in places else name
            for name in everything
        ]
        lines = [f"def {get_state}():", f"    return {_tuple(getters)}"]
        lines.append(f"def {set_state}(values__):")
        bound = [*basic, *temporary]
        if bound:
            lines.append(f"    nonlocal {', '.join(bound)}")
        for i, name in enumerate(everything):
            if name in places:
                lines.append(f"    if not {OPERATORS}.is_undefined(values__[{i}]):")
                lines.append(f"        {name} = values__[{i}]")
            else:
                lines.append(f"    {name} = values__[{i}]")
        if not everything:
            lines.append("    pass")
        described = f"{tuple(basic)!r}, {tuple(sorted(places))!r}"
        return "\n".join(lines), f"{get_state}, {set_state}", described

    def _define(
        self, name: str, parameters: str, written: set[str], body: list[ast.stmt], like: ast.AST
    ) -> list[ast.stmt]:
        """The definition of a function that a block becomes."""
        lines = [f"def {name}({parameters}):"]
        outside = written & self._globals
        for kind, listed in (("global", outside), ("nonlocal", written - outside)):
            if listed:
                lines.append(f"    {kind} {', '.join(sorted(listed))}")
        lines += ["    BODY", "    pass"]
        return _parsed("\n".join(lines), like, BODY=body)

    def _places(self, blocks: Sequence[ast.stmt]) -> dict[str, ast.expr]:
        """The attributes and items to keep as state: those of what is there before."""
        new = names.stores(*blocks)
        found = names.composites(*blocks)
        return {
            text: node
            for text, node in found.items()
            if not (names.loads(*ast.iter_child_nodes(node)) & new)
        }

    def _If(self, s: ast.If) -> list[ast.stmt]:  # noqa: N802
        blocks = [*s.body, *s.orelse]
        written = names.stores(*blocks)
        outputs = written & (self._live.after[id(s)] | self._always)
        places = self._places(blocks)
        test = self.expression(s.test)
        body, orelse = self._block(s.body), self._block(s.orelse)
        define, state, described = self._state(s, written, outputs, places)
        if_body, else_body = self._fresh("if_body"), self._fresh("else_body")
        return [
            *_parsed(define, s),
            *self._define(if_body, "", written, body, s),
            *self._define(else_body, "", written, orelse, s),
            *_parsed(
                f"{OPERATORS}.if_stmt(TEST, {if_body}, {else_body}, {state}, {described})",
                s,
                TEST=test,
            ),
        ]

    def _loop_variables(self, s: Any, written: set[str]) -> set[str]:
        live = self._live.at_test[id(s)] | self._live.after[id(s)] | self._always
        return written & live

    def _While(self, s: ast.While) -> list[ast.stmt]:  # noqa: N802
        written = names.stores(*s.body)
        variables = self._loop_variables(s, written)
        places = self._places(s.body)
        options = self._loop_options(s.body)
        test, body = self.expression(s.test), self._block(s.body)
        define, state, described = self._state(s, written, variables, places)
        loop_body, loop_test = self._fresh("loop_body"), self._fresh("loop_test")
        call = f"{OPERATORS}.while_stmt({loop_test}, {loop_body}, {state}, {described}, OPTIONS)"
        return [
            *_parsed(define, s),
            *self._define(loop_body, "", written, body, s),
            *_parsed(f"def {loop_test}():\n    return TEST", s, TEST=test),
            *_parsed(call, s, OPTIONS=options),
        ]

    def _For(self, s: ast.For) -> list[ast.stmt]:  # noqa: N802
        written = names.stores(s.target, *s.body)
        variables = self._loop_variables(s, written)
        places = self._places([ast.Expr(s.target), *s.body])  # pyright: ignore
        options = self._loop_options(s.body)
        further = names.test_of(s)
        iterated, body = self.expression(s.iter), self._block(s.body)
        define, state, described = self._state(s, written, variables, places)
        loop_body, extra_test = self._fresh("loop_body"), "None"
        item = self._fresh("item__")
        take = ast.copy_location(ast.Assign([s.target], ast.Name(item, ast.Load())), s)
        tests: list[ast.stmt] = []
        if further:
            extra_test = self._fresh("extra_test")
            test = self.expression(further[0])
            tests = _parsed(f"def {extra_test}():\n    return TEST", s, TEST=test)
        call = (
            f"{OPERATORS}.for_stmt(ITERATED, {extra_test}, {loop_body}, {state}, {described}, "
            "OPTIONS)"
        )
        return [
            *_parsed(define, s),
            *self._define(loop_body, item, written, [take, *body], s),
            *tests,
            *_parsed(call, s, ITERATED=iterated, OPTIONS=options),
        ]

    def _loop_options(self, body: list[ast.stmt]) -> ast.expr:
        """What a call of `set_loop_options` at the start of a loop says; it is taken away."""
        for statement in body[:2]:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                call = statement.value
                if ast.unparse(call.func).endswith("set_loop_options") and not call.args:
                    body.remove(statement)
                    keys: list[Any] = [ast.Constant(k.arg) for k in call.keywords]
                    given = ast.Dict(keys, [k.value for k in call.keywords])
                    return ast.fix_missing_locations(ast.copy_location(given, statement))
        return ast.Constant(None)
