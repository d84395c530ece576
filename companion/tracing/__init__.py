"""A board of General Orders traced from its owner's copy (docs/boards.md).

In come a photo, what the eye proposes and what a finger does; out go a draft, which is saved after each touch, what is
missing on it, and in the end the text of a board file.
"""
