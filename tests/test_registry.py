"""Walks all that is registered: every op type has a row in the op table and TF's gradient, every
public function TF's signature."""

from __future__ import annotations

import ast
import enum
import functools
import inspect
import re
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import update_readme
from op_table import batch

from tf1compat.core import api_names, export, op_registry

TESTS = Path(__file__).parent

# Kernel files whose op types are tested elsewhere, and where.
ELSEWHERE: dict[str, str] = {
    "accumulators": "api/test_accumulators.py",
    "boosted_trees": "api/test_boosted_trees.py",
    "boosted_trees_quantiles": "api/test_boosted_trees.py",
    "boosted_trees_stats": "api/test_boosted_trees.py",
    "collective": "kernels/test_collective.py",
    "binomial": "api/test_rare_ops.py",
    "data_statistics": "api/test_rare_ops.py",
    "data_experimental": "api/test_data_op_cases.py",
    "data_files": "api/test_data.py",
    "data_functions": "api/test_data.py",
    "data_iterators": "api/test_data.py",
    "data_values": "api/test_data.py",
    "ffmpeg": "kernels/test_ffmpeg.py",
    "cudnn_rnn": "api/test_cudnn_rnn.py",
    "functional": "api/test_function.py",
    "functional_control": "api/test_flow_v2.py",
    "horovod": "launcher/test_horovod.py",
    "libsvm": "api/test_contrib_rest.py",
    "nearest_neighbor": "api/test_contrib_rarest.py",
    "logging": "kernels/test_logging.py",
    "lookup": "api/test_resources.py",
    "loop_nodes": "api/test_while_loop.py",
    "batching": "api/test_op_cases.py",
    "barriers": "api/test_contrib_training.py",
    "checkpoint": "api/test_checkpoints.py",
    "multi_device_iterator": "api/test_data_op_cases.py",
    "mutex": "api/test_critical_section.py",
    "process": "kernels/test_process.py",
    "proto": "api/test_proto.py",
    "quantile_accumulators": "test_snippets.py",
    "queues": "api/test_resources.py",
    "reduce_slice": "test_snippets.py",
    "removed": "api/test_op_cases.py",
    "random": "kernels/test_random.py",
    "readers": "api/test_resources.py",
    "sets": "kernels/test_sets.py",
    "skip_gram": "api/test_contrib_rest.py",
    "stack": "api/test_control_flow.py",
    "session_tensors": "api/test_op_cases.py",
    "staging": "api/test_op_cases.py",
    "stereograms": "test_snippets.py",
    "stats_accumulators": "test_snippets.py",
    "stateful_random": "api/test_op_cases.py",
    "tensor_array": "api/test_while_loop.py",
    "test_ops": "api/test_internal_names.py",
    "vocab_remapping": "api/test_columns.py",
    "summary_writers": "api/test_contrib_summary.py",
    "tensor_array_old": "api/test_loops.py",
    "tensor_forest": "api/test_contrib_forest.py",
    "xla": "kernels/test_xla.py",
    "xla_windows": "kernels/test_xla.py",
    "rpc": "test_snippets.py",
}
_REFUSED = "TensorFlow 1.15 refuses to record it any more"
# Op types that the table can't say, and why.
NO_ROW: dict[str, str] = {
    "Timestamp": "its value is the time",
    "SparseFeatureCross": "of a library that TensorFlow's contrib.layers loads: test_columns.py",
    "DebugGradientRefIdentity": "its input is a reference: api/test_rare_ops.py",
    "Abort": "it ends the process",
    "FakeParam": "it stands in functions that XLA compiles",
    "TensorListPushBackBatch": "a vector of lists has no value here",
    "ZeroInitializer": "of a library that TensorFlow's contrib.framework loads: contrib_parts",
    "ZeroVarInitializer": "of a library that TensorFlow's contrib.framework loads: contrib_parts",
    "SparseFeatureCrossV2": "of a library that TensorFlow's contrib.layers loads; as SparseCross",
    "BatchCholesky": _REFUSED,
    "BatchCholeskyGrad": _REFUSED,
    "BatchFFT": _REFUSED,
    "BatchFFT2D": _REFUSED,
    "BatchFFT3D": _REFUSED,
    "BatchIFFT": _REFUSED,
    "BatchIFFT2D": _REFUSED,
    "BatchIFFT3D": _REFUSED,
    "BatchMatrixDeterminant": _REFUSED,
    "BatchMatrixInverse": _REFUSED,
    "BatchMatrixSolve": _REFUSED,
    "BatchMatrixSolveLs": _REFUSED,
    "BatchMatrixTriangularSolve": _REFUSED,
    "BatchSelfAdjointEig": _REFUSED,
    "BatchSelfAdjointEigV2": _REFUSED,
    "BatchSvd": _REFUSED,
    "MatrixExponential": _REFUSED,
    "SelfAdjointEig": _REFUSED,
    "TopK": _REFUSED,
    "QuantizedReluX": "TensorFlow's CPU has no kernel for it",
    "MaxPoolGradGradWithArgmax": "TensorFlow's CPU has no kernel for it: kernels/test_process.py",
    "ScatterAddNdim": "of a library that TensorFlow does not load: kernels/test_process.py",
}
# Op types whose gradient is none that the table can compare, and why.
NO_GRADIENT_ROW: dict[str, str] = {
    "ArgMax": "its outputs are integers",
    "ArgMin": "its outputs are integers",
    "SparseDenseCwiseAdd": "TensorFlow says that it is not implemented",
    "SparseSparseMaximum": "TensorFlow's takes too few arguments",
    "SparseSparseMinimum": "TensorFlow's takes too few arguments",
    "ImageProjectiveTransformV2": "its gradient inverts matrices, which has no kernel yet",
    **dict.fromkeys(
        ("CrossReplicaSum", "AllToAll", "CollectivePermute"), "TensorFlow has kernels for TPUs only"
    ),
    **dict.fromkeys(
        ("NcclReduce", "NcclAllReduce", "NcclBroadcast"), "TensorFlow has kernels for GPUs only"
    ),
    "XlaEinsum": "it stands in programs that XLA compiles",
    "XlaClusterOutput": "it raises",
    "TruncateDiv": "it has kernels for integers only",
}
# Public names whose signature differs from TF 1.15's, and why.
OTHER_SIGNATURE: dict[str, str] = {
    "Operation": "only graphs make operations, and ours are not made of protos",
    "app.flags.UnrecognizedFlagError": "absl's own, of a newer absl",
    "flags.UnrecognizedFlagError": "absl's own, of a newer absl",
    "xla.experimental.jit_scope": "TensorFlow shows that of its wrapper: (*args, **kwds)",
}


@pytest.fixture(scope="module")
def registered(tensorflow: Any) -> dict[str, op_registry.OpSpec]:
    """All op types with a kernel."""
    export.load_all_lazy()
    export.import_all("tf1compat.kernels.libraries")
    return op_registry.registered()


@functools.cache
def _op_types(with_gradients: bool) -> frozenset[str]:
    """The op types in the graphs of the table's rows; or those that a row differentiates."""
    found = set()
    for table in batch.rows().values():
        # One dtype of a sweep has the graph, another one may have the second gradients.
        sweeps = {(row.case.op, row.case.label) for row in table if "second" in row.golden}
        for row in table:
            if not row.has_values or (with_gradients and not row.has_gradients):
                continue
            twice = (row.case.op, row.case.label) in sweeps
            for node in row.golden.get("graph", ()):
                name, op_type = re.match(r"(\S+) = (\w+)\(", node).groups()
                if not with_gradients or twice or not name.startswith("gradients/"):
                    found.add(op_type)
    return frozenset(found)


def _kernel_file(spec: op_registry.OpSpec) -> str:
    return Path(str(spec.where).rpartition(":")[0]).stem


def test_every_op_type_has_a_row(registered: dict[str, op_registry.OpSpec]) -> None:
    missing = {
        name: spec.where
        for name, spec in registered.items()
        if spec.op_def is not None
        and name not in _op_types(False)
        and name not in NO_ROW
        and _kernel_file(spec) not in ELSEWHERE
    }
    assert not missing, f"{len(missing)} op types have no row in the op table: {missing}"


def test_every_differentiable_op_type_is_differentiated(
    registered: dict[str, op_registry.OpSpec],
) -> None:
    missing = {
        name: spec.where
        for name, spec in registered.items()
        if spec.gradient is not None
        and name not in _op_types(True)
        and name not in {**NO_ROW, **NO_GRADIENT_ROW}
        and _kernel_file(spec) not in ELSEWHERE
    }
    assert not missing, f"no row compares the gradients of {len(missing)} op types: {missing}"


@pytest.mark.parametrize("stem", sorted(ELSEWHERE))
def test_elsewhere_is_there(stem: str) -> None:
    assert (TESTS / ELSEWHERE[stem]).is_file()


def test_reasons_are_needed(registered: dict[str, op_registry.OpSpec]) -> None:
    """No reason outlives what it excuses."""
    stale = [name for name in NO_ROW if name not in registered or name in _op_types(False)]
    stale += [name for name in NO_GRADIENT_ROW if name in _op_types(True)]
    files = {_kernel_file(spec) for spec in registered.values()}
    stale += [stem for stem in ELSEWHERE if stem not in files]
    assert not stale


def test_gradients_are_declared_as_in_tensorflow(
    registered: dict[str, op_registry.OpSpec],
) -> None:
    expected = {"registered": True, "not_differentiable": False, "none": None}
    # TF registers these gradients when it records the first such loop.
    late = ("StatelessWhile", "While")
    wrong = {
        name: f"{spec.differentiable}, in TensorFlow {spec.op_def.gradient} ({spec.where})"
        for name, spec in registered.items()
        if spec.op_def is not None
        and name not in late
        and spec.differentiable != expected[spec.op_def.gradient]
    }
    assert not wrong, "\n".join(f"{name}: {text}" for name, text in sorted(wrong.items()))


def test_signatures_are_those_of_tensorflow(tensorflow: Any) -> None:
    """Names, order and defaults of the parameters of every public function and constructor.

    In TensorFlow a decorator that checks types hides those of `contrib.labeled_tensor`.
    """
    export.load_all_lazy()
    wrong = {}
    for name, value in export.exported().items():
        expected = api_names.public().get(name)
        hidden = name.startswith("contrib.labeled_tensor.") and "(*args, **kwds)" in (
            expected or ""
        )
        if (
            name in OTHER_SIGNATURE
            or hidden
            or expected is None
            or "(" not in expected
            or "..." in expected
        ):
            continue
        found = _own_signature(value)
        if found is not None and not _agree(found, _tensorflow_signature(expected)):
            wrong[name] = f"{_text(found)}\n    in TensorFlow {expected}"
    assert not wrong, f"{len(wrong)} signatures:\n" + "\n".join(
        f"{name}: {text}" for name, text in sorted(wrong.items())
    )


def test_exported_names_are_tensorflows(tensorflow: Any) -> None:
    """Nothing is public that TF 1.15 does not have."""
    export.load_all_lazy()
    names = [name for name in export.exported() if "__" not in name]
    own = [name for name in names if not (api_names.is_public(name) or _is_in_module(name))]
    assert not own


# What `tf.compat.v2.summary` has: it is there only once TF 1.15 is asked for it.
V2_SUMMARIES = frozenset(
    "SummaryWriter audio create_file_writer create_noop_writer flush histogram image record_if "
    "scalar text trace_export trace_off trace_on write get_step set_step summary_scope "
    "write_raw_pb".split()
)


def _is_in_module(name: str) -> bool:
    """Whether TF keeps a name of tf.contrib in a module below the areas that are listed."""
    prefix, _, last = name.rpartition(".")
    internal = prefix.replace("bayesflow.", "bayesflow.python.ops.")
    internal = internal.replace("solvers.", "solvers.python.ops.")
    internal = internal.replace("distributions.b", "distributions.python.ops.b")
    internal = internal.replace("eager.metrics", "eager.python.metrics")
    internal = internal.replace("contrib.summary", "contrib.summary.summary")
    names = api_names.modules().get(f"tensorflow.{internal}", {})
    if prefix.startswith("compat.v2.summary"):
        return last in V2_SUMMARIES
    return prefix.startswith("contrib.") and (last in names or last in names.get("", "").split())


# A signature is a list of (name with its stars, default as text or None).
Signature = list[tuple[str, str | None]]
# The text of a default that only has to be there: an object of TF's own.
ANY = "<>"


def _tensorflow_signature(text: str) -> Signature:
    """Reads "(x, y=<Zeros>, name=None)" or "class (self, …)"."""
    text = text[text.index("(") :]
    # Innermost first: <class 'x'>, <function f at <...>>.
    while (plain := re.sub(r"<[^<>]+>", "_any_", text)) != text:
        text = plain
    arguments = ast.parse(f"def f{text}: pass").body[0].args  # type: ignore[attr-defined]
    plain_ones = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain_ones) - len(arguments.defaults)) + list(arguments.defaults)
    found = list(
        zip([argument.arg for argument in plain_ones], map(_default, defaults), strict=True)
    )
    if arguments.vararg:
        found.append((f"*{arguments.vararg.arg}", None))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append((argument.arg, _default(default)))
    if arguments.kwarg:
        found.append((f"**{arguments.kwarg.arg}", None))
    return found


def _default(node: ast.expr | None) -> str | None:
    if node is None:
        return None
    return ANY if "_any_" in ast.unparse(node) else ast.unparse(node)


def _own_signature(value: Any) -> Signature | None:
    """The signature of one of our functions or constructors; None for what has none."""
    function = value.__init__ if inspect.isclass(value) else value
    if not inspect.isfunction(function) or isinstance(value, enum.EnumMeta):
        return None
    found: Signature = []
    for parameter in inspect.signature(function).parameters.values():
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        default = None if parameter.default is parameter.empty else repr(parameter.default)
        if default is not None and default.startswith("<"):
            default = ANY
        found.append((stars + parameter.name, default))
    return found


def _agree(found: Signature, expected: Signature) -> bool:
    if [name for name, _ in found] != [name for name, _ in expected]:
        return False
    return all(
        (ours is None) == (theirs is None) and (theirs in (None, ANY) or ours == theirs)
        for (_, ours), (_, theirs) in zip(found, expected, strict=True)
    )


def _text(signature: Signature) -> str:
    parts = [name if default is None else f"{name}={default}" for name, default in signature]
    return f"({', '.join(parts)})"


def test_the_readme_quotes_the_coverage() -> None:
    text = update_readme.README.read_text()
    assert update_readme.updated(text) == text, "run python tests/update_readme.py"
