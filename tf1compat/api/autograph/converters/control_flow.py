"""`if`, `while` and `for` as calls of AutoGraph's operators on functions of values.

    if test:           def if_true(x=x):
        x = f(x)           x = f(x)
    else:      ->          return (x,)
        x = 1          def if_false(): …
                       (x,) = ag__.if_stmt(test, if_true, if_false, get_state, set_state, …)

A variable that a block changes is a parameter of its function, with what it was as default.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from tf1compat.api.autograph.converters.jumps import EXTRA_TEST
from tf1compat.api.autograph.core import entities
from tf1compat.api.autograph.pyct import anno, syntax, templates
from tf1compat.api.autograph.pyct.static_analysis.annos import NodeAnno


def _listed(symbols: Iterable[Any]) -> list[Any]:
    return sorted(symbols, key=str)


def _comma(names: Iterable[Any], form: str = "{0}, ") -> str:
    return "".join(form.format(name) for name in names)


class _State(NamedTuple):
    """The attributes and items that a statement changes: functions that get and set them.

    Args:
      getter, setter: their names.
      definitions: the statements that make them.
      symbols: what is got and set.
    """

    getter: str
    setter: str
    definitions: list[Any]
    symbols: list[Any]


class ControlFlowTransformer(entities.Base):
    """Makes functions of blocks, and calls of the operators with them."""

    def _named(self, root: str, taken: Any) -> str:
        return self.ctx.namer.new_symbol(root, taken)

    def _state(self, symbols: Iterable[Any], taken: Any) -> _State:
        symbols = _listed(symbols)
        getter, setter = self._named("get_state", taken), self._named("set_state", taken)
        if symbols:
            code = "def getter():\n  return (symbols,)\ndef setter(values):\n  (symbols,) = values"
        else:
            code = "def getter():\n  return ()\ndef setter(_):\n  pass"
        made = templates.replace(code, getter=getter, setter=setter, symbols=symbols)
        return _State(getter, setter, made, symbols)

    def _undefined(self, symbols: Iterable[Any]) -> list[Any]:
        """Says of variables that they have no value yet."""
        return [
            statement
            for symbol in _listed(symbols)
            for statement in templates.replace(
                "symbol = ag__.Undefined(name)", symbol=symbol, name=syntax.literal(symbol.ssf())
            )
        ]

    def _called(self, operator: str, results: list[Any], state: _State, **parts: Any) -> list[Any]:
        """The call of an operator, whose results are set."""
        target = f"({_comma(results)}) = " if results else ""
        names = f"({_comma(map(repr, map(str, results)))})"
        return templates.replace(
            f"{target}ag__.{operator}, getter, setter, INITIAL {names}, places)".replace(
                "INITIAL", f"({_comma(results)})," if "initial" in parts else ""
            ),
            getter=state.getter,
            setter=state.setter,
            places=syntax.gast.Tuple(
                elts=[syntax.literal(str(symbol)) for symbol in state.symbols],
                ctx=syntax.gast.Load(),
            ),
            **{key: value for key, value in parts.items() if key != "initial"},
        )

    # Conditionals.

    def visit_If(self, node: Any) -> Any:
        """Makes a call of `ag__.if_stmt`."""
        scopes = [anno.getanno(node, key) for key in (NodeAnno.BODY_SCOPE, NodeAnno.ORELSE_SCOPE)]
        defined = set(anno.getanno(node, anno.Static.DEFINED_VARS_IN))
        live = anno.getanno(node, anno.Static.LIVE_VARS_OUT)
        # What is noted at the statements of the blocks is lost when those are rewritten.
        kept = [
            _listed(
                symbol
                for symbol in scope.modified & defined
                if not symbol.is_composite() and symbol in _live_in(block)
            )
            for scope, block in zip(scopes, (node.body, node.orelse), strict=True)
        ]
        node = self.generic_visit(node)
        modified = scopes[0].modified | scopes[1].modified
        taken = scopes[0].referenced | scopes[1].referenced
        results = _listed(s for s in modified if s in live and not s.is_composite())
        created = [(scope.modified & set(results)) - defined for scope in scopes]
        state = self._state((s for s in modified if s.is_composite()), taken)
        test = self._named("cond", taken)
        names = [self._named(root, taken) for root in ("if_true", "if_false")]
        functions: list[Any] = []
        for name, block, own in zip(names, (node.body, node.orelse), kept, strict=True):
            # A conditional on a tensor needs a result.
            end = f"({_comma(results)})" if results else f"ag__.match_staging_level(1, {test})"
            functions += templates.replace(
                f"def name({_comma(own, '{0}={0}, ')}):\n  block\n  return {end}",
                name=name,
                block=block or templates.replace("pass"),
            )
        return [
            *self._undefined(created[0] ^ created[1]),
            *templates.replace("test = value", test=test, value=node.test),
            *state.definitions,
            *functions,
            *self._called(f"if_stmt({test}, {names[0]}, {names[1]}", results, state),
        ]

    # Loops.

    def _loop_state(self, node: Any, modified: Any) -> tuple[list[Any], list[Any], _State, Any]:
        """The variables of a loop, statements before it, its other state, and names in use."""
        taken = anno.getanno(node, NodeAnno.BODY_SCOPE).referenced
        live_in = anno.getanno(node, anno.Static.LIVE_VARS_IN)
        live_out = anno.getanno(node, anno.Static.LIVE_VARS_OUT)
        names = _listed(
            s for s in modified if not s.is_composite() and (s in live_in or s in live_out)
        )
        places = [
            s for s in modified if s.is_composite() and all(p in live_in for p in s.support_set)
        ]
        undefined = set(names) - set(anno.getanno(node, anno.Static.DEFINED_VARS_IN))
        state = self._state(places, taken)
        return names, [*self._undefined(undefined), *state.definitions], state, taken

    def visit_While(self, node: Any) -> Any:
        """Makes a call of `ag__.while_stmt`."""
        node = self.generic_visit(node)
        modified = anno.getanno(node, NodeAnno.BODY_SCOPE).modified
        names, before, state, taken = self._loop_state(node, modified)
        body, test = self._named("loop_body", taken), self._named("loop_test", taken)
        functions = templates.replace(
            f"""
            def body_name({_comma(names)}):
              body
              return ({_comma(names)})
            def test_name({_comma(names)}):
              return test
            """,
            body_name=body,
            body=node.body,
            test_name=test,
            test=node.test,
        )
        call = self._called(f"while_stmt({test}, {body}", names, state, initial=True)
        # What is left of `break` is in the test, so that an `else` follows in any case.
        return [*before, *functions, *call, *node.orelse]

    def visit_For(self, node: Any) -> Any:
        """Makes a call of `ag__.for_stmt`."""
        node = self.generic_visit(node)
        modified = (
            anno.getanno(node, NodeAnno.BODY_SCOPE).modified
            | anno.getanno(node, NodeAnno.ITERATE_SCOPE).modified
        )
        names, before, state, taken = self._loop_state(node, modified)
        body, item = self._named("loop_body", taken), self._named("itr", taken)
        functions = templates.replace(
            f"""
            def body_name({item}, {_comma(names)}):
              target = {item}
              body
              return ({_comma(names)})
            """,
            body_name=body,
            target=node.target,
            body=node.body,
        )
        test = "None"
        if anno.hasanno(node, EXTRA_TEST):
            test = self._named("extra_test", taken)
            functions += templates.replace(
                f"def test_name({_comma(names)}):\n  return test",
                test_name=test,
                test=anno.getanno(node, EXTRA_TEST),
            )
        call = self._called(
            f"for_stmt(items, {test}, {body}", names, state, initial=True, items=node.iter
        )
        return [*before, *functions, *call, *node.orelse]


def _live_in(block: list[Any]) -> Any:
    return anno.getanno(block[0], anno.Static.LIVE_VARS_IN, ()) if block else ()


def transform(node: Any, ctx: Any) -> Any:
    """Rewrites the control flow of a tree.

    Args:
      node: the tree, analyzed.
      ctx: an `EntityContext`.

    Returns:
      The tree.
    """
    return ControlFlowTransformer(ctx).visit(node)
