"""Keras optimizers: so far their schedules of learning rates."""
