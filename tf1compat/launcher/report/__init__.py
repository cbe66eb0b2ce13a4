"""What a program uses of TensorFlow, and what becomes of it: `python -m tf1compat report PATH`.

`scan` finds the names in the sources, without running them; `verdicts` says of each whether it is
there; `output` writes that down.
"""
