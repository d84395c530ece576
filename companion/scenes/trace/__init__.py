"""Tracing a board on the screen: a photo, its corners, the hexes, then page after page of what is printed on it.

In come touches on the straight photo; out go edits of a `TraceWork`, and a board on the shelf.
"""
