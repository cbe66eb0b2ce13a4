"""The host tier: a program worked out at once on NumPy arrays, by the same kernels that XLA
programs are traced from.

`source.py` writes a planned program as one Python function: a line an operation, real `while` and
`if`; `program.py` runs it; `variables.py` is what it sees of the session's variables.
"""
