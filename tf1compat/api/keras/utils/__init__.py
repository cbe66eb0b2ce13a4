"""Helpers of layers."""
