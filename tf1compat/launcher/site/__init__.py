"""The folder to put on PYTHONPATH so that `import tensorflow` gives tf1compat."""
