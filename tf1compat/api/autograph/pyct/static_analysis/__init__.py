"""What is known about code without running it."""
