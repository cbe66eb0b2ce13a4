"""A graph as Python source: a function for each variable scope, with its weights and a test."""

from __future__ import annotations

import collections
import keyword
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tf1compat.core import constants, gradient_registry
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate import params as params_lib
from tf1compat.migrate.gradients import GradientProgram
from tf1compat.migrate.lowering import gradient_of
from tf1compat.migrate.source_ops import ATOM, HELPERS, REPEATS, WRITERS, Call, CannotWrite, Expr
from tf1compat.migrate.to_jax import to_jax
from tf1compat.runtime import plan as plan_lib

# Of the lines inside functions.
_WIDTH = 96
# How much the source may differ, relative to the largest element.
_RTOL = 1e-6
# Constants of more elements are kept with the weights.
_WRITTEN_ELEMENTS = 16

_HEAD = '''"""{title}

Written by `python -m tf1compat migrate`; it needs JAX and NumPy alone.
"""

from pathlib import Path

{imports}

WEIGHTS = Path(__file__).with_name("{weights}")
'''

_LOAD = '''def load_params(path=WEIGHTS):
    """The weights, as a nested dict by variable scope."""
    params = {}
    with np.load(path) as data:
        for i, name in enumerate(data["names"]):
            *scopes, last = str(name).split("|")
            at = params
            for scope in scopes:
                at = at.setdefault(scope, {})
            at[last] = jnp.asarray(data[str(i)])
    return params'''

_IMPORTS = {
    "jax": "import jax",
    "jnp": "import jax.numpy as jnp",
    "np": "import numpy as np",
    "lax": "from jax import lax",
}

_TEST = '''"""Compares {module}.py with the graph that it was written from, on recorded batches."""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import {module}

RTOL = {rtol}  # relative to the largest element
BATCHES = Path(__file__).with_name("{batches}")


def total(outputs):
    """A sum in which each element counts otherwise."""
    parts = [x for x in jax.tree.leaves(outputs) if jnp.issubdtype(x.dtype, jnp.floating)]
    return sum(jnp.sum(x * jnp.cos(jnp.arange(x.size)).reshape(x.shape)) for x in parts)


@pytest.mark.parametrize("batch", range({count}))
def test_same_as_the_graph(batch):
    params = {module}.load_params()
    with np.load(BATCHES) as data:
        inputs, outputs, gradients = (
            [data[key] for key in data if key.startswith(f"{{batch}}_{{kind}}_")]
            for kind in ("input", "output", "gradient")
        )
    found = jax.tree.leaves({module}.model(params, *inputs))
    slopes = jax.tree.leaves(jax.grad(lambda p: total({module}.model(p, *inputs)))(params))
    for wanted, value in zip(outputs + gradients, found + slopes, strict=True):
        scale = max(float(np.abs(wanted).max(initial=0)), 1e-6)
        np.testing.assert_allclose(value, wanted, rtol=0, atol=RTOL * scale)
'''


def write_source(
    path: str | os.PathLike[str],
    fetches: Mapping[str, Tensor],
    inputs: Mapping[str, Tensor],
    session: Any = None,
    batches: Sequence[Sequence[Any]] = (),
) -> None:
    """Writes a part of a recorded graph as Python source.

    Beside `model.py` are written `model_weights.npz`, `model_batches.npz` and `test_model.py`,
    which compares values and gradients with the graph's. `model(params, *inputs)` is the function;
    it gives an array, or a dict of them for several fetches.

    Args:
      path: the source to write.
      fetches: tensors, by the names of results.
      inputs: placeholders, by the names of arguments.
      session: has the weights; the default session if None.
      batches: values of the inputs for the test; random ones if empty.

    Raises:
      CannotWrite: an operation that there is no source for (a loop, an update of a variable, a
        random op, for example); it is named, with its line. Nothing is written then.
    """
    target = Path(path)
    fn, params = to_jax(dict(fetches), list(inputs.values()), session, returns_params=False)
    module = _Module(fetches, inputs, params)
    text = module.text(f"The graph of {', '.join(fetches)}, in JAX.", f"{target.stem}_weights.npz")
    weights = {**params, **module.constants}
    batches = batches or [_random_batch(inputs, seed) for seed in range(2)]
    recorded = _recorded(fn, params, module.constants, list(inputs.values()), batches)
    paths = _paths(params_lib.by_scope(weights))
    _check(text, params_lib.by_scope(weights), recorded, len(batches))
    numbered: dict[str, Any] = {str(i): np.asarray(v) for i, (_, v) in enumerate(paths)}
    arrays: dict[str, Any] = recorded
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    np.savez(
        target.with_name(f"{target.stem}_weights.npz"),
        names=np.array(["|".join(path) for path, _ in paths], dtype=np.str_),
        **numbered,
    )
    np.savez(target.with_name(f"{target.stem}_batches.npz"), **arrays)
    test = _TEST.format(
        module=target.stem, batches=f"{target.stem}_batches.npz", count=len(batches), rtol=_RTOL
    )
    target.with_name(f"test_{target.stem}.py").write_text(test)


def _check(text: str, params: Any, recorded: Mapping[str, Any], batches: int) -> None:
    """Raises CannotWrite unless the source does what its test wants."""
    namespace: dict[str, Any] = {"__file__": "model.py"}
    exec(compile(text, "<the source>", "exec"), namespace)
    model = namespace["model"]
    paths = [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_leaves_with_path(params)]
    for batch in range(batches):
        inputs, outputs, slopes = (
            [value for key, value in recorded.items() if key.startswith(f"{batch}_{kind}_")]
            for kind in ("input", "output", "gradient")
        )
        found = jax.tree.leaves(model(params, *inputs))
        grads = jax.tree.leaves(jax.grad(lambda p, x: total(model(p, *x)))(params, inputs))
        names = [*(f"result {i}" for i in range(len(found))), *(f"gradient of {p}" for p in paths)]
        for name, wanted, value in zip(names, outputs + slopes, found + grads, strict=True):
            scale = max(float(np.abs(wanted).max(initial=0)), 1e-6)
            if not np.abs(np.asarray(value, wanted.dtype) - wanted).max(initial=0) <= _RTOL * scale:
                raise CannotWrite(f"What was written is not the graph: its {name} differs")


def total(outputs: Any) -> Any:
    """A sum of floats in which each element counts otherwise."""
    parts = [x for x in jax.tree.leaves(outputs) if jnp.issubdtype(x.dtype, jnp.floating)]
    weighed = (jnp.sum(x * jnp.cos(jnp.arange(x.size)).reshape(x.shape)) for x in parts)
    return sum(weighed, jnp.float32(0.0))


def _paths(nested: Mapping[str, Any], above: tuple[str, ...] = ()) -> list[tuple[Any, Any]]:
    found = []
    for name, value in nested.items():
        inside = isinstance(value, Mapping)
        found += _paths(value, (*above, name)) if inside else [((*above, name), value)]
    return found


def _random_batch(inputs: Mapping[str, Tensor], seed: int) -> list[np.ndarray]:
    random = np.random.RandomState(seed)
    values = []
    for tensor in inputs.values():
        shape = [3 if dim is None else dim for dim in tensor._shape or ()]
        dtype = np.dtype(tensor._dtype.as_numpy_dtype)
        whole = dtype.kind in "iub"
        values.append(np.asarray(random.randint(0, 2, shape) if whole else random.randn(*shape)))
        values[-1] = values[-1].astype(dtype)
    return values


def _recorded(
    fn: Any, params: Any, more: Mapping[str, Any], inputs: list[Tensor], batches: Sequence[Any]
) -> dict[str, np.ndarray]:
    """What the test compares with."""
    zeros = {name: jnp.zeros_like(value) for name, value in more.items()}

    slope = jax.grad(lambda params, values: total(fn(params, *values)))
    found = {}
    for i, batch in enumerate(batches):
        values = [np.asarray(v, t._dtype.as_numpy_dtype) for v, t in zip(batch, inputs)]
        slopes = params_lib.by_scope({**slope(params, values), **zeros})
        for kind, parts in (
            ("input", values),
            ("output", jax.tree.leaves(fn(params, *values))),
            ("gradient", jax.tree.leaves(slopes)),
        ):
            found.update({f"{i}_{kind}_{j:03}": np.asarray(v) for j, v in enumerate(parts)})
    return found


class _Module:
    """The source of a graph.

    Attributes:
      constants: large constants, which are kept with the weights, by name.
    """

    def __init__(
        self, fetches: Mapping[str, Tensor], inputs: Mapping[str, Tensor], params: Mapping[str, Any]
    ):
        self._fetches, self._inputs = dict(fetches), dict(inputs)
        self._variables = set(params)
        self.constants: dict[str, Any] = {}
        self._named = {"model", "load_params", "params", *_IMPORTS, *HELPERS}
        self._overridden: dict[Operation, str] = {}
        feeds = set(inputs.values())
        ops = plan_lib.prune([t._op for t in fetches.values() if t not in feeds], feeds)
        self._ops = [
            op
            for op in ops
            if not plan_lib.is_constant(op, feeds) and not _is_variable(op) and not _is_idle(op)
        ]
        for op in self._ops:
            if op.type not in WRITERS:
                Call(op, [], []).refuse()
        self._own = {op: scope for op in self._ops if (scope := self._scope(op)) is not None}

    def text(self, title: str, weights: str) -> str:
        """The source."""
        parts, functions = [], []
        overridden = [op for op in self._ops if _is_overridden(op)]
        for op in overridden:
            parts.append(self._with_gradient(op))
        groups: list[tuple[str | None, list[Operation]]] = []
        for op in self._ops:
            scope = self._group(op)
            if groups and groups[-1][0] == scope:
                groups[-1][1].append(op)
            else:
                groups.append((scope, [op]))
        names: set[str] = set()
        main = _Body(self, {t: Expr(self._name(n, names)) for n, t in self._inputs.items()}, "")
        taken = set(self._fetches.values())
        for scope, ops in groups:
            later = {t for op in self._ops if op not in set(ops) for t in op._inputs} | taken
            results = [t for op in ops for t in op._outputs if t in later]
            if scope is None:
                main.write(ops, set(results))
            else:
                functions.append(self._function(scope, ops, results, main))
        arguments = ", ".join(["params", *(e.text for e in main.given.values())])
        values = {name: main.value(tensor).text for name, tensor in self._fetches.items()}
        result = ", ".join(f'"{name}": {value}' for name, value in values.items())
        whole = f"{{{result}}}" if len(values) > 1 else next(iter(values.values()))
        model = _function("model", arguments, title, _returning(main.lines, whole))
        body = [*parts, *functions, model]
        helpers = [helper for name, helper in HELPERS.items() if _names(rf"\b{name}\(", body)]
        body = [_LOAD, *helpers, *body]
        used = [line for name, line in _IMPORTS.items() if _names(rf"(?<!\.)\b{name}\.", body)]
        head = _HEAD.format(title=title, weights=weights, imports="\n".join(used))
        return "\n\n\n".join([head.rstrip("\n"), *body]) + "\n"

    def _scope(self, op: Operation) -> str | None:
        """The scope of the variables that an operation reads, if it has its own name there."""
        for tensor in op._inputs:
            name = _variable_of(tensor)
            scope = name.rpartition("/")[0] if name else ""
            if scope and op.name.startswith(f"{scope}/"):
                return scope
        return None

    def _group(self, op: Operation) -> str | None:
        if op in self._own:
            return self._own[op]
        scopes = [s for s in self._own.values() if op.name.startswith(f"{s}/")]
        return max(scopes, key=len, default=None)

    def _name(self, wanted: str, taken: set[str] | None = None) -> str:
        """A name like this one that is free."""
        taken = self._named if taken is None else taken
        base = re.sub(r"\W+", "_", wanted).strip("_").lower() or "x"
        base = f"_{base}" if base[0].isdigit() or keyword.iskeyword(base) else base
        name, number = base, 1
        while name in taken or name in self._named:
            number += 1
            name = f"{base}_{number}"
        taken.add(name)
        return name

    def _function(
        self, scope: str, ops: list[Operation], results: list[Tensor], main: _Body
    ) -> str:
        name = self._name(scope)
        given: dict[Tensor, Expr] = {}
        names: set[str] = set()
        made = {tensor for op in ops for tensor in op._outputs}
        for op in ops:
            for tensor in op._inputs:
                outside = tensor not in made and tensor not in given
                if outside and not _is_known(tensor) and not self._is_own(tensor, scope):
                    given[tensor] = Expr(self._name(_short_name(tensor), names))
        body = _Body(self, given, scope, names)
        body.write(ops, set(results))
        values = ", ".join(body.value(tensor).text for tensor in results)
        arguments = [main.value(tensor).text for tensor in given]
        where = "".join(f'["{part}"]' for part in scope.split("/"))
        call = f"{name}({', '.join([f'params{where}', *arguments])})"
        targets = [main.named(tensor) for tensor in results]
        main.add(", ".join(targets), call, results[0] if len(results) == 1 else None)
        signature = ", ".join(["params", *(expr.text for expr in given.values())])
        return _function(name, signature, f"The scope {scope}.", _returning(body.lines, values))

    def _is_own(self, tensor: Tensor, scope: str) -> bool:
        name = _variable_of(tensor)
        return name is not None and name.rpartition("/")[0] == scope

    def variable(self, name: str, scope: str) -> Expr:
        """The expression of a variable inside the function of a scope ("" is `model`)."""
        rest = name.removeprefix(f"{scope}/") if scope else name
        keys = next(
            path
            for path, value in _paths(params_lib.by_scope(dict.fromkeys(self._variables)))
            if "/".join(path) == name
        )
        keys = keys[len(scope.split("/")) :] if scope and rest != name else keys
        return Expr("params" + "".join(f'["{key}"]' for key in keys))

    def constant(self, tensor: Tensor, value: np.ndarray) -> Expr:
        """The expression of a constant."""
        if value.ndim == 0 and value.dtype.kind in "fiub":
            return Expr(str(value[()]), ATOM if value >= 0 else 0)
        if value.size <= _WRITTEN_ELEMENTS and value.dtype.kind in "fiub":
            numbers = np.array2string(value, separator=", ", floatmode="unique")
            return Expr(f"jnp.array({' '.join(numbers.split())}, jnp.{value.dtype.name})")
        self.constants.setdefault(f"constants/{tensor._op.name}", value)
        return Expr(f'lax.stop_gradient(params["constants"]["{tensor._op.name}"])')

    def overridden(self, op: Operation) -> str | None:
        """The name of the function that computes an operation whose gradient is overridden."""
        return self._overridden.get(op)

    def _with_gradient(self, op: Operation) -> str:
        """An operation with the gradient that the program gave it, as a `jax.custom_vjp`."""
        program = gradient_of(op)
        call = Call(op, [], [])
        inputs = [t for t in op._inputs if not _is_known(t)]
        if not isinstance(program, GradientProgram) or len(op._outputs) != 1:
            call.refuse("whose gradient is no function of its inputs")
        known = {*inputs, *op._outputs}
        if any(t not in known and not _is_known(t) for t in program.captured):
            call.refuse("whose gradient looks at other tensors")
        name = self._overridden[op] = self._name(op.name)
        names: set[str] = set()
        given = {tensor: Expr(self._name("x", names)) for tensor in inputs}
        body = _Body(self, given, "", names, own=op)
        body.write([op], set(op._outputs))
        arguments = ", ".join(expr.text for expr in given.values())
        result = body.value(op._outputs[0]).text
        y, grad = self._name("y", names), self._name("grad", names)
        inner: dict[Tensor, Expr] = dict(given) | {op._outputs[0]: Expr(y)}
        for outer, tensor in program._body.captures:
            if outer in inner:
                inner[tensor] = inner[outer]
        inner.update({t: Expr(grad) for t in program._incoming if t is not None})
        back = _Body(self, inner, "", names)
        ops = [o for o in program._ops if not plan_lib.is_constant(o) and o.type != "Placeholder"]
        for inside in ops:
            if inside.type not in WRITERS:
                Call(inside, [], []).refuse(f"in the gradient of '{op.name}'")
        wanted = [g for t, g in zip(op._inputs, program._grads, strict=True) if t in given]
        back.write(ops, {g for g in wanted if g is not None})
        grads = ", ".join(
            back.value(g).text if g is not None else f"jnp.zeros_like({given[t].text})"
            for t, g in zip(inputs, wanted)
        )
        return "\n\n\n".join(
            [
                f"@jax.custom_vjp\ndef {name}({arguments}):\n"
                + _indented(_returning(body.lines, result)),
                f"def _{name}_forward({arguments}):\n"
                + _indented([f"{y} = {name}({arguments})", f"return {y}, ({arguments}, {y})"]),
                f"def _{name}_backward(kept, {grad}):\n"
                + _indented([f"{arguments}, {y} = kept", *_returning(back.lines, f"({grads},)")]),
                f"{name}.defvjp(_{name}_forward, _{name}_backward)",
            ]
        )


class _Body:
    """The lines of a function.

    Args:
      given: the arguments' expressions.
      scope: the scope whose function it is; "" in `model`.
      names: the names that are taken in it.
      own: the operation whose own gradient the function is about.
    """

    def __init__(
        self,
        module: _Module,
        given: dict[Tensor, Expr],
        scope: str,
        names: set[str] | None = None,
        own: Operation | None = None,
    ):
        self._module, self._scope, self._own = module, scope, own
        self.given = given
        self._values: dict[Tensor, Expr] = dict(given)
        self._names = names if names is not None else {e.text for e in given.values()}
        self.lines: list[str] = []

    def write(self, ops: Iterable[Operation], results: set[Tensor]) -> None:
        """Adds operations; what is used once is written where it is used."""
        ops = list(ops)
        uses = collections.Counter(t for op in ops for t in op._inputs)
        for op in ops:
            for tensor in op._inputs:
                if op.type in REPEATS and self.value(tensor).binds < ATOM:
                    text = self.value(tensor).text
                    self.add(self.named(tensor), text, tensor)
            made = self._written(op)
            for tensor, expr in zip(op._outputs, made):
                once = uses[tensor] <= 1 and tensor not in results
                simple = re.fullmatch(r'\w+(\["[\w/]+"\])*(\.shape)?', expr.text) is not None
                if simple or (once and len(expr.text) < _WIDTH // 2):
                    self._values[tensor] = expr
                elif uses[tensor] or tensor in results:
                    self.add(self.named(tensor), expr.text, tensor)

    def _written(self, op: Operation) -> list[Expr]:
        args = [self.value(tensor) for tensor in op._inputs]
        known = [constants.known_value(tensor) for tensor in op._inputs]
        name = self._module.overridden(op) if op is not self._own else None
        if name is not None:
            inside = [arg.text for arg, value in zip(args, known) if value is None]
            return [Expr(f"{name}({', '.join(inside)})")]
        made = WRITERS[op.type](Call(op, args, known))
        return made if isinstance(made, list) else [made]

    def value(self, tensor: Tensor) -> Expr:
        """The expression of a tensor."""
        found = self._values.get(tensor)
        if found is not None:
            return found
        known = constants.known_value(tensor)
        if known is not None:
            return self._module.constant(tensor, known)
        name = _variable_of(tensor)
        if name is not None:
            return self._module.variable(name, self._scope)
        return Call(tensor._op, [], []).refuse("which is used before it is written")

    def named(self, tensor: Tensor) -> str:
        """A new name for a tensor."""
        name = self._module._name(_short_name(tensor), self._names)
        self._values[tensor] = Expr(name)
        return name

    def add(self, target: str, text: str, tensor: Tensor | None) -> None:
        """Adds an assignment, with the tensor's shape."""
        shape = "" if tensor is None or tensor._shape is None else str(list(tensor._shape))
        line = f"{target} = {text}"
        shape = shape.replace("None", "?")
        self.lines += _wrapped(f"{line}  # {shape}" if shape else line)


def _function(name: str, arguments: str, title: str, body: list[str]) -> str:
    return f'def {name}({arguments}):\n    """{title}"""\n{_indented(body)}'


def _indented(lines: list[str]) -> str:
    return "\n".join(f"    {line}" for line in lines)


def _names(pattern: str, parts: list[str]) -> bool:
    return any(re.search(pattern, part) for part in parts)


def _returning(lines: list[str], value: str) -> list[str]:
    """The lines of a function that returns `value`, which need have no name if it is the last."""
    if lines and lines[-1].startswith(f"{value} = "):
        return [*lines[:-1], *_wrapped("return " + lines[-1].removeprefix(f"{value} = "))]
    return [*lines, *_wrapped(f"return {value}")]


def _wrapped(line: str) -> list[str]:
    """A line, or what it is broken into if it is long: first its comment goes above it."""
    code, mark, shape = line.partition("  # ")
    if len(line) <= _WIDTH:
        return [line]
    above = [f"# {shape}"] if mark else []
    if len(code) <= _WIDTH:
        return [*above, code]
    call = re.fullmatch(r"((?:return |\w+ = )[\w.]*)\((.*)\)", code)
    if call is None or not _is_balanced(call[2]):
        return [*above, code]
    if len(call[2]) + 4 <= _WIDTH:
        return [*above, f"{call[1]}(", f"    {call[2]}", ")"]
    return [*above, f"{call[1]}(", *(f"    {part}," for part in _arguments(call[2])), ")"]


def _is_balanced(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0:
            return False
    return depth == 0


def _arguments(text: str) -> list[str]:
    found, depth = [""], 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth:
            found.append("")
        else:
            found[-1] += sign
    return [part.strip() for part in found]


def _short_name(tensor: Tensor) -> str:
    name = re.sub(r"_\d+$", "", tensor._op.name.rpartition("/")[2])
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)


def _is_known(tensor: Tensor) -> bool:
    return constants.known_value(tensor) is not None


def _is_overridden(op: Operation) -> bool:
    return "_gradient_op_type" in op._attrs or op.type in gradient_registry._registered


def _is_idle(op: Operation) -> bool:
    """Whether others only wait for an operation, which does nothing itself."""
    return not op._outputs and not op._spec.effect and not op._spec.writes


def _is_variable(op: Operation) -> bool:
    """Whether an operation is a variable or only reads one."""
    return bool(op._outputs) and _variable_of(op._outputs[0]) is not None


def _variable_of(tensor: Tensor) -> str | None:
    """The name of the variable that a tensor is the value of."""
    op = tensor._op
    while not op._spec.source:
        reads = plan_lib.is_view(tensor) or op.type == "ReadVariableOp"
        if not reads and not (op.type == "Identity" and op._inputs[0]._op.type == "ReadVariableOp"):
            return None
        if _is_overridden(op):
            return None
        tensor = op._inputs[0]
        op = tensor._op
    return None if op._spec.local else plan_lib.variable_key(tensor)[1].decode()
