"""The running program: launch, device manager, light loop, network, certificates, disk monitor."""
