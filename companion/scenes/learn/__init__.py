"""Learn by playing: tutorials: lessons that are played on the real screens, with real steps, and never saved.

In comes the stage; a tutorial is data (what the coach says, what is to be touched), and `lesson.py` leads through any.
"""
