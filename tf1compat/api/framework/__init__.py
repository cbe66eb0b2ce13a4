"""Parts of TF's `framework` modules that only client code of TF's internals uses."""
