"""`tensorflow.python.ops.logging_ops`: printing from a graph."""

from __future__ import annotations

import logging
import os
import pprint
import random
import sys
from typing import Any

from tf1compat.api.platform import tf_logging
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, nest, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name


@tf_export("Print")
@deprecated(
    "2018-08-20",
    "Use tf.print instead of tf.Print. Note that tf.print returns a no-output operator that "
    "directly prints the output. Outside of defuns or eager mode, this operator will not be "
    "executed unless it is directly specified in session.run or used as a control dependency for "
    "other operators. This is only a concern in graph mode. Below is an example of how to ensure "
    "tf.print executes in graph mode:\n",
)
def Print(  # noqa: N802
    input_: Any, data: Any, message: str | None = None, first_n: Any = None, summarize: Any = None,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """The value of `input_`; a run that computes it prints `data` to the standard error stream.

    Args:
      input_: a tensor.
      data: a list of tensors.
      message: printed before them.
      first_n: how often to print; -1 (the default) for always.
      summarize: how many elements of each tensor are printed; 3 by default.
      name: the operation's name.

    Returns:
      A tensor like `input_`.
    """
    return raw_ops.Print(input_, data, message, first_n, summarize, name=name)


def _streams() -> dict[Any, str]:
    """What may be printed to, and what PrintV2 calls it."""
    levels = {
        "log(info)": [tf_logging.INFO, tf_logging.info, logging.INFO, logging.info],
        "log(warning)": [
            tf_logging.WARN, tf_logging.warning, tf_logging.warn, logging.WARNING, logging.WARN,
            logging.warning,
        ],
        "log(error)": [tf_logging.ERROR, tf_logging.error, logging.ERROR, logging.error],
    }  # fmt: skip
    found: dict[Any, str] = {sys.stdout: "stdout", sys.stderr: "stderr"}
    for name, keys in levels.items():
        found.update(dict.fromkeys(keys, name))
    return found


def _stream_name(output_stream: Any) -> str:
    if isinstance(output_stream, str) and output_stream.startswith("file://"):
        return output_stream
    found = _streams().get(output_stream)
    if not found:
        raise ValueError(
            f"Unsupported output stream, logging level, or file.{output_stream}. Supported streams "
            "are sys.stdout, sys.stderr, tf.logging.info, tf.logging.warning, tf.logging.error. "
            "File needs to be in the form of 'file://<filepath>'."
        )
    return found


def _placeholder_not_in(text: str) -> str:
    placeholder = "{}"
    generator = random.Random(5)
    while placeholder in text:
        placeholder += str(generator.randint(0, 9))
    return placeholder


@tf_export("print")
def print_v2(*inputs: Any, **kwargs: Any) -> Any:
    """An operation that prints tensors and other Python values.

    Args:
      *inputs: tensors, strings, or (nested) structures of tensors and other values.
      output_stream: sys.stdout, sys.stderr (the default), a function or level of tf.logging, or a
        string `file://path`.
      summarize: how many elements are printed at each end of each dimension; 3 by default, -1 for
        all.
      sep: printed between the inputs.
      end: printed after them.
      name: the operation's name.

    Returns:
      An operation; only runs that depend on it print.

    Raises:
      ValueError: another stream, or an unknown argument.
    """
    settings = {
        "output_stream": sys.stderr, "name": None, "summarize": 3, "sep": " ", "end": os.linesep,
    }  # fmt: skip
    unknown = {key: value for key, value in kwargs.items() if key not in settings}
    if unknown:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {unknown}")
    settings.update(kwargs)
    stream = _stream_name(settings["output_stream"])
    name = settings["name"]
    only = inputs[0] if len(inputs) == 1 else None
    if isinstance(only, Tensor) and only.shape.ndims == 0 and only.dtype == dtypes.string:
        text = only
    else:
        text_name = f"{name}_format" if name else None
        text = _formatted(inputs, settings["sep"], settings["summarize"], text_name)
    return raw_ops.PrintV2(text, output_stream=stream, end=settings["end"], name=name)


def _formatted(inputs: tuple[Any, ...], sep: str, summarize: int, name: Name) -> Tensor:
    """A string tensor that shows the inputs as `pprint` would."""
    without = nest.map_structure(lambda x: "" if tensor_util.is_tensor(x) else x, inputs)
    placeholder = _placeholder_not_in(" ".join(pprint.pformat(x) for x in without))
    tensors: list[Any] = []
    templates = []
    for item in inputs:
        shown: list[Any] = []
        for x in nest.flatten(item):
            if isinstance(x, SparseTensor):
                tensors += [x.indices, x.values, x.dense_shape]
                p = placeholder
                shown.append(f"SparseTensor(indices={p}, values={p}, shape={p})")
            elif tensor_util.is_tensor(x):
                tensors.append(x)
                shown.append(placeholder)
            else:
                shown.append(x)
        if isinstance(item, str):
            templates.append(item)
        else:
            templates.append(pprint.pformat(nest.pack_sequence_as(item, shown)))
    template = sep.join(templates).replace(f"'{placeholder}'", placeholder)
    if template.count(placeholder) != len(tensors):
        raise ValueError(
            f"{template.count(placeholder)} placeholder(s) in template does not match "
            f"{len(tensors)} tensor(s) provided as input"
        )
    return raw_ops.StringFormat(
        tensors, template=template, placeholder=placeholder, summarize=summarize, name=name
    )
