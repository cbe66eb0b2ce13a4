"""The base of tests of converters."""

from __future__ import annotations

import contextlib
import io
import types
from collections.abc import Iterator
from typing import Any

from tf1compat.api.autograph.core import converter, entities, naming
from tf1compat.api.autograph.impl import ast_conversion
from tf1compat.api.autograph.pyct import (
    compiler,
    origin_info,
    parser,
    pretty_printer,
    transformer,
)
from tf1compat.api.platform import test

_FEATURES = ("print_function", "division")


class TestCase(test.TestCase):
    """A test that converts functions by some converters and runs them.

    Attributes:
      dynamic_calls: the arguments of what converted code has called last by
        `ag__.converted_call`: pairs of a tuple, and a dict or None.
    """

    @contextlib.contextmanager
    def assertPrints(self, expected_result: str) -> Iterator[None]:
        """Context manager: the block prints a text.

        Args:
          expected_result: the text.
        """
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            yield
        self.assertEqual(printed.getvalue(), expected_result)

    @contextlib.contextmanager
    def compiled(self, node: Any, namespace: dict[str, Any], symbols: Any = ()) -> Iterator[Any]:
        """Context manager: gives a module of a tree's code, which is shown if the block fails.

        Args:
          node: the tree.
          namespace: what the code sees besides.
          symbols: what the module's `tf` has.
        """
        self.dynamic_calls: list[Any] = []

        def converted_call(f: Any, options: Any, args: Any, kwargs: Any, scope: Any) -> Any:
            self.dynamic_calls.append((args, kwargs))
            return f(*args, **(kwargs or {}))

        source = None
        try:
            result, source, source_map = compiler.ast_to_object(node, include_source_map=True)
            ag = ast_conversion.operators()
            ag.converted_call = converted_call  # type: ignore[attr-defined]
            known = {"tf": self.make_fake_mod("fake_tf", *symbols), "ag__": ag}
            vars(result).update(known, ag_source_map__=source_map, **namespace)
            yield result
        except Exception:
            if source is None:
                print(f"Offending AST:\n{pretty_printer.fmt(node, color=False)}")
            else:
                print(f"Offending compiled code:\n{source}")
            raise

    @contextlib.contextmanager
    def converted(
        self, entity: Any, converter_module: Any, namespace: dict[str, Any], tf_symbols: Any = ()
    ) -> Iterator[Any]:
        """Context manager: gives a module of a converted function.

        Args:
          entity: the function.
          converter_module: a module with a converter, or several.
          namespace, tf_symbols: see `compiled`.
        """
        node, ctx = self.prepare(entity, namespace)
        several = isinstance(converter_module, list | tuple)
        for i, module in enumerate(converter_module if several else (converter_module,)):
            node = entities.standard_analysis(node, ctx, is_initial=not i)
            node = module.transform(node, ctx)
        with self.compiled(node, namespace, tf_symbols) as result:
            yield result

    def make_fake_mod(self, name: str, *symbols: Any) -> types.ModuleType:
        """A module.

        Args:
          name: its name.
          *symbols: what it has, by the names that they have themselves.

        Returns:
          The module.

        Raises:
          ValueError: one has no name.
        """
        made = types.ModuleType(name)
        for symbol in symbols:
            own = getattr(symbol, "__name__", getattr(symbol, "name", None))
            if own is None:
                raise ValueError(f"can not attach {symbol} - what should be its name?")
            setattr(made, own, symbol)
        return made

    def attach_namespace(self, module: types.ModuleType, **ns: Any) -> None:
        """Lets a module have further names."""
        vars(module).update(ns)

    def prepare(
        self, test_fn: Any, namespace: dict[str, Any], recursive: bool = True
    ) -> tuple[Any, Any]:
        """The tree of a function, analyzed.

        Args:
          test_fn: the function.
          namespace: what it sees; `ConversionOptions` is added.
          recursive: whether what it calls is to be converted too.

        Returns:
          The tree and an `EntityContext`.
        """
        namespace["ConversionOptions"] = converter.ConversionOptions
        node, source = parser.parse_entity(test_fn, future_features=_FEATURES)
        ctx = entities.EntityContext(
            naming.Namer(namespace),
            transformer.EntityInfo(source, "<fragment>", _FEATURES, namespace),
            entities.ProgramContext(converter.ConversionOptions(recursive=recursive), None),
            "test_fn",
        )
        origin_info.resolve_entity(node, source, test_fn)
        return entities.standard_analysis(node, ctx, is_initial=True), ctx
