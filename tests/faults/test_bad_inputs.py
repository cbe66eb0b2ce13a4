"""Inputs of wrong ranks, sizes and values, met by kernels: what TensorFlow 1.15 refuses is refused
in its class, what it takes is taken, and no error is one of Python's own.

The texts are compared too, and counted: `python test_bad_inputs.py` prints those that differ.
"""

from __future__ import annotations

import collections
import contextlib
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import bad_input_cases
import pytest
import recording

from tf1compat.runtime import tiers

GOLDENS = recording.read_json(str(Path(recording.DATA) / "bad_inputs.json.xz"))
ROWS = list(bad_input_cases.rows().items())

# One row in so many; with --faults-long all, and of XLA's, which have to be compiled, some.
_ON_HOST, _IN_XLA, _IN_XLA_LONG = 60, 600, 20

# Op types of which TensorFlow takes inputs that are refused here: reason, op types.
STRICTER = {
    "TensorFlow does not compare the shapes, and reads what lies behind a buffer": """
        LSTMBlockCell LSTMBlockCellGrad BlockLSTM BlockLSTMGrad BlockLSTMGradV2 FusedBatchNorm
        FusedBatchNormV2 FusedBatchNormV3 SigmoidGrad TanhGrad SqrtGrad RsqrtGrad ReciprocalGrad
        InvGrad MaxPoolGrad MaxPoolGradGrad MaxPoolGradV2 MaxPool3DGrad MaxPool3DGradGrad
        Scatter ScatterAdd ScatterSub ScatterMul ScatterDiv ScatterUpdate ScatterMin ScatterMax
        ScatterNdAdd ScatterNdSub ScatterNdUpdate ScatterNdNonAliasingAdd SparseTensorDenseAdd
        SparseDenseCwiseMul SparseDenseCwiseDiv SparseDenseCwiseAdd SparseFillEmptyRows
        SerializeSparse RaggedGather RaggedTensorToSparse RaggedTensorToTensor RaggedTensorToVariant
        QuantizedBatchNormWithGlobalNormalization QuantizeDownAndShrinkRange RequantizationRange
        QuantizedInstanceNorm StringNGrams UnicodeEncode GatherV2 Dilation2D FusedPadConv2D
        FusedResizeAndPadConv2D""",
    "a vector of one is no scalar": """
        Substr UnsortedSegmentJoin AudioSummaryV2 TensorSummaryV2 ReadFile WriteFile""",
    "a protocol buffer's text is UTF-8": """
        ScalarSummary HistogramSummary AudioSummaryV2 TensorSummaryV2""",
    "LAPACK says of infinity what Eigen does not": "SelfAdjointEigV2 Lu",
}
# Op types of which inputs are taken here that TensorFlow refuses, or another class is raised.
OTHERWISE = {
    "what TensorFlow's CPU lacks, works": """
        Conv2D MaxPool AvgPool BiasAdd SoftmaxCrossEntropyWithLogits AdjustGamma""",
    "mkldnn refuses a filter without numbers": """
        Conv2DTranspose Conv2DBackpropInput ConvTranspose AtrousTranspose""",
    "TensorFlow reads what is not there, and says so or not": """
        FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 TensorListConcat TensorListGather
        TensorListScatterIntoExistingList""",
    "QR decomposition where TensorFlow takes Cholesky's, or other pivots": "MatrixSolveLs",
    "which of two mistakes is said first": "Einsum Resampler RaggedTensorToTensor",
    "the row's own function of Python says it": "ImageSummary",
    "nothing is looked at where there is nothing to do": """
        ParseSequenceExample AudioSummaryV2 RaggedTensorToVariant""",
    "TensorFlow forgets an output": "QuantizedResizeBilinear",
}
KNOWN = {"stricter": {op for ops in STRICTER.values() for op in ops.split()}}
KNOWN["otherwise"] = {op for ops in OTHERWISE.values() for op in ops.split()}


class Outcome:
    """What became of the cases of some rows.

    Attributes:
      tried: how many were run that TensorFlow could run.
      wrong: what is not as it has to be.
      texts: errors of TensorFlow's class whose text is another.
      known: how many are known to be stricter, or otherwise.
    """

    def __init__(self) -> None:
        self.tried = 0
        self.wrong: list[str] = []
        self.texts: list[str] = []
        self.known: collections.Counter[str] = collections.Counter()

    def add(self, tf: Any, key: str, found: Any, expected: Any) -> None:
        """Compares what is found with TensorFlow's: `[class, text]`, or None if it runs."""
        self.tried += 1
        clean = found is None or found == expected or hasattr(tf.errors, found[0])
        if expected == "the process ends" and (clean or found[0] == "ValueError"):
            return
        if clean and (found and found[0]) == (expected and expected[0]):
            if found != expected:
                self.texts.append(f"{key}\n  TensorFlow: {expected[1]}\n  here: {found[1]}")
            return
        how = "otherwise" if expected else "stricter"
        if clean and key.partition("/")[0] in KNOWN[how]:
            self.known[how] += 1
        else:
            self.wrong.append(f"{key}\n  TensorFlow: {expected}\n  here: {found}")


def _run(tf: Any, rows: Sequence[tuple[str, Any]], only_refused: bool = False) -> Outcome:
    outcome = Outcome()
    for key, case in rows:
        golden = GOLDENS.get(key)
        if golden is None:  # TensorFlow has no kernel for it
            continue
        row = bad_input_cases.Row(tf, case)
        for name, i, value in _cases(row, golden if only_refused else None):
            found = row.run(i, value)
            said = None if isinstance(found, dict) else found
            outcome.add(tf, f"{key}/{name}", said, golden.get(name))
        row.close()
    return outcome


def _cases(row: Any, chosen: Any) -> Iterator[Any]:
    return (case for case in row.cases() if chosen is None or case[0] in chosen)


def _check(outcome: Outcome) -> None:
    assert outcome.tried
    if outcome.wrong:
        pytest.fail("\n".join(outcome.wrong), pytrace=False)


@pytest.fixture(autouse=True)
def _files_go_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some rows write files."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.filterwarnings("ignore")  # of deprecated functions, and of NumPy about NaN
def test_on_the_host(tf: Any, long: bool) -> None:
    with tiers.tier(tiers.HOST):
        _check(_run(tf, ROWS if long else ROWS[::_ON_HOST]))


@pytest.mark.filterwarnings("ignore")
def test_in_xla(tf: Any, long: bool, xla: None, compiled_quickly: None) -> None:
    """What is refused."""
    _check(_run(tf, ROWS[:: _IN_XLA_LONG if long else _IN_XLA], only_refused=True))


def test_goldens_are_of_rows() -> None:
    assert GOLDENS.keys() <= dict(ROWS).keys()


if __name__ == "__main__":
    from tf1compat import namespace

    tiers.set_tier("".join(sys.argv[1:2]) or tiers.HOST)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # some rows write files
        result = _run(namespace.tensorflow(), ROWS[:: int("".join(sys.argv[2:3]) or 1)])
    print(*result.texts, *result.wrong, sep="\n")
    print(f"{result.tried} tried, {len(result.wrong)} wrong, {len(result.texts)} other texts")
    print(*result.known.items(), sep="\n")
