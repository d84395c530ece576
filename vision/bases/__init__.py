"""Bases on a marked table: ArUco markers found, the camera fitted to them, each base placed and turned.

In come a frame and how its table is marked; `bases.measure` gives places and facings in base widths, with their errors.
"""
