"""Boards drawn as SVG in millimetres: areas, scenery, air zones, marks, icons, and letters made of strokes.

A board of the engine comes in with a set of colours; strings of SVG shapes go out, for the screen and for print
alike. Letters are lines, because the SVG renderer of the screen (SDL's) draws no text.
"""
