"""Inputs of wrong ranks, sizes and values, met by kernels: what TensorFlow 1.15 refuses is refused
in its class, what it takes is taken, and no error is one of Python's own.

The texts are compared too, and counted: `python test_bad_inputs.py` prints those that differ.
"""

from __future__ import annotations

import collections
import fnmatch
import sys
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

# Where what TensorFlow does is no model: pattern of keys, reason.
KNOWN: dict[str, str] = {}


class Outcome:
    """What became of the cases of some rows.

    Attributes:
      tried: how many were run that TensorFlow could run.
      wrong: what is not as it has to be.
      texts: errors of TensorFlow's class whose text is another.
    """

    def __init__(self) -> None:
        self.tried = 0
        self.wrong: list[str] = []
        self.texts: list[str] = []
        self.known: collections.Counter[str] = collections.Counter()

    def add(self, tf: Any, key: str, found: Any, expected: Any) -> None:
        self.tried += 1
        found = None if isinstance(found, dict) else found
        if expected == "the process ends":
            clean = found is None or found[0] == "ValueError" or hasattr(tf.errors, found[0])
            same = clean
        else:
            same = (found and found[0]) == (expected and expected[0])
        if not same:
            known = next((p for p in KNOWN if fnmatch.fnmatchcase(key, p)), None)
            if known is None or (found and not hasattr(tf.errors, found[0])):
                self.wrong.append(f"{key}\n  TensorFlow: {expected}\n  here: {found}")
            else:
                self.known[known] += 1
        elif isinstance(expected, list) and found != expected:
            self.texts.append(f"{key}\n  TensorFlow: {expected[1]}\n  here: {found[1]}")


def _run(tf: Any, rows: Sequence[tuple[str, Any]], only_refused: bool = False) -> Outcome:
    outcome = Outcome()
    for key, case in rows:
        golden = GOLDENS.get(key)
        if golden is None:  # TensorFlow has no kernel for it
            continue
        row = bad_input_cases.Row(tf, case)
        for name, i, value in _cases(row, golden if only_refused else None):
            found = row.run(i, value)
            outcome.add(tf, f"{key}/{name}", found, golden.get(name))
        row.close()
    return outcome


def _cases(row: Any, chosen: Any) -> Iterator[Any]:
    return (case for case in row.cases() if chosen is None or case[0] in chosen)


def _check(outcome: Outcome) -> None:
    assert outcome.tried
    if outcome.wrong:
        pytest.fail("\n".join(outcome.wrong), pytrace=False)


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
    result = _run(namespace.tensorflow(), ROWS[:: int("".join(sys.argv[2:3]) or 1)])
    print(*result.texts, *result.wrong, sep="\n")
    print(f"{result.tried} tried, {len(result.wrong)} wrong, {len(result.texts)} other texts")
    print(*result.known.items(), sep="\n")
