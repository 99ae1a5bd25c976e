"""What several tests use: drivers, brokers, simulated devices, notations."""
