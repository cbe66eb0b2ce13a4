"""State space models: what is observed hangs on a hidden state that moves linearly."""
