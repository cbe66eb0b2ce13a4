"""What AutoGraph's converters, run one by one, and its operators do: cases as in
inner_module_cases.py, in graphs of their own.
"""

from __future__ import annotations

import contextlib
import io

import numpy as np
from inner_module_cases import case
from internal_cases import error, internal


def _evaluated(tf, value):
    def plain(x):
        if isinstance(x, tf.Tensor):
            with tf.Session(graph=x.graph) as session:
                found = np.asarray(session.run(x)).tolist()
            return found.decode() if isinstance(found, bytes) else found
        return getattr(x, "symbol_name", x)

    return tf.nest.map_structure(plain, value)


def _results(tf, names, function, *calls, **namespace):
    """What a converted function gives, or raises, for several arguments."""
    modules = [internal("autograph.converters." + name) for name in names.split()]

    class Test(internal("autograph.core.converter_testing").TestCase):
        def runTest(self):
            pass

    said = []
    for make in calls:
        test = Test()
        with tf.Graph().as_default(), contextlib.redirect_stdout(io.StringIO()):

            def run(test=test, make=make):
                with test.converted(function, modules, dict(namespace)) as module:
                    found = getattr(module, function.__name__)(*make())
                    return _evaluated(tf, found)

            raised = error(run)
            said.append(run() if raised[0] == "nothing" else raised)
        said += [
            [len(args), sorted(kwargs or {})] for args, kwargs in getattr(test, "dynamic_calls", ())
        ]
    return said


def branches(a, b, n):
    if n > 0:
        a = -a
        c = a * 2
    else:
        b = 2 * b
        c = b
    return a, b, c


def one_branch(n):
    if n > 0:
        n = -n
    return n


def one_variable_in_one_branch(n):
    if n > 0:
        c = 1
    return c


def attribute(a, n):
    if n > 0:
        a.b = -n
    a.b = a.b + 1
    return a.b


def nested_loops(n):
    i = 0
    j = 0
    s = 0
    while i < n:
        while j < i:
            j += 3
        u = i + j
        s += u
        i += 1
        j = 0
    return s, i, j, n


def new_variable_in_a_loop(n):
    while n > 0:
        n -= 1
        s = n
    return s


def sums(items):
    s1 = 0
    s2 = 0
    for e in items:
        s1 += e
        s2 += e * e
    return s1, s2


def sums_of_pairs(items):
    s = 0
    for a, b in items:
        s += a * b
    return s


class _Holder(object):
    def __init__(self, b):
        self.b = b


@case
def converted_control_flow(tf):
    c = tf.constant
    flow = "control_flow"
    return [
        _results(tf, flow, branches, lambda: (1, 2, 1), *[
            lambda n=n: (c(1), c(2), c(n)) for n in (-1, 1)
        ]),
        _results(tf, flow, one_branch, lambda: (1,), lambda: (c(1),), lambda: (c(-1),)),
        _results(
            tf, flow, one_variable_in_one_branch, lambda: (1,), lambda: (-1,), lambda: (c(1),)
        ),
        _results(tf, flow, attribute, lambda: (_Holder(1), 2), *[
            lambda n=n: (_Holder(c(5)), c(n)) for n in (-2, 2)
        ]),
        _results(tf, flow, nested_loops, lambda: (5,), lambda: (c(5),)),
        _results(
            tf, flow, new_variable_in_a_loop, lambda: (5,), lambda: (0,), lambda: (c(5),)
        ),
        _results(
            tf, flow, sums, lambda: ([1, 2, 3],), lambda: (c([1, 2]),), lambda: (tf.range(4),)
        ),
        _results(tf, flow, sums_of_pairs, lambda: ([(1, 2), (3, 4)],)),
    ]  # fmt: skip


def loop_with_jumps(items):
    s = 0
    for e in items:
        if e > 4:
            break
        if e == 2:
            continue
        s += e
    return s


def return_in_a_loop(items):
    for e in items:
        if e > 2:
            return e
    return -1


@case
def converted_jumps(tf):
    names = (
        "break_statements continue_statements return_statements control_flow logical_expressions"
    )
    return [
        _results(
            tf, names, loop_with_jumps, lambda: ([1, 2, 3, 5, 9],),
            lambda: (tf.constant([1, 2, 3, 5, 9]),), lambda: (tf.range(9),),
        ),
        _results(tf, names, return_in_a_loop, lambda: ([1, 5],), lambda: ([1],)),
    ]  # fmt: skip


def asserted(a):
    assert a, "a message"
    return 1


def asserted_list(a):
    assert a, [a]
    return 1


def conditional(x):
    y = x * x if x > 0 else x
    return y


def logical(a, b, c):
    return (a or b) and (a or b or c), not a


def compared(a, b, c):
    return a == b, a != b, a == b == c, a < b < c, a is b


def comprehended(items):
    s = [e * f for e in items for f in e if f]
    return s


def with_defaults(b=1, c=2):
    return b, c


def item(items):
    items[1] = 5
    return items[0], items[1], items[0:2]


def item_of_tensor(items):
    return items[1]


def items_at_once(items):
    items[0] = items[1] = 2
    return items


@case
def converted_expressions(tf):
    c = tf.constant
    return [
        _results(tf, "asserts", asserted, lambda: (True,), lambda: (False,)),
        _results(tf, "asserts", asserted_list, lambda: (True,)),
        _results(tf, "conditional_expressions", conditional, lambda: (3,), *[
            lambda n=n: (c(n),) for n in (-3, 3)
        ]),
        _results(
            tf, "logical_expressions", logical,
            lambda: (False, False, True), lambda: (c(True), c(False), True),
        ),
        _results(
            tf, "logical_expressions", compared, lambda: (1, 1, 2), lambda: (c(1), c(1), c(2))
        ),
        _results(tf, "list_comprehensions", comprehended, lambda: ([[], [0, 1]],)),
        _results(tf, "arg_defaults", with_defaults, lambda: (), lambda: (1, 2)),
        _results(tf, "slices", item, lambda: ([1, 2, 3],)),
        _results(tf, "slices", item_of_tensor, lambda: (c([1, 2]),), lambda: (c("abc"),)),
        _results(tf, "slices", items_at_once, lambda: ([1, 2],)),
    ]  # fmt: skip


def list_of_some():
    made = [1, 2]
    made.append(3)
    last = made.pop()
    made.append(4)
    return made, last


def popped_twice():
    made = [1, 2, 3]
    return made.pop() + made.pop(0), made


def calls(f, a, *args, **kwargs):
    return f(a, *args, k=1, **kwargs), f(), f(a, b=a)


def calls_in_with(items, manager):
    with manager():
        return len(items)


def documented(x):
    """What it does."""

    def inner(y):
        return y + 1

    return inner(x)


@case
def converted_calls(tf):
    scoped = "function_scopes call_trees"
    return [
        _results(tf, "lists", list_of_some, lambda: ()),
        _results(tf, "lists", popped_twice, lambda: ()),
        _results(tf, scoped, calls, lambda: (lambda *a, **k: [list(a), sorted(k.items())], 1, 2)),
        _results(tf, scoped, calls_in_with, lambda: ([1, 2], contextlib.suppress)),
        _results(tf, "function_scopes", documented, lambda: (1,)),
    ]


directives = None  # What functions below mean by it, their conversions are told.


def says_of_symbols():
    items = 1
    directives.set_element_type(items, "a", shape=())
    return items


def says_of_loops(x):
    while x:
        directives.set_loop_options(parallel_iterations=10, back_prop=x)


def says_outside():
    directives.set_loop_options(parallel_iterations=10)


def says_of_nothing():
    directives.set_element_type()


@case
def directives_in_code(tf):
    module = internal("autograph.lang.directives")
    anno = internal("autograph.pyct.anno")
    transform = internal("autograph.converters.directives").transform

    class Test(internal("autograph.core.converter_testing").TestCase):
        def runTest(self):
            pass

    def noted(function):
        return transform(*Test().prepare(function, {"directives": module}))

    node = noted(says_of_symbols)
    (definition,) = anno.getanno(node.body[0].targets[0], anno.Static.DEFINITIONS)
    said = [len(node.body), sorted(definition.directives[module.set_element_type])]
    loop = noted(says_of_loops).body[0]
    key = internal("autograph.core.converter").AgAnno.DIRECTIVES
    said.append(sorted(anno.getanno(loop, key)[module.set_loop_options]))
    return said + [error(noted, says_outside), error(noted, says_of_nothing)]


@case
def operators_of_values(tf):
    module = internal("autograph.operators.control_flow")
    c = tf.constant
    none = {"get_state": lambda: (), "set_state": lambda _: None}
    kept = [c(1)]

    def keep(values):
        (kept[0],) = values

    def doubled(i):
        kept[0] = kept[0] * 2
        return (i + 1,)

    def replaced():
        kept[0] = c(7)
        return 1

    class Own(object):
        def _autograph_for_loop(self, extra_test, body, init_vars):
            return init_vars

    def both(i, s):
        return i + 1, s + i

    def digits(i, s):
        return (s * 10 + i,)

    named = {"basic_symbol_names": ("x",), "composite_symbol_names": ()}
    data = tf.data.Dataset.range(5)
    zero = c(0, tf.int64)

    def more(i):
        return (i + 1.0,)

    loops = [
        lambda: module.while_stmt(lambda i, s: i < c(5), both, init_vars=(0, 0), **none),
        lambda: module.while_stmt(lambda i, s: i < 5, both, init_vars=(0, 0), **none),
        lambda: module.while_stmt(lambda i: i < c(5), more, init_vars=(0,), **dict(none, **named)),
        lambda: module.while_stmt(lambda i: i < c(5), more, init_vars=(0,), **none),
        lambda: module.for_stmt(c([1, 2, 3]), lambda s: s < 12, digits, init_vars=(0,), **none),
        lambda: module.for_stmt(tf.range(5), lambda s: True, digits, init_vars=(0,), **none),
        lambda: module.for_stmt(range(5), None, digits, init_vars=(0,), **none),
        lambda: module.for_stmt(data, None, digits, init_vars=(zero,), **none),
        lambda: module.for_stmt(data, lambda s: s < 3, digits, init_vars=(zero,), **none),
        lambda: module.for_stmt(Own(), None, None, init_vars=(3,), **none),
        lambda: [
            module.while_stmt(lambda i: i < c(3), doubled, lambda: tuple(kept), keep, (0,)),
            kept[0],
        ],
        lambda: module.if_stmt(c(True), lambda: 1, lambda: -1, **none),
        lambda: module.if_stmt(c(True), lambda: (1, 2), lambda: (-1, -2), **none),
        lambda: module.if_stmt(c(True), lambda: 1, lambda: -1.0, **dict(none, **named)),
        lambda: module.if_stmt(False, lambda: 1, lambda: -1, **none),
        lambda: [module.if_stmt(c(False), replaced, lambda: 2, lambda: tuple(kept), keep)] + kept,
    ]
    said = []
    for loop in loops:
        raised = error(loop)
        kept[0] = c(1)
        said.append(_evaluated(tf, loop()) if raised[0] == "nothing" else raised)
    return said


def generator(x):
    yield x


def private(x):
    return x.__y


def simple(a, b=2):
    if a > 0:
        a = a + b
    return a


class _Methods(object):
    def m(self, x):
        return x

    def n(self):
        return 2


class _Derived(_Methods):
    def o(self):
        return 2


class _Empty(object):
    pass


@case
def rules_and_trees(tf):
    rules = internal("autograph.core.config_lib")
    converter = internal("autograph.core.converter")
    wrappers = internal("autograph.core.function_wrappers")
    parse = internal("autograph.pyct.parser").parse_entity
    said = [
        str(rules.DoNotConvert("a.b")),
        rules.Convert("a").matches("a.c"),
        rules.Convert("a").matches("ab"),
        rules.Convert("tensorflow").get_action(np).name,
        rules.DoNotConvert("numpy").get_action(np).name,
    ]
    verify = internal("autograph.core.unsupported_features_checker").verify
    said += [error(verify, parse(f, ())[0]) for f in (generator, private, simple)]
    options = converter.ConversionOptions(optional_features=converter.Feature.NAME_SCOPES)
    with wrappers.FunctionScope("_f", "scope", options) as scope:
        said += [tf.constant(1).name, scope.name, scope.callopts.recursive, scope.use_name_scope]
    none = converter.ConversionOptions(optional_features=())
    said.append(wrappers.with_function_scope(lambda s: [s.name, tf.constant(1).name], "l", none))
    said += [str(options), list(converter.STANDARD_OPTIONS.as_tuple()[:3])]
    context = converter.ProgramContext(
        converter.ConversionOptions(recursive=True), internal("autograph.impl.api")
    )
    convert = internal("autograph.impl.conversion").convert_entity_to_ast
    one = lambda x: x + 1  # noqa: E731
    for entity in (simple, one, _Methods):
        statements, name, info = convert(entity, context)
        said.append([name, [type(s).__name__ for s in statements], info.source_file])
        said.append(sorted(set(info.namespace) & {"ag__", "simple", "case"}))
    return said + [error(convert, entity, context)[0] for entity in (_Derived, _Empty, 3)]


@case
def errors_of_converted_files(tf):
    errors = internal("autograph.pyct.errors")
    origins = internal("autograph.pyct.origin_info")
    trace = [
        ("/a/b/outer.py", 3, "outer", "x = f()"),
        ("/a/b/c/converted.py", 7, "tf__f", "ag.g()"),
        ("/a/b/d.py", 9, "g", None),
    ]
    line = origins.LineLocation("/a/b/c/converted.py", 7)
    origin = origins.OriginInfo(origins.Location("/a/b/user.py", 70, 4), "f", "  g()  ", None)
    first = errors.ErrorMetadataBase(trace, None, "two\nlines", {line: origin})
    second = errors.ErrorMetadataBase(trace[:2], first, "other", {line: origin})
    said = [[list(frame) for frame in second.translated_stack], second.cause_message]
    said.append(first.get_message())
    said.append(errors.ErrorMetadataBase(trace[2:], None, "m", {}).get_message())

    class Plain(Exception):
        pass

    class OfTwo(Exception):
        def __init__(self, a, b):
            super(OfTwo, self).__init__(a)

    for error_ in (ValueError("x"), KeyError("k"), Plain("a"), OfTwo(1, 2), OSError(3)):
        made = first.create_exception(error_)
        said.append([type(made).__name__, str(made) == first.get_message()])
    raised = first.to_exception(ValueError("y"))
    return said + [raised.__suppress_context__, raised.ag_error_metadata is first]


class _Base(object):
    def plus(self, x):
        return x + 20


class _Sub(_Base):
    def plus(self, x):
        return x + 30

    def called(self, enter, call):
        __class__
        with enter() as scope:
            return call(super, (), scope).plus(1), call(super, (_Sub, self), scope).plus(1)


@case
def calls_in_original_contexts(tf):
    builtins = internal("autograph.operators.py_builtins")
    options = internal("autograph.core.converter").STANDARD_OPTIONS

    def enter():
        wrappers = internal("autograph.core.function_wrappers")
        return wrappers.FunctionScope("function", "scope", options)

    def evaluated():
        x = 5
        with enter() as scope:
            call = builtins.eval_in_original_context

            def within():
                x = 6
                return call(eval, ("x",), scope), x

            given = call(eval, ("x", {"x": 9}, {}), scope)
            return [call(eval, ("x + 1",), scope), given, within(), x]

    said = [evaluated(), _Sub().called(enter, builtins.super_in_original_context)]
    said.append(error(builtins.eval_in_original_context, eval, ("1",), enter())[0])
    lists = internal("autograph.operators.data_structures")
    return said + [lists.new_list([1, 2]), str(lists.new_list().dtype)]


def nested_functions(x, y=3, *args, **kwargs):
    def inner(z, w=2):
        if z > 0:
            return z * w
        return -z

    r = inner(x) + inner(y, w=4)
    for a in args:
        r += a
    return r + sum(kwargs.values())


def nested_branches(x):
    if x > 0:
        if x > 10:
            r = 3
        elif x > 5:
            r = 2
        else:
            r = 1
    else:
        r = 0
    return r


def attributes_in_loops(holder, n):
    i = 0
    while i < n:
        holder.b = holder.b + i
        i += 1
    if n > 2:
        holder.b = holder.b * 2
    return holder.b


def expressions(x, y):
    z = x and y or not x
    chosen = (lambda q, s=2: q if q > 1 else s)(3)
    return z, 1 < 2 < 3, chosen, [i for i in range(3) if i], {a: b + 1 for a, b in [(1, 2)]}


def early_return(n):
    x = 0
    while n > 0:
        n -= 1
        if n < 5:
            return x
        x = x + n
    return x * 100


def lists(n):
    made = [1, 2]
    for i in range(3):
        made.append(i * n)
    last = made.pop()
    return made, last, made[0]


@case
def converted_functions(tf):
    converter = internal("autograph.core.converter")
    convert = internal("autograph.impl.conversion").convert_entity_to_ast
    load = internal("autograph.pyct.compiler").ast_to_object
    c = tf.constant
    said = []
    for function, calls in (
        (nested_functions, [lambda: (1,), lambda: (c(1), c(-3)), lambda: (1, 2, 3, 4)]),
        (nested_branches, [lambda: (20,)] + [lambda n=n: (c(n),) for n in (7, 2, -1)]),
        (attributes_in_loops, [lambda: (_Holder(1), 4), lambda: (_Holder(c(5)), c(4))]),
        (expressions, [lambda: (True, False), lambda: (False, 3)]),
        (early_return, [lambda: (10,), lambda: (3,), lambda: (c(10),)]),
        (lists, [lambda: (2,)]),
    ):
        options = converter.ConversionOptions(recursive=True)
        context = converter.ProgramContext(options, internal("autograph.impl.api"))
        statements, name, info = convert(function, context)
        module = load(statements)[0]
        vars(module).update({k: v for k, v in info.namespace.items() if not hasattr(module, k)})
        made = getattr(module, name)
        made.__defaults__ = function.__defaults__
        for call in calls:
            with tf.Graph().as_default():
                raised = error(lambda made=made, call=call: _evaluated(tf, made(*call())))
                is_fine = raised[0] == "nothing"
                said.append(_evaluated(tf, made(*call())) if is_fine else raised[0])
    return said
