"""What a conversion works with: its context, and the base of its converters."""

from __future__ import annotations

import enum
from typing import Any, NamedTuple

from tf1compat.api.autograph.pyct import anno, cfg, qual_names, transformer
from tf1compat.api.autograph.pyct.static_analysis import (
    activity,
    liveness,
    reaching_definitions,
)


class AgAnno(enum.Enum):
    """Keys of what AutoGraph notes at nodes."""

    DIRECTIVES = "The user's directives for the statement."

    def __repr__(self) -> str:
        return self.name


class AnnotatedDef(reaching_definitions.Definition):
    """A definition with the user's directives for it, in `directives`."""


class ProgramContext(NamedTuple):
    """What the conversions of a function and of those that it calls have in common.

    Args:
      options: `ConversionOptions`.
      autograph_module: the module that converted code calls.
    """

    options: Any
    autograph_module: Any


class EntityContext(transformer.Context):
    """The conversion of one function or class.

    Args:
      namer: makes names.
      entity_info: a `transformer.EntityInfo`.
      program_ctx: a `ProgramContext`.
      target_name: the name of the result.
    """

    def __init__(self, namer: Any, entity_info: Any, program_ctx: Any, target_name: Any = None):
        super().__init__(entity_info)
        self.namer = namer
        self.program = program_ctx
        self.target_name = target_name


class Base(transformer.Base):
    """The base of converters.

    Args:
      ctx: an `EntityContext`.
    """

    def __init__(self, ctx: Any):
        super().__init__(ctx)
        self._used = False
        self._ast_depth = 0

    def get_definition_directive(self, node: Any, directive: Any, arg: str, default: Any) -> Any:
        """The value that the user's directives give an argument for a symbol.

        Args:
          node: the symbol's name.
          directive: the directive.
          arg: the argument.
          default: the value without any.

        Returns:
          The value, a node.

        Raises:
          ValueError: the symbol's definitions have several values.
        """
        found = []
        for definition in anno.getanno(node, anno.Static.ORIG_DEFINITIONS, ()):
            if directive in definition.directives:
                values = definition.directives[directive]
                if arg in values:
                    found.append(values[arg])
        if not found:
            return default
        texts = {self._get_source(value) for value in found}
        if len(texts) > 1:
            raise ValueError(
                f"{anno.getanno(node, anno.Basic.QN)} has ambiguous annotations for {directive}"
                f"({arg}): {', '.join(sorted(texts))}"
            )
        return found[0]

    def visit(self, node: Any) -> Any:
        """Converts a tree, once.

        Args:
          node: the tree.

        Returns:
          What takes its place.

        Raises:
          ValueError: the converter has converted one already.
        """
        if not self._ast_depth:
            if self._used:
                raise ValueError("converter objects cannot be reused")
            self._used = True
        self._ast_depth += 1
        try:
            return super().visit(node)
        finally:
            self._ast_depth -= 1


def standard_analysis(node: Any, context: EntityContext, is_initial: bool = False) -> Any:
    """Notes at a tree's nodes all that static analysis finds.

    Args:
      node: the tree.
      context: the conversion.
      is_initial: whether nothing is converted yet: then the definitions are kept as the original
        ones too.

    Returns:
      The tree.
    """
    graphs = cfg.build(node)
    node = activity.resolve(qual_names.resolve(node), context)
    for resolve, options in (
        (reaching_definitions.resolve, {"definition_factory": AnnotatedDef}),
        (liveness.resolve, {}),
    ):
        node = resolve(node, context, graphs, **options)
    if is_initial:
        anno.dup(node, {anno.Static.DEFINITIONS: anno.Static.ORIG_DEFINITIONS})
    return node


def apply_(node: Any, context: EntityContext, converter_module: Any) -> Any:
    """Analyzes a tree and applies a converter to it.

    Args:
      node: the tree.
      context: the conversion.
      converter_module: the converter's module.

    Returns:
      The converted tree.
    """
    node = standard_analysis(node, context)
    return converter_module.transform(node, context)
