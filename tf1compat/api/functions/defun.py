"""`Defun`: a Python function recorded once for given dtypes; calls are ops of the function's type.

The older of TF's two kinds of functions (`tensorflow.python.framework.function.Defun`).
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.variables import resource_variable_ops, variable_scope
from tf1compat.core import dtypes, errors, op_registry, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.func_graph import SHARED_COLLECTIONS, CapturingGraph
from tf1compat.core.function_def import GraphFunction
from tf1compat.core.function_hash import function_suffix
from tf1compat.core.graph_import import import_functions
from tf1compat.core.graph_scopes import Colocation
from tf1compat.core.typing import DTypeLike, Initializer, ShapeLike

# How an overloaded function's name tells the dtypes of its arguments.
_SHORT_NAMES = {
    "float16": "f16", "float32": "f32", "float64": "f64", "int32": "i32", "uint8": "i8",
    "uint16": "u16", "uint32": "u32", "uint64": "u64", "int16": "i16", "int8": "i8", "string": "s",
    "complex64": "c64", "complex128": "c128", "int64": "i64", "bool": "b", "qint8": "qi8",
    "quint8": "qu8", "qint16": "qi16", "quint16": "qu16", "qint32": "qi32", "bfloat16": "b16",
}  # fmt: skip


class DefunGraph(CapturingGraph):
    """The body of a `Defun`.

    Args:
      name: the function's name.
      capture_by_value: copy captured operations into the body rather than take them as inputs.
      copied_stateful_ops: stateful operations that may be copied all the same.
      capture_resource_var_by_value: read resource variables outside.

    Attributes:
      extra_inputs: the captured tensors that a call passes after its arguments.
      extra_args: their placeholders.
      extra_vars: the variables made or got inside.
    """

    is_defun = True

    def __init__(
        self,
        name: str,
        capture_by_value: bool,
        copied_stateful_ops: Any,
        capture_resource_var_by_value: bool,
    ):
        super().__init__(name)
        self._capture_by_value = capture_by_value
        self._copied_stateful_ops = copied_stateful_ops
        self._capture_resource_var_by_value = capture_resource_var_by_value
        self._outer_scope = variable_scope.get_variable_scope()
        self.extra_inputs: list[ops.Tensor] = []
        self.extra_args: list[ops.Tensor] = []
        self.extra_vars: list[Any] = []

    def getvar(
        self,
        getter: Callable[..., Any],
        name: str,
        shape: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
        initializer: Initializer | None = None,
        reuse: bool | None = None,
        trainable: bool = True,
        collections: Any = None,
        use_resource: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        """The custom getter of the body: variables are made in the graph around it."""
        with self.outer_graph.as_default():
            variable = self._outer_scope.get_variable(
                variable_scope._get_default_variable_store(),
                name,
                shape=shape,
                dtype=dtype,
                initializer=initializer,
                reuse=reuse,
                trainable=trainable,
                collections=collections,
                use_resource=use_resource,
            )
            self.extra_vars.append(variable)
            is_resource = isinstance(variable, resource_variable_ops.BaseResourceVariable)
            # A body that reads no variable itself is pure, and can be differentiated.
            if is_resource and self._capture_resource_var_by_value:
                return variable.value()
            return variable

    def capture(self, tensor: ops.Tensor, name: str | None = None) -> ops.Tensor:
        """What stands for `tensor` in this graph: a placeholder, or a copy."""
        if tensor.graph is self:
            return tensor
        found = self.captured_as(tensor)
        if found is not None:
            return found
        if self._capture_by_value:
            return self._copied(tensor.op).outputs[tensor.value_index]
        if tensor.op.type == "GuaranteeConst":
            raise NotImplementedError(
                "Capturing tf.guarantee_const in a Defun is not supported by tf1compat yet"
            )
        placeholder = self._placeholder(tensor, name or "Placeholder")
        self.extra_inputs.append(tensor)
        self.extra_args.append(placeholder)
        self.add_capture(tensor, placeholder)
        return placeholder

    def _copied(self, op: ops.Operation) -> ops.Operation:
        """A copy of `op`, and of what it depends on, in this graph.

        Raises:
          ValueError: it is stateful or a placeholder.
        """
        if op._is_stateful and op not in self._copied_stateful_ops:
            raise ValueError(
                f"Cannot capture a stateful node (name:{op.name}, type:{op.type}) by value."
            )
        if op.type in ("Placeholder", "PlaceholderV2"):
            raise ValueError(
                f"Cannot capture a placeholder (name:{op.name}, type:{op.type}) by value."
            )
        # As in TF, what several inputs depend on is copied for each.
        inputs = [self._copied(t.op).outputs[t.value_index] for t in op.inputs]
        dtypes_of = [t.dtype for t in op.outputs]
        copy = self.create_op(op.type, inputs, dtypes_of, name=op.name, attrs=dict(op._attrs))
        for old, new in zip(op.outputs, copy.outputs):
            self._note_capture(old, new)
        return copy


def _record_body(
    graph: DefunGraph,
    func: Callable[..., Any],
    names: Sequence[str],
    types: Sequence[Any],
    collections: dict[Any, Any],
    device: Any,
    shapes: Sequence[Any] | None = None,
) -> None:
    """Calls the Python function with placeholders in `graph`, of `shapes` if they are known.

    Raises:
      ValueError: it returns None among other results.
    """
    with graph.as_default(), ops.device(device):
        graph._collections = collections
        for name, dtype, shape in zip(names, types, shapes or [None] * len(types)):
            graph.inputs.append(array_ops.placeholder(dtype, shape=shape, name=name))
        with variable_scope.variable_scope("", custom_getter=graph.getvar):
            outputs = func(*graph.inputs)
        if outputs is None:
            outputs = []
        elif not isinstance(outputs, list | tuple):
            outputs = (outputs,)
        if any(value is None for value in outputs):
            raise ValueError(f"Function {graph.name} can not return None.")
        graph.outputs = [graph.capture(t) for t in map(ops.convert_to_tensor, outputs)]


def func_graph_from_py_func(
    func: Callable[..., Any],
    arg_names: Sequence[str],
    arg_types: Sequence[Any],
    name: str | None = None,
    capture_by_value: bool = False,
    device: Any = None,
    colocation_stack: Any = None,
    container: str | None = None,
    collections_ref: dict[Any, Any] | None = None,
    arg_shapes: Sequence[Any] | None = None,
    whitelisted_stateful_ops: Any = None,
    capture_resource_var_by_value: bool = True,
) -> DefunGraph:
    """The body that a Python function records, as that of a `Defun`.

    Args:
      func: the Python function.
      arg_names, arg_types, arg_shapes: of its arguments; shapes may be left out.
      name: the body's name; the function's by default.
      device: where the body stands.
      colocation_stack: what the body's operations are beside of: a graph's
        `_colocation_stack`.
      container: what resources made in the body are in.
      collections_ref: the collections of the body.
      capture_by_value, whitelisted_stateful_ops, capture_resource_var_by_value: see `DefunGraph`.

    Raises:
      ValueError: it returns None among other results.
    """
    stateful = whitelisted_stateful_ops or set()
    graph = DefunGraph(
        name or _name_of(func), capture_by_value, stateful, capture_resource_var_by_value
    )
    if container is not None:
        graph._container = container
    if colocation_stack is not None:
        graph._colocation_scopes = [
            Colocation(one.obj, one.filename, one.lineno)
            for one in colocation_stack.peek_traceable_objs()
        ]
    collections = {} if collections_ref is None else collections_ref
    _record_body(graph, func, arg_names, arg_types, collections, device, arg_shapes)
    return graph


class DefinedFunction:
    """A Python function with the dtypes of its arguments; recorded on first use.

    Args:
      func: the Python function.
      argnames: the names of its parameters.
      input_types: the dtypes of its arguments.
      func_name: the function's name; made of the Python function's and a hash by default.
      grad_func: the function that is its gradient, or None.
      python_grad_func: a Python function as `tf.RegisterGradient` takes, or None.
      out_names: names of the results.
      shape_func: gives static shapes of the results for an operation that calls the function.
      capture_by_value, whitelisted_stateful_ops, capture_resource_var_by_value: see `DefunGraph`.
      **kwargs: attributes of the function: `noinline`, `compiled`, `separate_compiled_gradients`,
        `experimental_…`.
    """

    def __init__(
        self,
        func: Callable[..., Any] | None,
        argnames: Sequence[str],
        input_types: Sequence[Any],
        func_name: str | None = None,
        grad_func: DefinedFunction | None = None,
        python_grad_func: Callable[..., Any] | None = None,
        out_names: Sequence[str] | None = None,
        shape_func: Callable[..., Any] | None = None,
        capture_by_value: bool = False,
        whitelisted_stateful_ops: Any = None,
        capture_resource_var_by_value: bool = True,
        **kwargs: Any,
    ):
        self._func = func
        self._input_types = input_types
        self._func_name = func_name
        self._grad_func = grad_func
        self.python_grad_func = python_grad_func
        self._out_names = out_names or ()
        self._shape_func = shape_func
        self._capturing = (
            capture_by_value,
            whitelisted_stateful_ops or set(),
            capture_resource_var_by_value,
        )
        self._extra_kwargs = kwargs
        scopes = ops.get_default_graph()._device_stack
        self._device = scopes[-1]._function if scopes else None
        self._arg_names = [
            argnames[i] if i < len(argnames) else f"arg{i}" for i in range(len(input_types))
        ]

    @functools.cached_property
    def _function(self) -> GraphFunction:
        outer = ops.get_default_graph()
        keys = [*ops.GraphKeys._VARIABLE_COLLECTIONS, SHARED_COLLECTIONS[-2]]
        collections = {key: outer.get_collection_ref(key) for key in keys}
        assert self._func is not None
        own_name = self._func_name or _name_of(self._func)
        graph = DefunGraph(own_name, *self._capturing)
        _record_body(
            graph, self._func, self._arg_names, self._input_types, collections, self._device
        )
        names, count = self._out_names, len(graph.outputs)
        if names and len(names) != count:
            raise errors.InvalidArgumentError(
                None,
                None,
                "output names must be either empty or equal in size to outputs. output names size "
                f"= {len(names)} outputs size = {count}",
            )
        function = GraphFunction(
            self._func_name or "",
            graph,
            graph.inputs,
            graph.outputs,
            output_names=self._out_names,
            description=self._func.__doc__,
        )
        base = own_name
        if not self._func_name:
            if self._grad_func:
                base += f"_{self._grad_func.name}"
            function.rename(f"{base}_{function_suffix(function.definition)}")
        function.attrs = _call_attrs(base, dict(self._extra_kwargs))
        return function

    name: str = attribute("_function.name", "The function's name.")
    definition = attribute("_function.definition", "The `FunctionDef` proto.")
    attrs: dict[str, Any] = attribute("_function.attrs", "The function's attrs, as plain values.")
    graph: DefunGraph = attribute("_function.graph", "The body.")
    inputs: list[ops.Tensor] = attribute(
        "_function.inputs", "The body's inputs, captured ones last."
    )
    outputs: list[ops.Tensor] = attribute("_function.outputs", "The body's outputs.")
    control_outputs: list[ops.Operation] = attribute(
        "_function.control_outputs", "The body's operations that its signature says must run: none."
    )
    operations: list[ops.Operation] = attribute(
        "_function.operations", "The body's operations, without the placeholders of its inputs."
    )
    signature = attribute("_function.signature", "The `OpDef` proto in the `FunctionDef`.")

    @property
    def grad_func_name(self) -> str | None:
        """The name of the function that is the gradient, or None."""
        return self._grad_func.name if self._grad_func else None

    gradient_function: DefinedFunction | None = attribute(
        "_grad_func", "The function that is the gradient, or None."
    )

    def set_grad_func(self, grad_func: DefinedFunction) -> None:
        """Says which function is the gradient."""
        assert not self._grad_func
        assert isinstance(grad_func, DefinedFunction)
        self._grad_func = grad_func

    @property
    def declared_input_types(self) -> tuple[Any, ...]:
        """The dtypes of the arguments."""
        return tuple(self._input_types)

    captured_inputs: list[ops.Tensor] = attribute("_extra_inputs", "The captured tensors.")

    @functools.cached_property
    def _extra_inputs(self) -> list[ops.Tensor]:
        # What each call adds to its arguments. None are added by a copy that is given others.
        return self.graph.extra_inputs

    @property
    def stateful_ops(self) -> list[tuple[str, str]]:
        """The (name, type) pairs of the body's operations with effects."""
        return [(op.name, op.type) for op in self.graph.get_operations() if op._is_stateful]

    def add_to_graph(self, g: ops.Graph) -> None:
        """Adds the function, its gradient and the functions it calls to the library of `g`.

        Raises:
          InvalidArgumentError: the library has another function of that name.
          ValueError: the gradient is defined twice.
        """
        present = g._functions.get(self.name)
        if present is not self:
            if self._grad_func is not None and self.python_grad_func is not None:
                raise ValueError(f"Gradient defined twice for function {self.name}")
            if present is not None and present.definition != self.definition:
                raise errors.InvalidArgumentError(
                    None,
                    None,
                    f"Cannot add function '{self.name}' because a different "
                    "function with the same name already exists.",
                )
            g._add_function(self)
        for called in self.graph._functions.values():
            if called is not self:
                called.add_to_graph(g)
        if self._grad_func:
            self._grad_func.add_to_graph(g)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Records a call.

        Args:
          *args: what converts to tensors of the declared dtypes.
          **kwargs: `name`, `noinline` and other attributes of the call.

        Returns:
          The result, a tuple of results, or the operation if there are none.
        """
        self.add_to_graph(ops.get_default_graph())
        inputs = [ops.convert_to_tensor(x) for x in args] + self._extra_inputs
        op = self._record_call(inputs, **kwargs)
        op._defun = self
        if self._shape_func is not None:
            shapes = self._shape_func(op)
            if len(shapes) != len(op.outputs):
                raise ValueError(
                    f"shape_func produced {len(shapes)} shapes for {len(op.outputs)} outputs"
                )
            for output, shape in zip(op.outputs, shapes):
                output.set_shape(shape)
        if not op.outputs:
            return op
        return op.outputs[0] if len(op.outputs) == 1 else tuple(op.outputs)

    def _record_call(self, inputs: list[ops.Tensor], name: str | None = None, **kwargs: Any) -> Any:
        if len(inputs) != len(self.inputs):
            raise ValueError(
                f"Expected number of arguments: {len(self.inputs)}, received: {len(inputs)}"
            )
        for parameter, given in zip(self.inputs, inputs, strict=True):
            if given.dtype.base_dtype is not parameter.dtype.base_dtype:
                # TensorFlow has given the call its name when it finds that out.
                taken = ops.get_default_graph().unique_name(name or self.name)
                raise ValueError(self._misfit(parameter, given, taken))
        register_call(self.name)
        attrs = _call_attrs(self.name, kwargs)
        types = [t.dtype.base_dtype for t in self.outputs]
        graph = ops.get_default_graph()
        return graph.create_op(self.name, inputs, types, name=name or self.name, attrs=attrs)

    def _misfit(self, parameter: ops.Tensor, given: ops.Tensor, name: str) -> str:
        signature = self.definition.signature
        inputs, outputs = (
            ", ".join(f"{arg.name}:{dtypes.cpp_name(dtypes.as_dtype(arg.type))}" for arg in args)
            for args in (signature.input_arg, signature.output_arg)
        )
        flags = "; is_stateful=true" if signature.is_stateful else ""
        kinds = [dtypes.cpp_name(tensor.dtype.base_dtype) for tensor in (given, parameter)]
        return (
            f"Input '{parameter.op.name}' passed {kinds[0]} expected {kinds[1]} while building "
            f"NodeDef '{name}' using Op<name={signature.name}; signature={inputs} -> "
            f"{outputs}{flags}>"
        )


def _called_by(definition: Any) -> set[str]:
    """The functions that a `FunctionDef` may call: op types, and those that its attrs name."""
    names = {node.op for node in definition.node_def}
    for node in definition.node_def:
        for value in node.attr.values():
            names.add(value.func.name)
            names.update(function.name for function in value.list.func)
    return names


def from_library(lib: Any) -> list[DefinedFunction]:
    """The functions of a library, to be called.

    Args:
      lib: a `FunctionDefLibrary`. Gradients that are Python functions are not in it.

    Raises:
      ValueError: a function is missing, or the gradients go round in circles.
    """
    definitions = {definition.signature.name: definition for definition in lib.function}
    gradients = {entry.function_name: entry.gradient_func for entry in lib.gradient}
    for name in (name for pair in gradients.items() for name in pair):
        if name not in definitions:
            raise ValueError(f"FunctionDefLibrary missing '{name}' FunctionDef\n{lib}")
    ready = [name for name in definitions if name not in gradients]
    if definitions and not ready:
        raise ValueError(f"FunctionDefLibrary contains cyclic gradient functions!\n{lib}")
    library = ops.Graph()
    import_functions(library, lib)
    bodies = dict(library._functions)
    made: dict[str, DefinedFunction] = {}
    while ready:
        name = ready.pop()
        signature = definitions[name].signature
        function = DefinedFunction(
            None,
            [arg.name for arg in signature.input_arg],
            tuple(dtypes.as_dtype(arg.type) for arg in signature.input_arg),
            name,
            made.get(gradients.get(name, "")),
            None,
            [arg.name for arg in signature.output_arg],
        )
        # What else would be worked out of the Python function.
        vars(function).update(_function=bodies[name], _extra_inputs=[])
        made[name] = function
        ready += [other for other, gradient in gradients.items() if gradient == name]
    for name, body in bodies.items():
        if isinstance(body, GraphFunction):
            called = _called_by(definitions[name]) & made.keys()
            body.graph._functions = {inner: made[inner] for inner in called}
    return list(made.values())


def register_call(op_type: str) -> None:
    """Makes `op_type`, a function's name, an op type that runs the function."""
    if op_registry.spec(op_type).supported:
        return

    def shape(*inputs: Any, op: Any) -> Any:
        return [None] * len(op.outputs)

    def lower(*inputs: Any, op: Any, ctx: Any) -> Any:
        return ctx.call_function(op.type, inputs)

    def called(op: Any) -> Any:
        return op._graph._get_function(op_type)

    op_registry.register(op_type, shape=shape, lower=lower, calls=called)


def _name_of(func: Callable[..., Any]) -> str:
    func = inspect.unwrap(func)
    if inspect.isfunction(func):
        return func.__name__
    if inspect.ismethod(func):
        return f"{type(func.__self__).__name__}.{func.__name__}"
    return str(type(func))


def _call_attrs(func_name: str, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The attrs that keyword arguments stand for.

    Raises:
      ValueError: unknown ones.
    """
    attrs: dict[str, Any] = {}
    noinline = kwargs.pop("noinline", None)
    if noinline is not None:
        attrs["_noinline"] = bool(noinline)
    attrs["_disable_call_shape_inference"] = True
    compiled = kwargs.pop("compiled", None)
    separate = kwargs.pop("separate_compiled_gradients", None)
    if compiled is not None:
        attrs["_XlaCompile"] = bool(compiled)
        attrs["_XlaSeparateCompiledGradients"] = bool(separate)
        scope = ops.get_default_graph()._attr_scope_map.get("_XlaScope")
        attrs["_XlaScope"] = f"function_{func_name}".encode() if scope is None else scope.s
    for key in list(kwargs):
        if key.startswith("experimental_") or key in ("_implements", "_reference"):
            value = kwargs.pop(key)
            if not isinstance(value, bool | int | float | str):
                raise ValueError(f"Unsupported attribute type for {key} with type {type(value)}")
            attrs[key] = value.encode() if isinstance(value, str) else value
    if kwargs:
        raise ValueError(f"Unknown keyword arguments: {kwargs.keys()}")
    return attrs


class OverloadedFunction:
    """A function whose argument dtypes are those of each call: one `DefinedFunction` for each."""

    def __init__(
        self,
        func: Callable[..., Any],
        argnames: Sequence[str],
        func_name: str | None = None,
        grad_func: OverloadedFunction | None = None,
        python_grad_func: Callable[..., Any] | None = None,
        out_names: Sequence[str] | None = None,
        **kwargs: Any,
    ):
        assert grad_func is None or isinstance(grad_func, OverloadedFunction)
        self._func = func
        self._argnames = argnames
        self._func_name = func_name
        self._grad_func = grad_func
        self._options = {
            "python_grad_func": python_grad_func,
            "out_names": out_names,
            **kwargs,
        }
        self._overload: dict[str, DefinedFunction] = {}

    def instantiate(self, input_types: Sequence[Any]) -> DefinedFunction:
        """The function for these dtypes.

        Raises:
          ValueError: a dtype that functions don't take.
        """
        if any(dtype.name not in _SHORT_NAMES for dtype in input_types):
            raise ValueError(f"Unsupported dtypes: {input_types}")
        key = "".join(_SHORT_NAMES[dtype.name] for dtype in input_types)
        defined = self._overload.get(key)
        if defined is None:
            name = None if self._func_name is None else f"{self._func_name}_{key}"
            defined = DefinedFunction(
                self._func, self._argnames, input_types, name, **self._options
            )
            results = [t.dtype.base_dtype for t in defined.outputs]
            if self._grad_func:
                defined._grad_func = self._grad_func.instantiate([*input_types, *results])
            self._overload[key] = defined
        return defined

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Records a call (see `DefinedFunction`)."""
        inputs = [ops.convert_to_tensor(x) for x in args]
        return self.instantiate([t.dtype for t in inputs])(*inputs, **kwargs)


class Defun:
    """Decorator that makes a Python function one whose calls are single ops.

    Args:
      *input_types: the dtypes of the arguments; without them those of each call.
      **kwargs: `func_name`, `grad_func`, `python_grad_func`, `out_names`, `shape_func` and other
        options of `DefinedFunction`.

    Raises:
      ValueError: (when decorating) the Python function has defaults or keywords, or not as many
        parameters as there are dtypes.
    """

    def __init__(self, *input_types: Any, **kwargs: Any):
        self._input_types = [dtypes.as_dtype(dtype) for dtype in input_types]
        self._options = kwargs

    def __call__(self, func: Callable[..., Any]) -> Any:
        if not callable(func):
            raise ValueError(f"function {func} must be callable")
        spec = inspect.getfullargspec(func)
        if spec.varkw or spec.defaults:
            raise ValueError(
                "function with argument defaults or keywords arguments are not supported. "
                f"{func} has defaults {spec.defaults} and keywords {spec.varkw}."
            )
        names = spec.args[1:] if inspect.ismethod(func) else spec.args
        count = len(self._input_types)
        if self._input_types:
            if count < len(names) or (count > len(spec.args) and not spec.varargs):
                raise ValueError(
                    "The function has fewer arguments than the number of specified input types."
                )
            return DefinedFunction(func, names, self._input_types, **self._options)
        if not names and not spec.varargs:
            return DefinedFunction(func, [], [], **self._options)
        return OverloadedFunction(func, names, **self._options)


def get_extra_vars() -> list[Any]:
    """The variables made or got so far inside the `Defun` being recorded."""
    return getattr(ops.get_default_graph(), "extra_vars", [])


def get_extra_inputs() -> list[ops.Tensor]:
    """The tensors captured so far by the `Defun` being recorded."""
    return getattr(ops.get_default_graph(), "extra_inputs", [])


def get_extra_args() -> list[ops.Tensor]:
    """The placeholders of the tensors captured so far by the `Defun` being recorded."""
    return getattr(ops.get_default_graph(), "extra_args", [])
