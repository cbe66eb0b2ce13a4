"""The parts of TensorFlow's debugger that need no debugged run: what to watch, and how to read what
was dumped.  Runs with watches are refused (`runtime/option_table.py`)."""
