"""A written module: the functions of variable scopes, and what they have in common."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate import params as params_lib
from tf1compat.migrate import source_flax, source_rows
from tf1compat.migrate.gradients import GradientProgram
from tf1compat.migrate.lowering import gradient_of
from tf1compat.migrate.source_body import Body
from tf1compat.migrate.source_call import Call, Written
from tf1compat.migrate.source_layers import HELPERS
from tf1compat.migrate.source_needs import (
    Slope,
    inputs_of,
    is_in_branch,
    is_overridden,
    known_value,
    looked_at_by_gradient,
    refuse,
    variable_of,
)
from tf1compat.migrate.source_random import DRAWS
from tf1compat.migrate.source_repeats import LayerCall
from tf1compat.migrate.source_text import (
    Expr,
    free_name,
    function,
    like_both,
    returning,
    state_name,
    tupled,
    uses_name,
    with_shapes,
    wrapped,
)
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.plan import branches
from tf1compat.runtime.plan.loops import Loop

# Constants of more elements, or with a longer text, are kept with the weights.
_WRITTEN_ELEMENTS = 16
_WRITTEN_TEXT = 64

IMPORTS = {
    "functools": "import functools",
    "math": "import math",
    "jax": "import jax",
    "jnp": "import jax.numpy as jnp",
    "np": "import numpy as np",
    "optax": "import optax",
    "safetensors": "import safetensors.numpy",
    "nnx": "from flax import nnx",
    "lax": "from jax import lax",
}


def steps_of(targets: Sequence[Tensor], feeds: set[Tensor], graph: Any) -> list[Any]:
    """The steps that compute tensors: operations, loops, conditionals, calls of `tf.gradients`."""
    known = [source_rows.of_arrays(call) for call in graph._gradient_calls]
    calls = {t: call for call in known for t in call.results}
    # A gradient that is what it started from is made by no call.
    calls = {t: c for t, c in calls.items() if isinstance(t, Tensor) and t not in feeds}
    given = plan_lib.Feeds({*feeds, *calls})
    slopes: dict[int, Slope] = {}
    wanted = list(targets)
    while True:
        ops = plan_lib.prune([t._op for t in wanted if t not in given], given)
        inside = [op for step in plan_lib.flat(ops) for op in plan_lib.members(step)]
        used = {t for op in inside for t in op._inputs} | set(wanted)
        extra = [
            t
            for op in plan_lib.flat(ops)
            if isinstance(op, Operation) and is_overridden(op) and not op._spec.source
            for t in looked_at_by_gradient(op)
        ]
        more = [t for t in extra if t not in given and t not in wanted]
        for tensor in used & set(calls):
            call = calls[tensor]
            if id(call) not in slopes:
                slopes[id(call)] = Slope(call.ys, call.xs, call.results)
                more += [*call.ys, *call.xs]
        if not more:
            break
        wanted += more
    effects = plan_lib.order_effects(ops, given)
    alone = {tensor for tensor in wanted if is_in_branch(tensor)}
    outside = [tensor for tensor in wanted if tensor not in alone]
    steps = branches.group(ops, given, effects, outside, specialize=False)
    _add_results(steps, alone)
    _complete_branches(steps)
    if not slopes:
        return steps
    return _with_slopes(steps, list(slopes.values()), set(feeds), set(targets))


def _with_slopes(
    steps: Sequence[Any], slopes: list[Slope], given: set[Tensor], results: set[Tensor]
) -> list[Any]:
    """The steps in order with calls of `tf.gradients` among them, each in the loop it belongs to.

    Args:
      given: what is not made by the steps.
      results: what the steps are for.
    """
    for step in steps:
        if isinstance(step, Loop):
            members = set(step.members)
            inside = [slope for slope in slopes if not members.isdisjoint(y._op for y in slope.ys)]
            if inside:
                wanted = {*step.next, step.condition}
                step.steps = _with_slopes(step.steps, inside, step.given(), wanted)
                slopes = [slope for slope in slopes if slope not in inside]
    if not slopes:
        return list(steps)
    steps = plan_lib.topological([*steps, *slopes], given)
    for i, step in enumerate(steps):
        if isinstance(step, Slope):
            step.find_steps(steps[:i])
    users: dict[Tensor, set[Any]] = {}
    for step in steps:
        for tensor in inputs_of(step, set(step._outputs)):
            users.setdefault(tensor, set()).add(step)
    for i, step in enumerate(steps):
        if isinstance(step, Slope):
            step.take_in(steps[:i], users, results)
    return steps


def _add_results(steps: Sequence[Any], alone: set[Tensor]) -> None:
    """Has conditionals give what is wanted from inside of one of their branches."""
    for step in steps:
        if isinstance(step, branches.Branches):
            _add_results(step.steps, alone)
            step.results += [t for t in step._outputs if t in alone and t not in step.results]


def _complete_branches(steps: Sequence[Any]) -> None:
    """Adds to later parts of a branch what they take from earlier ones: each part is a function."""
    made: dict[Tensor, branches.Branches] = {}
    for step in steps:
        if not isinstance(step, branches.Branches):
            continue
        while True:
            inside = [t for t in step._inputs if t in made and not t._op._spec.merges]
            if not inside:
                break
            earlier = made[inside[0]]
            step.steps = [*earlier.steps, *(s for s in step.steps if s not in earlier.steps)]
            step.switches = list(dict.fromkeys([*earlier.switches, *step.switches]))
            own = {tensor for s in step.steps for tensor in s._outputs}
            taken = dict.fromkeys(t for s in step.steps for t in s._inputs)
            step._inputs = [t for t in taken if t not in own]
        made.update(dict.fromkeys((t for s in step.steps for t in s._outputs), step))


class Module:
    """The parts of a written module.

    Args:
      variables: the names of the variables that are params.
      taken: names at its top level.
      flax: whether functions of scopes are methods of Flax's modules.

    Attributes:
      constants: large constants, which are kept with the weights, by name.
      functions: what is written so far: (variable scope or None, lines of a function).
      random: the random operations in the order of their keys.
      draws_in_loops: whether some are in loops.
      looked_up_alone: see `source_sparse`.
      most_segments: how many segments there are, where only the run tells; None if nobody says.
      replaced: what stands for variables that are no params.
      exported: what functions of scopes give in any case, so that all who call them share them.
      has_integers: whether there are integers among the params.
      alone: what is taken out of one side of a conditional; it is 0 on the other.
    """

    def __init__(
        self,
        variables: set[str],
        steps: Sequence[Any],
        taken: Sequence[str] = (),
        flax: bool = False,
    ):
        self.variables = variables
        self.flax = flax
        self._methods: dict[str, int] = {}
        self.constants: dict[str, Any] = {}
        self.functions: list[tuple[str | None, list[str]]] = []
        self.random: list[Operation] = []
        self.draws_in_loops = False
        self.has_integers = any(
            value.dtype.kind in "iub" and _is_large(value)
            for op in _operations(steps)
            for tensor in op._inputs
            if (value := known_value(tensor)) is not None
        )
        self.looked_up_alone: set[Tensor] = set()
        self.most_segments: int | None = None
        self.replaced: dict[str, Expr] = {}
        self.alone: set[Tensor] = set()
        self.exported: set[Tensor] = set()
        self.names = {
            "params",
            "key",
            "keys",
            "load_params",
            "init_params",
            *IMPORTS,
            *HELPERS,
            *taken,
        }
        self._overridden: dict[Operation, str] = {}
        self._written: dict[str, str] = {}
        # By its arguments and its code, a function of scopes: name, number, and the first scope.
        self._shared: dict[tuple[str, str], tuple[str, int, str]] = {}
        # How many arguments a function has and what it does -> what these are called.
        self._arguments: dict[tuple[Any, ...], list[str]] = {}
        self._prefixes: dict[str, str] = {}
        self._paths = {"/".join(p): p for p in paths(params_lib.by_scope(dict.fromkeys(variables)))}
        for op in _operations(steps):
            own = self._own_scope(op)
            if own is not None:
                self._prefixes[own[0]] = own[1]
        for scope, prefixes in _around(self._prefixes).items():
            self._prefixes.update(dict.fromkeys(prefixes, scope))
        # A scope around all others has no function of its own: it is the whole model.
        whole = os.path.commonprefix(
            [tuple(name.split("/")[:-1]) for name in variables if "/" in name]
        )
        inner = {scope for scope in self._prefixes.values() if scope != "/".join(whole)}
        self._whole = "/".join(whole) if inner and not flax else ""
        # No other name may be that of a function which is written later.
        scopes = dict.fromkeys(self._prefixes.values())
        scopes.pop(self._whole, None)
        self._unwritten = {scope: self._name_of(scope) for scope in scopes}
        self._scopes = set(scopes)

    def _own_scope(self, op: Operation) -> tuple[str, str] | None:
        """(prefix of operations' names, scope) if an operation reads a variable of its scope."""
        for tensor in op._inputs:
            name = variable_of(tensor)
            scope = name.rpartition("/")[0] if name else ""
            while scope:
                last = scope.rpartition("/")[2]
                if op.name.startswith(f"{scope}/"):
                    return f"{scope}/", scope
                if f"/{last}/" in op.name:
                    at = op.name.rindex(f"/{last}/")
                    return op.name[: at + len(last) + 2], scope
                scope = scope.rpartition("/")[0]
        return None

    def _name_of(self, scope: str) -> str:
        """What the function of a scope is called: as few of its last parts as are free."""
        parts = scope.split("/")
        for count in range(1, len(parts)):
            taken = set(self.names)
            wanted = "_".join(parts[-count:])
            name = free_name(wanted, taken)
            if re.sub(r"\W+", "_", wanted).strip("_").lower() == name:
                self.names.add(name)
                return name
        return free_name(scope, self.names)

    def outermost(self, step: Any, inside: str) -> str | None:
        """The scope whose function a step belongs to, in the function of another."""
        scope = self.group(step)
        if scope is None or scope == inside:
            return None
        parts = scope.split("/")
        around = ["/".join(parts[:count]) for count in range(1, len(parts))]
        below = [
            s for s in around if s in self._scopes and s.startswith(f"{inside}/" * bool(inside))
        ]
        return below[0] if below else scope

    def group(self, step: Any) -> str | None:
        """The innermost variable scope that a step belongs to."""
        if isinstance(step, Operation):
            own = self._own_scope(step)
            if own is not None:
                return own[1] if own[1] != self._whole else None
        if isinstance(step, branches.Branches):
            around = {self.group(op) or "" for op in step.steps}
            scope = "/".join(os.path.commonprefix([each.split("/") for each in around]))
            return scope if scope in self._prefixes.values() and scope != self._whole else None
        found = [p for p in self._prefixes if step.name.startswith(p)]
        scope = self._prefixes[max(found, key=len)] if found else None
        return scope if scope != self._whole else None

    def free(self, wanted: str, *taken: set[str]) -> str:
        """A name like this one that neither `taken` nor the module has."""
        return free_name(wanted, *taken, self.names) if taken else free_name(wanted, self.names)

    def call(
        self,
        body: Body,
        layer: LayerCall,
        results: list[Tensor],
        repeated: bool = False,
    ) -> None:
        """Writes steps as the function of a scope, and adds its call to a body.

        Args:
          results: what the function gives; of these the body takes what it uses.
          repeated: whether there are more calls, which may have other values in place of constants.
        """
        scope, steps = layer.scope, layer.steps
        given: dict[Tensor, Expr] = {}
        counters = body.counters or ()
        names: set[str] = {"params", "keys", *counters}
        made = {tensor for step in steps for tensor in step._outputs}
        taken = dict.fromkeys(t for step in steps for t in inputs_of(step, set(results) | made))
        outside = [
            tensor
            for tensor in taken
            if tensor not in made
            and (
                (known := known_value(tensor)) is None
                or _is_large(known)
                or (repeated and known.ndim > 1 and known.dtype.kind == "f")
            )
            and not self._is_own(tensor, scope)
        ]
        # Arguments have the same names in all calls, so that these may share the function.
        form = (len(outside), *(step.type for step in steps))
        known_names = self._arguments.get(form, [])
        if not names.isdisjoint(known_names):
            known_names = []  # It is called in a loop whose steps have such a name.
        for i, tensor in enumerate(outside):
            outer = body.value(tensor)
            name = outer.text if outer.text.isidentifier() else state_name(tensor)
            name = name if len(outside) > 1 else "x"
            name = known_names[i] if known_names else self.free(name, names)
            names.add(name)
            given[tensor] = Expr(name, static=outer.static)
        self._arguments.setdefault(form, [expr.text for expr in given.values()])
        depth = 2 if self.flax else 1
        inner = Body(self, given, scope, names, depth=depth)
        inner.counters = body.counters
        own = [self.random.index(op) for op in _operations(steps) if op in self.random]
        inner.first_key = min(own, default=len(self.random))
        inner.write(steps, set(results))
        values = ", ".join(inner.value(tensor).text for tensor in results)
        lines = returning(inner.finished(), values, depth)
        if self.flax:
            text = "\n".join([", ".join(e.text for e in given.values()), scope, *lines])
            call = self._method(body, scope, text, list(given.values()), lines, counters)
        else:
            call = self._function_of(body, scope, list(given.values()), lines, counters)
        keys = self._keys(body, inner.first_key, "\n".join(lines))
        name, *first = (keys if part == "keys" else part for part in call)
        arguments = [*first, *(body.value(tensor).text for tensor in given)]
        last = scope.rpartition("/")[2].lower()
        wanted = f"{last}_out" if last in self.names else last
        wanted = wanted if len(results) == 1 else ""
        targets = [body.named(t, wanted) if t in layer.used else "_" for t in results]
        while len(targets) > 2 and targets[-2:] in (["_", "_"], ["_", "*_"]):
            targets[-2:] = ["*_"]
        call = f"{name}({', '.join(arguments)})"
        body.add(", ".join(targets), call, results[0] if len(results) == 1 else None)

    def _function_of(
        self,
        body: Body,
        scope: str,
        given: list[Expr],
        lines: list[str],
        counters: Sequence[str],
    ) -> list[str]:
        """Writes the function of a scope: its name, and what it takes first.

        Scopes that do the same share a function.
        """
        code = "\n".join(part for part, _, _ in with_shapes(lines))
        first = [n for n in ("params", "keys") if re.search(rf"\b{n}\b", code)]
        first += [n for n in counters if uses_name(code, n)]
        signature = ", ".join([*first, *(expr.text for expr in given)])
        known = self._shared.get((signature, code))
        if known is None:
            name = self._unwritten.pop(scope, None) or self.free(scope.rpartition("/")[2])
            self._shared[signature, code] = name, len(self.functions), scope
            self.functions.append((scope, function(name, signature, f"The scope {scope}.", lines)))
        else:
            name, at, other = known
            mine = function(name, signature, f"The scope {scope}.", lines)
            both = like_both(self.functions[at][1], mine)
            if scope != other:
                title, those = f'"""The scope {other}."""', f"The scope {other}, and those like it."
                both = [line.replace(title, f'"""{those}"""') for line in both]
            self.functions[at] = (other, both)
        parts = scope.removeprefix(f"{body.scope}/" if body.scope else "").split("/")
        path = "params" + "".join(f'["{part}"]' for part in parts)
        return [name, *(path if n == "params" else n for n in first)]

    def _method(
        self,
        body: Body,
        scope: str,
        text: str,
        given: list[Expr],
        lines: list[str],
        counters: Sequence[str],
    ) -> list[str]:
        """Writes the method of a scope's module: how to call it, and what it takes first."""
        first = ["keys"] if re.search(r"\bkeys\b", text) else []
        first += [n for n in counters if uses_name("\n".join(lines), n)]
        name = self._written.get(text)
        if name is None:
            count = self._methods[scope] = self._methods.get(scope, 0) + 1
            name = self._written[text] = "" if count == 1 else f".call_{count}"
            signature = ", ".join(["self", *first, *(expr.text for expr in given)])
            method = name.removeprefix(".") or "__call__"
            self.functions.append((scope, function(method, signature, "", lines, 1)))
        parts = scope.removeprefix(f"{body.scope}/" if body.scope else "").split("/")
        return [f"self{source_flax.place(tuple(parts))}{name}", *first]

    def _keys(self, body: Body, first: int, text: str) -> str:
        """The keys of a function, of those that a body has."""
        used = [int(number) for number in re.findall(r"\bkeys\[(?:\d+:)?(\d+)", text)]
        last = [int(number) for number in re.findall(r"\bkeys\[\d+:(\d+)", text)]
        count = max([*(n + 1 for n in used if n not in last), *last], default=0)
        start = first - body.first_key
        return f"keys[{start}:{start + count}]"

    def _is_own(self, tensor: Tensor, scope: str) -> bool:
        name = variable_of(tensor)
        return name is not None and name.startswith(f"{scope}/")

    def variable(self, name: str, scope: str) -> Expr:
        """The expression of a variable in the function of a scope ("" is any other)."""
        if name in self.replaced:
            return self.replaced[name]
        if name not in self._paths:
            raise ValueError(
                f"Variable {name} has no value in the session: run its initializer first"
            )
        if self.flax:
            inside = bool(scope) and name.startswith(f"{scope}/")
            keys = self._paths[name][len(scope.split("/")) if inside else 0 :]
            return Expr(f"self{source_flax.place(keys)}[...]")
        return Expr(f"params{self.path(name, scope)}")

    def constant(self, tensor: Tensor, value: np.ndarray) -> Expr:
        """The expression of a constant."""
        if value.ndim == 0 and value.dtype.kind in "fiub":
            return number(value)
        if value.dtype.kind in "fiub" and value.size:
            same = number(value.flat[0])
            if np.all(value == value.flat[0]):
                name = {"0.0": "zeros", "1.0": "ones"}.get(same.text)
                shape = value.shape[0] if value.ndim == 1 else value.shape
                if name and value.dtype == np.float32:
                    return Expr(f"jnp.{name}({shape})")
                return Expr(f"jnp.full({shape}, {same.text}, jnp.{value.dtype.name})")
            if not _is_large(value):
                return Expr(f"jnp.array({_numbers(value)}, jnp.{value.dtype.name})")
        if value.dtype.kind not in "fiubc":
            refuse(tensor._op, "which has no numbers")
        name = tensor._op.name.replace("/", ".")
        self.constants.setdefault(f"constants/{name}", value)
        return Expr(f"lax.stop_gradient({self._stored(name)})")

    def of_params(self, lines: list[str]) -> list[str]:
        """The lines of a function of the params, where they are those of a method of a module."""
        if not self.flax or not any(uses_name(line, "self") for line in lines):
            return lines
        lines = [re.sub(r"(?<![\w.])self\b", "model", line) for line in lines]
        return ["model = Model(params)", *lines]

    def path(self, name: str, scope: str) -> str:
        """Where a variable is in the params of a scope."""
        keys = self._paths[name]
        inside = bool(scope) and name.startswith(f"{scope}/")
        keys = keys[len(scope.split("/")) :] if inside else keys
        return "".join(f'["{key}"]' for key in keys)

    def drop_unused(self, lines: Iterable[str]) -> None:
        """Forgets constants of which neither the functions nor these lines have the expression."""
        text = "\n".join([*lines, *(line for _, own in self.functions for line in own)])
        self.constants = {
            name: value
            for name, value in self.constants.items()
            if self._stored(name.partition("/")[2]) in text
        }

    def _stored(self, name: str) -> str:
        """The expression of a constant that is kept with the weights."""
        if self.flax:
            return f"self.constants{source_flax.place((name,))}[...]"
        return f'params["constants"]["{name}"]'

    def drawn(self, call: Call, counters: Sequence[str], first_key: int = 0) -> Written:
        """The expression of random numbers, others in each step of the loops it is in.

        Args:
          first_key: the number of the first of the keys that the function has.
        """
        op = call.op
        if op.type not in DRAWS:
            refuse(op)
        if op not in self.random:
            self.random.append(op)
        key = f"keys[{self.random.index(op) - first_key}]"
        for count in counters:
            key = f"jax.random.fold_in({key}, {count})"
        self.draws_in_loops |= bool(counters)
        return DRAWS[op.type](call, key)

    def gradient_arguments(self, op: Operation) -> list[Tensor]:
        """What the function of an operation with a gradient of its own takes."""
        inputs = [t for t in op._inputs if known_value(t) is None]
        return list(dict.fromkeys([*inputs, *looked_at_by_gradient(op)]))

    def overridden(self, op: Operation) -> str | None:
        """The name of the function that computes an operation whose gradient is overridden."""
        if not is_overridden(op):
            return None
        if op not in self._overridden:
            self._overridden[op] = self._with_gradient(op)
        return self._overridden[op]

    def _with_gradient(self, op: Operation) -> str:
        """An operation with the gradient that the program gave it, as a `jax.custom_vjp`."""
        program = gradient_of(op)
        if not isinstance(program, GradientProgram):
            refuse(op, "whose gradient is no function of its inputs")
        inputs = self.gradient_arguments(op)
        names: set[str] = set()
        given = {tensor: Expr(self.free("x", names)) for tensor in inputs}
        body = Body(self, given, "", names, own=op)
        body.calls_scopes = False
        body.write([op], set(op._outputs))
        arguments = ", ".join(expr.text for expr in given.values())
        results = [body.value(t).text for t in op._outputs]
        single = len(results) == 1
        result = results[0] if single else f"({', '.join(results)})"
        ys = [self.free("y", names) for _ in op._outputs]
        grads = [self.free("grad", names) for _ in op._outputs]
        inner = dict(given) | dict(zip(op._outputs, map(Expr, ys), strict=True))
        for outer, tensor in program._body.captures:
            if outer in inner:
                inner[tensor] = inner[outer]
        inner.update({t: Expr(g) for t, g in zip(program._incoming, grads) if t is not None})
        back = Body(self, inner, "", names)
        back.calls_scopes = False
        found = {t: g for t, g in zip(op._inputs, program._grads, strict=True) if t in given}
        back.write(program._ops, {g for g in found.values() if g is not None})
        # What it only looks at has none.
        pulled = [back.value(g).text if (g := found.get(t)) is not None else "None" for t in inputs]
        text_forward = [*body.finished()]
        used = re.findall(r"\w+", " ".join([*back.finished(), *pulled]))
        keep = [n for n in (*(e.text for e in given.values()), *ys) if n in used]
        grads = [g if g in used else "_" for g in grads]
        text = "\n".join([arguments, *text_forward, result, *back.finished(), *pulled, *keep])
        if text in self._written:
            return self._written[text]
        name = self._written[text] = self.free(op.name)
        kept = tupled(keep) if keep else "()"
        self.functions += [
            (
                None,
                [
                    "@jax.custom_vjp",
                    *function(name, arguments, "", returning(text_forward, result, 1)),
                ],
            ),
            (
                None,
                function(
                    f"_{name}_forward",
                    arguments,
                    "",
                    [
                        *wrapped(f"{tupled(ys)} = {name}({arguments})".replace("= (", "= ("), 1),
                        f"return {tupled(ys)}, {kept}",
                    ],
                )
                if any(y in keep for y in ys)
                else function(
                    f"_{name}_forward",
                    arguments,
                    "",
                    wrapped(f"return {name}({arguments}), {kept}", 1),
                ),
            ),
            (
                None,
                function(
                    f"_{name}_backward",
                    f"{'kept' if len(keep) > 1 else keep[0] if keep else '_'}, "
                    + (grads[0] if single else "grads"),
                    "",
                    [
                        *([f"{', '.join(keep)} = kept"] if len(keep) > 1 else []),
                        *([] if single else [f"{', '.join(grads)} = grads"]),
                        *returning(
                            back.finished(), f"({', '.join(pulled)}{',' * (len(pulled) == 1)})", 1
                        ),
                    ],
                ),
            ),
            (None, [f"{name}.defvjp(_{name}_forward, _{name}_backward)"]),
        ]
        return name


def _around(prefixes: Mapping[str, str]) -> dict[str, list[str]]:
    """Scopes around several of those that have functions, by the prefixes of operations' names.

    Args:
      prefixes: prefix -> scope, of the scopes that have variables.
    """
    parts: dict[str, set[str]] = {}
    found: dict[str, list[str]] = {}
    for prefix, scope in prefixes.items():
        while "/" in scope:
            above, _, last = scope.rpartition("/")
            around = prefix.removesuffix(f"{last}/")
            name = above.rpartition("/")[2]
            if around == prefix or not f"/{around}".endswith(f"/{name}/"):
                break
            parts.setdefault(above, set()).add(last)
            found.setdefault(above, []).append(around)
            prefix, scope = around, above
    own = set(prefixes.values())
    return {s: names for s, names in found.items() if len(parts[s]) > 1 and s not in own}


def _is_large(value: np.ndarray) -> bool:
    """Whether a constant is kept with the weights, where a function of a scope does not see it."""
    if value.dtype.kind not in "fiubc" or value.size < 2 or np.all(value == value.flat[0]):
        return False
    if value.size > _WRITTEN_ELEMENTS or value.dtype.kind == "c":
        return value.size > _WRITTEN_ELEMENTS
    return len(_numbers(value)) > _WRITTEN_TEXT


def number(value: Any) -> Expr:
    """A number as Python writes it."""
    value = np.asarray(value)
    item = value[()]
    if value.dtype.kind == "f" and not np.isfinite(item):
        return Expr({"inf": "jnp.inf", "-inf": "-jnp.inf"}.get(str(item), "jnp.nan"))
    negative = value.dtype.kind != "b" and item < 0
    return Expr(str(item), 0 if negative else 9, static=value.dtype.kind in "iub")


def _numbers(value: np.ndarray) -> str:
    if value.ndim == 0:
        return number(value).text
    return f"[{', '.join(_numbers(np.asarray(part)) for part in value)}]"


def paths(nested: Mapping[str, Any], above: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """The values of nested dicts by their keys."""
    found: dict[tuple[str, ...], Any] = {}
    for name, value in nested.items():
        inside = isinstance(value, Mapping)
        found.update(paths(value, (*above, name)) if inside else {(*above, name): value})
    return found


def _operations(steps: Sequence[Any]) -> list[Operation]:
    found: list[Operation] = []
    for step in steps:
        if isinstance(step, Operation):
            found.append(step)
        elif isinstance(step, Slope):
            continue
        else:
            found += _operations(step.steps)
    return found
