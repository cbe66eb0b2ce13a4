"""Converters of the op types of `tf.nn` and of random numbers, files and functions (see `pfor`)."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops, shape_ops
from tf1compat.api.control_flow import tensor_array_ops
from tf1compat.api.control_flow.while_loop import while_loop
from tf1compat.api.functions import function
from tf1compat.api.io import parsing_ops
from tf1compat.api.math import math_cast, math_ops, math_reduce, math_sums
from tf1compat.api.nn import nn_ops
from tf1compat.api.parallel_for.pfor import (
    PFor,
    PForInput,
    RegisterPFor,
    RegisterPForWithArgs,
    flatten_first_two,
    unflatten_first,
    wrap,
)
from tf1compat.api.platform import tf_logging
from tf1compat.core import nest, ops, raw_ops


@RegisterPForWithArgs("Conv2D", dims=[0])
@RegisterPForWithArgs("AvgPool", dims=[0])
@RegisterPForWithArgs("MaxPool", dims=[0])
@RegisterPForWithArgs("MaxPool3D", dims=[0])
@RegisterPForWithArgs("MaxPool3DGrad", dims=[0, 1, 2])
@RegisterPForWithArgs("MaxPoolGrad", dims=[0, 1, 2])
@RegisterPForWithArgs("MaxPool3DGradGrad", dims=[0, 1, 2])
@RegisterPForWithArgs("MaxPoolGradGrad", dims=[0, 1, 2])
@RegisterPForWithArgs("SoftmaxCrossEntropyWithLogits", dims=[0, 1])
def _one_batch(pfor_input: PForInput, op_type: str, dims: Sequence[int]) -> Any:
    """The batches of all iterations as one."""
    found = pfor_input.again(pfor_input.flattened(dims)).outputs
    n = pfor_input.length
    parts = [unflatten_first(x, n) for x in found]
    return [wrap(x) for x in parts]


@RegisterPForWithArgs("Conv2DBackpropInput", flatten_dims=[2], shape_dim=0)
@RegisterPForWithArgs("AvgPoolGrad", flatten_dims=[1], shape_dim=0)
def _one_batch_of_shape(
    pfor_input: PForInput, op_type: str, flatten_dims: Sequence[int], shape_dim: int
) -> Any:
    """As `_one_batch`, where an input is the shape of the result."""
    inputs = pfor_input.flattened(flatten_dims)
    n = pfor_input.length
    ones = array_ops.ones([shape_ops.shape(inputs[shape_dim])[0] - 1], dtype=n.dtype)
    inputs[shape_dim] *= array_ops.concat([n, ones], axis=0)
    parts = [unflatten_first(x, n) for x in pfor_input.again(inputs).outputs]
    return [wrap(x) for x in parts]


# What `_into_channels` made of a tensor, by graph, so that it is made once.
_channels: weakref.WeakKeyDictionary[Any, dict[Any, Any]] = weakref.WeakKeyDictionary()


def _into_channels(x: Any, data_format: bytes) -> Any:
    """Stacked images with those of all iterations as channels of one batch; with the order and
    the shape that lead back."""
    made = _channels.setdefault(ops.get_default_graph(), {})
    key = (x.experimental_ref(), data_format)
    if key not in made:
        shape = shape_ops.shape(x)
        if data_format == b"NCHW":
            order = back = [1, 0, 2, 3, 4]
            merged = array_ops.concat([shape[1:2], [-1], shape[3:]], axis=0)
        else:
            order, back = [1, 2, 3, 0, 4], [3, 0, 1, 2, 4]
            merged = array_ops.concat([shape[1:4], [-1]], axis=0)
        turned = array_ops.transpose(x, order)
        turned_shape = shape_ops.shape(turned)
        made[key] = shape_ops.reshape(turned, merged), back, turned_shape
    return made[key]


def _out_of_channels(y: Any, back: Any, shape: Any) -> Any:
    return array_ops.transpose(shape_ops.reshape(y, shape), back)


def _normalized(pfor_input: PForInput, images: int) -> Any:
    """Batch normalization (or its gradient) of each iteration's own batch; the first `images`
    inputs are images, the others have a value for each channel."""
    pfor_input.stack_inputs()
    data_format = pfor_input.get_attr("data_format")
    inputs: list[Any] = []
    back = shape = None
    for i in range(images):
        x, back, shape = _into_channels(pfor_input.stacked_input(i), data_format)
        inputs.append(x)
    for i in range(images, pfor_input.num_inputs):
        inputs.append(shape_ops.reshape(pfor_input.stacked_input(i), [-1]))
    first, *others = pfor_input.again(inputs).outputs
    first = _out_of_channels(first, back, shape)
    n = pfor_input.length
    return [wrap(first)] + [wrap(unflatten_first(x, n)) for x in others]


@RegisterPFor("FusedBatchNormV3")
def _fused_batch_norm(pfor_input: PForInput) -> Any:
    if pfor_input.get_attr("is_training"):
        return _normalized(pfor_input, 1)
    found = pfor_input.again(pfor_input.flattened([0])).outputs
    y = unflatten_first(found[0], pfor_input.length)
    zeros = array_ops.zeros_like(pfor_input.unstacked_input(3))
    return [wrap(y)] + [wrap(zeros, False)] * 5


@RegisterPFor("FusedBatchNormGradV3")
def _fused_batch_norm_grad(pfor_input: PForInput) -> Any:
    return _normalized(pfor_input, 2)


@RegisterPFor("Conv2DBackpropFilter")
def _conv2d_backprop_filter(pfor_input: PForInput) -> Any:
    pfor_input.stack_inputs([2])
    images, sizes = pfor_input.input(0), pfor_input.unstacked_input(1)
    grads = pfor_input.stacked_input(2)
    names = ("strides", "padding", "use_cudnn_on_gpu", "data_format", "dilations")
    how = {name: pfor_input.get_attr(name) for name in names}
    if not images.is_stacked:
        grads = _into_channels(grads, how["data_format"])[0]
        n = pfor_input.length
        larger = sizes * array_ops.concat([[1, 1, 1], n], axis=0)
        found = nn_ops.conv2d_backprop_filter(images.t, larger, grads, **how)
        shape = array_ops.concat([sizes[:3], n, [-1]], axis=0)
        found = array_ops.transpose(shape_ops.reshape(found, shape), [3, 0, 1, 2, 4])
        return wrap(found)
    tf_logging.warn("Conv2DBackpropFilter uses a while_loop. Fix that!")

    def body(i: Any, array: Any) -> Any:
        x, grad = images.t[i, ...], grads[i, ...]
        found = nn_ops.conv2d_backprop_filter(x, sizes, grad, **how)
        return i + 1, array.write(i, shape_ops.expand_dims(found, 0))

    n = shape_ops.reshape(pfor_input.length, [])
    array = tensor_array_ops.TensorArray(images.t.dtype, n)
    done = while_loop(lambda i, _: math_ops.less(i, n), body, (0, array))
    return wrap(done[1].concat())


@RegisterPForWithArgs("LogSoftmax")
@RegisterPForWithArgs("Softmax")
def _softmax(pfor_input: PForInput, op_type: str) -> Any:
    return wrap(raw_ops.function(op_type)(pfor_input.stacked_input(0)))


@RegisterPFor("BiasAdd")
def _bias_add(pfor_input: PForInput) -> Any:
    data_format = pfor_input.get_attr("data_format").decode()
    first = data_format == "NCHW"
    if pfor_input.input(1).is_stacked:
        # BiasAdd takes one vector.
        pfor_input.expanddim_inputs_for_broadcast()
        x = pfor_input.input(0).t
        bias = math_cast.cast(pfor_input.stacked_input(1), x.dtype)
        if first:
            shape = shape_ops.shape(bias)
            shape = array_ops.concat([shape[:-3], shape[-1:], shape[-3:-1]], axis=0)
            bias = shape_ops.reshape(bias, shape)
        return wrap(raw_ops.Add(x=x, y=bias))
    x, bias = pfor_input.input(0).t, pfor_input.input(1).t
    if not first:
        return wrap(nn_ops.bias_add(x, bias, data_format=data_format))
    shape = shape_ops.shape(x)
    x = shape_ops.reshape(x, array_ops.concat([[-1], shape[2:]], axis=0))
    x = nn_ops.bias_add(x, bias, data_format="NCHW")
    return wrap(shape_ops.reshape(x, shape))


@RegisterPFor("BiasAddGrad")
def _bias_add_grad(pfor_input: PForInput) -> Any:
    grad = pfor_input.stacked_input(0)
    if pfor_input.get_attr("data_format") == b"NCHW":
        return wrap(math_reduce.reduce_sum(grad, axis=[1, 3, 4], keepdims=False))
    shape = shape_ops.shape(grad)
    last, first = shape[-1], shape[0]
    rows = shape_ops.reshape(grad, [first, -1, last])
    return wrap(math_reduce.reduce_sum(rows, axis=[1], keepdims=False))


def _warn_of_numbers(op_type: str) -> None:
    tf_logging.warning(
        "Note that %s inside pfor op may not give same output as inside a sequential loop.",
        op_type,
    )


@RegisterPForWithArgs("RandomUniform")
@RegisterPForWithArgs("RandomUniformInt")
@RegisterPForWithArgs("RandomStandardNormal")
@RegisterPForWithArgs("TruncatedNormal")
def _random(pfor_input: PForInput, op_type: str) -> Any:
    shape, *others = [pfor_input.unstacked_input(i) for i in range(pfor_input.num_inputs)]
    shape = array_ops.concat([pfor_input.length, shape], axis=0)
    _warn_of_numbers(op_type)
    return [wrap(x) for x in pfor_input.again([shape, *others]).outputs]


@RegisterPForWithArgs("RandomGamma")
@RegisterPForWithArgs("RandomPoissonV2")
def _random_of_parameter(pfor_input: PForInput, op_type: str) -> Any:
    shape, parameter = pfor_input.unstacked_input(0), pfor_input.input(1)
    _warn_of_numbers(op_type)
    if not parameter.is_stacked:
        shape = array_ops.concat([pfor_input.length, shape], axis=0)
        return wrap(pfor_input.again([shape, parameter.t]).outputs[0])
    found = pfor_input.again([shape, parameter.t]).outputs[0]
    place = shape_ops.shape(shape)[0]
    rank = shape_ops.rank(found)
    order = [[place], math_sums.range(0, place), math_sums.range(place + 1, rank)]
    return wrap(array_ops.transpose(found, perm=array_ops.concat(order, axis=0)))


@RegisterPForWithArgs("Multinomial")
def _multinomial(pfor_input: PForInput, op_type: str) -> Any:
    logits, count = pfor_input.input(0), pfor_input.unstacked_input(1)
    how = {name: pfor_input.get_attr(name) for name in ("seed", "seed2", "output_dtype")}
    _warn_of_numbers(op_type)
    n = pfor_input.length[0]
    if logits.is_stacked:
        rows = flatten_first_two(logits.t)
        drawn = raw_ops.Multinomial(logits=rows, num_samples=count, **how)
        return wrap(unflatten_first(drawn, [n]))
    drawn = raw_ops.Multinomial(logits=logits.t, num_samples=count * n, **how)
    return wrap(array_ops.transpose(shape_ops.reshape(drawn, [-1, n, count]), [1, 0, 2]))


@RegisterPFor("Assert")
def _assert(pfor_input: PForInput) -> Any:
    condition, *data = pfor_input.inputs
    holds = condition.t
    if condition.is_stacked:
        holds = math_reduce.reduce_all(holds)
    return pfor_input.again([holds, *(x.t for x in data)])


@RegisterPFor("Print")
def _print(pfor_input: PForInput) -> Any:
    pfor_input.stack_inputs([0])
    return [wrap(x) for x in pfor_input.again(x.t for x in pfor_input.inputs).outputs]


@RegisterPFor("DecodeCSV")
def _decode_csv(pfor_input: PForInput) -> Any:
    lines = pfor_input.stacked_input(0)
    defaults = [pfor_input.unstacked_input(i) for i in range(1, pfor_input.num_inputs)]
    columns = parsing_ops.decode_csv(
        lines,
        defaults,
        field_delim=pfor_input.get_attr("field_delim"),
        use_quote_delim=pfor_input.get_attr("use_quote_delim"),
        select_cols=pfor_input.get_attr("select_cols") or None,
    )
    return [wrap(column) for column in columns]


@RegisterPFor("ParseSingleExample")
def _parse_single_example(pfor_input: PForInput) -> Any:
    serialized = pfor_input.stacked_input(0)
    defaults = [pfor_input.unstacked_input(i) for i in range(1, pfor_input.num_inputs)]
    names = ("sparse_keys", "dense_keys", "sparse_types", "dense_shapes")
    how = {name: pfor_input.get_attr(name) for name in names}
    parsed = raw_ops.ParseExample(serialized=serialized, names=[], dense_defaults=defaults, **how)
    return [wrap(x, True, True) for x in nest.flatten(parsed)]


@RegisterPFor("StatefulPartitionedCall")
@RegisterPFor("PartitionedCall")
def _call(pfor_input: PForInput) -> Any:
    name = pfor_input.get_attr("f").name
    called = pfor_input.op.graph._get_function(name.encode())
    body, pfor = called.graph, pfor_input.pfor
    converter = PFor(
        loop_var=pfor.loop_var,
        loop_len=pfor.loop_len_vector[0],
        pfor_ops=body.get_operations(),
        all_indices=pfor.all_indices,
        all_indices_partitioned=pfor.all_indices_partitioned,
        pfor_config=pfor.pfor_config,
    )
    results: list[Any] = []

    def f(*tensors: Any) -> Any:
        for old, tensor, value in zip(body.inputs, tensors, pfor_input.inputs, strict=True):
            converter._add_conversion(old, value._replace(t=tensor))
        results[:] = [converter._convert_helper(x) for x in called._func_graph_outputs]
        return tuple(x.t for x in results)

    outputs = function.function(f)(*(x.t for x in pfor_input.inputs))
    return [
        wrap(output, x.is_stacked, x.is_sparse_stacked)
        for output, x in zip(outputs, results, strict=True)
    ]
