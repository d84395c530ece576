"""Whole games at a table, recorded, and played by the only player who presses. Their form: benchmarks/README.md."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # standard output belongs to --json
