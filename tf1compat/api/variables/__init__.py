"""Variables, and what else lives in a session."""
