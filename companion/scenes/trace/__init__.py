"""Tracing a board on the screen, page by page."""
