"""A step of training as source, and what its test compares with."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate import params as params_lib
from tf1compat.migrate.source_body import Body
from tf1compat.migrate.source_module import Module, number, steps_of
from tf1compat.migrate.source_needs import (
    CannotWrite,
    known_value,
    refuse,
    resolved,
    variable_of,
)
from tf1compat.migrate.source_text import (
    Expr,
    free_name,
    function,
    nested_text,
    returning,
    tupled,
    with_shapes,
    wrapped,
)
from tf1compat.migrate.source_training import (
    Moved,
    Optimizer,
    Training,
    clipped_norm,
    sources_of,
    training_of,
)
from tf1compat.migrate.to_jax import to_jax
from tf1compat.runtime.session import Session

# What a step has besides its inputs.
LOCAL_NAMES = ("opt_state", "updates", "grads", "value", "moved")
# How many steps the test goes.
STEPS = 3


class Step:
    """A training operation and its source.

    Attributes:
      training: what it does.
      rates: the learning rates that a step has to compute: from what is fed, or from variables.
    """

    def __init__(self, train: Operation, session: Any = None, most_segments: int | None = None):
        self._train = train
        self._most_segments = most_segments
        self._session = session
        self.training: Training = training_of(train, self._first_number)
        rates = dict.fromkeys(resolved(each.rate) for each in self.training.optimizers)
        self.rates: list[Tensor] = [rate for rate in rates if self._is_computed(rate)]
        self._changed = {
            name: tensor
            for name, tensor in self.training.applied.items()
            if tensor is not self.training.gradients[name]
        }
        self._norm = None
        if len(self.training.optimizers) == 1 and not self.training.direct:
            self._norm = clipped_norm(self.training.gradients, self._changed)
        if self._norm is not None:
            self._changed = {}

    def first_value(self, variable: str) -> Any:
        """What a variable begins with."""
        graph = self._train._graph
        try:
            value = graph.get_operation_by_name(f"{variable}/Assign").inputs[1]
        except KeyError:
            refuse(self._train, f"where the first value of {variable} is not known")
        fn, params = to_jax(value, [], Session(graph=graph))
        return np.asarray(fn(params))

    def _first_number(self, variable: str) -> float:
        return float(str(self.first_value(variable).flat[0]))

    def _is_computed(self, rate: Tensor) -> bool:
        """Whether a learning rate is neither a number nor a function of how many steps were."""
        if known_value(rate) is not None:
            return False
        variables, fed = sources_of(rate)
        if fed or not variables - {self.training.step}:
            return fed
        variable = variable_of(rate)
        if variable is None:
            return True
        # That of an optimizer of Keras is a variable which mostly nobody changes.
        _, params = to_jax(rate, [], self._session, returns_params=False)
        return not np.array_equal(params[variable], self.first_value(variable))

    def rows(self) -> list[Tensor]:
        """Numbers of the rows of tables that the optimizer changes alone."""
        return [tensor for parts in self.training.rows.values() for tensor in parts]

    def targets(self) -> list[Tensor]:
        """What `loss`, or `gradients`, computes."""
        training = self.training
        rows = self.rows()
        applied = training.applied.values() if training.direct else ()
        given = [t for each in applied for t in ([each] if isinstance(each, Tensor) else each)]
        moved = [tensor for each in training.changes for tensor in each.tensors]
        return [*training.losses, *moved, *rows, *given]

    def lines(
        self,
        module: Module,
        loss: str,
        arguments: list[str],
        trained_all: bool,
        has_integers: bool,
        inputs: dict[Tensor, Expr],
    ) -> list[list[str]]:
        """The functions of a step.

        Args:
          loss: the name of the function that gives the loss, and what else changes.
          arguments: what that takes after the params.
          trained_all: whether all params are trained.
          has_integers: whether there are integers among them.
          inputs: the inputs of the step.
        """
        training = self.training
        found: list[list[str]] = []
        optimizers: dict[str, str] = {}
        taken_labels = {"kept"}
        for each in training.optimizers:
            label = free_name(re.split(r"[.(]", each.text.removeprefix("optax."))[0], taken_labels)
            text = self._optimizer(each, module, found)
            if self._norm is not None:
                text = f"optax.chain(optax.clip_by_global_norm({self._norm}), {text})"
            rows = any(name in training.rows for name in each.variables)
            optimizers[label] = f"of_rows({text})" if rows else text
        given = "grads"
        if self._changed:
            found.append(self._applied(module))
            given = "applied(grads)"
        optimizer = next(iter(optimizers.values()))
        if len(optimizers) > 1:
            items = ", ".join(
                f'"{name}": "{label}"'
                for label, each in zip(optimizers, training.optimizers, strict=True)
                for name in each.variables
            )
            found.append(wrapped(f"TRAINED = {{{items}}}", 0))
            found.append([*_SEVERAL_LABELS.split("\n")])
            kept = {} if trained_all else {"kept": "optax.set_to_zero()"}
            parts = ", ".join(f'"{k}": {text}' for k, text in {**optimizers, **kept}.items())
            optimizer = f"optax.partition({{{parts}}}, labels)"
        elif not trained_all:
            names = ", ".join(
                f'"{name}"' for name in training.gradients if name in training.applied
            )
            found.append(wrapped(f"TRAINED = {{{names}}}", 0))
            found.append([*_LABELS.split("\n")])
            optimizer = (
                f'optax.partition({{"trained": {optimizer}, "kept": optax.set_to_zero()}}, labels)'
            )
        found.append(wrapped(f"optimizer = {optimizer}", 0))
        more = tupled([*(["moved"] * bool(training.moved)), *(["rows"] * bool(training.rows))])
        value = "value" if more == "None" else f"(value, {more})"
        aux = "" if more == "None" else ", has_aux=True"
        whole = not training.direct and has_integers
        aux += ", allow_int=True" if whole else ""
        slopes = loss if training.direct else f"jax.value_and_grad({loss}{aux})"
        rows = ", rows=rows" if training.rows else ""
        lines: list[str] = []
        if self.rates:
            lines, texts = self._computed(module, inputs)
            told = texts[0] if len(texts) == 1 else tupled(texts)
            rows += f", learning_rate={told}"
        result = "optax.apply_updates(params, updates)"
        result = f"replaced({result}, moved)" if training.moved else result
        after: list[str] = []
        if training.late:
            found.append(self._late(module))
            after = wrapped(f"params = {result}", 1)
            result = "replaced(params, averages(params))"
        body = [
            *wrapped(f"{value}, grads = {slopes}({', '.join(['params', *arguments])})", 1),
            *(["grads = float_gradients(grads, params)"] if whole else []),
            *lines,
            *wrapped(f"updates, opt_state = optimizer.update({given}, opt_state, params{rows})", 1),
            *after,
            *wrapped(f"return {result}, opt_state, value", 1),
        ]
        title = "A step of training: the new params, the optimizer's new state, and the loss."
        names = [e.text for e in inputs.values()]
        key = [name for name in arguments if name not in names]
        taken = ", ".join(["params", "opt_state", *key, *names])
        found.append(function("train_step", taken, title, body))
        return found

    def _optimizer(self, each: Optimizer, module: Module, found: list[list[str]]) -> str:
        rate = resolved(each.rate)
        if any(rate is one for one in self.rates):
            made = each.text.removesuffix("({rate})")
            if made == each.text:
                made = f"lambda learning_rate: {each.text.format(rate='learning_rate')}"
            if len(self.rates) == 1:
                return f"with_learning_rate({made})"
            return f"with_own_learning_rate({self.rates.index(rate)}, {made})"
        return each.text.format(rate=self._rate(each.rate, module, found))

    def _computed(self, module: Module, inputs: dict[Tensor, Expr]) -> tuple[list[str], list[str]]:
        """The lines that compute learning rates from inputs and params, and these."""
        flax, module.flax = module.flax, False
        body = Body(module, inputs, "", {*(e.text for e in inputs.values()), *LOCAL_NAMES})
        body.write(steps_of(self.rates, set(inputs), self._train._graph), set(self.rates))
        module.flax = flax
        return body.finished(), [body.value(rate).text for rate in self.rates]

    def _rate(self, rate: Tensor, module: Module, found: list[list[str]]) -> str:
        tensor = resolved(rate)
        value = known_value(tensor)
        variable = variable_of(tensor)
        if value is None and variable is not None and variable != self.training.step:
            value = self.first_value(variable)
        if value is not None:
            return number(value).text
        if self.training.step is None:
            refuse(self._train, "whose learning rate is computed, and which counts no steps, or "
                   "several in a run")  # fmt: skip
        flax, module.flax = module.flax, False
        module.replaced = {self.training.step: Expr("count")}
        body = Body(module, {}, "", {"count"})
        body.write(steps_of([tensor], set(), tensor.graph), {tensor})
        lines = returning(body.finished(), body.value(tensor).text, 1)
        module.replaced, module.flax = {}, flax
        if any("params" in line for line in lines):
            refuse(self._train, "whose learning rate is no function of the number of steps")
        written = [part for part in found if part[1:] == function("", "", _RATE, lines)[1:]]
        if written:
            return written[0][0].removeprefix("def ").partition("(")[0]
        count = sum(part[1] == f'    """{_RATE}"""' for part in found)
        name = f"learning_rate_{count + 1}" if count else "learning_rate"
        found.append(function(name, "count", _RATE, lines))
        return name

    def _late(self, module: Module) -> list[str]:
        """The function of what changes when the optimizer is done."""
        flax, module.flax = module.flax, False
        late = self.training.late
        targets = [t for changes in late.values() for each in changes for t in each.tensors]
        body = Body(module, {}, "", {"params"})
        body.write(steps_of(targets, set(), self._train._graph), set(targets))
        text = self._averages_text(body) or self.moved_text(body, late)
        lines = returning(body.finished(), text, 1)
        module.flax = flax
        return function("averages", "params", "The averages of new weights.", lines)

    def _averages_text(self, body: Body) -> str | None:
        """The averages of all weights that are trained, if all are moved by the same share."""
        found: dict[str, str] = {}
        shares = set()
        for name, changes in self.training.late.items():
            if len(changes) != 1 or changes[0].average is None:
                return None
            value, share = changes[0].average
            found[variable_of(value) or ""] = name
            shares.add(body.value(share).text)
        endings = {name.removeprefix(weight) for weight, name in found.items()}
        if set(found) != self.trained() or len(shares) != 1 or len(endings) != 1 or len(found) < 4:
            return None
        body.lines += [
            "values = {named(path): x for path, x in jax.tree.leaves_with_path(params)}",
            f'ending = "{endings.pop()}"',
        ]
        return (
            "{name + ending: moving_average(values[name + ending], values[name], "
            f"{shares.pop()}) for name in TRAINED}}"
        )

    def _applied(self, module: Module) -> list[str]:
        """The function that makes what the optimizer is given of the gradients."""
        flax, module.flax = module.flax, False
        alike = self._alike(module)
        if alike is not None:
            module.flax = flax
            return alike
        raw = {t: name for name, t in self.training.gradients.items() if isinstance(t, Tensor)}
        given = {
            t: Expr(module.variable(name, "").text.replace("params", "grads", 1))
            for t, name in raw.items()
            if name in self.training.applied
        }
        graph = self._train._graph
        targets = list(self._changed.values())
        body = Body(module, given, "", {"grads"})
        body.write(steps_of(targets, set(given), graph), set(targets))
        items = ", ".join(f'"{name}": {body.value(t).text}' for name, t in self._changed.items())
        lines = returning(body.finished(), f"replaced(grads, {{{items}}})", 1)
        module.flax = flax
        return function("applied", "grads", "The gradients as the optimizer takes them.", lines)

    def _alike(self, module: Module) -> list[str] | None:
        """The function that changes all gradients in the same way, each by itself, if they are."""
        if set(self._changed) != set(self.training.gradients):
            return None
        graph, found = self._train._graph, set()
        for name, tensor in self._changed.items():
            given = {self.training.gradients[name]: Expr("grad")}
            body = Body(module, given, "", {"grad"})
            try:
                body.write(steps_of([tensor], set(given), graph), {tensor})
                lines = returning(body.finished(), body.value(tensor).text, 1)
            except CannotWrite:
                return None  # It takes other gradients as well.
            found.add("\n".join(code for code, _, _ in with_shapes(lines)))
        if len(found) != 1 or len(self._changed) < 2:
            return None
        lines = found.pop().split("\n")
        whole = lines[0].removeprefix("return ") if len(lines) == 1 else ""
        if whole:
            lines = wrapped(f"return jax.tree.map(lambda grad: {whole}, grads)", 1)
        else:
            inner = function("change", "grad", "", lines)
            lines = [*inner, "", "return jax.tree.map(change, grads)"]
        return function("applied", "grads", "The gradients as the optimizer takes them.", lines)

    def moved_text(self, body: Body, moved: Mapping[str, Sequence[Moved]] | None = None) -> str:
        """The new values of what changes besides the trained weights, by name."""
        parts = []
        for name, changes in (self.training.moved if moved is None else moved).items():
            new = old = body.module.variable(name, "").text
            for change in changes:
                if change.average is not None:
                    value, share = (body.value(tensor) for tensor in change.average)
                    if len(changes) == 1:
                        new = f"moving_average({old}, {value.text}, {share.text})"
                    else:  # Each begins where the run began.
                        new += f" - ({old} - {_operand(value)}) * {_operand(share)}"
                    continue
                sign, by = change.sign, body.value(change.tensor)
                new = f"{new} {sign} {_operand(by)}" if sign else by.text
            parts.append(f'"{name}": {new}')
        return f"{{{', '.join(parts)}}}"

    def rows_text(self, body: Body) -> str:
        """Which rows of tables a step looks up, by the names of these."""
        parts = []
        for name, rows in self.training.rows.items():
            looked_up = dict.fromkeys(body.value(tensor).text for tensor in rows)
            table = body.module.variable(name, "").text
            parts.append(f'"{name}": touched({", ".join([table, *looked_up])})')
        return f"{{{', '.join(parts)}}}"

    def gradients_text(self, body: Body, trained_all: bool) -> str:
        """The gradients that the optimizer is given."""
        texts = {name: self._gradient_text(body, name) for name in self.training.applied}
        if trained_all:
            return nested_text(params_lib.by_scope(texts))
        items = ", ".join(f'"{name}": {text}' for name, text in texts.items())
        return f"replaced(jax.tree.map(jnp.zeros_like, params), {{{items}}})"

    def _gradient_text(self, body: Body, name: str) -> str:
        given = self.training.applied[name]
        if isinstance(given, Tensor):
            return body.value(given).text
        values, indices = (body.value(part).text for part in given)
        table = body.module.variable(name, "").text
        return f"jnp.zeros_like({table}).at[{indices}].add({values})"

    def value_text(self, body: Body) -> str:
        """The mean of the losses."""
        texts = [
            text if y._shape == () else f"jnp.mean({text})"
            for y in self.training.losses
            for text in [body.value(y).text]
        ]
        return texts[0] if len(texts) == 1 else f"({' + '.join(texts)}) / {len(texts)}"

    def recorded(
        self,
        inputs: list[Tensor],
        session: Any,
        batches: Sequence[Sequence[Any]],
        model: Mapping[str, Any],
    ) -> dict[str, np.ndarray]:
        """What some steps of the graph do, with an optimizer that begins anew.

        Args:
          inputs: of the step, random numbers among them.
          batches: values of these.
          model: the params of the source.
        """
        training = self.training
        flat: dict[str, list[Tensor]] = {}
        for name in training.applied:
            gradient = training.gradients[name]
            if isinstance(gradient, Tensor):
                flat[name] = [gradient]
            else:
                flat[name] = [gradient.values, gradient.indices]
        wanted = [self._train, flat, self.rates]
        fn, params = to_jax(wanted, inputs, session, most_segments=self._most_segments)
        for name in params:
            if name not in model and not name.startswith("random:"):
                params[name] = jnp.asarray(self.first_value(name))
        step = compiled(fn)
        found = {}
        for i in range(STEPS):
            before = params
            params, (_, slopes, rates) = step(params, batches[i % len(batches)])
            if rates:
                told = rates[0] if len(rates) == 1 else rates
                found[f"step {i} learning_rate"] = np.asarray(told)
            for name, parts in slopes.items():
                found[f"step {i} gradient {name}"] = _dense(parts, params[name])
                after = found[f"step {i} after {name}"] = np.asarray(params[name])
                found[f"step {i} rounding {name}"] = rounding(np.asarray(before[name]), after)
            for name in training.rows:
                rows = np.zeros(params[name].shape[0], bool)
                rows[np.asarray(slopes[name][1])] = True
                found[f"step {i} rows {name}"] = rows
            if i == 0 and training.direct:
                _, (_, others, _) = step(nudged(before, 0), batches[0])
                for name, parts in others.items():
                    value = _dense(parts, params[name])
                    far = np.abs(found[f"step 0 gradient {name}"] - value)
                    found[f"rounding gradient {name}"] = 4 * far.max(initial=0)
            if i == 0:
                for name in (*training.moved, *training.late):
                    found[f"moved {name}"] = np.asarray(params[name])
        return found

    def keep_counters(self, params: Mapping[str, Any]) -> None:
        """Has steps count what the params have of counters."""
        for name, change in self.training.counters.items():
            if name in params:
                self.training.moved[name] = [change]
        self.training.late = {n: c for n, c in self.training.late.items() if n in params}

    def trained(self) -> set[str]:
        """The names of the weights that it trains."""
        return set(self.training.applied)

    def reads(self) -> set[str]:
        """The variables whose new values it gives besides."""
        late = [each for changes in self.training.late.values() for each in changes]
        changed = [variable_of(t) for each in self.training.changes for t in each.tensors]
        others = [sources_of(t)[0] for each in late for t in each.tensors]
        rates = [sources_of(rate)[0] for rate in self.rates]
        names = {name for name in changed if name is not None}
        return names.union(self.training.moved, self.training.late, *rates, *others)


def rounding(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """What rounding decides of a weight that a step moves far to a small number: it is a difference
    of numbers as large as the way."""
    way = np.abs(after - before).max(initial=0)
    return 8 * np.finfo(after.dtype).eps * way


def compiled(fn: Callable[..., Any]) -> Callable[[Any, Sequence[Any]], Any]:
    """A compiled `fn(params, *inputs)`, which takes the inputs as a list.

    Flags like `is_training` are known while it is compiled, as a session knows them; all integers
    where they decide shapes, or how long a loop is; and all inputs where that is not enough.
    """
    programs: dict[Any, Any] = {}

    def run(params: Any, inputs: Sequence[Any]) -> Any:
        given = enumerate(inputs)
        whole = {i: v for i, v in given if isinstance(v, np.ndarray) and v.dtype.kind in "iub"}
        flags = {i: v for i, v in whole.items() if v.dtype.kind == "b" and not v.ndim}
        for known in (flags, whole):
            key = tuple((i, v.shape, v.tobytes()) for i, v in known.items())
            if key not in programs:
                programs[key] = _with_known(fn, known)
            if programs[key] is None:
                continue  # It can't be compiled.
            try:
                return programs[key](params, [v for i, v in enumerate(inputs) if i not in known])
            except (NotImplementedError, TypeError, ValueError):
                programs[key] = None
        return fn(params, *inputs)

    return run


def _with_known(fn: Callable[..., Any], known: Mapping[int, np.ndarray]) -> Any:
    """A compiled `fn(params, *inputs)`, which takes a list of the inputs that are not known."""

    def with_known(params: Any, rest: Sequence[Any]) -> Any:
        values = iter(rest)
        count = len(known) + len(rest)
        return fn(params, *(known[i] if i in known else next(values) for i in range(count)))

    return jax.jit(with_known)


def nudged(params: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """The params, changed in the last place."""
    random = np.random.RandomState(seed)
    return {name: _nudged(np.asarray(value), random) for name, value in params.items()}


def nudged_inputs(values: Sequence[Any], seed: int) -> list[Any]:
    """Inputs, changed in the last place, but for whole numbers, which may be classes."""
    random = np.random.RandomState(seed)
    found = [(np.asarray(value), _nudged(np.asarray(value), random)) for value in values]
    return [np.where(old == np.floor(old), old, new) for old, new in found]


def _nudged(value: np.ndarray, random: Any) -> np.ndarray:
    if not np.issubdtype(value.dtype, np.floating):
        return value
    step = random.choice([-1, 1], value.shape).astype(value.dtype)
    return value * (1 + step * np.finfo(value.dtype).eps)


def _operand(expr: Expr) -> str:
    return expr.text if expr.binds > 4 else f"({expr.text})"


def _dense(parts: list[Any], like: Any) -> np.ndarray:
    if len(parts) == 1:
        return np.asarray(parts[0])
    values, indices = parts
    return np.asarray(jnp.zeros_like(like).at[indices].add(values))


_RATE = "The learning rate of a step."

_SEVERAL_LABELS: str = '''def labels(params):
    """Which optimizer trains a weight."""
    return jax.tree.map_with_path(lambda path, _: TRAINED.get(named(path), "kept"), params)'''

_LABELS: str = '''def labels(params):
    """Which weights are trained."""
    return jax.tree.map_with_path(
        lambda path, _: "trained" if named(path) in TRAINED else "kept", params
    )'''
