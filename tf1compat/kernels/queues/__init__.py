"""Op types about queues, barriers, accumulators and staging areas."""
