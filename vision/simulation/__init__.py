"""Simulated boards, tables and cameras, from a seed. For the demo, training, benchmarks and tests alone."""
