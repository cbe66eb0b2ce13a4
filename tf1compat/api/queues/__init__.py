"""Queues, barriers, accumulators and staging areas."""
