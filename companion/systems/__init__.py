"""What the app has for each system of rules: one value in a module of the system's name.

`game_system.py` says what belongs to it. A value names its parts as texts, so the rooms of a system are loaded when a
game of it is first shown or played, and this package can lie below all of them. A fourth system is its own rooms, its
value here, and its line in `engine/systems.py`.
"""
