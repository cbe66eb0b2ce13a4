"""`tensorflow.contrib.framework.python.ops.audio_ops`."""

from tf1compat.api.signal.audio_ops import audio_spectrogram as audio_spectrogram
from tf1compat.api.signal.audio_ops import decode_wav as decode_wav
from tf1compat.api.signal.audio_ops import encode_wav as encode_wav
from tf1compat.api.signal.audio_ops import mfcc as mfcc
