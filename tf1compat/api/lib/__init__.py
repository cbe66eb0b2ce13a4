"""TF's libraries below its operations."""
