"""`tensorflow.python.tools.saved_model_cli`: shows and runs what is in a SavedModel."""

from __future__ import annotations

import argparse
import os
import re
import sys
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tf1compat.api.framework import meta_graph
from tf1compat.api.lib.io import file_io
from tf1compat.api.saved_model import load, loader_impl, save
from tf1compat.api.tools import saved_model_utils
from tf1compat.core.export import required
from tf1compat.core.graph import Graph
from tf1compat.core.type_spec import TensorSpec
from tf1compat.formats import example_pb2

# What a graph had better not do to the machine that runs it.
_OP_BLACKLIST = {"WriteFile", "ReadFile", "PrintV2"}

# What is evaluated on a command line knows NumPy, as it does in TF.
_NAMES_OF_EXPRESSIONS = {"np": np, "os": os, "re": re, "sys": sys, "warnings": warnings}


def _show_tag_sets(saved_model_dir: str) -> None:
    print("The given SavedModel contains the following tag-sets:")
    for tags in sorted(saved_model_utils.get_saved_model_tag_sets(saved_model_dir)):
        print(", ".join(sorted(tags)))


def _show_signature_def_map_keys(saved_model_dir: str, tag_set: str) -> None:
    keys = sorted(get_signature_def_map(saved_model_dir, tag_set))
    print("The given SavedModel MetaGraphDef contains SignatureDefs with the following keys:")
    for key in keys:
        print(f'SignatureDef key: "{key}"')


def _get_inputs_tensor_info_from_meta_graph_def(meta_graph_def: Any, signature_def_key: str) -> Any:
    return meta_graph_def.signature_def[signature_def_key].inputs


def _get_outputs_tensor_info_from_meta_graph_def(
    meta_graph_def: Any, signature_def_key: str
) -> Any:
    return meta_graph_def.signature_def[signature_def_key].outputs


def _show_inputs_outputs(
    saved_model_dir: str, tag_set: str, signature_def_key: str, indent: int = 0
) -> None:
    graph = saved_model_utils.get_meta_graph_def(saved_model_dir, tag_set)
    signature = graph.signature_def[signature_def_key]
    left = "  " * indent
    for kind, infos in (("input", signature.inputs), ("output", signature.outputs)):
        print(f"{left}The given SavedModel SignatureDef contains the following {kind}(s):")
        for key in sorted(infos):
            print(f"{left}  {kind}s['{key}'] tensor_info:")
            _print_tensor_info(infos[key], indent + 1)
    print(f"{left}Method name is: {signature.method_name}")


def _print_tensor_info(tensor_info: Any, indent: int = 0) -> None:
    left = "  " * (indent + 2)
    from tensorboard.compat.proto import types_pb2

    data_type: Any = types_pb2.DataType  # pyright: ignore[reportAttributeAccessIssue]
    shape = "unknown_rank"
    if not tensor_info.tensor_shape.unknown_rank:
        shape = f"({', '.join(str(dim.size) for dim in tensor_info.tensor_shape.dim)})"
    print(f"{left}dtype: {data_type.Name(tensor_info.dtype)}")
    print(f"{left}shape: {shape}")
    print(f"{left}name: {tensor_info.name}")


def _show_defined_functions(saved_model_dir: str) -> None:
    """Prints the functions of the objects in a SavedModel, if it has objects."""
    graphs = saved_model_utils.read_saved_model(saved_model_dir).meta_graphs
    if not any(graph.HasField("object_graph_def") for graph in graphs):
        return
    with Graph().as_default():
        loaded = load.load(saved_model_dir)
    print("\nDefined Functions:", end="")
    functions = save._AugmentedGraphView(loaded).list_functions(loaded)
    for name in sorted(functions):
        print(f"\n  Function Name: '{name}'")
        recorded = functions[name]._list_all_concrete_functions_for_serialization()
        for number, function in enumerate(sorted(recorded, key=lambda f: f.name), 1):
            args, kwargs = function.structured_input_signature
            print(f"    Option #{number}")
            print("      Callable with:")
            _print_args(args, indent=4)
            if kwargs:
                _print_args(kwargs, "Named Argument", indent=4)


def _print_args(arguments: Iterable[Any], argument_type: str = "Argument", indent: int = 0) -> None:
    left = "  " * indent
    for number, element in enumerate(arguments, 1):
        if indent == 4:
            print(f"{left}{argument_type} #{number}")
        if isinstance(element, TensorSpec):
            print(f"{left}  {element.name}: {element!r}")
            continue
        print(f"{left}  DType: {type(element).__name__}")
        if isinstance(element, dict):
            items = "".join(f"'{key}': {_quoted(value)}, " for key, value in element.items())
            # Going back over the last comma is what TF prints.
            print(f"{left}  Value: {{{items}\b\b}}")
        elif isinstance(element, Iterable):
            print(f"{left}  Value: [{''.join(f'{_quoted(value)}, ' for value in element)}\b\b]")
        else:
            print(f"{left}  Value: {element}")


def _quoted(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def _show_all(saved_model_dir: str) -> None:
    for tags in sorted(saved_model_utils.get_saved_model_tag_sets(saved_model_dir)):
        print(
            f"\nMetaGraphDef with tag-set: '{', '.join(tags)}' contains the following "
            "SignatureDefs:"
        )
        tag_set = ",".join(tags)
        for key in sorted(get_signature_def_map(saved_model_dir, tag_set)):
            print(f"\nsignature_def['{key}']:")
            _show_inputs_outputs(saved_model_dir, tag_set, key, indent=1)
    _show_defined_functions(saved_model_dir)


def get_meta_graph_def(saved_model_dir: str, tag_set: str) -> Any:
    """`saved_model_utils.get_meta_graph_def`.

    Args:
      saved_model_dir: the folder.
      tag_set: the tags, separated by commas.
    """
    return saved_model_utils.get_meta_graph_def(saved_model_dir, tag_set)


def get_signature_def_map(saved_model_dir: str, tag_set: str) -> Any:
    """The signatures of a graph in a SavedModel.

    Args:
      saved_model_dir: the folder.
      tag_set: the graph's tags, separated by commas.

    Returns:
      {key: `SignatureDef`}.
    """
    return saved_model_utils.get_meta_graph_def(saved_model_dir, tag_set).signature_def


def scan_meta_graph_def(meta_graph_def: Any) -> None:
    """Prints which of a graph's op types write files or print.

    Args:
      meta_graph_def: a `MetaGraphDef`.
    """
    found = _OP_BLACKLIST & set(meta_graph.ops_used_by_graph_def(meta_graph_def.graph_def))
    head = f"MetaGraph with tag set {meta_graph_def.meta_info_def.tags}"
    if found:
        print(f"{head} contains the following blacklisted ops:", found)
    else:
        print(f"{head} does not contain blacklisted ops.")


def run_saved_model_with_feed_dict(
    saved_model_dir: str,
    tag_set: str,
    signature_def_key: str,
    input_tensor_key_feed_dict: Mapping[str, Any],
    outdir: str | None,
    overwrite_flag: bool,
    worker: str | None = None,
    init_tpu: bool | None = False,
    tf_debug: bool = False,
) -> None:
    """Runs a signature of a SavedModel, and prints and saves what it gives.

    Args:
      saved_model_dir: the folder.
      tag_set: the graph's tags, separated by commas.
      signature_def_key: the signature.
      input_tensor_key_feed_dict: arrays by the keys of the signature's inputs.
      outdir: where the results are written, one `.npy` file for each key; nowhere if empty.
      overwrite_flag: whether files that are there may be replaced.
      worker: the session's target.
      init_tpu: whether TPUs are initialized first.
      tf_debug: whether it is run in the debugger.

    Raises:
      ValueError: the signature has no input of some key.
      RuntimeError: a file is there already.
    """
    signature = saved_model_utils.get_meta_graph_def(saved_model_dir, tag_set).signature_def[
        signature_def_key
    ]
    for key in input_tensor_key_feed_dict:
        if key not in signature.inputs:
            known = '"' + '", "'.join(signature.inputs) + '"'
            raise ValueError(
                f'"{key}" is not a valid input key. Please choose from {known}, or use --show '
                "option."
            )
    feeds = {signature.inputs[key].name: v for key, v in input_tensor_key_feed_dict.items()}
    keys = sorted(signature.outputs)
    with required("Session")(worker, graph=Graph()) as session:
        if init_tpu:
            print("Initializing TPU System ...")
            session.run(required("contrib.tpu.initialize_system")())
        loader_impl.load(session, tag_set.split(","), saved_model_dir)
        if tf_debug:
            from tf1compat.api.debug.wrappers.local_cli_wrapper import LocalCLIDebugWrapperSession

            session = LocalCLIDebugWrapperSession(session)
        names = [signature.outputs[key].name for key in keys]
        for key, value in zip(keys, session.run(names, feed_dict=feeds), strict=True):
            print(f"Result for output key {key}:\n{value}")
            if outdir:
                _save_output(outdir, key, value, overwrite_flag)


def _save_output(folder: str, key: str, value: Any, overwrites: bool) -> None:
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{key}.npy")
    if not overwrites and os.path.exists(path):
        raise RuntimeError(
            f'Output file {path} already exists. Add "--overwrite" to overwrite the existing '
            "output files."
        )
    np.save(path, value)
    print(f"Output {key} is saved to {path}")


def preprocess_inputs_arg_string(inputs_str: str) -> dict[str, tuple[str, str | None]]:
    """Reads text such as "x=a.npz[v];y=b.npy".

    Args:
      inputs_str: the text.

    Returns:
      The file of each input, and the name in it, or None.

    Raises:
      RuntimeError: a part has another form.
    """
    found: dict[str, tuple[str, str | None]] = {}
    for part in filter(None, inputs_str.split(";")):
        match = re.match(r"([^=]+)=([^\[\]]+)(?:\[([^\[\]]+)\])?$", part)
        if match is None:
            raise RuntimeError(
                f'--inputs "{part}" format is incorrect. Please follow'
                '"<input_key>=<filename>", or"<input_key>=<filename>[<variable_name>]"'
            )
        found[match[1]] = match[2], match[3]
    return found


def preprocess_input_exprs_arg_string(input_exprs_str: str) -> dict[str, Any]:
    """Evaluates text such as "x=np.ones(2);y=[3]".

    Args:
      input_exprs_str: the text.

    Returns:
      The value of each input.

    Raises:
      RuntimeError: it has another form.
    """
    found = {}
    for part in filter(None, input_exprs_str.split(";")):
        if "=" not in input_exprs_str:
            raise RuntimeError(
                f'--input_exprs "{input_exprs_str}" format is incorrect. Please follow'
                '"<input_key>=<python expression>"'
            )
        key, expression = part.split("=", 1)
        found[key] = eval(expression, dict(_NAMES_OF_EXPRESSIONS))
    return found


def preprocess_input_examples_arg_string(input_examples_str: str) -> dict[str, list[bytes]]:
    """Reads text such as 'x=[{"age": [22, 24]}]'.

    Args:
      input_examples_str: the text.

    Returns:
      The serialized `tf.train.Example`s of each input.

    Raises:
      ValueError: an input is no list, or a feature none that an example can hold.
    """
    found = preprocess_input_exprs_arg_string(input_examples_str)
    for key, examples in found.items():
        if not isinstance(examples, list):
            raise ValueError(
                f'tf.Example input must be a list of dictionaries, but "{examples}" is '
                f"{type(examples)}"
            )
        found[key] = [_create_example_string(example) for example in examples]
    return found


def _create_example_string(example_dict: Mapping[str, Any]) -> bytes:
    example: Any = example_pb2.Example()
    for name, values in example_dict.items():
        if not isinstance(values, list):
            raise ValueError(
                f'feature value must be a list, but {name}: "{values}" is {type(values)}'
            )
        feature = example.features.feature[name]
        if isinstance(values[0], float):
            feature.float_list.value.extend(values)
        elif isinstance(values[0], str):
            feature.bytes_list.value.extend(values)
        elif isinstance(values[0], int):
            feature.int64_list.value.extend(values)
        else:
            raise ValueError(
                f"Type {type(values[0])} for value {values[0]} is not supported for "
                "tf.train.Feature."
            )
    return example.SerializeToString()


def load_inputs_from_input_arg_string(
    inputs_str: str, input_exprs_str: str, input_examples_str: str
) -> dict[str, Any]:
    """The inputs that a command line gives, in files, as expressions or as examples.

    Args:
      inputs_str: see `preprocess_inputs_arg_string`.
      input_exprs_str: see `preprocess_input_exprs_arg_string`; these replace what files give.
      input_examples_str: see `preprocess_input_examples_arg_string`; these replace both.

    Returns:
      The value of each input.

    Raises:
      RuntimeError: a file has none of that name, or several and none is named.
    """
    files = preprocess_inputs_arg_string(inputs_str)
    expressions = preprocess_input_exprs_arg_string(input_exprs_str)
    examples = preprocess_input_examples_arg_string(input_examples_str)
    found = {key: _loaded(path, name) for key, (path, name) in files.items()}
    for key, value in expressions.items():
        if key in found:
            warnings.warn(
                f"input_key {key} has been specified with both --inputs and --input_exprs options."
                " Value in --input_exprs will be used.",
                stacklevel=2,
            )
        found[key] = value
    for key, value in examples.items():
        if key in found:
            warnings.warn(
                f"input_key {key} has been specified in multiple options. Value in "
                "--input_examples will be used.",
                stacklevel=2,
            )
        found[key] = value
    return found


def _loaded(path: str, name: str | None) -> Any:
    data: Any = np.load(file_io.FileIO(path, mode="rb"), allow_pickle=True)
    if name is None:
        if not isinstance(data, np.lib.npyio.NpzFile):
            return data
        if len(data.files) != 1:
            raise RuntimeError(
                f"Input file {path} contains more than one ndarrays. Please specify the name of "
                "ndarray to use."
            )
        return data[data.files[0]]
    if isinstance(data, np.ndarray):
        warnings.warn(
            f'Input file {path} contains a single ndarray. Name key "{name}" ignored.',
            stacklevel=3,
        )
        return data
    if name not in data:
        raise RuntimeError(f'Input file {path} does not contain variable with name "{name}".')
    return data[name]


def show(args: argparse.Namespace) -> None:
    """The command `show`.

    Args:
      args: the command line, parsed.
    """
    if args.all:
        _show_all(args.dir)
    elif args.tag_set is None:
        _show_tag_sets(args.dir)
    elif args.signature_def is None:
        _show_signature_def_map_keys(args.dir, args.tag_set)
    else:
        _show_inputs_outputs(args.dir, args.tag_set, args.signature_def)


def run(args: argparse.Namespace) -> None:
    """The command `run`.

    Args:
      args: the command line, parsed.

    Raises:
      AttributeError: it gives no inputs.
    """
    if not args.inputs and not args.input_exprs and not args.input_examples:
        raise AttributeError(
            "At least one of --inputs, --input_exprs or --input_examples must be required"
        )
    run_saved_model_with_feed_dict(
        args.dir,
        args.tag_set,
        args.signature_def,
        load_inputs_from_input_arg_string(args.inputs, args.input_exprs, args.input_examples),
        args.outdir,
        args.overwrite,
        worker=args.worker,
        init_tpu=args.init_tpu,
        tf_debug=args.tf_debug,
    )


def scan(args: argparse.Namespace) -> None:
    """The command `scan`.

    Args:
      args: the command line, parsed.
    """
    if args.tag_set:
        graphs = [saved_model_utils.get_meta_graph_def(args.dir, args.tag_set)]
    else:
        graphs = saved_model_utils.read_saved_model(args.dir).meta_graphs
    for graph in graphs:
        scan_meta_graph_def(graph)


def convert_with_tensorrt(args: argparse.Namespace) -> None:
    """The command `convert tensorrt`.

    Args:
      args: the command line, parsed.

    Raises:
      NotImplementedError: always, as there is no TensorRT.
    """
    required("contrib.tensorrt.create_inference_graph")(
        None,
        None,
        max_batch_size=args.max_batch_size,
        max_workspace_size_bytes=args.max_workspace_size_bytes,
        precision_mode=args.precision_mode,
        minimum_segment_size=args.minimum_segment_size,
        is_dynamic_op=args.is_dynamic_op,
        input_saved_model_dir=args.dir,
        input_saved_model_tags=args.tag_set.split(","),
        output_saved_model_dir=args.output_dir,
    )


def create_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(
        description="saved_model_cli: Command-line interface for SavedModel"
    )
    parser.add_argument("-v", "--version", action="version", version="0.1.0")
    commands = parser.add_subparsers(
        title="commands", description="valid commands", help="additional help"
    )
    for name, function, text in (
        ("show", show, "Prints the tag sets, signatures, inputs and outputs of a SavedModel."),
        ("run", run, "Runs a signature of a SavedModel on inputs from files or expressions."),
        ("scan", scan, "Says whether a SavedModel has operations that write files or print."),
    ):
        command = commands.add_parser(name, description=text)
        command.add_argument("--dir", required=True, help="the folder of the SavedModel")
        command.add_argument(
            "--tag_set", required=name == "run", help="the tags of a graph, separated by ','"
        )
        command.set_defaults(func=function)
        if name == "show":
            command.add_argument("--all", action="store_true", help="print all that there is")
        if name != "scan":
            command.add_argument(
                "--signature_def",
                required=name == "run",
                metavar="SIGNATURE_DEF_KEY",
                help="the key of a signature",
            )
        if name == "run":
            _add_options_of_run(command)
    convert = commands.add_parser("convert", description="Writes a SavedModel in another form.")
    for option in ("--dir", "--output_dir", "--tag_set"):
        convert.add_argument(option, required=True)
    tensorrt = convert.add_subparsers(
        title="conversion methods", description="valid conversion methods"
    ).add_parser("tensorrt", description="With TensorRT's operations.")
    for option, kind, default in (
        ("--max_batch_size", int, 1),
        ("--max_workspace_size_bytes", int, 2 << 20),
        ("--precision_mode", str, "FP32"),
        ("--minimum_segment_size", int, 3),
        ("--is_dynamic_op", bool, False),
    ):
        tensorrt.add_argument(option, type=kind, default=default)
    tensorrt.set_defaults(func=convert_with_tensorrt)
    return parser


def _add_options_of_run(command: argparse.ArgumentParser) -> None:
    for option, text in (
        ("--inputs", "<input_key>=<file> or <input_key>=<file>[<name>], separated by ';'"),
        ("--input_exprs", "<input_key>=<python expression>, separated by ';'; np is NumPy"),
        ("--input_examples", "<input_key>=[{feature: values}], separated by ';'"),
    ):
        command.add_argument(option, default="", help=text)
    command.add_argument("--outdir", help="the folder that results are written to")
    command.add_argument("--overwrite", action="store_true", help="replace files that are there")
    command.add_argument("--tf_debug", action="store_true", help="run in the debugger")
    command.add_argument("--worker", help="the session's target")
    command.add_argument(
        "--init_tpu", action="store_true", default=None, help="initialize TPUs first"
    )


def main() -> None:
    """The command line's entry point."""
    parser = create_parser()
    args = parser.parse_args()
    if not hasattr(args, "func"):
        parser.error("too few arguments")
    args.func(args)
