"""Random programs with one operation that fails: the run changes nothing, and both tiers say the
same.

TensorFlow 1.15 differs: what ran before the failure stays done.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runtime.test_interrupts import of_one_version, two_variables

import tf1compat

QUICK, LONG, IN_XLA, PARTS = 60, 2000, 10, 4


def _raise(x: Any) -> Any:
    raise ValueError("from Python")


# What fails, given a scalar float of the program; each is deterministic.
FAILURES: dict[str, Callable[[Any, Any], Any]] = {
    "assert": lambda tf, x: tf.Assert(x > 1e9, ["too small"]),
    "numerics": lambda tf, x: tf.check_numerics(tf.log(x * 0.0 - 1.0), "a log"),
    "gather": lambda tf, x: tf.gather(tf.zeros([3]), tf.cast(x * 0.0, tf.int32) + 7),
    "division": lambda tf, x: tf.cast(x, tf.int32) // tf.cast(x * 0.0, tf.int32),
    "python": lambda tf, x: tf.py_func(_raise, [x], tf.float32),
    "number": lambda tf, x: tf.string_to_number(tf.strings.join([tf.as_string(x), "x"])),
    "reshape": lambda tf, x: tf.reshape(tf.zeros([4]), tf.stack([tf.cast(x * 0.0, tf.int32) + 3])),
    "queue": lambda tf, x: _dequeued(tf),
}


def _dequeued(tf: Any) -> Any:
    """What a closed and empty queue gives."""
    queue = tf.FIFOQueue(1, tf.float32, shapes=[[]])
    with tf.control_dependencies([queue.close()]):
        return queue.dequeue()


class Program:
    """A program of assigns, draws, reads and control dependencies.

    Attributes:
      fetches: what a run that succeeds fetches.
      failing: the same and the operation that fails.
      variables: all variables.
    """

    def __init__(self, tf: Any, seed: int):
        random = np.random.RandomState(seed)
        tf.set_random_seed(seed)
        self.variables = [
            tf.Variable(float(i), use_resource=bool(random.randint(2)), name=f"v{i}")
            for i in range(random.randint(1, 4))
        ]
        values: list[Any] = [tf.constant(1.5)]
        operations: list[Any] = []
        count = random.randint(3, 12)
        at, kind = random.randint(count), random.choice(list(FAILURES))
        failing = None
        for i in range(count):
            waits = [operations[random.randint(len(operations))]] if operations else []
            with tf.control_dependencies(waits if random.randint(3) else []):
                value = values[random.randint(len(values))]
                variable = self.variables[random.randint(len(self.variables))]
                how = random.randint(5)
                if how == 0:
                    new = tf.assign(variable, value + 1.0)
                elif how == 1:
                    new = tf.assign_add(variable, value)
                elif how == 2:
                    new = tf.random_uniform([]) + value
                elif how == 3:
                    new = variable.read_value() if hasattr(variable, "read_value") else variable * 1
                else:
                    new = tf.cond(value > 1.0, lambda v=value: v * 0.5, lambda v=value: v - 1.0)
                new = tf.identity(new)
                values.append(new)
                operations.append(new.op)
                if i == at:
                    failing = FAILURES[kind](tf, new)
        self.kind, self.fetches = kind, values[1:]
        self.failing = [values[1:], failing]


def _outcome(tf: Any, program: Program, tier: str, steps: int = 2) -> tuple[list[Any], list[str]]:
    """What a session sees that also runs the failing fetches, and the errors."""
    from tf1compat import set_tier

    seen, errors = [], []
    with tf.Session() as session:
        set_tier(tier, session)
        session.run(tf.global_variables_initializer())
        for _ in range(steps):
            seen.append(session.run(program.fetches))
            before = session.run(program.variables)
            with pytest.raises(tf.errors.OpError) as caught:
                session.run(program.failing)
            errors.append(f"{type(caught.value).__name__} {caught.value.node_def.name}")
            assert session.run(program.variables) == before, "the failed run changed a variable"
        seen.append(session.run(program.fetches))
        seen.append(session.run(program.variables))
    return seen, errors


def _without_failures(tf: Any, program: Program, tier: str, steps: int = 2) -> list[Any]:
    from tf1compat import set_tier

    with tf.Session() as session:
        set_tier(tier, session)
        session.run(tf.global_variables_initializer())
        seen = [session.run(program.fetches) for _ in range(steps + 1)]
        return [*seen, session.run(program.variables)]


@pytest.mark.parametrize("part", range(PARTS))
def test_failed_runs_change_nothing(tf: Any, part: int, long: bool, compiled_quickly: None) -> None:
    """Neither variables nor generators: what follows is as if the run had not been."""
    count = (LONG if long else QUICK) // PARTS
    for seed in range(count * part, count * (part + 1)):
        with tf.Graph().as_default():
            program = Program(tf, seed)
            expected = _without_failures(tf, program, "host")
            seen, errors = _outcome(tf, program, "host")
            assert seen == expected, (seed, program.kind)
            if seed % IN_XLA == 0:
                in_xla, errors_in_xla = _outcome(tf, program, "xla")
                np.testing.assert_allclose(
                    np.concatenate([np.ravel(x) for x in in_xla]),
                    np.concatenate([np.ravel(x) for x in seen]),
                    1e-6,
                    err_msg=f"{seed} {program.kind}",
                )
                assert errors_in_xla == errors, (seed, program.kind)


_KERNELS = str(Path(tf1compat.__file__).parent / "kernels")


class NoMemory:
    """There is none left at the n-th call that makes arrays: of NumPy, or of a kernel."""

    def __init__(self, at: int):
        self._left = at

    def __enter__(self) -> None:
        sys.setprofile(self._count)

    def __exit__(self, *_: Any) -> None:
        sys.setprofile(None)

    def _count(self, frame: Any, event: str, called: Any) -> None:
        if event == "call":
            makes = frame.f_code.co_filename.startswith(_KERNELS)
        else:
            module = getattr(called, "__module__", None) or ""
            of_array = isinstance(getattr(called, "__self__", None), np.ndarray)
            makes = event == "c_call" and (of_array or module.startswith("numpy"))
        self._left -= makes
        if makes and not self._left:
            raise MemoryError("none left")


@pytest.mark.parametrize("tier", ["host", "xla"])
@pytest.mark.parametrize("source", ["queue", "dataset", "function"])
def test_no_memory_at_any_instant(tf: Any, tier: str, source: str, long: bool) -> None:
    """The variables are of one version, whatever could not be made; training goes on."""
    from tf1compat import set_tier

    variables, step = two_variables(tf, 50)
    if source == "queue":
        queue = tf.FIFOQueue(1000, tf.float32, shapes=[[]])
        filled, element = queue.enqueue_many([[1.0] * 2]), queue.dequeue()
    elif source == "dataset":
        data = tf.data.Dataset.range(10).map(lambda x: x + 1).repeat().batch(4)
        iterator = tf.data.make_initializable_iterator(data)
        filled, element = iterator.initializer, iterator.get_next()
    else:
        filled, element = tf.no_op(), tf.py_func(lambda: np.ones(2), [], tf.float64)
    step = tf.group(step, element)
    failed = 0
    with tf.Session() as session:
        set_tier(tier, session)
        session.run(tf.global_variables_initializer())
        for at in range(1, 400 if long else 40):
            session.run(filled)
            try:
                with NoMemory(at):
                    session.run(step)
            except (tf.errors.ResourceExhaustedError, MemoryError):
                failed += 1
            assert of_one_version(session.run(variables)), at
        before = session.run(variables[0])
        session.run(filled)
        session.run(step)
        np.testing.assert_array_equal(session.run(variables[1]), before + 1)
    assert failed
