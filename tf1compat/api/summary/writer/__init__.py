"""What writes summaries (`tensorflow.python.summary.writer`)."""
