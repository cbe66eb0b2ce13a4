"""Functions and classes as converted syntax trees (`tensorflow.python.autograph.impl.conversion`).

That is for whoever looks at the code: what runs is made by `conversion.convert`.
"""

from __future__ import annotations

import inspect
import types
from typing import Any

from tf1compat.api.autograph import utils
from tf1compat.api.autograph.converters import (
    arg_defaults,
    asserts,
    break_statements,
    call_trees,
    conditional_expressions,
    continue_statements,
    control_flow,
    directives,
    function_scopes,
    lists,
    logical_expressions,
    return_statements,
    slices,
)
from tf1compat.api.autograph.core import (
    converter,
    entities,
    function_wrappers,
    naming,
    unsupported_features_checker,
)
from tf1compat.api.autograph.core.converter import Feature
from tf1compat.api.autograph.impl import api, conversion
from tf1compat.api.autograph.lang import special_functions
from tf1compat.api.autograph.operators import (
    data_structures,
    exceptions,
    logical,
    py_builtins,
    special_values,
    value_statements,
)
from tf1compat.api.autograph.operators import slices as slice_operators
from tf1compat.api.autograph.pyct import (
    ast_util,
    inspect_utils,
    origin_info,
    parser,
    qual_names,
    syntax,
    transformer,
)
from tf1compat.api.autograph.pyct.syntax import gast

# What converted trees call as `ag__`, from which of our modules.
_OPERATORS = {
    value_statements: "for_stmt if_stmt while_stmt",
    data_structures: "list_append list_pop list_stack ListPopOpts ListStackOpts",
    exceptions: "assert_stmt",
    logical: "and_ eq not_ not_eq or_",
    py_builtins: "float_ int_ len_ print_ range_",
    slice_operators: "get_item GetItemOpts set_item",
    special_values: "is_undefined is_undefined_return retval Undefined UndefinedReturnValue",
    special_functions: "match_staging_level tensor_list stack",
    function_wrappers: "FunctionScope with_function_scope",
}


def operators(autograph_module: Any = None) -> types.ModuleType:
    """What converted trees know as `ag__`.

    Args:
      autograph_module: a module whose names it has besides, as those of `autograph.impl.api`.

    Returns:
      The module.
    """
    made = types.ModuleType("autograph")
    names = vars(made)
    if autograph_module is not None:
        names.update({k: getattr(autograph_module, k) for k in dir(autograph_module)})
    names.update(
        ConversionOptions=converter.ConversionOptions,
        STD=converter.STANDARD_OPTIONS,
        Feature=Feature,
        utils=utils,
        new_list=data_structures.new_list_or_tensor,
    )
    for module, own in _OPERATORS.items():
        names.update({name: getattr(module, name) for name in own.split()})
    return made


_kept: list[types.ModuleType] = []


def _add_operators(namespace: dict[str, Any], autograph_module: Any) -> None:
    """Lets a function's names have `ag__`.

    Raises:
      ValueError: it is something else there.
    """
    if not _kept:
        _kept.append(operators(autograph_module))
    if namespace.setdefault("ag__", _kept[0]) is not _kept[0]:
        raise ValueError('The name "ag__" is reserved and may not be used.')


def node_to_graph(node: Any, context: Any) -> Any:
    """Applies all converters that are asked for.

    Args:
      node: a function's tree.
      context: an `EntityContext`.

    Returns:
      The converted tree.

    Raises:
      NotImplementedError: the tree has something unsupported.
    """
    unsupported_features_checker.verify(node)
    uses = context.program.options.uses
    has_lists = uses(Feature.LISTS)
    node = entities.standard_analysis(node, context, is_initial=True)
    for module, wanted in (
        (function_scopes, True),
        (arg_defaults, True),
        (directives, True),
        (break_statements, True),
        (asserts, uses(Feature.ASSERT_STATEMENTS)),
        (continue_statements, True),
        (return_statements, True),
        (lists, has_lists),
        (slices, has_lists),
        (call_trees, True),
        (control_flow, True),
        (conditional_expressions, True),
        (logical_expressions, True),
    ):
        if wanted:
            node = entities.apply_(node, context, module)
    return node


def convert_func_to_ast(
    f: Any, program_ctx: Any, do_rename: bool = True
) -> tuple[tuple[Any, ...], str, Any]:
    """A function as a converted tree.

    Args:
      f: a function, lambda or method.
      program_ctx: a `ProgramContext`.
      do_rename: whether it gets another name.

    Returns:
      The statement's node in a tuple, the name that it gives the function, an `EntityInfo`.

    Raises:
      ValueError: a lambda is not found in its line.
    """
    future_features = inspect_utils.getfutureimports(f)
    node, source = parser.parse_entity(f, future_features=future_features)
    is_lambda = f.__name__ == "<lambda>"
    if is_lambda:
        found = ast_util.find_matching_definitions(node, f)
        if len(found) != 1:
            raise ValueError(
                f"Unable to identify source code of lambda function {f}. It was defined on this "
                f"line: {source}, which must contain a single lambda with matching signature. To "
                "avoid ambiguity, define each lambda in a separate expression."
            )
        (node,) = found
    origin_info.resolve_entity(node, source, f)
    namespace = inspect_utils.getnamespace(f)
    _add_operators(namespace, program_ctx.autograph_module)
    namer = naming.Namer(namespace)
    if is_lambda:
        name = namer.new_symbol("tf__lambda", ())
    else:
        name = namer.function_name(f.__name__) if do_rename else f.__name__
    info = transformer.EntityInfo(source, "<fragment>", future_features, namespace)
    node = node_to_graph(node, entities.EntityContext(namer, info, program_ctx, name))
    if is_lambda:
        node = syntax.assignment(name, node)
    else:
        node.name = name
    return (node,), name, info


def convert_class_to_ast(c: type, program_ctx: Any) -> tuple[list[Any], str, Any]:
    """A class, with its own methods, as a converted tree.

    Args:
      c: the class.
      program_ctx: a `ProgramContext`.

    Returns:
      The statements' nodes, the class's name, an `EntityInfo`.

    Raises:
      ValueError: it has no methods, or those of several kinds of modules.
      NotImplementedError: it has a base that would have to be converted.
    """
    methods = [m for _, m in inspect.getmembers(c, inspect.isroutine) if _is_python(m)]
    if not methods:
        raise ValueError(f"cannot convert {c}: no member methods")
    namespace: dict[str, Any] = {}
    body, features = [], None
    for method in methods:
        if inspect_utils.getdefiningclass(method, c) is not c:
            continue
        (node,), _, info = convert_func_to_ast(method, program_ctx, do_rename=False)
        namespace.update(info.namespace)
        body.append(node)
        if features is not None and set(features) != set(info.future_features):
            raise ValueError(
                f"cannot convert {c}: if has methods built with mismatched future features: "
                f"{features} and {info.future_features}"
            )
        features = info.future_features
    namer = naming.Namer(namespace)
    name = namer.class_name(c.__name__)
    renamed = {qual_names.QN(c.__name__): qual_names.QN(name)}
    statements: list[Any] = []
    bases = []
    for base in c.__bases__:
        alias = base.__name__
        if base is not object:
            if not conversion.is_whitelisted_for_graph(base):
                raise NotImplementedError(
                    "Conversion of classes that do not directly extend classes from whitelisted "
                    "modules is temporarily suspended. If this breaks existing code please notify "
                    "the AutoGraph team immediately."
                )
            alias = namer.new_symbol(base.__name__, ())
            imported = gast.alias(name=base.__name__, asname=alias)
            statements.append(gast.ImportFrom(module=base.__module__, names=[imported], level=0))
            renamed[qual_names.QN(base.__name__)] = qual_names.QN(alias)
        bases.append(syntax.name(alias, gast.Load()))
    made = gast.ClassDef(name=name, bases=bases, keywords=[], body=body, decorator_list=[])
    statements.append(ast_util.rename_symbols(qual_names.resolve(made), renamed))
    return statements, name, transformer.EntityInfo(None, None, features, namespace)


def _is_python(method: Any) -> bool:
    return inspect.isfunction(method) or inspect.ismethod(method)


def convert_entity(entity: Any, program_ctx: Any) -> Any:
    """The converted form of a function or a method, as conversions of programs make it.

    Args:
      entity: the function or the method.
      program_ctx: a `ProgramContext`.

    Raises:
      ValueError: it uses the name of AutoGraph's operators, or cannot be converted.
    """
    function = inspect.unwrap(getattr(entity, "__func__", entity))
    if conversion.transform.OPERATORS in function.__code__.co_freevars:
        raise ValueError(
            f'entity {entity} uses the reserved symbol "{conversion.transform.OPERATORS}"'
        )
    return conversion.convert(function, program_ctx.options, api._operators)


def convert_entity_to_ast(o: Any, program_ctx: Any) -> tuple[Any, str, Any]:
    """A function or class as a converted tree.

    Args:
      o: the function or class.
      program_ctx: a `ProgramContext`.

    Returns:
      The statements' nodes, the name that they give it, an `EntityInfo`.

    Raises:
      NotImplementedError: it is something else.
    """
    if inspect.isclass(o):
        return convert_class_to_ast(o, program_ctx)
    if _is_python(o):
        return convert_func_to_ast(o, program_ctx)
    raise NotImplementedError(
        f'cannot convert entity "{o}": object conversion is not yet supported.'
    )
