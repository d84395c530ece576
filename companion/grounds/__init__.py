"""The ground of a map as a picture: paper, waves and hills, painted once for a board, a size and a theme, and kept.

What comes in is a `GroundJob`, outlines in pixels and colours; what goes out is the path of a JPEG. Painting takes
seconds, so it happens in a process of its own, and the map is drawn plainly until the picture is there. Nothing here
knows a game or a screen, and nothing painted means anything: all that counts is drawn over it.
"""
