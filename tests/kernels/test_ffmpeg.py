"""Sounds and films, decoded by a program on the path that is called as ffmpeg is."""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest

PROGRAM = """#!{python}
import sys

with open({log!r}, "w") as log:
    print(*sys.argv[1:], file=log)
given = open(sys.argv[sys.argv.index("-i") + 1], "rb").read()
sys.stdout.buffer.write(given)
"""


@pytest.fixture
def log(tmp_path, monkeypatch):
    """Where the arguments of the last call stand; it gives out the file that it is to read."""
    path = tmp_path / "ffmpeg"
    path.write_text(PROGRAM.format(python=sys.executable, log=str(tmp_path / "log")))
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path / "log"


def test_sound(tensorflow, log):
    tf = tensorflow
    samples = np.array([[0, 32767], [-32767, 16384], [1, -1]], "<i2")
    with tf.Graph().as_default(), tf.Session() as session:
        sound = tf.contrib.ffmpeg.decode_audio(samples.tobytes(), "OGG", 8000, 2, stream="1")
        assert sound.shape.as_list() == [None, 2]
        found = session.run(sound)
    np.testing.assert_array_equal(found, samples.astype(np.float32) / np.float32(32767))
    before, _, after = log.read_text().partition(" -i ")
    assert before.endswith("-f ogg")
    assert "-vn -ac:a:0 2 -ar:a:0 8000 -map 0:1 -f s16le" in after


def test_no_sound(tensorflow, log):
    tf = tensorflow
    with tf.Graph().as_default(), tf.Session() as session:
        found = session.run(tf.contrib.ffmpeg.decode_audio(b"", "wav", 8000, 2))
    assert found.shape == (0, 0)


def test_film(tensorflow, log):
    tf = tensorflow
    pictures = np.arange(2 * 2 * 3 * 3, dtype=np.uint8).reshape(2, 2, 3, 3)
    film = b"".join(b"P6\n3 2\n255\n" + picture.tobytes() for picture in pictures)
    with tf.Graph().as_default(), tf.Session() as session:
        found = session.run(tf.contrib.ffmpeg.decode_video(film))
        np.testing.assert_array_equal(found, pictures)
        with pytest.raises(tf.errors.InvalidArgumentError, match="finds no pictures"):
            session.run(tf.contrib.ffmpeg.decode_video(b""))
    assert "-f image2pipe -vcodec ppm" in log.read_text()
