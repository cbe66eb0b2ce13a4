"""Op types about variables, and what else lives in a session."""
