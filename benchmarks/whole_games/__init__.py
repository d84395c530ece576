"""Whole games at a table, recorded, and played by the only player who presses. docs/eye.md says what is in them."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # standard output belongs to --json
