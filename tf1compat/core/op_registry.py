"""What an op type means, registered by the kernels: shape function, lowering, gradient, and facts
for the runtime.

@op("MatMul")
class MatMul:
    def shape(a, b, *, transpose_a, transpose_b): ...
    def lower(a, b, *, transpose_a, transpose_b): ...
    def gradient(op, grad): ...
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tf1compat.core import op_defs

Shape = tuple[int | None, ...] | None


class Rule:
    """A function of an op's inputs and attrs, with the attrs that it asks for worked out once.

    The function's positional parameters are the op's inputs (a list input as one list); its
    keyword-only parameters are attrs, or one of the `services` that the caller offers (`op`,
    `ctx`).
    """

    __slots__ = ("attrs", "function", "services", "text_attrs")

    def __init__(
        self,
        function: Callable[..., Any],
        kinds: Mapping[str, str] | None,
        services: Sequence[str],
    ):
        """Args:
          function: the rule.
          kinds: name -> kind of the op's attrs; None of an op that TF 1.15 does not have.
          services: what the caller offers.

        Raises:
          TypeError: the function asks for an attr that the op does not have.
        """
        keywords = _required_keywords(function)
        self.function = function
        self.services = tuple(name for name in keywords if name in services)
        own = [name for name in keywords if name not in services]
        kinds = kinds or {}
        unknown = [name for name in own if name not in kinds and not name.startswith("_")]
        if unknown:
            raise TypeError(f"{function.__qualname__}: its op has no attr {', '.join(unknown)}")
        self.attrs = tuple(own)
        # Kernels see TF's byte strings as str and its shapes as tuples.
        self.text_attrs = {
            name: _VIEWS[kinds[name]] for name in own if kinds.get(name, "") in _VIEWS
        }

    def keywords(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The keyword arguments that this rule takes from `attrs`, in the form kernels see them."""
        found = {name: attrs[name] for name in self.attrs}
        for name, view in self.text_attrs.items():
            found[name] = view(found[name])
        return found


def _required_keywords(function: Callable[..., Any]) -> list[str]:
    """The keyword-only parameters of a function that have no default.

    NumPy and JAX functions in tables have optional keywords of their own: those are no attrs.
    Read from the code, as `inspect.signature` takes a tenth of the time of `import tensorflow`.
    """
    if not (inspect.isfunction(function) or inspect.ismethod(function)):
        return []
    plain: Any = inspect.unwrap(function)
    plain = getattr(plain, "__func__", plain)
    code = plain.__code__
    names = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    return [name for name in names if name not in (plain.__kwdefaults__ or ())]


def _text(value: bytes) -> str:
    return value.decode("utf-8", "surrogateescape")


_VIEWS: dict[str, Callable[[Any], Any]] = {
    "string": _text,
    "list(string)": lambda values: [_text(value) for value in values],
    "shape": lambda shape: shape.to_tuple(),
    "list(shape)": lambda shapes: [shape.to_tuple() for shape in shapes],
}


class OpSpec:
    """An op type as the rest of the program sees it: its schema and its meaning.

    Attributes:
      op_def: the schema, or None for an op type that TF 1.15 does not have.
      shape, lower, padded, traced, fold, numpy, stacked, static: `Rule`s or None (see
        ARCHITECTURE.md).
      module: the module that registered it.
      gradient: `(op, *grads) -> grads`, or None.
      differentiable: False when declared to have no gradient, None when nothing is declared.
      calls, const, host, reads, writes, source, local, passes_refs, views, merges, random,
        adds, affine, among, autodiff, collective, decided_by, elementwise, joins, reduces, effect,
        flows, given, gpu_only, one_device, padding, carries_variants, passes_variants, prunes,
        replicas, sees_all, splits, stacks, unset, updates_rows, work: the declared facts.
    """

    __slots__ = (
        "adds",
        "affine",
        "among",
        "autodiff",
        "calls",
        "carries_variants",
        "collective",
        "const",
        "decided_by",
        "differentiable",
        "effect",
        "elementwise",
        "flows",
        "fold",
        "given",
        "gpu_only",
        "gradient",
        "handle_data",
        "host",
        "is_switch",
        "joins",
        "loop",
        "local",
        "lower",
        "merges",
        "module",
        "name",
        "no_kernel",
        "numpy",
        "one_device",
        "op_def",
        "padded",
        "padding",
        "passes_refs",
        "passes_variants",
        "prunes",
        "random",
        "reads",
        "reduces",
        "replicas",
        "shape",
        "sees_all",
        "shape_value",
        "source",
        "splits",
        "stacked",
        "stacks",
        "static",
        "traced",
        "unset",
        "updates_rows",
        "views",
        "where",
        "work",
        "writes",
        "_lower_on_numpy",
        "_on_numpy",
        "_stacked_on_numpy",
    )

    op_def: op_defs.OpDef | None

    def __init__(self, name: str):
        self.name = name
        self.shape: Rule | None = None
        self.lower: Rule | None = None
        self.padded: Rule | None = None
        self.traced: Rule | None = None
        self.fold: Rule | None = None
        self.numpy: Rule | None = None
        self.stacked: Rule | None = None
        self.static: Callable[..., Any] | None = None
        self.shape_value: Callable[..., Any] | None = None
        self.handle_data: Callable[..., Any] | None = None
        self.gradient: Callable[..., Any] | None = None
        self.differentiable: bool | None = None
        self.const: tuple[int, ...] = ()
        self.reads: tuple[int, ...] = ()
        self.writes: tuple[int, ...] = ()
        self.host: bool | Callable[[Any], bool] = False
        self.source = False
        self.local = (
            False  # of a source: the variable begins anew in each run, with what `lower` gives
        )
        self.decided_by: bool | None = None  # a scalar input of this value is the output
        self.adds = False  # adds its inputs up
        self.affine = ""  # of its two inputs: "sum", "difference", "product" or "quotient"
        # (op, the inputs of each replica) -> its output in each replica; records operations
        self.among: Callable[[Any, Sequence[Sequence[Any]]], Sequence[Any]] | None = None
        self.autodiff = False
        self.effect = False
        self.elementwise = False  # of each output an element is that of the inputs at its place
        self.flows = False  # its outputs stand for more than arrays, and may be on the host
        self.given = False  # a run may give it another value: it isn't known while recording
        self.gpu_only = False  # TF has it for GPUs only; here it is computed anywhere
        self.one_device = False  # its functions run where it is, whatever they ask for
        self.prunes = False  # of what it calls, only that runs which results or the signature name
        self.random = False
        self.merges = False
        self.no_kernel = False  # TF has none for it either, where there are no TPUs
        self.calls: Callable[[Any], Any] | None = None  # op -> the library function that it calls
        self.collective: Callable[[Any], Any] | None = None  # op -> a `collectives.Member`, or None
        self.is_switch = False
        self.joins = False  # joins its inputs but the last, which is the dimension
        self.loop: str | None = None  # its part in a loop: "enter", "exit", "next" or "cond"
        self.reduces = ""  # "sum" or "mean": of its first input, along the axes of the second
        # Its part in a replicated computation: "count" (an attr `num_replicas` says of how many),
        # "takes" (an input of each replica is its output there), "gives" (an output of each)
        self.replicas = ""
        self.passes_refs = False
        self.carries_variants = False  # the variants that it makes can be parts of a program
        self.passes_variants = False  # its variants are of the kind of its first input
        self.splits = False  # its outputs are equal parts of its last input, along the first
        self.stacks: tuple[int, ...] = (0,)  # the inputs of which `stacked` takes those of many
        self.unset = "lookup"  # how it misses the value of a resource variable (`uninitialized`)
        self.updates_rows = False  # what it writes, it writes by `ctx.update`
        self.sees_all = False  # and so does what comes after it: all that was written before it
        self.views = False
        self.padding: Callable[..., Any] | None = None  # see `core/padding.py`
        self.where: str | None = None
        self.work: Callable[..., float] | None = None
        self.module: str | None = None
        self._on_numpy: Rule | None | bool = False  # False until somebody asks
        self._lower_on_numpy: Rule | None = None
        self._stacked_on_numpy: Rule | None = None

    def __getattr__(self, name: str) -> Any:
        # Most op types are never asked for: their schema is made when it is.
        if name != "op_def":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.op_def = op_defs.get(self.name)
        return self.op_def

    @property
    def on_numpy(self) -> Rule | None:
        """The rule to call where all values are at hand, as NumPy arrays: the op's own short form
        (`numpy`) if it has one, else `lower` as it computes with NumPy. None where it has no rule
        to call."""
        if self._on_numpy is False:
            self._find_rules_on_numpy()
        return self._on_numpy  # pyright: ignore[reportReturnType]

    @property
    def lower_on_numpy(self) -> Rule | None:
        """`lower` as it computes with NumPy: what says in TF's words what is wrong with values that
        the short form can't work with."""
        if self._on_numpy is False:
            self._find_rules_on_numpy()
        return self._lower_on_numpy

    @property
    def stacked_on_numpy(self) -> Rule | None:
        """`stacked` as it computes with NumPy."""
        if self._on_numpy is False:
            self._find_rules_on_numpy()
        return self._stacked_on_numpy

    def _find_rules_on_numpy(self) -> None:
        rules = None
        # What works on the host keeps its one form, and the objects that it makes their class.
        if self.host is not True and self.module is not None:
            rules = twins(self.name, self.module)
        if rules is None:
            short, lower, stacked = self.numpy, self.lower, self.stacked
        else:
            short, lower, stacked = (
                Rule(rules[name], op_defs.attr_kinds(self.name), _SERVICES)
                if name in rules
                else None
                for name in ("numpy", "lower", "stacked")
            )
        self._on_numpy = short or lower or self.fold
        self._lower_on_numpy = lower
        self._stacked_on_numpy = stacked

    def runs_on_host(self, operation: Any) -> bool:
        """Whether `lower` works on NumPy values on the host, for this operation."""
        return self.host(operation) if callable(self.host) else self.host

    @property
    def supported(self) -> bool:
        """Whether a kernel is registered."""
        return self.where is not None


# What `lower` may ask for by name.
_SERVICES = ("ctx", "op")


def _no_twins(op_type: str, module: str) -> dict[str, Callable[..., Any]] | None:
    return None


# (op type, module that registers it) -> by name the rules that compute with NumPy in the place of
# JAX, None if the op type has no others than its own.  The kernels say how.
twins = _no_twins

_specs: dict[str, OpSpec] = {}


def spec(name: str) -> OpSpec:
    """The `OpSpec` of an op type; an empty one where TF has the type but no kernel is
    registered."""
    found = _specs.get(name)
    if found is None:
        found = _specs[name] = OpSpec(name)
    return found


def load_library(file_name: str) -> list[str]:
    """Adds the op types of a library (see `op_defs.load_library`), whose meaning is to be
    registered then, and returns them."""
    added = op_defs.load_library(file_name)
    for name in added:
        found = _specs.get(name)
        if found is not None and not found.supported:  # Somebody asked before there was one.
            del _specs[name]
    return added


def registered() -> dict[str, OpSpec]:
    """All op types with a kernel."""
    return {name: found for name, found in _specs.items() if found.supported}


def register(
    name: str,
    *,
    shape: Callable[..., Any] | None = None,
    lower: Callable[..., Any] | None = None,
    padded: Callable[..., Any] | None = None,
    traced: Callable[..., Any] | None = None,
    fold: Callable[..., Any] | None = None,
    numpy: Callable[..., Any] | None = None,
    stacked: Callable[..., Any] | None = None,
    static: Callable[..., Any] | None = None,
    shape_value: Callable[..., Any] | None = None,
    handle_data: Callable[..., Any] | None = None,
    gradient: Callable[..., Any] | None = None,
    **facts: Any,
) -> OpSpec:
    """Registers the meaning of op type `name`.  A second registration raises and says where the
    first one is."""
    found = spec(name)
    if found.supported:
        raise KeyError(f"Op {name} is registered twice; the first registration is at {found.where}")
    found.where, found.module = _caller()
    kinds = op_defs.attr_kinds(name)
    found.shape = shape and Rule(shape, kinds, ("op",))
    found.lower = lower and Rule(lower, kinds, _SERVICES)
    found.padded = padded and Rule(padded, kinds, _SERVICES)
    found.traced = traced and Rule(traced, kinds, _SERVICES)
    found.numpy = numpy and Rule(numpy, kinds, _SERVICES)
    found.stacked = stacked and Rule(stacked, kinds, _SERVICES)
    found._on_numpy = False
    found.fold = fold and Rule(fold, kinds, ("op",))
    found.static = static
    found.shape_value = shape_value
    found.handle_data = handle_data
    found.gradient = gradient
    if gradient is not None:
        found.differentiable = True
    for fact, value in facts.items():
        if not hasattr(found, fact):
            raise TypeError(f"Op {name}: unknown fact {fact!r}")
        setattr(found, fact, value)
    return found


_RULES = (
    "shape", "lower", "padded", "traced", "numpy", "stacked", "fold", "static", "shape_value",
    "handle_data", "gradient",
)  # fmt: skip


def op(*names: str, **facts: Any) -> Callable[[type], type]:
    """Class decorator: registers the class's functions (`shape`, `lower`, …) as the meaning of the
    op types `names`."""

    def decorate(meaning: type) -> type:
        rules = {rule: vars(meaning)[rule] for rule in _RULES if rule in vars(meaning)}
        unknown = [key for key in vars(meaning) if not key.startswith("_") and key not in _RULES]
        if unknown:
            raise TypeError(f"@op({names[0]!r}): unknown rule {', '.join(unknown)}")
        rules = {k: v.__func__ if isinstance(v, staticmethod) else v for k, v in rules.items()}
        for name in names:
            register(name, **rules, **facts)
        return meaning

    return decorate


def without_kernel(*names: str, shape: Callable[..., Any] | None = None) -> None:
    """Declares that TF has op types for other machines only: their operations are recorded, with
    the shapes that the rule `shape` gives, and refused in its words when they are to run."""
    for name in names:
        found = spec(name)
        found.no_kernel = True
        if shape is not None:
            found.shape = Rule(shape, op_defs.attr_kinds(name), ("op",))


def not_differentiable(*names: str) -> None:
    """Declares that op types have no gradient: `tf.gradients` gives None through them, as in TF
    1.15."""
    for name in names:
        found = spec(name)
        if found.gradient is not None:
            raise KeyError(f"Op {name} has a gradient, registered at {found.where}")
        found.differentiable = False


def gradient(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Function decorator: the gradient of op types whose other rules come from a table."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            found = spec(name)
            if found.gradient is not None or found.differentiable is False:
                raise KeyError(f"Op {name} has its gradient declared twice")
            found.gradient = function
            found.differentiable = True
        return function

    return decorate


def _caller() -> tuple[str, str]:
    """The place that registers, and the module that is being imported as it does: a family's
    function may lie in another one."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    where = f"{frame.f_code.co_filename}:{frame.f_lineno}"
    while frame.f_back is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return where, frame.f_globals.get("__name__", "")


def group_inputs(operation: Any, flat: Sequence[Any]) -> list[Any]:
    """Groups a flat list of per-input values by the op def's input args: a list arg becomes one
    list."""
    grouped: list[Any] = []
    position = 0
    for arg in operation._spec.op_def.input_args:
        if arg.is_list:
            size = (
                operation._attrs[arg.number_attr]
                if arg.number_attr
                else len(operation._attrs[arg.type_list_attr])
            )
            grouped.append(list(flat[position : position + size]))
            position += size
        else:
            grouped.append(flat[position])
            position += 1
    return grouped
