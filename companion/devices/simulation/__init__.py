"""Simulated hardware: the bench, the shift-register chain and sensor faults."""
