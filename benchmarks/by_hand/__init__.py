"""The programs of `programs`, under the same names, as a JAX user writes them."""

from by_hand import images, rows, running, small, text
from by_hand.parts import STEPS
