"""Op types about quantized numbers."""
