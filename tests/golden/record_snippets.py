"""Records what the snippets print. Run by a Python that has the real TensorFlow 1.15:

python record_snippets.py [snippet …]
"""

from __future__ import annotations

import os
import subprocess
import sys

import recording


def main():
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", PYTHONIOENCODING="utf-8")
    path_of_golden = os.path.join(recording.DATA, "snippets.json")
    goldens = recording.read_json(path_of_golden) if os.path.exists(path_of_golden) else {}
    wanted = sys.argv[1:]
    for path in recording.snippet_paths():
        name = os.path.splitext(os.path.basename(path))[0]
        if wanted and name not in wanted:
            continue
        command = [sys.executable, "-W", "ignore", path]
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
        if done.returncode:
            print("{} failed:\n{}".format(name, done.stderr.decode()[-2000:]))
            continue
        goldens[name] = recording.normalise_text(done.stdout.decode("utf-8")).split("\n")
        print("==== {}\n{}".format(name, done.stdout.decode("utf-8")))
    recording.write_json(path_of_golden, goldens)


if __name__ == "__main__":
    main()
