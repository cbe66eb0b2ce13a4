"""Records the whole-program goldens. Run by a Python that has the real TensorFlow 1.15:

python record_programs.py [program or program-case …]
"""

from __future__ import annotations

import os
import sys
import warnings

import recording

warnings.filterwarnings("ignore")


def record(tf, path, kwargs):
    """Builds and runs one program; returns its golden."""
    program = recording.build_program(tf, path, kwargs)
    golden = recording.describe_graph(tf.get_default_graph())
    # one thread: TensorFlow adds and updates in the same order every time
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    golden["run"] = recording.run_program(tf, program, config=config)
    # Random ops draw anew in every run, so the loss can't be read in a run of its own beside them.
    again = (True, True) if program.get("random") or program.get("draws") else (True, False, False)
    for joint in again:
        _refuse_races(golden["run"], recording.run_program(tf, program, joint, config))
    return golden


def _refuse_races(once, again):
    """Refuses a program whose numbers depend on when TensorFlow reads a variable it updates."""
    for step, (a, b) in enumerate(zip(once["losses"], again["losses"])):
        assert abs(a - b) <= 1e-6 * abs(b), "step {}: {} once, {} again".format(step, a, b)
    assert once["draws"] == again["draws"]
    for key, value in once["fetch"].items():
        difference = recording.value_difference(value, again["fetch"][key], 1e-4, key)
        assert difference is None, difference


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    assert tf.__version__.startswith("1.15"), tf.__version__
    folder = os.path.join(recording.DATA, "programs")
    wanted = sys.argv[1:]
    for name, path, kwargs in recording.program_cases():
        stem = os.path.splitext(os.path.basename(path))[0]
        if wanted and name not in wanted and stem not in wanted:
            continue
        golden = record(tf, path, kwargs)
        recording.write_json(os.path.join(folder, name + ".json.gz"), golden)
        losses = golden["run"]["losses"]
        print(
            "{}: {} nodes, losses {}".format(name, len(golden["nodes"]), losses[:2] + losses[-1:])
        )


if __name__ == "__main__":
    main()
