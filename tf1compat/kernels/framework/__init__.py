"""What kernels share, and op types of no subject."""
