"""Records what the real TensorFlow 1.15 says of devices that are not there, or that clash:

python3.7 -W ignore tests/golden/record_placement.py
"""

from __future__ import annotations

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import placement_cases
import recording


def main():
    import tensorflow as tf

    goldens = {
        name: [placement_cases.run(tf, name, soft) for soft in (False, True)]
        for name in placement_cases.CASES
    }
    recording.write_json(os.path.join(recording.DATA, "placement.json"), goldens)


if __name__ == "__main__":
    main()
