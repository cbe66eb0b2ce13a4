"""Records the goldens of case modules.

Run by a Python that has TensorFlow 1.15, with the names of the modules:

    python record_cases.py training metric
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
import warnings

import recording
from case_runs import describe

warnings.filterwarnings("ignore")


def main(names):
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    os.chdir(tempfile.mkdtemp())  # Cases may write files.
    for name in names:
        module = importlib.import_module(name + "_cases")
        golden = {"cases": {}, "mistakes": {}}
        for group, cases in module.CASES.items():
            golden["cases"][group] = {}
            for key, case in cases.items():
                print(name, group, key)
                golden["cases"][group][key] = describe(tf, case)
        for group, cases in module.MISTAKES.items():
            found = {key: recording.raised(tf, case) for key, case in cases.items()}
            assert all(found.values()), [key for key in found if not found[key]]
            golden["mistakes"][group] = found
        recording.write_json(os.path.join(recording.DATA, name + "_cases.json.gz"), golden)


if __name__ == "__main__":
    main(sys.argv[1:])
