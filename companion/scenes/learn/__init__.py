"""Learning by playing: tutorials, which are played on the real screens with real steps and never saved; and puzzles.

A tutorial is data (what the coach says, what to touch), and `lesson.py` leads through any of them.
"""
