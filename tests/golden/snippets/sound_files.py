"""tf.contrib.ffmpeg: files of sounds, and what is refused; no ffmpeg is found."""

import hashlib
import os

import numpy as np
import tensorflow as tf

path = os.environ["PATH"]
os.environ["PATH"] = "/nowhere"
ffmpeg = tf.contrib.ffmpeg
session = tf.Session()
times = np.arange(300) / 8000.0
wave = np.stack([np.sin(2765 * times), np.cos(1382 * times) * 1.5], 1).astype(np.float32)


def later(value):
    return tf.placeholder_with_default(value, None)


def show(make, *args):
    try:
        made = make(*args)
        print(made.shape, made.op.type, [each.dtype.name for each in made.op.inputs], end=" ")
        found = session.run(made)
        print(len(found), found[:44], hashlib.md5(found).hexdigest())
    except Exception as error:
        print(type(error).__name__, str(error).split("\n")[0])


encode, decode = ffmpeg.encode_audio, ffmpeg.decode_audio
for sound in (wave, wave[:, :1], wave[:0], wave[:, :0]):
    show(encode, sound, "wav", 8000)
show(encode, wave, "WAV", 8000)
show(encode, wave, "mp3", 8000)
show(encode, wave, "wav", 0)
show(encode, wave[:, 0], "wav", 8000)
show(encode, wave, later(["wav"]), 8000)
show(encode, wave, "wav", later([8000]))

show(decode, b"x", "mp3", 8000, 2)
show(decode, b"x", "mp3", 8000, 2, "1")
show(decode, b"x", "mp3", 8000, later(2))
show(decode, b"x", "flac", 8000, 2)
show(decode, b"x", "mp3", 0, 2)
show(decode, b"x", "mp3", 8000, 0)
show(decode, b"x", "mp3", 8000, later(0))
show(decode, [b"x"], "mp3", 8000, 2)
show(decode, b"x", later(["mp3"]), 8000, 2)
show(decode, b"x", "mp3", later([8000]), 2)
show(decode, b"x", "mp3", 8000, later([2]))
show(decode, b"x", "mp3", 8000)
show(ffmpeg.decode_video, b"x")
show(ffmpeg.decode_video, later([b"x"]))
print([node.name for node in tf.get_default_graph().as_graph_def().node if "code" in node.op])
os.environ["PATH"] = path
