"""The start page and what it leads to: saved games, statistics, owners' boards and battles, the first game.

As the top room of the scenes, it may open scenes of any other.
"""
