"""Estimators of random forests, and their metrics."""
