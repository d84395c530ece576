"""Whole games at a table, recorded, and played by the only player who presses. docs/eye.md says what is in them."""
