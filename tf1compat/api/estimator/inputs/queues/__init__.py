"""Queues that threads fill with rows."""
