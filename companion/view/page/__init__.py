"""A screen laid out on pages and drawn."""
