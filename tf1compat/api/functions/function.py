"""`tf.function`: a Python function recorded once per kind of arguments and called as an op."""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
import types
import weakref
from collections import deque
from collections.abc import Callable, Mapping, MappingView, Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import constant_op
from tf1compat.api.autograph.core import ag_ctx
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.eager import lift_to_graph
from tf1compat.api.functions import function_tracing, function_variables
from tf1compat.api.functions.concrete_function import ConcreteFunction
from tf1compat.api.functions.defun import Defun as Defun  # also of TF's module `function`
from tf1compat.api.functions.function_cache import CacheKey, FunctionCache
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.variables import resource_variable_ops
from tf1compat.core import export, nest, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.type_spec import TensorSpec


class FunctionSpec:
    """How the arguments of a call bind to the parameters of a Python function.

    Args:
      python_function: the Python function; may be a `functools.partial` or a bound method.
      input_signature: `TensorSpec`s of the arguments, or None.

    Attributes:
      self_name: the parameter of a method that calls don't pass; None if it is no method.
    """

    def __init__(self, python_function: Callable[..., Any], input_signature: Any):
        spec = inspect.getfullargspec(python_function)
        names, defaults = list(spec.args), list(spec.defaults or ())
        self.self_name: str | None = getattr(python_function, "_self_name", None)
        if inspect.ismethod(python_function):
            self.self_name, *names = names
        self.fullargspec = spec
        self.arg_names = names
        self.vararg_name = spec.varargs
        self._positions = {name: i for i, name in enumerate(names)}
        offset = len(names) - len(defaults)
        self._defaults = {offset + i: value for i, value in enumerate(defaults)}
        self.input_signature: tuple[Any, ...] | None = None
        self.flat_input_signature: tuple[Any, ...] = ()
        if input_signature is not None:
            # A partial's keywords are no parameters of its caller's.
            if spec.kwonlyargs and not isinstance(python_function, functools.partial):
                raise ValueError(
                    "Cannot define a TensorFlow function from a Python function with keyword "
                    "arguments when input_signature is provided."
                )
            if not isinstance(input_signature, tuple | list):
                raise TypeError(
                    "input_signature must be either a tuple or a list, received "
                    + str(type(input_signature))
                )
            self.input_signature = tuple(input_signature)
            self.flat_input_signature = tuple(nest.flatten(input_signature, True))

    @classmethod
    def from_function_and_signature(
        cls, python_function: Callable[..., Any], input_signature: Any
    ) -> FunctionSpec:
        """The same as the constructor."""
        return cls(python_function, input_signature)

    @property
    def is_method(self) -> bool:
        """Whether the function is a method, whose first parameter calls don't pass."""
        return self.self_name is not None

    def canonicalize_function_inputs(self, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        """The `(args, kwargs)` with every parameter that has a position in `args`.

        Raises:
          TypeError, ValueError: arguments that don't fit the input signature.
        """
        if self.input_signature is not None:
            self._check_covered(args, kwargs)
        if not kwargs:
            missing = [i for i in sorted(self._defaults) if i >= len(args)]
            if self._defaults:
                assert min(self._defaults) <= len(args), (
                    f"Not enough arguments ({args}, {sorted(self._defaults)}, {self.arg_names})"
                )
            inputs = args + tuple(self._defaults[i] for i in missing)
        else:
            values = {i: value for i, value in self._defaults.items() if i >= len(args)}
            for name in [name for name in kwargs if name in self._positions]:
                values[self._positions[name]] = kwargs.pop(name)
            if kwargs and self.input_signature is not None:
                raise ValueError(
                    "Cannot define a TensorFlow function from a Python function with keyword "
                    "arguments when input_signature is provided."
                )
            inputs = args + tuple(values[i] for i in sorted(values))
        if self.input_signature is None:
            return _arrays_as_constants(inputs), kwargs
        return self._converted(inputs), {}

    def _check_covered(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        assert self.input_signature is not None
        covered = len(self.input_signature)
        if len(args) > covered:
            raise TypeError(
                "When input_signature is provided, only pass arguments covered by it. Received "
                f"{len(args)} argument(s)."
            )
        for name in kwargs:
            if name not in self._positions:
                raise TypeError(f"Function got an unexpected keyword argument {name}")
            if self._positions[name] >= covered:
                raise TypeError(
                    "When input_signature is provided, only pass arguments covered by it. "
                    f"Received argument {name}."
                )

    def _converted(self, inputs: tuple[Any, ...]) -> Any:
        """`inputs` as tensors that fit the signature."""
        signature = self.input_signature
        assert signature is not None

        def message(problem: str) -> str:
            values, specs = ",\n    ".join(map(str, inputs)), ",\n    ".join(map(str, signature))
            return f"{problem}:\n  inputs: (\n    {values})\n  input_signature: (\n    {specs})"

        try:
            flat = nest.flatten_up_to(signature, inputs[: len(signature)], expand_composites=True)
        except ValueError:
            problem = "Structure of Python function inputs does not match input_signature"
            raise ValueError(message(problem)) from None
        repack = False
        for i, (value, spec) in enumerate(zip(flat, self.flat_input_signature)):
            if not isinstance(value, ops.Tensor):
                try:
                    flat[i] = ops.convert_to_tensor(value, dtype_hint=spec.dtype)
                except ValueError:
                    raise ValueError(
                        message(
                            "When input_signature is provided, all inputs to the Python function "
                            "must be convertible to tensors"
                        )
                    ) from None
                repack = True
        if not all(s.is_compatible_with(x) for s, x in zip(self.flat_input_signature, flat)):
            raise ValueError(message("Python inputs incompatible with input_signature"))
        return nest.pack_sequence_as(signature, flat, expand_composites=True) if repack else inputs


def _arrays_as_constants(inputs: tuple[Any, ...]) -> Any:
    flat = nest.flatten(inputs)
    if not any(type(value) is np.ndarray for value in flat):
        return inputs
    converted = [constant_op.constant(v) if type(v) is np.ndarray else v for v in flat]
    return nest.pack_sequence_as(inputs, converted)


_LITERALS = (int, float, complex, str, bytes)


def _encoded(value: Any, ranks_only: bool) -> Any:
    """A hashable key: equal for arguments that one recorded body serves.

    Raises:
      AttributeError: `value` can't be hashed; TF then looks for an array's attributes.
      TypeError: nor can it be referred to weakly.
    """
    if isinstance(value, ops.Tensor):
        shape = value.shape.to_tuple()
        if ranks_only and shape is not None:
            shape = len(shape)
        return "tensor", value.dtype, shape
    if isinstance(value, resource_variable_ops.BaseResourceVariable):
        return "variable", id(value)
    if hasattr(type(value), "_type_spec"):
        return "composite", value._type_spec
    if nest.is_sequence(value) and not isinstance(value, deque | bytearray | MappingView):
        # A namedtuple and a tuple of the same values are the same, and so are dicts of any class.
        pairs = enumerate(value) if isinstance(value, tuple | list) else nest._items(value)
        items = tuple((key, _encoded(item, ranks_only)) for key, item in pairs)
        kind = next((k for k in (tuple, list, Mapping) if isinstance(value, k)), type(value))
        return kind.__name__, items
    try:
        hash(value)
    except TypeError:
        try:
            weakref.ref(value)
        except TypeError:
            kind = type(value).__name__
            raise TypeError(f"'{kind}' object is not callable") from None
        other: Any = value
        return other.shape, other.dtype
    # What only equals a number (a DType its code) is not one.
    return value if value is None or isinstance(value, _LITERALS) else ("object", value)


@export.internal_class("tensorflow.python.eager.function")
class Function:
    """A Python function that records a call (as `tf.contrib.eager.defun` makes it).

    Args:
      python_function: the Python function.
      name: the function's name.
      input_signature: `TensorSpec`s of the arguments, or None.
      attributes: attributes of the recorded functions.
      autograph: whether to convert Python control flow.
      experimental_relax_shapes: give up static shapes rather than record again for another shape.
      function_spec: how arguments bind, if `python_function` itself does not tell.
    """

    def __init__(
        self,
        python_function: Callable[..., Any],
        name: str,
        input_signature: Any = None,
        attributes: dict[str, Any] | None = None,
        autograph: bool = True,
        experimental_relax_shapes: bool = False,
        function_spec: FunctionSpec | None = None,
        autograph_options: Any = None,
    ):
        self._python_function = python_function
        self.function_spec = function_spec or FunctionSpec(python_function, input_signature)
        self._name = name
        self._attributes = attributes or {}
        self._autograph = autograph
        self._autograph_options = autograph_options
        self._relax = experimental_relax_shapes
        self._function_cache = FunctionCache()
        self._lock = threading.RLock()
        self._bound: weakref.WeakKeyDictionary[Any, Function] = weakref.WeakKeyDictionary()

    python_function: Callable[..., Any] = attribute("_python_function", "The Python function.")
    input_signature: tuple[Any, ...] | None = attribute(
        "function_spec.input_signature", "The `TensorSpec`s of the arguments, or None."
    )
    flat_input_signature: tuple[Any, ...] = attribute(
        "function_spec.flat_input_signature", "The same without nests; empty where there are none."
    )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Records a call of the function, recorded itself if there is none for such arguments."""
        concrete, args, kwargs = self._find(args, kwargs)
        return concrete._filtered_call(args, kwargs)

    def __get__(self, instance: Any, owner: Any) -> Function:
        if instance is None:
            return self
        if instance not in self._bound:
            self._bound[instance] = self._bound_to(instance)
        return self._bound[instance]

    def _bound_to(self, instance: Any) -> Function:
        method = _weak_method(self._python_function, instance)
        bound = Function(
            method,
            self._name,
            self.input_signature,
            self._attributes,
            self._autograph,
            self._relax,
            autograph_options=self._autograph_options,
        )
        return functools.update_wrapper(bound, method)  # pyright: ignore

    def _find(self, args: Any, kwargs: Any) -> tuple[ConcreteFunction, Any, Any]:
        """The recorded function for arguments, and the arguments by position."""
        if self.input_signature is None or args is not None or kwargs is not None:
            args, kwargs = self.function_spec.canonicalize_function_inputs(
                *(args or ()), **(kwargs or {})
            )
        context = self._context_key()
        try:
            key = CacheKey(self._encoded(args, kwargs), *context)
        except TypeError as error:
            raise TypeError(
                "Arguments supplied to `defun`-generated functions must be hashable.  "
                f"Original error: {error}"
            ) from None
        cache = self._function_cache
        with self._lock:
            found = cache.primary.get(key)
            if found is None and self._relax and self.input_signature is None:
                if key.replace(input_signature=None) in cache.missed:
                    return self._find_relaxed(args, kwargs, context), args, kwargs
            if found is None:
                cache.missed.add(key.replace(input_signature=None))
                found = cache.primary[key] = self._record(args, kwargs)
        return found, args, kwargs

    def _encoded(self, args: Any, kwargs: Any, ranks_only: bool = False) -> Any:
        if self.input_signature is not None:
            return self.function_spec.flat_input_signature
        return _encoded((args, kwargs) if kwargs else args, ranks_only)

    def _context_key(self) -> tuple[Any, ...]:
        with ops.init_scope():
            outermost = None if ops.executing_eagerly() else ops.get_default_graph()
        return outermost, (), tuple(c.op for c in ops.get_default_graph()._colocation_scopes), False

    def _find_relaxed(self, args: Any, kwargs: Any, context: Any) -> ConcreteFunction:
        cache = self._function_cache
        key = CacheKey(self._encoded(args, kwargs, ranks_only=True), *context)
        shapes = [
            TensorShape(x.shape) if isinstance(x, ops.Tensor | TensorSpec) else None
            for x in nest.flatten((args, kwargs), True)
        ]
        if key in cache.arg_relaxed:
            served = cache.arg_relaxed_shapes[key]
            if all(map(_serves, served, shapes)):
                return cache.arg_relaxed[key]
            shapes = [common_shape(a, b) for a, b in zip(shapes, served)]
        function = self._record(args, kwargs, shapes)
        cache.arg_relaxed[key], cache.arg_relaxed_shapes[key] = function, shapes
        return function

    def _record(self, args: Any, kwargs: Any, shapes: Any = None) -> ConcreteFunction:
        signature, spec = self.input_signature, self.function_spec
        count = len(args if signature is None else signature)
        extra = [spec.vararg_name] * (count - len(spec.arg_names))
        names = spec.arg_names[:count] + [f"{name}_{i}" for i, name in enumerate(extra)]
        disabled = ag_ctx.ControlStatusCtx(ag_ctx.Status.DISABLED)
        with contextlib.nullcontext() if self._autograph else disabled:
            graph = function_tracing.func_graph_from_py_func(
                self._name,
                self._python_function,
                args,
                kwargs,
                signature,
                arg_names=names,
                autograph=self._autograph,
                autograph_options=self._autograph_options,
                flat_shapes=shapes,
            )
        return ConcreteFunction(graph, self._attributes)

    def _all_recorded(self) -> list[ConcreteFunction]:
        cache = self._function_cache
        return [*cache.primary.values(), *cache.arg_relaxed.values()]

    def _get_concrete_function_internal(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """As `get_concrete_function`, without names for the arguments, which are not checked."""
        if self.input_signature is not None:
            return self._find(None, None)[0]
        return self._find(args, kwargs)[0]

    _get_concrete_function_internal_garbage_collected = _get_concrete_function_internal

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The recorded function for arguments.

        Args:
          *args, **kwargs: tensors, `TensorSpec`s or Python values, as for a call. With an input
            signature they may be left out.

        Raises:
          ValueError: they don't fit the input signature.
        """
        if self.input_signature is not None:
            self._check_signature(args, kwargs)
        concrete = self._get_concrete_function_internal(*args, **kwargs)
        own = len(concrete.inputs) - len(concrete.captured_inputs)
        keywords: list[str] = []
        for placeholder in concrete.inputs[:own]:
            name = proposal = placeholder.op._attrs["_user_specified_name"].decode()
            count = 0
            while proposal in keywords:
                count += 1
                proposal = f"{name}_{count}"
            keywords.append(proposal)
        concrete._arg_keywords = keywords
        concrete._num_positional_args = len(keywords)
        return concrete

    def _check_signature(self, args: Any, kwargs: Any) -> None:
        if kwargs:
            raise ValueError(
                "Cannot define a TensorFlow function from a Python function with keyword "
                "arguments when input_signature is provided."
            )
        if not args:
            return
        try:
            nest.assert_same_structure(self.input_signature, args, expand_composites=True)
        except (ValueError, TypeError):
            raise ValueError(
                "Structure of Python function inputs does not match input_signature."
            ) from None
        flat = nest.flatten(args, True)
        if not all(isinstance(arg, ops.Tensor | TensorSpec) for arg in flat):
            raise ValueError(
                "When input_signature is provided, all inputs to the Python function must be "
                "Tensors or tf.TensorSpec objects."
            )
        specs = self.function_spec.flat_input_signature
        if not all(spec.is_compatible_with(other) for spec, other in zip(specs, flat)):
            raise ValueError(
                f"Python inputs incompatible with input_signature: inputs ({args}), "
                f"input_signature ({self.input_signature})"
            )


def _weak_method(function: Callable[..., Any], instance: Any) -> Callable[..., Any]:
    """A method of `instance` that does not keep it alive."""
    bound = types.MethodType(function, instance)
    reference = weakref.ref(instance)

    def method(*args: Any, **kwargs: Any) -> Any:
        return function(reference(), *args, **kwargs)

    functools.update_wrapper(method, function)
    method.__signature__ = inspect.signature(bound)  # type: ignore[attr-defined]
    del method.__wrapped__
    method._self_name = next(iter(inspect.signature(function).parameters))  # type: ignore
    return function_tracing.keeps_around(
        method, function, lambda inner: _weak_method(inner, reference())
    )


def _serves(relaxed: TensorShape | None, shape: TensorShape | None) -> bool:
    """Whether a function recorded for shape `relaxed` can be called with `shape`."""
    if relaxed is None or shape is None:
        return True
    a, b = relaxed.to_tuple(), shape.to_tuple()
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(x is None or x == y for x, y in zip(a, b))


def common_shape(x: TensorShape | None, y: TensorShape | None) -> TensorShape | None:
    """The shape that covers two."""
    if x is None or y is None:
        return None
    a, b = x.to_tuple(), y.to_tuple()
    if a is None or b is None or len(a) != len(b):
        return TensorShape(None)
    return TensorShape([d if d == e else None for d, e in zip(a, b)])


@export.internal_class("tensorflow.python.eager.def_function")
class TracedFunction:
    """What `tf.function` makes of a Python function.

    The first call records it with variables allowed; later recordings may not create any.
    """

    __qualname__ = "Function"  # as `str` of the class shows it; its `__name__` see below

    def __init__(
        self,
        python_function: Callable[..., Any],
        name: str,
        input_signature: Any = None,
        autograph: bool = True,
        experimental_autograph_options: Any = None,
        experimental_relax_shapes: bool = False,
        experimental_compile: bool | None = None,
    ):
        self._python_function = python_function
        self._options: dict[str, Any] = {
            "autograph": autograph,
            "autograph_options": experimental_autograph_options,
            "experimental_relax_shapes": experimental_relax_shapes,
        }
        if experimental_compile is not None:
            self._options["attributes"] = {"_XlaCompile": bool(experimental_compile)}
        self._name = name
        self.function_spec = FunctionSpec(python_function, input_signature)
        self._created: list[Any] = []  # references to the variables that it created
        self._pending: function_variables.Pending = []
        self._stateful_fn: Function | None = None  # may create variables
        self._stateless_fn: Function | None = None  # may not, and is called if there are any
        self._bound: weakref.WeakKeyDictionary[Any, TracedFunction] = weakref.WeakKeyDictionary()
        functools.update_wrapper(self, python_function)
        self.__doc__ = getattr(python_function, "__doc__", None) or ""

    python_function: Callable[..., Any] = attribute("_python_function", "The Python function.")
    input_signature: tuple[Any, ...] | None = attribute(
        "function_spec.input_signature", "The `TensorSpec`s of the arguments, or None."
    )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Records a call of the function; in eager execution runs it."""
        if _run_functions_eagerly:
            return self._python_function(*args, **kwargs)
        if self._stateful_fn is None:
            self._record_first(args, kwargs)
            if self._created:
                try:
                    self._initialize()
                except lift_to_graph.UnliftableError:
                    return Function(self._call_initializing, "fn_with_cond")(*args, **kwargs)
        function = self._function()
        return self._checked(function, function(*args, **kwargs))

    def _decorate(self, decorator: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
        """Has what is recorded go through a decorator.

        Raises:
          ValueError: the function was recorded before.
        """
        if self._stateful_fn is not None:
            raise ValueError("Functions cannot be decorated after they have been traced.")
        self._python_function = decorator(self._python_function)
        self.function_spec = FunctionSpec(self._python_function, self.input_signature)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The recorded function for arguments: tensors, `TensorSpec`s or Python values.

        Raises:
          ValueError: they don't fit the input signature.
        """
        if self._stateful_fn is None:
            self._record_first(args, kwargs)
            self._initialize()
        function = self._function()
        return self._checked(function, function.get_concrete_function(*args, **kwargs))

    def get_initialization_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The function that gives the variables, which are made here, their initial values.

        Args:
          *args, **kwargs: the arguments to record the function for.

        Returns:
          A function of nothing. It overwrites the values that the variables have.

        Raises:
          RuntimeError: the function was called or recorded before.
          UnliftableError: an initial value hangs on the arguments.
        """
        if self._stateful_fn is not None:
            raise RuntimeError(
                "get_initialization_function cannot be called after the function has been used"
            )
        self._record_first(args, kwargs)

        def initialize_variables() -> None:
            for variable, value in self._pending:
                lifted = lift_to_graph.lift_to_graph([value], ops.get_default_graph())
                variable.assign(lifted[value])

        return Function(initialize_variables, "initialize_variables").get_concrete_function()

    def _function(self) -> Function:
        """The function to call."""
        function = self._stateless_fn if self._created else self._stateful_fn
        assert function is not None
        return function

    def _checked(self, function: Function, result: Any) -> Any:
        if self._created and function is self._stateful_fn:
            raise ValueError(
                "Creating variables on a non-first call to a function decorated with tf.function."
            )
        return result

    def __get__(self, instance: Any, owner: Any) -> TracedFunction:
        if instance is None:
            return self
        if instance not in self._bound:
            self._bound[instance] = self._bound_to(instance)
        return self._bound[instance]

    def _bound_to(self, instance: Any) -> TracedFunction:
        method = TracedFunction(
            _weak_method(self._python_function, instance), self._name, self.input_signature
        )
        method._options = self._options
        return method

    def _record_first(self, args: Any, kwargs: Any) -> None:
        """Records the function once, with the variables that it creates.

        As in TF 1.15 it is recorded for a signature that says something, if there is one, before
        the arguments are looked at, and anew for its first call if it created variables.
        """
        if self.input_signature:
            args = kwargs = None
        # TF makes a graph for initial values here. It takes part in the count of names.
        FuncGraph("initializer")
        create = function_variables.creating_variables(
            self._python_function, self._created, self._pending
        )
        self._stateful_fn = self._of(create)
        self._stateful_fn._find(args, kwargs)
        without = function_variables.without_new_variables(self._python_function)
        self._stateless_fn = self._of(without)

    def _initialize(self) -> None:
        """Records or makes the call that gives the variables their initial values.

        Raises:
          UnliftableError: such a value hangs on the arguments of the function.
        """

        def initialize_variables() -> None:
            copies: dict[Any, Any] = {}
            for variable, value in self._pending:
                copies = lift_to_graph.lift_to_graph(
                    [value], ops.get_default_graph(), op_map=copies
                )
                variable.assign(copies[value])

        with ops.init_scope():
            Function(initialize_variables, "initialize_variables").get_concrete_function()()

    def _call_initializing(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function, with its variables' initial values if they have none yet."""
        initialized: Any = True
        for reference in self._created:
            is_set = raw_ops.VarIsInitializedOp(reference().handle)
            initialized = math_ops.logical_and(initialized, is_set)
        creating, stateless = self._stateful_fn, self._stateless_fn
        assert creating is not None and stateless is not None
        return control_flow_ops.cond(
            initialized, lambda: stateless(*args, **kwargs), lambda: creating(*args, **kwargs)
        )

    def _of(self, function: Callable[..., Any]) -> Function:
        return Function(function, self._name, function_spec=self.function_spec, **self._options)

    def _list_all_concrete_functions_for_serialization(self) -> list[ConcreteFunction]:
        """The functions recorded so far, one for each kind of arguments."""
        if self.input_signature is not None:
            self.get_concrete_function()
        signatures: list[Any] = []
        for function in (self._stateful_fn, self._stateless_fn):
            for concrete in () if function is None else function._all_recorded():
                signature = concrete.structured_input_signature
                if any(
                    isinstance(leaf, function_tracing.UnknownArgument)
                    for leaf in nest.flatten(signature)
                ):
                    logging.info("Unsupported signature for serialization: %s.", signature)
                elif not any(_is_same(signature, other) for other in signatures):
                    signatures.append(signature)
        return [self.get_concrete_function(*args, **kwargs) for args, kwargs in signatures]


TracedFunction.__name__ = "Function"


def _is_same(a: Any, b: Any) -> bool:
    """Whether two structures have the same values."""
    try:
        nest.assert_same_structure(a, b)
    except (TypeError, ValueError):
        return False
    return nest.flatten(a) == nest.flatten(b)


def is_saved_function(value: Any) -> bool:
    """Whether an attribute of an object is a function that a SavedModel holds."""
    return isinstance(value, TracedFunction | ConcreteFunction)


_run_functions_eagerly = False


@tf_export("config.experimental_run_functions_eagerly")
def run_functions_eagerly(run_eagerly: bool) -> None:
    """Makes `tf.function`s call their Python functions directly.

    Args:
      run_eagerly: whether they are called directly.
    """
    global _run_functions_eagerly
    _run_functions_eagerly = bool(run_eagerly)


def _check_signature(signature: Any) -> None:
    if not all(isinstance(spec, TensorSpec) for spec in nest.flatten(signature, True)):
        raise TypeError(
            f"Invalid input_signature {signature}; input_signature must be a possibly nested "
            "sequence of TensorSpec objects."
        )


@tf_export("function")
def function(
    func: Callable[..., Any] | None = None,
    input_signature: Sequence[TensorSpec] | None = None,
    autograph: bool = True,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
    experimental_compile: bool | None = None,
) -> Any:
    """Makes a Python function into one that records a single call (as `tf.function` in TF 1.15).

    Args:
      func: a function of tensors and Python values; None makes a decorator.
      input_signature: a nested sequence of `TensorSpec`s: one recorded function for all calls.
      autograph: whether to convert Python control flow on tensors.
      experimental_autograph_options: `tf.autograph.experimental.Feature`s.
      experimental_relax_shapes: give up static shapes rather than record again.
      experimental_compile: sets the attribute `_XlaCompile`.

    Returns:
      A callable that records a PartitionedCall (StatefulPartitionedCall if it has effects).

    Raises:
      TypeError: an input signature of anything else.
    """
    if input_signature is not None:
        _check_signature(input_signature)

    def decorated(inner: Callable[..., Any]) -> TracedFunction:
        return TracedFunction(
            inner,
            getattr(inner, "__name__", "function"),
            input_signature,
            autograph,
            experimental_autograph_options,
            experimental_relax_shapes,
            experimental_compile,
        )

    return decorated if func is None else decorated(func)


def defun(
    func: Callable[..., Any] | None = None,
    input_signature: Sequence[TensorSpec] | None = None,
    autograph: bool = True,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
) -> Any:
    """As `tf.contrib.eager.defun`: `tf.function` without its care for variables.

    Args:
      func: a function of tensors and Python values; None makes a decorator.
      input_signature, autograph, experimental_relax_shapes: as in `tf.function`.
      experimental_autograph_options: `tf.autograph.experimental.Feature`s.

    Raises:
      TypeError: an input signature of anything else.
    """
    return defun_with_attributes(
        func,
        input_signature,
        None,
        autograph,
        experimental_autograph_options,
        experimental_relax_shapes,
    )


def defun_with_attributes(
    func: Callable[..., Any] | None = None,
    input_signature: Sequence[TensorSpec] | None = None,
    attributes: dict[str, Any] | None = None,
    autograph: bool = True,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
) -> Any:
    """As `defun`, for functions with attributes.

    Args:
      attributes: of the recorded functions.
    """
    if input_signature is not None:
        _check_signature(input_signature)

    def decorated(inner: Callable[..., Any]) -> Function:
        made = Function(
            inner,
            getattr(inner, "__name__", "function"),
            input_signature,
            attributes,
            autograph=autograph,
            experimental_relax_shapes=experimental_relax_shapes,
            autograph_options=experimental_autograph_options,
        )
        return functools.update_wrapper(made, inner)  # pyright: ignore

    return decorated if func is None else decorated(func)
