"""Op types about recurrent nets."""
