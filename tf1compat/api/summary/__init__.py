"""Summaries (`tensorflow.python.summary`)."""
