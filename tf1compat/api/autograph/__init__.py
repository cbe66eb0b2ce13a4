"""AutoGraph: Python control flow on tensors as operations."""
