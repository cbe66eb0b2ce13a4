"""A graph as Python source: a function for each variable scope, with its weights and a test."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tf1compat.core import dtypes
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate import params as params_lib
from tf1compat.migrate import source_check, source_flax
from tf1compat.migrate.source_body import Body
from tf1compat.migrate.source_initial import Initial
from tf1compat.migrate.source_layers import HELPERS
from tf1compat.migrate.source_module import IMPORTS, Module, paths, steps_of
from tf1compat.migrate.source_needs import CannotWrite as CannotWrite
from tf1compat.migrate.source_needs import (
    Slope,
    given_another_value,
    inputs_of,
    is_in_branch,
    needed,
    refuse,
)
from tf1compat.migrate.source_random import draws_of
from tf1compat.migrate.source_sparse import looked_up_alone
from tf1compat.migrate.source_step import LOCAL_NAMES, Step, compiled, nudged, nudged_inputs
from tf1compat.migrate.source_tests import test_text
from tf1compat.migrate.source_text import (
    WIDTH,
    Expr,
    free_name,
    function,
    returning,
    tupled,
    uses_name,
    wrapped,
)
from tf1compat.migrate.to_jax import graph_of, to_jax
from tf1compat.runtime import plan as plan_lib

_LIBRARIES = {
    "import optax": "Optax",
    "from flax import nnx": "Flax",
    "import safetensors.numpy": "safetensors",
}

_HEAD = '''"""{title}

Written by `python -m tf1compat migrate`; it needs {needs} alone.
"""

{imports}
{settings}
WEIGHTS = Path(__file__).with_name("{weights}")
'''

_WIDE_SETTING = """
jax.config.update("jax_enable_x64", True)  # Numbers of 64 bits have so many.
"""

_LOAD: str = '''def load_params(path=WEIGHTS):
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

_LOAD_SAFETENSORS: str = '''def load_params(path=WEIGHTS):
    """The weights, as a nested dict by variable scope."""
    params = {}
    for name, value in safetensors.numpy.load_file(path).items():
        *scopes, last = name.split("|")
        at = params
        for scope in scopes:
            at = at.setdefault(scope, {})
        at[last] = jnp.asarray(value)
    return params'''
# By the format of the weights: how they are loaded, and the end of the file's name.
_FORMATS = {"npz": (_LOAD, ".npz"), "safetensors": (_LOAD_SAFETENSORS, ".safetensors")}


def write_source(
    path: str | os.PathLike[str],
    fetches: Mapping[str, Tensor],
    inputs: Mapping[str, Tensor],
    session: Any = None,
    batches: Sequence[Sequence[Any]] = (),
    train: Operation | None = None,
    to: str = "jax",
    weights: str = "npz",
    most_segments: int | None = None,
) -> None:
    """Writes a part of a recorded graph as Python source.

    Beside `model.py` are written `model_weights.npz`, `model_batches.npz` and `test_model.py`,
    which compares values and gradients with the graph's. `model(params, *inputs)` is the function;
    it gives an array, or a dict of them for several fetches. If the graph draws random numbers, it
    takes a key of `jax.random` after `params`.

    Args:
      path: the source to write.
      fetches: tensors, by the names of results.
      inputs: placeholders, by the names of arguments.
      session: has the weights; the default session if None.
      batches: values of the inputs for the test; random ones if empty.
      to: "jax", or "flax": `Model(params)` is then a Flax NNX module with one inside for each
        scope, and `Model(params)(*inputs)` is the function.
      train: a training operation: then there are an `optimizer` of Optax, and
        `train_step(params, opt_state, *inputs) -> (params, opt_state, loss)`.
      weights: the format of the weights: "npz", or "safetensors", which needs this library.
      most_segments: see `to_jax`.

    Raises:
      CannotWrite: an operation that there is no source for; it is named, with its line. Nothing is
        written then.
      TypeError: a fetch is no tensor.
      ImportError: `flax` or `safetensors` is not there.
    """
    graph = graph_of([*fetches.values(), train])
    fetches = {
        name: graph.as_graph_element(fetch, allow_operation=False)
        for name, fetch in fetches.items()
    }
    with given_another_value(inputs.values()):
        if not fetches and train is not None:
            losses = Step(train).training.losses
            many = len(losses) > 1
            fetches = {f"loss_{i}" if many else "loss": loss for i, loss in enumerate(losses)}
        with _as_wide_as(fetches.values()):
            _write(Path(path), fetches, inputs, session, batches, train, to, weights, most_segments)


@contextlib.contextmanager
def _as_wide_as(fetches: Iterable[Tensor]) -> Iterator[None]:
    """Has JAX compute with 64 bits, as the source will, where results have so many."""
    before = jax.config.jax_enable_x64  # pyright: ignore[reportAttributeAccessIssue]
    wide = any(t._dtype.base_dtype in (dtypes.float64, dtypes.complex128) for t in fetches)
    jax.config.update("jax_enable_x64", before or wide)
    try:
        yield
    finally:
        jax.config.update("jax_enable_x64", before)


def _write(
    target: Path,
    fetches: Mapping[str, Tensor],
    inputs: Mapping[str, Tensor],
    session: Any,
    batches: Sequence[Sequence[Any]],
    train: Operation | None,
    to: str,
    weights: str,
    most_segments: int | None,
) -> None:
    if weights == "safetensors":
        import safetensors.numpy  # noqa: F401 - missed first  # pyright: ignore[reportMissingImports]
    if not fetches and train is not None:
        losses = Step(train).training.losses
        many = len(losses) > 1
        fetches = {f"loss_{i}" if many else "loss": loss for i, loss in enumerate(losses)}
    load, ending = _FORMATS[weights]
    flax = to == "flax"
    written = _Written(dict(fetches), dict(inputs), session, train, flax, load, most_segments)
    title = _title(list(fetches))
    text = written.text(title, f"{target.stem}_weights{ending}")
    batches = batches or [_random_batch(inputs, seed) for seed in range(2)]
    recorded = written.recorded([dict(zip(inputs, batch, strict=True)) for batch in batches])
    source_check.check(text, written, recorded, len(batches))
    written.check_initial()
    files = {
        target: text,
        target.with_name(f"test_{target.stem}.py"): test_text(target.stem, written, len(batches)),
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    _save_weights(target.with_name(f"{target.stem}_weights{ending}"), written.weights)
    np.savez(target.with_name(f"{target.stem}_batches.npz"), **recorded)  # pyright: ignore[reportArgumentType]
    for file, content in files.items():
        file.write_text(content)


def _title(names: list[str]) -> str:
    """What the source is about; of many results the first ones are named."""
    for count in range(len(names), 0, -1):
        more = f" and {len(names) - count} more" if count < len(names) else ""
        title = f"The graph of {', '.join(names[:count])}{more}, in JAX."
        if len(title) < WIDTH - 3:
            return title
    return "A graph, in JAX."


def _save_weights(path: Path, weights: Mapping[str, Any]) -> None:
    found = paths(params_lib.by_scope(weights))
    if path.suffix == ".safetensors":
        from safetensors.numpy import save_file  # pyright: ignore[reportMissingImports]

        # Of arrays that lie in memory as they are written.
        arrays = {"|".join(k): np.array(v, order="C") for k, v in found.items()}
        save_file(arrays, str(path))
        return
    numbered: dict[str, Any] = {str(i): np.asarray(v) for i, v in enumerate(found.values())}
    names = np.array(["|".join(path) for path in found], dtype=np.str_)
    np.savez(path, names=names, **numbered)


class _Written:
    """A graph and its source.

    Attributes:
      weights: the params by name, and large constants.
      about: the operation that it computes.
      draws: the outputs of random operations in the graph, which the source makes by itself.
      model_inputs: which of the inputs the model takes; the others are for training alone.
      has_slopes: whether JAX can differentiate it; not where only the run tells how long a loop is.
    """

    def __init__(
        self,
        fetches: dict[str, Tensor],
        inputs: dict[str, Tensor],
        session: Any,
        train: Operation | None,
        flax: bool,
        load: str = _LOAD,
        most_segments: int | None = None,
    ):
        self._load = load
        self._most_segments = most_segments
        self.about = train if train is not None else next(iter(fetches.values())).op
        self.flax = flax
        self._step = None if train is None else Step(train, session, most_segments)
        feeds = set(inputs.values())
        graph = next(iter(fetches.values())).graph
        targets = [*fetches.values(), *(self._step.targets() if self._step else [])]
        self._fetches, self._inputs = fetches, inputs
        self.rate_inputs: dict[str, Tensor] = {}
        if self.is_told:
            used = {
                t
                for op in plan_lib.prune([t._op for t in targets], plan_lib.Feeds(feeds))
                for t in op._inputs
            } | set(targets)
            self._inputs = {name: t for name, t in inputs.items() if t in used}
            self.rate_inputs = {name: t for name, t in inputs.items() if t not in used}
        self._steps = steps_of(targets, feeds, graph)
        # A function that is differentiated takes what its slope does not hang on, too.
        slopes = [y for step in self._steps if isinstance(step, Slope) for y in step.ys]
        wanted = [*targets, *slopes]
        wanted += variables_named(graph, self._step.reads()) if self._step else []
        _, self._params = to_jax(wanted, list(inputs.values()), session, returns_params=False)
        self._params = {
            name: value
            for name, value in self._params.items()
            if not name.startswith(params_lib.RANDOM)
        }
        if self._step is not None:
            self._step.keep_counters(self._params)
        taken = ("model", "loss", "applied", "learning_rate", "labels", "optimizer", "train_step",
                 "gradients")  # fmt: skip
        self._taken = taken if self._step else taken[:1]
        self._module = Module(set(self._params), self._steps, self._taken, flax)
        self._module.looked_up_alone = looked_up_alone(
            self._steps, feeds, set(targets).difference(self._step.rows() if self._step else ())
        )
        self._module.most_segments = most_segments
        self._module.has_integers |= set(self._params) != self._floats()
        moved = self._step.training.changes if self._step else ()
        self._module.alone = {t for each in moved for t in each.tensors if is_in_branch(t)}
        if self._step is not None and not self._step.training.direct:
            self._module.exported = {t for each in moved for t in each.tensors}
        self._model = self._function("model", "The whole graph.", self._module, fetches)
        self._module.drop_unused(self._model)
        self._methods: list[list[str]] = []
        self._training = self._training_lines() if self._step else []
        parts = [self._model, *self._methods, *self._training]
        lines = [line for part in parts for line in part]
        self._module.drop_unused(lines)
        self.has_slopes = True
        known = set(self._module.names)
        self._initial = Initial(graph, self._params if not self._module.constants else ["?"], known)
        self.draws = [t for op in self._module.random for t in op._outputs]
        self.weights = {**self._params, **self._module.constants}
        self._session = session

    def _function(
        self,
        name: str,
        title: str,
        module: Module,
        results: Mapping[str, Tensor],
        step: Step | None = None,
    ) -> list[str]:
        names = {"params", "key", "keys", *(LOCAL_NAMES if self._step else ())}
        given = {t: Expr(free_name(n, names, module.names)) for n, t in self._inputs.items()}
        functional = step is not None and step.training.direct
        is_method = module.flax and not functional
        depth = 2 if is_method else 1
        body = Body(module, given, "", names, depth=depth)
        body.functional = functional
        self._names = [e.text for e in given.values()]
        moved = step.training.moved if step is not None else {}
        targets = {*results.values(), *(step.targets() if step is not None else ())}
        if step is not None and self._goes_on(targets):
            self._call_model(body)
        body.write(self._steps, targets)
        values = {key: body.value(tensor).text for key, tensor in results.items()}
        whole = next(iter(values.values()))
        if len(values) > 1:
            items = (f'"{key}": {value}' for key, value in values.items())
            whole = f"{{{', '.join(items)}}}"
        if step is not None:
            more = [step.moved_text(body)] if moved else []
            more += [step.rows_text(body)] if step.training.rows else []
            if step.training.direct:
                whole = step.value_text(body)
                whole = f"({whole}, {tupled(more)})" if more else whole
                whole = f"{whole}, grads"
                grads = step.gradients_text(body, self._trains_all(body.finished()))
                body.lines += wrapped(f"grads = {grads}", depth)
            elif more:
                whole = f"{whole}, {tupled(more)}"
        lines = returning(body.finished(), whole, depth)
        key = ["key"] if module.random else []
        if module.random:
            space = [""] if lines and lines[0].startswith("def ") else []
            lines = [f"keys = jax.random.split(key, {len(module.random)})", *space, *lines]
        first = "self" if is_method else "params"
        names = [e.text for e in given.values()]
        if step is None:  # What only training takes is no argument of the model.
            text = "\n".join(lines)
            self.model_inputs = [i for i, n in enumerate(names) if uses_name(text, n)]
            self._model_names = names = [names[i] for i in self.model_inputs]
        arguments = ", ".join([first, *key, *names])
        if is_method:
            method = "__call__" if name == "model" else name
            return function(method, arguments, "", lines, 1)
        return function(name, arguments, title, module.of_params(lines) if functional else lines)

    def _goes_on(self, targets: set[Tensor]) -> bool:
        """Whether what training makes small is computed from what the model gives alone."""
        fetched, inputs = set(self._fetches.values()), set(self._inputs.values())
        if self._module.random or fetched & inputs:
            return False
        before = needed(self._steps, fetched, inputs)
        after = needed(self._steps, targets, inputs | fetched)
        taken = {t for step in after for t in inputs_of(step, set(step._outputs))}
        return not taken.isdisjoint(fetched) and set(before).isdisjoint(after)

    def _call_model(self, body: Body) -> None:
        """Adds a call of the model."""
        first = [] if self.flax else ["params"]
        call = f"{'self' if self.flax else 'model'}({', '.join([*first, *self._model_names])})"
        if len(self._fetches) == 1:
            ((name, tensor),) = self._fetches.items()
            body.add(body.named(tensor, name), call, tensor)
            return
        outputs = self._module.free("outputs", body.names)
        body.add(outputs, call)
        for name, tensor in self._fetches.items():
            body.values[tensor] = Expr(f'{outputs}["{name}"]')

    @property
    def trains(self) -> bool:
        """Whether there is a training step."""
        return self._step is not None

    @property
    def inputs_text(self) -> str:
        """What the model takes of `inputs`, in the test."""
        if self.model_inputs == list(range(len(self._inputs))):
            return "inputs"
        return f"(inputs[i] for i in {tuple(self.model_inputs)})"

    @property
    def draws_in_loops(self) -> bool:
        """Whether there are random numbers in loops."""
        return self._module.draws_in_loops

    @property
    def has_rows(self) -> bool:
        """Whether the optimizer is told of rows."""
        return self._step is not None and bool(self._step.training.rows)

    @property
    def is_told(self) -> bool:
        """Whether the optimizer is told its learning rate."""
        return self._step is not None and bool(self._step.rates)

    @property
    def is_direct(self) -> bool:
        """Whether the gradients are those of several losses."""
        return self._step is not None and self._step.training.direct

    @property
    def changes_gradients(self) -> bool:
        """Whether the optimizer is given something else than the gradients."""
        return any(lines[0].startswith("def applied(") for lines in self._training)

    def _training_lines(self) -> list[list[str]]:
        step = self._step
        assert step is not None
        first: list[list[str]] = []
        training = step.training
        drawn = ["key"] if self._module.random else []
        taken = [*drawn, *self._names]
        model_takes = [*drawn, *self._model_names]
        fetched = [n for n, tensor in self._fetches.items() if tensor is training.loss]
        plain = not (training.moved or training.rows or training.direct)
        item = f'["{fetched[0]}"]' if fetched and len(self._fetches) > 1 else ""
        name = "model"
        if training.direct:
            name = "gradients"
            title = "The mean of the losses, and the gradients that the optimizer is given."
            if training.moved:
                title = "The mean of the losses with the new moving averages, and the gradients."
            results = {f"loss {i}": y for i, y in enumerate(training.losses)}
            first.append(self._function(name, title, self._module, results, step))
        elif plain and fetched:
            taken = model_takes
            if item or self.flax:
                name = "loss"
                title = "What training makes small."
                lines = [f"return {self._called(taken)}{item}"]
                first.append(function("loss", ", ".join(["params", *taken]), title, lines))
        else:
            name = "loss"
            moved = ["the new values of moving averages"] if training.moved else []
            rows = ["which rows are looked up"] if training.rows else []
            title = ", and ".join(["What training makes small", *moved, *rows]) + "."
            results = {"loss": training.loss}
            written = self._function("loss", title, self._module, results, step)
            if self.flax:
                self._methods.append(written)
                lines = [f"return {self._called(taken, '.loss')}"]
                written = function("loss", ", ".join(["params", *taken]), title, lines)
            first.append(written)
        lines = [line for part in first for line in part]
        names = set(self._names)
        inputs = dict(zip(self._inputs.values(), map(Expr, self._names), strict=True))
        for wanted, tensor in self.rate_inputs.items():
            inputs[tensor] = Expr(free_name(wanted, names, self._module.names))
        all_trained = self._trains_all(lines)
        constants = self._module.constants.values()
        integers = any(not np.issubdtype(value.dtype, np.floating) for value in constants)
        integers = integers or set(self._params) != self._floats()
        more = step.lines(self._module, name, taken, all_trained, integers, inputs)
        return [*first, *more]

    def _called(self, taken: Sequence[str], method: str = "") -> str:
        """A call of the whole model."""
        if self.flax:
            return f"Model(params){method}({', '.join(taken)})"
        return f"model({', '.join(['params', *taken])})"

    def _floats(self) -> set[str]:
        return {n for n, v in self._params.items() if jnp.issubdtype(v.dtype, jnp.floating)}

    def _trains_all(self, lines: list[str]) -> bool:
        """Whether all params are trained; `lines` are those written after the model."""
        assert self._step is not None
        methods = [line for part in self._methods for line in part]
        self._module.drop_unused([*self._model, *methods, *lines])
        return set(self._params) <= self._step.trained() and not self._module.constants

    def text(self, title: str, weights: str) -> str:
        """The source."""
        if self.flax:
            return self._flax_text(title, weights)
        last = [self._model, *self._training]
        return _text(title, weights, self._first(), self._module, last)

    def _first(self) -> list[list[str]]:
        new = self._initial.lines
        return [[*self._load.split("\n")], *([new] if new is not None else [])]

    @property
    def initializes(self) -> str | None:
        """What `init_params` takes; None if there is none."""
        if self._initial.lines is None or not self._params:
            return None
        return "jax.random.key(0)" if self._initial.random else ""

    def check_initial(self) -> None:
        """Raises CannotWrite unless new weights are those of the graph's initializers."""
        if self.initializes is None:
            return
        namespace = source_check.namespace_of(self.text("", "none"))
        count = len(self._initial.random)
        made = draws_of(namespace, count, 0) if count else {}
        with jax.disable_jit():
            found = namespace["init_params"](*([jax.random.key(0)] if count else []))
        wanted = self._initial.wanted([made[i] for i in range(count)])
        for name, value in params_lib.flat(found).items():
            want = wanted[name]
            if (
                not np.allclose(value, want, rtol=source_check.RTOL, atol=1e-7)
                or np.shape(value) != want.shape
            ):
                raise source_check.differs(self, f"new weights {name} differ")

    def _flax_text(self, title: str, weights: str) -> str:
        nested = params_lib.by_scope({**self._params, **self._module.constants})
        methods: dict[str, list[list[str]]] = {"": [self._model, *self._methods]}
        plain: list[list[str]] = []
        for scope, lines in self._module.functions:
            (plain if scope is None else methods.setdefault(scope, [])).append(lines)
        names: dict[str, str] = {"": "Model"}
        taken = {"Model"}
        for scope in source_flax.scopes_of(nested)[1:]:
            name = base = source_flax.class_name(scope)
            while name in taken:
                name = f"{base}{len(taken)}"
            taken.add(name)
            names[scope] = name
        module = source_flax.classes(nested, methods, names)
        return _assembled(title, weights, self._first(), [*plain, *module, *self._training])

    def recorded(self, batches: Sequence[Mapping[str, Any]]) -> dict[str, np.ndarray]:
        """What the test compares with: the graph's values, given the source's random numbers."""
        tensors = list(self._inputs.values())
        fn, params = to_jax(
            self._fetches,
            [*tensors, *self.draws],
            self._session,
            returns_params=False,
            most_segments=self._most_segments,
        )
        params = {name: params[name] for name in self._params if name in params}
        more = {n: v for n, v in self.weights.items() if n not in params}
        zeros = {name: np.zeros_like(value) for name, value in more.items()}
        run = source_check.values_and_slopes(fn)
        plain = compiled(fn)

        def compared(params: Any, given: list[Any]) -> list[Any]:
            if not self.has_slopes:
                return [np.asarray(v) for v in jax.tree.leaves(plain(params, given))]
            try:
                outputs, slopes = run(params, given)
            except ValueError as error:
                if "Reverse-mode differentiation" not in str(error):
                    raise
                self.has_slopes = False
                return compared(params, given)
            slopes = params_lib.by_scope({**slopes, **zeros})
            return [
                np.asarray(v) for v in (*jax.tree.leaves(outputs), *source_check.floats(slopes))
            ]

        found, fed = {}, []
        for i, batch in enumerate(batches):
            values = _of_types(batch, self._inputs)
            for_rate = _of_types(batch, self.rate_inputs)
            drawn = self._drawn(i, values)
            given = [*values, *drawn]
            wanted = compared(params, given)
            # What the last places of weights and inputs decide, as in a slope that is 0 but for
            # rounding.
            changed = [
                compared(nudged(params, seed), [*nudged_inputs(values, seed), *drawn])
                for seed in range(2)
            ]
            rounding = [
                max(np.abs(x - w).max(initial=0) for x in xs) for w, *xs in zip(wanted, *changed)
            ]
            kinds = {"input": values, "rate": for_rate, "wanted": wanted}
            kinds["rounding"] = 4 * np.array(rounding)
            for kind, parts in kinds.items():
                found.update({f"{i}_{kind}_{j:03}": np.asarray(v) for j, v in enumerate(parts)})
            fed.append([*given, *for_rate])
        if self._step is not None:
            taken = [*tensors, *self.draws, *self.rate_inputs.values()]
            found |= self._step.recorded(taken, self._session, fed, self._params)
        return found

    def _drawn(self, seed: int, values: list[Any]) -> list[Any]:
        """The random numbers that the source draws."""
        if not self.draws:
            return []
        namespace = source_check.namespace_of(self.text("", "none"))
        random = self._module.random
        made = draws_of(namespace, len(random), seed)
        params = params_lib.by_scope(self.weights)
        with jax.disable_jit():
            taken = [values[i] for i in self.model_inputs]
            source_check.model_of(namespace)(params, jax.random.key(seed), *taken)
        found = []
        for i, op in enumerate(random):
            if i not in made:
                refuse(op, "which draws only now and then")
            found += list(made[i]) if isinstance(made[i], tuple) else [made[i]]
        return found


def _of_types(batch: Mapping[str, Any], inputs: Mapping[str, Tensor]) -> list[np.ndarray]:
    """The values of inputs, of the inputs' types."""
    return [np.asarray(batch[name], t._dtype.as_numpy_dtype) for name, t in inputs.items()]


def variables_named(graph: Any, names: set[str]) -> list[Tensor]:
    """The outputs of the variables of these names."""
    return [graph.get_operation_by_name(name).outputs[0] for name in sorted(names)]


def _text(
    title: str, weights: str, first: list[list[str]], module: Module, last: list[list[str]]
) -> str:
    return _assembled(title, weights, first, [*(lines for _, lines in module.functions), *last])


# What JAX warns of where it is set to 32 bits.
_WIDE = re.compile(r"(?<=\bjnp\.)(u?int64|float64|complex128)\b")


def _as_set(match: re.Match[str]) -> str:
    return jax.dtypes.canonicalize_dtype(match[0]).name


def _assembled(title: str, weights: str, first: list[list[str]], last: list[list[str]]) -> str:
    parts = [_WIDE.sub(_as_set, "\n".join(lines)) for lines in last]
    helpers: list[str] = []
    waiting = list(parts)
    while waiting:
        part = waiting.pop()
        for name, helper in HELPERS.items():
            if helper not in helpers and re.search(rf"\b{name}\(", part):
                helpers.append(helper)
                waiting.append(helper)
    helpers.sort(key=list(HELPERS.values()).index)
    parts = ["\n".join(lines) for lines in first] + helpers + parts
    wide = jax.config.jax_enable_x64  # pyright: ignore[reportAttributeAccessIssue]
    settings = _WIDE_SETTING if wide else ""
    used = [
        line
        for name, line in IMPORTS.items()
        if any(re.search(rf"(?<![.\w]){name}\.", part) for part in (settings, *parts))
    ]
    standard = [line for line in used if line in ("import functools", "import math")]
    others = [line for line in used if line not in standard]
    imports = "\n".join([*standard, "from pathlib import Path", "", *others])
    needs = ["JAX", *(n for m, n in _LIBRARIES.items() if m in others), "NumPy"]
    needs = f"{', '.join(needs[:-1])} and {needs[-1]}"
    head = _HEAD.format(
        title=title, weights=weights, imports=imports, needs=needs, settings=settings
    )
    return "\n\n\n".join([head.rstrip("\n"), *parts]) + "\n"


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
