"""A long soak: see `benchmarks.soak.__main__`."""
