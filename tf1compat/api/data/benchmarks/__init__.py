"""Timing of datasets."""
