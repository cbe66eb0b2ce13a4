"""Op types about several replicas."""
