"""Functions of source code, and what AutoGraph's toolbox says about each, as text."""

from __future__ import annotations

import ast
import re
from typing import Any

SOURCES = {
    "straight": """
def f(a, b=1, *c, **d):
  x = a.b.c[0] + b
  x.y = 3
  z[x] = 4
  x, (y, q) = g(a, k=x), (b, 2)
  del z
  return x, y
""",
    "branches": """
def f(a, b):
  if a > 1:
    w = [i for i in a if i > b]
    del b
  elif b:
    w = lambda q: q + a
  else:
    u = {k: v for k, v in a.items()}
    pass
  assert w, a
  return w
""",
    "loops": """
def f(a):
  s = 0
  for i, j in a:
    if i == j:
      continue
    while s < i:
      s += j
      if s > 10:
        break
      a.append(s)
    else:
      s = i
    t = s
  else:
    t = 2
  return s + t
""",
    "returns": """
def f(a, b):
  for x in a:
    if x:
      if b:
        return x
      b = x
    print(x)
  if a:
    return b
  else:
    b = 1
  return None
""",
    "two_returns": """
def f(x):
  if x > 0:
    y = x
    return y
  else:
    return -x
""",
    "return_in_if": """
def f(x):
  if x > 0:
    return x
  y = g(x)
  return h(y)
""",
    "no_value": """
def f(x):
  if x > 0:
    return
  g(x)
""",
    "closures": """
def f(a):
  b = 1
  def g(c):
    d = b + c
    def h():
      return d, a
    return h
  b = 2
  e = g(b)
  if e:
    b = lambda a: a + b
  return b
""",
    "with": """
def f(a):
  with open(a) as b, c:
    d = b.read()
    if d:
      return d
    e = 1
  return e
""",
    "try": """
def f(a):
  try:
    b = g(a)
    if b:
      raise ValueError(b)
    c = 1
  except ValueError as e:
    c = e
  except (KeyError, TypeError):
    return a
  else:
    c = 2
  finally:
    d = c
  return d
""",
    "class": """
class A(B):
  x = 1
  def __init__(self, y):
    self.y = y
    self.z.w = 2
    super(A, self).__init__()
  def m(self, k=x):
    self.y += 1
    return self.y[k]
""",
    "while_true": """
def f(n):
  while True:
    n -= 1
    if n < 0:
      break
    if n % 2:
      continue
    while n:
      if g(n):
        break
      n = h(n)
  return n
""",
    "broken_for": """
def f(a):
  for x in a:
    with x:
      if x:
        break
      b
    try:
      if x.y:
        return x
    except E:
      continue
    finally:
      c
    d
  else:
    e
  while f(a):
    if a:
      continue
    else:
      return 1
    g
  if a:
    if b:
      return 1
    else:
      with c:
        return 2
  return a
""",
    "finally": """
def f(a):
  while a:
    try:
      b = a
      if b:
        break
      elif c:
        return 2
    finally:
      d = b
      if d:
        e
    f
  try:
    raise a
  finally:
    g
  try:
    return 1
  finally:
    h
  i
""",
    "in_function": """
def f(a):
  class A(B):
    x = w
  def g(c):
    d = 1
    return c.x + q.y + d.z + a
  g.h = 2
  return g, A
""",
    "calls": """
def f(x, y):
  a = g(x + 1, h(y)[0], *x, k=y if x else 2, **y)
  a.b(c)[x.y] = -g(a) * 2
  print(not x and y or g(x), [x, (y, 'a')], {x: y, 1: g(2)}, {g(1), 2})
  x += g(y)
  return a < g(x) < 3
""",
    "control": """
def f(x):
  if g(x) > 1:
    raise E(x + 1)
  for i in range(x + 1):
    g(x[i:i + 1, ...])
  while x:
    x = x.y.z
  with g(x) as y:
    assert x
  del y[0]
  return f(f(x - 1))
""",
    "attributes": """
def f(a):
  a.b.c = 1
  a.b['k'].d += a[a.i]
  for a.j in a.b:
    a.t[0] = a.j
  if a.b.c:
    a = a.b
  a.b = [a.j for a.j in a if a.j]
  return a.t[0]
""",
    "comprehensions": """
def f(a, b):
  c = [x + b for x in a if x > b]
  d = {k: v for k, v in c}
  e = sum(x for x in c)
  g = {y for y in [z for z in d]}
  x: int = 3
  h = lambda p, *q: p(b)
  return (lambda: c)()
""",
    "scopes": """
def f():
  global u
  nonlocal w
  u = w
  def g(a=u, *, b=w):
    return a + b
  @g
  def h(c: u) -> w:
    yield c
  return g, h
""",
}

MODULES = (
    "converters.break_statements",
    "converters.continue_statements",
    "converters.return_statements",
    "core.converter",
    "core.naming",
    "pyct.anno",
    "pyct.cfg",
    "pyct.common_transformers.anf",
    "pyct.compiler",
    "pyct.parser",
    "pyct.qual_names",
    "pyct.static_analysis.activity",
    "pyct.transformer",
)
SETS = ("LIVE_VARS_IN", "LIVE_VARS_OUT", "DEFINED_VARS_IN")


def _walk(node: Any) -> Any:
    """Nodes in the order of their source, with a slice's index itself."""
    if type(node).__name__ != "Index":
        yield node
    for field in node._fields:
        if field.startswith("___"):
            continue
        value = getattr(node, field, None)
        for item in value if isinstance(value, list) else [value]:
            if hasattr(item, "_fields") and type(item).__name__ not in ("Load", "Store", "Param"):
                yield from _walk(item)


def _label(node: Any) -> str:
    kind = type(node).__name__
    if kind in ("Num", "Str", "NameConstant", "Bytes", "Ellipsis"):
        kind = "Constant"
    name = getattr(node, "id", getattr(node, "name", getattr(node, "attr", None)))
    return f"{kind} {name}" if isinstance(name, str) else kind


def _names(names: Any) -> str:
    return "{" + ", ".join(sorted(map(str, names))) + "}"


def _scope(scope: Any) -> str:
    parts = [f"r={_names(scope.read)}", f"w={_names(scope.modified)}"]
    if scope.deleted:
        parts.append(f"d={_names(scope.deleted)}")
    if scope.params:
        parts.append(f"p={_names(scope.params)}")
    parts.append(f"all={_names(scope.referenced)}")
    return " ".join(parts) + (" isolated" if scope.isolated else "")


def unparsed(source: str) -> str:
    """Source code in one layout."""
    return ast.unparse(ast.parse(source)) if hasattr(ast, "unparse") else source.strip()


def same_layout(answer: Any) -> Any:
    """An answer whose code is in one layout."""
    if not isinstance(answer, str) or re.match(r"\w+Error: ", answer):
        return answer
    code, *tests = answer.rstrip("\n").split("\n# ")
    return "\n# ".join(map(unparsed, (code, *tests)))


class Toolbox:
    """The modules, from `tensorflow.python.autograph` or from ours.

    Args:
      modules: by their names.
    """

    def __init__(self, modules: dict[str, Any]):
        self.__dict__.update(modules)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)

    def context(self) -> Any:
        """A context of conversion."""
        info = self.transformer.EntityInfo(
            source_code="", source_file=None, future_features=(), namespace={}
        )
        program = self.converter.ProgramContext(
            options=self.converter.ConversionOptions(recursive=True), autograph_module=None
        )
        return self.converter.EntityContext(
            namer=self.naming.Namer({}), entity_info=info, program_ctx=program
        )

    def source(self, node: Any) -> str:
        """The source code of a node or nodes."""
        return self.compiler.ast_to_source(node, include_encoding_marker=False)

    def names(self, source: str) -> Any:
        """What qualified names are at the nodes."""
        node = self.qual_names.resolve(self.parser.parse_str(source))
        qn = self.anno.Basic.QN
        return [
            f"{_label(n)}: {self.anno.getanno(n, qn)}"
            for n in _walk(node)
            if self.anno.hasanno(n, qn)
        ]

    def activity_(self, source: str) -> Any:
        """The scopes at the nodes."""
        node = self.qual_names.resolve(self.parser.parse_str(source))
        node = self.activity.resolve(node, self.context())
        return [
            f"{_label(n)} {key}: {_scope(self.anno.getanno(n, key))}"
            for n in _walk(node)
            for key in sorted(self.anno.keys(n), key=str)
            if "SCOPE" in str(key)
        ]

    def graphs(self, source: str) -> Any:
        """The control flow."""
        node = self.qual_names.resolve(self.parser.parse_str(source))
        node = self.activity.resolve(node, self.context())
        graphs = self.cfg.build(node)
        lines = []
        for top in _walk(node):
            if top not in graphs:
                continue
            graph = graphs[top]
            order = {id(n): i for i, n in enumerate(_walk(top))}

            def text(n: Any, order: Any = order) -> str:
                return f"{order[id(n.ast_node)]}.{_label(n.ast_node)}"

            def texts(nodes: Any, text: Any = text) -> str:
                return "[" + ", ".join(sorted(map(text, nodes))) + "]"

            lines.append(f"{_label(top)}: {text(graph.entry)} to {texts(graph.exit)}")
            lines.append(f"  errors {texts(graph.error)}")
            for n in sorted(graph.index.values(), key=lambda n: order[id(n.ast_node)]):
                lines.append(f"  {text(n)} -> {texts(n.next)} from {texts(n.prev)}")
            for s in sorted(graph.stmt_next, key=lambda s: order[id(s)]):
                lines.append(
                    f"  {_label(s)} after {texts(graph.stmt_prev[s])}"
                    f" before {texts(graph.stmt_next[s])}"
                )
        return lines

    def analysis(self, source: str) -> Any:
        """Definitions by their numbers, and live symbols."""
        node = self.converter.standard_analysis(
            self.parser.parse_str(source), self.context(), is_initial=True
        )
        static = self.anno.Static
        numbers: dict[int, int] = {}
        lines = []
        for n in _walk(node):
            for key in (static.DEFINITIONS, static.ORIG_DEFINITIONS):
                if self.anno.hasanno(n, key):
                    found = self.anno.getanno(n, key)
                    new = [d for d in found if id(d) not in numbers]
                    if len(new) > 1:
                        # Several at once have no order of their own.
                        lines.append(f"{_label(n)} {key}: {len(found)} of which {len(new)} new")
                        continue
                    for d in new:
                        numbers[id(d)] = len(numbers)
                    lines.append(f"{_label(n)} {key}: {sorted(numbers[id(d)] for d in found)}")
            for name in SETS:
                key = getattr(static, name)
                if self.anno.hasanno(n, key):
                    lines.append(f"{_label(n)} {key}: {_names(self.anno.getanno(n, key))}")
        return lines

    def converted(self, source: str, *names: str, **options: Any) -> Any:
        """The code after converters."""
        context = self.context()
        node = self.parser.parse_str(source)
        for name in names:
            node = self.converter.standard_analysis(node, context, is_initial=name == names[0])
            converter = getattr(self, name)
            if name == "return_statements":
                node = converter.transform(node, context, **options)
            else:
                node = converter.transform(node, context)
        tests = [
            self.source(self.anno.getanno(n, "extra_test")).strip()
            for n in _walk(node)
            if self.anno.hasanno(n, "extra_test")
        ]
        return self.source(node) + "".join(f"# {test}\n" for test in tests)

    def anf_(self, source: str, config: Any = None) -> Any:
        """The code in A-normal form."""
        node = self.qual_names.resolve(self.parser.parse_str(source))
        return self.source(self.anf.transform(node, self.context(), config))

    def anf_tests(self, source: str) -> Any:
        """The code with calls and conditions named."""
        import gast

        anf = self.anf
        pattern = anf.ASTEdgePattern
        return self.anf_(
            source,
            [
                (pattern(gast.If, "test", anf.ANY), anf.REPLACE),
                (pattern(anf.ANY, anf.ANY, gast.Call), anf.REPLACE),
                (pattern(gast.BinOp, "left", anf.ANY), anf.LEAVE),
            ],
        )


JUMPS = ("break_statements", "continue_statements", "return_statements")
# What is asked about each function.
QUESTIONS = {
    "names": lambda box, source: box.names(source),
    "activity": lambda box, source: box.activity_(source),
    "graphs": lambda box, source: box.graphs(source),
    "analysis": lambda box, source: box.analysis(source),
    "break": lambda box, source: box.converted(source, "break_statements"),
    "continue": lambda box, source: box.converted(source, "continue_statements"),
    "return": lambda box, source: box.converted(source, "return_statements"),
    "jumps": lambda box, source: box.converted(source, *JUMPS, default_to_null_return=False),
    "anf": lambda box, source: box.anf_(source),
    "anf_tests": lambda box, source: box.anf_tests(source),
}


def answer(box: Toolbox, question: str, source: str) -> Any:
    """What the toolbox says, or the error that it raises."""
    try:
        return same_layout(QUESTIONS[question](box, source))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
