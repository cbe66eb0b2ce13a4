"""The benchmarks' programs, as TF 1 users write them: they run under TF 1.15 and Python 3.7 too.

`by_hand` has the same programs under the same names as a JAX user writes them.
"""

from programs import images, rows, running, small, text
from programs.table import PROGRAMS
