"""The running program: launch options, device manager, light loop, network, certificates and disk monitor."""
