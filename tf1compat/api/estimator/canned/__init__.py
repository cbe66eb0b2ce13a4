"""Models that are made already."""
