"""Records SavedModels of TensorFlow 1.15 and what they answer.

Run by a Python that has TensorFlow 1.15: `python record_saved_models.py`.
"""

from __future__ import annotations

import os
import tempfile
import zipfile

import recording
import saved_model_cases as cases


def main():
    import tensorflow as tf

    tf.enable_eager_execution()
    tf.logging.set_verbosity(tf.logging.ERROR)
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    cases.save_module(tf, folder, "module")
    cases.session_model(tf, "session")
    for model in cases.models(tf):
        model.save(model.name, save_format="tf")
    cases.export_model(tf, "exported")
    names = ["module", "session", "exported", *cases.MODELS]
    with zipfile.ZipFile(
        os.path.join(recording.DATA, "saved_models.zip"), "w", zipfile.ZIP_DEFLATED
    ) as archive:
        for name in names:
            for place, _, files in os.walk(name):
                for file in files:
                    archive.write(os.path.join(place, file))
    golden = {
        "module": cases.ask_module(tf, "module"),
        "module_in_session": cases.ask_module_in_session(tf, "module"),
        "session": cases.ask_session_model(tf, "session"),
        "exported": cases.ask_exported_model(tf, "exported"),
        "wrapped": cases.wrapped(tf),
        "mistakes": cases.mistakes(tf, "bad"),
        "models": {name: cases.ask_model(tf, name) for name in cases.MODELS},
    }
    recording.write_json(os.path.join(recording.DATA, "saved_models.json.gz"), golden)


if __name__ == "__main__":
    main()
