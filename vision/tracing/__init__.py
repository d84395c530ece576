"""A board taken down from a straight photo of it: its hex grid, borders, ground and action spaces, as proposals.

In come a photo and the board's corners; out comes what an owner then corrects by touches. `trace` is the way in.
"""
