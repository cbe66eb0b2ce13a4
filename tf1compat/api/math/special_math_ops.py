"""`tensorflow.python.ops.special_math_ops`: einsum, and functions made of special functions."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


@tf_export("math.lbeta", "lbeta")
def lbeta(x: TensorLike, name: Name = None) -> Tensor:
    """The log of the absolute value of the multivariate beta function, along the last dimension.

    Args:
      x: a floating-point tensor [..., n].
      name: the operation's name.

    Returns:
      A tensor [...].
    """
    with ops.name_scope(name, "lbeta", [x]):
        x = ops.convert_to_tensor(x, name="x")
        of_elements = math_ops.reduce_sum(math_ops.lgamma(x), axis=[-1])
        return of_elements - math_ops.lgamma(math_ops.reduce_sum(x, axis=[-1]))


@tf_export("math.bessel_i0")
def bessel_i0(x: TensorLike, name: Name = None) -> Tensor:
    """The modified Bessel function of order 0, elementwise.

    Args:
      x: float16, float32 or float64.
      name: the operation's name.

    Returns:
      A tensor like `x`.
    """
    return _unscaled(name, "bessel_i0", math_ops.bessel_i0e, x)


@tf_export("math.bessel_i1")
def bessel_i1(x: TensorLike, name: Name = None) -> Tensor:
    """The modified Bessel function of order 1, elementwise.

    Args:
      x: float16, float32 or float64.
      name: the operation's name.

    Returns:
      A tensor like `x`.
    """
    return _unscaled(name, "bessel_i1", math_ops.bessel_i1e, x)


def _unscaled(
    name: Name, default_name: str, scaled: Callable[[Any], Tensor], x: TensorLike
) -> Tensor:
    """A function of which there is one that is divided by exp |x|, lest it overflow."""
    with ops.name_scope(name, default_name, [x]):
        return math_ops.exp(math_ops.abs(x)) * scaled(x)


@tf_export("einsum", "linalg.einsum")
def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """Products of tensors summed over dimensions, in Einstein's notation (as in TF 1.15).

    Args:
      equation: e.g. "ij,jk->ik": a letter for each dimension of each input, and of the output;
        "..." stands for any number of dimensions. Without "->", the output has the letters that
        occur once, in alphabetical order.
      *inputs: tensors.
      **kwargs: name, the name scope.

    Returns:
      A tensor.

    Raises:
      ValueError: the equation is wrong, or does not fit the inputs.
    """
    name = kwargs.pop("name", None)
    if kwargs:
        wrong = ", ".join(sorted(kwargs))
        raise TypeError(f"invalid keyword arguments for this function: {wrong}")
    with ops.name_scope(name, "einsum", [equation, inputs]):
        tensors = list(inputs)
        labels, output = _parse(equation, [x.get_shape() for x in tensors])
        letters = sorted(set("".join(labels) + output))
        for letter in letters:
            for axes in labels:
                is_trace = axes.count(letter) == 2 and axes == axes[::-1] and "->" not in equation
                if len(labels) == 1 and is_trace:
                    return math_ops.trace(tensors[0])
                if axes.count(letter) > 1:
                    raise ValueError(
                        f"Subscript not supported: an axis appears more than once: {axes}"
                    )
        for letter in letters:
            if letter not in output and sum(letter in axes for axes in labels) > 2:
                tf_logging.warning(
                    "Falling back to exponential-space implementation of einsum()"
                    ' because index "%s" is summed over more than two inputs.',
                    letter,
                )
                return _one_product(equation, tensors)
        product, axes = tensors[0], labels[0]
        for tensor, other in zip(tensors[1:], labels[1:], strict=True):
            summed = set(axes) & (set(other) - set(output))
            product, axes = _contract(product, axes, tensor, other, summed)
        rest = [i for i, letter in enumerate(axes) if letter not in output]
        if rest:
            product = math_ops.reduce_sum(product, axis=rest)
            axes = "".join(letter for letter in axes if letter in output)
        if sorted(axes) != sorted(output):
            raise ValueError(f"Invalid equation: {equation}")
        return _transposed(product, [axes.index(letter) for letter in output])


def _parse(equation: str, shapes: list[Any]) -> tuple[list[str], str]:
    """The letters of each input's dimensions, and of the output's.

    An ellipsis becomes letters that are not used.
    """
    equation = equation.replace(" ", "")
    match = re.match(r"^([a-zA-Z,.]+)(->[a-zA-Z.]*)?$", equation)
    if not match:
        raise ValueError(f"Indices have incorrect format: {equation}")
    labels = match.group(1).split(",")
    output = match.group(2)[2:] if match.group(2) else None
    if len(shapes) != len(labels):
        raise ValueError(
            f'Got {len(shapes)} arguments for equation "{equation}", expecting {len(labels)}'
        )
    ellipsis = ""
    if "..." in equation:
        used = "".join(labels)
        unused = "".join(letter for letter in string.ascii_letters if letter not in used)
        for i, axes in enumerate(labels):
            if "..." not in axes:
                continue
            letters = _ellipsis_letters(axes, shapes[i], unused)
            labels[i] = axes.replace("...", letters)
            ellipsis = max(ellipsis, letters, key=len)
        if any("." in axes for axes in labels):
            raise ValueError('period "." found outside of ellipsis')
        if output is not None:
            output = output.replace("...", ellipsis)
            if "." in output:
                raise ValueError('period "." found outside of ellipsis')
    if output is None:
        joined = "".join(labels)
        once = (letter for letter in set(joined) - set(ellipsis) if joined.count(letter) == 1)
        output = ellipsis + "".join(sorted(once))
    return labels, output


def _ellipsis_letters(axes: str, shape: Any, unused: str) -> str:
    parts = axes.split("...")
    if len(parts) != 2:
        raise ValueError("Unable to resolve ellipsis. Excess number found.")
    if shape.ndims is None:
        raise ValueError("Unable to statically infer ellipsis axes.")
    count = shape.ndims - len("".join(parts))
    if count < 0:
        raise ValueError("Ellipses lengths do not match.")
    if len(unused) < count:
        raise ValueError("Unable to resolve ellipsis, too many distinct labels.")
    return unused[-count:] if count > 0 else ""


def _contract(
    a: Tensor, a_axes: str, b: Tensor, b_axes: str, summed: set[str]
) -> tuple[Tensor, str]:
    """The product of two tensors, summed over the axes `summed` that they share, and its axes."""
    for i, (tensor, axes) in enumerate(((a, a_axes), (b, b_axes))):
        rank = len(tensor.get_shape())
        if len(axes) != rank:
            raise ValueError(
                f"Tensor t{i} of rank {rank} does not match einsum reduction of length {len(axes)}"
            )
    kept = (set(a_axes) & set(b_axes)) - summed
    a_free, b_free = set(a_axes) - kept - summed, set(b_axes) - kept - summed
    # First what both keep; then a has its own axes before the summed ones, b after them.
    a_order = sorted(a_axes, key=lambda x: (-1 if x in kept else 0 if x in a_free else 1, x))
    b_order = sorted(b_axes, key=lambda x: (-1 if x in kept else 0 if x in summed else 1, x))
    a = _transposed(a, [a_axes.find(letter) for letter in a_order])
    b = _transposed(b, [b_axes.find(letter) for letter in b_order])
    shared = len(kept)
    if not summed:
        for _ in b_free:
            a = array_ops.expand_dims(a, -1)
        for _ in a_free:
            b = array_ops.expand_dims(b, shared)
        return math_ops.multiply(a, b), "".join(a_order + b_order[shared:])
    count = len(summed)
    a_shape = _sizes(a)
    a_size = _total(a_shape[shared:-count])
    summed_size = _total(a_shape[-count:])
    a = _reshaped(a, [*a_shape[:shared], a_size, summed_size])
    b_shape = _sizes(b)
    b_size = _total(b_shape[shared + count :])
    b = _reshaped(b, [*b_shape[:shared], summed_size, b_size])
    product = math_ops.matmul(a, b)
    a_end, b_start = shared + len(a_free), len(b_shape) - len(b_free)
    product = _reshaped(product, a_shape[:a_end] + b_shape[b_start:])
    return product, "".join(a_order[:a_end] + b_order[b_start:])


def _transposed(tensor: Tensor, perm: list[int]) -> Tensor:
    return tensor if perm == sorted(perm) else array_ops.transpose(tensor, perm=perm)


def _reshaped(tensor: Tensor, shape: list[Any]) -> Tensor:
    """`tensor` with another shape; itself, if it has that already as far as is known."""
    current = tensor.get_shape().as_list()
    wanted = tuple(-1 if size is None else size for size in shape)
    if len(wanted) == len(current) and all(
        not isinstance(new, Tensor) and (old == new or new == -1)
        for old, new in zip(current, wanted, strict=True)
    ):
        return tensor
    return array_ops.reshape(tensor, wanted)


def _sizes(tensor: Tensor) -> list[Any]:
    """The sizes of the dimensions: integers, and tensors where they are not known."""
    sizes = tensor.get_shape().as_list()
    if None in sizes:
        dynamic = array_ops.shape(tensor)
        sizes = [dynamic[i] if size is None else size for i, size in enumerate(sizes)]
    return sizes


def _total(sizes: list[Any]) -> Any:
    result: Any = 1
    for size in sizes:
        result *= size
    return result


def _one_product(equation: str, tensors: list[Any]) -> Tensor:
    """The product of all inputs, each spread over all axes, then summed."""
    found, output = _parse(equation, [x.get_shape() for x in tensors])
    labels: list[Any] = list(found)
    letters = set("".join(found) + output)
    order = {letter: i for i, letter in enumerate(sorted(letters - set(output)))}
    for letter in output:
        order[letter] = len(order)
    for i, (tensor, axes) in enumerate(zip(tensors, found, strict=True)):
        if tensor.get_shape().ndims != len(axes):
            raise ValueError(
                f"Input {i} with axes {axes} has incorrect number of dimensions (expected "
                f"{len(axes)}, got {tensor.get_shape().ndims})"
            )
        if len(set(axes)) != len(axes):
            raise ValueError(f"Subscript not supported: an axis appears more than once: {axes}")
        ordered = sorted(axes, key=order.__getitem__)
        if list(axes) != ordered:
            tensors[i] = array_ops.transpose(tensor, [axes.find(letter) for letter in ordered])
            labels[i] = ordered
    shapes = [[size or -1 for size in tensor.get_shape().as_list()] for tensor in tensors]
    summed = []
    for j, letter in enumerate(sorted(letters, key=order.__getitem__)):
        sizes = set()
        for axes, shape in zip(labels, shapes, strict=True):
            if letter not in axes:
                shape.insert(j, 1)
            elif shape[j] > 1:
                sizes.add(shape[j])
        if len(sizes) > 1:
            raise ValueError(f"Dimension mismatch on axis: {letter}")
        if letter not in output:
            summed.append(j)
    spread = [array_ops.reshape(x, shape) for x, shape in zip(tensors, shapes, strict=True)]
    product: Any = 1
    for tensor in spread:
        product *= tensor
    return math_ops.reduce_sum(product, summed)
