"""Thinks off the screen: work of seconds or minutes that the screen never waits for.

In goes work, a picklable callable that yields what it finds; once a frame one asks what has come. It runs in a process
of its own: in a thread it would hold Python's one lock, and every frame with it. A fault there
ends the thought, never the game. Chance comes as a seed, the time that a thought may take as seconds.
"""
