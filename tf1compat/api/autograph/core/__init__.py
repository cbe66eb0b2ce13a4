"""What the parts of AutoGraph share."""
