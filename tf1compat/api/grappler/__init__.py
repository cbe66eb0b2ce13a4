"""What TF's graph optimizer is asked by hand (`tensorflow.python.grappler`)."""
